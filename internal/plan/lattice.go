package plan

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func planPow2Ceil(b *builder) error {
	x := func(v float64) wire.Values { return wire.Values{"x": fl(v)} }
	b.rejectNotPositive(wire.Values{}, "x", "reject-")
	b.one("largest", "2^1023 is its own ceiling", x(0x1p1023), "range-end")
	b.one("overflow-first", "the double above 2^1023", x(up(0x1p1023)), "overflow")
	b.one("overflow-max", "largest finite double", x(maxF), "overflow")
	for k := -1074; k <= 1023; k++ {
		if k >= -1018 && k <= 1018 && k%61 != 0 {
			continue // every exponent at both ends of the range, some between
		}
		p := math.Ldexp(1, k)
		flags := []string{"power-of-two"}
		if k < -1022 {
			flags = append(flags, "subnormal")
		}
		b.add("exact", fmt.Sprintf("2^%d", k), x(p), flags...)
		if k > -1074 && k%3 == 0 {
			b.add("below", fmt.Sprintf("the double below 2^%d", k), x(down(p)), flags...)
		}
		if k < 1023 && k%3 == 1 {
			b.add("above", fmt.Sprintf("the double above 2^%d", k), x(up(p)), flags...)
		}
	}
	b.seeded("any", 60, "edge-weighted draw")
	return nil
}

func planPow2CeilInv(b *builder) error {
	x := func(v float64) wire.Values { return wire.Values{"x": fl(v)} }
	b.rejectNotPositive(wire.Values{}, "x", "reject-")
	b.one("max", "1/x is a subnormal number that rounds up to 2^-1023 only exactly", x(maxF), "subnormal", "reciprocal")
	b.one("max-below", "", x(down(maxF)), "subnormal", "reciprocal")
	b.one("largest-power", "1/x = 2^-1023", x(0x1p1023), "subnormal", "power-of-two")
	b.one("above-largest-power", "", x(up(0x1p1023)), "subnormal", "reciprocal")
	b.one("below-largest-power", "", x(down(0x1p1023)), "reciprocal")
	b.one("last-without-overflow", "1/x = 2^1023", x(0x1p-1023), "subnormal", "range-end")
	b.one("overflow-first", "1/x is just above 2^1023", x(down(0x1p-1023)), "overflow", "subnormal")
	b.one("overflow-min", "smallest positive double", x(minSub), "overflow", "subnormal")
	for k := -1023; k <= 1023; k += 31 {
		p := math.Ldexp(1, k)
		b.add("exact", fmt.Sprintf("2^%d", k), x(p), "power-of-two")
		b.add("below", fmt.Sprintf("the double below 2^%d: 1/x rounds to 2^%d but exceeds it", k, -k), x(down(p)), "reciprocal")
		b.add("above", fmt.Sprintf("the double above 2^%d", k), x(up(p)), "reciprocal")
	}
	b.seeded("any", 60, "edge-weighted draw")
	return nil
}

func planRoundMultiple(b *builder) error {
	in := func(x, unit float64, up bool) wire.Values {
		return wire.Values{"x": fl(x), "unit": fl(unit), "ties": ties(up)}
	}
	both := func(group, comment string, x, unit float64, flags ...string) {
		for _, t := range []bool{true, false} {
			b.add(group, comment, in(x, unit, t), flags...)
			b.add(group, comment, in(-x, unit, t), flags...)
		}
	}
	one := func(slug, comment string, v wire.Values, flags ...string) { b.one(slug, comment, v, flags...) }
	one("carry-inner-ones", "1.5 = 1.1 in binary: the integral part is all ones, the last bit is not", in(1.5, 1, true), "carry", "tie")
	one("carry-later-zero", "7.625: 111.101, integral part all ones and a later bit 0: 8", in(7.625, 1, true), "carry")
	one("tie-minus-1-5", "toward +inf gives -1; away from zero gives -2", in(-1.5, 1, true), "tie-negative")
	one("tie-minus-0-5", "toward +inf gives +0; the published recipe gives -1", in(-0.5, 1, true), "tie-negative", "half-unit", "zero-sign")
	one("tie-minus-0-5-down", "toward -inf gives -1", in(-0.5, 1, false), "tie-negative", "half-unit")
	one("zero", "", in(0, 1, true), "zero-sign")
	one("minus-zero", "-0 gives +0", in(math.Copysign(0, -1), 1, true), "zero-sign")
	one("largest-below-half", "0.5 - 2^-54: x + 1/2 rounds to 1 in floating point, the answer is 0", in(down(0.5), 1, true), "half-unit", "near-tie")
	for n := range 12 {
		both("tie", "odd multiple of half a unit", float64(2*n+1)/2, 1, "tie")
		both("tie-scaled", "the same with another unit", float64(2*n+1)/2*0x1p-7, 0x1p-7, "tie")
		both("tie-neighbour-below", "one ulp below a tie", down(float64(2*n+1)/2), 1, "near-tie")
		both("tie-neighbour-above", "one ulp above a tie", up(float64(2*n+1)/2), 1, "near-tie")
	}
	for k := 1; k <= 51; k += 2 {
		ones := math.Ldexp(1, k) - 0.5 // k ones, a point, a one
		both("carry", "integral part all ones, a tie", ones, 1, "carry", "tie")
		b.add("carry-later-bit", "integral part all ones, half, and a last bit", in(up(ones), 1, true), "carry")
		b.add("carry-later-bit", "integral part all ones, half, and a last bit", in(-up(ones), 1, true), "carry")
		b.add("carry-not", "integral part all ones, below half: no carry", in(down(ones), 1, true), "near-tie")
	}
	both("half", "half a unit", 0.5, 1, "half-unit", "tie")
	both("half-above", "above half a unit", up(0.5), 1, "half-unit", "near-tie")
	both("half-below", "below half a unit", down(0.5), 1, "half-unit", "near-tie")
	both("tiny", "far below half a unit", minSub, 1, "subnormal", "zero-sign")
	both("tiny-unit-max", "x/unit underflows by far", minSub, 0x1p1023, "subnormal", "zero-sign")
	both("huge", "already a multiple: x/unit would overflow", maxF, minSub, "already-multiple", "subnormal")
	both("huge-odd", "2^53 - 1 units", 1<<53-1, 1, "already-multiple")
	both("huge-half", "the last representable tie, 2^52 - 1/2", 1<<52-0.5, 1, "tie", "carry")
	both("min-unit", "every double is a multiple of 2^-1074", minSub, minSub, "already-multiple", "subnormal")
	for k := -1074; k <= -1020; k += 3 {
		u := math.Ldexp(1, k)
		if k == -1074 { // every double is a multiple of 2^-1074: no ties
			both("subnormal-multiple", "two of the smallest unit", 2*u, u, "subnormal", "already-multiple")
		} else {
			both("subnormal-unit", "a subnormal or hardly normal unit", 3*u/2, u, "subnormal", "tie")
		}
		b.add("subnormal-any", "a subnormal x", in(5.25*minSub, u, true), "subnormal")
		b.add("subnormal-any", "a subnormal x", in(-down(minNorm), u, true), "subnormal")
	}
	for k := 970; k <= 1023; k += 4 {
		u := math.Ldexp(1, k)
		b.add("top", "the largest double: is the multiple 2^1024?", in(maxF, u, true), "near-overflow")
		b.add("top", "its negative", in(-maxF, u, true), "near-overflow")
		b.add("top-below", "half a unit below 2^1024, when that is a double", in(maxF-math.Ldexp(1, max(k-1, 971)), u, true), "near-overflow")
	}
	for _, c := range []struct {
		slug    string
		x, unit wire.Value
	}{
		{"reject-x-nan", nan, fl(1)}, {"reject-x-inf", fl(inf), fl(1)}, {"reject-x-minus-inf", fl(-inf), fl(1)},
		{"reject-unit-nan", fl(1), nan}, {"reject-unit-inf", fl(1), fl(inf)}, {"reject-unit-zero", fl(1), fl(0)},
		{"reject-unit-negative", fl(1), fl(-1)}, {"reject-unit-negative-subnormal", fl(1), fl(-minSub)}, {"reject-unit-minus-two", fl(-3), fl(-2)}, {"reject-unit-minus-zero", fl(1), bits(1 << 63)}, {"reject-unit-three", fl(1), fl(3)},
		{"reject-unit-subnormal-three", fl(1), fl(3 * minSub)}, {"reject-unit-above-one", fl(1), fl(up(1))},
		{"reject-domain-before-overflow", fl(maxF), fl(down(0x1p1023))},
	} {
		b.one(c.slug, "", wire.Values{"x": c.x, "unit": c.unit, "ties": ties(true)}, "domain")
	}
	b.seeded("any", 250, "edge-weighted draw")
	return nil
}

func planClamp(b *builder) error {
	in := func(x, lo, hi float64) wire.Values {
		return wire.Values{"x": fl(x), "lo": fl(lo), "hi": fl(hi)}
	}
	mz := math.Copysign(0, -1)
	for _, c := range []struct {
		slug, comment string
		x, lo, hi     float64
		flag          string
	}{
		{"inside", "", 0.5, -1, 1, ""},
		{"below", "", -2, -1, 1, ""},
		{"above", "", 2, -1, 1, ""},
		{"at-lo", "", -1, -1, 1, ""},
		{"at-hi", "", 1, -1, 1, ""},
		{"plus-inf", "an infinite x clamps", inf, -1, 1, "infinite"},
		{"minus-inf", "an infinite x clamps", -inf, -1, 1, "infinite"},
		{"minus-zero", "-0 gives +0", mz, -1, 1, "zero-sign"},
		{"minus-zero-at-lo", "x = -0 = lo", mz, mz, 1, "zero-sign"},
		{"minus-zero-lo", "the bound -0 gives +0", -1, mz, 1, "zero-sign"},
		{"minus-zero-hi", "the bound -0 gives +0", 1, -1, mz, "zero-sign"},
		{"zero-bounds-crossed-signs", "lo = +0, hi = -0 are equal as numbers", 5, 0, mz, "zero-sign"},
		{"equal-bounds", "", 7, 3, 3, ""},
		{"one-sided-negative", "hi < 0", 0, -3, -2, "bounds-one-sided"},
		{"one-sided-positive", "lo > 0", 0, 2, 3, "bounds-one-sided"},
		{"whole-range", "", 1e300, -maxF, maxF, "range-end"},
		{"subnormal", "", minSub, -minSub, minSub, "subnormal"},
	} {
		var flags []string
		if c.flag != "" {
			flags = append(flags, c.flag)
		}
		b.one(c.slug, c.comment, in(c.x, c.lo, c.hi), flags...)
	}
	for _, c := range []struct {
		slug      string
		x, lo, hi wire.Value
	}{
		{"reject-x-nan", nan, fl(-1), fl(1)}, {"reject-lo-nan", fl(0), nan, fl(1)}, {"reject-hi-nan", fl(0), fl(-1), nan},
		{"reject-lo-inf", fl(0), fl(-inf), fl(1)}, {"reject-hi-inf", fl(0), fl(-1), fl(inf)},
		{"reject-lo-above-hi", fl(0), fl(1), fl(-1)}, {"reject-lo-just-above-hi", fl(0), fl(up(1)), fl(1)},
		{"reject-equal-infinities", fl(0), fl(inf), fl(inf)},
	} {
		b.one(c.slug, "", wire.Values{"x": c.x, "lo": c.lo, "hi": c.hi}, "domain")
	}
	b.seeded("any", 125, "edge-weighted draw")
	return nil
}
