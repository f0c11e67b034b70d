package real

import "math/big"

// ErrLnDomain is returned by Ln for an argument that is not positive.
const ErrLnDomain Error = "real: ln needs a positive argument"

// The table of ln(j/128) covers v in [sqrt(1/2), sqrt(2)] with slack.
const (
	lnTableLo = 89
	lnTableHi = 183
)

// Ln returns an enclosure of ln x no wider than 2^-prec |ln x|; [0, 0] for x = 1.
//
// # Method
//
// x = v·2^k with v in [0.70, 1.42); j = round(128 v), c = j/128;
// ln x = k ln 2 + ln c + 2 atanh(t), t = (v - c)/(v + c), |t| <= 2^-8.48,
// summed in fixed point with wp fraction bits: "1 ulp" is 2^-wp.
//
// # Error, in ulps, n the number of terms of the series
//
//	v   truncated to wp bits: < 1
//	t   dt/dv = 2c/(v+c)^2 <= 1.46, and the truncated quotient: < 2.5; so T < 3
//	t^2 2|t|·3 + 1 < 1.02
//	P_i = t^i: err(P_(i+2)) <= err(P_i) 2^-16.9 + |t^i| 1.02 + 1 < 1.01
//	    each term P_i/i, its truncation included: < 1.4
//	S   = sum: < 3 + 1.4 n; the series is cut when P_i = 0 in fixed point, so
//	    the rest is below 1.01/(1 - 2^-16.9) < 2
//	ln c: 1 (none for c = 1, where it is exactly 0)
//	k ln 2: taken at wp + bitlen(k) bits or more, then floored: < 2
//
// In all 2(3 + 1.4n + 2) + 1 + 2 < 3n + 14 =: E, and the enclosure is the
// computed integer plus or minus E, 2E ulps wide.
//
// # Precision
//
// For k != 0, or |v-1| >= 2^-7, |ln x| > 2^-8. Otherwise |ln x| is at least
// |v-1|/2, and its leading zeros are added to wp, so that 2E ulps are at most
// 2^-prec |ln x| in either case.
func Ln(x Dyadic, prec uint) (Interval, error) {
	if prec > MaxPrec {
		return Interval{}, ErrPrec
	}
	if x.Sign() <= 0 {
		return Interval{}, ErrLnDomain
	}
	k := x.Top()
	v := x.Shift(-k)
	if v.Cmp(sqrt2Approx) > 0 {
		k, v = k+1, v.Shift(-1)
	}
	lead := uint(8) // |ln x| >= 2^-lead
	if k == 0 {
		d := v.Sub(One())
		if d.IsZero() {
			return Interval{}, nil
		}
		lead = max(lead, uint(1-d.Top()))
	}
	// 2E <= 6n + 28 <= 2^guard with n <= wp/16 + 2; wp itself is at most
	// prec + lead + 64 + guard, and bitlen + 3 leaves room for that.
	guard := bitLen64(int64(prec+lead+256)) + 3
	wp := roundUp64(prec + lead + guard)

	vFix := v.Floor(-int64(wp))
	j := int(new(big.Int).Rsh(vFix, wp-8).Int64()+1) >> 1 // round(128 v)
	cFix := new(big.Int).Lsh(big.NewInt(int64(j)), wp-7)
	num := new(big.Int).Sub(vFix, cFix)
	neg := num.Sign() < 0
	t := num.Abs(num)
	t.Lsh(t, wp).Quo(t, vFix.Add(vFix, cFix))
	sum, n := atanhSeries(t, wp)
	if neg {
		sum.Neg(sum)
	}
	if j != 128 {
		sum.Add(sum, lnTable(j, wp))
	}
	if k != 0 {
		wk := roundUp64(wp + bitLen64(k))
		kln2 := new(big.Int).Mul(big.NewInt(k), ln2At(wk))
		sum.Add(sum, kln2.Rsh(kln2, wk-wp))
	}
	e := big.NewInt(3*int64(n) + 14)
	lo := new(big.Int).Sub(sum, e)
	return Interval{norm(lo, -int64(wp)), norm(sum.Add(sum, e), -int64(wp))}, nil
}

// sqrt2Approx splits the binade; any value near sqrt 2 will do.
var sqrt2Approx = FromUint64(181, -7)

// atanhSeries returns 2·(t + t^3/3 + t^5/5 + ...) in fixed point and the number
// of terms summed. t >= 0, so that truncation always goes toward zero.
func atanhSeries(t *big.Int, wp uint) (sum *big.Int, n int) {
	t2 := new(big.Int).Mul(t, t)
	t2.Rsh(t2, wp)
	sum = new(big.Int).Set(t)
	pow, q, div := new(big.Int).Set(t), new(big.Int), new(big.Int)
	for n = 1; ; n++ {
		q.Mul(pow, t2)
		pow.Rsh(q, wp)
		if pow.Sign() == 0 {
			return sum.Lsh(sum, 1), n
		}
		sum.Add(sum, q.Quo(pow, div.SetInt64(int64(2*n+1))))
	}
}

// LnInterval returns an enclosure of ln over x, each end at relative precision prec.
func LnInterval(x Interval, prec uint) (Interval, error) {
	lo, err := Ln(x.Lo, prec)
	if err != nil {
		return Interval{}, err
	}
	hi, err := Ln(x.Hi, prec)
	return Interval{lo.Lo, hi.Hi}, err
}
