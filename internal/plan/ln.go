package plan

import (
	"fmt"
	"math"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func planLn(b *builder) error {
	x := func(v float64) wire.Values { return wire.Values{"x": fl(v)} }
	b.one("one", "the one exact logarithm: +0", x(1), "exact")
	b.one("e", "nearest double to e", x(math.E))
	b.one("two", "", x(2), "power-of-two")
	b.one("half", "", x(0.5), "power-of-two")
	b.one("ten", "", x(10))
	b.one("max", "largest finite double", x(maxF), "range-end")
	b.one("min-normal", "", x(minNorm), "range-end")
	b.one("max-subnormal", "", x(down(minNorm)), "subnormal", "range-end")
	b.one("min-subnormal", "smallest positive double", x(minSub), "subnormal", "range-end")
	b.rejectNotPositive(wire.Values{}, "x", "reject-")
	for k := int64(1); k <= 24; k++ {
		b.add("near-one-below", fmt.Sprintf("1 - %d 2^-53", k), wire.Values{"x": bits(0x3ff0000000000000 - uint64(k))}, "near-one")
		b.add("near-one-above", fmt.Sprintf("1 + %d 2^-52", k), wire.Values{"x": bits(0x3ff0000000000000 + uint64(k))}, "near-one")
	}
	for k := 3; k <= 51; k++ {
		b.add("near-one-step", "1 - 2^-k and 1 + 2^-k", x(1-math.Ldexp(1, -k)), "near-one")
		b.add("near-one-step", "1 - 2^-k and 1 + 2^-k", x(1+math.Ldexp(1, -k)), "near-one")
	}
	for k := -1072; k <= 1023; k += 38 {
		p := math.Ldexp(1, k)
		b.add("power-of-two", fmt.Sprintf("2^%d", k), x(p), "power-of-two")
		b.add("power-of-two-below", fmt.Sprintf("the double below 2^%d", k), x(down(p)), "power-of-two")
		b.add("power-of-two-above", fmt.Sprintf("the double above 2^%d", k), x(up(p)), "power-of-two")
	}
	for k := range 52 {
		b.add("subnormal", "leading bit at every place of a subnormal", wire.Values{"x": bits(1<<k | 1<<k/3)}, "subnormal")
	}
	hard, err := parseHard(gen.HardLn)
	if err != nil {
		return err
	}
	for _, h := range hard {
		if !h.pair {
			b.one(fmt.Sprintf("hard-%016x", h.in["x"].Bits()), h.comment(), h.in, h.flag())
		}
	}
	b.one("lefevre-muller", "the worst case of the logarithm in double precision (Lefevre and Muller 2001): 2^-65.15 ulp from a double", wire.Values{"x": bits(0x6a562a88613629b6)}, "near-a-double")
	b.one("lefevre-muller-below", "the double below it", wire.Values{"x": bits(0x6a562a88613629b5)})
	b.seeded("any", 250, "edge-weighted draw")
	return nil
}

// hardEnough is the distance, 2^-40 ulp, from which on an input counts as hard;
// the list also keeps the hardest of the family next to 1, which are farther.
const hardEnough = -40

func (h hardInput) flag() string {
	switch {
	case h.log2 > hardEnough:
		return "near-one"
	case h.midpoint:
		return "hard-to-round"
	}
	return "near-a-double"
}

func (h hardInput) comment() string {
	target := "a double"
	if h.midpoint {
		target = "a midpoint"
	}
	return fmt.Sprintf("ln x is 2^%.2f ulp from %s", h.log2, target)
}

func planLnPair(b *builder) error {
	u := func(m uint64, e int64) wire.Values { return wire.Values{"m": wire.NewUint(m), "e": num(e)} }
	const top = 1<<52 - 1
	for _, e := range []int64{1, 2, 3, 10, 52, 53, 54, 1021, 1022, 1023, 1024, 1073, 1074, 1075, 1076, 4096,
		1 << 20, 1<<31 - 1, 1 << 31, 1 << 32, 1 << 40, 1<<52 + 1, 1 << 53, 1<<53 + 1, 1 << 61, 1<<62 - 2, 1<<62 - 1} {
		flags := []string{}
		if e > 1074 {
			flags = append(flags, "beyond-doubles")
		}
		b.add("low", "m = 0", u(0, e), append(flags, "power-of-two")...)
		b.add("low", "m = 1", u(1, e), flags...)
		b.add("high", "m = 2^52 - 1", u(top, e), flags...)
		b.add("middle", "m = 2^51", u(1<<51, e), flags...)
	}
	b.one("nearest-one", "u = 1 - 2^-53, the largest draw", u(top, 1), "near-one")
	for k := uint64(1); k < 24; k++ {
		b.add("near-one", "u = 1 - (k+1) 2^-53", u(top-k, 1), "near-one")
	}
	b.one("reject-m-limit", "m = 2^52", u(1<<52, 1), "domain")
	b.one("reject-m-negative", "", wire.Values{"m": num(-1), "e": num(1)}, "domain")
	b.one("reject-e-zero", "", u(0, 0), "domain")
	b.one("reject-e-negative", "", u(0, -1), "domain")
	b.one("reject-e-limit", "e = 2^62", wire.Values{"m": num(0), "e": num(1 << 62)}, "domain")
	huge, err := wire.Parse(wire.Int, "340282366920938463463374607431768211457") // 2^128 + 1
	if err != nil {
		return err
	}
	b.one("reject-e-huge", "e = 2^128 + 1, which is 1 modulo every word", wire.Values{"m": num(0), "e": huge}, "domain")
	b.one("reject-m-huge", "m = 2^128 + 1", wire.Values{"m": huge, "e": num(1)}, "domain")
	b.one("reject-e-just-above", "e = 2^62 + 1", u(0, 1<<62+1), "domain")
	b.one("reject-m-just-above", "m = 2^52 + 1", u(1<<52+1, 1), "domain")
	nines, err := wire.Parse(wire.Int, strings.Repeat("9", wire.MaxIntDigits))
	if err != nil {
		return err
	}
	b.one("reject-e-longest", "the longest Int there is", wire.Values{"m": num(0), "e": nines}, "domain")
	hard, err := parseHard(gen.HardLn)
	if err != nil {
		return err
	}
	for _, h := range hard {
		if h.pair {
			b.one(fmt.Sprintf("hard-%013x-e%s", h.in["m"].Big(), h.in["e"].Text), h.comment(), h.in, h.flag())
		}
	}
	b.seeded("any", 150, "edge-weighted draw")
	return nil
}
