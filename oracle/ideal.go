package oracle

import (
	"iter"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Ideal is the output distribution of Snap_R, exact real arithmetic and u uniform on
// the reals of (0, 1), for one f. Its outputs are lo, hi and all multiples of Lambda
// between them, of the format or not (docs/theory.md 4 and
// proofs/ideal-mechanism.md). Probabilities are irrational, so they come as enclosures.
type Ideal struct {
	num, den  real.Dyadic // lambda = num/den
	unit      real.Dyadic
	lo, hi, x real.Dyadic
}

// MaxReachIdeal limits Ideal: (hi - lo)/lambda and the precision asked for.
const (
	MaxReachIdeal     = 1 << 40
	MaxPrecisionIdeal = 1 << 16
)

// NewIdeal prepares the distribution. f may be infinite, not NaN. Rejections: domain
// (parameters, f; "bounds" when hi - lo > 2^40 lambda); overflow of Lambda.
func NewIdeal(p spec.SnapParams, f spec.Value) (*Ideal, error) {
	if err := checkSnap(p, f, 1); err != nil {
		return nil, err
	}
	unit, err := Unit(p)
	if err != nil {
		return nil, err
	}
	n := spec.NewQuantities(p, unit)
	d := &Ideal{
		num: n.LambdaNum, den: n.LambdaDen, unit: unit.Dyadic(),
		lo: p.Lo.Dyadic(), hi: p.Hi.Dyadic(), x: clamp(f, p.Lo, p.Hi).Dyadic(),
	}
	if d.hi.Sub(d.lo).Mul(d.den).Cmp(d.num.Mul(real.FromInt64(MaxReachIdeal))) > 0 {
		return nil, spec.Reject(spec.Domain, "bounds", "hi - lo exceeds 2^40 lambda")
	}
	return d, nil
}

// At returns an enclosure of Pr[Snap_R(f) = r] whose width is at most 2^-prec times
// its lower end; the point 0 for an r that cannot be an output. Rejection: domain
// ("precision" not in [1, 2^16]).
func (d *Ideal) At(r real.Dyadic, prec uint) (real.Interval, error) {
	if prec == 0 || prec > MaxPrecisionIdeal {
		return real.Interval{}, spec.Reject(spec.Domain, "precision", "%d is not in [1, %d]", prec, MaxPrecisionIdeal)
	}
	atLo, atHi := r.Equal(d.lo), r.Equal(d.hi)
	switch {
	case r.Cmp(d.lo) < 0 || r.Cmp(d.hi) > 0, !atLo && !atHi && !r.IsZero() && r.Low() < d.unit.Top():
		return real.Interval{}, nil
	case atLo && atHi:
		return real.Point(real.Pow2(0)), nil
	}
	for extra := uint(32); ; extra *= 2 { // the subtraction of neighbours loses a few bits, of close edges more
		p, err := d.between(r, atLo, atHi, prec+extra)
		if err != nil {
			return real.Interval{}, err
		}
		if p.Lo.Sign() > 0 && p.Width().Cmp(p.Lo.Shift(-int64(prec))) <= 0 {
			return p, nil
		}
	}
}

// between encloses the probability of the cell of r, whose edges are those of Snap_F.
func (d *Ideal) between(r real.Dyadic, atLo, atHi bool, prec uint) (real.Interval, error) {
	k := d.unit.Top()
	half := d.unit.Shift(-1)
	var below, above real.Interval // probabilities of crossing the edges; the point 0 at the ends
	var c1, c2 real.Dyadic
	var err error
	if !atLo {
		n := r.Neg().Floor(k) // -ceil(r/Lambda)
		c1 = real.NewDyadic(n.Neg(n), k).Sub(half)
		if below, err = d.crossing(c1, prec); err != nil {
			return below, err
		}
	}
	if !atHi {
		c2 = real.NewDyadic(r.Floor(k), k).Add(half)
		if above, err = d.crossing(c2, prec); err != nil {
			return above, err
		}
	}
	switch {
	case !atHi && c2.Cmp(d.x) <= 0: // left of x
		return above.Sub(below, prec), nil
	case !atLo && c1.Cmp(d.x) > 0:
		return below.Sub(above, prec), nil
	}
	return real.Point(real.Pow2(0)).Sub(below, prec).Sub(above, prec), nil
}

// crossing encloses Pr[w < c] for c <= x, Pr[w >= c] for c > x: exp(-|x - c|/lambda)/2.
func (d *Ideal) crossing(c real.Dyadic, prec uint) (real.Interval, error) {
	a := d.x.Sub(c).Abs()
	if a.IsZero() {
		return real.Point(real.Pow2(-1)), nil
	}
	// |x - c|/lambda < 2^41, whose absolute error becomes the relative one.
	t, err := real.Point(a.Mul(d.den)).Quo(real.Point(d.num), prec+48)
	if err != nil {
		return t, err
	}
	p, err := real.ExpInterval(t.Neg(), prec+8)
	if err != nil {
		return p, err
	}
	return real.Interval{Lo: p.Lo.Shift(-1), Hi: p.Hi.Shift(-1)}, nil
}

// Outputs yields the outputs in increasing order.
func (d *Ideal) Outputs() iter.Seq[real.Dyadic] {
	return func(yield func(real.Dyadic) bool) {
		if !yield(d.lo) {
			return
		}
		k := d.unit.Top()
		n := d.lo.Floor(k)
		for one := big.NewInt(1); ; {
			n.Add(n, one)
			r := real.NewDyadic(n, k)
			if r.Cmp(d.hi) >= 0 {
				break
			}
			if !yield(r) {
				return
			}
		}
		if d.lo.Cmp(d.hi) < 0 {
			yield(d.hi)
		}
	}
}

// IdealLoss encloses the privacy loss |ln(Pr[Snap_R(f) = r]/Pr[Snap_R(f2) = r])| of an
// output to a width of at most 2^-width: never more than |f - f2|/lambda
// (proofs/ideal-mechanism.md). Rejections: those of NewIdeal and Ideal.At; domain
// ("x": r is no output).
func IdealLoss(p spec.SnapParams, f, f2 spec.Value, r real.Dyadic, width uint) (real.Interval, error) {
	d, err := NewIdeal(p, f)
	if err != nil {
		return real.Interval{}, err
	}
	d2, err := NewIdeal(p, f2)
	if err != nil {
		return real.Interval{}, err
	}
	for prec := width + 8; ; prec += 64 {
		a, err := d.At(r, prec)
		if err != nil {
			return real.Interval{}, err
		}
		b, err := d2.At(r, prec)
		if err != nil {
			return real.Interval{}, err
		}
		if a.Hi.IsZero() {
			return real.Interval{}, spec.Reject(spec.Domain, "x", "%v is no output", r)
		}
		q, err := a.Quo(b, prec)
		if err != nil {
			return real.Interval{}, err
		}
		ln, err := real.LnInterval(q, prec)
		if err != nil {
			return real.Interval{}, err
		}
		switch {
		case ln.Hi.Sign() <= 0:
			ln = ln.Neg()
		case ln.Lo.Sign() < 0:
			ln = real.Interval{Hi: real.Max(ln.Hi, ln.Lo.Neg())}
		}
		if ln.Width().Cmp(real.Pow2(-int64(width))) <= 0 {
			return ln, nil
		}
	}
}
