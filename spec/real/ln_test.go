package real

import (
	"math/big"
	"testing"

	"github.com/ALTree/bigfloat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checkLn compares Ln(x, prec) with the judge and with its promised width.
func checkLn(t *testing.T, x Dyadic, prec uint) Interval {
	t.Helper()
	got, err := Ln(x, prec)
	require.NoError(t, err)
	// The judge works at an absolute precision: add the zeros that lead ln x near 1.
	lead := uint(16)
	if x.Top() == 0 || x.Top() == -1 {
		lead += uint(-min(x.Sub(One()).Top(), 0))
	}
	lead += uint(new(big.Int).Abs(big.NewInt(x.Top())).BitLen()) // and what k ln 2 loses
	judge := judgeLn(x, prec+lead+80)
	requireEncloses(t, judge, got, "ln(%v) at %d bits", x, prec)
	requireNarrow(t, got, prec, leastMagnitude(t, judge), "ln(%v) at %d bits", x, prec)
	return got
}

func TestLnRandom(t *testing.T) {
	r := newRand(20)
	precs := []uint{1, 2, 3, 7, 16, 53, 64, 69, 100, 128, 200}
	for i := range scaled(1500, 150) {
		m := randBits(r, 1+r.IntN(200))
		x := NewDyadic(m, r.Int64N(1<<uint(1+r.IntN(16)))-int64(r.IntN(1<<12)))
		if !x.Equal(One()) {
			checkLn(t, x, precs[i%len(precs)])
		}
	}
}

// Every precision in a range: the working precision is a multiple of 64 bits, and
// the promised width is tightest where that rounding up gives nothing away.
func TestLnEveryPrecision(t *testing.T) {
	r := newRand(27)
	for prec := uint(0); prec <= 330; prec++ {
		checkLn(t, NewDyadic(randBits(r, 90), -r.Int64N(180)), prec)
		checkLn(t, FromUint64(1<<40+1, -40), prec)
		checkLn(t, FromInt64(2), prec)
	}
}

// High precisions, and each promise at them.
func TestLnManyBits(t *testing.T) {
	r := newRand(21)
	for _, prec := range []uint{255, 256, 257, 500, 777, 1000, 1500, 2000} {
		for range scaled(3, 1) {
			checkLn(t, NewDyadic(randBits(r, 100), r.Int64N(400)-200), prec)
		}
	}
}

// Near 1 the logarithm is small and the promise is relative.
func TestLnNearOne(t *testing.T) {
	r := newRand(22)
	ks := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 31, 52, 53, 54, 63, 64, 65, 100, 127, 128, 500, 1000, 2000}
	for _, k := range ks {
		for _, prec := range []uint{1, 53, 128} {
			small := NewDyadic(randBits(r, 1+r.IntN(80)), 0)
			small = small.Shift(-k - 1 - small.Top())
			for _, d := range []Dyadic{Pow2(-k), small} {
				checkLn(t, One().Add(d), prec)
				checkLn(t, One().Sub(d), prec)
			}
		}
	}
	most := uint(scaled(2000, 200))
	checkLn(t, One().Add(Pow2(-2000)), most)
	checkLn(t, One().Sub(Pow2(-2000)), most)
}

// Every cell of the table of ln(j/128) and its edges, halves of 1/128 included,
// and the place where the binade is split.
func TestLnTableCells(t *testing.T) {
	for j := uint64(2 * 128 * 2); j < 4*128*2; j++ { // j/512 runs over [1, 2) by quarters of a cell
		for _, eps := range []int64{-1, 0, 1} {
			x := FromUint64(j, -9).Add(FromInt64(eps).Shift(-70))
			if !x.Equal(One()) && (j%4 == 0 || !testing.Short()) {
				checkLn(t, x, 64)
				checkLn(t, x.Shift(-1), 32)
			}
		}
	}
	for j := lnTableLo; j <= lnTableHi; j++ {
		for _, wp := range []uint{64, 256} {
			judge := judgeLn(FromUint64(uint64(j), -7), wp+40).Shift(int64(wp))
			c := NewDyadic(lnTable(j, wp), 0)
			off := Max(c.Sub(judge.Lo).Abs(), c.Sub(judge.Hi).Abs())
			require.LessOrEqual(t, off.Cmp(One()), 0, "ln(%d/128) at %d bits is off by more than 1 ulp", j, wp)
		}
	}
	for wp := uint(64); wp <= 2048; wp += 192 {
		judge := judgeLn(FromInt64(2), wp+40).Shift(int64(wp))
		c := NewDyadic(ln2At(wp), 0)
		off := Max(c.Sub(judge.Lo).Abs(), c.Sub(judge.Hi).Abs())
		require.LessOrEqual(t, off.Cmp(One()), 0, "ln 2 at %d bits is off by more than 1 ulp", wp)
	}
}

// Exponents that cannot be expanded: m·2^k for |k| up to 2^61.
func TestLnHugeExponents(t *testing.T) {
	r := newRand(23)
	for _, k := range []int64{1 << 40, -1 << 40, 1 << 61, -1 << 61, 1<<61 + 12345, -1<<62 + 1, 1 << 31, -1 << 32} {
		for _, prec := range []uint{1, 53, 128, 600} {
			checkLn(t, Pow2(k), prec)
			checkLn(t, NewDyadic(randBits(r, 53), k), prec)
			checkLn(t, FromUint64(1<<52+1, k-52), prec)
		}
	}
}

// Significands far longer than the precision.
func TestLnLongSignificands(t *testing.T) {
	r := newRand(24)
	for _, prec := range []uint{1, 64, 128, 1000} {
		x := NewDyadic(randBits(r, 10000), -int64(r.IntN(20000)))
		checkLn(t, x, prec)
		checkLn(t, x.Shift(-x.Top()), prec)
		// 1 followed by zeros, a far bit, and the largest below 1.
		checkLn(t, One().Add(Pow2(-10000)), prec)
		checkLn(t, One().Sub(Pow2(-10000)), prec)
	}
}

func TestLnDomainAndOne(t *testing.T) {
	for _, x := range []Dyadic{{}, FromInt64(-1), Pow2(-1 << 61).Neg()} {
		_, err := Ln(x, 64)
		assert.ErrorIs(t, err, ErrLnDomain)
	}
	got, err := Ln(One(), 64)
	require.NoError(t, err)
	assert.True(t, got.IsPoint() && got.Lo.IsZero())
	got, err = Ln(FromUint64(8, -3), 1)
	require.NoError(t, err)
	assert.True(t, got.IsPoint() && got.Lo.IsZero())
}

// LnInterval contains the logarithms of both ends, and refuses to start at 0.
func TestLnInterval(t *testing.T) {
	r := newRand(25)
	for range scaled(200, 20) {
		a, b := NewDyadic(randBits(r, 1+r.IntN(60)), -30), NewDyadic(randBits(r, 1+r.IntN(60)), -30)
		x := Interval{Min(a, b), Max(a, b)}
		got, err := LnInterval(x, 80)
		require.NoError(t, err)
		for _, e := range []Dyadic{x.Lo, x.Hi, x.Lo.Add(x.Hi).Shift(-1)} {
			require.True(t, e.Equal(One()) || judgeLn(e, 260).Within(got), "ln[%v, %v]", x.Lo, x.Hi)
		}
	}
	_, err := LnInterval(Interval{Dyadic{}, One()}, 80)
	assert.ErrorIs(t, err, ErrLnDomain)
	_, err = LnInterval(Interval{One().Neg(), One()}, 80)
	assert.ErrorIs(t, err, ErrLnDomain)
}

// bigfloat is a weak voter: Newton on an AGM, no error bound. Away from 1 it is
// asked for 300 bits and trusted for 280.
func TestLnAgainstBigfloat(t *testing.T) {
	r := newRand(26)
	for range scaled(300, 30) {
		x := NewDyadic(randBits(r, 2+r.IntN(100)), r.Int64N(2000)-1000)
		if d := x.Sub(One()).Abs(); d.Cmp(Pow2(-4)) < 0 {
			continue
		}
		m, e := x.Parts()
		z := new(big.Float).SetPrec(300).SetMantExp(new(big.Float).SetPrec(300).SetInt(m), int(e))
		requireVote(t, bigfloat.Log(z), func() (Interval, error) { return Ln(x, 290) }, "ln %v", x)
	}
}

// requireVote checks that v lies within 2^-280 |v| of the enclosure.
func requireVote(t *testing.T, v *big.Float, enclose func() (Interval, error), msg string, args ...any) {
	t.Helper()
	mant := new(big.Float)
	exp := v.MantExp(mant)
	mi, acc := mant.SetMantExp(mant, 400).Int(nil)
	require.Equal(t, big.Exact, acc)
	d := NewDyadic(mi, int64(exp)-400)
	got, err := enclose()
	require.NoError(t, err)
	slack := Pow2(d.Top() - 280)
	require.True(t, Interval{got.Lo.Sub(slack), got.Hi.Add(slack)}.Contains(d),
		msg+": bigfloat says %v, the enclosure is [%v, %v]", append(args, d, got.Lo, got.Hi))
}
