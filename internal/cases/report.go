package cases

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/loss"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Report is everything about one question (parameters, f, f', x).
type Report struct {
	Proved
	// Loss is the exact one: an enclosure, unless exactly one probability is 0.
	Loss         real.Interval
	InfiniteLoss bool
	// Derived is ln of the greater of Largest, so a bound on the loss.
	Derived         real.Interval
	InfiniteDerived bool
	Gap             real.Interval // |x - x'|/lambda
	Kappa           real.Interval // B eta/lambda
	Claims          []Claimed
}

// Claimed is a bound somebody claims, for these parameters and |f - f'|.
type Claimed struct {
	Name     string
	Formula  string
	Broken   error // the first hypothesis that does not hold
	Value    real.Interval
	Exceeded bool // by the exact loss
	Reached  bool // by the derived bound: the derivation proves the claim here
}

// Precision of what is enclosed, in bits, and the width of a loss: far below eta.
const (
	precision = 200
	width     = 160
)

// New makes the report. Rejections: those of Of and of oracle.NewDistribution, whose
// limits keep every threshold within U*.
func New(p spec.SnapParams, k spec.Kind, f, f2, x spec.Value) (*Report, error) {
	for _, v := range [2]spec.Value{f, f2} {
		if _, err := oracle.NewDistribution(p, k, v); err != nil {
			return nil, err
		}
	}
	proved, err := Prove(p, k, f, f2, x)
	if err != nil {
		return nil, err
	}
	r := &Report{Proved: *proved}
	for i := range r.Sides {
		if err := r.exact(i); err != nil {
			return nil, err
		}
	}
	if r.Loss, r.InfiniteLoss, err = oracle.LossOf(r.Sides[0].P, r.Sides[1].P, width); err != nil {
		return nil, err
	}
	if r.InfiniteDerived = r.Largest[0].Infinite() || r.Largest[1].Infinite(); !r.InfiniteDerived {
		if r.Derived, err = r.Worst().Ln(precision); err != nil {
			return nil, err
		}
	}
	return r, r.claims()
}

// exact adds the thresholds of a side, and has the oracle's own probability confirm them.
func (r *Report) exact(i int) error {
	p, s := r.Params, &r.Sides[i]
	d, err := oracle.NewDistribution(p, r.Kind, s.Input)
	if err != nil {
		return err
	}
	for j := range s.Ends {
		e := &s.Ends[j]
		q := newQuestion(p, r.Kind, s.Input, s.X, e.Edge)
		if e.Exact, err = q.exact(); err != nil {
			return err
		}
	}
	if s.P, err = d.At(r.Output); err != nil {
		return err
	}
	exact := s.between(draws{p.Format, r.Kind}.start(), func(e EndPoint) real.Interval { return real.Point(e.Exact.Value(p.Format)) })
	if !exact.Lo.Shift(-1).Equal(s.P.Num) {
		return fmt.Errorf("cases: the thresholds of %s give %v and the oracle %v", s.Name, exact.Lo.Shift(-1), s.P)
	}
	return nil
}

// claims evaluates the bounds in use for |f - f'| and compares them, exactly.
func (r *Report) claims() error {
	q := spec.NewQuantities(r.Params, spec.FromDyadic(r.Unit))
	gap := r.X[1].Dyadic().Sub(r.X[0].Dyadic())
	d := gap
	if r.Input[0].IsFinite() && r.Input[1].IsFinite() {
		d = r.Input[1].Dyadic().Sub(r.Input[0].Dyadic())
	}
	var err error
	if r.Gap, err = real.Point(gap.Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), precision); err != nil {
		return err
	}
	if r.Kappa, err = real.Point(q.B.Mul(q.Format.Eta()).Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), precision); err != nil {
		return err
	}
	// Theorem 2 is about |f - f'| <= 1, and has no other hypothesis.
	liu := spec.Claim{Name: "liu", C: spec.Published.C, A: spec.Published.A}
	list := []struct {
		spec.Claim
		formula string
		d       real.Dyadic
		broken  error
	}{
		{liu, "epsilon + 12 B epsilon eta + 2 eta", real.One(), nil},
		{spec.Published, "(D + 12 B eta)/lambda + 2 eta", d, spec.Published.Check(q)},
		{spec.Proved, "(D + 15 max(B, lambda) eta)/lambda + 5 eta", d, spec.Proved.Check(q)},
		{spec.Sharp, "(D + 12 max(B, lambda) eta)/lambda + 5 eta", d, spec.Sharp.Check(q)},
	}
	if d.Cmp(real.One()) > 0 {
		list[0].broken = spec.Reject(spec.HypothesisBroken, "sensitivity", "|f - f'| = %v exceeds 1", d)
	}
	for _, c := range list {
		claim := Claimed{Name: c.Name, Formula: c.formula, Broken: c.broken}
		if claim.Broken == nil && r.Kind != spec.Unbounded && c.Name != liu.Name {
			claim.Broken = fmt.Errorf("the claim is about the unbounded draw, not %s", r.Kind)
		}
		num, den := loss.Allowed(c.Claim, q, c.d)
		if claim.Value, err = real.Point(num).Quo(real.Point(den), precision); err != nil {
			return err
		}
		if claim.Exceeded = r.InfiniteLoss; !r.InfiniteLoss {
			a, b := r.Sides[0].P.Num, r.Sides[1].P.Num
			if claim.Exceeded, err = above(Ratio{real.Max(a, b), real.Min(a, b)}, num, den); err != nil {
				return err
			}
		}
		if !r.InfiniteDerived {
			beyond, err := above(r.Worst(), num, den)
			if err != nil {
				return err
			}
			claim.Reached = !beyond
		}
		r.Claims = append(r.Claims, claim)
	}
	return nil
}

// above decides ln r > num/den > 0, for r >= 1. The two are never equal: the logarithm
// of a rational that is not 1 is transcendental.
func above(r Ratio, num, den real.Dyadic) (bool, error) {
	if r.Num.Cmp(r.Den) <= 0 {
		return false, nil
	}
	for prec := uint(precision); ; prec *= 2 {
		l, err := r.Ln(prec)
		if err != nil {
			return false, err
		}
		switch {
		case l.Lo.Mul(den).Cmp(num) > 0:
			return true, nil
		case l.Hi.Mul(den).Cmp(num) < 0:
			return false, nil
		}
	}
}

// Excess encloses (l - |x - x'|/lambda)/kappa for a logarithm l. ok is false when B = 0.
func (r *Report) Excess(l real.Interval) (e real.Interval, ok bool) {
	if r.Kappa.Lo.Sign() <= 0 {
		return e, false
	}
	e, err := l.Sub(r.Gap, precision).Quo(r.Kappa, precision)
	return e, err == nil
}
