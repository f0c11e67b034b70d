// Package layout reads and writes the fields of a binary64.
//
// A finite double is a sign and an exact product s 2^q with an integer
// significand s < 2^53 and the exponent q of its last place, q >= -1074; this
// pair is what every bit-level function of the implementation works on, since
// it has no special case for subnormals.
package layout

import (
	"math"
	"math/bits"
)

const (
	// FracBits is the number of stored significand bits, p - 1 for p = 53.
	FracBits = 52
	// FracMask selects the stored significand.
	FracMask = 1<<FracBits - 1
	// MinPlace is the least exponent of a last place: the smallest positive
	// double is 2^MinPlace.
	MinPlace = -1074
	// MaxExp is the exponent of the largest power of two.
	MaxExp = 1023

	bias    = 1023
	expMask = 0x7ff
)

// Split returns the sign, significand and last-place exponent of a finite x:
// |x| = s 2^q, s < 2^53, q >= MinPlace, and s >= 2^52 unless q = MinPlace.
// Infinities and NaN have no such form; callers exclude them.
func Split(x float64) (neg bool, s uint64, q int) {
	b := math.Float64bits(x)
	neg = b>>63 != 0
	s = b & FracMask
	e := int(b >> FracBits & expMask)
	if e == 0 {
		return neg, s, MinPlace
	}
	return neg, s | 1<<FracBits, e + MinPlace - 1
}

// Join returns n 2^k for n <= 2^53 and k >= MinPlace. Such a number is either a
// double, which is returned exactly, or at least 2^1024, and then the result is
// +Inf.
func Join(n uint64, k int) float64 {
	if n == 0 {
		return 0
	}
	top := bits.Len64(n) - 1 // n 2^k is in [2^(top+k), 2^(top+k+1))
	switch {
	case top+k > MaxExp:
		return math.Inf(1)
	case top+k < 1-bias:
		// Subnormal: the stored field counts multiples of 2^-1074, and
		// n 2^(k+1074) < 2^52 here.
		return math.Float64frombits(n << (k - MinPlace))
	}
	// Left-justify to 53 bits; only n = 2^53 has one more, and its last bit is 0.
	var frac uint64
	if top <= FracBits {
		frac = n << (FracBits - top)
	} else {
		frac = n >> (top - FracBits)
	}
	return math.Float64frombits(uint64(top+k+bias)<<FracBits | frac&FracMask)
}

// Pow2 returns 2^k for MinPlace <= k <= MaxExp, and +Inf for a larger k.
func Pow2(k int) float64 { return Join(1, k) }

// Log2 returns floor(log2 x) and whether x is exactly that power of two, for a
// positive finite x, subnormals included.
func Log2(x float64) (k int, exact bool) {
	_, s, q := Split(x)
	return bits.Len64(s) - 1 + q, s&(s-1) == 0
}

// IsFinite reports whether x is neither an infinity nor NaN.
func IsFinite(x float64) bool {
	return math.Float64bits(x)>>FracBits&expMask != expMask
}

// PlusZero returns x, with a zero of either sign turned into +0.
func PlusZero(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}
