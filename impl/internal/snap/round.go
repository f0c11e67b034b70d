// Package snap is the core of the snapping mechanism on binary64, by bits: the
// power of two above the scale, rounding to its multiples, clamping, and the
// mechanism as a chain of these for given randomness. It knows nothing of
// privacy hypotheses or of where randomness comes from; the production type and
// the derandomised entry points both run this code.
package snap

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// Ties says which of two equally near multiples rounding takes.
type Ties bool

const (
	Up   Ties = false // toward +inf
	Down Ties = true  // toward -inf
)

// Round returns the multiple of 2^k nearest to x.
//
// # Method
//
// The three exact steps of Covington 2019, section 4.2, on the pair s 2^q of
// layout.Split instead of on a double, so that x/2^k can neither overflow nor
// underflow and subnormals need no case of their own:
//
//  1. divide by 2^k: subtract k from the exponent;
//  2. nearest integer: split the significand at the binary point; whether it
//     goes up depends on the whole fraction and, at one half, on the sign and
//     the tie rule; the carry is that of an integer addition;
//  3. multiply by 2^k: add k to the exponent.
//
// # Special cases
//
//	Round(±Inf) = ±Inf (x must not be NaN)
//	a zero result is +0
//	x is returned when it is a multiple already: its last place is at least 2^k
//	the result is ±Inf when the nearest multiple is 2^1024 or more (k >= 972)
//
// # Accuracy
//
// Exact, for every x and every MinPlace <= k <= 1023.
func Round(x float64, k int, t Ties) float64 {
	if !layout.IsFinite(x) {
		return x
	}
	neg, s, q := layout.Split(x)
	place := k - q // the binary point of x/2^k is above this many bits of s
	switch {
	case place <= 0:
		return layout.PlusZero(x)
	case place > layout.FracBits+1:
		return 0 // |x| < 2^53 2^q <= 2^k/2
	}
	n, frac, half := s>>place, s&(1<<place-1), uint64(1)<<(place-1)
	// At a tie the magnitude grows when that is the direction of the tie rule.
	if frac > half || frac == half && neg == (t == Down) {
		n++
	}
	y := layout.Join(n, k)
	if neg && n != 0 {
		return math.Copysign(y, -1)
	}
	return y
}

// Clamp returns min(hi, max(lo, x)) for lo <= hi, with +0 for a zero. x may be
// infinite and must not be NaN.
func Clamp(x, lo, hi float64) float64 {
	if x < lo {
		x = lo
	}
	if x > hi {
		x = hi
	}
	return layout.PlusZero(x)
}

// CeilLog2 returns the least k with 2^k >= x, for a positive finite x. It may be
// 1024, which is no exponent of a double.
//
// For a normal x these are the two cases of Covington 2019, eq. (4.1): x itself
// when the significand bits are all 0, otherwise the exponent plus 1. Through
// Split the subnormals follow the same rule.
func CeilLog2(x float64) int {
	k, exact := layout.Log2(x)
	if !exact {
		k++
	}
	return k
}

// CeilLog2Inv returns the least k with 2^k >= 1/x exactly, for a positive finite
// x. With 2^j <= x < 2^(j+1), 1/x is in (2^(-j-1), 2^-j], so k = -j in both
// cases: no division, and no rounding of 1/x, is involved. It may be up to 1074.
func CeilLog2Inv(x float64) int {
	j, _ := layout.Log2(x)
	return -j
}
