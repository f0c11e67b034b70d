// Package planted breaks the rule against floating point, once per line marked
// with the rule it breaks. It is loaded by floats_test.go and by nothing else.
package planted

import (
	"math"
	"math/big"
)

type celsius float64

func planted(x float64, c complex128, t celsius, n int, r *big.Rat) {
	_ = x + 1                   // want arithmetic
	_ = -x                      // want arithmetic
	x *= 2                      // want arithmetic
	x++                         // want arithmetic
	_ = c * c                   // want arithmetic
	_ = t - 1                   // want arithmetic
	_ = x < 1                   // want comparison
	_ = float64(n)              // want conversion
	_ = celsius(n)              // want conversion
	_ = float32(x)              // want conversion
	_ = math.Sqrt(x)            // want math
	_ = math.Ldexp              // want math
	_ = math.Float64frombits(1) // want math
	_ = math.Float64bits(x)     // want float64bits
	_, _ = r.Float64()          // want big
	_ = new(big.Float)          // want big
	_ = big.NewFloat            // want big
	_ = math.MaxInt64 + n       // an integer constant is no float
	_ = [1]int{} == [1]int{}    // nor is this
	_ = r.Cmp(big.NewRat(1, 2)) // nor this
	for i := range n {
		_ = i + 1
	}
}

var generic = sum[float64] // want generic

func sum[T float64 | int](a, b T) T { return a + b } // want arithmetic
