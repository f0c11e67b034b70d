package plan

import (
	"fmt"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// bitTape packs '0' and '1' characters into bytes; the last byte is filled with
// the given character.
func bitTape(bits string, fill byte) wire.Value {
	for len(bits)%8 != 0 {
		bits += string(fill)
	}
	b := make([]byte, len(bits)/8)
	for i, c := range bits {
		if c == '1' {
			b[i/8] |= 0x80 >> (i % 8)
		}
	}
	return wire.NewTape(b)
}

func zeros(n int) string { return repeat("0", n) }
func ones(n int) string  { return repeat("1", n) }

func repeat(s string, n int) string {
	out := ""
	for range n {
		out += s
	}
	return out
}

var kinds = []string{"unbounded", "binary64"}

func planUniform(b *builder) error {
	in := func(t wire.Value, k string) wire.Values { return wire.Values{"tape": t, "kind": kind(k)} }
	for _, k := range kinds {
		b.one("empty-"+k, "no bits at all", in(tape(), k), "tape-end")
		b.one("first-bit-"+k, "1 and 52 zeros: u = 1/2", in(bitTape("1"+zeros(52), '0'), k))
		b.one("largest-"+k, "all ones: u = 1 - 2^-53", in(bitTape(ones(53), '1'), k))
		b.one("bit-order-"+k, "01 then 0..01: the first bit of a byte is its most significant", in(bitTape("01"+zeros(51)+"1", '0'), k), "bit-order")
		b.one("bit-order-m-"+k, "the first of the 52 bits is the most significant of m", in(bitTape("11"+zeros(51), '0'), k), "bit-order")
		for _, n := range []int{8, 16, 48} {
			b.add("end-in-m-"+k, "the tape ends inside m", in(bitTape("1"+ones(n-1), '1'), k), "tape-end")
		}
		b.add("end-in-e-"+k, "64 zeros and no 1", in(bitTape(zeros(64), '0'), k), "tape-end")
		b.add("end-in-e-"+k, "1016 zeros and no 1", in(bitTape(zeros(1016), '0'), k), "tape-end")
		for _, e := range []int{2, 3, 8, 9, 64, 65, 500, 1021, 1022, 1023, 1024, 1073, 1074, 1075, 1076, 1200} {
			b.add("exponent-"+k, fmt.Sprintf("%d zeros, then 1", e-1),
				in(bitTape(zeros(e-1)+"1"+"10"+zeros(25)+ones(25)+"1"+zeros(80), '0'), k), "exponent-edge")
		}
		for _, lead := range []int{0, 1, 25, 50, 51} { // 1022 zeros, then a subnormal's 52 bits
			b.add("subnormal-"+k, fmt.Sprintf("1022 zeros, then %d zeros and a 1", lead),
				in(bitTape(zeros(1022)+zeros(lead)+"1"+repeat("10", 60), '0'), k), "subnormal-draw")
		}
		b.one("smallest-"+k, "1022 zeros, then 51 zeros and a 1: for binary64, u = 2^-1074",
			in(bitTape(zeros(1022)+zeros(51)+"1"+zeros(64), '0'), k), "subnormal-draw")
		b.one("exact-length-"+k, "the tape ends with the last bit of m", in(bitTape("00000000000"+"1"+repeat("01", 26), '0'), k))
		b.one("restart-"+k, "1074 zeros, then 1: for binary64 a zero is drawn and the draw restarts",
			in(bitTape(zeros(1074)+"1"+repeat("110", 40), '0'), k), "restart")
		b.one("restart-twice-"+k, "2148 zeros, then 01",
			in(bitTape(zeros(2*1074)+"01"+repeat("0110", 40), '0'), k), "restart")
		b.one("restart-end-"+k, "the tape ends after a restart", in(bitTape(zeros(1080), '0'), k), "restart", "tape-end")
		b.one("restart-subnormal-"+k, "a restart, then a subnormal draw",
			in(bitTape(zeros(1074)+zeros(1022)+zeros(20)+"1"+repeat("1", 90), '0'), k), "restart", "subnormal-draw")
	}
	b.seeded("any", 120, "edge-weighted draw")
	return nil
}

func planRelease(b *builder) error {
	base := wire.Values{
		"scale": scale("lambda"), "value": fl(1), "lo": fl(-100), "hi": fl(100), "f": fl(0.25),
		"tape": bitTape("0"+"1"+zeros(52)+zeros(40), '0'), "kind": kind("unbounded"),
	}
	set := func(r wire.Values) wire.Values { return with(base, r) }
	t := func(bits string) wire.Values { return wire.Values{"tape": bitTape(bits, '0')} }
	b.one("sign-zero", "first bit 0: s = +1, the output lies at or below f", base, "sign-side")
	b.one("sign-one", "first bit 1: s = -1", set(t("1"+"1"+zeros(60))), "sign-side")
	b.one("sign-matters-zero", "u = 2^-6", set(t("0"+"000001"+zeros(60))), "sign-side")
	b.one("sign-matters-one", "u = 2^-6", set(t("1"+"000001"+zeros(60))), "sign-side")
	b.one("empty", "no bits at all", set(wire.Values{"tape": tape()}), "tape-end")
	b.one("end-after-sign", "eight bits, all 0", set(wire.Values{"tape": tape(0)}), "tape-end")
	b.one("end-in-m", "", set(t("01"+ones(46))), "tape-end")
	for _, k := range kinds {
		b.one("subnormal-"+k, "1022 zeros after the sign", set(wire.Values{"tape": bitTape("1"+zeros(1022)+"0001"+ones(60), '0'), "kind": kind(k)}), "subnormal-draw")
		b.one("restart-"+k, "1074 zeros after the sign: the sign is not drawn again", set(wire.Values{"tape": bitTape("1"+zeros(1074)+"01"+repeat("10", 40), '0'), "kind": kind(k)}), "restart")
		b.one("far-tail-"+k, "700 zeros: the output is clamped", set(wire.Values{"tape": bitTape("0"+zeros(700)+"1"+repeat("10", 30), '0'), "kind": kind(k)}))
	}
	b.one("far-tail-unclamped", "3000 zeros and bounds that let it through", set(wire.Values{"tape": bitTape("0"+zeros(3000)+"1"+repeat("10", 30), '0'), "lo": fl(-1e6), "hi": fl(1e6)}), "beyond-doubles")
	b.one("equal-bounds", "lo = hi: one output", set(wire.Values{"lo": fl(3), "hi": fl(3)}), "bounds-equal")
	b.one("minus-zero-bound", "the bound -0 is released as +0", set(wire.Values{"hi": bits(1 << 63), "f": fl(5), "tape": bitTape("1"+"1"+zeros(60), '0')}), "zero-sign")
	rejectSnap(b, base)
	unitEnds(b, base)
	b.one("reject-domain-before-tape", "NaN and an empty tape", set(wire.Values{"f": nan, "tape": tape()}), "domain")
	b.one("reject-domain-bounds-before-tape", "lo > hi and an empty tape", set(wire.Values{"lo": fl(101), "tape": tape()}), "domain")
	b.one("reject-domain-value-before-tape", "value 0 and a tape that ends in m", set(wire.Values{"value": fl(0), "tape": bitTape("0111", '1')}), "domain")
	b.one("reject-overflow-before-tape-end", "Lambda = 2^1024 and a tape that ends in m", set(wire.Values{"value": fl(up(0x1p1023)), "tape": bitTape("0111", '1')}), "overflow")
	b.one("reject-overflow-before-tape", "Lambda = 2^1024 and an empty tape", set(wire.Values{"value": fl(maxF), "tape": tape()}), "overflow")
	for _, k := range kinds {
		for i, n := range []int{1, 2, 3} {
			b.add("restarts-"+k, "restarts of the draw, then a sign-shaped bit: the sign stays",
				set(wire.Values{"tape": bitTape(strconv.Itoa(i%2)+zeros(n*1074)+"001"+repeat("10", 40), '0'), "kind": kind(k)}), "restart")
			b.add("restarts-"+k, "the same with the other sign",
				set(wire.Values{"tape": bitTape(strconv.Itoa(1-i%2)+zeros(n*1074)+"001"+repeat("01", 40), '0'), "kind": kind(k)}), "restart")
		}
	}
	b.one("long-run", "20,000 zeros: no limit on e", set(wire.Values{"tape": bitTape("0"+zeros(20_000)+"1"+repeat("10", 30), '0'), "lo": fl(-1e6), "hi": fl(1e6)}), "beyond-doubles")
	if err := b.staged(map[string]bool{"tie-above": true, "tie-below": true, "near-tie": true, "epsilon-rounding": true, "misrounded-log": true,
		"tie-negative": true, "tie-minus-half": true, "tie-positive": true, "lambda-three": true, "epsilon-third": true, "interior": true,
		"double-rounding-product": true, "rounded-overflow": true, "zero-bounds": true, "y-underflow": true,
	}, 200); err != nil {
		return err
	}
	b.seeded("any", 250, "edge-weighted draw")
	return nil
}
