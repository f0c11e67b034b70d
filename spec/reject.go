package spec

import "fmt"

// Rejection is the kind of a typed refusal, in the order in which they are
// tested: an operation reports the first that applies.
type Rejection string

const (
	Domain           Rejection = "domain"     // an argument outside the operation's domain
	Size             Rejection = "size"       // a vector size needed and absent, or different from the length
	HypothesisBroken Rejection = "hypothesis" // legal numbers that break a hypothesis of the theorem
	Overflow         Rejection = "overflow"   // the exact result is not a finite number of the format
	Tape             Rejection = "tape"       // ran out of random bits
)

// Rejections lists every kind in that order.
var Rejections = []Rejection{Domain, Size, HypothesisBroken, Overflow, Tape}

// RejectError is a typed refusal: the kind, what it is about (an argument, or
// the id of a hypothesis), and a sentence.
type RejectError struct {
	Kind    Rejection
	Subject string
	Detail  string
}

func (e *RejectError) Error() string {
	return fmt.Sprintf("%s (%s): %s", e.Kind, e.Subject, e.Detail)
}

// Reject returns a *RejectError.
func Reject(kind Rejection, subject, format string, args ...any) error {
	return &RejectError{kind, subject, fmt.Sprintf(format, args...)}
}
