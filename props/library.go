package props

import (
	"errors"
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Properties of the production types of package impl, which are no voters. The
// first two ask no voter anything; the third compares with the voter given.
var libraryProperties = []Property{
	{"constructor-hypotheses", nil, genConstruction, func(_ wire.Voter, p Point) error { return constructed(p) }},
	{"constructor-constants", nil, func(src gen.Source) Point {
		return Point{"claim": {Text: spec.Claims[pick(src, len(spec.Claims))].Name}}
	}, func(_ wire.Voter, p Point) error {
		claim, constant, err := claimOf(p)
		if err != nil {
			return err
		}
		got := [3]int64{constant.C(), constant.Additive(), constant.Floor()}
		if want := [3]int64{claim.C, claim.A, claim.Floor}; got != want || constant.Name() != claim.Name {
			return fmt.Errorf("impl has %v %v, spec has %v %v", constant.Name(), got, claim.Name, want)
		}
		return nil
	}},
	{"production-release", []string{"snap_release"}, func(src gen.Source) Point {
		p := genRelease(src)
		value := math.Float64frombits(gen.Moderate(src))
		lambda := value
		if p["scale"].Text == "epsilon" {
			lambda = 1 / value
		}
		b := lambda * (1.5 + float64(pick(src, 1<<16))/8) // above lambda, below 2^38 lambda
		p["value"], p["lo"], p["hi"] = wire.NewFloat(value), wire.NewFloat(-b), wire.NewFloat(b)
		if pick(src, 4) == 3 {
			p["lo"] = wire.NewFloat(b * 0.3)
		}
		p["kind"] = wire.NewWord(wire.Kind, "unbounded")
		p["claim"] = wire.Value{Text: spec.Claims[pick(src, len(spec.Claims))].Name}
		return p
	}, productionRelease},
}

func claimOf(p Point) (spec.Claim, impl.Constant, error) {
	for _, c := range spec.Claims {
		if c.Name == p["claim"].Text {
			var k impl.Constant
			return c, k, k.UnmarshalText([]byte(c.Name))
		}
	}
	return spec.Claim{}, impl.Constant{}, fmt.Errorf("no claim %q", p["claim"].Text)
}

// genConstruction draws the parameters of a constructor next to an edge of a
// hypothesis, so that the points fall just inside, at, and just outside it.
func genConstruction(src gen.Source) Point {
	scale := word(src, wire.ScaleOf)
	value := math.Float64frombits(gen.Moderate(src))
	lambda := func() float64 {
		if scale.Text == "epsilon" {
			return 1 / value
		}
		return value
	}
	d := math.Float64frombits(gen.Moderate(src))
	claim := spec.Claims[pick(src, len(spec.Claims))]
	maker := []string{"scale", "budget", "calibrate"}[pick(src, 3)]
	near := func(x float64) float64 { return math.Float64frombits(near(src, math.Float64bits(x))) }
	edge := claim.Hypotheses[pick(src, len(claim.Hypotheses))]
	b := lambda() * 16
	put := func(l float64) { // lambda, about
		value = l
		if scale.Text == "epsilon" {
			value = 1 / l
		}
		b, d = min(l*16, 0x1p1021), l
	}
	switch edge {
	case "bound-above-scale":
		b = near(lambda())
	case "bound-below-2^46-scale":
		b = near(lambda() * 0x1p46)
	case "bound-at-most-2^38-scale":
		b = near(lambda() * 0x1p38)
	case "scale-at-least-2^-960":
		put(0x1p-960)
		value = near(value)
	case "range":
		put(0x1p1021)
		value = near(value)
		if pick(src, 2) == 1 {
			put(0x1p1000)
			b = near(0x1p1021)
		}
	case "epsilon-above-floor":
	}
	p := Point{
		"maker": {Text: maker}, "claim": {Text: claim.Name}, "edge": {Text: edge},
		"sensitivity": wire.NewFloat(d), "lo": wire.NewFloat(-b), "hi": wire.NewFloat(b),
	}
	if pick(src, 4) == 3 { // one-sided
		p["lo"] = wire.NewFloat(b / 2)
	}
	if maker == "scale" {
		return merge(p, Point{"scale": scale, "value": wire.NewFloat(value)})
	}
	epsilon := math.Float64frombits(gen.Moderate(src))
	switch edge {
	case "epsilon-above-floor":
		epsilon = near(float64(claim.A+claim.Floor*claim.C) * 0x1p-53)
	default: // the budget whose scale is about lambda, and its neighbours
		if e := (d + float64(claim.C)*b*0x1p-53) / lambda(); e > 0 && !math.IsInf(e, 0) {
			epsilon = near(e)
		}
	}
	return merge(p, Point{"epsilon": wire.NewFloat(epsilon)})
}

// constructed builds the object and compares the refusal with the exact one.
func constructed(p Point) error {
	claim, constant, err := claimOf(p)
	if err != nil {
		return err
	}
	lo, hi, d := p["lo"].Float(), p["hi"].Float(), p["sensitivity"].Float()
	want := claimOn(claim, p)
	switch p["maker"].Text {
	case "scale":
		kind := impl.Lambda
		if p["scale"].Text == "epsilon" {
			kind = impl.InverseEpsilon
		}
		_, err = impl.NewSnappingScale(impl.ScaleParams{
			Scale: kind, Value: p["value"].Float(), Sensitivity: d, Lo: lo, Hi: hi, Constant: constant})
	case "budget":
		_, err = impl.NewSnapping(impl.Params{Epsilon: p["epsilon"].Float(), Sensitivity: d, Lo: lo, Hi: hi, Constant: constant})
	default:
		_, err = impl.Calibrate(p["epsilon"].Float(), d, lo, hi, constant)
	}
	return sameHypothesis(want, err)
}

// claimOn is what the claim says of the parameters, exactly.
func claimOn(claim spec.Claim, p Point) error {
	if p["maker"].Text != "scale" {
		return claimOnBudget(claim, p)
	}
	params := snapParams(p)
	return claim.Check(spec.NewQuantities(params, spec.FromDyadic(unitOf(p))))
}

// claimOnBudget is what the claim says of a budget, with the scale it leads to.
// A scale beyond the doubles counts as 2^1024: above every B.
func claimOnBudget(claim spec.Claim, p Point) error {
	whole := Point{"constant": wire.NewInt(claim.C), "additive": wire.NewInt(claim.A), "floor": wire.NewInt(claim.Floor)}
	b := budgetOf(merge(whole, p))
	q := spec.Quantities{
		Format: b64, Epsilon: dyadic(p["epsilon"]), LambdaNum: real.Pow2(1024), LambdaDen: real.One,
		B: spec.Bound(datum(p["lo"]), datum(p["hi"])), Unit: real.Pow2(1024),
	}
	if b.aboveFloor() {
		if l := b.lambda(); l.IsFinite() {
			q.LambdaNum = l.Dyadic()
			q.Unit = unitOf(Point{"scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": encode(l)})
		}
	}
	return claim.Check(q)
}

func sameHypothesis(want, got error) error {
	var rejected *spec.RejectError
	var refused *impl.HypothesisError
	var overflow *impl.OverflowError
	id := "none"
	if errors.As(want, &rejected) {
		id = rejected.Subject
	}
	switch {
	case errors.As(got, &refused):
		if refused.Hypothesis != id {
			return fmt.Errorf("refused for %q, the hypothesis broken is %q", refused.Hypothesis, id)
		}
	case got == nil || errors.As(got, &overflow):
		if want != nil {
			return fmt.Errorf("hypothesis %q is broken, and the constructor says %v", id, got)
		}
	default:
		return fmt.Errorf("unexpected error: %w", got)
	}
	return nil
}

func productionRelease(v wire.Voter, p Point) error {
	_, constant, err := claimOf(p)
	if err != nil {
		return err
	}
	var kind impl.ScaleKind
	if err := kind.UnmarshalText([]byte(p["scale"].Text)); err != nil {
		return err
	}
	s, err := impl.NewSnappingScale(impl.ScaleParams{
		Scale: kind, Value: p["value"].Float(), Sensitivity: 1, Lo: p["lo"].Float(), Hi: p["hi"].Float(), Constant: constant})
	if err != nil {
		return fmt.Errorf("these parameters are legal: %w", err)
	}
	want, err := ask(v, "snap_release", question("snap_release", p, nil))
	if err != nil {
		return err
	}
	got := wire.Result{}
	r, consumed, err := derand.Release(s, p["f"].Float(), p["tape"].Bytes())
	var end *derand.TapeError
	switch {
	case errors.As(err, &end):
		got.Reject = "tape"
	case err != nil:
		return err
	default:
		got.Out = wire.Values{"r": wire.NewFloat(r), "consumed": wire.NewInt(int64(consumed))}
	}
	if a, b := show(got, "r", "consumed"), show(want, "r", "consumed"); a != b {
		return fmt.Errorf("the production object gives %s, snap_release of %s gives %s", a, v.Name(), b)
	}
	return nil
}
