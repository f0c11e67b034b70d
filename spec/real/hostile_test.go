package real

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Exponents and precisions that would wrap around if they were computed with.

func TestExponentsDoNotWrap(t *testing.T) {
	for name, f := range map[string]func(){
		"pow2 max":       func() { Pow2(math.MaxInt64) },
		"pow2 min":       func() { Pow2(math.MinInt64) },
		"from max":       func() { FromUint64(1, maxExp+1) },
		"new min":        func() { NewDyadic(big.NewInt(-3), -maxExp-1) },
		"shift":          func() { Pow2(-maxExp).Shift(-1) },
		"mul":            func() { Pow2(maxExp).Mul(Pow2(maxExp)) },
		"mul down":       func() { Pow2(-maxExp).Mul(Pow2(-maxExp)) },
		"add":            func() { Pow2(1 << 33).Add(One()) }, // on 32 bits uint(2^33) = 0 would give 2
		"add apart":      func() { Pow2(maxExp).Add(Pow2(-maxExp)) },
		"floor":          func() { One().Floor(-1 << 33) },
		"floor min":      func() { One().Floor(math.MinInt64) }, // -k wraps: 2^63·1 would be 0
		"interval quo":   func() { _, _ = Point(Pow2(maxExp)).Quo(Point(Pow2(-maxExp)), 64) },
		"interval mul":   func() { Point(Pow2(maxExp)).Mul(Point(Pow2(maxExp)), 64) },
		"interval shift": func() { Point(Pow2(maxExp)).Shift(maxExp) },
	} {
		assert.Panics(t, f, name)
	}
	least, most := Pow2(-maxExp), Pow2(maxExp)
	assert.Equal(t, -1, least.Cmp(most))
	assert.Zero(t, least.Floor(math.MaxInt64).Sign())
	assert.Equal(t, int64(-1), least.Neg().Floor(math.MaxInt64).Int64())
	assert.Equal(t, int64(maxExp)+63, FromUint64(math.MaxUint64, maxExp).Top(), "Top may pass the limit, and does not wrap")
	assert.True(t, most.Mul(least).Equal(One()))
	sum := Point(most).Add(Point(least), 64)
	assert.True(t, sum.Lo.Equal(most) && sum.Hi.Cmp(most) > 0, "exponents apart are not expanded")
}

// int64(prec) is negative for the greatest of these, and prec + n wraps.
func TestPrecisionsDoNotWrap(t *testing.T) {
	three, tiny := FromInt64(3), Pow2(-1<<40)
	for _, prec := range []uint{MaxPrec + 1, math.MaxUint >> 1, math.MaxUint>>1 + 1, math.MaxUint - 4, math.MaxUint} {
		for _, x := range []Dyadic{{}, One(), three, three.Neg(), tiny} {
			_, err := Exp(x, prec)
			assert.ErrorIs(t, err, ErrPrec, "exp %v to %d", x, prec) // [1, 17] for e^3, once
			_, err = Ln(x, prec)
			assert.ErrorIs(t, err, ErrPrec, "ln %v to %d", x, prec)
		}
		_, err := LnInterval(Interval{One(), three}, prec)
		assert.ErrorIs(t, err, ErrPrec)
		_, err = ExpInterval(Interval{One(), three}, prec)
		assert.ErrorIs(t, err, ErrPrec)

		sum := Point(One()).Add(Point(three.Shift(-1<<40)), prec)
		assert.True(t, sum.Lo.Equal(One()), "1 + 3·2^-2^40 is above %v", sum.Lo)
		assert.True(t, sum.Hi.Cmp(One()) > 0)
		diff := Point(One()).Sub(Point(tiny), prec)
		assert.True(t, diff.Lo.Cmp(One()) < 0 && diff.Hi.Equal(One()))
		assert.True(t, Point(three).Mul(Point(three), prec).Lo.Equal(FromInt64(9)))
	}
	for _, prec := range []uint{0, 1, 2} {
		for _, x := range []Dyadic{three, three.Neg(), Pow2(-900), Pow2(-900).Neg(), FromUint64(1023, -10)} {
			e, err := Exp(x, prec)
			require.NoError(t, err)
			assert.True(t, judgeExp(x, 1000).Within(e), "exp %v to %d bits", x, prec)
		}
	}
}

// No operation may change the cached constants or an operand.
func TestOperandsAreNotAliased(t *testing.T) {
	a, b := FromUint64(5, 3), FromUint64(7, 3)
	before := [2]string{a.String(), b.String()}
	m, _ := a.Parts()
	for _, n := range []*big.Int{m, a.Floor(3), a.Floor(0), b.Floor(9)} {
		n.Add(n, big.NewInt(1)).Lsh(n, 3)
	}
	for _, d := range []Dyadic{a.Shift(0), a.Abs(), a.Add(Dyadic{}), Min(a, b), a.Truncated(64, true)} {
		m, _ := d.Parts()
		m.Neg(m)
		d.Floor(3).SetInt64(0)
	}
	_, err := Point(a).Quo(Point(b.Neg()), 80)
	require.NoError(t, err)
	assert.Equal(t, before, [2]string{a.String(), b.String()})
	assert.Equal(t, "0x1p+0", One().String())

	first, err := Ln(a, 100)
	require.NoError(t, err)
	for _, x := range []Dyadic{a, b, a.Shift(50), b.Shift(-50)} {
		_, _ = Ln(x, 100)
		_, _ = Exp(x, 100)
	}
	again, err := Ln(a, 100)
	require.NoError(t, err)
	assert.Equal(t, first, again)
}
