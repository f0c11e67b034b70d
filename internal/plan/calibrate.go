package plan

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func planCalibrate(b *builder) error {
	in := func(eps, d, lo, hi float64, c, a, fl0 int64) wire.Values {
		return wire.Values{
			"epsilon": fl(eps), "sensitivity": fl(d), "lo": fl(lo), "hi": fl(hi),
			"constant": num(c), "additive": num(a), "floor": num(fl0),
		}
	}
	type triple struct {
		name    string
		c, a, b int64
	}
	triples := []triple{{"published", 12, 2, 0}, {"proved", 15, 5, 1}, {"ideal", 0, 0, 0}, {"heavy", 24, 5, 2}}
	for _, t := range triples {
		b.one("plain-"+t.name, "", in(1, 1, -100, 100, t.c, t.a, t.b))
		b.one("sensitivity-"+t.name, "sensitivity 2.5", in(0.5, 2.5, -100, 100, t.c, t.a, t.b))
		b.one("asymmetric-"+t.name, "B = max(|lo|, |hi|)", in(0.1, 1, 5, 1000, t.c, t.a, t.b), "bounds-one-sided")
		b.one("negative-"+t.name, "both bounds negative", in(0.1, 1, -1000, -5, t.c, t.a, t.b), "bounds-one-sided")
		b.one("zero-bounds-"+t.name, "B = 0", in(1, 1, 0, 0, t.c, t.a, t.b), "bounds-equal")
		b.one("small-bound-"+t.name, "B below floor lambda", in(1, 1, -0.125, 0.125, t.c, t.a, t.b))
		b.one("wide-"+t.name, "c B eta matters", in(1, 1, -0x1p40, 0x1p40, t.c, t.a, t.b))
		b.one("tiny-sensitivity-"+t.name, "", in(1, minSub, -minSub, minSub, t.c, t.a, t.b), "subnormal")
		b.one("huge-sensitivity-"+t.name, "", in(8, 0x1p1020, -1, 1, t.c, t.a, t.b), "range-end")
		floor := math.Ldexp(float64(t.a+t.b*t.c), -53)
		if floor > 0 {
			b.one("floor-outside-"+t.name, "epsilon = (a + b c) eta exactly", in(floor, 1, -1, 1, t.c, t.a, t.b), "hypothesis-outside")
			b.one("floor-inside-"+t.name, "the double above (a + b c) eta", in(up(floor), 1, -1, 1, t.c, t.a, t.b), "hypothesis-inside")
			b.one("floor-below-"+t.name, "the double below (a + b c) eta", in(down(floor), 1, -1, 1, t.c, t.a, t.b), "hypothesis-outside")
		}
		// The largest B below 2^46 lambda, by bisection on the judge's answers.
		for i, eps := range []float64{0.03125, 0.25, 1, 40} {
			edge, ok := b.boundEdge(func(bound float64) wire.Values { return in(eps, 1, -bound, bound, t.c, t.a, t.b) })
			if !ok {
				continue // with c B eta in lambda, B stays below 2^46 lambda for this epsilon
			}
			b.one(fmt.Sprintf("bound-inside-%s-%d", t.name, i+1), "the largest B below 2^46 lambda", in(eps, 1, -edge, edge, t.c, t.a, t.b), "hypothesis-inside")
			b.one(fmt.Sprintf("bound-outside-%s-%d", t.name, i+1), "the double above it", in(eps, 1, -up(edge), up(edge), t.c, t.a, t.b), "hypothesis-outside")
		}
	}
	b.one("lambda-exact", "lambda = D/epsilon is a double: no rounding", in(0.5, 1, -1, 1, 0, 0, 0), "exact")
	b.one("lambda-rounded-up", "1/3 is rounded up", in(3, 1, -1, 1, 0, 0, 0), "directed")
	b.one("unit-from-lambda", "lambda just above a power of two", in(down(1), 1, -1, 1, 0, 0, 0), "directed")
	b.one("epsilon-prime-underflow", "epsilon_prime rounds down to +0 and is legal", wire.Values{
		"epsilon": bits(0x01a56e1fc2f8f359), "sensitivity": fl(minSub), "lo": bits(0x83b8f2b061aea072), "hi": bits(0x03b8f2b061aea072),
		"constant": num(1<<31 - 1), "additive": num(0), "floor": num(0),
	}, "directed", "subnormal")
	b.one("exact-integers", "a + b c has more than 53 bits: a double would lose a", wire.Values{
		"epsilon": bits(0x407fffffff800001), "sensitivity": fl(1), "lo": fl(-1), "hi": fl(1),
		"constant": num(1<<31 - 1), "additive": num(256), "floor": num(1<<31 - 1),
	}, "exact-integers", "hypothesis-inside")
	b.one("exact-integers-no-additive", "b c alone, next to epsilon 2^53", wire.Values{
		"epsilon": bits(0x407fffffff800001), "sensitivity": fl(1), "lo": fl(-1), "hi": fl(1),
		"constant": num(1<<31 - 1), "additive": num(0), "floor": num(1<<31 - 1),
	}, "exact-integers", "hypothesis-inside")
	b.one("rounded-lambda-in-hypothesis", "B < 2^46 lambda holds for the rounded lambda, a subnormal, and fails for the exact one", wire.Values{
		"epsilon": fl(0.75), "sensitivity": fl(minSub), "lo": bits(0x8000600000000000), "hi": bits(0x0000600000000000),
		"constant": num(0), "additive": num(0), "floor": num(0),
	}, "hypothesis-inside", "subnormal")
	for _, name := range []string{"constant", "additive", "floor"} {
		base := in(1, 1, -1, 1, 12, 2, 1)
		b.add("reject-wrapped", name+" = 2^32 + 12, which is 12 in 32 bits", with(base, wire.Values{name: num(1<<32 + 12)}), "domain", "exact-integers")
		b.add("reject-wrapped", name+" = 2^31, negative in 32 bits", with(base, wire.Values{name: num(1 << 31)}), "domain", "exact-integers")
		huge, err := wire.Parse(wire.Int, "18446744073709551628") // 2^64 + 12
		if err != nil {
			return err
		}
		b.add("reject-wrapped", name+" = 2^64 + 12, which is 12 in 64 bits", with(base, wire.Values{name: huge}), "domain", "exact-integers")
		b.add("largest-"+name, "the largest "+name, with(in(1e6, 1, -1, 1, 1, 1, 1), wire.Values{name: num(1<<31 - 1)}), "exact-integers")
	}
	b.one("overflow-lambda", "lambda exceeds the largest double", in(0.25, maxF, -1, 1, 0, 0, 0), "overflow")
	b.one("overflow-unit", "lambda is finite, the power of two above it is not", in(1, maxF, -1, 1, 0, 0, 0), "overflow")
	b.one("overflow-unit-first", "lambda = the double above 2^1023", in(1, up(0x1p1023), -1, 1, 0, 0, 0), "overflow")
	b.one("overflow-unit-not", "lambda = 2^1023", in(1, 0x1p1023, -1, 1, 0, 0, 0), "range-end")
	b.one("hypothesis-before-overflow", "epsilon below its floor, and a huge sensitivity", in(0x1p-60, maxF, -1, 1, 12, 2, 0), "hypothesis-outside", "overflow")
	b.one("largest-integers", "c = a = b = 2^31 - 1", in(1e6, 1, -1, 1, 1<<31-1, 1<<31-1, 1<<31-1))
	base := in(1, 1, -1, 1, 12, 2, 0)
	b.rejectNotPositive(base, "epsilon", "reject-epsilon-")
	b.rejectNotPositive(base, "sensitivity", "reject-sensitivity-")
	for _, c := range []struct {
		slug string
		set  wire.Values
	}{
		{"lo-nan", wire.Values{"lo": nan}}, {"hi-nan", wire.Values{"hi": nan}},
		{"lo-inf", wire.Values{"lo": fl(-inf)}}, {"hi-inf", wire.Values{"hi": fl(inf)}},
		{"lo-above-hi", wire.Values{"lo": fl(2)}},
		{"constant-negative", wire.Values{"constant": num(-1)}}, {"constant-limit", wire.Values{"constant": num(1 << 31)}},
		{"additive-negative", wire.Values{"additive": num(-1)}}, {"additive-limit", wire.Values{"additive": num(1 << 31)}},
		{"floor-negative", wire.Values{"floor": num(-1)}}, {"floor-limit", wire.Values{"floor": num(1 << 31)}},
		{"domain-before-hypothesis", wire.Values{"epsilon": fl(0x1p-60), "lo": nan}},
	} {
		b.one("reject-"+c.slug, "", with(base, c.set), "domain")
	}
	b.seeded("any", 250, "edge-weighted draw")
	return nil
}

// boundEdge finds the largest double B that the hypothesis B < 2^46 lambda admits.
func (b *builder) boundEdge(in func(bound float64) wire.Values) (float64, bool) {
	admitted := func(bits uint64) bool {
		return b.judge.Answer(wire.Case{Op: b.op.Op, In: in(math.Float64frombits(bits))}).Reject != "hypothesis"
	}
	lo, hi := math.Float64bits(1), math.Float64bits(0x1p60)
	if !admitted(lo) || admitted(hi) {
		return 0, false
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; admitted(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Float64frombits(lo), true
}
