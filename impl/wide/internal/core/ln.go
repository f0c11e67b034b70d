// Package core is the mechanism at p bits of precision: its stages over math/big,
// without hypotheses and without randomness of its own.
package core

import "math/big"

// firstGuard is how many bits beyond the result the first attempt carries. One
// input in about 2^20 needs a second.
const firstGuard = 40

// Ln returns the natural logarithm of u = (1 + m 2^-(p-1)) 2^-e, rounded to the
// nearest number of p bits: 0 <= m < 2^(p-1), 1 <= e < 2^62, p >= 10.
//
// # Method
//
// u = s 2^-k with s = M/2^f in [3/4, 3/2), k >= 0. An integer q from the leading
// bits of s makes v = s q/128 - 1 small, |v| < 2^-7, and v is dyadic: no rounding.
// Then, all terms in fixed point with w fraction bits ("1 ulp" is 2^-w),
//
//	-ln u = k ln 2 + ln(q/128) - 2 artanh(t),  t = v/(2 + v),  |t| < 2^-7.99.
//
// # Error, in ulps, n the number of terms of the series
//
//	t    one truncated quotient of exact numbers: < 1
//	t^2  2|t| + 1 < 1.01
//	t^i  err(t^(i+2)) <= err(t^i) t^2 + |t^i| 1.01 + 1 < 1.01;  t^i/i: < 1.35
//	2 artanh  2 (1 + 1.35 (n-1) + the rest, < 1.02) < 2.7 n + 1.4
//	ln(q/128) 1.01;  k ln 2: 2^62 1.01 2^-64 + 1 < 1.26
//
// together below 3n + 4 =: E. When the ends of the enclosure of radius E round to
// the same number of p bits, that is the result, since rounding is monotone.
// Otherwise the guard is doubled: ln u is transcendental (Lindemann), so it is
// never a midpoint between two numbers, and the loop ends.
//
// # Precision
//
// w = p + lead + guard with |ln u| >= 2^-lead: for k >= 1, |ln u| >= ln 2 - ln 3/2
// > 2^-2; for k = 0 and q != 128, s < 1 - 2^-8 (the choice of q), so lead = 8; for
// q = 128, v = s - 1 and |ln u| >= |v|.
func Ln(m *big.Int, e int64, p uint) *big.Float {
	significand := new(big.Int).SetBit(m, int(p-1), 1) // a copy: m is not changed
	top := new(big.Int).Rsh(significand, p-10).Int64() // in [512, 1024)
	f, k, one := p-1, e, int64(512)
	if top >= 768 {
		f, k, one = p, e-1, 1024 // s below 1
	}
	// 128/s with the middle of the interval that top stands for, rounded.
	q := (2*128*2*one/(2*top+1) + 1) / 2
	v := new(big.Int).Mul(significand, big.NewInt(q)) // v 2^(f+7)
	v.Sub(v, new(big.Int).Lsh(big.NewInt(1), f+7))
	lead := uint(2)
	if k == 0 {
		lead = 8
		if q == 128 {
			lead = f + 8 - uint(v.BitLen())
		}
	}
	for extra := uint(firstGuard); ; extra *= 2 {
		w := (p + lead + extra + 63) &^ 63
		a, radius := enclose(v, f+7, k, int(q), w)
		low := new(big.Int).Sub(a, radius)
		if low.Sign() <= 0 {
			continue
		}
		lo, hi := fixed(low, w, p), fixed(a.Add(a, radius), w, p)
		if lo.Cmp(hi) == 0 {
			return lo.Neg(lo)
		}
	}
}

// enclose returns k ln 2 + ln(q/128) - ln(1 + v 2^-scale) in units of 2^-w and
// the radius of its error.
func enclose(v *big.Int, scale uint, k int64, q int, w uint) (a, radius *big.Int) {
	den := new(big.Int).Lsh(big.NewInt(1), scale+1)
	den.Add(den, v)
	t := new(big.Int).Abs(v)
	t.Lsh(t, w).Quo(t, den)
	square := new(big.Int).Mul(t, t)
	square.Rsh(square, w)
	sum, wide, term := new(big.Int).Set(t), new(big.Int), new(big.Int)
	n := int64(1)
	for ; ; n++ {
		wide.Mul(t, square)
		if t.Rsh(wide, w); t.Sign() == 0 {
			break
		}
		sum.Add(sum, term.Quo(t, term.SetInt64(2*n+1)))
	}
	sum.Lsh(sum, 1)
	if v.Sign() > 0 {
		sum.Neg(sum)
	}
	if k != 0 || q != 128 { // near 1 there is nothing to look up, and w may be large
		c := constantsAt(w)
		sum.Add(sum, c.lnq[q-firstQ])
		wide.Mul(c.ln2, wide.SetInt64(k))
		sum.Add(sum, wide.Rsh(wide, 64))
	}
	return sum, big.NewInt(3*n + 4)
}

// fixed returns n 2^-w > 0 rounded to p bits, to nearest even.
func fixed(n *big.Int, w, p uint) *big.Float {
	x := new(big.Float).SetPrec(p).SetInt(n)
	return x.SetMantExp(x, -int(w))
}
