package oracle

import (
	"math"
	"math/big"
	"testing"

	"github.com/ALTree/bigfloat"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// requireLn checks got = fl(ln x) by listing, with the judge's enclosure of ln x.
func (l *lineup) requireLn(t *testing.T, x *big.Rat, got spec.Value) {
	t.Helper()
	lo, hi := judgeLn(x)
	want := l.nearest(lo)
	requireSame(t, want, l.nearest(hi), "the judge cannot decide ln %v", x)
	if x.Cmp(big.NewRat(1, 1)) == 0 {
		want = spec.Zero(false)
	}
	requireSame(t, want, got, "%s: ln %v", l.f.Name, x)
}

// All positive numbers of tiny formats, of binary16 and (every 29th) of bfloat16.
func TestLnByListing(t *testing.T) {
	for _, f := range append(tinyFormats[:len(tinyFormats):len(tinyFormats)], spec.Binary16, spec.BFloat16) {
		step := 1
		if f.Precision > 6 {
			step = scaled(1, 23)
		}
		if f.Name == "bfloat16" {
			step *= 29
		}
		l := listFormat(f)
		for i := 1; i < len(l.nums)-1; i += step {
			if l.nums[i].Cmp(big.NewRat(1, 1)) == 0 {
				continue
			}
			got, err := Ln(f, l.at(i))
			require.NoError(t, err)
			l.requireLn(t, l.nums[i], got)
		}
		one, err := Ln(f, num(1, 0))
		require.NoError(t, err)
		requireSame(t, spec.Zero(false), one, "ln 1")
	}
}

// Draws u of tiny formats: not numbers of the format when e is large; ln u may
// overflow to -Inf where emax is small.
func TestLnUByListing(t *testing.T) {
	overflowed := 0
	for _, f := range tinyFormats {
		l := listFormat(f)
		for m := uint64(0); m < 1<<(f.Precision-1); m++ {
			for e := int64(1); e <= 40; e++ {
				u := spec.U{M: m, E: e}
				got, err := LnU(f, u)
				require.NoError(t, err)
				x := new(big.Rat).SetInt64(int64(m) + 1<<(f.Precision-1))
				x.Mul(x, pow2Rat(-e-int64(f.Precision)+1))
				l.requireLn(t, x, got)
				if got.IsInf() {
					overflowed++
				}
			}
		}
		_, err := LnU(f, spec.U{M: 1 << (f.Precision - 1), E: 1})
		requireReject(t, err, spec.Domain, "m")
	}
	assert.Positive(t, overflowed)
}

// binary64 against bigfloat at 300 bits, away from 1 where bigfloat is weak.
func TestLnBinary64AgainstBigfloat(t *testing.T) {
	r := newRand(20)
	for range scaled(3000, 300) {
		x := math.Float64frombits(r.Uint64() & (1<<63 - 1))
		if r.IntN(3) == 0 {
			x = math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		}
		if r.IntN(10) == 0 {
			x = math.Float64frombits(r.Uint64() >> 12)
		}
		if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 || x > 0.9 && x < 1.1 {
			continue
		}
		want, _ := bigfloat.Log(new(big.Float).SetPrec(300).SetFloat64(x)).Float64()
		got, err := Ln(spec.Binary64, dbl(x))
		require.NoError(t, err)
		sameBits64(t, want, got, "ln %x", x)
	}
}

// Near 1, d - d^2/2 + d^3/3 decides for |d| below 2^-45. The cube matters:
// ln(1 - 2^-52) is a tie of the doubles without it.
func TestLnBinary64NearOne(t *testing.T) {
	for n := int64(1); n < 40; n++ {
		for _, d := range []float64{float64(n) * 0x1p-52, -float64(n) * 0x1p-53} {
			got, err := Ln(spec.Binary64, dbl(1+d))
			require.NoError(t, err)
			r := new(big.Rat).SetFloat64(d)
			sq := new(big.Rat).Mul(r, r)
			cube := new(big.Rat).Mul(sq, r)
			exact := new(big.Rat).Sub(r, sq.Mul(sq, big.NewRat(1, 2)))
			exact.Add(exact, cube.Mul(cube, big.NewRat(1, 3)))
			want, _ := exact.Float64()
			sameBits64(t, want, got, "ln(1%+x)", d)
		}
	}
}

// Values that textbooks and libm test suites agree on, and the ends of the range.
func TestLnBinary64Literals(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{2, math.Ln2}, {10, math.Ln10}, {0.5, -math.Ln2}, {math.E, 1}, {1, 0},
		{0x1p-1074, -744.4400719213812}, {math.MaxFloat64, 709.782712893384}, {0x1p-1022, -708.3964185322641},
		{1 - 0x1p-53, -0x1p-53}, {1 + 0x1p-52, 0x1.fffffffffffffp-53},
	} {
		got, err := Ln(spec.Binary64, dbl(c.x))
		require.NoError(t, err)
		sameBits64(t, c.want, got, "ln %x", c.x)
	}
	for _, u := range []struct {
		m    uint64
		e    int64
		want string
	}{ // -e ln 2 for e = 2^61, 2^62 - 1: ln 2 times a power of two, and a hair less
		{0, 1 << 61, "-0x1.62e42fefa39efp+60"}, {0, 1<<62 - 1, "-0x1.62e42fefa39efp+61"}, {0, 1, "-0x1.62e42fefa39efp-1"},
	} {
		got, err := LnU(spec.Binary64, spec.U{M: u.m, E: u.e})
		require.NoError(t, err)
		require.Equal(t, u.want, got.String())
	}
}

func TestLnDomain(t *testing.T) {
	for _, x := range []spec.Value{
		spec.Zero(false), spec.Zero(true), num(-1, 0), spec.Inf(false), spec.Inf(true), spec.NaN(), num(1<<53+1, 0), num(1, -1075),
	} {
		_, err := Ln(spec.Binary64, x)
		requireReject(t, err, spec.Domain, "x")
	}
	for _, u := range []spec.U{{M: 1 << 52, E: 1}, {M: 0, E: 0}, {M: 0, E: spec.MaxE + 1}} {
		_, err := LnU(spec.Binary64, u)
		requireReject(t, err, spec.Domain, "")
	}
}

// Inputs next to 1 whose logarithm is a tie but for the third term of its series,
// d^3/3, so that p + 16 bits cannot decide and the refinement must go on:
// d = -2^-(p-1), where d^2/2 is half an ulp of d, and d = 6·2^-(p-1), where it is
// 4.5 ulps.
func TestLnRefinesPastNearTies(t *testing.T) {
	for _, p := range []int64{53, 100, 200, 500, 2000} {
		f := spec.Small(uint(p), -8192, 8192)
		below, err := Ln(f, spec.FromDyadic(dy(1, 0).Sub(dy(1, 1-p))))
		require.NoError(t, err)
		requireSame(t, spec.FromDyadic(dy(-1, 1-p).Sub(dy(1, 2-2*p))), below, "p = %d: ln(1 - 2^-(p-1))", p)
		above, err := Ln(f, spec.FromDyadic(dy(1, 0).Add(dy(6, 1-p))))
		require.NoError(t, err)
		requireSame(t, spec.FromDyadic(dy(6, 1-p).Sub(dy(4, 4-2*p))), above, "p = %d: ln(1 + 6·2^-(p-1))", p)
	}
}
