package lang

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Reals and Floats name the two languages.
type (
	Reals  struct{}
	Floats struct{}
)

// Lang is one of the two languages.
type Lang interface{ Reals | Floats }

// Expr is an expression of the language K. The zero Expr is none and says so in Err.
type Expr[K Lang] struct{ n *node }

// Real is e_R and Float is e_F.
type (
	Real  = Expr[Reals]
	Float = Expr[Floats]
)

// Error is err ::= (e_R, e_R): the two ends of an error interval.
type Error struct{ Lo, Hi Real }

// Op is the outermost construction of an expression.
type Op uint8

// The productions of section 2, and the three exact operations of the mechanism.
const (
	None   Op = iota // no expression
	Const            // r, c
	Var              // X, x
	Apply            // F(X), f(x)
	Add              // +
	Sub              // -
	Mul              // x
	Quo              // /
	Ln               // ln
	Neg              // multiplication by the sign -1
	Clamp            // clamp_[lo,hi]
	Round            // round_Lambda: nearest multiple, ties toward +inf
	Sample           // X <-$ mu
)

// Dist is a distribution mu.
type Dist string

// The distributions of section 2.
const (
	Laplace   Dist = "laplace"
	Unif      Dist = "unif"
	Bernoulli Dist = "bernoulli"
)

// Limits on an expression: they bound every recursion over one.
const (
	MaxDepth = 512
	MaxNodes = 4096
	MaxName  = 64 // bytes of a name
)

// The reasons why an expression cannot be built; Err wraps them.
var (
	ErrNone     = errors.New("no expression")
	ErrName     = errors.New("not a name")
	ErrReserved = errors.New("a reserved word")
	ErrDist     = errors.New("not a distribution")
	ErrBounds   = errors.New("clamp needs lo <= hi")
	ErrUnit     = errors.New("round needs a unit 2^k with |k| <= 2^50")
	ErrTooLarge = errors.New("expression too large")
)

// node is a tree shared by both languages: names are kept in their e_F spelling.
type node struct {
	op          Op
	err         error
	num         Number
	name, arg   string
	dist        Dist
	lo, hi      real.Dyadic
	unit        int64 // Lambda = 2^unit
	kids        []*node
	depth, size int
}

func failed(err error) *node { return &node{err: err} }

// build makes a node over kids, or one that carries the first error among them.
func build(n node, kids ...*node) *node {
	n.depth, n.size = 1, 1
	for _, k := range kids {
		if k == nil {
			return failed(ErrNone)
		}
		if k.err != nil {
			return k
		}
		n.depth = max(n.depth, k.depth+1)
		n.size += k.size // at most 2·MaxNodes + 1
	}
	if n.depth > MaxDepth || n.size > MaxNodes {
		return failed(fmt.Errorf("%w: over %d nodes or %d levels", ErrTooLarge, MaxNodes, MaxDepth))
	}
	n.kids = kids
	return &n
}

// NewConst returns the constant r; in e_F it stands for fl(r).
func NewConst[K Lang](r Number) Expr[K] {
	if err := r.limits(); err != nil {
		return Expr[K]{failed(err)}
	}
	return Expr[K]{build(node{op: Const, num: r})}
}

// NewVar returns a variable: X in e_R, x in e_F.
func NewVar[K Lang](name string) Expr[K] {
	name, err := canonical[K](name)
	if err != nil {
		return Expr[K]{failed(err)}
	}
	return Expr[K]{build(node{op: Var, name: name})}
}

// NewApply returns a function applied to a variable: F(X) or f(x).
func NewApply[K Lang](fn, arg string) Expr[K] {
	fn, err := canonical[K](fn)
	if err == nil {
		arg, err = canonical[K](arg)
	}
	if err != nil {
		return Expr[K]{failed(err)}
	}
	return Expr[K]{build(node{op: Apply, name: fn, arg: arg})}
}

// NewSample returns X <-$ mu, whose value is the one drawn.
func NewSample[K Lang](name string, mu Dist) Expr[K] {
	name, err := canonical[K](name)
	if err == nil && mu != Laplace && mu != Unif && mu != Bernoulli {
		err = fmt.Errorf("%w: %.40q", ErrDist, string(mu))
	}
	if err != nil {
		return Expr[K]{failed(err)}
	}
	return Expr[K]{build(node{op: Sample, name: name, dist: mu})}
}

// NewAdd returns a + b, or a (+) b.
func NewAdd[K Lang](a, b Expr[K]) Expr[K] { return Expr[K]{build(node{op: Add}, a.n, b.n)} }

// NewSub returns a - b, or a (-) b.
func NewSub[K Lang](a, b Expr[K]) Expr[K] { return Expr[K]{build(node{op: Sub}, a.n, b.n)} }

// NewMul returns a x b, or a (x) b.
func NewMul[K Lang](a, b Expr[K]) Expr[K] { return Expr[K]{build(node{op: Mul}, a.n, b.n)} }

// NewQuo returns a / b, or a (/) b.
func NewQuo[K Lang](a, b Expr[K]) Expr[K] { return Expr[K]{build(node{op: Quo}, a.n, b.n)} }

// NewLn returns ln a, or LN(a).
func NewLn[K Lang](a Expr[K]) Expr[K] { return Expr[K]{build(node{op: Ln}, a.n)} }

// NewNeg returns -a, exact in both languages.
func NewNeg[K Lang](a Expr[K]) Expr[K] { return Expr[K]{build(node{op: Neg}, a.n)} }

// NewClamp returns min(hi, max(lo, a)).
func NewClamp[K Lang](lo, hi real.Dyadic, a Expr[K]) Expr[K] {
	if lo.Cmp(hi) > 0 {
		return Expr[K]{failed(ErrBounds)}
	}
	for _, b := range []real.Dyadic{lo, hi} {
		if err := FromDyadic(b).limits(); err != nil {
			return Expr[K]{failed(err)}
		}
	}
	return Expr[K]{build(node{op: Clamp, lo: lo, hi: hi}, a.n)}
}

// NewRound returns the multiple of 2^unit nearest to a, ties toward +inf.
func NewRound[K Lang](unit int64, a Expr[K]) Expr[K] {
	if unit < -MaxExponent || unit > MaxExponent {
		return Expr[K]{failed(ErrUnit)}
	}
	return Expr[K]{build(node{op: Round, unit: unit}, a.n)}
}
