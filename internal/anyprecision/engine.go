// Package anyprecision holds the tests of docs/any-precision.md: its inequalities
// and its theorem on formats small enough to try everything.
package anyprecision

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// A mech is Snap_F without its bounds: they enter a threshold nowhere. Lengths are
// integers in units of a quarter of the smallest positive number, logarithms in
// units of half of it, so that all midpoints are integers too.
type Mech struct {
	f        spec.Format
	scale    spec.ScaleKind
	value    spec.Value
	num, den int64 // lambda = num/den units
	unit     int64 // Lambda
}

// u is the exponent of the unit of length.
func u(f spec.Format) int64 { return f.Quantum() - 2 }

func length(f spec.Format, v spec.Value) int64 { return v.Dyadic().Shift(-u(f)).Floor(0).Int64() }

func Dyadic(f spec.Format, n int64) real.Dyadic { return real.FromInt64(n).Shift(u(f)) }

// mechs returns every scale of both variants with Lambda = 2^k, lambda in
// (Lambda/2, Lambda].
func Mechs(f spec.Format, k int64) []Mech {
	var all []Mech
	p := int64(f.Precision)
	for m := int64(1) << (p - 1); m < 1<<p; m++ {
		top := m
		if m == 1<<(p-1) { // the power of two at the other end
			top = 1 << p
		}
		lambda := real.FromInt64(top).Shift(k - p)
		if v := spec.FromDyadic(lambda); f.Has(v) {
			all = append(all, Mech{f, spec.ScaleLambda, v, length(f, v), 1, 1 << (k - u(f))})
		}
		eps := real.FromInt64(m).Shift(1 - p - k)
		if v := spec.FromDyadic(eps); f.Has(v) {
			all = append(all, Mech{f, spec.ScaleEpsilon, v, 1 << (p - 1 + k - u(f)), m, 1 << (k - u(f))})
		}
	}
	return all
}

func (m Mech) String() string { return fmt.Sprintf("%s %s=%v", m.Format.Name, m.Scale, m.Value) }

// numbers returns the finite numbers of the format up to bound in magnitude, in order.
func Numbers(f spec.Format, Bound int64) []int64 {
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

// spacing is that of the numbers of the binade of n >= 0; the quantum is 2^base.
func Spacing(n int64, base, p uint) int64 {
	return 1 << max(base, uint(max(0, bits.Len64(uint64(n))-int(p))))
}

// pred and succ are the neighbours of a number of the format.
func (m Mech) Pred(x int64) int64 { return -m.Succ(-x) }

func (m Mech) Succ(x int64) int64 {
	s := Spacing(max(x, -x), 2, m.Format.Precision)
	if x < 0 && -x&(-x-1) == 0 && s > 4 {
		s /= 2
	}
	return x + s
}

// t is the midpoint between the edge c and the number below it (A.3).
func (m Mech) T(c int64) int64 { return (c + m.Pred(c)) / 2 }

// passing returns, for n plus a fraction (0 if exact), the spacing g of its binade, the
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

// A chain is one threshold of the theorem's proof: how far, with which condition, and
// what becomes of it at the product and at the logarithm.
type Chain struct {
	strict  bool  // Y > A, else Y >= A
	a, m, g int64 // A, M, the spacing in the binade of A
	w       int64 // v° in logarithm units
}

func (m Mech) Chain(x, c int64) Chain {
	k := Chain{strict: x >= c, a: x - m.T(c)}
	if !k.strict {
		k.a = -k.a
	}
	p := m.Format.Precision
	var up int64
	k.g, up, k.m = Passing(k.a, true, k.strict, 2, p)
	tieUp := up/k.g%2 == 0
	n, exact := m.quotient(k.m)
	_, _, k.w = Passing(n, exact, !tieUp, 1, p)
	return k
}

// quotient is M/lambda in logarithm units, cut to an integer.
func (m Mech) quotient(M int64) (n int64, exact bool) {
	shift := int64(m.Format.Precision) - m.Format.EMin
	hi, lo := bits.Mul64(uint64(M*m.Den), 1<<shift)
	q, r := bits.Div64(hi, lo, uint64(m.Num))
	return int64(q), r == 0
}

// logarithm is a number of logarithm units.
func Logarithm(f spec.Format, w int64) real.Dyadic {
	return real.FromInt64(w).Shift(f.EMin - int64(f.Precision))
}

type atLog struct {
	f spec.Format
	w int64
}

var masses sync.Map // atLog: real.Dyadic

// mass is P of a threshold: the least value of U*, or 1, above exp(-v°).
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

// A cell is the set from <= w < to of an output; an end cell lacks one edge.
type Cell struct {
	from, to       int64
	noFrom, noTo   bool
	output         int64 // of an interior cell
	nearLo, nearHi int64 // of an end cell: the range of lo, or of hi, that gives it
}

func (c Cell) Interior() bool { return !c.NoFrom && !c.NoTo }

// prob is the probability of the cell for x.
func (m Mech) Prob(x int64, c Cell) real.Dyadic {
	p := real.One().Shift(1)
	from, to := real.Dyadic{}, real.Dyadic{}
	if !c.NoFrom {
		from = Mass(m.Format, m.Chain(x, c.From).w)
	}
	if !c.NoTo {
		to = Mass(m.Format, m.Chain(x, c.To).w)
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
