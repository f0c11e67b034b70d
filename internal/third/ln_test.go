package third

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const lnTwo = 0x1.62e42fefa39efp-1 // OEIS A002162

func TestLn(t *testing.T) {
	for _, c := range [][2]float64{
		{1, 0},
		{2, lnTwo}, {0.5, -lnTwo}, {4, 2 * lnTwo}, {0x1p-1024, -1024 * lnTwo},
		// ln(1 - h) = -h - h^2/2 …, h = 2^-53: the square is far below the ulp.
		{0x1.fffffffffffffp-1, -0x1p-53},
		// ln(1 + h) = h - h^2/2 + h^3/3, h = 2^-52: the square is one ulp below h.
		{0x1.0000000000001p+0, 0x1.fffffffffffffp-53},
	} {
		gives(t, ask(t, "ln", "x", c[0]), "y", c[1])
	}
	for _, x := range []float64{0, negZero(), -tiny, -1, inf, -inf, nan} {
		refuses(t, domain, ask(t, "ln", "x", x))
	}
}

// Normal numbers only: on amd64, Go 1.26's math.Log reads a subnormal as if it had
// the leading 1 of a normal (golang/go#56600): math.Log(5e-324) is -709.09, not
// -744.44.
func TestLnAgainstMathLog(t *testing.T) {
	for _, x := range append(doubles(4, 800), maxDouble, 0x1p-1022) {
		x = max(math.Abs(x), 0x1p-1022)
		y := ask(t, "ln", "x", x).Out["y"].Float()
		require.InEpsilon(t, math.Log(x), y, 1e-15, "%x", x)
	}
}

// Against the series, to the bit, where it is hard: next to 1, over all
// exponents, and at the published worst case of the binary64 logarithm (Lefèvre
// and Muller: 64 equal bits after the 54th).
func TestLnAgainstSeries(t *testing.T) {
	xs := doubles(5, 150)
	xs = append(xs, 0x1.62a88613629b5p+678, 5*tiny, maxDouble)
	for j := 2; j <= 52; j++ {
		xs = append(xs, 1+math.Ldexp(1, -j), 1-math.Ldexp(1, -j-1), 1-math.Ldexp(0.75, 1-j))
	}
	for _, x := range xs {
		x = math.Abs(x)
		want, _ := series(float(x)).Float64()
		gives(t, ask(t, "ln", "x", x), "y", want)
	}
}

func TestLnPair(t *testing.T) {
	for _, c := range []struct {
		m, e int
		y    float64
	}{
		{0, 1, -lnTwo}, {1<<52 - 1, 1, -0x1p-53},
		{0, 1 << 10, -1024 * lnTwo}, {0, 1 << 13, -0x1p13 * lnTwo},
		{0, 1 << 14, -0x1p14 * lnTwo}, {0, 1 << 61, -0x1p61 * lnTwo}, // by the other formula
	} {
		gives(t, ask(t, "ln_pair", "m", c.m, "e", c.e), "y", c.y)
	}
	for _, c := range [][2]int{{-1, 1}, {1 << 52, 1}, {0, 0}, {0, -3}, {0, 1 << 62}} {
		refuses(t, domain, ask(t, "ln_pair", "m", c[0], "e", c[1]))
	}
	// The largest e: ln(1 + m 2^-52) - e ln 2 in 200 digits of ln 2 by the series.
	want := new(big.Float).SetPrec(400).SetInt64(1<<62 - 1)
	want.Mul(want, series(float(2)))
	want.Sub(series(float(1.75)), want)
	y, _ := want.Float64()
	gives(t, ask(t, "ln_pair", "m", 3<<50, "e", 1<<62-1), "y", y)
	// A pair that is a double has that double's logarithm, also a subnormal.
	for _, x := range append(doubles(6, 100), 0x1.8p-1030, 0x1.fffffffffffffp-1, 0x1p-1074) {
		x = math.Abs(x)
		if x >= 1 {
			x = 1 / x
		}
		frac, exp := math.Frexp(x)
		if exp > 0 {
			continue
		}
		m := int(math.Ldexp(frac, 53)) - 1<<52
		assert.Equal(t, ask(t, "ln", "x", x), ask(t, "ln_pair", "m", m, "e", 1-exp))
	}
}

func TestAbstains(t *testing.T) {
	at := func(x float64, nudge int) (*big.Float, *big.Float) {
		a := new(big.Float).SetPrec(coarse.prec).SetFloat64(x)
		b := new(big.Float).SetPrec(fine.prec).SetFloat64(x)
		return a, b.Add(b, new(big.Float).SetMantExp(float(x), nudge))
	}
	y, why := nearest(at(1.5, -170))
	assert.Empty(t, why)
	assert.Equal(t, 1.5, y)
	_, why = nearest(at(1.5, -140))
	assert.Contains(t, why, "disagrees")
	a, b := at(1, -1000)
	for _, x := range []*big.Float{a, b} {
		x.Add(x, float(0x1p-53)) // the midpoint of 1 and its successor
	}
	_, why = nearest(a, b)
	assert.Contains(t, why, "midpoint")
	// The side on which the finer value lies is believed from 2^-183 on.
	a.Add(a, new(big.Float).SetMantExp(float(1), -155))
	b.Add(b, new(big.Float).SetMantExp(float(1), -155))
	y, why = nearest(a, b)
	assert.Empty(t, why)
	assert.Equal(t, 0x1.0000000000001p+0, y)
}

func BenchmarkLn(b *testing.B) {
	xs := doubles(7, 256)
	for i := range xs {
		xs[i] = math.Abs(xs[i])
	}
	b.Run("doubles", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = lnDouble(xs[i%len(xs)])
		}
	})
	b.Run("near one", func(b *testing.B) {
		for b.Loop() {
			_, _ = lnDouble(0x1.fffffffffffffp-1)
		}
	})
	b.Run("draws", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _ = lnDraw(draw{m: uint64(i) * 0x9e3779b97f4a7 % (1 << 52), e: uint64(1 + i%20)})
		}
	})
	b.Run("huge e", func(b *testing.B) {
		for b.Loop() {
			_, _ = lnDraw(draw{m: 12345, e: 1 << 61})
		}
	})
}
