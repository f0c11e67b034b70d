package impl

import (
	"fmt"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// DomainError reports an argument outside the domain of an operation: NaN, an
// infinity where a finite number is needed, a sign or an order that makes no
// sense, a value that was never initialised. The same numbers are refused
// whatever the privacy theorem. Functions return it as *DomainError.
type DomainError struct {
	Argument string // the argument, as the function or field names it
	Detail   string // what was given and what is required
}

func (e *DomainError) Error() string { return "impl: " + e.Argument + ": " + e.Detail }

// HypothesisError reports numbers that are legal but break a hypothesis of the
// privacy theorem behind the chosen [Constant], so that nothing would be known
// about the privacy of the outputs. Functions return it as *HypothesisError.
type HypothesisError struct {
	Hypothesis string // one of the constants HypothesisXxx
	Detail     string // what was given and what is required
}

// Error ends with what the caller can change.
func (e *HypothesisError) Error() string {
	s := "impl: privacy hypothesis " + e.Hypothesis + " fails: " + e.Detail
	if r := remedies[e.Hypothesis]; r != "" {
		s += "; " + r
	}
	return s
}

// remedies says, for each hypothesis, what a caller can change.
var remedies = map[string]string{
	HypothesisEpsilonAboveFloor:  "raise epsilon: no scale gets below this floor",
	HypothesisBoundBelow46Scale:  "narrow the bounds or raise the scale (a smaller epsilon)",
	HypothesisBoundAboveScale:    "widen the bounds, lower the scale (a larger epsilon) or use Proved()",
	HypothesisBoundAtMost38Scale: "narrow the bounds or raise the scale (a smaller epsilon)",
	HypothesisScaleAtLeast:       "express f, the sensitivity and the bounds in smaller units",
	HypothesisRange:              "express f, the sensitivity and the bounds in larger units",
}

// OverflowError reports a result whose exact value is not a finite double.
// Functions return it as *OverflowError.
type OverflowError struct {
	Quantity string // the result
	Detail   string // from what, and the limit
}

func (e *OverflowError) Error() string { return "impl: " + e.Quantity + " overflows: " + e.Detail }

// hex formats x without loss.
func hex(x float64) string { return strconv.FormatFloat(x, 'x', -1, 64) }

// show formats x for people: lossless hexadecimal and rounded decimal, or one
// word when both are the same.
func show(x float64) string {
	if !layout.IsFinite(x) {
		return hex(x)
	}
	return fmt.Sprintf("%s (%.6g)", hex(x), x)
}
