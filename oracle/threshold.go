package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// crossing is the question behind every probability of Snap_F: for which draws u
// does w, which starts at x for u near 1, cross the edge c?
//
// For c <= x only the sign +1 can bring w below c, and for c > x only -1 can
// bring it to c or above: fl is monotone and x a number of the format, so w <= x
// for s = +1 and w >= x for s = -1. With that sign w moves away from x as u
// falls (docs/theory.md 4). So the draws that cross are those below a threshold.
type crossing struct {
	p spec.SnapParams
	g grid
	x spec.Value // clamp(f)
}

// down reports whether the edge lies at or below x, so that crossing it means
// w < c with s = +1; otherwise it means w >= c with s = -1.
func (q crossing) down(c real.Dyadic) bool { return c.Cmp(q.x.Dyadic()) <= 0 }

// w returns x (+) s·y for the draw u of the sign that can cross, by the stages of
// docs/theory.md 2.
func (q crossing) w(u real.Dyadic, down bool) spec.Value {
	ell, err := lnDyadic(q.p.Format, u)
	if err != nil {
		return spec.NaN() // not reached: u > 0
	}
	var y spec.Value
	if q.p.Scale == spec.ScaleEpsilon {
		y = Quo(q.p.Format, ell, q.p.Value)
	} else {
		y = Mul(q.p.Format, q.p.Value, ell)
	}
	if !down {
		y = y.Neg()
	}
	return Add(q.p.Format, q.x, y)
}

// crosses evaluates the predicate at the draw with number n.
func (q crossing) crosses(c real.Dyadic, n *big.Int) bool {
	down := q.down(c)
	below := q.w(q.g.value(n), down).Cmp(spec.FromDyadic(c)) < 0
	return below == down
}

// threshold returns the number of the least draw that does not cross c, 0 if all
// do. The guess decides how long that takes and nothing else: from it the search
// goes outward in steps of 1, 2, 4, ... until the predicate has been seen on both
// sides, and bisects. u = 1 counts as not crossing, what lies below the grid as
// crossing. For the unbounded kind the latter is true in the limit, and the limits of
// NewDistribution keep thresholds away from the end of the grid.
func (q crossing) threshold(c real.Dyadic) *big.Int {
	hi := q.guess(c) // will not cross
	lo := new(big.Int)
	step := big.NewInt(1)
	if hi.Sign() < 0 && q.crosses(c, hi) {
		lo.Set(hi)
		for {
			hi = new(big.Int).Add(lo, step)
			if hi.Sign() >= 0 {
				hi.SetInt64(0)
				break
			}
			if !q.crosses(c, hi) {
				break
			}
			lo.Set(hi)
			step.Lsh(step, 1)
		}
	} else {
		for {
			lo.Sub(hi, step)
			if lo.Cmp(q.g.low) < 0 {
				lo.Sub(q.g.low, big.NewInt(1))
				break
			}
			if q.crosses(c, lo) {
				break
			}
			hi.Set(lo)
			step.Lsh(step, 1)
		}
	}
	for one := big.NewInt(1); ; { // lo crosses, hi does not
		mid := new(big.Int).Sub(hi, lo)
		if mid.Cmp(one) <= 0 {
			return hi
		}
		mid.Rsh(mid, 1).Add(mid, lo)
		if q.crosses(c, mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
}

// guess inverts the stages one by one, each rounding at the midpoint below the
// least number that crosses (docs/theory.md 6.1, "One threshold"): it is off
// where a stage meets an exact tie, or an enclosure is too wide, and nowhere else.
func (q crossing) guess(c real.Dyadic) *big.Int {
	f := q.p.Format
	a := midBelow(f, atOrAbove(f, c)).Sub(q.x.Dyadic()).Abs() // |noise| from which on w crosses; > 0
	y := atOrAbove(f, a)
	if q.down(c) && y.Cmp(spec.FromDyadic(a)) == 0 { // a tie of w, which goes to c when c is even
		y = f.NextUp(y)
	}
	m := midBelow(f, y) // the same before the product is rounded
	lambda := spec.NewQuantities(q.p, spec.Zero(false))
	v, err := real.Point(m.Mul(lambda.LambdaDen)).Quo(real.Point(lambda.LambdaNum), f.Precision+16)
	if err != nil {
		return new(big.Int).Set(q.g.low)
	}
	v0 := midBelow(f, atOrAbove(f, v.Hi)) // the same before the logarithm is
	u, err := real.Exp(v0.Neg(), f.Precision+16)
	if err != nil { // beyond 2^61: only FloatRange gets there, whose draws have ended
		return new(big.Int).Set(q.g.low)
	}
	return q.g.above(u.Lo)
}

// atOrAbove returns the least datum >= d.
func atOrAbove(f spec.Format, d real.Dyadic) spec.Value {
	v := Round(f, d)
	if v.Cmp(spec.FromDyadic(d)) < 0 {
		v = f.NextUp(v)
	}
	return v
}

// midBelow returns the midpoint between v and the datum below it, where rounding
// passes from one to the other; an infinity counts as 2^(emax+1) there, which is
// IEEE 754's rule of overflow.
func midBelow(f spec.Format, v spec.Value) real.Dyadic {
	return extended(f, v).Add(extended(f, f.NextDown(v))).Shift(-1)
}

func extended(f spec.Format, v spec.Value) real.Dyadic {
	if !v.IsInf() {
		return v.Dyadic()
	}
	d := real.Pow2(f.EMax + 1)
	if v.Signbit() {
		return d.Neg()
	}
	return d
}
