package spec

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func TestFormatValidate(t *testing.T) {
	for _, f := range append([]Format{Binary64, Binary32, Binary16, BFloat16, Small(2, 0, 0),
		Small(MaxPrecision, -MaxExponent, MaxExponent)}, tinyFormats...) {
		assert.NoError(t, f.Validate(), f.Name)
	}
	for _, f := range []Format{
		{}, Small(0, -1, 1), Small(1, -1, 1), Small(MaxPrecision+1, -1, 1), Small(3, 1, 2), Small(3, -2, -1),
		Small(3, -MaxExponent-1, 0), Small(3, 0, MaxExponent+1),
	} {
		assert.Error(t, f.Validate(), f.Name)
	}
	assert.Equal(t, "F(3,-2,5)", Small(3, -2, 5).Name)
}

// The published parameters of the practical formats, against package math.
func TestFormatConstants(t *testing.T) {
	same := func(want float64, d real.Dyadic) {
		t.Helper()
		assert.Zero(t, new(big.Rat).SetFloat64(want).Cmp(ratOf(d)), "%v", d)
	}
	same(math.MaxFloat64, Binary64.MaxFinite())
	same(math.SmallestNonzeroFloat64, Binary64.MinPositive())
	same(math.MaxFloat32, Binary32.MaxFinite())
	same(math.SmallestNonzeroFloat32, Binary32.MinPositive())
	same(65504, Binary16.MaxFinite())
	same(0x1p-24, Binary16.MinPositive())
	same(0x1.fep127, BFloat16.MaxFinite())
	same(0x1p-133, BFloat16.MinPositive())
	same(0x1p-53, Binary64.Eta())
	assert.Equal(t, int64(-1074), Binary64.Quantum())
	assert.Equal(t, int64(-1074), Binary64.UlpExponent(real.Dyadic{}))
	assert.Equal(t, int64(-1074), Binary64.UlpExponent(real.Pow2(-1022)))
	assert.Equal(t, int64(-1073), Binary64.UlpExponent(real.Pow2(-1021)))
	assert.Equal(t, int64(-52), Binary64.UlpExponent(dy(-3, -1)))
}

// Contains by listing every number of a tiny format and trying all m·2^e around.
func TestContainsByListing(t *testing.T) {
	for _, f := range tinyFormats {
		in := map[string]bool{}
		for _, r := range finiteData(f) {
			in[r.RatString()] = true
		}
		for m := int64(-2 << f.Precision); m <= 2<<f.Precision; m++ {
			for e := f.Quantum() - 2; e <= f.EMax+2; e++ {
				d := dy(m, e)
				require.Equal(t, in[ratOf(d).RatString()], f.Contains(d), "%v in %s", d, f.Name)
				require.Equal(t, f.Contains(d), f.Has(FromDyadic(d)))
			}
		}
		for _, v := range []Value{Zero(false), Zero(true), Inf(false), Inf(true), NaN()} {
			require.True(t, f.Has(v))
		}
	}
	assert.False(t, Binary64.Contains(real.Pow2(1<<60)))
	assert.False(t, Binary64.Contains(real.Pow2(-1<<60)))
}

// NextUp walks a tiny format through its list: -Inf, the finite numbers with -0
// before the positive ones, +Inf.
func TestNextUpWalksTheList(t *testing.T) {
	for _, f := range tinyFormats {
		data := finiteData(f)
		v := f.NextUp(Inf(true))
		for i, r := range data {
			require.True(t, v.IsFinite())
			require.Zero(t, ratOf(v.Dyadic()).Cmp(r), "%s: datum %d is %v, walked to %v", f.Name, i, r, v)
			if r.Sign() == 0 {
				require.True(t, v.Same(Zero(true)), "the step up to zero gives -0")
				require.True(t, f.NextUp(Zero(false)).Same(f.NextUp(v)), "+0 and -0 have one successor")
				v = Zero(false)
			}
			back := f.NextDown(v)
			if i == 0 {
				require.True(t, back.Same(Inf(true)))
			} else {
				require.Zero(t, ratOf(back.Dyadic()).Cmp(data[i-1]))
				require.False(t, back.IsZero() && back.Signbit(), "the step down to zero gives +0")
			}
			v = f.NextUp(v)
		}
		require.True(t, v.Same(Inf(false)))
		require.True(t, f.NextUp(v).Same(Inf(false)))
		require.True(t, f.NextDown(Inf(true)).Same(Inf(true)))
		require.Zero(t, ratOf(f.NextDown(v).Dyadic()).Cmp(data[len(data)-1]))
		require.True(t, f.NextUp(NaN()).IsNaN())
		require.True(t, f.NextDown(NaN()).IsNaN())
	}
}

func TestNextAgainstHardware(t *testing.T) {
	r := newRand(1)
	for i := range scaled(20000, 2000) {
		b := r.Uint64()
		if i%2 == 0 { // powers of two, their neighbours, both ends of the range
			b = (b&0xfff)<<52 + uint64(int64(i%3)-1)
		}
		x := math.Float64frombits(b)
		if math.IsNaN(x) {
			continue
		}
		want := math.Float64bits(math.Nextafter(x, math.Inf(1)))
		got, err := Binary64.Encode(Binary64.NextUp(FromFloat64(x)))
		require.NoError(t, err)
		require.Equal(t, want, got, "NextUp(%x)", x)
		want = math.Float64bits(math.Nextafter(x, math.Inf(-1)))
		got, err = Binary64.Encode(Binary64.NextDown(FromFloat64(x)))
		require.NoError(t, err)
		require.Equal(t, want, got, "NextDown(%x)", x)

		y := math.Float32frombits(uint32(b >> 31))
		if y != y {
			continue
		}
		v, err := Binary32.Decode(uint64(math.Float32bits(y)))
		require.NoError(t, err)
		got, err = Binary32.Encode(Binary32.NextUp(v))
		require.NoError(t, err)
		require.Equal(t, uint64(math.Float32bits(math.Nextafter32(y, float32(math.Inf(1))))), got, "NextUp(%x)", y)
	}
}
