package wide

import (
	"crypto/rand"
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/core"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/hook"
)

// Params are the parameters of [New]; their domains are those of [Calibrate].
type Params struct {
	Precision   uint    // bits of every operation, from 53 to 4096; see [Precision]
	Epsilon     float64 // privacy loss allowed for one release
	Sensitivity float64 // largest |f - f'| over neighbouring inputs
	Lo, Hi      float64 // bounds: every release is in [Lo, Hi]
	Constant    impl.Constant
}

// ScaleParams are the parameters of [NewScale].
type ScaleParams struct {
	Precision   uint
	Scale       impl.ScaleKind // impl.Lambda or impl.InverseEpsilon
	Value       *big.Float     // of the scale so named: at most Precision bits, in [2^-1074, 2^1024)
	Sensitivity float64        // positive and finite
	Lo, Hi      float64        // finite, Lo <= Hi
	Constant    impl.Constant
}

// Snapping is the mechanism with its parameters fixed. It is immutable once
// constructed and safe for concurrent use. The zero Snapping is unusable: its
// methods return errors, zeros or nil.
type Snapping struct {
	core        core.Mechanism
	lo, hi      float64
	epsilon     float64 // asked for; 0 when built from a scale
	sensitivity float64
	achieved    *big.Float
	constant    impl.Constant
}

// New returns the mechanism with the smallest scale lambda of p.Precision bits that
// achieves p.Epsilon, by [Calibrate], whose errors it returns.
func New(p Params) (*Snapping, error) {
	c, err := Calibrate(p.Precision, p.Epsilon, p.Sensitivity, p.Lo, p.Hi, p.Constant)
	if err != nil {
		return nil, err
	}
	return &Snapping{
		core: core.New(c.Precision, c.Lambda, false, c.Lo, c.Hi), lo: c.Lo, hi: c.Hi,
		epsilon: c.Epsilon, sensitivity: c.Sensitivity, achieved: c.Achieved, constant: c.Constant,
	}, nil
}

// NewScale returns the mechanism with a given scale, which it copies. What that
// achieves is [Snapping.Achieved].
//
// Its errors, in this order: *[impl.DomainError] as the fields of [ScaleParams]
// say; *[impl.HypothesisError] when a hypothesis of the constant fails, decided for
// the exact scale (1/Value for impl.InverseEpsilon). A bound -0 is taken as +0.
func NewScale(p ScaleParams) (*Snapping, error) {
	if err := checkPrecision(p.Precision); err != nil {
		return nil, err
	}
	if p.Scale != impl.Lambda && p.Scale != impl.InverseEpsilon {
		return nil, &impl.DomainError{Argument: "Scale", Detail: p.Scale.String() + " is neither Lambda nor InverseEpsilon"}
	}
	if err := checkValue(p.Precision, p.Value); err != nil {
		return nil, err
	}
	// The budget does not enter: any epsilon will do.
	k, err := account(p.Precision, 1, p.Sensitivity, p.Lo, p.Hi, p.Constant)
	if err != nil {
		return nil, err
	}
	inverse := p.Scale == impl.InverseEpsilon
	if err := checkHypotheses(p.Precision, p.Value, inverse, p.Lo, p.Hi, p.Constant); err != nil {
		return nil, err
	}
	return &Snapping{
		core: core.New(p.Precision, p.Value, inverse, p.Lo, p.Hi), lo: p.Lo + 0, hi: p.Hi + 0,
		sensitivity: p.Sensitivity, achieved: k.Achieved(p.Value, inverse), constant: p.Constant,
	}, nil
}

func checkValue(p uint, v *big.Float) error {
	switch {
	case v == nil:
		return &impl.DomainError{Argument: "Value", Detail: "is nil"}
	case !core.InRange(v):
		return &impl.DomainError{Argument: "Value", Detail: "is " + showBig(v) + "; it must be in [2^-1074, 2^1024)"}
	case v.MinPrec() > p:
		return &impl.DomainError{Argument: "Value", Detail: fmt.Sprintf("has %d significant bits, more than the precision %d", v.MinPrec(), p)}
	}
	return nil
}

// Release returns the double nearest to the private release of f: exactly the
// release when it is a double, which it always is when max(|Lo|, |Hi|) <= 2^53
// times the unit. The rounding looks at the release alone, so it is post-processing.
//
// It draws from the operating system's secure generator: a sign, then the uniform
// number of p bits without a lower end (docs/theory.md 2.1 and 8).
//
// # Special cases
//
//	an infinite f is clamped like any number outside [Lo, Hi]
//	a NaN f is refused, *impl.DomainError
//	the zero Snapping is refused, *impl.DomainError
//
// With an error the result is NaN. The refusal of a NaN reveals it and is outside
// the privacy guarantee: decide what NaN stands for before calling.
func (s *Snapping) Release(f float64) (float64, error) {
	r, err := s.release(secure{}, f)
	if err != nil {
		return math.NaN(), err
	}
	x, _ := r.Float64()
	return x + 0, nil
}

// ReleaseBig returns the private release of f, a number of p bits: a multiple of
// the unit, or a bound. A zero is +0. Errors are those of Release, with a nil
// result. What it returns belongs to the caller.
func (s *Snapping) ReleaseBig(f float64) (*big.Float, error) { return s.release(secure{}, f) }

// secure is the operating system's generator, which ends the program rather than
// fail since Go 1.24. Its error is handled because tests put failing sources in
// its place.
type secure struct{}

func (secure) Fill(p []byte) error {
	_, err := rand.Read(p)
	return err
}

// sampler is a reader with its buffer. It is wiped before it goes back to the
// pool: no bit serves twice.
type sampler struct {
	r   tape.Reader
	buf [MaxPrecision/8 + 16]byte
}

var samplers = sync.Pool{New: func() any { return new(sampler) }}

func (s *Snapping) release(src tape.Source, f float64) (*big.Float, error) {
	if !s.valid() {
		return nil, &impl.DomainError{Argument: "Snapping", Detail: "the zero Snapping is unusable; use New or NewScale"}
	}
	if math.IsNaN(f) {
		return nil, &impl.DomainError{Argument: "f", Detail: "is NaN; decide what NaN stands for before releasing, since this refusal reveals it"}
	}
	p := samplers.Get().(*sampler)
	defer func() {
		p.r.Wipe()
		samplers.Put(p)
	}()
	p.r.Reset(src, p.buf[:s.core.P/8+8]) // p + 2 bits on average
	r, err := s.core.Release(&p.r, f)
	if err != nil {
		return nil, fmt.Errorf("wide: secure random source: %w", err)
	}
	return r, nil
}

// valid reports whether a constructor made s.
func (s *Snapping) valid() bool { return s != nil && s.achieved != nil }

func (s *Snapping) get() Snapping {
	if !s.valid() {
		return Snapping{}
	}
	return *s
}

// Precision returns p, the bits of every operation; 0 for the zero Snapping.
func (s *Snapping) Precision() uint { return s.get().core.P }

// Scale returns how the scale is given; 0 for the zero Snapping.
func (s *Snapping) Scale() impl.ScaleKind {
	switch {
	case !s.valid():
		return 0
	case s.core.Inverse:
		return impl.InverseEpsilon
	}
	return impl.Lambda
}

// Value returns a copy of the scale: lambda, or epsilon = 1/lambda, as Scale says;
// nil for the zero Snapping.
func (s *Snapping) Value() *big.Float { return duplicate(s.get().core.Value) }

// Unit returns the smallest power of two at or above the scale; every release is a
// multiple of it, or Lo, or Hi. nil for the zero Snapping.
func (s *Snapping) Unit() *big.Float {
	if !s.valid() {
		return nil
	}
	return core.Pow2(s.core.P, s.core.K)
}

// Lo returns the lower bound of releases.
func (s *Snapping) Lo() float64 { return s.get().lo }

// Hi returns the upper bound of releases.
func (s *Snapping) Hi() float64 { return s.get().hi }

// Sensitivity returns the sensitivity the privacy bound is for.
func (s *Snapping) Sensitivity() float64 { return s.get().sensitivity }

// Constant returns the theorem the privacy bound rests on.
func (s *Snapping) Constant() impl.Constant { return s.get().constant }

// Epsilon returns the epsilon asked for, or 0 when the mechanism was built from a
// scale.
func (s *Snapping) Epsilon() float64 { return s.get().epsilon }

// Achieved returns the bound of the privacy loss of one release by the theorem of
// the constant, rounded up to p bits; it is at most Epsilon when that was asked
// for. nil for the zero Snapping.
func (s *Snapping) Achieved() *big.Float { return duplicate(s.get().achieved) }

func duplicate(x *big.Float) *big.Float {
	if x == nil {
		return nil
	}
	return new(big.Float).Copy(x)
}

// String describes the mechanism, for people.
func (s *Snapping) String() string {
	if !s.valid() {
		return "snapping mechanism at p bits, not initialised"
	}
	return fmt.Sprintf("snapping mechanism at %d bits: %v = %s, unit 2^%d, bounds [%s, %s], sensitivity %s, loss at most %s, %v",
		s.core.P, s.Scale(), showBig(s.core.Value), s.core.K, show(s.lo), show(s.hi), show(s.sensitivity), showBig(s.achieved), s.constant)
}

func init() {
	hook.Core = func(v any) (core.Mechanism, bool) {
		s, ok := v.(*Snapping)
		if !ok || !s.valid() {
			return core.Mechanism{}, false
		}
		return s.core, true
	}
}
