package impl

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/internal/calib"
	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// Names of the hypotheses, as [HypothesisError] reports them. B is
// max(|lo|, |hi|), lambda the scale, eta = 2^-53, and c, a, b are the constants
// of a [Constant]. Comparisons with the scale are exact and use the scale itself:
// the double lambda, or 1/epsilon without rounding.
const (
	// HypothesisEpsilonAboveFloor: epsilon > (a + b c) eta.
	HypothesisEpsilonAboveFloor = "epsilon-above-floor"
	// HypothesisBoundBelow46Scale: B < 2^46 lambda (Published).
	HypothesisBoundBelow46Scale = "bound-below-2^46-scale"
	// HypothesisBoundAboveScale: B > lambda (Published).
	HypothesisBoundAboveScale = "bound-above-scale"
	// HypothesisBoundAtMost38Scale: B <= 2^38 lambda (Proved).
	HypothesisBoundAtMost38Scale = "bound-at-most-2^38-scale"
	// HypothesisScaleAtLeast: lambda >= 2^-960.
	HypothesisScaleAtLeast = "scale-at-least-2^-960"
	// HypothesisRange: B <= 2^1021 and unit <= 2^1021, so that no threshold of
	// the proof overflows.
	HypothesisRange = "range"
)

// Constant names a theorem that bounds the privacy loss of the mechanism by
//
//	(D + c max(B, b lambda) eta)/lambda + a eta,
//
// with its three integers c, a, b and its hypotheses; eta = 2^-53. The values
// are [Published], [Proved] and [Sharp]. The zero Constant names no theorem and is
// refused everywhere. Constants compare with ==.
type Constant struct{ p *theorem }

// theorem is what a Constant stands for. The numbers of each stand here and
// nowhere else.
type theorem struct {
	name       string
	triple     calib.Triple
	hypotheses []hypothesis
}

var published = theorem{
	name:       "published",
	triple:     calib.Triple{C: 12, A: 2, B: 0},
	hypotheses: []hypothesis{boundAbove, boundBelow46, scaleAtLeast, inRange},
}

var proved = theorem{
	name:       "proved",
	triple:     calib.Triple{C: 15, A: 5, B: 1},
	hypotheses: []hypothesis{boundAtMost38, scaleAtLeast, inRange},
}

var sharp = theorem{
	name:       "sharp",
	triple:     calib.Triple{C: 12, A: 5, B: 1},
	hypotheses: []hypothesis{boundAtMost38, scaleAtLeast, inRange},
}

// Published returns the constant of the literature: c = 12, a = 2, b = 0, for
// lambda < B < 2^46 lambda (the last line of Mironov's proof, as Covington 2019,
// section 5 quotes it), and, since that proof reckons with relative errors only,
// away from underflow and overflow: lambda >= 2^-960, B <= 2^1021 and
// unit <= 2^1021.
//
// It is the literature's claim; this project proves it for 2^8 lambda <= B <=
// 2^38 lambda only (proofs/bound-twelve.md). With the uniform number of the original publication, whose values are doubles, it is
// false for large B/lambda; that is why this package draws a uniform number
// without a lower end. It is also false for B < lambda/4, whatever the uniform
// number, hence B > lambda. (docs/theory.md 6, items 1 and 2.)
func Published() Constant { return Constant{&published} }

// Proved returns the constant of this project's own bound: c = 15, a = 5, b = 1,
// for B <= 2^38 lambda, lambda >= 2^-960, B <= 2^1021 and unit <= 2^1021. The
// proof is in docs/theory.md 6.1. A bound B below b lambda is legal and is
// accounted as b lambda.
func Proved() Constant { return Constant{&proved} }

// Sharp returns the constant of this project's sharper bound: c = 12, a = 5, b = 1, under the
// hypotheses of [Proved], which it undercuts by 3 B eta/lambda. The proof, longer and
// with an enumeration by program, is in proofs/bound-twelve.md; no c below 11.98371 can
// be proved.
func Sharp() Constant { return Constant{&sharp} }

// Name returns "published", "proved", "sharp", or "" for the zero Constant.
func (c Constant) Name() string {
	if c.p == nil {
		return ""
	}
	return c.p.name
}

// C returns the constant c, the factor of B eta/lambda; 0 for the zero Constant.
func (c Constant) C() int64 { return c.triple().C }

// Additive returns a, the multiple of eta that is added; 0 for the zero Constant.
func (c Constant) Additive() int64 { return c.triple().A }

// Floor returns b: bounds below b lambda count as b lambda; 0 for the zero Constant.
func (c Constant) Floor() int64 { return c.triple().B }

// String describes the constant, for people.
func (c Constant) String() string {
	if c.p == nil {
		return "no constant"
	}
	t := c.p.triple
	return fmt.Sprintf("%s (c = %d, a = %d, b = %d)", c.p.name, t.C, t.A, t.B)
}

// MarshalText returns the name. The zero Constant has none: *DomainError.
func (c Constant) MarshalText() ([]byte, error) {
	if c.p == nil {
		return nil, errZeroConstant()
	}
	return []byte(c.p.name), nil
}

// UnmarshalText accepts "published", "proved" and "sharp"; anything else is a
// *DomainError and leaves c unchanged.
func (c *Constant) UnmarshalText(text []byte) error {
	for _, t := range []*theorem{&published, &proved, &sharp} {
		if t.name == string(text) {
			c.p = t
			return nil
		}
	}
	return &DomainError{"Constant", fmt.Sprintf("%q is none of \"published\", \"proved\", \"sharp\"", text)}
}

func (c Constant) triple() calib.Triple {
	if c.p == nil {
		return calib.Triple{}
	}
	return c.p.triple
}

func errZeroConstant() error {
	return &DomainError{"Constant", "the zero Constant names no theorem; use Published(), Proved() or Sharp()"}
}

// setting is what hypotheses speak of. A lambda that overflowed is +Inf.
type setting struct {
	value   float64
	inverse bool
	lo, hi  float64
	unit    int // exponent
}

func (s *setting) compare(k uint) int {
	return calib.CompareBound(s.lo, s.hi, s.value, s.inverse, k)
}

func (s *setting) bound() float64 { return max(math.Abs(s.lo), math.Abs(s.hi)) }

func (s *setting) scale() string {
	if s.inverse {
		return "scale 1/" + show(s.value)
	}
	return "scale " + show(s.value)
}

// hypothesis is one condition of a theorem on the setting, decided exactly.
type hypothesis struct {
	name, required string
	holds          func(*setting) bool
}

var (
	boundBelow46 = hypothesis{HypothesisBoundBelow46Scale, "B < 2^46 scale",
		func(s *setting) bool { return s.compare(46) < 0 }}
	boundAbove = hypothesis{HypothesisBoundAboveScale, "B > scale",
		func(s *setting) bool { return s.compare(0) > 0 }}
	boundAtMost38 = hypothesis{HypothesisBoundAtMost38Scale, "B <= 2^38 scale",
		func(s *setting) bool { return s.compare(38) <= 0 }}
	scaleAtLeast = hypothesis{HypothesisScaleAtLeast, "scale >= 2^-960",
		func(s *setting) bool {
			if s.inverse {
				return s.value <= 0x1p960
			}
			return s.value >= 0x1p-960
		}}
	inRange = hypothesis{HypothesisRange, "B <= 2^1021 and unit <= 2^1021",
		func(s *setting) bool { return s.bound() <= 0x1p1021 && s.unit <= 1021 }}
)

// check returns the first hypothesis of the theorem that fails.
func (t *theorem) check(s *setting) error {
	for _, h := range t.hypotheses {
		if !h.holds(s) {
			return &HypothesisError{h.name, fmt.Sprintf("B = %s, %s, unit 2^%d: %s requires %s",
				show(s.bound()), s.scale(), s.unit, t.name, h.required)}
		}
	}
	return nil
}

// Checks of the domain, shared by everything that takes parameters.

func checkPositive(name string, x float64) error {
	if !(x > 0) || !layout.IsFinite(x) {
		return &DomainError{name, "is " + show(x) + "; it must be positive and finite"}
	}
	return nil
}

func checkBounds(lo, hi float64) error {
	switch {
	case !layout.IsFinite(lo):
		return &DomainError{"Lo", "is " + show(lo) + "; it must be finite"}
	case !layout.IsFinite(hi):
		return &DomainError{"Hi", "is " + show(hi) + "; it must be finite"}
	case lo > hi:
		return &DomainError{"Lo", "is " + show(lo) + ", above Hi = " + show(hi) + "; Lo <= Hi is required"}
	}
	return nil
}
