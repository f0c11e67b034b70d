package real

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// containsRat decides lo <= q <= hi in rationals.
func containsRat(x Interval, q *big.Rat) bool {
	return ratOf(x.Lo).Cmp(q) <= 0 && q.Cmp(ratOf(x.Hi)) <= 0
}

func randInterval(r interface{ IntN(int) int }, draw func() Dyadic) Interval {
	a, b := draw(), draw()
	if r.IntN(4) == 0 {
		return Point(a)
	}
	return Interval{Min(a, b), Max(a, b)}
}

// Each operation on intervals contains the exact rational result for the ends
// and an inner point of the operands, and its own ends carry at most prec bits.
func TestIntervalOperationsAreOutward(t *testing.T) {
	r := newRand(10)
	for range scaled(6000, 600) {
		draw := func() Dyadic { return randDyadic(r, 60, 60) }
		x, y := randInterval(r, draw), randInterval(r, draw)
		prec := uint(1 + r.IntN(70))
		sum, diff, prod := x.Add(y, prec), x.Sub(y, prec), x.Mul(y, prec)
		quo, err := x.Quo(y, prec)
		zeroInside := y.Lo.Sign()*y.Hi.Sign() <= 0
		require.Equal(t, zeroInside, err != nil)
		if zeroInside {
			require.ErrorIs(t, err, ErrDivideByZero)
		}
		mid := func(v Interval) Dyadic { return v.Lo.Add(v.Hi).Shift(-1) }
		for _, a := range []Dyadic{x.Lo, mid(x), x.Hi} {
			for _, b := range []Dyadic{y.Lo, mid(y), y.Hi} {
				ra, rb := ratOf(a), ratOf(b)
				require.True(t, containsRat(sum, new(big.Rat).Add(ra, rb)), "%v + %v", x, y)
				require.True(t, containsRat(diff, new(big.Rat).Sub(ra, rb)), "%v - %v", x, y)
				require.True(t, containsRat(prod, new(big.Rat).Mul(ra, rb)), "%v * %v", x, y)
				if !zeroInside {
					require.True(t, containsRat(quo, new(big.Rat).Quo(ra, rb)), "%v / %v", x, y)
				}
			}
		}
		for _, e := range []Dyadic{sum.Lo, sum.Hi, diff.Lo, diff.Hi, prod.Lo, prod.Hi} {
			m, _ := e.Parts()
			require.LessOrEqual(t, uint(m.BitLen()), prec)
		}
		require.True(t, x.Within(x.Outward(prec)))
		require.Equal(t, ratOf(x.Neg().Lo), new(big.Rat).Neg(ratOf(x.Hi)))
	}
}

// The ends are as tight as prec allows: an end is the exact end, truncated.
func TestIntervalAddIsTight(t *testing.T) {
	r := newRand(11)
	for range scaled(6000, 600) {
		// Gaps straddle the shortcut of addDir on purpose.
		prec := uint(1 + r.IntN(12))
		a := randDyadic(r, 10, 4)
		b := randDyadic(r, 10, 30)
		got := Point(a).Add(Point(b), prec)
		exact := a.Add(b)
		require.True(t, got.Lo.Equal(exact.Truncated(prec, false)), "%v + %v down to %d bits: %v", a, b, prec, got.Lo)
		require.True(t, got.Hi.Equal(exact.Truncated(prec, true)), "%v + %v up to %d bits: %v", a, b, prec, got.Hi)
	}
}

// A gap that cannot be expanded gives what any small number of that sign gives.
func TestIntervalAddHugeGap(t *testing.T) {
	const far = int64(1) << 61
	r := newRand(12)
	for range 500 {
		a := randDyadic(r, 40, 20)
		if a.IsZero() {
			continue
		}
		prec := uint(1 + r.IntN(60))
		for _, s := range []int64{-1, 1} {
			small := FromInt64(s).Shift(-far)
			likeIt := FromInt64(s).Shift(-500) // small beside every a here, and expandable
			for _, got := range []Interval{
				Point(a).Add(Point(small), prec), Point(small).Add(Point(a), prec),
				Point(a).Sub(Point(small.Neg()), prec),
			} {
				exact := a.Add(likeIt)
				require.True(t, got.Lo.Equal(exact.Truncated(prec, false)), "%v %+d·tiny, %d bits", a, s, prec)
				require.True(t, got.Hi.Equal(exact.Truncated(prec, true)), "%v %+d·tiny, %d bits", a, s, prec)
			}
		}
	}
}

func TestIntervalMulSigns(t *testing.T) {
	iv := func(a, b int64) Interval { return Interval{FromInt64(a), FromInt64(b)} }
	for _, c := range []struct{ x, y, want Interval }{
		{iv(2, 3), iv(5, 7), iv(10, 21)},
		{iv(-3, -2), iv(5, 7), iv(-21, -10)},
		{iv(-3, -2), iv(-7, -5), iv(10, 21)},
		{iv(-2, 3), iv(-5, 7), iv(-15, 21)},
		{iv(-3, 2), iv(5, 7), iv(-21, 14)},
		{iv(0, 3), iv(-5, 0), iv(-15, 0)},
		{iv(0, 0), iv(-5, 7), iv(0, 0)},
	} {
		for _, got := range []Interval{c.x.Mul(c.y, 20), c.y.Mul(c.x, 20)} {
			assert.True(t, got.Lo.Equal(c.want.Lo) && got.Hi.Equal(c.want.Hi), "%v * %v = %v", c.x, c.y, got)
		}
	}
}

// A quotient of points: exact when it has few bits, else one unit wide in its
// last kept bit, at relative width 2^-prec at most.
func TestIntervalQuoPoints(t *testing.T) {
	r := newRand(13)
	for range scaled(4000, 400) {
		a, b := randDyadic(r, 300, 100), randDyadic(r, 120, 100)
		prec := uint(1 + r.IntN(100))
		if b.IsZero() {
			continue
		}
		got, err := Point(a).Quo(Point(b), prec)
		require.NoError(t, err)
		q := new(big.Rat).Quo(ratOf(a), ratOf(b))
		require.True(t, containsRat(got, q), "%v / %v", a, b)
		width := new(big.Rat).Sub(ratOf(got.Hi), ratOf(got.Lo))
		allowed := new(big.Rat).Mul(new(big.Rat).Abs(q), ratOf(Pow2(-int64(prec))))
		require.LessOrEqual(t, width.Cmp(allowed), 0, "%v / %v to %d bits is too wide", a, b, prec)

		exact, err := Point(a.Mul(b)).Quo(Point(b), 310)
		require.NoError(t, err)
		require.True(t, exact.IsPoint() && exact.Lo.Equal(a), "(ab)/b is a")
	}
}

func TestIntervalDivideByZero(t *testing.T) {
	one := Point(One())
	for _, y := range []Interval{
		Point(Dyadic{}), {Dyadic{}, One()}, {One().Neg(), Dyadic{}}, {One().Neg(), One()},
	} {
		_, err := one.Quo(y, 10)
		assert.ErrorIs(t, err, ErrDivideByZero)
	}
	for _, y := range []Interval{{Pow2(-1 << 60), One()}, {One().Neg(), Pow2(-1 << 60).Neg()}} {
		_, err := one.Quo(y, 10)
		assert.NoError(t, err)
	}
}

func TestIntervalPredicates(t *testing.T) {
	x := Interval{FromInt64(-1), FromInt64(3)}
	for d, want := range map[int64]bool{-2: false, -1: true, 0: true, 3: true, 4: false} {
		assert.Equal(t, want, x.Contains(FromInt64(d)), d)
	}
	assert.True(t, x.Within(x))
	assert.False(t, Interval{FromInt64(-1), FromInt64(4)}.Within(x))
	assert.False(t, Interval{FromInt64(-2), FromInt64(3)}.Within(x))
	assert.False(t, x.IsPoint())
	assert.True(t, Point(One()).IsPoint())
	assert.True(t, x.Width().Equal(FromInt64(4)))
	assert.True(t, x.Shift(-1).Hi.Equal(FromUint64(3, -1)))
}
