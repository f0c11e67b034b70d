package main

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
)

// fracBits is the number of fractional bits of every exact fixed-point value.
const fracBits = 320

// Target says which kind of point of the result grid an input lies close to.
type Target int

// The two kinds of grid points.
const (
	Midpoint Target = iota // halfway between adjacent binary64 numbers
	Double                 // a binary64 number
)

// String returns the name used in the list.
func (t Target) String() string {
	if t == Double {
		return "double"
	}
	return "midpoint"
}

// exactLn holds the constants of the fixed-point logarithm.
//
// Error bound, in units of 2^-fracBits: atanhSeries truncates its argument,
// each power and each quotient, which costs at most 2 per term after the
// damping by z^2 <= 1/9, so at most 2*104 for z <= 1/3 (104 terms) and the
// doubled value is within 2^9. A table entry and ln 2 are thus within 2^9, and
// ln(m/2^w) within 2^10. |e| ln 2 adds |e| 2^9. With |e| <= 2^62 that is below
// 2^72, hence below 2^-248 absolute; the ulp of such a result is 2^8 or more.
// For |x-1| >= 2^-53 the ulp is at least 2^-105 and |e| <= 1, so a distance
// is always within 2^-204 ulp.
type exactLn struct {
	ln2 *big.Int
	tab [128]*big.Int // ln(1 + i/128)
}

func newExactLn() *exactLn {
	x := &exactLn{ln2: atanhSeries(1, 3)}
	for i := range x.tab {
		x.tab[i] = atanhSeries(uint64(i), uint64(256+i))
	}
	return x
}

// atanhSeries returns 2 atanh(num/den) for num/den <= 1/3.
func atanhSeries(num, den uint64) *big.Int {
	z := new(big.Int).SetUint64(num)
	z.Lsh(z, fracBits)
	z.Quo(z, new(big.Int).SetUint64(den))
	return atanhFixed(z)
}

// atanhFixed returns 2 atanh(z), z >= 0 in fixed point.
func atanhFixed(z *big.Int) *big.Int {
	z2 := new(big.Int).Mul(z, z)
	z2.Rsh(z2, fracBits)
	sum := new(big.Int).Set(z)
	pow := new(big.Int).Set(z)
	q, d := new(big.Int), new(big.Int)
	for j := int64(3); ; j += 2 {
		pow.Mul(pow, z2)
		pow.Rsh(pow, fracBits)
		if pow.Sign() == 0 {
			break
		}
		sum.Add(sum, q.Quo(pow, d.SetInt64(j)))
	}
	return sum.Lsh(sum, 1)
}

// lnSig returns ln(m/2^w) for 2^w <= m < 2^(w+1), 7 <= w <= 52.
func (x *exactLn) lnSig(m uint64, w uint) *big.Int {
	c := m >> (w - 7) // 128..255
	num := new(big.Int).SetUint64(m<<7 - c<<w)
	den := new(big.Int).SetUint64(m<<7 + c<<w)
	num.Lsh(num, fracBits)
	num.Quo(num, den)
	r := atanhFixed(num)
	return r.Add(r, x.tab[c-128])
}

// lnFull returns ln((m/2^w) 2^e).
func (x *exactLn) lnFull(m uint64, w uint, e int64) *big.Int {
	y := new(big.Int).Mul(x.ln2, big.NewInt(e))
	return y.Add(y, x.lnSig(m, w))
}

var errOne = errors.New("the logarithm of 1 is exact")

// log2Dist returns log2 of the distance, in ulps of the result, from
// ln((m/2^w) 2^e) to the nearest grid point of the given kind.
func (x *exactLn) log2Dist(m uint64, w uint, e int64, t Target) (float64, error) {
	if w < 7 || w > 52 || bits.Len64(m) != int(w)+1 {
		return 0, errors.New("significand out of range")
	}
	if e > 1<<62 || e < -1<<62 {
		return 0, errors.New("exponent out of range")
	}
	if e == 0 && m == 1<<w {
		return 0, errOne
	}
	y := x.lnFull(m, w, e)
	y.Abs(y)
	// y in [2^k, 2^(k+1)) has ulp 2^(k-52): the low Len-53 bits are the
	// fraction of an ulp.
	shift := uint(y.BitLen() - 53)
	unit := new(big.Int).Lsh(big.NewInt(1), shift)
	r := new(big.Int).And(y, new(big.Int).Sub(unit, big.NewInt(1)))
	if t == Midpoint {
		r.Sub(r, new(big.Int).Rsh(unit, 1))
		r.Abs(r)
	} else if o := new(big.Int).Sub(unit, r); o.Cmp(r) < 0 {
		r = o
	}
	if r.Sign() == 0 {
		return math.Inf(-1), nil
	}
	f, _ := new(big.Float).SetInt(r).Float64()
	if math.IsInf(f, 0) {
		mant := new(big.Float)
		exp := new(big.Float).SetInt(r).MantExp(mant)
		f, _ = mant.Float64()
		return math.Log2(f) + float64(exp) - float64(shift), nil
	}
	return math.Log2(f) - float64(shift), nil
}

// splitDouble returns m, w, e with x = (m/2^w) 2^e, for a positive finite
// binary64 given by its bits. Subnormals below 2^-1067 have too few bits for
// lnSig and get theirs padded with zeros, which leaves the value unchanged.
func splitDouble(b uint64) (m uint64, w uint, e int64, err error) {
	exp := int64(b >> 52)
	m = b & (1<<52 - 1)
	switch {
	case exp >= 2047 || b == 0:
		return 0, 0, 0, errors.New("not a positive finite binary64")
	case exp > 0:
		return m | 1<<52, 52, exp - 1023, nil
	}
	n := bits.Len64(m)
	return m << (53 - n), 52, int64(n) - 1075, nil
}

// joinDouble is the inverse of splitDouble for any w.
func joinDouble(m uint64, w uint, e int64) (uint64, error) {
	f := math.Ldexp(float64(m), int(e)-int(w))
	if e > 1023 || f == 0 || math.Ldexp(f, int(w)-int(e)) != float64(m) {
		return 0, errors.New("not a binary64")
	}
	return math.Float64bits(f), nil
}
