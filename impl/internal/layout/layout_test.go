package layout

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitJoin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	xs := []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, math.Nextafter(0x1p-1022, 0), 1, math.MaxFloat64}
	for range 20000 {
		if x := math.Float64frombits(r.Uint64() >> 1); IsFinite(x) {
			xs = append(xs, x)
		}
	}
	for _, x := range xs {
		neg, s, q := Split(-x)
		require.True(t, neg)
		require.Less(t, s, uint64(1)<<53)
		require.True(t, s >= 1<<52 || q == MinPlace)
		require.Equal(t, x, math.Ldexp(float64(s), q))
		require.Equal(t, x, Join(s, q))
	}
}

func TestJoinEdges(t *testing.T) {
	require.Equal(t, 0x1p-1021, Join(1<<53, -1074))
	require.Equal(t, math.Inf(1), Join(1, 1024))
	require.Equal(t, math.Inf(1), Join(1<<53, 971))
	require.Equal(t, math.MaxFloat64, Join(1<<53-1, 971))
	require.Equal(t, 0.0, Join(0, 5000))
	require.Equal(t, 0x1p-1022, Join(1<<51, -1073))
	require.Equal(t, math.Nextafter(0x1p-1022, 0), Join(1<<52-1, -1074))
	for k := MinPlace; k <= MaxExp; k++ {
		require.Equal(t, math.Ldexp(1, k), Pow2(k))
		j, exact := Log2(Pow2(k))
		require.Equal(t, []any{k, true}, []any{j, exact})
	}
	_, exact := Log2(3)
	require.False(t, exact)
}

func TestFiniteAndZero(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.False(t, IsFinite(x))
	}
	require.True(t, IsFinite(-math.MaxFloat64))
	require.Zero(t, math.Float64bits(PlusZero(math.Copysign(0, -1))))
	require.Equal(t, -3.0, PlusZero(-3))
}
