package derand

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/internal/hook"
	"github.com/dp-crosscheck/crosscheck/impl/internal/snap"
	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
)

// Kind is the kind of the uniform number U* (docs/theory.md 2.1). The zero Kind
// is invalid.
type Kind int

const (
	// Unbounded has no lower end: e is the position of the first 1 bit, m the
	// next 52 bits. It is what production uses.
	Unbounded Kind = iota + 1
	// Binary64 is the U* as published, over the positive doubles below 1: when
	// the first 1022 bits are 0, u is a multiple of 2^-1074, and a zero restarts
	// the draw. The published privacy bound is false with it
	// (docs/theory.md 6, item 1).
	Binary64
)

// String returns the text form, "unbounded" or "binary64".
func (k Kind) String() string {
	switch k {
	case Unbounded:
		return "unbounded"
	case Binary64:
		return "binary64"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// MarshalText returns "unbounded" or "binary64"; a *impl.DomainError otherwise.
func (k Kind) MarshalText() ([]byte, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	return []byte(k.String()), nil
}

// UnmarshalText accepts "unbounded" and "binary64"; anything else is
// a *impl.DomainError and leaves k unchanged.
func (k *Kind) UnmarshalText(text []byte) error {
	for _, v := range []Kind{Unbounded, Binary64} {
		if v.String() == string(text) {
			*k = v
			return nil
		}
	}
	return &impl.DomainError{Argument: "Kind", Detail: fmt.Sprintf("%q is neither \"unbounded\" nor \"binary64\"", text)}
}

func (k Kind) check() error {
	if k != Unbounded && k != Binary64 {
		return &impl.DomainError{Argument: "Kind", Detail: k.String() + " is neither Unbounded nor Binary64"}
	}
	return nil
}

func (k Kind) draw(r *tape.Reader) (m uint64, e int64, err error) {
	if k == Binary64 {
		return tape.Binary64(r)
	}
	return tape.Unbounded(r)
}

// TapeError reports a tape that ended before the draw was complete. Functions
// return it as *TapeError.
type TapeError struct {
	Bits int // length of the tape
}

func (e *TapeError) Error() string {
	return fmt.Sprintf("derand: the tape of %d bits ends before the draw is complete", e.Bits)
}

// Uniform draws U* of kind k: u = (1 + m 2^-52) 2^-e with m < 2^52 and e >= 1.
// A subnormal u of kind Binary64 comes as its normalised pair, e from 1023 to
// 1074. consumed counts bits. Errors: *impl.DomainError for an invalid kind,
// *TapeError.
func Uniform(tp []byte, k Kind) (m uint64, e int64, consumed int, err error) {
	if err := k.check(); err != nil {
		return 0, 0, 0, err
	}
	r := tape.NewReader(tp)
	if m, e, err = k.draw(&r); err != nil {
		return 0, 0, 0, &TapeError{8 * len(tp)}
	}
	return m, e, r.Used(), nil
}

// Release runs the production mechanism s on f with the bits of the tape: one
// sign bit (0 means s = +1, outputs at or below f), then U* of kind Unbounded.
// Errors: *impl.DomainError for a nil or zero s and for a NaN f, *TapeError.
func Release(s *impl.Snapping, f float64, tp []byte) (r float64, consumed int, err error) {
	core, ok := hook.Core(s)
	if !ok {
		return 0, 0, &impl.DomainError{Argument: "s", Detail: "is nil or the zero Snapping"}
	}
	if err := checkNumber("f", f); err != nil {
		return 0, 0, err
	}
	return release(&core, f, tp, Unbounded)
}

// SnapRelease is Release for parameters without a privacy theorem and for either
// kind of U*. The sign is drawn first and never redrawn. Errors:
// *impl.DomainError as for [Snap], *impl.OverflowError for the unit, *TapeError.
func SnapRelease(p SnapParams, f float64, tp []byte, k Kind) (r float64, consumed int, err error) {
	if err := p.check(); err != nil {
		return 0, 0, err
	}
	if err := checkNumber("f", f); err != nil {
		return 0, 0, err
	}
	if err := k.check(); err != nil {
		return 0, 0, err
	}
	core, err := p.core()
	if err != nil {
		return 0, 0, err
	}
	return release(&core, f, tp, k)
}

func release(core *snap.Mechanism, f float64, tp []byte, k Kind) (out float64, consumed int, err error) {
	r := tape.NewReader(tp)
	if k == Unbounded {
		out, err = core.Release(&r, f) // production's own code
	} else {
		out, err = releasePublished(core, &r, f)
	}
	if err != nil {
		return 0, 0, &TapeError{8 * len(tp)}
	}
	return out, r.Used(), nil
}

// releasePublished is Mechanism.Release with the U* of kind Binary64, which
// production does not have.
func releasePublished(core *snap.Mechanism, r *tape.Reader, f float64) (float64, error) {
	minus, err := tape.Sign(r)
	if err != nil {
		return 0, err
	}
	m, e, err := tape.Binary64(r)
	if err != nil {
		return 0, err
	}
	return core.Evaluate(f, m, e, minus).R, nil
}
