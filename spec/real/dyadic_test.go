package real

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Dyadic arithmetic is compared with big.Rat, expanded independently.

func TestDyadicArithmeticIsExact(t *testing.T) {
	r := newRand(1)
	for range scaled(6000, 600) {
		a, b := randDyadic(r, 200, 150), randDyadic(r, 200, 150)
		if r.IntN(8) == 0 {
			b = a.Neg()
		}
		ra, rb := ratOf(a), ratOf(b)
		for _, c := range []struct {
			name string
			got  Dyadic
			want *big.Rat
		}{
			{"add", a.Add(b), new(big.Rat).Add(ra, rb)},
			{"sub", a.Sub(b), new(big.Rat).Sub(ra, rb)},
			{"mul", a.Mul(b), new(big.Rat).Mul(ra, rb)},
			{"neg", a.Neg(), new(big.Rat).Neg(ra)},
			{"abs", a.Abs(), new(big.Rat).Abs(ra)},
			{"shift", a.Shift(7), new(big.Rat).Mul(ra, big.NewRat(128, 1))},
			{"unshift", a.Shift(-7), new(big.Rat).Mul(ra, big.NewRat(1, 128))},
		} {
			requireNormal(t, c.got)
			require.Zero(t, ratOf(c.got).Cmp(c.want), "%s of %v and %v is %v", c.name, a, b, c.got)
		}
		require.Equal(t, ra.Cmp(rb), a.Cmp(b), "%v cmp %v", a, b)
		require.Equal(t, ra.Cmp(rb) == 0, a.Equal(b))
		require.Equal(t, ra.Sign(), a.Sign())
		require.Equal(t, ra.Sign() == 0, a.IsZero())
		require.Equal(t, ra.IsInt(), a.IsInt())
		lesser, greater := ra, rb
		if ra.Cmp(rb) > 0 {
			lesser, greater = rb, ra
		}
		require.Zero(t, ratOf(Min(a, b)).Cmp(lesser))
		require.Zero(t, ratOf(Max(a, b)).Cmp(greater))
		viaRat, ok := a.Rat()
		require.True(t, ok)
		require.Zero(t, viaRat.Cmp(ra))
	}
}

// Top is floor(log2 |a|), checked by its defining inequality; Low by divisibility.
func TestDyadicTopLowPow2(t *testing.T) {
	r := newRand(2)
	two := big.NewRat(2, 1)
	for range scaled(5000, 500) {
		a := randDyadic(r, 80, 100)
		if a.IsZero() {
			require.False(t, a.IsPow2())
			continue
		}
		abs := new(big.Rat).Abs(ratOf(a))
		lower := ratOf(Pow2(a.Top()))
		require.LessOrEqual(t, lower.Cmp(abs), 0)
		require.Negative(t, abs.Cmp(new(big.Rat).Mul(lower, two)))
		require.Equal(t, lower.Cmp(ratOf(a)) == 0, a.IsPow2(), "%v", a)
		unit := ratOf(Pow2(a.Low()))
		require.True(t, new(big.Rat).Quo(abs, unit).IsInt())
		require.False(t, new(big.Rat).Quo(abs, unit.Mul(unit, two)).IsInt())
	}
	require.False(t, Pow2(5).Neg().IsPow2())
}

// Exponents near the ends of the range: comparison and products must not expand.
func TestDyadicHugeExponents(t *testing.T) {
	const far = int64(1) << 61
	tiny, one, huge := Pow2(-far), One(), Pow2(far)
	ordered := []Dyadic{
		huge.Neg(), one.Neg(), tiny.Neg(), {}, FromUint64(1, -far-1), tiny, FromUint64(3, -far-1),
		FromUint64(math.MaxUint64, -64), one, FromUint64(1<<63+1, -63), FromUint64(3, far-2), huge, FromUint64(3, far-1),
	}
	for i, a := range ordered {
		for j, b := range ordered {
			require.Equal(t, cmpInt(i, j), a.Cmp(b), "%v cmp %v", a, b)
			require.Equal(t, i == j, a.Equal(b))
		}
	}
	assert.True(t, tiny.Mul(huge).Equal(one))
	assert.Equal(t, 2*far-1, FromUint64(3, -1).Mul(huge).Mul(Pow2(far-1)).Top())
	assert.Panics(t, func() { huge.Mul(huge).Mul(huge).Mul(huge) })
	assert.Panics(t, func() { tiny.Mul(tiny).Mul(tiny).Mul(tiny).Mul(tiny) })
	assert.Panics(t, func() { Pow2(maxExp).Shift(1) })
	assert.NotPanics(t, func() { Pow2(maxExp).Shift(-1) })
	assert.Panics(t, func() { FromUint64(6, maxExp) })
}

func TestDyadicFloor(t *testing.T) {
	r := newRand(3)
	for range scaled(5000, 500) {
		a := randDyadic(r, 120, 100)
		k := r.Int64N(400) - 200
		q := new(big.Rat).Quo(ratOf(a), ratOf(Pow2(k)))
		want := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean: floor, the denominator being positive
		require.Zero(t, want.Cmp(a.Floor(k)), "floor of %v to 2^%d", a, k)
	}
	// Far below the grid nothing is expanded.
	const far = int64(1) << 61
	assert.Zero(t, Pow2(-far).Floor(far).Sign())
	assert.Equal(t, int64(-1), Pow2(-far).Neg().Floor(far).Int64())
	// |a| just below and at the grid, both sides of the shortcut.
	for bits := uint(1); bits < 70; bits++ {
		m := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)) // bits ones
		for k := int64(bits) - 2; k <= int64(bits)+2; k++ {
			if k < 0 {
				continue
			}
			a := NewDyadic(m, 0)
			den := new(big.Int).Lsh(big.NewInt(1), uint(k))
			require.Zero(t, new(big.Int).Div(m, den).Cmp(a.Floor(k)))
			require.Zero(t, new(big.Int).Div(new(big.Int).Neg(m), den).Cmp(a.Neg().Floor(k)))
		}
	}
}

// Truncated gives the nearest number with prec bits on the side asked for: no
// other number of prec bits lies between, by the definition of the grid.
func TestDyadicTruncated(t *testing.T) {
	r := newRand(4)
	for range scaled(5000, 500) {
		a := randDyadic(r, 100, 100)
		prec := uint(1 + r.IntN(110))
		for _, up := range []bool{false, true} {
			got := a.Truncated(prec, up)
			requireNormal(t, got)
			if a.IsZero() {
				require.True(t, got.IsZero())
				continue
			}
			m, _ := got.Parts()
			require.LessOrEqual(t, uint(m.BitLen()), prec)
			// The spacing of prec-bit numbers in the binade of a.
			grid := ratOf(Pow2(a.Top() - int64(prec) + 1))
			gap := new(big.Rat).Sub(ratOf(got), ratOf(a))
			if !up {
				gap.Neg(gap)
			}
			require.GreaterOrEqual(t, gap.Sign(), 0, "wrong side: %v to %d bits, up %v: %v", a, prec, up, got)
			require.Negative(t, gap.Cmp(grid), "%v to %d bits, up %v: %v", a, prec, up, got)
		}
	}
}

func TestDyadicStringRoundTrip(t *testing.T) {
	r := newRand(5)
	for range scaled(5000, 500) {
		a := randDyadic(r, 300, 5000)
		f, _, err := big.ParseFloat(a.String(), 0, 400, big.ToNearestEven)
		require.NoError(t, err, a.String())
		m, e := a.Parts()
		want := new(big.Float).SetPrec(400).SetMantExp(new(big.Float).SetPrec(400).SetInt(m), int(e))
		require.Zero(t, f.Cmp(want), "%v", a)
	}
	for _, c := range []struct {
		d    Dyadic
		want string
	}{
		{Dyadic{}, "0x0p+0"}, {One(), "0x1p+0"}, {FromInt64(-12), "-0x1.8p+3"}, {FromUint64(0xff, -8), "0x1.fep-1"},
		{FromUint64(0x1921fb54442d18, -51), "0x1.921fb54442d18p+1"}, {FromUint64(17, 0), "0x1.1p+4"},
	} {
		assert.Equal(t, c.want, c.d.String())
	}
}

func TestDyadicIsImmutable(t *testing.T) {
	m := big.NewInt(12)
	d := NewDyadic(m, 0)
	m.SetInt64(99)
	assert.Equal(t, "0x1.8p+3", d.String(), "NewDyadic copies")
	p, _ := d.Parts()
	p.SetInt64(99)
	assert.Equal(t, "0x1.8p+3", d.String(), "Parts copies")
	s := d.Shift(3) // shares the significand
	_ = s.Add(One())
	_ = s.Floor(6)
	_ = s.Truncated(1, true)
	_ = s.Neg()
	assert.Equal(t, "0x1.8p+3", d.String())
	assert.Equal(t, "0x1.8p+6", s.String())
	_, ok := Pow2(-1 << 40).Rat()
	assert.False(t, ok, "a million bits are not expanded")
}
