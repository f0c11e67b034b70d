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
type mech struct {
	f        spec.Format
	scale    spec.ScaleKind
	value    spec.Value
	num, den int64 // lambda = num/den units
	unit     int64 // Lambda
}

// u is the exponent of the unit of length.
func u(f spec.Format) int64 { return f.Quantum() - 2 }

func length(f spec.Format, v spec.Value) int64 { return v.Dyadic().Shift(-u(f)).Floor(0).Int64() }

func dyadic(f spec.Format, n int64) real.Dyadic { return real.FromInt64(n).Shift(u(f)) }

// mechs returns every scale of both variants with Lambda = 2^k, lambda in
// (Lambda/2, Lambda].
func mechs(f spec.Format, k int64) []mech {
	var all []mech
	p := int64(f.Precision)
	for m := int64(1) << (p - 1); m < 1<<p; m++ {
		top := m
		if m == 1<<(p-1) { // the power of two at the other end
			top = 1 << p
		}
		lambda := real.FromInt64(top).Shift(k - p)
		if v := spec.FromDyadic(lambda); f.Has(v) {
			all = append(all, mech{f, spec.ScaleLambda, v, length(f, v), 1, 1 << (k - u(f))})
		}
		eps := real.FromInt64(m).Shift(1 - p - k)
		if v := spec.FromDyadic(eps); f.Has(v) {
			all = append(all, mech{f, spec.ScaleEpsilon, v, 1 << (p - 1 + k - u(f)), m, 1 << (k - u(f))})
		}
	}
	return all
}

func (m mech) String() string { return fmt.Sprintf("%s %s=%v", m.f.Name, m.scale, m.value) }

// numbers returns the finite numbers of the format up to bound in magnitude, in order.
func numbers(f spec.Format, bound int64) []int64 {
	var xs []int64
	for n := int64(0); n <= bound; n += spacing(n, 2, f.Precision) {
		xs = append(xs, n)
		if n > 0 {
			xs = append(xs, -n)
		}
	}
	slices.Sort(xs)
	return xs
}

// spacing is that of the numbers of the binade of n >= 0; the quantum is 2^base.
func spacing(n int64, base, p uint) int64 {
	return 1 << max(base, uint(max(0, bits.Len64(uint64(n))-int(p))))
}

// pred and succ are the neighbours of a number of the format.
func (m mech) pred(x int64) int64 { return -m.succ(-x) }

func (m mech) succ(x int64) int64 {
	s := spacing(max(x, -x), 2, m.f.Precision)
	if x < 0 && -x&(-x-1) == 0 && s > 4 {
		s /= 2
	}
	return x + s
}

// t is the midpoint between the edge c and the number below it (A.3).
func (m mech) t(c int64) int64 { return (c + m.pred(c)) / 2 }

// passing returns, for n plus a fraction (0 if exact), the spacing g of its binade, the
// least number above (strict; else at or above) it, and the midpoint below that.
func passing(n int64, exact, strict bool, base, p uint) (g, up, mid int64) {
	g = spacing(n, base, p)
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
type chain struct {
	strict  bool  // Y > A, else Y >= A
	a, m, g int64 // A, M, the spacing in the binade of A
	w       int64 // v° in logarithm units
}

func (m mech) chain(x, c int64) chain {
	k := chain{strict: x >= c, a: x - m.t(c)}
	if !k.strict {
		k.a = -k.a
	}
	p := m.f.Precision
	var up int64
	k.g, up, k.m = passing(k.a, true, k.strict, 2, p)
	tieUp := up/k.g%2 == 0
	n, exact := m.quotient(k.m)
	_, _, k.w = passing(n, exact, !tieUp, 1, p)
	return k
}

// quotient is M/lambda in logarithm units, cut to an integer.
func (m mech) quotient(M int64) (n int64, exact bool) {
	shift := int64(m.f.Precision) - m.f.EMin
	hi, lo := bits.Mul64(uint64(M*m.den), 1<<shift)
	q, r := bits.Div64(hi, lo, uint64(m.num))
	return int64(q), r == 0
}

// logarithm is a number of logarithm units.
func logarithm(f spec.Format, w int64) real.Dyadic {
	return real.FromInt64(w).Shift(f.EMin - int64(f.Precision))
}

type atLog struct {
	f spec.Format
	w int64
}

var masses sync.Map // atLog: real.Dyadic

// mass is P of a threshold: the least value of U*, or 1, above exp(-v°).
func mass(f spec.Format, w int64) real.Dyadic {
	if p, ok := masses.Load(atLog{f, w}); ok {
		return p.(real.Dyadic)
	}
	above := func(d real.Dyadic) real.Dyadic {
		q := d.Top() - int64(f.Precision) + 1
		n := d.Floor(q)
		return real.NewDyadic(n, q).Add(real.Pow2(q))
	}
	for prec := uint(64); ; prec *= 2 {
		e, err := real.Exp(logarithm(f, w).Neg(), prec)
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
type cell struct {
	from, to       int64
	noFrom, noTo   bool
	output         int64 // of an interior cell
	nearLo, nearHi int64 // of an end cell: the range of lo, or of hi, that gives it
}

func (c cell) interior() bool { return !c.noFrom && !c.noTo }

// prob is the probability of the cell for x.
func (m mech) prob(x int64, c cell) real.Dyadic {
	p := real.One().Shift(1)
	from, to := real.Dyadic{}, real.Dyadic{}
	if !c.noFrom {
		from = mass(m.f, m.chain(x, c.from).w)
	}
	if !c.noTo {
		to = mass(m.f, m.chain(x, c.to).w)
	}
	switch {
	case !c.noTo && x >= c.to:
		p = to.Sub(from)
	case !c.noFrom && x < c.from:
		p = from.Sub(to)
	default:
		p = p.Sub(from).Sub(to)
	}
	return p.Shift(-1)
}
