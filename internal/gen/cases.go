package gen

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func f64(bits uint64) wire.Value { return wire.NewF64(bits) }

func word(src Source, t wire.Type) wire.Value {
	words := t.Words()
	return wire.NewWord(t, words[pick(src, len(words))])
}

// Ln is a case of ln, pow2_ceil or pow2_ceil_inv.
func Ln(src Source) wire.Values {
	return wire.Values{"x": f64(rarely(src, Positive, Special))}
}

// LnPair is a case of ln_pair.
func LnPair(src Source) wire.Values {
	m, e := Draw(src)
	mv, ev := wire.NewUint(m), wire.NewInt(e)
	switch pick(src, 64) {
	case 63:
		ev = wire.NewInt(-between(src, 0, 3))
	case 62:
		mv = wire.NewUint(1<<52 + src.Uint64()>>10)
	}
	return wire.Values{"m": mv, "e": ev}
}

// RoundMultiple is a case of round_multiple: ties, their neighbours, multiples,
// numbers whose integral part is all ones, the edge of half a unit, and any pair.
func RoundMultiple(src Source) wire.Values {
	unit := Pow2(src)
	u := math.Float64frombits(unit)
	half := u / 2 // 0 for the smallest subnormal: every x is a multiple then
	x := choose(src,
		func(s Source) uint64 { return math.Float64bits(float64(pick(s, 9)) * half) },
		func(s Source) uint64 { return step(math.Float64bits(float64(1+2*pick(s, 64))*half), nudge(s)) },
		func(s Source) uint64 { // (2n+1)/2 units, n of any length
			n := s.Uint64() >> between(s, 11, 63)
			return step(math.Float64bits(float64(2*n+1)*half), nudge(s))
		},
		func(s Source) uint64 { // 1..1.1x: the carry runs through the integral part
			n := float64(uint64(1)<<between(s, 0, 52)) - 0.5
			return step(math.Float64bits(n*u), int64(pick(s, 3))-1)
		},
		func(s Source) uint64 { return step(math.Float64bits(half), nudge(s)) },
		func(s Source) uint64 { return Positive(s) },
		func(s Source) uint64 { // about as large as the unit
			return step(unit, 0) + s.Uint64()&fracMask - s.Uint64()&(3<<52)
		},
	)
	if x&^uint64(signBit) > bitsMax {
		x = bitsMax
	}
	if src.Uint64()&1 == 1 {
		x |= signBit
	}
	switch pick(src, 48) {
	case 47:
		unit = Positive(src)
	case 46:
		unit = Special(src)
	case 45:
		x = Special(src)
	}
	return wire.Values{"x": f64(x), "unit": f64(unit), "ties": word(src, wire.Ties)}
}

// Bounds returns lo <= hi, finite: symmetric, shifted, equal, of one sign.
func Bounds(src Source, size func(Source) uint64) (lo, hi uint64) {
	a, b := size(src), size(src)
	switch pick(src, 8) {
	case 0, 1, 2, 3:
		return a | signBit, a
	case 4:
		return a, a
	case 5:
		return min(a, b), max(a, b)
	case 6:
		return max(a, b) | signBit, min(a, b) | signBit
	}
	return a | signBit, b
}

// Clamp is a case of clamp.
func Clamp(src Source) wire.Values {
	lo, hi := Bounds(src, Positive)
	if pick(src, 8) == 7 {
		lo = src.Uint64() & signBit // a zero of either sign as a bound
	}
	x := choose(src,
		func(s Source) uint64 { return lo },
		func(s Source) uint64 { return hi },
		Finite,
		func(s Source) uint64 { return lo ^ 1 },
		func(s Source) uint64 { return hi ^ 1 },
		Special,
	)
	switch pick(src, 32) {
	case 31:
		lo, hi = hi, lo
	case 30:
		hi = Special(src)
	}
	return wire.Values{"x": f64(x), "lo": f64(lo), "hi": f64(hi)}
}

// Tape returns a tape of up to 16 random bytes behind the given number of zero bits.
func Tape(src Source, zeros int) []byte {
	b := make([]byte, (zeros+7)/8+pick(src, 17))
	for i := range b {
		b[i] = byte(src.Uint64() >> 56)
	}
	for i := range min(zeros, 8*len(b)) {
		b[i/8] &^= 0x80 >> (i % 8)
	}
	return b
}

// Uniform is a case of uniform: short and long runs of zeros, the subnormal end
// of the binary64 kind, tapes that end too early.
func Uniform(src Source) wire.Values {
	zeros := choose(src,
		func(Source) int { return 0 },
		func(s Source) int { return pick(s, 70) },
		func(s Source) int { return 1015 + pick(s, 70) },
	)
	return wire.Values{"tape": wire.NewTape(Tape(src, zeros)), "kind": word(src, wire.Kind)}
}

// Calibrate is a case of snap_calibrate: budgets near the floor (a + b c) eta,
// bounds near 2^46 lambda, tiny and huge sensitivities.
func Calibrate(src Source) wire.Values {
	c := []int64{0, 1, 12, 15, 24, between(src, 0, 1<<31-1)}[pick(src, 6)]
	a := []int64{0, 2, 5, between(src, 0, 1<<31-1)}[pick(src, 4)]
	b := []int64{0, 1, 2, between(src, 0, 1<<31-1)}[pick(src, 4)]
	eps := Moderate(src)
	d := Moderate(src)
	switch pick(src, 8) {
	case 7:
		eps = step(math.Float64bits(math.Ldexp(float64(a)+float64(b)*float64(c), -53)), nudge(src))
	case 6:
		eps = Positive(src)
	case 5:
		d = Positive(src)
	}
	lo, hi := Bounds(src, Moderate)
	switch pick(src, 8) {
	case 7:
		lo, hi = Bounds(src, Positive)
	case 6: // B about 2^46 D/epsilon, where the hypothesis on B ends when c = 0
		edge := math.Ldexp(math.Float64frombits(d)/math.Float64frombits(eps), 46)
		if !math.IsInf(edge, 0) {
			hi = step(math.Float64bits(edge), nudge(src))
			lo = hi | signBit
		}
	}
	v := wire.Values{
		"epsilon": f64(rarely(src, func(Source) uint64 { return eps }, Special)), "sensitivity": f64(rarely(src, func(Source) uint64 { return d }, Special)),
		"lo": f64(lo), "hi": f64(hi),
		"constant": wire.NewInt(c), "additive": wire.NewInt(a), "floor": wire.NewInt(b),
	}
	if pick(src, 64) == 63 {
		v["constant"] = wire.NewInt(1<<31 + between(src, -1, 1))
	}
	return v
}
