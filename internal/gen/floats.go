package gen

import "math"

// The bit patterns that divide binary64.
const (
	bitsOne     = 0x3ff0000000000000
	bitsMax     = 0x7fefffffffffffff // largest finite
	bitsMinNorm = 0x0010000000000000
	bitsInf     = 0x7ff0000000000000
	bitsNaN     = 0x7ff8000000000000
	signBit     = 1 << 63
	fracMask    = 1<<52 - 1
)

// step moves a positive finite pattern by n places, staying positive and finite.
func step(bits uint64, n int64) uint64 {
	v := int64(bits) + n
	return uint64(min(max(v, 1), bitsMax))
}

// nudge is a small step, weighted to none.
func nudge(src Source) int64 { return []int64{0, 1, -1, 2, -2, 3, -3, 0}[pick(src, 8)] }

// significand returns 52 bits: plain ones, runs of ones and zeros, or any.
func significand(src Source) uint64 {
	return choose(src,
		func(Source) uint64 { return 0 },
		func(s Source) uint64 { return 1 << between(s, 0, 51) },
		func(s Source) uint64 { return s.Uint64() & fracMask },
		func(s Source) uint64 { return fracMask >> between(s, 0, 51) },
		func(s Source) uint64 { return fracMask << between(s, 0, 51) & fracMask },
		func(s Source) uint64 { // mostly ones
			a, b := s.Uint64(), s.Uint64()
			return (a | b) & fracMask
		},
	)
}

// Positive returns the bits of a finite positive double: small integers, any
// pattern, powers of two and their neighbours, neighbours of 1, subnormals, the
// ends of the range, moderate numbers, patterned significands.
func Positive(src Source) uint64 {
	return choose(src,
		func(s Source) uint64 { return math.Float64bits(float64(1 + pick(s, 16))) },
		func(s Source) uint64 { return step(s.Uint64()&^uint64(signBit), 0) },
		func(s Source) uint64 { return step(uint64(between(s, 1, 2046))<<52, nudge(s)) },
		func(s Source) uint64 { return step(bitsOne, nudge(s)<<between(s, 0, 50)) },
		func(s Source) uint64 { return step(s.Uint64()&fracMask>>between(s, 0, 51), 0) },
		func(s Source) uint64 {
			ends := []uint64{1, bitsMax, bitsMinNorm, bitsMinNorm - 1, 2046 << 52, 2045 << 52}
			return step(ends[pick(s, len(ends))], nudge(s))
		},
		Moderate,
		func(s Source) uint64 { return uint64(between(s, 0, 2046))<<52 | significand(s) | 1 },
	)
}

// Moderate returns the bits of a positive double with an exponent in [-24, 24].
func Moderate(src Source) uint64 {
	e := between(src, -24, 24)
	if src.Uint64()&1 == 0 {
		e = 0
	}
	return uint64(1023+e)<<52 | significand(src)
}

// Finite returns the bits of a finite double: zeros of both signs included.
func Finite(src Source) uint64 {
	b := Positive(src)
	if pick(src, 16) == 15 {
		b = 0
	}
	return b | src.Uint64()&1<<63
}

// Special returns the bits of a NaN (of any payload and sign), an infinity, a
// zero or a number of the wrong sign: what operations on positive numbers refuse.
func Special(src Source) uint64 {
	return choose(src,
		func(s Source) uint64 { return s.Uint64() & signBit },
		func(s Source) uint64 { return bitsInf | s.Uint64()&signBit },
		func(s Source) uint64 { return bitsNaN },
		func(s Source) uint64 { return bitsInf | step(s.Uint64()&fracMask, 0) | s.Uint64()&signBit },
		func(s Source) uint64 { return Positive(s) | signBit },
	)
}

// rarely returns one of 32 cases from rare, the others from common.
func rarely(src Source, common, rare func(Source) uint64) uint64 {
	if pick(src, 32) == 31 {
		return rare(src)
	}
	return common(src)
}

// Pow2 returns the bits of a power of two, of exponent in [-1074, 1023], mostly moderate.
func Pow2(src Source) uint64 {
	e := between(src, -16, 16)
	if pick(src, 4) == 3 {
		e = between(src, -1074, 1023)
	}
	return math.Float64bits(math.Ldexp(1, int(e)))
}

// Draw returns m and e of a draw of U*: as the mechanism draws it, at the edges of
// m, near 1, where doubles become subnormal, and far beyond doubles.
func Draw(src Source) (m uint64, e int64) {
	m = significand(src)
	e = choose(src,
		func(s Source) int64 { return between(s, 1, 4) },
		func(s Source) int64 { // geometric
			n := int64(1)
			for w := s.Uint64(); w&1 == 1; w >>= 1 {
				n++
			}
			return n
		},
		func(s Source) int64 { return between(s, 1, 64) },
		func(s Source) int64 { return between(s, 1018, 1080) },
		func(s Source) int64 { return 1 + int64(s.Uint64()>>between(s, 2, 62)) },
	)
	return m, min(e, 1<<62-1)
}
