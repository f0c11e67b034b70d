package real

import (
	"math/big"
	"math/bits"
)

// ErrExpRange is returned by Exp when |x| >= 2^61, where the exponent of the
// result would not fit.
const ErrExpRange Error = "real: exp needs |x| < 2^61"

// Exp returns an enclosure of e^x no wider than 2^-prec e^x; [1, 1] for x = 0.
//
// # Method
//
// x = k ln 2 + r with |r| < 0.36; e^r is the Taylor series at r/2^s, squared s
// times, in fixed point with wp fraction bits ("1 ulp" is 2^-wp).
//
// # Error
//
//	r: x floored 1, k ln 2 taken at wp + bitlen(k) bits or more and floored 2: < 3;
//	   r/2^s floored: < 4 ulps. Since e^a' - e^a = e^a (a' - a)(1 + tiny), that
//	   moves e^(r/2^s) by < 4.1 (|r/2^s| < 2^-5 as s >= 4).
//	Taylor: each term r^i/i! is the one before, times r, shifted, divided by i:
//	   two floors, error < 2 + (err before)·2^-5 < 2.1. n terms: < 2.1 n; the
//	   rest of the series once a term is 0 or -1 in fixed point: < 4.
//	   So err_0 = 3n + 9 covers both.
//	Squaring y <= e^0.36 < 1.5 with error d: 2 y d + d^2 2^-wp + 1 < 3d + 2,
//	   as d < 2^(wp/2) and a squared root is below 1.25 (2y < 2.5).
//
// The bound is iterated in integers next to the computation and the enclosure is
// the result plus or minus it; wp is chosen so that it is narrow enough (its
// logarithm is at most bitlen(err_0) + 2s, and e^r > 1/2).
func Exp(x Dyadic, prec uint) (Interval, error) {
	if prec > MaxPrec {
		return Interval{}, ErrPrec
	}
	if x.IsZero() {
		return Point(One()), nil
	}
	if x.Top() >= 61 {
		return Interval{}, ErrExpRange
	}
	if x.Top() < -int64(prec)-3 { // 1 + x + x^2.. within 2|x|: no need to expand x
		w := Pow2(-int64(prec) - 1)
		if x.Sign() > 0 {
			return Interval{One(), One().Add(w)}, nil
		}
		return Interval{One().Sub(w), One()}, nil
	}
	s := uint(4 + bits.Len(prec)/2)
	for uint(1)<<(s-4) < prec/(4*s) { // s about sqrt(prec): fewer terms, more squarings
		s++
	}
	guard := 2*s + bitLen64(int64(prec)+64) + 8
	wp := roundUp64(prec + guard)

	// k = round(x / ln 2) from 64 bits of x and of 1/ln 2: |r| < 0.35 + 2^-50 |k|... is
	// not good enough for huge x, so k comes from a quotient with bitlen(x)+8 bits.
	kp := roundUp64(uint(max(x.Top(), 0)) + 72)
	xq := x.Floor(-int64(kp))
	ln2k := ln2At(kp)
	kb := new(big.Int).Add(xq, new(big.Int).Rsh(ln2k, 1))
	kb.Div(kb, ln2k) // floor((x + ln2/2)/ln2), ends exact to 2^-60
	k := kb.Int64()

	wk := roundUp64(wp + bitLen64(k))
	r := new(big.Int).Mul(kb, ln2At(wk))
	r.Rsh(r, wk-wp)
	r.Sub(x.Floor(-int64(wp)), r)

	r.Rsh(r, s)
	y := new(big.Int).Lsh(big.NewInt(1), wp)
	term := new(big.Int).Set(y)
	n := int64(0)
	for i := int64(1); ; i++ {
		term.Mul(term, r).Rsh(term, wp)
		term.Div(term, big.NewInt(i))
		if term.Sign() == 0 || (term.Sign() < 0 && term.BitLen() <= 1) {
			n = i
			break
		}
		y.Add(y, term)
	}
	e := big.NewInt(3*n + 9)
	three, two := big.NewInt(3), big.NewInt(2)
	for range s {
		y.Mul(y, y).Rsh(y, wp)
		e.Mul(e, three).Add(e, two)
	}
	lo := new(big.Int).Sub(y, e)
	return Interval{
		norm(lo, k-int64(wp)),
		norm(y.Add(y, e), k-int64(wp)),
	}, nil
}

// ExpInterval returns an enclosure of exp over x, each end at relative precision prec.
func ExpInterval(x Interval, prec uint) (Interval, error) {
	lo, err := Exp(x.Lo, prec)
	if err != nil {
		return Interval{}, err
	}
	hi, err := Exp(x.Hi, prec)
	return Interval{lo.Lo, hi.Hi}, err
}
