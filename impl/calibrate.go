package impl

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/impl/internal/calib"
	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
	"github.com/dp-crosscheck/crosscheck/impl/internal/snap"
)

// Calibration is the result of [Calibrate]: the parameters, and the scale that
// achieves them. It marshals to JSON for audit logs, and unmarshalling computes
// it again.
type Calibration struct {
	Epsilon     float64  // the privacy loss asked for
	Sensitivity float64  // D, the largest |f - f'| over neighbouring inputs
	Lo, Hi      float64  // bounds of the outputs, in the units of f
	Constant    Constant // the theorem relied on

	Lambda       float64 // noise scale, in the units of f
	EpsilonPrime float64 // the inner budget, about Sensitivity/Lambda; may be +0
	Achieved     float64 // proved (or claimed) bound of the loss with Lambda; at most Epsilon
	Unit         float64 // smallest power of two >= Lambda; outputs are its multiples, Lo or Hi
}

// Calibrate finds the smallest noise scale whose privacy loss, by the theorem of
// the constant c, is at most epsilon.
//
// # Method
//
// With eta = 2^-53, D the sensitivity, B = max(|lo|, |hi|) and the integers c, a,
// b of the constant (docs/theory.md 2.4; Covington 2019, section 5, with the
// sensitivity and the additive term explicit):
//
//	Lambda       = smallest double >= max( (D + c B eta)/(epsilon - a eta), D/(epsilon - (a + b c) eta) )
//	EpsilonPrime = min( (epsilon - a eta)/(1 + c B eta/D), epsilon - (a + b c) eta ), rounded down
//	Achieved     = (D + c max(B, b Lambda) eta)/Lambda + a eta, rounded up
//	Unit         = smallest power of two >= Lambda
//
// The sensitivity is that of the floating-point values that will be released,
// not of an exact query they approximate.
//
// # Special cases
//
// In this order: *[DomainError] unless epsilon and sensitivity are positive and
// finite, lo <= hi are finite and c is not the zero Constant; *[HypothesisError]
// unless epsilon > (a + b c) eta and the hypotheses of c hold for the resulting
// Lambda; a Lambda above the largest double counts as infinite and always breaks
// one of them. A bound -0 is taken as +0.
//
// # Accuracy
//
// Each result is an exact rational number rounded once. Achieved <= Epsilon.
func Calibrate(epsilon, sensitivity, lo, hi float64, c Constant) (Calibration, error) {
	if err := checkPositive("Epsilon", epsilon); err != nil {
		return Calibration{}, err
	}
	if err := checkPositive("Sensitivity", sensitivity); err != nil {
		return Calibration{}, err
	}
	if err := checkBounds(lo, hi); err != nil {
		return Calibration{}, err
	}
	if c.p == nil {
		return Calibration{}, errZeroConstant()
	}
	lo, hi = layout.PlusZero(lo), layout.PlusZero(hi)
	t := c.p.triple
	if !calib.AboveFloor(epsilon, t) {
		return Calibration{}, &HypothesisError{HypothesisEpsilonAboveFloor, fmt.Sprintf(
			"epsilon is %s; %s requires epsilon > %d 2^-53", show(epsilon), c.p.name, t.A+t.B*t.C)}
	}
	lambda := calib.Lambda(epsilon, sensitivity, lo, hi, t)
	set := setting{value: lambda, lo: lo, hi: hi, unit: layout.MaxExp + 1}
	if layout.IsFinite(lambda) {
		set.unit = snap.CeilLog2(lambda)
	}
	if err := c.p.check(&set); err != nil {
		return Calibration{}, err
	}
	return Calibration{
		Epsilon: epsilon, Sensitivity: sensitivity, Lo: lo, Hi: hi, Constant: c,
		Lambda:       lambda,
		EpsilonPrime: calib.EpsilonPrime(epsilon, sensitivity, lo, hi, t),
		Achieved:     calib.Achieved(lambda, false, sensitivity, lo, hi, t),
		Unit:         layout.Pow2(set.unit),
	}, nil
}
