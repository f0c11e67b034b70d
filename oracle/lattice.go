package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Pow2Ceil returns the smallest power of two of the format that is >= x. It
// rejects x that is not finite and positive (domain), or above 2^emax (overflow).
func Pow2Ceil(f spec.Format, x spec.Value) (spec.Value, error) {
	if err := positive(f, x); err != nil {
		return spec.Value{}, err
	}
	k := x.Dyadic().Top() // 2^k <= x < 2^(k+1)
	if !x.Dyadic().IsPow2() {
		k++
	}
	return power(f, k)
}

// Pow2CeilInv returns the smallest power of two of the format that is >= 1/x, exactly.
func Pow2CeilInv(f spec.Format, x spec.Value) (spec.Value, error) {
	if err := positive(f, x); err != nil {
		return spec.Value{}, err
	}
	return power(f, -x.Dyadic().Top()) // 2^-(k+1) < 1/x <= 2^-k when 2^k <= x < 2^(k+1)
}

func positive(f spec.Format, x spec.Value) error {
	if !x.IsFinite() || x.Sign() <= 0 || !f.Has(x) {
		return spec.Reject(spec.Domain, "x", "%v is not a finite positive number of %s", x, f.Name)
	}
	return nil
}

// power returns 2^k, or the format's smallest positive number if that is above it.
func power(f spec.Format, k int64) (spec.Value, error) {
	if k > f.EMax {
		return spec.Value{}, spec.Reject(spec.Overflow, "unit", "2^%d exceeds the largest power of two of %s, 2^%d", k, f.Name, f.EMax)
	}
	return spec.FromDyadic(real.Pow2(max(k, f.Quantum()))), nil
}

// NearestMultiple returns the integer n for which n·2^k is the multiple of 2^k
// nearest to d: floor(d/2^k + 1/2), or ceil(d/2^k - 1/2) for TiesDown. d may not
// be an enormous multiple of 2^k: n is written out.
func NearestMultiple(d real.Dyadic, k int64, t spec.Ties) *big.Int {
	if t == spec.TiesDown { // ceil(a) = -floor(-a)
		n := NearestMultiple(d.Neg(), k, spec.TiesUp)
		return n.Neg(n)
	}
	n := d.Floor(k - 1) // d = (n/2 + rest) 2^k, so floor(d/2^k + 1/2) = floor((n+1)/2)
	n.Add(n, big.NewInt(1))
	return n.Rsh(n, 1)
}

// RoundMultiple returns the multiple of unit, a power of two, nearest to x.
// It rejects non-finite x, a unit that is no power of two of the format and an
// unknown tie rule (domain), and results beyond the largest finite number
// (overflow). A zero result is +0.
func RoundMultiple(f spec.Format, x, unit spec.Value, t spec.Ties) (spec.Value, error) {
	if !x.IsFinite() || !f.Has(x) {
		return spec.Value{}, spec.Reject(spec.Domain, "x", "%v is not a finite number of %s", x, f.Name)
	}
	if !unit.IsFinite() || !unit.Dyadic().IsPow2() || !f.Has(unit) {
		return spec.Value{}, spec.Reject(spec.Domain, "unit", "%v is not a power of two of %s", unit, f.Name)
	}
	if t != spec.TiesUp && t != spec.TiesDown {
		return spec.Value{}, spec.Reject(spec.Domain, "ties", "%q is neither up nor down", t)
	}
	v := roundMultiple(f, x, unit.Dyadic().Top(), t)
	if v.IsInf() {
		return spec.Value{}, spec.Reject(spec.Overflow, "y", "the nearest multiple of %v to %v exceeds the largest finite number", unit, x)
	}
	return v, nil
}

// roundMultiple is RoundMultiple for unit 2^k with infinities carried.
// The multiple is a number of the format: when 2^k is above the spacing at x it
// has fewer bits than x or is the next power of two; otherwise it is x. So the
// final Round changes nothing but an overflow.
func roundMultiple(f spec.Format, x spec.Value, k int64, t spec.Ties) spec.Value {
	if !x.IsFinite() {
		return x
	}
	d := x.Dyadic()
	if d.IsZero() || d.Low() >= k {
		return x.PlusZero()
	}
	return Round(f, real.NewDyadic(NearestMultiple(d, k, t), k)).PlusZero()
}

// Clamp returns min(hi, max(lo, x)). Infinite x clamps; NaN, bounds that are not
// finite, and lo > hi are domain rejections. A zero result is +0.
func Clamp(x, lo, hi spec.Value) (spec.Value, error) {
	switch {
	case x.IsNaN():
		return spec.Value{}, spec.Reject(spec.Domain, "x", "NaN cannot be clamped")
	case !lo.IsFinite():
		return spec.Value{}, spec.Reject(spec.Domain, "lo", "%v is not finite", lo)
	case !hi.IsFinite():
		return spec.Value{}, spec.Reject(spec.Domain, "hi", "%v is not finite", hi)
	case lo.Cmp(hi) > 0:
		return spec.Value{}, spec.Reject(spec.Domain, "lo", "lo = %v exceeds hi = %v", lo, hi)
	}
	return clamp(x, lo, hi), nil
}

func clamp(x, lo, hi spec.Value) spec.Value {
	if x.Cmp(lo) < 0 {
		x = lo
	}
	if x.Cmp(hi) > 0 {
		x = hi
	}
	return x.PlusZero()
}
