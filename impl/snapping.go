package impl

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/internal/calib"
	"github.com/dp-crosscheck/crosscheck/impl/internal/hook"
	"github.com/dp-crosscheck/crosscheck/impl/internal/snap"
)

// ScaleKind says how the noise scale is given, which is also how y is computed.
// The zero ScaleKind is invalid: a caller names the kind.
type ScaleKind int

const (
	// Lambda: the value is the scale lambda, and y = lambda (x) LN(u).
	Lambda ScaleKind = iota + 1
	// InverseEpsilon: the value is epsilon = 1/lambda, and y = LN(u) (/) epsilon.
	// The scale is 1/epsilon exactly; this epsilon is not a privacy loss.
	InverseEpsilon
)

// String returns the text form, "lambda" or "epsilon".
func (k ScaleKind) String() string {
	switch k {
	case Lambda:
		return "lambda"
	case InverseEpsilon:
		return "epsilon"
	}
	return fmt.Sprintf("ScaleKind(%d)", int(k))
}

// MarshalText returns "lambda" or "epsilon"; a *DomainError for another value.
func (k ScaleKind) MarshalText() ([]byte, error) {
	if k != Lambda && k != InverseEpsilon {
		return nil, errScaleKind(k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText accepts "lambda" and "epsilon"; anything else is a *DomainError
// and leaves k unchanged.
func (k *ScaleKind) UnmarshalText(text []byte) error {
	switch string(text) {
	case "lambda":
		*k = Lambda
	case "epsilon":
		*k = InverseEpsilon
	default:
		return &DomainError{"Scale", fmt.Sprintf("%q is neither \"lambda\" nor \"epsilon\"", text)}
	}
	return nil
}

func errScaleKind(k ScaleKind) error {
	return &DomainError{"Scale", k.String() + " is neither Lambda nor InverseEpsilon"}
}

// Params are the parameters of [NewSnapping]; their domains are those of
// [Calibrate].
type Params struct {
	Epsilon     float64  // privacy loss allowed for one release
	Sensitivity float64  // largest |f - f'| over neighbouring inputs
	Lo, Hi      float64  // bounds: every release is in [Lo, Hi]
	Constant    Constant // Published(), Proved() or Sharp()
}

// ScaleParams are the parameters of [NewSnappingScale].
type ScaleParams struct {
	Scale       ScaleKind // Lambda or InverseEpsilon
	Value       float64   // of the scale so named, positive and finite
	Sensitivity float64   // positive and finite
	Lo, Hi      float64   // finite, Lo <= Hi
	Constant    Constant  // Published(), Proved() or Sharp()
}

// Snapping is the snapping mechanism with its parameters fixed. It is immutable
// once constructed and safe for concurrent use. The zero Snapping is unusable:
// its methods return errors or zeros.
type Snapping struct {
	core        snap.Mechanism
	epsilon     float64 // asked for; 0 when built from a scale
	sensitivity float64
	achieved    float64
	constant    Constant
}

// NewSnapping returns the mechanism with the smallest scale lambda that achieves
// p.Epsilon, by [Calibrate], whose errors it returns. Its scale kind is Lambda.
func NewSnapping(p Params) (*Snapping, error) {
	c, err := Calibrate(p.Epsilon, p.Sensitivity, p.Lo, p.Hi, p.Constant)
	if err != nil {
		return nil, err
	}
	core, _ := snap.New(c.Lambda, false, c.Lo, c.Hi) // Calibrate tested the unit
	return &Snapping{core, c.Epsilon, c.Sensitivity, c.Achieved, c.Constant}, nil
}

// NewSnappingScale returns the mechanism with a given scale. What that achieves
// is [Snapping.Achieved]; there is no epsilon to hold it against.
//
// Its errors, in this order: *[DomainError] as the fields of [ScaleParams] say;
// *[HypothesisError] when a hypothesis of the constant fails, decided for the
// exact scale (1/Value for InverseEpsilon); *[OverflowError] when the achieved
// bound is above the largest double. A bound -0 is taken as +0.
func NewSnappingScale(p ScaleParams) (*Snapping, error) {
	if p.Scale != Lambda && p.Scale != InverseEpsilon {
		return nil, errScaleKind(p.Scale)
	}
	if err := checkPositive("Value", p.Value); err != nil {
		return nil, err
	}
	if err := checkPositive("Sensitivity", p.Sensitivity); err != nil {
		return nil, err
	}
	if err := checkBounds(p.Lo, p.Hi); err != nil {
		return nil, err
	}
	if p.Constant.p == nil {
		return nil, errZeroConstant()
	}
	inverse := p.Scale == InverseEpsilon
	core, _ := snap.New(p.Value, inverse, p.Lo, p.Hi)
	set := setting{p.Value, inverse, core.Lo, core.Hi, core.K}
	if err := p.Constant.p.check(&set); err != nil {
		return nil, err
	}
	achieved := calib.Achieved(p.Value, inverse, p.Sensitivity, core.Lo, core.Hi, p.Constant.p.triple)
	if math.IsInf(achieved, 1) {
		return nil, &OverflowError{"achieved", "the privacy loss for sensitivity " + show(p.Sensitivity) +
			" and " + set.scale() + " is above the largest double"}
	}
	return &Snapping{core, 0, p.Sensitivity, achieved, p.Constant}, nil
}

// valid reports whether a constructor made s.
func (s *Snapping) valid() bool { return s != nil && s.constant.p != nil }

func errZeroSnapping() error {
	return &DomainError{"Snapping", "the zero Snapping is unusable; use NewSnapping or NewSnappingScale"}
}

func (s *Snapping) get() Snapping {
	if s == nil {
		return Snapping{}
	}
	return *s
}

// Scale returns how the scale is given.
func (s *Snapping) Scale() ScaleKind {
	switch {
	case !s.valid():
		return 0
	case s.core.Inverse:
		return InverseEpsilon
	}
	return Lambda
}

// Value returns the scale: lambda, or epsilon = 1/lambda, as Scale says.
func (s *Snapping) Value() float64 { return s.get().core.Value }

// Unit returns the smallest power of two at or above the scale; every release
// is a multiple of it, or Lo, or Hi.
func (s *Snapping) Unit() float64 {
	if !s.valid() {
		return 0
	}
	return s.core.Unit()
}

// Lo returns the lower bound of releases.
func (s *Snapping) Lo() float64 { return s.get().core.Lo }

// Hi returns the upper bound of releases.
func (s *Snapping) Hi() float64 { return s.get().core.Hi }

// Sensitivity returns the sensitivity the privacy bound is for.
func (s *Snapping) Sensitivity() float64 { return s.get().sensitivity }

// Constant returns the theorem the privacy bound rests on.
func (s *Snapping) Constant() Constant { return s.get().constant }

// Epsilon returns the epsilon asked for, or 0 when the mechanism was built from
// a scale.
func (s *Snapping) Epsilon() float64 { return s.get().epsilon }

// Achieved returns the bound of the privacy loss of one release by the theorem
// of the constant, rounded up; it is at most Epsilon when that was asked for.
func (s *Snapping) Achieved() float64 { return s.get().achieved }

// String describes the mechanism, for people.
func (s *Snapping) String() string {
	if !s.valid() {
		return "snapping mechanism, not initialised"
	}
	return fmt.Sprintf("snapping mechanism: %v = %s, unit %s, bounds [%s, %s], sensitivity %s, loss at most %s, %v",
		s.Scale(), show(s.Value()), hex(s.Unit()), show(s.Lo()), show(s.Hi()),
		show(s.sensitivity), show(s.achieved), s.constant)
}

func init() {
	hook.Core = func(v any) (snap.Mechanism, bool) {
		s, ok := v.(*Snapping)
		if !ok || !s.valid() {
			return snap.Mechanism{}, false
		}
		return s.core, true
	}
}
