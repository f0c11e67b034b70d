package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Budget is what a calibration starts from: the privacy budget epsilon > 0, the
// sensitivity D > 0, and the bounds, all finite data of Format.
type Budget struct {
	Format               spec.Format
	Epsilon, Sensitivity spec.Value
	Lo, Hi               spec.Value
}

// Calibration is the outcome. See docs/theory.md 2.4.
type Calibration struct {
	Lambda       spec.Value // smallest scale whose accounted loss is <= epsilon
	EpsilonPrime spec.Value // the budget of the ideal mechanism that corresponds to it, rounded down
	Achieved     spec.Value // the accounted loss with that lambda, rounded up
	Unit         spec.Value // Lambda
}

// MaxConstant bounds the integers of a claim on the wire: 0 <= c, a, b < 2^31.
const MaxConstant = 1<<31 - 1

// Calibrate finds the scale for a budget under the accounting
// (D + c max(B, b lambda) eta)/lambda + a eta <= epsilon, in exact rationals,
// each result rounded once. Rejections: domain; hypothesis
// (epsilon <= (a + b c) eta, B >= 2^(p-7) lambda); overflow (lambda, unit).
func Calibrate(g Budget, c spec.Claim) (Calibration, error) {
	var none Calibration
	if err := checkBudget(g, c); err != nil {
		return none, err
	}
	f := g.Format
	eps, d := rat(g.Epsilon.Dyadic()), rat(g.Sensitivity.Dyadic())
	bound, eta := rat(spec.Bound(g.Lo, g.Hi)), rat(f.Eta())
	cEta := new(big.Rat).Mul(big.NewRat(c.C, 1), eta)
	aEta := new(big.Rat).Mul(big.NewRat(c.A, 1), eta)
	floor := rat(spec.EpsilonFloor(c, f))
	if eps.Cmp(floor) <= 0 {
		return none, spec.Reject(spec.HypothesisBroken, "epsilon-above-floor",
			"epsilon = %v does not exceed (a + b c) eta = %v", g.Epsilon, spec.EpsilonFloor(c, f))
	}
	cost := new(big.Rat).Add(d, mul(cEta, bound)) // D + c B eta
	overA, overFloor := sub(eps, aEta), sub(eps, floor)

	// lambda >= both quotients: one for B >= b lambda, one for B < b lambda.
	exact := maxRat(quo(cost, overA), quo(d, overFloor))
	lambda := RoundRat(f, exact, Up)

	// B < 2^(p-7) lambda with the lambda that will be used; an infinite one satisfies it.
	if lambda.IsFinite() && bound.Cmp(rat(lambda.Dyadic().Shift(int64(f.Precision)-7))) >= 0 {
		return none, spec.Reject(spec.HypothesisBroken, "bound-below-2^46-scale",
			"B = %v is not below 2^%d lambda with lambda = %v", spec.Bound(g.Lo, g.Hi), f.Precision-7, lambda)
	}
	if lambda.IsInf() {
		return none, spec.Reject(spec.Overflow, "lambda", "the scale exceeds the largest finite number of %s", f.Name)
	}
	unit, err := Pow2Ceil(f, lambda)
	if err != nil {
		return none, err
	}

	ratio := quo(mul(cEta, bound), d) // c B eta / D
	prime := minRat(quo(overA, ratio.Add(ratio, big.NewRat(1, 1))), overFloor)

	l := rat(lambda.Dyadic())
	effective := maxRat(bound, mul(big.NewRat(c.Floor, 1), l))
	loss := quo(new(big.Rat).Add(d, mul(cEta, effective)), l)
	return Calibration{
		Lambda:       lambda,
		EpsilonPrime: RoundRat(f, prime, Down),
		Achieved:     RoundRat(f, loss.Add(loss, aEta), Up),
		Unit:         unit,
	}, nil
}

func checkBudget(g Budget, c spec.Claim) error {
	if err := g.Format.Validate(); err != nil {
		return spec.Reject(spec.Domain, "format", "%v", err)
	}
	for _, k := range []struct {
		name string
		n    int64
	}{{"constant", c.C}, {"additive", c.A}, {"floor", c.Floor}} {
		if k.n < 0 || k.n > MaxConstant {
			return spec.Reject(spec.Domain, k.name, "%d is not in [0, 2^31)", k.n)
		}
	}
	for _, v := range []struct {
		name string
		v    spec.Value
	}{{"epsilon", g.Epsilon}, {"sensitivity", g.Sensitivity}} {
		if !v.v.IsFinite() || v.v.Sign() <= 0 || !g.Format.Has(v.v) {
			return spec.Reject(spec.Domain, v.name, "%v is not a finite positive number of %s", v.v, g.Format.Name)
		}
	}
	for _, v := range []struct {
		name string
		v    spec.Value
	}{{"lo", g.Lo}, {"hi", g.Hi}} {
		if !v.v.IsFinite() || !g.Format.Has(v.v) {
			return spec.Reject(spec.Domain, v.name, "%v is not a finite number of %s", v.v, g.Format.Name)
		}
	}
	_, err := Clamp(spec.Zero(false), g.Lo, g.Hi)
	return err
}

// rat turns a number of a format into a rational; spec.MaxExponent keeps its
// exponent within the limit of Dyadic.Rat for the formats that have an encoding.
func rat(d real.Dyadic) *big.Rat {
	m, e := d.Parts()
	if e >= 0 {
		return new(big.Rat).SetInt(scale(m, e))
	}
	return new(big.Rat).SetFrac(m, scale(big.NewInt(1), -e))
}

func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

func maxRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func minRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}
