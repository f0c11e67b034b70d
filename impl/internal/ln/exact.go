package ln

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// exact is the last resort: the same logarithm by another series over math/big,
// enclosed at a precision that doubles until both ends of the enclosure round to
// the same double. The logarithm of a rational number other than 1 is irrational
// (transcendental, by Lindemann), so it is never half-way between two doubles,
// and the loop ends. M = 2^52, E = 0 is not its business.
func exact(m uint64, e int64) float64 {
	for prec := uint(320); ; prec *= 2 {
		lo, hi := enclose(m, e, prec)
		if lo.Sign() != hi.Sign() || lo.Sign() == 0 {
			continue
		}
		if a, b := nearest(lo, prec), nearest(hi, prec); a == b {
			return a
		}
	}
}

// enclose returns integers lo <= ln(M 2^(E-52)) 2^prec <= hi.
//
// With D = 2^52, or D = 2^53 and E + 1 for the larger M, and t = (M-D)/(M+D),
// |t| < 0.18: ln x = 2 atanh t + E ln 2, ln 2 = 2 atanh(1/3).
func enclose(m uint64, e int64, prec uint) (lo, hi *big.Int) {
	d := uint64(1) << layout.FracBits
	if m>>45&127 >= half {
		d, e = d<<1, e+1
	}
	num := new(big.Int).SetUint64(max(m, d) - min(m, d))
	den := new(big.Int).SetUint64(m + d)
	lo, hi = atanh2(num, den, prec)
	if m < d {
		lo, hi = hi.Neg(hi), lo.Neg(lo)
	}
	a, b := atanh2(big.NewInt(1), big.NewInt(3), prec)
	if e < 0 {
		a, b = b, a
	}
	k := big.NewInt(e)
	return lo.Add(lo, a.Mul(a, k)), hi.Add(hi, b.Mul(b, k))
}

// atanh2 encloses 2 atanh(p/q), 0 <= p/q < 1/2, in units of 2^-prec. Every
// operation rounds down, so the sum of n terms is a lower bound. Above: a power
// of t is less than 2 units too small (the errors obey e <- e/4 + 1), its
// quotient less than 3, and the terms left out sum to less than 4 (the first
// power left out is below 2 units, and each is a quarter of the one before).
func atanh2(p, q *big.Int, prec uint) (lo, hi *big.Int) {
	pow := new(big.Int).Lsh(p, prec)
	pow.Quo(pow, q)
	p2, q2 := new(big.Int).Mul(p, p), new(big.Int).Mul(q, q)
	lo, term := new(big.Int), new(big.Int)
	n := int64(0)
	for ; pow.Sign() != 0; n++ {
		lo.Add(lo, term.Quo(pow, big.NewInt(2*n+1)))
		pow.Mul(pow, p2).Quo(pow, q2)
	}
	lo.Lsh(lo, 1)
	return lo, new(big.Int).Add(lo, big.NewInt(2*(3*n+4)))
}

// nearest rounds n 2^-prec, n != 0, to the nearest double, ties to even, for
// results that are normal and finite, as all logarithms here are.
func nearest(n *big.Int, prec uint) float64 {
	a := new(big.Int).Abs(n)
	drop := a.BitLen() - 53
	var s uint64
	if drop <= 0 {
		s = a.Uint64()
		drop = 0
	} else {
		s = new(big.Int).Rsh(a, uint(drop)).Uint64()
		if a.Bit(drop-1) == 1 && (s&1 == 1 || a.TrailingZeroBits() < uint(drop-1)) {
			s++
		}
	}
	y := layout.Join(s, drop-int(prec))
	if n.Sign() < 0 {
		return math.Copysign(y, -1)
	}
	return y
}
