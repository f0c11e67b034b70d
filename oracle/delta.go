package oracle

import (
	"iter"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Delta encloses the least delta for which the pair f, f2 is (epsilon, delta)
// indistinguishable: the larger of
//
//	sum over outputs x of max(0, Pr[x | f] - e^epsilon Pr[x | f2])
//
// and the same with f and f2 exchanged. The width is at most 2^-prec times the lower end, and
// the point 0 is given just when delta is 0, which is when no loss exceeds epsilon.
// Rejections: those of NewDistribution for f, then f2; domain "bounds" when there are more
// than MaxOutputs outputs, "epsilon" when it is negative, "precision" when prec is not
// in [1, MaxWidth].
func Delta(p spec.SnapParams, k spec.Kind, f, f2 spec.Value, epsilon *big.Rat, prec uint) (real.Interval, error) {
	d, err := NewDistribution(p, k, f)
	if err != nil {
		return real.Interval{}, err
	}
	d2, err := NewDistribution(p, k, f2)
	if err != nil {
		return real.Interval{}, err
	}
	switch {
	case epsilon.Sign() < 0:
		return real.Interval{}, spec.Reject(spec.Domain, "epsilon", "%v is negative", epsilon)
	case prec == 0 || prec > MaxWidth:
		return real.Interval{}, spec.Reject(spec.Domain, "precision", "%d is not in [1, %d]", prec, MaxWidth)
	}
	if err := d.visitable(); err != nil {
		return real.Interval{}, err
	}
	for n := prec + 64; ; n *= 2 {
		factor, err := expRat(epsilon, n)
		if err != nil {
			return real.Interval{}, err
		}
		a, b, decided := excesses(d, d2, factor, n)
		if !decided { // Pr[x | f] and e^epsilon Pr[x | f2] are never equal for rational epsilon > 0
			continue
		}
		larger := real.Interval{Lo: real.Max(a.Lo, b.Lo), Hi: real.Max(a.Hi, b.Hi)}
		if larger.Width().Cmp(larger.Lo.Shift(-int64(prec))) <= 0 {
			den := real.Point(d.q.g.den)
			return larger.Quo(den, n)
		}
	}
}

// expRat encloses e^x.
func expRat(x *big.Rat, prec uint) (real.Interval, error) {
	if x.Sign() == 0 {
		return real.Point(real.One()), nil
	}
	q, err := real.Point(real.NewDyadic(x.Num(), 0)).Quo(real.Point(real.NewDyadic(x.Denom(), 0)), prec+uint(x.Num().BitLen()))
	if err != nil {
		return q, err
	}
	return real.ExpInterval(q, prec)
}

// excesses sums up the numerators of both directions. decided is false when the sign of a
// term is not certain.
func excesses(d, d2 *Dist, factor real.Interval, prec uint) (a, b real.Interval, decided bool) {
	next, stop := iter.Pull2(d.All())
	defer stop()
	next2, stop2 := iter.Pull2(d2.All())
	defer stop2()
	over := func(sum real.Interval, p, q real.Dyadic) (real.Interval, bool) {
		t := real.Point(p).Sub(factor.Mul(real.Point(q), prec), prec)
		switch {
		case t.Hi.Sign() <= 0:
			return sum, true
		case t.Lo.Sign() < 0:
			return sum, false
		}
		return sum.Add(t, prec), true
	}
	x, p, ok := next()
	x2, p2, ok2 := next2()
	for ok || ok2 {
		c := 0
		if ok && ok2 {
			c = x.Cmp(x2)
		}
		take, take2 := ok && (!ok2 || c <= 0), ok2 && (!ok || c >= 0)
		var n, n2 real.Dyadic
		if take {
			n = p.Num
			x, p, ok = next()
		}
		if take2 {
			n2 = p2.Num
			x2, p2, ok2 = next2()
		}
		var sure, sure2 bool
		if a, sure = over(a, n, n2); !sure {
			return a, b, false
		}
		if b, sure2 = over(b, n2, n); !sure2 {
			return a, b, false
		}
	}
	return a, b, true
}
