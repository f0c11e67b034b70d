package third

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPow2Ceil(t *testing.T) {
	for _, c := range [][2]float64{
		{1, 1}, {3, 4}, {4, 4}, {0.75, 1}, {0x1.0000000000001p+0, 2}, {0x1.fffffffffffffp-1, 1},
		{tiny, tiny}, {3 * tiny, 4 * tiny}, {5 * tiny, 8 * tiny}, // s 2^-1074: docs/theory.md 2.2
		{0x1.fffffffffffffp-1023, 0x1p-1022}, {0x1p1023, 0x1p1023}, {0x1.fffffffffffffp1022, 0x1p1023},
	} {
		gives(t, ask(t, "pow2_ceil", "x", c[0]), "y", c[1])
	}
	refuses(t, overflow, ask(t, "pow2_ceil", "x", 0x1.0000000000001p1023))
	refuses(t, overflow, ask(t, "pow2_ceil", "x", maxDouble))
	for _, x := range []float64{0, negZero(), -1, inf, -inf, nan} {
		refuses(t, domain, ask(t, "pow2_ceil", "x", x))
		refuses(t, domain, ask(t, "pow2_ceil_inv", "x", x))
	}
}

func TestPow2CeilInv(t *testing.T) {
	for _, c := range [][2]float64{
		{1, 1}, {3, 0.5}, {4, 0.25}, {0.75, 2}, {0.5, 2}, {0x1.0000000000001p+0, 1},
		{maxDouble, 0x1p-1023},                                                   // 1/x rounds to 2^-1024, and is above it
		{0x1.ffffffffffffdp1023, 0x1p-1023}, {0x1.fffffffffffffp1022, 0x1p-1022}, // likewise
		{0x1p1023, 0x1p-1023}, {0x1p-1023, 0x1p1023}, {0x1.8p-1023, 0x1p1023},
	} {
		gives(t, ask(t, "pow2_ceil_inv", "x", c[0]), "y", c[1])
	}
	refuses(t, overflow, ask(t, "pow2_ceil_inv", "x", 0x1p-1023-tiny))
	refuses(t, overflow, ask(t, "pow2_ceil_inv", "x", tiny))
}

func TestRoundMultiple(t *testing.T) {
	for _, c := range []struct{ x, unit, up, down float64 }{
		{0.5, 1, 1, 0}, {-0.5, 1, 0, -1}, {1.5, 1, 2, 1}, {-1.5, 1, -1, -2}, {2.5, 1, 3, 2},
		{0x1.fffffffffffffp-2, 1, 0, 0}, {-0x1.fffffffffffffp-2, 1, 0, 0}, {1.75, 1, 2, 2},
		{15.5, 1, 16, 15}, {15.75, 1, 16, 16}, // the carry through all the integral bits
		{negZero(), 1, 0, 0}, {5, 4, 4, 4}, {6, 4, 8, 4}, {-6, 4, -4, -8},
		{3 * tiny, 2 * tiny, 4 * tiny, 2 * tiny}, {tiny, tiny, tiny, tiny}, {tiny, 0x1p1023, 0, 0},
		{-tiny, 2 * tiny, 0, -2 * tiny}, {maxDouble, tiny, maxDouble, maxDouble},
		{0x1p52 + 1, 1, 0x1p52 + 1, 0x1p52 + 1}, {0x1p1022, 0x1p1023, 0x1p1023, 0},
	} {
		gives(t, ask(t, "round_multiple", "x", c.x, "unit", c.unit, "ties", word("up")), "y", c.up)
		gives(t, ask(t, "round_multiple", "x", c.x, "unit", c.unit, "ties", word("down")), "y", c.down)
	}
	round := func(x, unit float64, ties word) func() {
		return func() {
			r := ask(t, "round_multiple", "x", x, "unit", unit, "ties", ties)
			refuses(t, overflow, r)
		}
	}
	round(maxDouble, 0x1p972, "up")() // 2^52 - 1/2 units
	gives(t, ask(t, "round_multiple", "x", maxDouble, "unit", 0x1p972, "ties", word("down")), "y", 0x1.ffffffffffffep1023)
	round(-maxDouble, 0x1p972, "down")()
	round(0x1.8p1023, 0x1p1023, "up")()
	round(maxDouble, 0x1p1023, "down")()
	for _, c := range [][2]float64{
		{nan, 1}, {inf, 1}, {-inf, 1}, {1, nan}, {1, inf}, {1, 0}, {1, -1}, {1, 3}, {1, 3 * tiny}, {1, maxDouble},
	} {
		refuses(t, domain, ask(t, "round_multiple", "x", c[0], "unit", c[1], "ties", word("up")))
	}
}

func TestClamp(t *testing.T) {
	at := func(x, lo, hi, want float64) {
		t.Helper()
		gives(t, ask(t, "clamp", "x", x, "lo", lo, "hi", hi), "y", want)
	}
	at(3, -1, 2, 2)
	at(-3, -1, 2, -1)
	at(0.5, -1, 2, 0.5)
	at(inf, -1, 2, 2)
	at(-inf, -1, 2, -1)
	at(7, 1, 1, 1)
	at(negZero(), -1, 1, 0)
	at(-5, negZero(), 1, 0)
	at(5, -1, negZero(), 0)
	at(5, 0, negZero(), 0)
	xs := append(doubles(1, 60), 0, negZero())
	for i := 2; i < len(xs); i++ {
		lo, hi := min(xs[i-1], xs[i-2]), max(xs[i-1], xs[i-2])
		at(xs[i], lo, hi, 0+min(hi, max(lo, xs[i]))) // 0 + -0 is +0
	}
	for _, c := range [][3]float64{{nan, 0, 1}, {0, nan, 1}, {0, 0, nan}, {0, -inf, 1}, {0, 0, inf}, {0, 2, 1}} {
		refuses(t, domain, ask(t, "clamp", "x", c[0], "lo", c[1], "hi", c[2]))
	}
}

// The arithmetic unit is a fourth opinion on what is rounded once.
func TestHardware(t *testing.T) {
	special := []float64{0, negZero(), tiny, -tiny, 0x1p-1022, maxDouble, -maxDouble, 1, -3, 0x1p970, -0x1p970}
	xs := append(doubles(2, 2000), special...)
	same := func(op string, x, y, want, got float64) {
		t.Helper()
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v %s %v", x, op, y)
	}
	for i, x := range xs {
		for _, y := range append([]float64{xs[(i+1)%len(xs)], 0x1p-53 * x, -x}, special...) {
			same("+", x, y, x+y, add(x, y))
			same("*", x, y, x*y, mul(x, y))
			if y != 0 && i%8 == 0 {
				same("/", x, y, 0+x/y, plus(div(x, y)))
			}
		}
		same("+", x, inf, inf, add(x, inf))
		same("+", x, -inf, -inf, add(x, -inf))
	}
}

// Bisection against big.Rat's own rounding to nearest.
func TestDirections(t *testing.T) {
	for i, x := range append(doubles(3, 200), tiny, maxDouble) {
		x = math.Abs(x)
		assert.Equal(t, x, doubleUp(rat(x)))
		assert.Equal(t, x, doubleDown(rat(x)))
		q := times(rat(x), big.NewRat(int64(3*i+1), 3)) // never an integer factor
		near, exact := q.Float64()
		up, down := doubleUp(q), doubleDown(q)
		if exact {
			assert.True(t, up == near && down == near)
			continue
		}
		assert.True(t, near == up || near == down)
		assert.Equal(t, up, math.Nextafter(down, inf))
	}
	assert.Equal(t, inf, doubleUp(times(rat(maxDouble), rat(2))))
	assert.Equal(t, maxDouble, doubleDown(times(rat(maxDouble), rat(2))))
	assert.Equal(t, tiny, doubleUp(times(rat(tiny), rat(0.25))))
	assert.Zero(t, doubleDown(times(rat(tiny), rat(0.75))))
}
