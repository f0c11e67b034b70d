package kernel

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// SnapStage is the judgment of one stage of the mechanism; ID is the stage's name
// in spec.SnapStages, or "u", "scale" and "f" for what the stages start from.
type SnapStage struct {
	ID       string
	Judgment Judgment
}

// Snap is a derivation for the snapping mechanism with given f, u and s. Snap' of
// Liu 2020, definitions 2 and 3, is stage "w"; Snap is stage "r".
type Snap struct {
	Context *Context
	Sign    spec.Sign
	Stages  []SnapStage
}

// Stage returns the judgment of a stage.
func (d Snap) Stage(id string) (Judgment, bool) {
	for _, s := range d.Stages {
		if s.ID == id {
			return s.Judgment, true
		}
	}
	return Judgment{}, false
}

// SnapError says at which stage a derivation ended. The mechanism itself goes on:
// it carries an overflow and clamps it, which no finite interval describes.
type SnapError struct {
	Stage string
	Err   error
}

func (e *SnapError) Error() string { return fmt.Sprintf("kernel: stage %s: %v", e.Stage, e.Err) }

// Unwrap returns the refusal.
func (e *SnapError) Unwrap() error { return e.Err }

// SnapDerivation derives every stage for one (f; u, s):
//
//	ell = LN(u)    y = lambda (x) ell, or ell (/) epsilon    z = s y
//	x = clamp(f(a))    w = x (+) z    rounded = round_Lambda(w)    r = clamp(rounded)
//
// s = +1 leaves y as it is and s = -1 negates it: no rounding is charged for s.
// An infinite f, which no leaf can be bound to, is replaced by the bound it clamps
// to. When a rule refuses, the stages before it are returned with a *SnapError.
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
	lo, hi := p.Lo.Dyadic(), p.Hi.Dyadic()
	d := Snap{Context: c, Sign: s}
	at := map[string]Judgment{}
	for _, stage := range []struct {
		id   string
		rule func() (Judgment, error)
	}{
		{"u", func() (Judgment, error) { return c.Var("u") }},
		{"scale", func() (Judgment, error) { return c.ConstExact(lang.FromDyadic(p.Value.Dyadic())) }},
		{"f", func() (Judgment, error) { return c.Apply("f", "a") }},
		{"ln", func() (Judgment, error) { return c.Ln(at["u"]) }},
		{"y", func() (Judgment, error) {
			if p.Scale == spec.ScaleEpsilon {
				return c.Quo(at["ln"], at["scale"])
			}
			return c.Mul(at["scale"], at["ln"])
		}},
		{"z", func() (Judgment, error) {
			if s < 0 {
				return c.Neg(at["y"])
			}
			return at["y"], nil
		}},
		{"x", func() (Judgment, error) { return c.Clamp(lo, hi, at["f"]) }},
		{"w", func() (Judgment, error) { return c.Add(at["x"], at["z"]) }},
		{"rounded", func() (Judgment, error) { return c.Round(unit, at["w"]) }},
		{"r", func() (Judgment, error) { return c.Clamp(lo, hi, at["rounded"]) }},
	} {
		j, err := stage.rule()
		if err != nil {
			return d, &SnapError{stage.id, err}
		}
		at[stage.id] = j
		d.Stages = append(d.Stages, SnapStage{stage.id, j})
	}
	return d, nil
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
