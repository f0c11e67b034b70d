package ops

import (
	"math/bits"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// The derivation of digest cases: integer arithmetic that any language can
// repeat. vectors/PROTOCOL.md states it in the same order and words; a change
// here is a new protocol version. Words are taken from the stream in the order
// written, one Uint64 each.

// deriveFloat makes the bits of a double from two words. The low three bits of
// the first choose: any pattern; exponent near that of 1; near 1; a short significand.
func deriveFloat(s gen.Source) uint64 {
	a, b := s.Uint64(), s.Uint64()
	frac := b & (1<<52 - 1)
	near := 1023 - 20 + (a>>3)%41 // biased exponent of [2^-20, 2^21)
	switch a & 7 {
	case 0, 1:
		return b
	case 2:
		return near<<52 | 1<<(51-(b>>52)%52) // one bit set
	case 3:
		return near<<52 | frac>>(b>>52%52)<<(b>>52%52)&(1<<52-1)
	case 4:
		return 0x3ff0000000000000 + b>>(12+(a>>3)%52) - b>>63<<40
	}
	return near<<52 | frac
}

// derivePositive clears the sign of deriveFloat.
func derivePositive(s gen.Source) uint64 { return deriveFloat(s) &^ (1 << 63) }

// deriveSigned gives deriveFloat the sign of the top bit of one more word.
func deriveSigned(s gen.Source) uint64 {
	f := derivePositive(s)
	return f | s.Uint64()>>63<<63
}

func deriveX(s gen.Source) wire.Values {
	return wire.Values{"x": wire.NewF64(derivePositive(s))}
}

// deriveDraw makes (m, e): e = 1 + the trailing zeros of a word, every eighth
// time spread to all lengths below 2^62.
func deriveDraw(s gen.Source) (m, e wire.Value) {
	a, b := s.Uint64(), s.Uint64()
	n := uint64(1 + bits.TrailingZeros64(b|1<<63))
	if a&7 == 0 {
		n = 1 + b>>(2+(a>>3)%62)
	}
	if n > 1<<62-1 {
		n = 1<<62 - 1
	}
	return wire.NewUint(a >> 12), wire.NewUint(n)
}

func deriveLnPair(s gen.Source) wire.Values {
	m, e := deriveDraw(s)
	return wire.Values{"m": m, "e": e}
}

// deriveWord picks one of two words by the top bit of a word.
func deriveWord(s gen.Source, t wire.Type) wire.Value {
	return wire.NewWord(t, t.Words()[s.Uint64()>>63])
}

// deriveRoundMultiple: unit 2^k, and x any double, or an odd number of half
// units, possibly moved by one ulp.
func deriveRoundMultiple(s gen.Source) wire.Values {
	a, n := s.Uint64(), s.Uint64()
	biased := 1 + (a>>8)%2046
	if a&1 == 0 {
		biased = 1023 - 20 + (a>>8)%41
	}
	x := deriveSigned(s)
	if a&6 != 0 && biased > 54 && biased < 1990 { // (odd) 2^(k-1)
		odd := n>>(12+(n&63)%52) | 1
		top := uint64(bits.Len64(odd) - 1)
		x = x>>63<<63 | (biased-1+top)<<52 | odd<<(52-top)&(1<<52-1)
		x += a >> 3 & 1
		x -= a >> 4 & 1
	}
	return wire.Values{"x": wire.NewF64(x), "unit": wire.NewF64(biased << 52), "ties": deriveWord(s, wire.Ties)}
}

// deriveBounds: a symmetric pair or two positive bounds in order.
func deriveBounds(s gen.Source) (lo, hi wire.Value) {
	a, b := derivePositive(s), derivePositive(s)
	if s.Uint64()>>63 == 0 {
		return wire.NewF64(a | 1<<63), wire.NewF64(a)
	}
	return wire.NewF64(min(a, b)), wire.NewF64(max(a, b))
}

func deriveClamp(s gen.Source) wire.Values {
	lo, hi := deriveBounds(s)
	return wire.Values{"x": wire.NewF64(deriveSigned(s)), "lo": lo, "hi": hi}
}

// deriveTape makes 16 bytes from two words, most significant byte first, behind
// 128 zero bytes once in 16 times.
func deriveTape(s gen.Source) wire.Value {
	a, b := s.Uint64(), s.Uint64()
	n := 0
	if s.Uint64()>>60 == 0 {
		n = 128
	}
	t := make([]byte, n+16)
	for i := range 8 {
		t[n+i] = byte(a >> (56 - 8*i))
		t[n+8+i] = byte(b >> (56 - 8*i))
	}
	return wire.NewTape(t)
}

func deriveUniform(s gen.Source) wire.Values {
	return wire.Values{"tape": deriveTape(s), "kind": deriveWord(s, wire.Kind)}
}

// deriveParams: a positive value, and bounds.
func deriveParams(s gen.Source) wire.Values {
	v := wire.Values{"scale": deriveWord(s, wire.ScaleOf), "value": wire.NewF64(derivePositive(s))}
	v["lo"], v["hi"] = deriveBounds(s)
	return v
}

func deriveSnap(s gen.Source) wire.Values {
	v := deriveParams(s)
	v["f"] = wire.NewF64(deriveSigned(s))
	v["m"], v["e"] = deriveDraw(s)
	v["s"] = deriveWord(s, wire.Sign)
	return v
}

func deriveSnapRelease(s gen.Source) wire.Values {
	v := deriveParams(s)
	v["f"] = wire.NewF64(deriveSigned(s))
	v["tape"] = deriveTape(s)
	v["kind"] = deriveWord(s, wire.Kind)
	return v
}

func deriveCalibrate(s gen.Source) wire.Values {
	v := wire.Values{"epsilon": wire.NewF64(derivePositive(s)), "sensitivity": wire.NewF64(derivePositive(s))}
	v["lo"], v["hi"] = deriveBounds(s)
	w := s.Uint64()
	v["constant"] = wire.NewUint(w & 31)
	v["additive"] = wire.NewUint(w >> 5 & 15)
	v["floor"] = wire.NewUint(w >> 9 & 3)
	return v
}
