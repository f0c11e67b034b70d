package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// Pow2Ceil and Pow2CeilInv by trying every power of two of a tiny format, upward.
func TestPow2CeilByListing(t *testing.T) {
	for _, f := range append(tinyFormats[:len(tinyFormats):len(tinyFormats)], spec.Binary16) {
		l := listFormat(f)
		for i := 1; i < len(l.nums)-1; i += 1 + len(l.nums)/2000 {
			x := l.nums[i]
			requirePow2(t, f, x, func() (spec.Value, error) { return Pow2Ceil(f, l.at(i)) })
			requirePow2(t, f, new(big.Rat).Inv(x), func() (spec.Value, error) { return Pow2CeilInv(f, l.at(i)) })
		}
	}
	f := spec.Binary64
	got, err := Pow2CeilInv(f, dbl(0x1.fffffffffffffp+1023)) // 1/x is subnormal
	require.NoError(t, err)
	requireSame(t, num(1, -1023), got, "1/max")
	_, err = Pow2CeilInv(f, dbl(0x1p-1024))
	requireReject(t, err, spec.Overflow, "unit")
	got, err = Pow2CeilInv(f, dbl(0x1.0000000000001p-1023))
	require.NoError(t, err)
	requireSame(t, num(1, 1023), got, "just inside")
	_, err = Pow2Ceil(f, dbl(0x1.0000000000001p+1023))
	requireReject(t, err, spec.Overflow, "unit")
}

func requirePow2(t *testing.T, f spec.Format, x *big.Rat, do func() (spec.Value, error)) {
	t.Helper()
	got, err := do()
	for k := f.Quantum(); k <= f.EMax; k++ {
		if pow2Rat(k).Cmp(x) >= 0 {
			require.NoError(t, err)
			requireSame(t, num(1, k), got, "%s: least power of two >= %v", f.Name, x)
			return
		}
	}
	requireReject(t, err, spec.Overflow, "unit")
}

func TestLatticeDomains(t *testing.T) {
	f := spec.Binary64
	bad := []spec.Value{spec.Zero(false), spec.Zero(true), num(-1, 0), spec.Inf(false), spec.NaN(), num(1<<53+1, 0)}
	for _, x := range bad {
		_, err := Pow2Ceil(f, x)
		requireReject(t, err, spec.Domain, "x")
		_, err = Pow2CeilInv(f, x)
		requireReject(t, err, spec.Domain, "x")
		_, err = RoundMultiple(f, num(1, 0), x, spec.TiesUp)
		requireReject(t, err, spec.Domain, "unit")
	}
	for _, unit := range []spec.Value{num(3, 0), num(1, 1024), num(1, -1075), num(-2, 0)} {
		_, err := RoundMultiple(f, num(1, 0), unit, spec.TiesUp)
		requireReject(t, err, spec.Domain, "unit")
	}
	for _, x := range []spec.Value{spec.Inf(true), spec.NaN(), num(1, -1075)} {
		_, err := RoundMultiple(f, x, num(1, 0), spec.TiesUp)
		requireReject(t, err, spec.Domain, "x")
	}
	_, err := RoundMultiple(f, num(1, 0), num(1, 0), "even")
	requireReject(t, err, spec.Domain, "ties")
	_, err = RoundMultiple(f, spec.NaN(), num(3, 0), "even") // the first fault is named
	requireReject(t, err, spec.Domain, "x")

	one, two := num(1, 0), num(2, 0)
	for _, c := range []struct {
		x, lo, hi spec.Value
		subject   string
	}{
		{spec.NaN(), one, two, "x"}, {one, spec.NaN(), two, "lo"}, {one, spec.Inf(true), two, "lo"},
		{one, one, spec.Inf(false), "hi"}, {one, one, spec.NaN(), "hi"}, {one, two, one, "lo"},
	} {
		_, err := Clamp(c.x, c.lo, c.hi)
		requireReject(t, err, spec.Domain, c.subject)
	}
}

// nearestInt is the integer nearest to q, ties up or down, by comparing 2 rest
// with 1, for the integer part n <= q found by division.
func nearestInt(q *big.Rat, t spec.Ties) *big.Int {
	n := new(big.Int).Div(q.Num(), q.Denom()) // floor
	rest := new(big.Rat).Sub(q, new(big.Rat).SetInt(n))
	c := rest.Cmp(big.NewRat(1, 2))
	if c > 0 || c == 0 && t == spec.TiesUp {
		n.Add(n, big.NewInt(1))
	}
	return n
}

func TestNearestMultiple(t *testing.T) {
	for _, ties := range []spec.Ties{spec.TiesUp, spec.TiesDown} {
		for m := int64(-70); m <= 70; m++ { // every m/8 against units 2^-5 .. 2^5
			for k := int64(-5); k <= 5; k++ {
				q := new(big.Rat).Mul(big.NewRat(m, 8), pow2Rat(-k))
				require.Zero(t, nearestInt(q, ties).Cmp(NearestMultiple(dy(m, -3), k, ties)), "%d/8 to 2^%d %s", m, k, ties)
			}
		}
		r := newRand(30)
		for range scaled(5000, 500) {
			d := dy(r.Int64()>>uint(r.IntN(60)), r.Int64N(200)-100)
			if r.IntN(2) == 0 {
				d = d.Neg()
			}
			k := r.Int64N(200) - 100
			if r.IntN(2) == 0 && !d.IsZero() { // half a unit, exactly
				k = d.Low() + 1
			}
			q := new(big.Rat).Mul(ratOf(d), pow2Rat(-k))
			require.Zero(t, nearestInt(q, ties).Cmp(NearestMultiple(d, k, ties)), "%v to 2^%d %s", d, k, ties)
		}
	}
	// The faults of the notes (docs/theory.md 2.3), as literals.
	for _, c := range []struct{ halves, up, down int64 }{{-3, -1, -2}, {-1, 0, -1}, {1, 1, 0}, {3, 2, 1}, {-2, -1, -1}, {5, 3, 2}} {
		require.Equal(t, c.up, NearestMultiple(dy(c.halves, -1), 0, spec.TiesUp).Int64(), c)
		require.Equal(t, c.down, NearestMultiple(dy(c.halves, -1), 0, spec.TiesDown).Int64(), c)
	}
}

// All finite x, all powers of two and both tie rules of tiny formats; the multiple
// must be a number of the format, or overflow.
func TestRoundMultipleByListing(t *testing.T) {
	overflows := 0
	for _, f := range tinyFormats {
		l := listFormat(f)
		for _, x := range l.values() {
			if !x.IsFinite() {
				continue
			}
			for k := f.Quantum(); k <= f.EMax; k++ {
				for _, ties := range []spec.Ties{spec.TiesUp, spec.TiesDown} {
					got, err := RoundMultiple(f, x, num(1, k), ties)
					overflows += requireMultiple(t, l, x, k, ties, got, err)
				}
			}
		}
	}
	require.Positive(t, overflows)
}

func requireMultiple(t *testing.T, l *lineup, x spec.Value, k int64, ties spec.Ties, got spec.Value, err error) (overflow int) {
	t.Helper()
	n := nearestInt(new(big.Rat).Mul(ratOf(x.Dyadic()), pow2Rat(-k)), ties)
	want := new(big.Rat).Mul(new(big.Rat).SetInt(n), pow2Rat(k))
	i, ok := l.keys[new(big.Rat).Abs(want).RatString()]
	require.True(t, ok, "%v is not on the list", want)
	v := l.at(i)
	if v.IsInf() {
		requireReject(t, err, spec.Overflow, "y")
		return 1
	}
	if want.Sign() < 0 {
		v = v.Neg()
	}
	require.NoError(t, err)
	requireSame(t, v, got, "%s: %v to 2^%d %s", l.f.Name, x, k, ties)
	return 0
}

// binary64 at the extremes of its range.
func TestRoundMultipleBinary64(t *testing.T) {
	for _, c := range []struct {
		x, unit float64
		ties    spec.Ties
		want    float64
	}{
		{-0.5, 1, spec.TiesUp, 0}, {-0.5, 1, spec.TiesDown, -1}, {-1.5, 1, spec.TiesUp, -1}, {2.5, 1, spec.TiesUp, 3},
		{0x1p-1074, 0x1p-1073, spec.TiesUp, 0x1p-1073}, {0x1p-1074, 0x1p-1073, spec.TiesDown, 0},
		{0x3p-1074, 0x1p-1074, spec.TiesUp, 0x3p-1074}, {0x1p-1074, 0x1p1023, spec.TiesUp, 0},
		{0x1p1022, 0x1p1023, spec.TiesUp, 0x1p1023}, {-0x1p1022, 0x1p1023, spec.TiesUp, 0},
		{0x1.fffffffffffffp1023, 1, spec.TiesUp, 0x1.fffffffffffffp1023}, {0x1.fffffffffffffp51, 1, spec.TiesUp, 0x1p52},
		{0x1.fffffffffffffp51, 1, spec.TiesDown, 0x1.ffffffffffffep51}, {0x1p52 + 1, 1, spec.TiesUp, 0x1p52 + 1},
	} {
		got, err := RoundMultiple(spec.Binary64, dbl(c.x), dbl(c.unit), c.ties)
		require.NoError(t, err)
		sameBits64(t, c.want, got, "%x to %x %s", c.x, c.unit, c.ties)
	}
	_, err := RoundMultiple(spec.Binary64, dbl(0x1.8p1023), dbl(0x1p1023), spec.TiesUp)
	requireReject(t, err, spec.Overflow, "y")
	got, err := RoundMultiple(spec.Binary64, dbl(0x1.8p1023), dbl(0x1p1023), spec.TiesDown)
	require.NoError(t, err)
	sameBits64(t, 0x1p1023, got, "the other tie")
}

// clamp by position in the list of all data.
func TestClampByListing(t *testing.T) {
	l := listFormat(spec.Small(2, -1, 2))
	data := l.values()
	for i, x := range data {
		for j, lo := range data {
			for k, hi := range data {
				if !lo.IsFinite() || !hi.IsFinite() || j > k {
					continue
				}
				got, err := Clamp(x, lo, hi)
				require.NoError(t, err)
				requireSame(t, data[min(max(i, j), k)].PlusZero(), got, "clamp %v to [%v, %v]", x, lo, hi)
			}
		}
	}
	got, err := Clamp(spec.Zero(true), spec.Zero(false), spec.Zero(true)) // +0 <= -0 as numbers
	require.NoError(t, err)
	requireSame(t, spec.Zero(false), got, "zeros")
}
