package mutants

import (
	"errors"
	"math"
	"strings"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/props/library"
)

// constructorMutants are wrong libraries around the right mechanism. They answer
// the protocol as package impl does, so that no vector can tell: only the
// properties that make objects kill them.
var constructorMutants = []Mutant{
	without("without-epsilon-floor", impl.HypothesisEpsilonAboveFloor),
	without("without-bound-below-46", impl.HypothesisBoundBelow46Scale),
	without("without-bound-above-scale", impl.HypothesisBoundAboveScale),
	without("without-bound-at-most-38", impl.HypothesisBoundAtMost38Scale),
	without("without-least-scale", impl.HypothesisScaleAtLeast),
	without("without-range", impl.HypothesisRange),
	constructors("nan-accepted", "NaN is accepted: the checks are written x <= 0 and lo > hi, which are false for NaN", common,
		func(asked, r library.Record, err error) (library.Record, error) {
			if sum := asked.Epsilon + asked.Value + asked.Sensitivity + asked.Lo + asked.Hi; math.IsNaN(sum) && isDomain(err) {
				return asked, nil
			}
			return r, err
		}),
	constructors("bounds-exchanged", "lo > hi is mended by exchanging them", "defensive code",
		func(asked, r library.Record, err error) (library.Record, error) {
			if asked.Lo > asked.Hi && isDomain(err) {
				asked.Lo, asked.Hi = asked.Hi, asked.Lo
				return asked, nil
			}
			return r, err
		}),
	constructors("scale-inverted-first", "B is compared with fl(1/epsilon)", common,
		func(asked, r library.Record, err error) (library.Record, error) {
			b, l := max(math.Abs(asked.Lo), math.Abs(asked.Hi)), 1/asked.Value
			published, of := asked.Constant == "published", hypothesisOf(err)
			onBound := of == impl.HypothesisBoundAboveScale || of == impl.HypothesisBoundBelow46Scale || of == impl.HypothesisBoundAtMost38Scale
			named := ""
			switch {
			case asked.Scale != impl.InverseEpsilon || err != nil && !onBound:
				return r, err
			case published && b <= l:
				named = impl.HypothesisBoundAboveScale
			case published && b >= 0x1p46*l:
				named = impl.HypothesisBoundBelow46Scale
			case !published && b > 0x1p38*l:
				named = impl.HypothesisBoundAtMost38Scale
			case onBound:
				return asked, nil
			default:
				return r, err
			}
			return library.Record{}, &impl.HypothesisError{Hypothesis: named}
		}),
	constructors("edge-refused", "B = 2^38 lambda is refused", "< for <=",
		func(asked, r library.Record, err error) (library.Record, error) {
			if err == nil && r.Constant == "proved" && r.Scale == impl.Lambda && max(math.Abs(r.Lo), math.Abs(r.Hi)) == 0x1p38*r.Value {
				return library.Record{}, &impl.HypothesisError{Hypothesis: impl.HypothesisBoundAtMost38Scale}
			}
			return r, err
		}),
	constructors("hypothesis-misnamed", "the refusal names the other claim's hypothesis on B", "a copied line",
		func(_, r library.Record, err error) (library.Record, error) {
			if hypothesisOf(err) == impl.HypothesisBoundAtMost38Scale {
				err = &impl.HypothesisError{Hypothesis: impl.HypothesisBoundBelow46Scale}
			}
			return r, err
		}),
	constructors("hypothesis-as-domain", "a broken hypothesis is reported as a number outside the domain", "one type for all refusals",
		func(_, r library.Record, err error) (library.Record, error) {
			if hypothesisOf(err) != "" {
				err = &impl.DomainError{Argument: "Hi"}
			}
			return r, err
		}),
	constructors("half-built", "the object is filled before it is checked, and returned with the error", common,
		func(asked, r library.Record, err error) (library.Record, error) {
			if err != nil {
				r = asked
			}
			return r, err
		}),
	constructors("minus-zero-kept", "a bound -0 stays -0, and can be released", "a missing + 0",
		func(asked, r library.Record, err error) (library.Record, error) {
			if err == nil {
				r.Lo, r.Hi = asked.Lo, asked.Hi
			}
			return r, err
		}),
	constructors("achieved-as-asked", "the epsilon asked for is reported as the loss achieved", common,
		func(_, r library.Record, err error) (library.Record, error) {
			if r.Epsilon > 0 {
				r.Achieved = r.Epsilon
			}
			return r, err
		}),
	wrongLibrary("sensitivity-ignored", "the calibration is that for sensitivity 1", libraries, "constructor-hypotheses", func(l *library.Library) {
		right := l.Calibrate
		l.Calibrate = func(p impl.Params) (library.Record, error) {
			d := p.Sensitivity
			if d > 0 && !math.IsInf(d, 1) {
				p.Sensitivity = 1
			}
			r, err := right(p)
			if err == nil {
				r.Sensitivity = d
			}
			return r, err
		}
	}),
	wrongLibrary("log-trusted", "what a log says was derived is believed", common, "constructor-hypotheses", func(l *library.Library) {
		l.ReadSnapping, l.ReadCalibration = accepting(l.ReadSnapping, isDomain), accepting(l.ReadCalibration, isDomain)
	}),
	wrongLibrary("log-unchecked", "hypotheses are not tested when a log is read", "a second way in", "constructor-hypotheses", func(l *library.Library) {
		broken := func(err error) bool { return hypothesisOf(err) != "" }
		l.ReadSnapping, l.ReadCalibration = accepting(l.ReadSnapping, broken), accepting(l.ReadCalibration, broken)
	}),
	wrongLibrary("additive-left-out", "a is 0: the rounding of the sign and of ln counts for nothing", libraries, "constructor-constants", func(l *library.Library) {
		right := l.Claim
		l.Claim = func(name string) (library.Claim, error) {
			c, err := right(name)
			c.A = 0
			return c, err
		}
	}),
	wrongLibrary("names-folded", "names are compared without regard to case", "strings.EqualFold", "constructor-constants", func(l *library.Library) {
		right := l.Claim
		l.Claim = func(name string) (library.Claim, error) { return right(strings.ToLower(name)) }
	}),
	wrongLibrary("production-binary64-draw", "the production release draws the u of the original publication, for which the claim is false",
		libraries, "production-release", func(l *library.Library) {
			l.Release = func(p impl.ScaleParams, f float64, tape []byte) (float64, int, error) {
				return derand.SnapRelease(derand.SnapParams{Scale: p.Scale, Value: p.Value, Lo: p.Lo, Hi: p.Hi}, f, tape, derand.Binary64)
			}
		}),
	wrongLibrary("production-sign-last", "the production release draws the sign after u: the distribution is right, every tape is read otherwise",
		"an order not agreed on", "production-release", func(l *library.Library) {
			l.Release = func(p impl.ScaleParams, f float64, tape []byte) (float64, int, error) {
				m, e, n, err := derand.Uniform(tape, derand.Unbounded)
				if err != nil {
					return 0, 0, err
				}
				if n == 8*len(tape) {
					return 0, 0, &derand.TapeError{Bits: n}
				}
				sign := 1 - 2*int(tape[n/8]>>(7-n%8)&1)
				t, err := derand.Snap(derand.SnapParams{Scale: p.Scale, Value: p.Value, Lo: p.Lo, Hi: p.Hi}, f, m, e, sign)
				return t.R, n + 1, err
			}
		}),
}

// owner is the implementation's voter with a wrong library.
type owner struct {
	wire.Voter
	name    string
	library library.Library
}

func (o owner) Name() string             { return o.name }
func (o owner) Library() library.Library { return o.library }

// wrongLibrary builds a mutant; spoil plants the fault in package impl's library.
func wrongLibrary(id, fault, source, property string, spoil func(l *library.Library)) Mutant {
	l := library.Impl()
	spoil(&l)
	return Mutant{ID: id, Fault: fault, Source: source, Property: property, Voter: owner{ops.Impl(), "mutant " + id, l}}
}

// constructors builds a mutant whose three constructors change what the right
// ones answer to what was asked.
func constructors(id, fault, source string, wrong func(asked, r library.Record, err error) (library.Record, error)) Mutant {
	return wrongLibrary(id, fault, source, "constructor-hypotheses", func(l *library.Library) {
		scale := l.Scale
		l.Scale = func(p impl.ScaleParams) (library.Record, error) {
			r, err := scale(p)
			return wrong(library.Record{
				Scale: p.Scale, Value: p.Value, Sensitivity: p.Sensitivity, Lo: p.Lo, Hi: p.Hi, Constant: p.Constant.Name()}, r, err)
		}
		budget := func(right func(impl.Params) (library.Record, error)) func(impl.Params) (library.Record, error) {
			return func(p impl.Params) (library.Record, error) {
				r, err := right(p)
				return wrong(library.Record{
					Epsilon: p.Epsilon, Scale: impl.Lambda, Sensitivity: p.Sensitivity, Lo: p.Lo, Hi: p.Hi, Constant: p.Constant.Name()}, r, err)
			}
		}
		l.Budget, l.Calibrate = budget(l.Budget), budget(l.Calibrate)
	})
}

// without is the mutant that does not test one hypothesis.
func without(id, hypothesis string) Mutant {
	return constructors(id, "the hypothesis "+hypothesis+" is not tested", "a missing check",
		func(asked, r library.Record, err error) (library.Record, error) {
			if hypothesisOf(err) == hypothesis {
				return asked, nil
			}
			return r, err
		})
}

// accepting lets pass what is refused for the reason given.
func accepting(read func([]byte) (library.Record, error), reason func(error) bool) func([]byte) (library.Record, error) {
	return func(log []byte) (library.Record, error) {
		r, err := read(log)
		if err != nil && reason(err) {
			return r, nil
		}
		return r, err
	}
}

// hypothesisOf is the hypothesis an error names, "" for other errors.
func hypothesisOf(err error) string {
	var h *impl.HypothesisError
	if errors.As(err, &h) {
		return h.Hypothesis
	}
	return ""
}
