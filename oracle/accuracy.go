package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Expectation is an exact expected value Num/Den, in the units of f, with Den as in
// Prob: 1 for the unbounded kind of U*.
type Expectation struct{ Num, Den real.Dyadic }

// Rat returns e as a rational. ok is false when that takes more than a million bits.
func (e Expectation) Rat() (r *big.Rat, ok bool) { return Prob(e).Rat() }

// Enclose returns an enclosure of e whose relative width is at most 2^-prec.
func (e Expectation) Enclose(prec uint) (real.Interval, error) {
	return real.Point(e.Num).Quo(real.Point(e.Den), prec)
}

// Above returns Pr[Snap_F(f) > y] exactly. One threshold decides, so this costs the
// same whatever the bounds. Rejection: domain (y infinite or NaN).
func (d *Dist) Above(y spec.Value) (Prob, error) {
	if !y.IsFinite() {
		return Prob{}, spec.Reject(spec.Domain, "y", "%v is not finite", y)
	}
	if y.Cmp(d.lo) < 0 {
		return Prob{d.q.g.den, d.q.g.den}, nil
	}
	r, ok := d.following(y.Dyadic())
	if !ok {
		return Prob{Den: d.q.g.den}, nil
	}
	return d.between(d.edge(d.edgeBelow(r)), nil), nil
}

// Below returns Pr[Snap_F(f) < y] exactly. Rejection: domain (y infinite or NaN).
func (d *Dist) Below(y spec.Value) (Prob, error) {
	if !y.IsFinite() {
		return Prob{}, spec.Reject(spec.Domain, "y", "%v is not finite", y)
	}
	if y.Cmp(d.hi) > 0 {
		return Prob{d.q.g.den, d.q.g.den}, nil
	}
	r, ok := d.preceding(y.Dyadic())
	if !ok {
		return Prob{Den: d.q.g.den}, nil
	}
	return d.between(nil, d.edge(d.edgeAbove(r))), nil
}

// following returns the least candidate for an output > y, preceding the greatest
// < y. Candidates are lo, hi and the multiples of Lambda of the format between them.
func (d *Dist) following(y real.Dyadic) (spec.Value, bool) {
	if y.Cmp(d.lo.Dyadic()) < 0 {
		return d.lo, true
	}
	if y.Cmp(d.hi.Dyadic()) >= 0 {
		return d.hi, false
	}
	k := d.unit.Top()
	n := y.Floor(k)
	v := real.NewDyadic(n.Add(n, big.NewInt(1)), k) // the next multiple,
	if up := atOrAbove(d.q.p.Format, v); up.IsFinite() {
		v = up.Dyadic() // or, where numbers are farther apart, the next number: a multiple too
	}
	return spec.FromDyadic(real.Min(v, d.hi.Dyadic())), true
}

func (d *Dist) preceding(y real.Dyadic) (spec.Value, bool) {
	if y.Cmp(d.hi.Dyadic()) > 0 {
		return d.hi, true
	}
	if y.Cmp(d.lo.Dyadic()) <= 0 {
		return d.lo, false
	}
	k := d.unit.Top()
	n := y.Neg().Floor(k) // -ceil(y/Lambda)
	n.Add(n, big.NewInt(1))
	v := real.NewDyadic(n, k) // -v is the multiple before y
	if up := atOrAbove(d.q.p.Format, v); up.IsFinite() {
		v = up.Dyadic()
	}
	return spec.FromDyadic(real.Max(v.Neg(), d.lo.Dyadic())), true
}

// errorOf checks that an error r - f is a number.
func (d *Dist) errorOf() (real.Dyadic, error) {
	if !d.f.IsFinite() {
		return real.Dyadic{}, spec.Reject(spec.Domain, "f", "the error of a release of %v is no number", d.f)
	}
	return d.f.Dyadic(), nil
}

// Beyond returns Pr[|Snap_F(f) - f| > t] exactly: the probability that a release is off
// by more than t, clamping and rounding included. Rejection: domain (t < 0; f infinite).
func (d *Dist) Beyond(t real.Dyadic) (Prob, error) {
	f, err := d.errorOf()
	if err != nil {
		return Prob{}, err
	}
	if t.Sign() < 0 {
		return Prob{}, spec.Reject(spec.Domain, "t", "%v is negative", t)
	}
	return d.outside(f.Sub(t), f.Add(t)), nil
}

// outside returns Pr[r < a] + Pr[r > b], a <= b.
func (d *Dist) outside(a, b real.Dyadic) Prob {
	var p real.Dyadic
	switch {
	case b.Cmp(d.lo.Dyadic()) < 0 || a.Cmp(d.hi.Dyadic()) > 0:
		return Prob{d.q.g.den, d.q.g.den}
	default:
		if r, ok := d.following(b); ok {
			p = d.between(d.edge(d.edgeBelow(r)), nil).Num
		}
		if r, ok := d.preceding(a); ok {
			p = p.Add(d.between(nil, d.edge(d.edgeAbove(r))).Num)
		}
	}
	return Prob{p, d.q.g.den}
}

// Radius returns the least t with Pr[|Snap_F(f) - f| <= t] >= confidence, and the
// exact probability that a release is farther off. So f lies within t of the
// release at that confidence: a confidence interval, for this f. The cost is that of
// the outputs within t. Rejection: domain (confidence not in [0, 1); f infinite).
func (d *Dist) Radius(confidence *big.Rat) (t real.Dyadic, beyond Prob, err error) {
	f, err := d.errorOf()
	if err != nil {
		return t, beyond, err
	}
	if confidence.Sign() < 0 || confidence.Cmp(big.NewRat(1, 1)) >= 0 {
		return t, beyond, spec.Reject(spec.Domain, "confidence", "%v is not in [0, 1)", confidence)
	}
	// Pr[beyond] <= 1 - confidence, crosswise.
	num := new(big.Int).Sub(confidence.Denom(), confidence.Num())
	allowed := real.NewDyadic(num, 0).Mul(d.q.g.den)
	den := real.NewDyadic(confidence.Denom(), 0)
	// The distances at which the probability changes, in order, two sides at a time.
	left, right := f, f
	for {
		beyond = d.outside(f.Sub(t), f.Add(t))
		if beyond.Num.Mul(den).Cmp(allowed) <= 0 {
			return t, beyond, nil
		}
		a, okA := d.preceding(left)
		b, okB := d.following(right)
		switch da, db := f.Sub(a.Dyadic()), b.Dyadic().Sub(f); {
		case okA && (!okB || da.Cmp(db) <= 0):
			left, t = a.Dyadic(), real.Max(t, da)
		case okB:
			right, t = b.Dyadic(), real.Max(t, db)
		}
	}
}

// Accuracy sums up the error r - f of a release over all outputs.
type Accuracy struct {
	MeanAbs Expectation // E|r - f|
	Bias    Expectation // E(r - f)
	Square  Expectation // E(r - f)^2, in the square of the units of f
	Outputs int
}

// Accuracy visits every output once; for more than MaxOutputs of them it is refused
// (domain "bounds"), as for an infinite f (domain "f").
func (d *Dist) Accuracy() (Accuracy, error) {
	f, err := d.errorOf()
	if err != nil {
		return Accuracy{}, err
	}
	if err := d.visitable(); err != nil {
		return Accuracy{}, err
	}
	var abs, bias, square real.Dyadic
	n := 0
	for r, pr := range d.All() {
		e := r.Dyadic().Sub(f)
		bias = bias.Add(e.Mul(pr.Num))
		abs = abs.Add(e.Abs().Mul(pr.Num))
		square = square.Add(e.Mul(e).Mul(pr.Num))
		n++
	}
	den := d.q.g.den
	return Accuracy{Expectation{abs, den}, Expectation{bias, den}, Expectation{square, den}, n}, nil
}

// visitable refuses a walk over more than MaxOutputs outputs. The draws of
// FloatRange end: their support spans 2 lambda |ln 2^q|, below 2^22 units.
func (d *Dist) visitable() error {
	if span := d.hi.Dyadic().Sub(d.lo.Dyadic()); d.q.g.kind == spec.Unbounded && span.Cmp(d.unit.Mul(real.FromInt64(MaxOutputs))) > 0 {
		return spec.Reject(spec.Domain, "bounds", "hi - lo = %v exceeds %d Lambda", span, MaxOutputs)
	}
	return nil
}
