package props

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// makers are the ways to make an object; the last three read a log of one.
var makers = []string{"scale", "budget", "calibrate", "read-scale", "read-budget", "read-calibration"}

func fromScale(p Point) bool { return p["maker"].Text == "scale" || p["maker"].Text == "read-scale" }

func reads(p Point) bool { return p["maker"].Text[:4] == "read" }

// genConstruction draws the parameters of a constructor next to an edge of a
// hypothesis, so that the points fall just inside, at, and just outside it. One
// in eight is spoilt: outside the domain.
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
	maker := makers[[]int{0, 0, 0, 1, 1, 2, 3, 4, 5}[pick(src, 9)]]
	near := func(x float64) float64 { return math.Float64frombits(near(src, math.Float64bits(x))) }
	bound := near
	if maker == "scale" || maker == "read-scale" { // B is compared as it is: at the edge, or next to it
		bound = func(x float64) float64 {
			return []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.MaxFloat64)}[pick(src, 3)]
		}
	}
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
		b = bound(lambda())
	case "bound-below-2^46-scale":
		b = bound(lambda() * 0x1p46)
	case "bound-at-most-2^38-scale":
		b = bound(lambda() * 0x1p38)
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
	switch pick(src, 4) {
	case 3: // one-sided
		p["lo"] = wire.NewFloat(b / 2)
	case 2: // a zero, which no log writes as -0
		p["lo"] = wire.NewFloat(0)
		if !reads(p) {
			p["lo"] = f64(signBit)
		}
	}
	if reads(p) && pick(src, 2) == 1 {
		p["tamper"] = wire.Value{Text: derivedFields[maker][pick(src, len(derivedFields[maker]))]}
	}
	if fromScale(p) {
		return spoilParams(src, merge(p, Point{"scale": scale, "value": wire.NewFloat(value)}))
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
	return spoilParams(src, merge(p, Point{"epsilon": wire.NewFloat(epsilon)}))
}

// spoilParams puts one parameter of eight points outside the domain.
func spoilParams(src gen.Source, p Point) Point {
	if pick(src, 8) != 7 {
		return p
	}
	p["edge"] = wire.Value{Text: "domain"}
	names := []string{"lo", "hi", "order", "claim", "sensitivity", "epsilon"}
	if fromScale(p) {
		names = append(names[:5], "scale", "value")
	}
	switch name := names[pick(src, len(names))]; name {
	case "lo", "hi":
		p[name] = wire.NewFloat([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}[pick(src, 3)])
	case "order":
		p["lo"], p["hi"] = p["hi"], p["lo"]
	case "claim", "scale":
		p[name] = wire.Value{}
	default:
		p[name] = f64(gen.Special(src))
	}
	return p
}

// outside is the first argument outside its domain, as package impl names it;
// "" when there is none.
func outside(p Point) string {
	positive := []string{"Epsilon", "epsilon", "Sensitivity", "sensitivity"}
	if fromScale(p) {
		if p["scale"].Text == "" {
			return "Scale"
		}
		positive = []string{"Value", "value", "Sensitivity", "sensitivity"}
	}
	for i := 0; i < len(positive); i += 2 {
		if x := datum(p[positive[i+1]]); !x.IsFinite() || x.Sign() <= 0 {
			return positive[i]
		}
	}
	lo, hi := datum(p["lo"]), datum(p["hi"])
	switch {
	case !lo.IsFinite():
		return "Lo"
	case !hi.IsFinite():
		return "Hi"
	case lo.Cmp(hi) > 0:
		return "Lo"
	case p["claim"].Text == "":
		return "Constant"
	}
	return ""
}

// claimOn is what the claim says of the parameters, exactly.
func claimOn(claim spec.Claim, p Point) error {
	if !fromScale(p) {
		return claimOnBudget(claim, p)
	}
	return claim.Check(spec.NewQuantities(snapParams(p), spec.FromDyadic(unitOf(p))))
}

// accounting is the budget of p under a claim; without an epsilon, of 1.
func accounting(claim spec.Claim, p Point) budget {
	whole := Point{
		"constant": wire.NewInt(claim.C), "additive": wire.NewInt(claim.A), "floor": wire.NewInt(claim.Floor),
		"epsilon": wire.NewFloat(1),
	}
	return budgetOf(merge(whole, p))
}

// claimOnBudget is what the claim says of a budget, with the scale it leads to.
// A scale beyond the doubles counts as 2^1024: above every B.
func claimOnBudget(claim spec.Claim, p Point) error {
	b := accounting(claim, p)
	q := spec.Quantities{
		Format: b64, Epsilon: dyadic(p["epsilon"]), LambdaNum: real.Pow2(1024), LambdaDen: real.Pow2(0),
		B: spec.Bound(datum(p["lo"]), datum(p["hi"])), Unit: real.Pow2(1024),
	}
	if b.aboveFloor() {
		if l := b.lambda(); l.IsFinite() {
			q.LambdaNum = l.Dyadic()
			q.Unit = unitOf(lambdaPoint(l))
		}
	}
	return claim.Check(q)
}

func lambdaPoint(l spec.Value) Point {
	return Point{"scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": encode(l)}
}
