// Package calib computes the calibration of the snapping mechanism exactly
// (docs/theory.md 2.4): every result is a rational number of the parameters,
// evaluated over math/big and rounded once, in the direction that is safe.
//
// All parameters are finite doubles, so they are integers in units of 2^-1074,
// and their products with eta = 2^-53 are integers in units of 2^-1127; there
// are no fractions to reduce, only one quotient at the end.
package calib

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// eta = 2^-53 is the relative half-ulp of binary64.
const etaBits = 53

// one is log2 of 1 in the fixed-point unit 2^-1127.
const one = -layout.MinPlace + etaBits

// Triple is the constants of a privacy bound
//
//	(D + c max(B, b lambda) eta)/lambda + a eta,
//
// each in [0, 2^31), so that a + b c < 2^63.
type Triple struct {
	C int64 // constant c
	A int64 // additive a
	B int64 // floor b
}

// fixed returns |x| in units of 2^-1127.
func fixed(x float64) *big.Int {
	_, s, q := layout.Split(x)
	n := new(big.Int).SetUint64(s)
	return n.Lsh(n, uint(q+one))
}

// eta returns k x eta for a fixed-point x that is a double.
func eta(k int64, x *big.Int) *big.Int {
	n := new(big.Int).Mul(big.NewInt(k), x)
	return n.Rsh(n, etaBits) // exact: x is a multiple of 2^53
}

// etas returns k eta in fixed point.
func etas(k int64) *big.Int {
	n := big.NewInt(k)
	return n.Lsh(n, one-etaBits)
}

// bound returns B = max(|lo|, |hi|) in fixed point.
func bound(lo, hi float64) *big.Int {
	a, b := fixed(lo), fixed(hi)
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// AboveFloor reports whether epsilon > (a + b c) eta, exactly. Without it no
// scale achieves epsilon.
func AboveFloor(epsilon float64, t Triple) bool {
	return fixed(epsilon).Cmp(etas(t.A+t.B*t.C)) > 0
}

// Lambda returns the smallest double at or above
//
//	max( (D + c B eta)/(epsilon - a eta), D/(epsilon - (a + b c) eta) ),
//
// or +Inf when there is none. It requires D > 0 and AboveFloor.
func Lambda(epsilon, d, lo, hi float64, t Triple) float64 {
	eps, dd := fixed(epsilon), fixed(d)
	num := eta(t.C, bound(lo, hi))
	num.Add(num, dd)
	den := new(big.Int).Sub(eps, etas(t.A))
	first := quotient(num, den, 0, true)
	den.Sub(eps, etas(t.A+t.B*t.C))
	// Rounding is monotone, so the larger of the rounded is the rounded larger.
	return max(first, quotient(dd, den, 0, true))
}

// EpsilonPrime returns the largest double at or below
//
//	min( (epsilon - a eta)/(1 + c B eta/D), epsilon - (a + b c) eta ),
//
// which may be 0. It requires D > 0 and AboveFloor.
func EpsilonPrime(epsilon, d, lo, hi float64, t Triple) float64 {
	eps, dd := fixed(epsilon), fixed(d)
	den := eta(t.C, bound(lo, hi))
	den.Add(den, dd)
	num := new(big.Int).Sub(eps, etas(t.A))
	num.Mul(num, dd)                         // in units of 2^-2254
	first := quotient(num, den, -one, false) // one unit of 2^-1127 is left
	num.Sub(eps, etas(t.A+t.B*t.C))          // likewise
	second := quotient(num, unit, -one, false)
	return min(first, second)
}

var unit = big.NewInt(1)

// Achieved returns the privacy loss bound of a scale,
//
//	(D + c max(B, b lambda) eta)/lambda + a eta,
//
// rounded up to a double, +Inf on overflow. With inverse the scale lambda is
// 1/value exactly, and the bound is D value + c max(B value, b) eta + a eta.
func Achieved(value float64, inverse bool, d, lo, hi float64, t Triple) float64 {
	v, dd, b := fixed(value), fixed(d), bound(lo, hi)
	if inverse {
		// In units of 2^-2254, where 1 is 2^(2 one).
		bv := new(big.Int).Mul(b, v)
		if floor := new(big.Int).Lsh(big.NewInt(t.B), 2*one); bv.Cmp(floor) < 0 {
			bv = floor
		}
		sum := eta(t.C, bv)
		sum.Add(sum, dd.Mul(dd, v))
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(t.A), 2*one-etaBits))
		return quotient(sum, unit, -2*one, true)
	}
	if floor := new(big.Int).Mul(big.NewInt(t.B), v); b.Cmp(floor) < 0 {
		b = floor
	}
	sum := eta(t.C, b)
	sum.Add(sum, dd)
	sum.Add(sum, eta(t.A, v))
	return quotient(sum, v, 0, true)
}

// CompareBound returns the sign of B - 2^k lambda, exactly; lambda = value or
// 1/value. A value of +Inf (a scale that overflowed) is above every B.
func CompareBound(lo, hi, value float64, inverse bool, k uint) int {
	if !layout.IsFinite(value) {
		return -1
	}
	b, v := bound(lo, hi), fixed(value)
	if inverse {
		return b.Mul(b, v).Cmp(new(big.Int).Lsh(unit, 2*one+k)) // B value against 2^k
	}
	return b.Cmp(v.Lsh(v, k))
}
