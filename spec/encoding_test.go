package spec

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every pattern of the 16-bit formats. bfloat16 is the upper half of a binary32,
// which gives its values at once; binary16 is read by the words of IEEE 754.
func TestDecodeEncode16Exhaustively(t *testing.T) {
	for b := range uint64(1 << 16) {
		v, err := BFloat16.Decode(b)
		require.NoError(t, err)
		requireFloat(t, float64(math.Float32frombits(uint32(b)<<16)), v)
		requireRoundTrip(t, BFloat16, b, v, 0x7fc0)

		v, err = Binary16.Decode(b)
		require.NoError(t, err)
		requireFloat(t, half(uint16(b)), v)
		requireRoundTrip(t, Binary16, b, v, 0x7e00)
	}
}

// half is the value of a binary16 encoding: (-1)^s 2^(e-15) (1 + m/1024), or
// 2^-14 m/1024. All of it is exact in binary64.
func half(b uint16) float64 {
	m, e := float64(b&1023), int(b>>10&31)
	x := math.Ldexp(1+m/1024, e-15)
	switch {
	case e == 0:
		x = math.Ldexp(m/1024, -14)
	case e == 31 && m == 0:
		x = math.Inf(1)
	case e == 31:
		x = math.NaN()
	}
	if b>>15 == 1 {
		return math.Copysign(x, -1)
	}
	return x
}

// requireFloat checks class, sign and exact value.
func requireFloat(t *testing.T, want float64, got Value) {
	t.Helper()
	switch {
	case math.IsNaN(want):
		require.True(t, got.IsNaN())
		return
	case math.IsInf(want, 0):
		require.True(t, got.IsInf())
	default:
		require.Equal(t, want == 0, got.IsZero())
		require.True(t, got.IsFinite())
		require.Zero(t, new(big.Rat).SetFloat64(want).Cmp(ratOf(got.Dyadic())), "%x is read as %v", want, got)
	}
	require.Equal(t, math.Signbit(want), got.Signbit(), "sign of %x", want)
}

// requireRoundTrip encodes v again: b, or the quiet NaN.
func requireRoundTrip(t *testing.T, f Format, b uint64, v Value, quiet uint64) {
	t.Helper()
	got, err := f.Encode(v)
	require.NoError(t, err)
	if v.IsNaN() {
		b = quiet
	}
	require.Equal(t, b, got, "%s: %v", f.Name, v)
}

func TestDecodeEncodeHardware(t *testing.T) {
	r := newRand(2)
	for i := range scaled(40000, 4000) {
		b := r.Uint64()
		switch i % 4 {
		case 0: // subnormal
			b &^= 0x7ff << 52
		case 1: // near the edges of a binade
			b = b&0xfff<<52 + uint64(int64(i%5)-2)
		}
		v := FromBits64(b)
		requireFloat(t, math.Float64frombits(b), v)
		requireRoundTrip(t, Binary64, b, v, 0x7ff8<<48)
		require.True(t, v.Same(FromFloat64(math.Float64frombits(b))))

		c := uint32(b >> 29)
		w, err := Binary32.Decode(uint64(c))
		require.NoError(t, err)
		requireFloat(t, float64(math.Float32frombits(c)), w)
		requireRoundTrip(t, Binary32, uint64(c), w, 0x7fc00000)
	}
}

func TestEncodingRefusals(t *testing.T) {
	for _, c := range []struct {
		f  Format
		w  uint
		ok bool
	}{
		{Binary64, 11, true}, {Binary32, 8, true}, {Binary16, 5, true}, {BFloat16, 8, true},
		{Small(3, 0, 1), 2, true}, {Small(3, -2, 3), 3, true}, {Small(4, -6, 7), 4, true}, {Small(53, -1022, 1023), 11, true},
		{Small(2, 0, 0), 0, false}, {Small(3, -3, 3), 0, false}, {Small(3, -4, 5), 0, false}, {Small(54, -1022, 1023), 11, false},
	} {
		w, ok := c.f.ExponentBits()
		assert.Equal(t, c.ok, ok, c.f.Name)
		if ok {
			assert.Equal(t, c.w, w, c.f.Name)
			// e5m2 and the like: the patterns run over all data once, in order of magnitude.
		} else {
			_, err := c.f.Decode(0)
			assert.Error(t, err)
			_, err = c.f.Encode(Zero(false))
			assert.Error(t, err)
		}
	}
	_, err := Binary32.Decode(1 << 32)
	assert.Error(t, err)
	_, err = Binary16.Decode(1 << 16)
	assert.Error(t, err)
	_, err = Binary64.Encode(num(1, -1075))
	assert.Error(t, err)
	_, err = Binary64.Encode(num(1, 1024))
	assert.Error(t, err)
	_, err = Binary64.Encode(num(1<<53+1, 0))
	assert.Error(t, err)
}

// In a tiny format the non-negative encodings count the data upward.
func TestTinyEncodingsAreOrdered(t *testing.T) {
	for _, f := range []Format{Small(3, 0, 1), Small(3, -2, 3), Small(4, -6, 7), Small(2, -2, 3)} {
		data := finiteData(f)
		pos := data[len(data)/2:] // from 0 on
		for i, r := range pos {
			v, err := f.Decode(uint64(i))
			require.NoError(t, err)
			require.Zero(t, r.Cmp(ratOf(v.Dyadic())), "%s: %d", f.Name, i)
			b, err := f.Encode(v)
			require.NoError(t, err)
			require.Equal(t, uint64(i), b)
		}
		v, err := f.Decode(uint64(len(pos)))
		require.NoError(t, err)
		require.True(t, v.Same(Inf(false)))
	}
}
