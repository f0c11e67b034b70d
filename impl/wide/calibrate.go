package wide

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/core"
)

// Precisions this package works at. From 53 bits on every double is a number of
// the format.
const (
	MinPrecision = 53
	MaxPrecision = 4096
)

// Names of the hypotheses that depend on p, as *[impl.HypothesisError] reports
// them; at p = 53 they are those of package impl. The others are
// [impl.HypothesisEpsilonAboveFloor] and [impl.HypothesisBoundAboveScale].
const (
	// HypothesisBoundBelowScale: B < 2^(p-7) lambda (Published).
	HypothesisBoundBelowScale = "bound-below-2^(p-7)-scale"
	// HypothesisBoundAtMostScale: B <= 2^(p-15) lambda (Proved), so that
	// B eta/lambda <= 2^-15.
	HypothesisBoundAtMostScale = "bound-at-most-2^(p-15)-scale"
)

// Precision returns the precision that the literature selects for a budget: with
// 2^-m the smallest power of two at or above epsilon, max(118, m + 2) bits, so
// that epsilon > 2 eta (Covington 2019, section 5). It is at most 1076.
//
// Published() needs epsilon > 2 eta and has it. Proved() needs epsilon > 20 eta:
// for an epsilon below 2^-113 take four bits more.
//
// epsilon must be positive and finite: *[impl.DomainError].
func Precision(epsilon float64) (uint, error) {
	if err := checkPositive("epsilon", epsilon); err != nil {
		return 0, err
	}
	m := -core.CeilLog2(core.Double(53, epsilon))
	return uint(max(118, m+2)), nil
}

// Calibration is the result of [Calibrate]. The numbers of p bits are the
// caller's to keep.
type Calibration struct {
	Precision   uint    // p
	Epsilon     float64 // the privacy loss asked for
	Sensitivity float64 // D, the largest |f - f'| over neighbouring inputs
	Lo, Hi      float64 // bounds of the outputs, in the units of f
	Constant    impl.Constant

	Lambda       *big.Float // noise scale, in the units of f
	EpsilonPrime *big.Float // the inner budget, about Sensitivity/Lambda, rounded down
	Achieved     *big.Float // bound of the privacy loss with Lambda, rounded up; at most Epsilon
	Unit         *big.Float // smallest power of two >= Lambda
}

// Calibrate finds the smallest noise scale of p bits whose privacy loss, by the
// theorem of the constant at eta = 2^-p, is at most epsilon.
//
// # Method
//
// The formulas of [impl.Calibrate], with numbers of p bits for doubles and 2^-p
// for eta (docs/theory.md 2.4).
//
// # Special cases
//
// In this order: *[impl.DomainError] unless p is in [MinPrecision, MaxPrecision],
// epsilon and sensitivity are positive and finite, lo <= hi are finite and c names
// a theorem; *[impl.HypothesisError] unless epsilon > (a + b c) eta and the
// hypotheses of c hold for the resulting scale; *[impl.OverflowError] when that
// scale is not in [2^-1074, 2^1024). A bound -0 is taken as +0.
//
// # Accuracy
//
// Each result is an exact rational number rounded once to p bits. Achieved <= Epsilon.
func Calibrate(p uint, epsilon, sensitivity, lo, hi float64, c impl.Constant) (Calibration, error) {
	k, err := account(p, epsilon, sensitivity, lo, hi, c)
	if err != nil {
		return Calibration{}, err
	}
	if !k.AboveFloor() {
		return Calibration{}, &impl.HypothesisError{Hypothesis: impl.HypothesisEpsilonAboveFloor, Detail: fmt.Sprintf(
			"epsilon is %s; %s requires epsilon > %d 2^-%d", show(epsilon), c.Name(), c.Additive()+c.Floor()*c.C(), p)}
	}
	lambda := k.Lambda()
	if err := checkHypotheses(p, lambda, false, lo, hi, c); err != nil {
		return Calibration{}, err
	}
	if !core.InRange(lambda) {
		return Calibration{}, &impl.OverflowError{Quantity: "lambda", Detail: fmt.Sprintf(
			"it is %s for epsilon %s and sensitivity %s; scales are in [2^-1074, 2^1024)", showBig(lambda), show(epsilon), show(sensitivity))}
	}
	return Calibration{
		Precision: p, Epsilon: epsilon, Sensitivity: sensitivity, Lo: lo + 0, Hi: hi + 0, Constant: c,
		Lambda: lambda, EpsilonPrime: k.EpsilonPrime(), Achieved: k.Achieved(lambda, false),
		Unit: core.Pow2(p, core.CeilLog2(lambda)),
	}, nil
}

// account checks the domain of a budget.
func account(p uint, epsilon, sensitivity, lo, hi float64, c impl.Constant) (core.Accounting, error) {
	var none core.Accounting
	if err := checkPrecision(p); err != nil {
		return none, err
	}
	if err := checkPositive("Epsilon", epsilon); err != nil {
		return none, err
	}
	if err := checkPositive("Sensitivity", sensitivity); err != nil {
		return none, err
	}
	if err := checkBounds(lo, hi); err != nil {
		return none, err
	}
	if err := checkConstant(c); err != nil {
		return none, err
	}
	return core.NewAccounting(p, epsilon, sensitivity, lo, hi, triple(c)), nil
}

func triple(c impl.Constant) core.Triple {
	return core.Triple{C: c.C(), A: c.Additive(), B: c.Floor()}
}

// checkHypotheses decides the hypotheses on B, exactly, for lambda = value or
// 1/value.
func checkHypotheses(p uint, value *big.Float, inverse bool, lo, hi float64, c impl.Constant) error {
	compare := func(k int) int { return core.CompareBound(lo, hi, value, inverse, k) }
	broken := func(name, required, remedy string) error {
		of := "scale "
		if inverse {
			of = "scale 1/"
		}
		return &impl.HypothesisError{Hypothesis: name, Detail: fmt.Sprintf("B = %s, %s%s: %s requires %s at %d bits; %s",
			show(core.Bound(lo, hi)), of, showBig(value), c.Name(), required, p, remedy)}
	}
	switch c {
	case impl.Proved():
		if k := int(p) - 15; compare(k) > 0 {
			return broken(HypothesisBoundAtMostScale, fmt.Sprintf("B <= 2^%d scale", k), "raise the precision or narrow the bounds")
		}
	case impl.Published():
		if compare(0) <= 0 {
			// package impl says what to do about this one
			return &impl.HypothesisError{Hypothesis: impl.HypothesisBoundAboveScale, Detail: fmt.Sprintf(
				"B = %s, scale value %s: %s requires B > scale", show(core.Bound(lo, hi)), showBig(value), c.Name())}
		}
		if k := int(p) - 7; compare(k) >= 0 {
			return broken(HypothesisBoundBelowScale, fmt.Sprintf("B < 2^%d scale", k), "raise the precision or narrow the bounds")
		}
	}
	return nil
}

// Checks of the domain.

func checkPrecision(p uint) error {
	if p < MinPrecision || p > MaxPrecision {
		return &impl.DomainError{Argument: "Precision", Detail: fmt.Sprintf("is %d; it must be from %d to %d", p, MinPrecision, MaxPrecision)}
	}
	return nil
}

func checkPositive(name string, x float64) error {
	if !(x > 0) || math.IsInf(x, 0) {
		return &impl.DomainError{Argument: name, Detail: "is " + show(x) + "; it must be positive and finite"}
	}
	return nil
}

func checkBounds(lo, hi float64) error {
	finite := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	switch {
	case !finite(lo):
		return &impl.DomainError{Argument: "Lo", Detail: "is " + show(lo) + "; it must be finite"}
	case !finite(hi):
		return &impl.DomainError{Argument: "Hi", Detail: "is " + show(hi) + "; it must be finite"}
	case lo > hi:
		return &impl.DomainError{Argument: "Lo", Detail: "is " + show(lo) + ", above Hi = " + show(hi) + "; Lo <= Hi is required"}
	}
	return nil
}

// checkConstant admits the theorems whose hypotheses are known at every precision.
func checkConstant(c impl.Constant) error {
	if c != impl.Proved() && c != impl.Published() {
		return &impl.DomainError{Argument: "Constant", Detail: "is " + c.String() + "; use impl.Proved() or impl.Published()"}
	}
	return nil
}

// show formats x without loss and for people.
func show(x float64) string {
	return fmt.Sprintf("%s (%.6g)", strconv.FormatFloat(x, 'x', -1, 64), x)
}

// showBig is for people: a few digits, the exponent always readable.
func showBig(x *big.Float) string { return x.Text('g', 12) }
