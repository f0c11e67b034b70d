package real

import (
	"math/big"
	"testing"

	"github.com/ALTree/bigfloat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checkExp compares Exp(x, prec) with the judge and with its promised width.
func checkExp(t *testing.T, x Dyadic, prec uint) Interval {
	t.Helper()
	got, err := Exp(x, prec)
	require.NoError(t, err)
	judge := judgeExp(x, prec+40+uint(max(0, -x.Top()))) // e^x is near 1: show on which side
	requireEncloses(t, judge, got, "exp(%v) at %d bits", x, prec)
	requireNarrow(t, got, prec, judge.Lo, "exp(%v) at %d bits", x, prec)
	return got
}

func signed(r interface{ IntN(int) int }, d Dyadic) Dyadic {
	if r.IntN(2) == 0 {
		return d.Neg()
	}
	return d
}

func TestExpRandom(t *testing.T) {
	r := newRand(30)
	precs := []uint{1, 2, 3, 8, 15, 53, 64, 69, 100, 128, 200}
	for i := range scaled(1500, 150) {
		x := NewDyadic(randBits(r, 1+r.IntN(150)), 0)
		x = x.Shift(r.Int64N(80) - 64 - x.Top()) // magnitudes from 2^-64 to 2^15
		checkExp(t, signed(r, x), precs[i%len(precs)])
	}
}

// Every precision in a range, at the ends of the reduced argument where e^r is
// least and greatest: x near an odd multiple of ln 2 / 2.
func TestExpEveryPrecision(t *testing.T) {
	for prec := uint(0); prec <= 330; prec++ {
		for _, x := range []Dyadic{FromUint64(355, -10), FromUint64(354, -10).Neg(), FromUint64(355, -10).Neg(), FromInt64(-1000)} {
			checkExp(t, x, prec)
		}
	}
}

func TestExpManyBits(t *testing.T) {
	r := newRand(31)
	for _, prec := range []uint{255, 256, 257, 500, 777, 1000, 1500, 2000} {
		for range scaled(3, 1) {
			x := NewDyadic(randBits(r, 100), r.Int64N(20)-110)
			checkExp(t, signed(r, x), prec)
		}
	}
}

// |x| from 2^-3000 up to 2^60: the shortcut for tiny x and its edge at 2^-(prec+3),
// and arguments whose result has an exponent of 61 bits.
func TestExpMagnitudes(t *testing.T) {
	r := newRand(32)
	for _, prec := range []uint{1, 10, 53, 128} {
		tops := []int64{-3000, -1000, -200, -60, -10, -3, -2, -1, 0, 1, 2, 5, 10, 20, 31, 40, 52, 53, 59, 60}
		for d := int64(-3); d <= 3; d++ {
			tops = append(tops, -int64(prec)-3+d)
		}
		for _, top := range tops {
			m := NewDyadic(randBits(r, 1+r.IntN(64)), 0)
			for _, x := range []Dyadic{Pow2(top), m.Shift(top - m.Top()), Pow2(top + 1).Sub(Pow2(top - 40))} {
				checkExp(t, x, prec)
				checkExp(t, x.Neg(), prec)
			}
		}
	}
}

// Where x is not expandable: 1 + x + x^2 >= e^x >= 1 + x, |x| <= 1, decides. With
// x = ±2^-k the interval [1 + x, 1 + 2x] (or [1 - |x|, 1]) holds e^x, so an end
// must lie at or beyond 1 on the near side, and cannot be nearer than 2^-k on the far.
func TestExpTinyUnexpandable(t *testing.T) {
	for _, k := range []int64{1 << 20, 1 << 40, 1 << 61} {
		for _, prec := range []uint{1, 53, 2000} {
			up, err := Exp(FromUint64(3, -k), prec)
			require.NoError(t, err)
			down, err := Exp(FromUint64(3, -k).Neg(), prec)
			require.NoError(t, err)
			require.LessOrEqual(t, up.Lo.Cmp(One()), 0)
			require.GreaterOrEqual(t, down.Hi.Cmp(One()), 0)
			// 2^-prec·2 is far above |x|, so a bound of 1 ± 2^-(prec+1) is far beyond e^x.
			require.GreaterOrEqual(t, up.Hi.Cmp(One().Add(Pow2(-int64(prec)-10))), 0)
			require.LessOrEqual(t, down.Lo.Cmp(One().Sub(Pow2(-int64(prec)-10))), 0)
			requireNarrow(t, up, prec, One(), "exp(3·2^-%d)", k)
			requireNarrow(t, down, prec, One().Sub(Pow2(-20)), "exp(-3·2^-%d)", k)
		}
	}
}

// Arguments next to multiples of ln 2 and of half ln 2, where the reduction turns.
func TestExpNearReductionBoundaries(t *testing.T) {
	l2 := judgeLn(FromInt64(2), 300).Lo
	for _, n := range []int64{-7, -2, -1, 1, 2, 3, 100, 1<<40 + 1, 1 << 59} {
		x := l2.Mul(FromInt64(n)).Shift(-1)
		for _, prec := range []uint{1, 53, 128} {
			checkExp(t, x, prec)
			checkExp(t, x.Truncated(60, true), prec)
			checkExp(t, x.Truncated(60, false), prec)
		}
	}
}

func TestExpLongArguments(t *testing.T) {
	r := newRand(33)
	for _, prec := range []uint{1, 64, 128, 1000} {
		for _, top := range []int64{-9, 0, 7, 50} {
			x := NewDyadic(randBits(r, 10000), 0)
			checkExp(t, x.Shift(top-x.Top()), prec)
			checkExp(t, x.Shift(top-x.Top()).Neg(), prec)
		}
	}
}

func TestExpZeroAndRange(t *testing.T) {
	got, err := Exp(Dyadic{}, 64)
	require.NoError(t, err)
	assert.True(t, got.IsPoint() && got.Lo.Equal(One()))
	for _, x := range []Dyadic{Pow2(61), Pow2(61).Neg(), Pow2(1 << 61)} {
		_, err = Exp(x, 64)
		assert.ErrorIs(t, err, ErrExpRange)
	}
	below := Pow2(61).Sub(Pow2(0))
	checkExp(t, below, 64)
	checkExp(t, below.Neg(), 64)
}

func TestExpInterval(t *testing.T) {
	r := newRand(34)
	for range scaled(200, 20) {
		a, b := randDyadic(r, 50, 1).Shift(-44), randDyadic(r, 50, 1).Shift(-44)
		x := Interval{Min(a, b), Max(a, b)}
		got, err := ExpInterval(x, 80)
		require.NoError(t, err)
		for _, e := range []Dyadic{x.Lo, x.Hi, x.Lo.Add(x.Hi).Shift(-1)} {
			// At 0 both say exactly [1, 1], up to the width of the judge.
			require.True(t, e.IsZero() && got.Contains(One()) || judgeExp(e, 120).Within(got), "exp[%v, %v]", x.Lo, x.Hi)
		}
	}
	_, err := ExpInterval(Interval{Pow2(61).Neg(), One()}, 64)
	assert.ErrorIs(t, err, ErrExpRange)
	_, err = ExpInterval(Interval{One(), Pow2(61)}, 64)
	assert.ErrorIs(t, err, ErrExpRange)
}

// The second method for ln: x must lie inside exp of the enclosure of ln x, and
// exp of its ends must straddle x. Likewise from exp to ln.
func TestLnInvertsExp(t *testing.T) {
	r := newRand(35)
	for i := range scaled(800, 80) {
		prec := uint(1 + r.IntN(300))
		x := NewDyadic(randBits(r, 1+r.IntN(120)), 0)
		x = x.Shift(r.Int64N(200) - 100 - x.Top())
		if i%4 == 0 {
			x = One().Add(signed(r, NewDyadic(randBits(r, 40), -40-int64(1+r.IntN(100)))))
		}
		if x.Equal(One()) {
			continue
		}
		l, err := Ln(x, prec)
		require.NoError(t, err)
		back, err := ExpInterval(l, prec+60)
		require.NoError(t, err)
		require.True(t, back.Contains(x), "%v is not in exp(ln %v) at %d bits", x, x, prec)

		y := signed(r, x)
		if y.Top() > 60 {
			continue
		}
		e, err := Exp(y, prec+8)
		require.NoError(t, err)
		if e.Lo.Sign() <= 0 || e.Contains(One()) {
			continue
		}
		inner, err := LnInterval(e, prec+60)
		require.NoError(t, err)
		require.True(t, inner.Contains(y), "%v is not in ln(exp %v) at %d bits", y, y, prec)
	}
	for _, k := range []int64{1 << 40, -1 << 40, 1 << 59, -1<<61 + 7} {
		x := FromUint64(1<<52+12345, k)
		l, err := Ln(x, 200)
		require.NoError(t, err)
		back, err := ExpInterval(l, 260)
		require.NoError(t, err)
		require.True(t, back.Contains(x), "%v", x)
	}
}

// bigfloat for |x| < 700 only.
func TestExpAgainstBigfloat(t *testing.T) {
	r := newRand(36)
	for range scaled(300, 30) {
		x := NewDyadic(randBits(r, 2+r.IntN(60)), 0)
		x = signed(r, x.Shift(r.Int64N(13)-4-x.Top()))
		m, e := x.Parts()
		z := new(big.Float).SetPrec(300).SetMantExp(new(big.Float).SetPrec(300).SetInt(m), int(e))
		requireVote(t, bigfloat.Exp(z), func() (Interval, error) { return Exp(x, 290) }, "exp %v", x)
	}
}
