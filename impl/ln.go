package impl

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
	"github.com/dp-crosscheck/crosscheck/impl/internal/ln"
)

// Ln returns the natural logarithm of x, correctly rounded to nearest even.
//
// # Method
//
// Table-driven argument reduction and a polynomial in fixed point, with a
// rounding test and an exact last resort; impl/internal/ln has the error bounds.
//
// # Special cases
//
//	Ln(1) = +0
//	Ln(x) = NaN for x <= 0 (zeros of both signs included), x = +Inf and x = NaN
//
// # Accuracy
//
// Correctly rounded for every positive finite x, subnormals included. (math.Log
// is not, and its error is part of the output of a mechanism that uses it.)
func Ln(x float64) float64 {
	if !(x > 0) || !layout.IsFinite(x) {
		return math.NaN()
	}
	return ln.Float(x)
}

// LnPair returns the natural logarithm of u = (1 + m 2^-52) 2^-e, correctly
// rounded to nearest even. The pair may be far below the smallest double: its
// logarithm is an ordinary negative double, between -2^62 and -2^-53.
//
// # Method
//
// That of [Ln], which works on such pairs.
//
// # Special cases
//
//	LnPair(m, e) = NaN for m >= 2^52, e < 1 and e >= 2^62
//
// # Accuracy
//
// Correctly rounded on the whole domain 0 <= m < 2^52, 1 <= e < 2^62.
func LnPair(m uint64, e int64) float64 {
	if m > layout.FracMask || e < 1 || e >= 1<<62 {
		return math.NaN()
	}
	return ln.Pair(m, e)
}
