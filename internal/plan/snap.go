package plan

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// rejectSnap are the refusals that every operation on snapping parameters shares.
func rejectSnap(b *builder, base wire.Values) {
	b.rejectNotPositive(base, "value", "reject-value-")
	for _, c := range []struct {
		slug string
		set  wire.Values
	}{
		{"f-nan", wire.Values{"f": nan}},
		{"f-nan-payload", wire.Values{"f": bits(0xfff0000000000123)}},
		{"lo-nan", wire.Values{"lo": nan}},
		{"hi-nan", wire.Values{"hi": nan}},
		{"lo-inf", wire.Values{"lo": fl(-inf)}},
		{"hi-inf", wire.Values{"hi": fl(inf)}},
		{"lo-above-hi", wire.Values{"lo": fl(1), "hi": fl(-1)}},
		{"lo-just-above-hi", wire.Values{"lo": fl(up(2)), "hi": fl(2)}},
		{"domain-before-overflow", wire.Values{"value": fl(maxF), "f": nan}},
	} {
		b.one("reject-"+c.slug, "", with(base, c.set), "domain")
	}
	b.one("reject-unit-overflow", "Lambda would be 2^1024", with(base, wire.Values{"value": fl(up(0x1p1023))}), "overflow")
	b.one("reject-unit-overflow-epsilon", "1/epsilon is above 2^1023", with(base, wire.Values{"scale": scale("epsilon"), "value": fl(down(0x1p-1023))}), "overflow")
}

// unitEnds are the ends of the range of Lambda.
func unitEnds(b *builder, base wire.Values) {
	b.one("largest-unit", "Lambda = 2^1023", with(base, wire.Values{"value": fl(0x1p1023)}), "range-end")
	b.one("largest-unit-epsilon", "Lambda = 2^1023 from a subnormal epsilon", with(base, wire.Values{"scale": scale("epsilon"), "value": fl(0x1p-1023)}), "range-end", "subnormal")
	b.one("smallest-unit", "Lambda = 2^-1074", with(base, wire.Values{"value": fl(minSub)}), "range-end", "subnormal")
	b.one("smallest-unit-epsilon", "Lambda = 2^-1023: fl(1/epsilon) would give 2^-1024", with(base, wire.Values{"scale": scale("epsilon"), "value": fl(maxF)}), "range-end", "reciprocal")
}

func planSnap(b *builder) error {
	base := wire.Values{
		"scale": scale("lambda"), "value": fl(1), "lo": fl(-100), "hi": fl(100), "f": fl(0.25),
		"m": num(0), "e": num(1), "s": sign(1),
	}
	set := func(r wire.Values) wire.Values { return with(base, r) }
	for _, kind := range []string{"lambda", "epsilon"} {
		for _, s := range []int{1, -1} {
			slug := fmt.Sprintf("plain-%s-%s", kind, map[int]string{1: "plus", -1: "minus"}[s])
			b.one(slug, "", set(wire.Values{"scale": scale(kind), "value": fl(0.7), "s": sign(s), "e": num(3), "m": num(12345)}), "sign-side")
		}
	}
	third := wire.Values{"value": fl(3), "m": num(0x5555555555555), "e": num(2)}
	b.one("lambda-three", "lambda (x) ln u", set(third), "scale-variant")
	b.one("epsilon-third", "ln u (/) epsilon with epsilon = fl(1/3): another rounding", set(with(third, wire.Values{"scale": scale("epsilon"), "value": fl(1.0 / 3)})), "scale-variant")

	// The fault classes one by one.
	b.one("tie-negative", "w = -1.5 exactly: toward +inf gives -1", set(wire.Values{"f": fl(-1.5 + 0x1.62e42fefa39efp-1)}), "tie-negative")
	b.one("tie-minus-half", "w = -0.5 exactly: toward +inf gives +0", set(wire.Values{"f": fl(-0.5 + 0x1.62e42fefa39efp-1)}), "tie-negative", "zero-sign")
	b.one("tie-positive", "w = 1.5 exactly: 2", set(wire.Values{"f": fl(1.5 + 0x1.62e42fefa39efp-1)}), "tie")
	b.one("clamp-before", "f far outside: noise is added to the bound", set(wire.Values{"f": fl(1e6), "s": sign(1), "e": num(4)}), "clamp-both")
	b.one("clamp-after", "noise carries the result outside", set(wire.Values{"f": fl(99), "s": sign(-1), "e": num(40)}), "clamp-both")
	b.one("clamp-after-minus", "", set(wire.Values{"f": fl(-99), "s": sign(1), "e": num(40)}), "clamp-both")
	b.one("f-plus-inf", "an infinite f clamps", set(wire.Values{"f": fl(inf)}), "infinite")
	b.one("f-minus-inf", "an infinite f clamps", set(wire.Values{"f": fl(-inf)}), "infinite")
	b.one("f-minus-zero", "x = +0", set(wire.Values{"f": bits(1 << 63)}), "zero-sign")
	b.one("bounds-minus-zero", "hi = -0 is released as +0", set(wire.Values{"hi": bits(1 << 63), "f": fl(3), "s": sign(-1)}), "zero-sign")
	b.one("equal-bounds", "lo = hi: one output", set(wire.Values{"lo": fl(0.3), "hi": fl(0.3)}), "bounds-equal")
	b.one("bound-not-multiple", "hi = 0.3 is no multiple of Lambda = 1 and is an output", set(wire.Values{"lo": fl(-0.3), "hi": fl(0.3), "f": fl(0.3), "s": sign(-1), "e": num(5)}), "bounds-no-multiple")
	b.one("bounds-one-sided", "hi < 0", set(wire.Values{"lo": fl(-50), "hi": fl(-10), "f": fl(-20)}), "bounds-one-sided")
	b.one("bounds-below-unit", "B far below Lambda: lo, 0 and hi are the outputs", set(wire.Values{"lo": fl(-1e-3), "hi": fl(1e-3), "f": fl(0)}), "bounds-no-multiple")
	b.one("bounds-below-unit-tail", "", set(wire.Values{"lo": fl(-1e-3), "hi": fl(1e-3), "f": fl(0), "e": num(3)}), "bounds-no-multiple")
	b.one("y-minus-infinity", "lambda LN(u) overflows; the infinity is carried and clamped", set(wire.Values{"value": fl(0x1p1020), "e": num(100)}), "carried-infinity")
	b.one("y-plus-infinity", "the other side", set(wire.Values{"value": fl(0x1p1020), "e": num(100), "s": sign(-1)}), "carried-infinity")
	b.one("w-overflow", "x (+) z overflows though both are finite", set(wire.Values{"value": fl(0x1p1016), "e": num(180), "lo": fl(-maxF), "hi": fl(maxF), "f": fl(-maxF)}), "carried-infinity")
	b.one("w-overflow-at-max", "x = the largest double: the least noise makes w infinite", set(wire.Values{"value": fl(0x1p1023), "lo": fl(-maxF), "hi": fl(maxF), "f": fl(maxF), "s": sign(-1), "m": num(1<<52 - 1)}), "carried-infinity")
	for _, k := range []int{1023, 1022, 1000} { // w is a quarter of a unit below 2^1024
		unit := math.Ldexp(1, k)
		for _, s := range []int{1, -1} {
			f := -float64(s) * (0x1p1023 + (0x1p1023 - unit/4))
			b.add("rounded-overflow", "w is finite, its nearest multiple is not: an infinity, carried and clamped; a refusal would depend on f",
				set(wire.Values{"value": fl(unit), "lo": fl(-maxF), "hi": fl(maxF), "f": fl(f), "s": sign(s), "m": num(1<<52 - 1)}), "carried-infinity")
		}
	}
	for _, m := range []int64{1<<52 - 1, 1<<52 - 2, 1 << 51} {
		for _, f := range []float64{0, 0.25, -3} {
			b.add("y-underflow", "lambda LN(u) rounds to 0 or next to it; with y = +0 and s = -1, z = -0",
				set(wire.Values{"value": fl(minSub), "m": num(m), "s": sign(-1), "f": fl(f)}), "zero-sign", "subnormal")
		}
	}
	for _, z := range [][2]uint64{{0, 1 << 63}, {1 << 63, 0}, {1 << 63, 1 << 63}, {0, 0}} {
		b.add("zero-bounds", "bounds +0 and -0 in any order are equal; +0 is released",
			set(wire.Values{"lo": bits(z[0]), "hi": bits(z[1]), "f": fl(7)}), "bounds-equal", "zero-sign")
	}
	x87 := set(wire.Values{"value": bits(0x3ffc726ea7b56d4f), "m": num(79432716953356), "e": num(10)})
	b.one("double-rounding-product", "lambda LN(u) rounded to 64 bits and then to 53 gives another y", x87, "double-rounding")
	b.one("double-rounding-quotient", "the same for LN(u)/epsilon", set(wire.Values{"scale": scale("epsilon"), "value": bits(0x3ff9d65f3d4d8dcd), "m": num(3675134944361889), "e": num(1)}), "double-rounding")
	b.one("double-rounding-subnormal", "a subnormal y, rounded to 53 bits first, gives another", set(wire.Values{"value": bits(0x0000c97910ef7772), "m": num(4351378913884086), "e": num(5), "f": fl(0)}), "double-rounding", "subnormal")
	b.one("y-underflow", "lambda LN(u) underflows to zero: y = +0, z = +0", set(wire.Values{"value": fl(minSub), "m": num(1<<52 - 1)}), "zero-sign", "subnormal")
	b.one("y-underflow-minus", "y = +0, so z = -1 times +0 is -0", set(wire.Values{"value": fl(minSub), "m": num(1<<52 - 1), "s": sign(-1)}), "zero-sign", "subnormal")
	b.one("y-underflow-at-zero", "x = +0, z = -0: w = +0", set(wire.Values{"value": fl(minSub), "m": num(1<<52 - 1), "s": sign(-1), "f": fl(0)}), "zero-sign", "subnormal")
	b.one("far-draw", "u = 2^-(2^61), no double", set(wire.Values{"e": num(1 << 61), "lo": fl(-1e300), "hi": fl(1e300)}), "beyond-doubles")
	b.one("largest-e", "e = 2^62 - 1", set(wire.Values{"e": num(1<<62 - 1), "lo": fl(-1e300), "hi": fl(1e300), "s": sign(-1)}), "beyond-doubles")
	b.one("nearest-one", "u = 1 - 2^-53: the least noise", set(wire.Values{"m": num(1<<52 - 1)}), "near-one")
	b.one("subnormal-u", "u = 2^-1074", set(wire.Values{"e": num(1074), "lo": fl(-1000), "hi": fl(1000)}), "subnormal-draw")
	rejectSnap(b, base)
	unitEnds(b, base)
	b.one("reject-m-limit", "", set(wire.Values{"m": num(1 << 52)}), "domain")
	b.one("reject-m-just-above", "", set(wire.Values{"m": num(1<<52 + 1)}), "domain")
	b.one("reject-e-just-above", "", set(wire.Values{"e": num(1<<62 + 1)}), "domain")
	b.one("reject-e-negative", "", set(wire.Values{"e": num(-1)}), "domain")
	b.one("reject-m-before-overflow", "a bad draw is tested before the unit", set(wire.Values{"m": num(1 << 52), "value": fl(maxF)}), "domain")
	b.one("reject-m-negative", "", set(wire.Values{"m": num(-1)}), "domain")
	b.one("reject-e-zero", "", set(wire.Values{"e": num(0)}), "domain")
	b.one("reject-e-limit", "", set(wire.Values{"e": num(1 << 62)}), "domain")
	b.one("reject-e-limit-before-overflow", "a bad draw is tested before the unit", set(wire.Values{"e": num(1 << 62), "value": fl(maxF)}), "domain")

	// Seeded cases, classified by where w fell.
	half := func(in wire.Values, r wire.Result, ulps float64) bool {
		if r.Reject != "" {
			return false
		}
		w, unit := r.Out["w"].Float(), r.Out["unit"].Float()
		if unit == minSub {
			return false // every double is a multiple
		}
		q := math.Remainder(w, unit) // exact
		d := math.Abs(math.Abs(q) - unit/2)
		return math.Abs(w) < 0x1p50*unit && d <= ulps*math.Abs(up(w)-w) && math.Abs(w) > unit/4
	}
	type class struct {
		group, comment, flag string
		n                    int
		accept               func(wire.Values, wire.Result) bool
	}
	for _, c := range []class{
		{"tie-above", "w is a midpoint, w > 0", "tie", 60, func(in wire.Values, r wire.Result) bool {
			return half(in, r, 0) && r.Out["w"].Float() > 0
		}},
		{"tie-below", "w is a midpoint, w < 0", "tie-negative", 80, func(in wire.Values, r wire.Result) bool {
			return half(in, r, 0) && r.Out["w"].Float() < 0
		}},
		{"near-tie", "w is one ulp from a midpoint", "near-tie", 120, func(in wire.Values, r wire.Result) bool {
			return half(in, r, 1) && !half(in, r, 0)
		}},
		{"interior", "neither clamp acts and the noise is not absorbed", "", 150, func(in wire.Values, r wire.Result) bool {
			return r.Reject == "" && same(r, "rounded", "r") && in["f"].Text == r.Out["x"].Text && !same(r, "w", "x") && !same(r, "w", "z")
		}},
		{"epsilon-rounding", "lambda = fl(1/epsilon) would give another w", "scale-variant", 60, func(in wire.Values, r wire.Result) bool {
			if r.Reject != "" || in["scale"].Text != "epsilon" {
				return false
			}
			y := float64(1/in["value"].Float()) * r.Out["ln"].Float()
			return y != r.Out["y"].Float() && r.Out["w"].Float() != r.Out["x"].Float() && !math.IsInf(y, 0)
		}},
		{"absorbed", "the noise is below half an ulp of x", "absorbed", 30, func(_ wire.Values, r wire.Result) bool {
			return r.Reject == "" && same(r, "w", "x") && r.Out["z"].Float() != 0
		}},
		{"carried", "an infinity among the stages", "carried-infinity", 30, func(_ wire.Values, r wire.Result) bool {
			return r.Reject == "" && math.IsInf(r.Out["w"].Float(), 0)
		}},
	} {
		var flags []string
		if c.flag != "" {
			flags = append(flags, c.flag)
		}
		if err := b.collect(c.group, c.n, c.comment, b.op.Generate, c.accept, flags...); err != nil {
			return err
		}
	}
	b.misroundedLog("misrounded-log", 100)
	b.seeded("any", 250, "edge-weighted draw")
	return nil
}

// same reports whether two stages have the same bits.
func same(r wire.Result, a, b string) bool { return r.Out[a].Text == r.Out[b].Text }
