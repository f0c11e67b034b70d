package lang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Err returns why e is not an expression, or nil.
func (e Expr[K]) Err() error {
	if e.n == nil {
		return fmt.Errorf("lang: %w", ErrNone)
	}
	if e.n.err != nil {
		return fmt.Errorf("lang: %w", e.n.err)
	}
	return nil
}

// node returns a node that may be read, op None if e is no expression.
func (e Expr[K]) node() *node {
	if e.n == nil || e.n.err != nil {
		return &node{}
	}
	return e.n
}

// Op returns the outermost construction, None if e is no expression.
func (e Expr[K]) Op() Op { return e.node().op }

// Args returns the operands.
func (e Expr[K]) Args() []Expr[K] {
	kids := e.node().kids
	args := make([]Expr[K], len(kids))
	for i, k := range kids {
		args[i] = Expr[K]{k}
	}
	return args
}

// Number returns the constant of a Const.
func (e Expr[K]) Number() Number { return e.node().num }

// Name returns the variable of a Var or Sample, the function of an Apply.
func (e Expr[K]) Name() string { return spell[K](e.node().name) }

// Argument returns the variable an Apply applies to.
func (e Expr[K]) Argument() string { return spell[K](e.node().arg) }

// Dist returns the distribution of a Sample.
func (e Expr[K]) Dist() Dist { return e.node().dist }

// Bounds returns the bounds of a Clamp.
func (e Expr[K]) Bounds() (lo, hi real.Dyadic) { return e.node().lo, e.node().hi }

// Unit returns k for a Round to multiples of 2^k.
func (e Expr[K]) Unit() int64 { return e.node().unit }

// Depth and Size return the levels and the nodes of the tree.
func (e Expr[K]) Depth() int { return e.node().depth }

// Size returns the number of nodes of the tree.
func (e Expr[K]) Size() int { return e.node().size }

// Equal reports whether two expressions are the same tree. Expressions that
// carry errors equal nothing.
func (e Expr[K]) Equal(o Expr[K]) bool {
	return e.Err() == nil && o.Err() == nil && equal(e.n, o.n)
}

func equal(a, b *node) bool {
	if a == b {
		return true
	}
	if a.op != b.op || a.size != b.size || a.depth != b.depth || a.name != b.name || a.arg != b.arg ||
		a.dist != b.dist || a.unit != b.unit || !a.num.Equal(b.num) || !a.lo.Equal(b.lo) || !a.hi.Equal(b.hi) {
		return false
	}
	for i := range a.kids {
		if !equal(a.kids[i], b.kids[i]) {
			return false
		}
	}
	return true
}

// Key is the name under which an environment holds the value of a leaf: X for a
// variable or a sample, F(X) for an application; "" for anything else.
func (e Expr[K]) Key() string {
	switch e.Op() {
	case Var, Sample:
		return e.Name()
	case Apply:
		return e.Name() + "(" + e.Argument() + ")"
	}
	return ""
}

// Free returns the keys of the leaves whose value an environment must give,
// sorted, each once. A sample's variable is among them: the languages of the
// notes have no binding construct, and Snap' takes the drawn values as given.
func (e Expr[K]) Free() []string {
	var keys []string
	var walk func(n *node)
	walk = func(n *node) {
		if k := (Expr[K]{n}).Key(); k != "" {
			keys = append(keys, k)
		}
		for _, kid := range n.kids {
			walk(kid)
		}
	}
	walk(e.node())
	slices.Sort(keys)
	return slices.Compact(keys)
}

// ToFloat returns the e_F of an e_R: the same tree, every operation rounded and
// every constant r read as fl(r).
func ToFloat(e Real) Float { return Float(e) }

// ToReal returns the e_R that an e_F computes an approximation of.
func ToReal(e Float) Real { return Real(e) }

var reserved = []string{"ln", "neg", "clamp", "round", "laplace", "unif", "bernoulli"}

func isReal[K Lang]() bool {
	var k K
	_, ok := any(k).(Reals)
	return ok
}

// spell writes a name kept in its e_F spelling as the language does.
func spell[K Lang](name string) string {
	if isReal[K]() && name != "" {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// canonical checks a name of the language and returns its e_F spelling.
func canonical[K Lang](name string) (string, error) {
	if len(name) == 0 || len(name) > MaxName {
		return "", fmt.Errorf("%w: %.80q has not 1 to %d bytes", ErrName, name, MaxName)
	}
	for i := range len(name) {
		if c := name[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '_' && c != '\'') {
			return "", fmt.Errorf("%w: %q", ErrName, name)
		}
	}
	capital := name[0] >= 'A' && name[0] <= 'Z'
	switch {
	case capital && !isReal[K]():
		return "", fmt.Errorf("%w of a floating-point expression: %q begins with a capital letter", ErrName, name)
	case !capital && isReal[K]():
		return "", fmt.Errorf("%w of a real expression: %q begins with a small letter", ErrName, name)
	}
	name = strings.ToLower(name[:1]) + name[1:]
	if slices.Contains(reserved, name) {
		return "", fmt.Errorf("%w: %q", ErrReserved, name)
	}
	return name, nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
