package plan

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func planWideCalibrate(b *builder) error {
	in := func(p uint, eps, d, lo, hi float64, c, a, fl0 int64) wire.Values {
		return wire.Values{
			"precision": num(int64(p)), "epsilon": fl(eps), "sensitivity": fl(d), "lo": fl(lo), "hi": fl(hi),
			"constant": num(c), "additive": num(a), "floor": num(fl0),
		}
	}
	type triple struct {
		name    string
		c, a, b int64
	}
	triples := []triple{{"published", 12, 2, 0}, {"proved", 15, 5, 1}}
	for _, p := range gen.Precisions {
		id := func(name string) string { return fmt.Sprintf("%s-%d", name, p) }
		for _, t := range triples {
			b.one(id("plain-"+t.name), "", in(p, 0.1, 1, -1000, 1000, t.c, t.a, t.b), "directed")
			wide := math.Ldexp(1, int(p)-14) // c B eta about 2^-14 c
			b.one(id("wide-"+t.name), "c B eta matters", in(p, 1, 2.5, -wide, wide/2, t.c, t.a, t.b), "directed")
			floor := math.Ldexp(float64(t.a+t.b*t.c), -int(p))
			b.one(id("floor-outside-"+t.name), "epsilon = (a + b c) eta exactly", in(p, floor, floor, 0, 0, t.c, t.a, t.b), "hypothesis-outside")
			b.one(id("floor-inside-"+t.name), "the double above (a + b c) eta", in(p, up(floor), floor, 0, 0, t.c, t.a, t.b), "hypothesis-inside")
		}
		edge := math.Ldexp(1, int(p)-7)
		b.one(id("bound-inside"), "the double below 2^(p-7) lambda, c = 0", in(p, 1, 1, -down(edge), 0, 0, 0, 0), "hypothesis-inside")
		b.one(id("bound-outside"), "B = 2^(p-7) lambda", in(p, 1, 1, -edge, 0, 0, 0, 0), "hypothesis-outside")
		b.one(id("lambda-third"), "1/3 is rounded up to p bits", in(p, 3, 1, -1, 1, 0, 0, 0), "directed")
		b.one(id("lambda-exact"), "lambda = 2", in(p, 0.5, 1, -1, 1, 0, 0, 0), "exact")
	}
	b.one("literature", "epsilon of 2^-130 at the precision m + 2 that the literature selects", in(132, 0x1p-130, 1, -1, 1, 12, 2, 0), "hypothesis-inside")
	b.one("literature-proved", "which the proved constants refuse: epsilon <= 20 eta", in(132, 0x1p-130, 1, -1, 1, 15, 5, 1), "hypothesis-outside")
	b.one("greatest-precision", "p = 4096", in(4096, 0.1, 1, -1, 1, 15, 5, 1), "precision-end")
	b.one("greatest-precision-floor", "a budget far above eta, and a sum of 4096 bits", in(4096, 1, 1, -maxF, maxF, 15, 5, 1), "precision-end")
	b.one("small-bound", "B below floor lambda", in(118, 1, 1, -0.125, 0.125, 15, 5, 2))
	b.one("zero-bounds", "B = 0", in(118, 1, 1, 0, 0, 15, 5, 1), "bounds-equal")
	b.one("one-sided", "B = max(|lo|, |hi|)", in(118, 0.1, 1, -1000, -5, 15, 5, 1), "bounds-one-sided")
	b.one("exact-integers", "a + b c has more than 53 bits", in(118, 1e6, 1, -1, 1, 1<<31-1, 256, 1<<31-1), "exact-integers")
	b.one("largest-integers", "c = a = b = 2^31 - 1", in(118, 1e6, 1, -1, 1, 1<<31-1, 1<<31-1, 1<<31-1), "exact-integers")
	b.one("above-the-doubles", "lambda = 2^1024, D/epsilon exactly", in(118, 0.5, 0x1p1023, 0, 0, 0, 0, 0), "overflow", "range-end")
	b.one("overflow", "D/epsilon of about 2^1025", in(118, 0.25, maxF, 0, 0, 12, 2, 0), "overflow")
	b.one("next-to-overflow", "lambda = the largest double, exactly", in(118, 1, maxF, 0, 0, 0, 0, 0), "near-overflow", "range-end")
	b.one("unit-beyond-doubles", "lambda between the largest double and 2^1024, Lambda = 2^1024", in(118, 1, maxF, -maxF, maxF, 1, 0, 0), "near-overflow", "range-end")
	b.one("rounds-to-overflow", "2^1024 (1 - 2^-106) rounds up to 2^1024 at 53 bits", in(53, 1, maxF, -maxF, maxF, 1, 0, 0), "overflow", "near-overflow")
	b.one("least-scale", "lambda = 2^-1074", in(118, 1, minSub, 0, 0, 0, 0, 0), "subnormal", "range-end")
	b.one("below-the-doubles", "lambda = 2^-1075 is no scale", in(118, 2, minSub, 0, 0, 0, 0, 0), "overflow", "subnormal")
	b.one("hypothesis-before-overflow", "", in(118, 0x1p-120, maxF, 0, 0, 12, 2, 0), "hypothesis-outside", "overflow")
	b.one("bound-before-overflow", "B >= 2^(p-7) lambda with a lambda that is no scale", in(118, 2, minSub, -1, 1, 0, 0, 0), "hypothesis-outside", "overflow")
	base := in(118, 1, 1, -1, 1, 12, 2, 0)
	b.rejectNotPositive(base, "epsilon", "reject-epsilon-")
	b.rejectNotPositive(base, "sensitivity", "reject-sensitivity-")
	for _, c := range []struct {
		slug string
		set  wire.Values
	}{
		{"precision-52", wire.Values{"precision": num(52)}}, {"precision-4097", wire.Values{"precision": num(4097)}},
		{"precision-wrapped", wire.Values{"precision": num(1<<32 + 118)}}, {"precision-huge", wire.Values{"precision": bigBits(64, 118)}},
		{"lo-nan", wire.Values{"lo": nan}}, {"hi-inf", wire.Values{"hi": fl(inf)}}, {"lo-above-hi", wire.Values{"lo": fl(2)}},
		{"constant-limit", wire.Values{"constant": num(1 << 31)}}, {"additive-negative", wire.Values{"additive": num(-1)}},
		{"floor-huge", wire.Values{"floor": bigBits(64, 12)}},
		{"domain-before-hypothesis", wire.Values{"epsilon": fl(0x1p-130), "lo": nan}},
	} {
		b.one("reject-"+c.slug, "", with(base, c.set), "domain")
	}
	return b.collect("any", 80, "edge-weighted draw", gen.WideCalibrate, func(_ wire.Values, r wire.Result) bool { return short(r) })
}
