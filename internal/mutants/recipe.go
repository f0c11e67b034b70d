package mutants

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// fault is a misreading of the rounding recipe of Covington 2019, section 4.2.
type fault int

const (
	none         fault = iota
	allOnes            // eq. (4.2): the carry into the exponent needs all 52 bits to be ones
	away               // eq. (4.2): m_(y+1) = 1 rounds up in magnitude, so a tie goes away from zero
	halfUp             // case y = -1 always gives magnitude 1
	evenTies           // ties to even, as the hardware and most libraries round
	truncated          // the fraction is dropped
	wholeTooSoon       // "already a multiple" from 2^(p-2) units on, one binade early
)

// recipe rounds x to a multiple of unit on the bits of x/unit = ±1.m_1…m_52 2^y:
// the integral part is 1 m_1…m_y, and m_(y+1) is the half.
func recipe(wrong fault) func(x, unit float64, t derand.Ties) float64 {
	return func(x, unit float64, t derand.Ties) float64 {
		if math.IsInf(x, 0) || x == 0 {
			return x
		}
		frac, exp := math.Frexp(math.Abs(x))
		significand := uint64(math.Ldexp(frac, 53)) // 1 m_1…m_52
		_, unitExp := math.Frexp(unit)
		y := exp - unitExp
		whole := 52
		if wrong == wholeTooSoon {
			whole = 51
		}
		var n uint64 // the multiple's index
		switch {
		case y >= whole:
			return x
		case y < -1:
			return 0
		case y == -1:
			if wrong == halfUp || up(wrong, significand, 53, math.Signbit(x), t) {
				n = 1
			}
		default:
			drop := 52 - y
			n = significand >> drop
			if up(wrong, significand, drop, math.Signbit(x), t) {
				if wrong == allOnes && n+1 == 1<<(y+1) && significand != 1<<53-1 {
					n = 1 << y // the field m_1…m_y wraps to zeros, and nothing is carried
				} else {
					n++
				}
			}
		}
		_, k := math.Frexp(unit)
		return math.Copysign(math.Ldexp(float64(n), k-1), x)
	}
}

// up reports whether the magnitude is rounded up when the last drop bits of the
// significand are the fraction.
func up(wrong fault, significand uint64, drop int, negative bool, t derand.Ties) bool {
	half := uint64(1) << (drop - 1)
	rest := significand & (1<<drop - 1)
	switch {
	case wrong == truncated:
		return false
	case rest != half:
		return rest > half
	case wrong == away:
		return true
	case wrong == evenTies:
		return significand>>drop&1 == 1
	}
	return negative == (t == derand.TiesDown)
}

// floorHalf is floor(x/unit + 1/2) unit, in floating point.
func floorHalf(x, unit float64, _ derand.Ties) float64 {
	return float64(math.Floor(float64(x/unit)+0.5) * unit)
}

// remainder subtracts what fmod leaves, or adds what is missing: fmod has the
// sign of x, so the comparison is never true for x < 0.
func remainder(x, unit float64, _ derand.Ties) float64 {
	rest := math.Mod(x, unit)
	if rest >= unit/2 {
		return x + (unit - rest)
	}
	return x - rest
}
