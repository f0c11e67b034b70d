package kernel

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// SnapStage is what was derived for one stage of the mechanism: its judgment or,
// with a Judgment that is not Valid, why there is none. ID is the stage's name in
// spec.SnapStages, or "u", "scale" and "f" for what the stages start from.
type SnapStage struct {
	ID       string
	Judgment Judgment
	Err      *SnapError
}

// Snap is a derivation for the snapping mechanism with given f, u and s. Snap' of
// Liu 2020, definitions 2 and 3, is stage "w"; Snap is stage "r". Stages has every
// stage, derived or refused, in the order of spec.SnapStages.
type Snap struct {
	Context *Context
	Sign    spec.Sign
	Stages  []SnapStage
}

// Stage returns the judgment of a stage, if it has one.
func (d Snap) Stage(id string) (Judgment, bool) {
	s, _ := d.find(id)
	return s.Judgment, s.Judgment.Valid()
}

// Refused says why a stage has no judgment: nil if it has one, or there is no such
// stage.
func (d Snap) Refused(id string) *SnapError {
	s, _ := d.find(id)
	return s.Err
}

func (d Snap) find(id string) (SnapStage, bool) {
	for _, s := range d.Stages {
		if s.ID == id {
			return s, true
		}
	}
	return SnapStage{}, false
}

// SnapError says that a stage has no judgment, because a rule refused (Err is a
// *Refusal) or a premise is missing (a *PremiseError). The mechanism itself goes on:
// it carries an overflow and clamps it, which no finite interval describes.
type SnapError struct {
	Stage string
	Err   error
}

func (e *SnapError) Error() string { return fmt.Sprintf("kernel: stage %s: %v", e.Stage, e.Err) }

// Unwrap returns the refusal, or the *PremiseError.
func (e *SnapError) Unwrap() error { return e.Err }

// PremiseError says which premise a rule was not applied for want of. Err is that
// stage's own error, and so leads to the refusal that began it.
type PremiseError struct {
	Premise string
	Err     *SnapError
}

func (e *PremiseError) Error() string { return "premise " + e.Premise + " is missing" }

// Unwrap returns the error of the stage that is missing.
func (e *PremiseError) Unwrap() error { return e.Err }

// SnapDerivation derives every stage for one (f; u, s):
//
//	ell = LN(u)    y = lambda (x) ell, or ell (/) epsilon    z = s y
//	x = clamp(f(a))    w = x (+) z    rounded = round_Lambda(w)    r = clamp(rounded)
//
// s = +1 leaves y as it is and s = -1 negates it: no rounding is charged for s.
// An infinite f, which no leaf can be bound to, is replaced by the bound it clamps
// to. A stage whose rule refuses is recorded so, and those that do not need it are
// derived all the same; the error is then the *SnapError of the first refusal. Of
// any other error the Snap is empty.
func SnapDerivation(p spec.SnapParams, f spec.Value, u spec.U, s spec.Sign) (Snap, error) {
	if err := checkSnap(p, f, u, s); err != nil {
		return Snap{}, err
	}
	unit, err := unitExponent(p)
	if err != nil {
		return Snap{}, err
	}
	if f.IsInf() {
		if f.Signbit() {
			f = p.Lo
		} else {
			f = p.Hi
		}
	}
	c, err := NewContext(p.Format, Env{
		"u":    {Interval: real.Point(u.Value(p.Format)), Draw: true},
		"f(a)": Exactly(f.Dyadic()),
	})
	if err != nil {
		return Snap{}, err
	}
	d := Snap{Context: c, Sign: s}
	var first *SnapError
	for _, rule := range c.snapRules(p, s, unit) {
		stage := d.derive(rule)
		if first == nil {
			first = stage.Err
		}
		d.Stages = append(d.Stages, stage)
	}
	if first != nil { // not a nil *SnapError as an error
		return d, first
	}
	return d, nil
}

// snapRule concludes a stage from stages before it.
type snapRule struct {
	id    string
	from  []string
	apply func(premises []Judgment) (Judgment, error)
}

// derive applies a rule to the stages derived so far.
func (d Snap) derive(rule snapRule) SnapStage {
	var premises []Judgment
	for _, id := range rule.from {
		p, _ := d.find(id)
		if p.Err != nil {
			return SnapStage{ID: rule.id, Err: &SnapError{rule.id, &PremiseError{id, p.Err}}}
		}
		premises = append(premises, p.Judgment)
	}
	j, err := rule.apply(premises)
	if err != nil {
		return SnapStage{ID: rule.id, Err: &SnapError{rule.id, err}}
	}
	return SnapStage{ID: rule.id, Judgment: j}
}

// snapRules is the definition of the mechanism, as rules.
func (c *Context) snapRules(p spec.SnapParams, s spec.Sign, unit int64) []snapRule {
	lo, hi := p.Lo.Dyadic(), p.Hi.Dyadic()
	return []snapRule{
		{"u", nil, func([]Judgment) (Judgment, error) { return c.Var("u") }},
		{"scale", nil, func([]Judgment) (Judgment, error) { return c.ConstExact(lang.FromDyadic(p.Value.Dyadic())) }},
		{"f", nil, func([]Judgment) (Judgment, error) { return c.Apply("f", "a") }},
		{"ln", []string{"u"}, func(j []Judgment) (Judgment, error) { return c.Ln(j[0]) }},
		{"y", []string{"scale", "ln"}, func(j []Judgment) (Judgment, error) {
			if p.Scale == spec.ScaleEpsilon {
				return c.Quo(j[1], j[0])
			}
			return c.Mul(j[0], j[1])
		}},
		{"z", []string{"y"}, func(j []Judgment) (Judgment, error) {
			if s < 0 {
				return c.Neg(j[0])
			}
			return j[0], nil
		}},
		{"x", []string{"f"}, func(j []Judgment) (Judgment, error) { return c.Clamp(lo, hi, j[0]) }},
		{"w", []string{"x", "z"}, func(j []Judgment) (Judgment, error) { return c.Add(j[0], j[1]) }},
		{"rounded", []string{"w"}, func(j []Judgment) (Judgment, error) { return c.Round(unit, j[0]) }},
		{"r", []string{"rounded"}, func(j []Judgment) (Judgment, error) { return c.Clamp(lo, hi, j[0]) }},
	}
}

// checkSnap tests what the mechanism's definition asks of its arguments.
func checkSnap(p spec.SnapParams, f spec.Value, u spec.U, s spec.Sign) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if f.IsNaN() || !p.Format.Has(f) {
		return spec.Reject(spec.Domain, "f", "%v is not a number of %s", f, p.Format.Name)
	}
	if s != 1 && s != -1 {
		return spec.Reject(spec.Domain, "s", "%d is neither +1 nor -1", s)
	}
	return u.Validate(p.Format)
}

// unitExponent returns k for Lambda = 2^k, the smallest power of two of the format
// that is >= lambda, or >= 1/epsilon (docs/theory.md 2.2).
func unitExponent(p spec.SnapParams) (int64, error) {
	d := p.Value.Dyadic()
	k := d.Top()
	switch {
	case p.Scale == spec.ScaleEpsilon:
		k = -k // 2^-(t+1) < 1/epsilon <= 2^-t for 2^t <= epsilon < 2^(t+1)
	case !d.IsPow2():
		k++
	}
	if k > p.Format.EMax {
		return 0, spec.Reject(spec.Overflow, "unit", "2^%d exceeds the largest power of two of %s", k, p.Format.Name)
	}
	return max(k, p.Format.Quantum()), nil
}
