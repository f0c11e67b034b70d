package calib

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// quotient rounds num/den 2^shift to a double, toward +inf when up is set and
// toward 0 otherwise, for num >= 0 and den > 0.
//
// # Special cases
//
//	0 gives 0
//	up, below 2^-1074: 2^-1074;  down: 0
//	up, above the largest double: +Inf;  down: the largest double
//
// # Accuracy
//
// Exact directed rounding: one integer division, and the remainder decides.
func quotient(num, den *big.Int, shift int, up bool) float64 {
	if num.Sign() == 0 {
		return 0
	}
	// num/den is in (2^(n-1), 2^(n+1)), so with the last place 2^(n+shift-53)
	// the integer quotient is in [2^52, 2^54): 53 or 54 bits. In the latter case
	// one place more to the left leaves 53.
	n := num.BitLen() - den.BitLen()
	place := max(n+shift-53, layout.MinPlace)
	q, inexact := divide(num, den, shift-place)
	if q.BitLen() > 53 {
		place++
		q, inexact = divide(num, den, shift-place)
	}
	s := q.Uint64()
	if up && inexact {
		s++ // at most 2^53, which is a double too
	}
	y := layout.Join(s, place)
	if !up && math.IsInf(y, 1) {
		return math.MaxFloat64
	}
	return y
}

// divide returns floor(num/den 2^k) and whether anything was cut off.
func divide(num, den *big.Int, k int) (*big.Int, bool) {
	if k >= 0 {
		num = new(big.Int).Lsh(num, uint(k))
	} else {
		den = new(big.Int).Lsh(den, uint(-k))
	}
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	return q, r.Sign() != 0
}
