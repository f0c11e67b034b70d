// Package anyprecision is the snapping mechanism in formats small enough to try
// everything, in machine integers: the steps of the proof of proofs/any-precision.md
// for internal/proofs to evaluate, and its theorem exhaustively in the tests.
package anyprecision

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// A Mech is Snap_F without its bounds: they enter a threshold nowhere. Lengths are
// integers in units of a quarter of the smallest positive number, logarithms in
// units of half of it, so that all midpoints are integers too. What the theorem
// covers fits into 64 bits up to p = 12.
type Mech struct {
	Format   spec.Format
	Scale    spec.ScaleKind
	Value    spec.Value
	Num, Den int64 // lambda = Num/Den units
	Unit     int64 // Lambda
}

// u is the exponent of the unit of length.
func u(f spec.Format) int64 { return f.Quantum() - 2 }

// Length is a number of the format in units.
func Length(f spec.Format, v spec.Value) int64 { return v.Dyadic().Shift(-u(f)).Floor(0).Int64() }

// Dyadic is the number of n units.
func Dyadic(f spec.Format, n int64) real.Dyadic { return real.FromInt64(n).Shift(u(f)) }

// Tiny is the format of precision p with the least exponent range the theorem allows.
func Tiny(p uint) spec.Format { return spec.Small(p, -int64(p)-3, int64(p)-2) }

// NewMech returns the mechanism with Lambda = 2^k and lambda in (Lambda/2, Lambda]
// whose scale has the significand n, 2^(p-1) <= n < 2^p. It says no when that scale
// is no number of the format.
func NewMech(f spec.Format, k, n int64, scale spec.ScaleKind) (Mech, bool) {
	p, unit := int64(f.Precision), int64(1)<<(k-u(f))
	if scale == spec.ScaleEpsilon {
		v := spec.FromDyadic(real.FromInt64(n).Shift(1 - p - k))
		return Mech{f, scale, v, 1 << (p - 1 + k - u(f)), n, unit}, f.Has(v)
	}
	if n == 1<<(p-1) { // the power of two at the other end
		n = 1 << p
	}
	v := spec.FromDyadic(real.FromInt64(n).Shift(k - p))
	return Mech{f, scale, v, Length(f, v), 1, unit}, f.Has(v)
}

// Mechs returns every scale of both variants with Lambda = 2^k.
func Mechs(f spec.Format, k int64) []Mech {
	var all []Mech
	for n := int64(1) << (f.Precision - 1); n < 1<<f.Precision; n++ {
		for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
			if m, ok := NewMech(f, k, n, scale); ok {
				all = append(all, m)
			}
		}
	}
	return all
}

func (m Mech) String() string { return fmt.Sprintf("%s %s=%v", m.Format.Name, m.Scale, m.Value) }

// Numbers returns the finite numbers of the format up to bound in magnitude, in order.
func Numbers(f spec.Format, bound int64) []int64 {
	var xs []int64
	for n := int64(0); n <= bound; n += Spacing(n, 2, f.Precision) {
		xs = append(xs, n)
		if n > 0 {
			xs = append(xs, -n)
		}
	}
	slices.Sort(xs)
	return xs
}

// Spacing is that of the numbers of the binade of n >= 0; the quantum is 2^base.
func Spacing(n int64, base, p uint) int64 {
	return 1 << max(base, uint(max(0, bits.Len64(uint64(n))-int(p))))
}

// Pred is the number before x.
func (m Mech) Pred(x int64) int64 { return -m.Succ(-x) }

// Succ is the number after x.
func (m Mech) Succ(x int64) int64 {
	s := Spacing(max(x, -x), 2, m.Format.Precision)
	if x < 0 && -x&(-x-1) == 0 && s > 4 {
		s /= 2
	}
	return x + s
}

// T is the midpoint between the edge c and the number below it (A.3).
func (m Mech) T(c int64) int64 { return (c + m.Pred(c)) / 2 }

// Passing returns, for n plus a fraction (0 if exact), the spacing g of its binade, the
// least number above (strict; else at or above) it, and the midpoint below that.
func Passing(n int64, exact, strict bool, base, p uint) (g, up, mid int64) {
	g = Spacing(n, base, p)
	k := n / g
	if exact && !strict && k*g == n {
		if n&(n-1) == 0 && g > 1<<base { // a power of two ends the binade below
			g /= 2
		}
		return g, n, n - g/2
	}
	up = (k + 1) * g
	return g, up, up - g/2
}

// A Chain is one threshold of the theorem's proof: how far, with which condition, and
// what becomes of it at the product and at the logarithm.
type Chain struct {
	Strict  bool  // Y > A, else Y >= A
	A, M, G int64 // G is the spacing in the binade of A
	W       int64 // v° in logarithm units
}

// Chain is that of the input x and the edge c.
func (m Mech) Chain(x, c int64) Chain {
	k := Chain{Strict: x >= c, A: x - m.T(c)}
	if !k.Strict {
		k.A = -k.A
	}
	p := m.Format.Precision
	var up int64
	k.G, up, k.M = Passing(k.A, true, k.Strict, 2, p)
	tieUp := up/k.G%2 == 0
	n, exact := m.quotient(k.M)
	_, _, k.W = Passing(n, exact, !tieUp, 1, p)
	return k
}

// quotient is M/lambda in logarithm units, cut to an integer.
func (m Mech) quotient(M int64) (n int64, exact bool) {
	shift := int64(m.Format.Precision) - m.Format.EMin
	hi, lo := bits.Mul64(uint64(M*m.Den), 1<<shift)
	q, r := bits.Div64(hi, lo, uint64(m.Num))
	return int64(q), r == 0
}

// Logarithm is the number of w logarithm units.
func Logarithm(f spec.Format, w int64) real.Dyadic {
	return real.FromInt64(w).Shift(f.EMin - int64(f.Precision))
}

type atLog struct {
	f spec.Format
	w int64
}

var masses sync.Map // atLog: real.Dyadic

// Mass is P of a threshold: the least value of U*, or 1, above exp(-v°).
func Mass(f spec.Format, w int64) real.Dyadic {
	if p, ok := masses.Load(atLog{f, w}); ok {
		return p.(real.Dyadic)
	}
	above := func(d real.Dyadic) real.Dyadic {
		q := d.Top() - int64(f.Precision) + 1
		n := d.Floor(q)
		return real.NewDyadic(n, q).Add(real.Pow2(q))
	}
	for prec := uint(64); ; prec *= 2 {
		e, err := real.Exp(Logarithm(f, w).Neg(), prec)
		if err != nil {
			panic(err)
		}
		if p := above(e.Lo); p.Equal(above(e.Hi)) {
			masses.Store(atLog{f, w}, p)
			return p
		}
	}
}

// A Cell is the set From <= w < To of an output; an end cell lacks one edge.
type Cell struct {
	From, To       int64
	NoFrom, NoTo   bool
	Output         int64 // of an interior cell
	nearLo, nearHi int64 // of an end cell: the range of lo, or of hi, that gives it
}

// Interior reports whether the cell has both edges.
func (c Cell) Interior() bool { return !c.NoFrom && !c.NoTo }

// Edges are the edges of the cell.
func (c Cell) Edges() []int64 {
	switch {
	case c.NoFrom:
		return []int64{c.To}
	case c.NoTo:
		return []int64{c.From}
	}
	return []int64{c.From, c.To}
}

// Prob is the probability of the cell for x.
func (m Mech) Prob(x int64, c Cell) real.Dyadic {
	p := real.One().Shift(1)
	from, to := real.Dyadic{}, real.Dyadic{}
	if !c.NoFrom {
		from = Mass(m.Format, m.Chain(x, c.From).W)
	}
	if !c.NoTo {
		to = Mass(m.Format, m.Chain(x, c.To).W)
	}
	switch {
	case !c.NoTo && x >= c.To:
		p = to.Sub(from)
	case !c.NoFrom && x < c.From:
		p = from.Sub(to)
	default:
		p = p.Sub(from).Sub(to)
	}
	return p.Shift(-1)
}

// Magnitude is |n|.
func Magnitude(n int64) int64 { return max(n, -n) }
