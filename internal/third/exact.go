package third

import (
	"math"
	"math/big"
	"slices"
)

func finite(x float64) bool      { return !math.IsInf(x, 0) && !math.IsNaN(x) }
func positive(x float64) bool    { return finite(x) && x > 0 }
func bounds(lo, hi float64) bool { return finite(lo) && finite(hi) && lo <= hi }

// plus turns -0 into +0.
func plus(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}

// power returns 2^k, and false beyond the format.
func power(k int) (float64, bool) {
	y, _ := new(big.Float).SetMantExp(float(1), k).Float64()
	return y, finite(y)
}

// powerOfTwo reports whether x is 2^k for some k, that is its own pow2Ceil.
func powerOfTwo(x float64) bool {
	if !positive(x) {
		return false
	}
	y, ok := pow2Ceil(x)
	return ok && x == y
}

// pow2Ceil: x = mant 2^k with mant in [1/2, 1), so the answer is 2^k unless x is
// 2^(k-1) itself.
func pow2Ceil(x float64) (float64, bool) {
	var mant big.Float
	k := float(x).MantExp(&mant)
	if mant.Cmp(float(0.5)) == 0 {
		k--
	}
	return power(k)
}

// pow2CeilInv: 1/x = (1/mant) 2^-k with 1/mant in (1, 2], so the answer is
// 2^(1-k) always.
func pow2CeilInv(x float64) (float64, bool) {
	return power(1 - float(x).MantExp(nil))
}

// float is x exactly: SetFloat64 sets the precision to 53 bits, infinities pass.
func float(x float64) *big.Float { return new(big.Float).SetFloat64(x) }

// rat is x exactly; x must be finite.
func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// roundMultiple is the nearest multiple of unit, rounded to the format, where
// only overflow can change it. An infinity stays one; a zero is +0.
func roundMultiple(x, unit float64, tiesDown bool) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	q := rat(x)
	if tiesDown { // down is up in the mirror
		q.Neg(q)
	}
	q.Quo(q, rat(unit))
	q.Add(q, big.NewRat(1, 2))
	// Div is Euclidean: with a positive denominator that is the floor.
	n := new(big.Int).Div(q.Num(), q.Denom())
	q.SetInt(n).Mul(q, rat(unit))
	if tiesDown {
		q.Neg(q)
	}
	y, _ := q.Float64()
	return plus(y)
}

// clamp is the median of x and the bounds.
func clamp(x, lo, hi float64) float64 {
	three := []float64{lo, x, hi}
	slices.Sort(three)
	return plus(three[1])
}

// sumPrec holds any sum of two doubles: bits 2^1024 down to 2^-1074.
const sumPrec = 1024 + 1074 + 2

// add is the rounded sum; at most one argument is infinite. big.Float follows
// IEEE 754 on signed zeros.
func add(x, y float64) float64 {
	s, _ := new(big.Float).SetPrec(sumPrec).Add(float(x), float(y)).Float64()
	return s
}

// mul is the rounded product of finite numbers, exact in 106 bits before that.
func mul(x, y float64) float64 {
	p, _ := new(big.Float).SetPrec(106).Mul(float(x), float(y)).Float64()
	return p
}

// div is the rounded quotient of finite numbers, y not 0. A zero loses its sign.
func div(x, y float64) float64 {
	q, _ := new(big.Rat).Quo(rat(x), rat(y)).Float64()
	return q
}

// infBits is +Inf: one past the largest finite double in the order of the bits,
// which for doubles >= 0 is the order of the values.
const infBits uint64 = 0x7ff0000000000000

// firstBits is the least pattern below infBits for which holds is true, or
// infBits; holds must stay true once it is.
func firstBits(holds func(x *big.Rat) bool) uint64 {
	lo, hi := uint64(0), infBits
	for lo < hi {
		if mid := lo + (hi-lo)/2; holds(rat(math.Float64frombits(mid))) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// doubleUp is the smallest double >= q > 0, +Inf if there is no finite one.
func doubleUp(q *big.Rat) float64 {
	return math.Float64frombits(firstBits(func(x *big.Rat) bool { return x.Cmp(q) >= 0 }))
}

// doubleDown is the largest finite double <= q, for q >= 0.
func doubleDown(q *big.Rat) float64 {
	return math.Float64frombits(firstBits(func(x *big.Rat) bool { return x.Cmp(q) > 0 }) - 1)
}
