package props

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/props/library"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// A generator that never draws a tie checks no tie rule. For each property named,
// what its points must contain, and the least fraction, under either engine.
var coverage = []struct {
	property string
	least    map[string]float64
	features func(p Point, has func(string))
}{
	{"round-multiple-nearest", map[string]float64{
		"tie": 0.08, "negative tie": 0.03, "next to a tie": 0.08, "multiple": 0.05, "carry": 0.05, "below half a unit": 0.05,
		"subnormal": 0.01, "beyond 2^53 units": 0.01, "negative": 0.3, "ties down": 0.3,
	}, func(p Point, has func(string)) {
		x, unit := dyadic(p["x"]), dyadic(p["unit"])
		half := unit.Shift(-1)
		tie := func(d real.Dyadic) bool { return !d.IsZero() && d.Low() == half.Top() }
		up, down := b64.NextUp(datum(p["x"])), b64.NextDown(datum(p["x"]))
		switch {
		case tie(x):
			has("tie")
			if x.Sign() < 0 {
				has("negative tie")
			}
		case tie(up.Dyadic()) || tie(down.Dyadic()):
			has("next to a tie")
		case multiple(x, unit):
			has("multiple")
		}
		if n := oracle.NearestMultiple(x.Abs(), unit.Top(), spec.TiesUp); n.Sign() > 0 && real.NewDyadic(n, 0).IsPow2() &&
			x.Abs().Cmp(real.NewDyadic(n, unit.Top())) < 0 {
			has("carry")
		}
		if x.Abs().Cmp(half) < 0 {
			has("below half a unit")
		}
		if subnormal(p["x"]) || subnormal(p["unit"]) {
			has("subnormal")
		}
		if x.Abs().Cmp(unit.Shift(53)) > 0 {
			has("beyond 2^53 units")
		}
		if x.Sign() < 0 {
			has("negative")
		}
		if p["ties"].Text == "down" {
			has("ties down")
		}
	}},
	{"ln-correctly-rounded", map[string]float64{
		"power of two": 0.03, "next to a power of two": 0.05, "subnormal": 0.05, "near 1": 0.03, "end of the range": 0.01,
	}, func(p Point, has func(string)) {
		v := datum(p["x"])
		switch {
		case v.Dyadic().IsPow2():
			has("power of two")
		case b64.NextUp(v).Dyadic().IsPow2() || b64.NextDown(v).Dyadic().IsPow2():
			has("next to a power of two")
		}
		if subnormal(p["x"]) {
			has("subnormal")
		}
		if x := p["x"].Float(); x != 1 && math.Abs(x-1) < 0x1p-20 {
			has("near 1")
		}
		if x := p["x"].Float(); x > 0x1p1022 || x < 0x1p-1070 {
			has("end of the range")
		}
	}},
	{"ln-pair-correctly-rounded", map[string]float64{
		"e > 1074": 0.1, "e subnormal": 0.05, "e = 1": 0.05, "e > 2^32": 0.03, "m = 0": 0.03, "m all ones": 0.002,
	}, func(p Point, has func(string)) {
		u := drawn(p)
		for name, ok := range map[string]bool{
			"e > 1074": u.E > 1074, "e subnormal": u.E > 1022 && u.E <= 1074, "e = 1": u.E == 1, "e > 2^32": u.E > 1<<32,
			"m = 0": u.M == 0, "m all ones": u.M == 1<<52-1,
		} {
			if ok {
				has(name)
			}
		}
	}},
	{"uniform-structure", map[string]float64{
		"ends early": 0.05, "more than 64 zeros": 0.2, "subnormal": 0.02, "restart": 0.02, "e > 1074": 0.02, "answered": 0.4,
	}, func(p Point, has func(string)) {
		u, n := define(bitString(p["tape"].Bytes()), p["kind"].Text)
		switch {
		case n < 0:
			has("ends early")
			return
		case p["kind"].Text == "binary64" && n > 1074:
			has("restart")
		case p["kind"].Text == "binary64" && u.E > 1022:
			has("subnormal")
		}
		has("answered")
		if u.E > 65 {
			has("more than 64 zeros")
		}
		if u.E > 1074 {
			has("e > 1074")
		}
	}},
	{"snap-stages", map[string]float64{
		"w is a tie": 0.002, "w is next to a tie": 0.005, "first clamp": 0.1, "second clamp": 0.1, "infinite w": 0.002, "infinite f": 0.02,
		"epsilon": 0.3, "s = -1": 0.3, "one-sided bounds": 0.02, "noise absorbed": 0.01, "zero output": 0.02, "subnormal": 0.01, "e > 1074": 0.1,
	}, func(p Point, has func(string)) {
		out := reference.Answer(wire.Case{Op: "snap", In: question("snap", p, nil)}).Out
		w, unit := datum(out["w"]), datum(out["unit"]).Dyadic()
		tie := func(v spec.Value) bool {
			return v.IsFinite() && !v.IsZero() && v.Dyadic().Low() == unit.Top()-1
		}
		for name, ok := range map[string]bool{
			"w is a tie": tie(w), "w is next to a tie": w.IsFinite() && (tie(b64.NextUp(w)) || tie(b64.NextDown(w))),
			"first clamp": datum(p["f"]).Cmp(datum(out["x"])) != 0, "second clamp": datum(out["rounded"]).Cmp(datum(out["r"])) != 0,
			"infinite w": w.IsInf(), "infinite f": datum(p["f"]).IsInf(), "epsilon": p["scale"].Text == "epsilon", "s = -1": p["s"].Text == "-1",
			"one-sided bounds": p["lo"].Float() > 0 || p["hi"].Float() < 0,
			"noise absorbed":   out["w"].Text == out["x"].Text && datum(out["z"]).Sign() != 0, "zero output": datum(out["r"]).IsZero(),
			"subnormal": subnormal(p["value"]) || subnormal(p["f"]) || subnormal(p["hi"]), "e > 1074": drawn(p).E > 1074,
		} {
			if ok {
				has(name)
			}
		}
	}},
	{"rejections-defined", map[string]float64{
		"NaN": 0.02, "infinity": 0.02, "-0": 0.005, "domain": 0.2, "hypothesis": 0.001, "overflow": 0.001, "tape": 0.01, "accepted": 0.2,
	}, func(p Point, has func(string)) {
		names := map[string]bool{}
		for _, v := range p {
			if v.Type == wire.F64 {
				names["NaN"] = names["NaN"] || math.IsNaN(v.Float())
				names["infinity"] = names["infinity"] || math.IsInf(v.Float(), 0)
				names["-0"] = names["-0"] || v.Bits() == signBit
			}
		}
		names[map[string]string{"": "accepted"}[definedRefusal(p["op"].Text, p)]+definedRefusal(p["op"].Text, p)] = true
		for n, ok := range names {
			if ok {
				has(n)
			}
		}
	}},
	{"rejection-order", map[string]float64{"domain": 0.2, "hypothesis": 0.03, "overflow": 0.05, "tape": 0.02, "accepted": 0.05},
		func(p Point, has func(string)) {
			if r := definedRefusal(p["op"].Text, p); r != "" {
				has(r)
			} else {
				has("accepted")
			}
		}},
	{"calibrate-lambda-sufficient", map[string]float64{"answered": 0.5, "c B eta matters": 0.3, "floor": 0.02}, func(p Point, has func(string)) {
		if definedRefusal("snap_calibrate", p) != "" {
			return
		}
		has("answered")
		b := budgetOf(p)
		ideal := b
		ideal.c = rat(real.Dyadic{})
		if b.lambda().Cmp(ideal.lambda()) > 0 {
			has("c B eta matters")
		}
		if l := b.lambda(); l.IsFinite() && b.b.Cmp(mul(b.floored, rat(l.Dyadic()))) < 0 {
			has("floor")
		}
	}},
	{"calibrate-hypotheses", map[string]float64{"epsilon-above-floor": 0.1, "bound-below-2^46-scale": 0.05, "": 0.2}, func(p Point, has func(string)) {
		has(budgetOf(p).broken())
	}},
	{"pow2-ceil-inv-of-quotient", map[string]float64{"exception": 0.01, "subnormal": 0.05, "overflow": 0.01}, func(p Point, has func(string)) {
		x := p["x"].Bits()
		if differs(x) {
			has("exception")
		}
		if subnormal(p["x"]) {
			has("subnormal")
		}
		if p["x"].Float() < 0x1p-1023 {
			has("overflow")
		}
	}},
}

func subnormal(v wire.Value) bool {
	x := math.Abs(v.Float())
	return x > 0 && x < 0x1p-1022
}

func TestCoverage(t *testing.T) {
	const n = 6000
	for _, c := range coverage {
		p, ok := Find(c.property)
		require.True(t, ok, c.property)
		for _, e := range engines {
			count, total := map[string]int{}, 0
			got := e.run(job{points: n, seed: 7, generate: p.Generate, check: func(x Point) error {
				total++
				c.features(x, func(name string) { count[name]++ })
				return nil
			}})
			require.NoError(t, got.err)
			require.Equal(t, n, total)
			line := ""
			for _, name := range keys(c.least) {
				have := float64(count[name]) / n
				line += fmt.Sprintf("  %s %.3f", name, have)
				assert.GreaterOrEqual(t, have, c.least[name], "%s under %s: %q", c.property, e.name, name)
			}
			t.Logf("%-24s %-6s%s", c.property, e.name, line)
		}
	}
}

// For every claim, maker and hypothesis there are points that keep it and points
// that break it, each next to the edge.
func TestHypothesisEdges(t *testing.T) {
	p, ok := Find("constructor-hypotheses")
	require.True(t, ok)
	for _, e := range engines {
		inside, outside := map[string]int{}, map[string]int{}
		e.run(job{points: 40000, seed: 7, generate: p.Generate, check: func(x Point) error {
			if x["edge"].Text == "domain" {
				return nil
			}
			at := x["claim"].Text + "/" + x["maker"].Text + "/" + x["edge"].Text
			claim, _, err := claimOf(x)
			require.NoError(t, err)
			var broken *spec.RejectError
			switch {
			case !errors.As(claimOn(claim, x), &broken):
				inside[at]++
			case broken.Subject == x["edge"].Text:
				outside[at]++
			case x["edge"].Text == "epsilon-above-floor":
				// So near to its floor the budget needs a scale above B, which
				// breaks the next hypothesis; this one is kept.
				inside[at]++
			}
			return nil
		}})
		for _, claim := range spec.Claims {
			for _, maker := range makers {
				for _, h := range claim.Hypotheses {
					if (maker == "scale" || maker == "read-scale") && h == "epsilon-above-floor" {
						continue // no budget
					}
					at := claim.Name + "/" + maker + "/" + h
					t.Logf("%-6s %-45s %4d kept, %4d broken", e.name, at, inside[at], outside[at])
					assert.GreaterOrEqual(t, outside[at], 20, "%s %s", e.name, at)
					assert.GreaterOrEqual(t, inside[at], 20, "%s %s", e.name, at)
				}
			}
		}
	}
}

// The names of the hypotheses in package impl are the ids of package spec.
func TestHypothesisIDs(t *testing.T) {
	var ids []string
	for _, h := range spec.Hypotheses {
		ids = append(ids, h.ID)
	}
	assert.ElementsMatch(t, ids, []string{
		impl.HypothesisEpsilonAboveFloor, impl.HypothesisBoundBelow46Scale, impl.HypothesisBoundAboveScale,
		impl.HypothesisBoundAtMost38Scale, impl.HypothesisScaleAtLeast, impl.HypothesisRange,
	})
	assert.Equal(t, len(spec.Claims), 3, "impl offers Published, Proved and Sharp")
}

// A log of package impl names its fields as the protocol names them.
func TestLogKeys(t *testing.T) {
	known := func(op string, more ...string) map[string]bool {
		names := map[string]bool{}
		sig, ok := ops.Lookup(op)
		require.True(t, ok)
		for _, f := range append(append([]wire.Field{}, sig.In...), sig.Out...) {
			names[f.Name] = true
		}
		for _, n := range more {
			names[n] = true
		}
		return names
	}
	for maker, names := range map[string]map[string]bool{
		"read-scale":       known("snap", "mechanism", "epsilon", "sensitivity", "constant", "achieved"),
		"read-calibration": known("snap_calibrate"),
	} {
		p := Point{"maker": {Text: maker}, "claim": {Text: "proved"}, "scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": wire.NewFloat(1),
			"epsilon": wire.NewFloat(1), "sensitivity": wire.NewFloat(1), "lo": wire.NewFloat(0), "hi": wire.NewFloat(9)}
		require.NoError(t, constructed(library.Impl(), p)) // impl reads a log with exactly these fields
		r, err := expected(p)
		require.NoError(t, err)
		for key := range logOf(p, r) {
			assert.True(t, names[key], "%s: %s", maker, key)
		}
	}
}

func keys(m map[string]float64) (names []string) {
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
