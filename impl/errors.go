package impl

import (
	"fmt"
	"strconv"
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

func (e *HypothesisError) Error() string {
	return "impl: privacy hypothesis " + e.Hypothesis + " fails: " + e.Detail
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

// show formats x for people: lossless hexadecimal and rounded decimal.
func show(x float64) string { return fmt.Sprintf("%s (%.6g)", hex(x), x) }
