// Package ln computes the natural logarithm rounded correctly to nearest even.
//
// # Method
//
// The argument is M 2^(E-52), 2^52 <= M < 2^53. A table indexed by the seven
// leading fraction bits of M turns it into 2^E v with v in [0.707, 1.414) and
// gives a reciprocal c of nine bits (c = 1 next to v = 1) for which
// r = v c - 1 is exact in 64 bits and |r| < 2^-7. Then
//
//	ln x = E ln 2 - ln c + r P(r),  P(r) = 1 - r/2 + r^2/3 - ...,
//
// in fixed point: P with 127 fractional bits, the sum with 192. The result is
// rounded if the error bound below decides it (Ziv 1991, "Fast evaluation of
// elementary mathematical functions with correctly rounded last bit");
// otherwise math/big takes over with growing precision.
//
// # Special cases
//
// ln 1 = +0. There is no other zero, no subnormal result and no overflow:
// 2^-53 <= |ln x| < 2^62 for every other argument here.
//
// # Accuracy
//
// Correctly rounded, without exception. Undecided cases are expected for one
// argument in 2^69.
package ln

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

//go:generate go run ./gen

// row is what the leading bits of M select; see table.go.
type row struct {
	mul uint64
	lnc [3]uint64
}

const (
	half = 53 // rows from here on use v = M/2^53 and E + 1
	slop = 32 // units of 2^-127 of the leading bit: see the error budget
)

// resorts counts the calls that needed math/big, for the tests.
var resorts atomic.Uint64

// Resorts returns how many calls in this process needed the last resort.
func Resorts() uint64 { return resorts.Load() }

// Float returns LN(x) for a positive finite x.
func Float(x float64) float64 {
	_, s, q := layout.Split(x)
	z := bits.LeadingZeros64(s) - 11 // 0 unless x is subnormal
	return rounded(s<<z, int64(q-z+layout.FracBits))
}

// Pair returns LN((1 + m 2^-52) 2^-e) for m < 2^52 and 1 <= e < 2^62.
func Pair(m uint64, e int64) float64 {
	return rounded(1<<layout.FracBits|m, -e)
}

// rounded returns the logarithm of M 2^(E-52), 2^52 <= M < 2^53, |E| < 2^62.
func rounded(m uint64, e int64) float64 { return within(m, e, slop) }

// within is rounded with the tolerance of the rounding test as an argument:
// any tolerance from slop on gives the same result, sooner or later by way of
// the last resort, which the tests use to reach it.
func within(m uint64, e int64, tol uint64) float64 {
	w3, w2, w1, w0, neg := sum(m, e)
	y, ok := round(w3, w2, w1, w0, neg, tol)
	if !ok {
		resorts.Add(1)
		return exact(m, e)
	}
	return y
}

// The error budget, in units of 2^-192 and with R = |r| 2^64 < 2^57 an exact
// integer.
//
// P: let Q_k be the computed 1/k - r Q_(k+1), Q_18 the rounded 1/18. Each step
// adds at most half a unit 2^-127 for the coefficient (none for the exact 1) and
// less than one for the product, which drops its low word. With |r| < 2^-7:
//
//	err Q_k <= 1.5/(1 - 2^-7) < 1.52 units for k >= 2,
//	err Q_1 <= 1 + 2^-7 1.52 < 1.02 units of 2^-127,
//	series cut after r^17/18: |r|^18/19/(1 - |r|) < 2^-126/18.8 < 0.11 units.
//
// So P is within 1.13 2^-127, and r P within R 2^-64 1.13 2^-127 = 2.26 R units.
// The product of R and P itself is exact.
// E ln 2: ln2 is within half a unit, so the product within |E|/2 units.
// -ln c: half a unit (and exactly 0 when c = 1).
//
// Sum: err <= |E|/2 + 2.26 R + [c != 1]/2 units. Relative to |ln x|:
//
//	E = 0, c = 1:  |ln x| >= R 2^128 (1 - 2^-7) units (R >= 1),
//	               err <= 2.26 R, relative < 2^-126.8;
//	E = 0, c != 1: |ln x| > 2^-8, that is 2^184 units; err < 2^58.2, < 2^-125.8;
//	E != 0:        |ln x| > 0.34 |E| 2^192 units, err < |E|/2 + 2^58.2, < 2^-132.
//
// (In the second case v <= 1 - 2^-8 or v >= 1 + 2^-7. In the third
// |E| ln 2 - max |ln v| >= |E| (0.6931 - 0.3470).)
// So the relative error is below 2^-125.5 always. The leading 128 bits of the
// sum, in units of 2^-127 of their first bit, are at most 2^128 2^-125.5 < 6 units off by
// that and 1 by truncation; slop = 32 covers it.

// sum returns the sign and magnitude of the fixed-point logarithm, in units of 2^-192.
func sum(m uint64, e int64) (w3, w2, w1, w0 uint64, neg bool) {
	i := m >> 45 & 127
	if i >= half {
		e++
	}
	t := &rows[i]
	r := m * t.mul // r 2^64 as a signed word: v c 2^64 modulo 2^64

	// -ln c, sign-extended: |ln c| < 1/2, so its first fraction bit is its sign.
	w0, w1, w2 = t.lnc[0], t.lnc[1], t.lnc[2]
	w3 = uint64(int64(w2) >> 63)

	// + r P(r)
	if r != 0 {
		a, rneg := r, int64(r) < 0
		if rneg {
			a = -r
		}
		p1, p0 := series(a, rneg)
		h1, l1 := bits.Mul64(a, p1)
		h0, l0 := bits.Mul64(a, p0)
		l1, c := bits.Add64(l1, h0, 0)
		h1 += c
		// a P is in units of 2^-191: double it.
		h1, l1, l0 = h1<<1|l1>>63, l1<<1|l0>>63, l0<<1
		if rneg {
			w0, c = bits.Sub64(w0, l0, 0)
			w1, c = bits.Sub64(w1, l1, c)
			w2, c = bits.Sub64(w2, h1, c)
			w3 -= c
		} else {
			w0, c = bits.Add64(w0, l0, 0)
			w1, c = bits.Add64(w1, l1, c)
			w2, c = bits.Add64(w2, h1, c)
			w3 += c
		}
	}

	// + E ln 2; |E| < 2^62, so the integer part stays far from 2^63.
	if e != 0 {
		a := uint64(e)
		if e < 0 {
			a = -a
		}
		h0, l0 := bits.Mul64(a, ln2[0])
		h1, l1 := bits.Mul64(a, ln2[1])
		h2, l2 := bits.Mul64(a, ln2[2])
		l1, c := bits.Add64(l1, h0, 0)
		l2, c = bits.Add64(l2, h1, c)
		h2 += c
		if e < 0 {
			w0, c = bits.Sub64(w0, l0, 0)
			w1, c = bits.Sub64(w1, l1, c)
			w2, c = bits.Sub64(w2, l2, c)
			w3, _ = bits.Sub64(w3, h2, c)
		} else {
			w0, c = bits.Add64(w0, l0, 0)
			w1, c = bits.Add64(w1, l1, c)
			w2, c = bits.Add64(w2, l2, c)
			w3, _ = bits.Add64(w3, h2, c)
		}
	}

	if neg = int64(w3) < 0; neg {
		var c uint64
		w0, c = bits.Sub64(0, w0, 0)
		w1, c = bits.Sub64(0, w1, c)
		w2, c = bits.Sub64(0, w2, c)
		w3, _ = bits.Sub64(0, w3, c)
	}
	return w3, w2, w1, w0, neg
}

// series returns P(r) in units of 2^-127, r = ±a 2^-64 with 0 < a < 2^57, by
// Horner's rule on Q_k = 1/k - r Q_(k+1). Every Q_k is positive and below 1.01,
// so it fits, and nothing borrows past the top word.
func series(a uint64, neg bool) (p1, p0 uint64) {
	var c uint64
	p0, p1 = recip[terms][0], recip[terms][1]
	if neg {
		for k := terms - 1; k >= 1; k-- {
			h1, l1 := bits.Mul64(a, p1)
			h0, _ := bits.Mul64(a, p0)
			l1, c = bits.Add64(l1, h0, 0)
			h1 += c
			p0, c = bits.Add64(recip[k][0], l1, 0)
			p1, _ = bits.Add64(recip[k][1], h1, c)
		}
		return p1, p0
	}
	for k := terms - 1; k >= 1; k-- {
		h1, l1 := bits.Mul64(a, p1)
		h0, _ := bits.Mul64(a, p0)
		l1, c = bits.Add64(l1, h0, 0)
		h1 += c
		p0, c = bits.Sub64(recip[k][0], l1, 0)
		p1, _ = bits.Sub64(recip[k][1], h1, c)
	}
	return p1, p0
}

// round rounds the magnitude w 2^-192 to a double, and reports whether every
// number within tol units (of 2^-127 of the leading bit of w) of it rounds the
// same way. Near a power of two the neighbour below is half as far, but tol is
// far less than a quarter of an ulp, so only the half-way point matters.
// The logarithm is 0 only for x = 1, where the sum is exact.
func round(w3, w2, w1, w0 uint64, neg bool, tol uint64) (float64, bool) {
	// Normalise to 128 bits, the leading one at the top: x 2^(top-127-192).
	top := 255
	for w3 == 0 {
		w3, w2, w1, w0 = w2, w1, w0, 0
		if top -= 64; top < 0 {
			return 0, true
		}
	}
	if s := bits.LeadingZeros64(w3); s > 0 {
		w3 = w3<<s | w2>>(64-s)
		w2 = w2<<s | w1>>(64-s)
		top -= s
	}
	// 53 bits are kept, 75 go: 11 of w3 and all of w2.
	const cut = 1<<11 - 1
	rest := w3 & cut
	sig := w3 >> 11
	up := rest >> 10
	// Undecided: within tol of the half-way point 2^74, on either side.
	if rest == 1<<10 && w2 <= tol || rest == 1<<10-1 && w2 >= -tol {
		return 0, false
	}
	b := uint64(top-192+1022)<<52 + sig + up // a carry out of sig moves the exponent
	if neg {
		b |= 1 << 63
	}
	return math.Float64frombits(b), true
}
