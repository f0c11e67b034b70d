package snap

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func pow2(k int) *big.Rat {
	r := new(big.Rat).SetInt64(1)
	n := new(big.Int).Lsh(big.NewInt(1), uint(max(k, -k)))
	if k < 0 {
		return r.SetFrac(big.NewInt(1), n)
	}
	return r.SetInt(n)
}

// roundRat is the definition: floor(x/L + 1/2) L, or -floor(-x/L + 1/2) L for
// ties toward -inf, as an exact rational.
func roundRat(x float64, k int, t Ties) *big.Rat {
	unit := pow2(k)
	q := new(big.Rat).Quo(rat(x), unit)
	if t == Down {
		q.Neg(q)
	}
	q.Add(q, big.NewRat(1, 2))
	n := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean: floor for a positive divisor
	if t == Down {
		n.Neg(n)
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
}

func checkRound(t *testing.T, x float64, k int, ties Ties) {
	t.Helper()
	want := roundRat(x, k, ties)
	got := Round(x, k, ties)
	msg := fmt.Sprintf("Round(%x, 2^%d, %v) = %x", x, k, ties, got)
	if f, _ := want.Float64(); math.IsInf(f, 0) {
		require.Equal(t, f, got, msg)
		return
	}
	require.True(t, layout.IsFinite(got), msg)
	require.Zero(t, want.Cmp(rat(got)), msg)
	require.False(t, got == 0 && math.Signbit(got), msg)
}

func TestRoundEdges(t *testing.T) {
	ulps := func(x float64) []float64 {
		return []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))}
	}
	for _, k := range []int{-1074, -1073, -1072, -1060, -1030, -1023, -1022, -1021, -1000, -53, -1, 0, 1, 2, 52, 53, 900, 970, 971, 972, 1000, 1022, 1023} {
		var xs []float64
		// n/8 units for small n: multiples, ties, and neither; then around 2^53 units.
		for n := range 70 {
			if x := math.Ldexp(float64(n), k-3); x < math.MaxFloat64 {
				xs = append(xs, ulps(x)...)
			}
		}
		for _, n := range []float64{1 << 51, 1<<51 + 0.5, 1 << 52, 1<<52 - 0.5, 1<<52 - 1, 1<<52 + 1, 1 << 53, 1<<53 - 1, 0x1.fffffffffffffp30, 0x1.ffffffffp30, 0x1.ffffffff8p30} {
			if x := math.Ldexp(n, k); !math.IsInf(x, 0) {
				xs = append(xs, ulps(x)...)
			}
		}
		xs = append(xs, 0, math.MaxFloat64, 0x1p1023, math.SmallestNonzeroFloat64, 0x1p-1022, math.Nextafter(0x1p-1022, 0))
		for _, x := range xs {
			if math.IsInf(x, 0) {
				continue
			}
			for _, ties := range []Ties{Up, Down} {
				checkRound(t, x, k, ties)
				checkRound(t, -x, k, ties)
			}
		}
	}
}

// The faults of the published recipe, by name.
func TestRoundPublishedFaults(t *testing.T) {
	require.Equal(t, 0.0, Round(-0.5, 0, Up))  // not -1
	require.Equal(t, -1.0, Round(-1.5, 0, Up)) // not -2: ties up, not away from zero
	require.Equal(t, -2.0, Round(-1.5, 0, Down))
	require.Equal(t, 0.0, Round(0.5, 0, Down))
	require.Equal(t, 4.0, Round(3.625, 0, Up)) // carry through the integral part only: 11.101
	require.Equal(t, 16.0, Round(15.53125, 0, Up))
	require.Equal(t, math.Inf(-1), Round(math.Inf(-1), 3, Up))
	require.Equal(t, math.Inf(1), Round(math.MaxFloat64, 1023, Down))
}

func TestRoundRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 60000 {
		x := math.Float64frombits(r.Uint64())
		if !layout.IsFinite(x) {
			continue
		}
		j, _ := layout.Log2(math.Abs(x))
		k := min(max(j-54+r.IntN(58), -1074), 1023)
		if r.IntN(3) == 0 { // few significant bits: ties are common
			x = math.Float64frombits(math.Float64bits(x) &^ (1<<(40+r.IntN(12)) - 1))
		}
		checkRound(t, x, k, Ties(r.IntN(2) == 0))
	}
}

func FuzzRound(f *testing.F) {
	f.Add(-0.5, 0, false)
	f.Add(0x1.fffffffffffffp1023, 1023, true)
	f.Fuzz(func(t *testing.T, x float64, k int, down bool) {
		if layout.IsFinite(x) && k >= -1074 && k <= 1023 {
			checkRound(t, x, k, Ties(down))
		}
	})
}

func TestClamp(t *testing.T) {
	inf, neg0 := math.Inf(1), math.Copysign(0, -1)
	for _, c := range [][4]float64{
		{5, -1, 2, 2}, {-5, -1, 2, -1}, {1, -1, 2, 1}, {inf, -1, 2, 2}, {-inf, -1, 2, -1},
		{neg0, -1, 1, 0}, {0, neg0, neg0, 0}, {-3, neg0, 1, 0}, {3, -1, neg0, 0}, {7, 3, 3, 3},
	} {
		got := Clamp(c[0], c[1], c[2])
		require.Equal(t, math.Float64bits(c[3]), math.Float64bits(got), "%v", c)
	}
}

func checkCeil(t *testing.T, x float64) {
	t.Helper()
	k := CeilLog2(x)
	require.True(t, pow2(k).Cmp(rat(x)) >= 0 && pow2(k-1).Cmp(rat(x)) < 0, "CeilLog2(%x) = %d", x, k)
	k = CeilLog2Inv(x)
	inv := new(big.Rat).Inv(rat(x))
	require.True(t, pow2(k).Cmp(inv) >= 0 && pow2(k-1).Cmp(inv) < 0, "CeilLog2Inv(%x) = %d", x, k)
}

func TestCeil(t *testing.T) {
	for k := -1074; k < 1024; k++ {
		x := layout.Pow2(k)
		checkCeil(t, x)
		if k > -1074 {
			checkCeil(t, math.Nextafter(x, 0))
		}
		checkCeil(t, math.Nextafter(x, math.MaxFloat64))
	}
	checkCeil(t, math.MaxFloat64)
	checkCeil(t, 3*math.SmallestNonzeroFloat64)
}

// roundedFloat rounds an exact rational to the nearest double.
func roundedFloat(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// Every stage against exact rational arithmetic rounded once.
func TestEvaluate(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	values := []float64{1, 0.75, 0x1.fffffffffffffp-1, 3, 0x1p-1074, 0x1.8p-1060, 0x1p-1022, 1e300, 0x1p1023, 0x1.921fb54442d18p+1}
	for range 6000 {
		v := values[r.IntN(len(values))]
		if r.IntN(2) == 0 {
			v = math.Abs(r.NormFloat64())
		}
		inverse := r.IntN(2) == 0
		b := math.Ldexp(1+r.Float64(), r.IntN(40)-5)
		c, ok := New(v, inverse, -b, b*r.Float64())
		if !ok {
			require.True(t, inverse && v < 0x1p-1023)
			continue
		}
		f := b * r.NormFloat64()
		if r.IntN(20) == 0 {
			f = math.Inf(1 - 2*r.IntN(2))
		}
		m, e, minus := r.Uint64()>>12, int64(1+r.IntN(1<<r.IntN(12))), r.IntN(2) == 0
		got := c.Evaluate(f, m, e, minus)

		x := f
		if f < c.Lo {
			x = c.Lo
		} else if f > c.Hi {
			x = c.Hi
		}
		require.Equal(t, x, got.X)
		y := new(big.Rat).Mul(rat(got.Ln), rat(v))
		if inverse {
			y.Quo(rat(got.Ln), rat(v))
		}
		require.Equal(t, roundedFloat(y)+0, got.Y)
		require.False(t, got.Y == 0 && math.Signbit(got.Y))
		require.LessOrEqual(t, got.Y, 0.0)
		z := got.Y
		if minus {
			z = math.Copysign(z, 1)
			if got.Y == 0 {
				z = math.Copysign(0, -1)
			}
		}
		require.Equal(t, math.Float64bits(z), math.Float64bits(got.Z))
		if math.IsInf(z, 0) {
			require.Equal(t, z, got.W)
			require.Equal(t, z, got.Rounded)
		} else {
			require.Equal(t, roundedFloat(new(big.Rat).Add(rat(x), rat(z))), got.W)
			if layout.IsFinite(got.W) {
				require.Equal(t, roundedFloat(roundRat(got.W, c.K, Up)), got.Rounded)
			}
		}
		require.Equal(t, math.Min(c.Hi, math.Max(c.Lo, got.Rounded))+0, got.R)
		require.False(t, math.Signbit(got.R) && got.R == 0)
	}
}

// The zero that underflow makes: y is +0, z = s y keeps its IEEE sign.
func TestEvaluateZeros(t *testing.T) {
	c, _ := New(0x1p-1074, false, -1, 1)
	for _, minus := range []bool{false, true} {
		got := c.Evaluate(math.Copysign(0, -1), 1<<52-1, 1, minus)
		require.Zero(t, math.Float64bits(got.Y))
		require.Equal(t, minus, math.Signbit(got.Z))
		for _, x := range []float64{got.X, got.W, got.Rounded, got.R} {
			require.Zero(t, math.Float64bits(x))
		}
	}
}
