package third

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func calibrate(t *testing.T, epsilon, d, lo, hi float64, c, a, b int64) wire.Result {
	t.Helper()
	return ask(t, "snap_calibrate", "epsilon", epsilon, "sensitivity", d, "lo", lo, "hi", hi,
		"constant", c, "additive", a, "floor", b)
}

func TestCalibrate(t *testing.T) {
	const h = 0x1p-53 // eta
	for _, c := range []struct {
		epsilon, d, lo, hi            float64
		c, a, b                       int64
		lambda, prime, achieved, unit float64
	}{
		{1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1},
		{0.5, 3, -1, 1, 0, 0, 0, 6, 0.5, 0.5, 8},
		// 1/(1 - 2h) = 1 + 2h + …, up to 1 + 4h; 1/(1 + 4h) + 2h = 1 - 2h + 16h^2, up to 1 - h.
		{1, 1, 0, 0, 0, 2, 0, 1 + 4*h, 1 - 2*h, 1 - h, 2},
		// c B eta = 2^-31: exact, and 1/(1 + 2^-31) down. B is the larger end's size.
		{1, 1, -0x1p20, 5, 4, 0, 0, 1 + 0x1p-31, 1 - 0x1p-31, 1, 2},
		{1, 1, -5, 0x1p20, 4, 0, 0, 1 + 0x1p-31, 1 - 0x1p-31, 1, 2},
		// b lambda > B: 1/(1 - 6h) = 1 + 6h + …, up to 1 + 8h; 1/(1 + 8h) + 6h = 1 - 2h + 64h^2.
		{1, 1, 0, 0, 2, 0, 3, 1 + 8*h, 1 - 6*h, 1 - h, 2},
		// The ends of the format.
		{maxDouble, tiny, 0, 0, 0, 0, 0, tiny, maxDouble, 1, tiny},
		{1, 0x1p1023, 0, 0, 0, 0, 0, 0x1p1023, 1, 1, 0x1p1023},
	} {
		gives(t, calibrate(t, c.epsilon, c.d, c.lo, c.hi, c.c, c.a, c.b),
			"lambda", c.lambda, "epsilon_prime", c.prime, "achieved", c.achieved, "unit", c.unit)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	const h = 0x1p-53
	for _, c := range []struct{ epsilon, d, lo, hi float64 }{
		{0, 1, 0, 1}, {-1, 1, 0, 1}, {inf, 1, 0, 1}, {nan, 1, 0, 1},
		{1, 0, 0, 1}, {1, -1, 0, 1}, {1, inf, 0, 1}, {1, nan, 0, 1},
		{1, 1, nan, 1}, {1, 1, -inf, 1}, {1, 1, 0, nan}, {1, 1, 0, inf}, {1, 1, 2, 1},
	} {
		refuses(t, domain, calibrate(t, c.epsilon, c.d, c.lo, c.hi, 12, 2, 0))
	}
	for i := range 3 {
		for _, bad := range []int64{-1, 1 << 31} {
			n := [3]int64{1, 1, 1}
			n[i] = bad
			refuses(t, domain, calibrate(t, 1, 1, 0, 1, n[0], n[1], n[2]))
		}
	}
	most := int64(1<<31 - 1) // (a + b c) eta is about 2^62 2^-53 = 2^9
	refuses(t, hypothesis, calibrate(t, 511, 1, 0, 0, most, most, most))
	assert.True(t, calibrate(t, 513, 1, 0, 0, most, most, most).Reject == "")

	// epsilon = (a + b c) eta is too small, the next double is not.
	refuses(t, hypothesis, calibrate(t, 5*h, 1, 0, 0, 3, 2, 1))
	refuses(t, hypothesis, calibrate(t, tiny, 1, 0, 0, 3, 2, 1))
	assert.Empty(t, calibrate(t, 0x1.4000000000001p-51, 1, 0, 0, 3, 2, 1).Reject)

	// B = 2^46 lambda is too large, the double below is not.
	refuses(t, hypothesis, calibrate(t, 1, 1, -0x1p46, 0, 0, 0, 0))
	assert.Empty(t, calibrate(t, 1, 1, -0x1.fffffffffffffp45, 0, 0, 0, 0).Reject)
	// The lambda compared is the rounded one: 1/3 goes up, by less than an ulp of B/2^46.
	refuses(t, hypothesis, calibrate(t, 3, 1, 0, 0x1.5555555555556p44, 0, 0, 0))
	assert.Empty(t, calibrate(t, 3, 1, 0, 0x1.5555555555555p44, 0, 0, 0).Reject)

	// An infinite lambda exceeds every B, so this is overflow, and so is a unit.
	refuses(t, overflow, calibrate(t, 0x1p-1000, 0x1p100, 0, maxDouble, 0, 0, 0))
	refuses(t, overflow, calibrate(t, 0.5, maxDouble, 0, maxDouble, 0, 0, 0))
	refuses(t, overflow, calibrate(t, 1, 0x1.0000000000001p1023, 0, 0, 0, 0, 0))
	// Order: the hypothesis on epsilon before the overflow, the domain before both.
	refuses(t, hypothesis, calibrate(t, 5*h, maxDouble, 0, 0, 3, 2, 1))
	refuses(t, hypothesis, calibrate(t, 1, tiny, 0, maxDouble, 0, 0, 0))
	refuses(t, domain, calibrate(t, 5*h, maxDouble, 2, 1, 3, 2, 1))
}

// What calibration is for: the accounted loss stays within the budget, and one
// double less of scale would not.
func TestCalibrateKeepsTheBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 150 {
		epsilon, d, b := r.ExpFloat64(), r.ExpFloat64(), 100*r.ExpFloat64()
		c, a, floor := r.Int64N(20), r.Int64N(6), r.Int64N(40)
		out := calibrate(t, epsilon, d, -b, b/2, c, a, floor).Out
		lambda := out["lambda"].Float()
		assert.LessOrEqual(t, out["achieved"].Float(), epsilon)
		assert.LessOrEqual(t, out["epsilon_prime"].Float(), epsilon)
		q, ok := readBudget(wire.Values{
			"epsilon": wire.NewFloat(epsilon), "sensitivity": wire.NewFloat(d),
			"lo": wire.NewFloat(-b), "hi": wire.NewFloat(b / 2),
			"constant": wire.NewInt(c), "additive": wire.NewInt(a), "floor": wire.NewInt(floor),
		})
		assert.True(t, ok)
		before := rat(math.Nextafter(lambda, 0))
		assert.Positive(t, q.loss(before).Cmp(rat(epsilon)))
	}
}

func BenchmarkCalibrate(b *testing.B) {
	in := wire.Values{
		"epsilon": wire.NewFloat(0.1), "sensitivity": wire.NewFloat(1), "lo": wire.NewFloat(-1e3), "hi": wire.NewFloat(1e3),
		"constant": wire.NewInt(12), "additive": wire.NewInt(2), "floor": wire.NewInt(1),
	}
	for b.Loop() {
		answerCalibrate(in)
	}
}
