package third

import (
	"math/big"
	"sync"

	"github.com/ALTree/bigfloat"
)

// The domain of trust of bigfloat.Log, v0.2.0. Measured against a series summed
// in integers (TestTrust repeats it) and once against mpmath at 1400 bits, for
// precisions p of 64 to 800 bits, the error is below 2^-p relative, a unit in the
// last place, provided that
//
//   - z is not too near 1. It raises z to the power 2^k and has 64 guard digits
//     for what that loses: up to |z-1| = 2^-60 the error stays below 2^-p, at
//     2^-74 it is up to 2^(5-p), at 2^-102 up to 2^(32-p), and near 2^-p from a
//     third (p = 160) to nearly half (p = 800) of the digits are wrong. Doubles
//     other than 1 are at least 2^-53 away.
//   - z is not too large or small. Right as far as was tried, 2^(2^30), but the
//     time grows with the exponent. At 192 bits, undisturbed: 17 µs for doubles,
//     26 µs at 2^(2^14), 32 µs at 2^(2^16), 0.1 ms at 2^(2^20), 60 ms at
//     2^(2^28), 0.3 s at 2^(2^30).
//   - p + 64 <= 1024: beyond, it computes π into a variable shared without a lock.
//
// Rounded by decide below, 12,000 doubles and draws (next to 1, all exponents, e up
// to 2^62) agreed with mpmath at 420 bits, without one abstention.
const (
	trustedNear     = 60
	trustedExponent = 1 << 14
	trustedMinPrec  = 64
	trustedMaxPrec  = 800
)

// slack is how many of the last bits are not believed: measured 1, and the sum of
// lnDraw adds 2.
const slack = 8

// ruler is one of the two precisions, with the ln 2 computed at it.
type ruler struct {
	prec  uint
	lnTwo func() *big.Float
}

func newRuler(prec uint) ruler {
	return ruler{prec, sync.OnceValue(func() *big.Float {
		return bigfloat.Log(new(big.Float).SetPrec(prec).SetInt64(2))
	})}
}

// A result may come within about 2^-118 of a midpoint (relative, over all
// doubles) and somewhat nearer over all pairs; the finer ruler resolves 2^-184.
var coarse, fine = newRuler(160), newRuler(192)

// log is bigfloat.Log inside its domain of trust, otherwise nil and why not.
func (r ruler) log(z *big.Float) (*big.Float, string) {
	d := new(big.Float).SetPrec(r.prec + z.Prec())
	switch d.Sub(z, float(1)); {
	case r.prec < trustedMinPrec || r.prec > trustedMaxPrec:
		return nil, "precision out of trust"
	case z.Sign() <= 0 || z.IsInf():
		return nil, "no logarithm"
	case d.Sign() != 0 && d.MantExp(nil) <= -trustedNear:
		return nil, "argument too near 1 for bigfloat"
	case abs(z.MantExp(nil)) > trustedExponent:
		return nil, "exponent out of bigfloat's comfortable range"
	}
	return bigfloat.Log(new(big.Float).SetPrec(r.prec).Set(z)), ""
}

func abs(n int) int { return max(n, -n) }

// lnDouble is LN(x) for finite x > 0; otherwise why this voter abstains.
func lnDouble(x float64) (float64, string) {
	if x == 1 {
		return 0, "" // the only rational logarithm of a rational, so the only possible tie
	}
	return decide(func(r ruler) (*big.Float, string) { return r.log(float(x)) })
}

// lnDraw is LN(u) for u = (1 + m 2^-52) 2^-e. Up to the trusted exponent that is
// one logarithm, which keeps the digits when u is near 1; beyond it there is
// nothing to cancel in ln(1 + m 2^-52) - e ln 2.
func lnDraw(u draw) (float64, string) {
	significand := new(big.Float).SetUint64(1<<52 + u.m)
	if u.e < trustedExponent {
		z := new(big.Float).SetMantExp(significand, -52-int(u.e))
		return decide(func(r ruler) (*big.Float, string) { return r.log(z) })
	}
	significand.SetMantExp(significand, -52)
	return decide(func(r ruler) (*big.Float, string) {
		ln, why := r.log(significand)
		if why != "" {
			return nil, why
		}
		whole := new(big.Float).SetPrec(r.prec).SetUint64(u.e)
		return ln.Sub(ln, whole.Mul(whole, r.lnTwo())), ""
	})
}

// decide evaluates at both precisions and gives their common nearest double,
// abstaining when they do not confirm each other or the value is too near the
// midpoint of two doubles to tell.
func decide(eval func(ruler) (*big.Float, string)) (float64, string) {
	a, why := eval(coarse)
	if why != "" {
		return 0, why
	}
	b, why := eval(fine)
	if why != "" {
		return 0, why
	}
	return nearest(a, b)
}

// nearest is the part of decide after the evaluations, a at coarse and b at fine.
func nearest(a, b *big.Float) (float64, string) {
	gap := new(big.Float).SetPrec(fine.prec).Sub(a, b)
	if gap.Abs(gap).Cmp(doubt(b, coarse)) > 0 {
		return 0, "bigfloat disagrees with itself at two precisions"
	}
	d := doubt(b, fine)
	wide := func() *big.Float { return new(big.Float).SetPrec(fine.prec + 64) }
	down, _ := wide().Sub(b, d).Float64()
	up, _ := wide().Add(b, d).Float64()
	if y, _ := a.Float64(); down != up || y != up {
		return 0, "too near a midpoint for the precision"
	}
	return up, ""
}

// doubt bounds the error of x computed with r.
func doubt(x *big.Float, r ruler) *big.Float {
	return new(big.Float).SetMantExp(float(1), x.MantExp(nil)-int(r.prec)+slack)
}
