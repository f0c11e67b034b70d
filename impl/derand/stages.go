package derand

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/internal/calib"
	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
	"github.com/dp-crosscheck/crosscheck/impl/internal/snap"
)

// Pow2Ceil returns the smallest power of two at or above x, exactly; x positive
// and finite (*impl.DomainError), subnormals included. Above 2^1023 there is
// none: *impl.OverflowError.
func Pow2Ceil(x float64) (float64, error) {
	if err := checkPositive("x", x); err != nil {
		return 0, err
	}
	return power(snap.CeilLog2(x), "the power of two above "+show(x))
}

// Pow2CeilInv returns the smallest power of two at or above 1/x exactly, with no
// rounding of 1/x: 2^-1023 for the largest double. x must be positive and finite
// (*impl.DomainError); 1/x above 2^1023 is an *impl.OverflowError.
func Pow2CeilInv(x float64) (float64, error) {
	if err := checkPositive("x", x); err != nil {
		return 0, err
	}
	return power(snap.CeilLog2Inv(x), "the power of two above 1/"+show(x))
}

func power(k int, what string) (float64, error) {
	if k > layout.MaxExp {
		return 0, &impl.OverflowError{Quantity: "unit", Detail: fmt.Sprintf("%s is 2^%d; at most 2^1023 is a double", what, k)}
	}
	return layout.Pow2(k), nil
}

// Ties says which of two equally near multiples [RoundMultiple] takes. The zero
// Ties is invalid.
type Ties int

const (
	TiesUp   Ties = iota + 1 // toward +inf, as the mechanism rounds
	TiesDown                 // toward -inf
)

// String returns the text form, "up" or "down".
func (t Ties) String() string {
	switch t {
	case TiesUp:
		return "up"
	case TiesDown:
		return "down"
	}
	return fmt.Sprintf("Ties(%d)", int(t))
}

// MarshalText returns "up" or "down"; a *impl.DomainError otherwise.
func (t Ties) MarshalText() ([]byte, error) {
	if t != TiesUp && t != TiesDown {
		return nil, errTies(t.String())
	}
	return []byte(t.String()), nil
}

// UnmarshalText accepts "up" and "down"; anything else is a *impl.DomainError
// and leaves t unchanged.
func (t *Ties) UnmarshalText(text []byte) error {
	switch string(text) {
	case "up":
		*t = TiesUp
	case "down":
		*t = TiesDown
	default:
		return errTies(strconv.Quote(string(text)))
	}
	return nil
}

func errTies(what string) error {
	return &impl.DomainError{Argument: "Ties", Detail: what + " is neither TiesUp (\"up\") nor TiesDown (\"down\")"}
}

// RoundMultiple returns the multiple of unit nearest to x, exactly, a tie by the
// rule t, a zero as +0. x must be finite, unit any power of two from 2^-1074 to
// 2^1023 (*impl.DomainError); a multiple of magnitude 2^1024 is an
// *impl.OverflowError.
func RoundMultiple(x, unit float64, t Ties) (float64, error) {
	if !layout.IsFinite(x) {
		return 0, &impl.DomainError{Argument: "x", Detail: "is " + show(x) + "; it must be finite"}
	}
	if err := checkPositive("unit", unit); err != nil {
		return 0, err
	}
	k, exact := layout.Log2(unit)
	if !exact {
		return 0, &impl.DomainError{Argument: "unit", Detail: "is " + show(unit) + "; it must be a power of two"}
	}
	if t != TiesUp && t != TiesDown {
		return 0, errTies(t.String())
	}
	y := snap.Round(x, k, snap.Ties(t == TiesDown))
	if !layout.IsFinite(y) {
		return 0, &impl.OverflowError{Quantity: "multiple", Detail: fmt.Sprintf(
			"the multiple of 2^%d nearest to %s has magnitude 2^1024", k, show(x))}
	}
	return y, nil
}

// Clamp returns min(hi, max(lo, x)), a zero as +0. x may be infinite but not
// NaN; lo <= hi must be finite (*impl.DomainError).
func Clamp(x, lo, hi float64) (float64, error) {
	if err := checkNumber("x", x); err != nil {
		return 0, err
	}
	if err := checkBounds(lo, hi); err != nil {
		return 0, err
	}
	return snap.Clamp(x, lo, hi), nil
}

// SnapParams are the parameters of the mechanism without a privacy theorem:
// Value positive and finite, Lo <= Hi finite.
type SnapParams struct {
	Scale  impl.ScaleKind
	Value  float64 // lambda or epsilon, as Scale says
	Lo, Hi float64
}

func (p *SnapParams) check() error {
	if _, err := p.Scale.MarshalText(); err != nil {
		return err
	}
	if err := checkPositive("Value", p.Value); err != nil {
		return err
	}
	return checkBounds(p.Lo, p.Hi)
}

// core returns the mechanism of checked parameters.
func (p *SnapParams) core() (snap.Mechanism, error) {
	core, ok := snap.New(p.Value, p.Scale == impl.InverseEpsilon, p.Lo, p.Hi)
	if !ok {
		_, err := power(core.K, "for the "+p.Scale.String()+" "+show(p.Value)+" it")
		return core, err
	}
	return core, nil
}

// Trace holds the stages of one evaluation. Y, Z, W and Rounded may be infinite.
// Z and W follow IEEE arithmetic (Z is -0 when sign = -1 and Y is 0); every other
// zero is +0.
type Trace struct {
	Unit    float64 // smallest power of two >= the scale
	Ln      float64 // LN(u)
	Y       float64 // lambda (x) LN(u), or LN(u) (/) epsilon
	Z       float64 // sign * Y
	X       float64 // clamp(f)
	W       float64 // X (+) Z
	Rounded float64 // nearest multiple of Unit, ties up
	R       float64 // clamp(Rounded)
}

// Snap evaluates the mechanism on f with u = (1 + m 2^-52) 2^-e and the sign +1
// or -1. f may be infinite. Errors: *impl.DomainError for the parameters, a NaN
// f, m >= 2^52, e outside [1, 2^62) or another sign; *impl.OverflowError for
// a unit above 2^1023.
func Snap(p SnapParams, f float64, m uint64, e int64, sign int) (Trace, error) {
	if err := p.check(); err != nil {
		return Trace{}, err
	}
	if err := checkNumber("f", f); err != nil {
		return Trace{}, err
	}
	switch {
	case m > layout.FracMask:
		return Trace{}, &impl.DomainError{Argument: "m", Detail: fmt.Sprintf("is %d; it must be below 2^52", m)}
	case e < 1 || e >= 1<<62:
		return Trace{}, &impl.DomainError{Argument: "e", Detail: fmt.Sprintf("is %d; it must be in [1, 2^62)", e)}
	case sign != 1 && sign != -1:
		return Trace{}, &impl.DomainError{Argument: "sign", Detail: fmt.Sprintf("is %d; it must be +1 or -1", sign)}
	}
	core, err := p.core()
	if err != nil {
		return Trace{}, err
	}
	t := core.Evaluate(f, m, e, sign == -1)
	return Trace{core.Unit(), t.Ln, t.Y, t.Z, t.X, t.W, t.Rounded, t.R}, nil
}

// Calibrate computes the calibration of docs/theory.md 2.4 for any constants
// c, a, b in [0, 2^31); see [impl.Calibrate] for the formulas. Errors, in this
// order: *impl.DomainError; *impl.HypothesisError unless epsilon > (a + b c) eta
// and B < 2^46 lambda, with the rounded lambda; *impl.OverflowError for lambda
// and unit.
func Calibrate(epsilon, sensitivity, lo, hi float64, c, a, b int64) (lambda, epsilonPrime, achieved, unit float64, err error) {
	fail := func(err error) (float64, float64, float64, float64, error) { return 0, 0, 0, 0, err }
	if err := checkPositive("epsilon", epsilon); err != nil {
		return fail(err)
	}
	if err := checkPositive("sensitivity", sensitivity); err != nil {
		return fail(err)
	}
	if err := checkBounds(lo, hi); err != nil {
		return fail(err)
	}
	for i, n := range []int64{c, a, b} {
		if n < 0 || n >= 1<<31 {
			return fail(&impl.DomainError{Argument: "cab"[i : i+1], Detail: fmt.Sprintf("is %d; it must be in [0, 2^31)", n)})
		}
	}
	t := calib.Triple{C: c, A: a, B: b}
	if !calib.AboveFloor(epsilon, t) {
		return fail(&impl.HypothesisError{Hypothesis: impl.HypothesisEpsilonAboveFloor,
			Detail: fmt.Sprintf("epsilon is %s; epsilon > %d 2^-53 is required", show(epsilon), a+b*c)})
	}
	lambda = calib.Lambda(epsilon, sensitivity, lo, hi, t)
	if calib.CompareBound(lo, hi, lambda, false, 46) >= 0 {
		return fail(&impl.HypothesisError{Hypothesis: impl.HypothesisBoundBelow46Scale,
			Detail: fmt.Sprintf("bounds %s and %s, lambda %s; B < 2^46 lambda is required", show(lo), show(hi), show(lambda))})
	}
	if !layout.IsFinite(lambda) {
		return fail(&impl.OverflowError{Quantity: "lambda", Detail: "no finite scale achieves epsilon = " + show(epsilon) +
			" for sensitivity " + show(sensitivity)})
	}
	if unit, err = power(snap.CeilLog2(lambda), "for lambda "+show(lambda)+" it"); err != nil {
		return fail(err)
	}
	return lambda, calib.EpsilonPrime(epsilon, sensitivity, lo, hi, t),
		calib.Achieved(lambda, false, sensitivity, lo, hi, t), unit, nil
}

func checkPositive(name string, x float64) error {
	if !(x > 0) || !layout.IsFinite(x) {
		return &impl.DomainError{Argument: name, Detail: "is " + show(x) + "; it must be positive and finite"}
	}
	return nil
}

func checkNumber(name string, x float64) error {
	if math.IsNaN(x) {
		return &impl.DomainError{Argument: name, Detail: "is NaN"}
	}
	return nil
}

func checkBounds(lo, hi float64) error {
	if !layout.IsFinite(lo) || !layout.IsFinite(hi) || lo > hi {
		return &impl.DomainError{Argument: "bounds", Detail: "are " + show(lo) + " and " + show(hi) + "; finite lo <= hi is required"}
	}
	return nil
}

// show formats x without loss and for people.
func show(x float64) string {
	return fmt.Sprintf("%s (%.6g)", strconv.FormatFloat(x, 'x', -1, 64), x)
}
