package spec

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Comparisons and predicates against the hardware's, over all pairs of a set
// with every class in it.
func TestValueAgainstHardware(t *testing.T) {
	xs := []float64{
		math.Inf(-1), -math.MaxFloat64, -1.5, -1, -0x1p-1022, -0x1p-1074, math.Copysign(0, -1), 0,
		0x1p-1074, 0x1p-1022, 1, 1.5, 0x1p1023, math.MaxFloat64, math.Inf(1), math.NaN(),
	}
	r := newRand(3)
	for range 100 {
		xs = append(xs, math.Float64frombits(r.Uint64()))
	}
	for _, x := range xs {
		v := FromFloat64(x)
		assert.Equal(t, math.IsNaN(x), v.IsNaN())
		assert.Equal(t, math.IsInf(x, 0), v.IsInf())
		assert.Equal(t, x == 0, v.IsZero())
		assert.Equal(t, !math.IsNaN(x) && !math.IsInf(x, 0), v.IsFinite())
		if math.IsNaN(x) {
			assert.Zero(t, v.Sign())
			assert.True(t, v.Neg().Same(NaN()))
			assert.True(t, v.PlusZero().IsNaN())
			continue
		}
		assert.Equal(t, math.Signbit(x), v.Signbit())
		assert.True(t, v.Neg().Same(FromFloat64(-x)), "%v", x)
		assert.True(t, v.PlusZero().Same(FromFloat64(x+0)), "%v", x) // x + 0 is +0 for -0
		sign := 0
		if x > 0 {
			sign = 1
		} else if x < 0 {
			sign = -1
		}
		assert.Equal(t, sign, v.Sign())
		for _, y := range xs {
			w := FromFloat64(y)
			require.Equal(t, math.Float64bits(x) == math.Float64bits(y), v.Same(w), "%v same %v", x, y)
			if math.IsNaN(y) {
				continue
			}
			c := v.Cmp(w)
			require.Equal(t, []bool{x < y, x == y, x > y}, []bool{c < 0, c == 0, c > 0}, "%v cmp %v", x, y)
		}
	}
	assert.True(t, NaN().Same(NaN()))
}

func TestValueString(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want string
	}{
		{NaN(), "NaN"}, {Inf(false), "+Inf"}, {Inf(true), "-Inf"}, {Zero(false), "+0"}, {Zero(true), "-0"},
		{num(-3, -1), "-0x1.8p+0"}, {FromFloat64(0x1.fffffffffffffp1023), "0x1.fffffffffffffp+1023"},
	} {
		assert.Equal(t, c.want, c.v.String())
	}
	assert.True(t, FromDyadic(dy(0, 0)).Same(Zero(false)))
	assert.True(t, Inf(true).Dyadic().IsZero() && NaN().Dyadic().IsZero())
}

// u = (1 + M 2^-(p-1)) 2^-E, from the hardware where it is a double.
func TestUValue(t *testing.T) {
	r := newRand(4)
	for range 2000 {
		u := U{M: r.Uint64() >> 12, E: 1 + r.Int64N(1022)}
		require.NoError(t, u.Validate(Binary64))
		want := math.Ldexp(1+float64(u.M)*0x1p-52, -int(u.E))
		require.True(t, FromFloat64(want).Same(FromDyadic(u.Value(Binary64))), "%+v", u)
	}
	// The same pair is another number in another format; far beyond any exponent it is still exact.
	assert.True(t, U{M: 3, E: 1}.Value(Small(3, -2, 3)).Equal(dy(7, -3)))
	assert.Equal(t, -MaxE, U{M: 0, E: MaxE}.Value(Binary64).Top())
	assert.Equal(t, -MaxE-52, U{M: 1, E: MaxE}.Value(Binary64).Low())
	assert.True(t, U{M: 1<<63 - 1, E: 1}.Value(Small(64, -10, 10)).Equal(dy(1, 0).Sub(dy(1, -64))))
}

// two returns 2^k + d.
func two(k uint, d int64) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), k)
	return n.Add(n, big.NewInt(d))
}

func TestUParts(t *testing.T) {
	for _, m := range []*big.Int{two(0, -1), two(63, 3), two(64, -1), two(64, 0), two(116, 12345), two(1000, 1)} {
		u := NewU(m, 3)
		require.Zero(t, m.Cmp(u.Significand()))
		require.Equal(t, m.BitLen() > 64, u.Upper != nil)
		f := Small(uint(m.BitLen())+2, -10, 10)
		require.NoError(t, u.Validate(f))
		p1 := f.Precision - 1 // u = (2^p1 + m) 2^-(p1+3)
		want := real.NewDyadic(new(big.Int).Add(m, two(p1, 0)), -int64(p1)-3)
		require.True(t, want.Equal(u.Value(f)))
	}
}

func TestUValidate(t *testing.T) {
	for _, c := range []struct {
		f       Format
		u       U
		subject string // empty: valid
	}{
		{Binary64, U{M: 0, E: 1}, ""}, {Binary64, U{M: 1<<52 - 1, E: MaxE}, ""}, {Binary64, U{M: 1 << 52, E: 1}, "m"},
		{Binary64, U{M: 0, E: 0}, "e"}, {Binary64, U{M: 0, E: -1}, "e"}, {Binary64, U{M: 0, E: MaxE + 1}, "e"},
		{Binary64, U{M: 1 << 52, E: 0}, "m"}, {Small(3, 0, 1), U{M: 3, E: 5}, ""}, {Small(3, 0, 1), U{M: 4, E: 5}, "m"},
		{Small(64, -10, 10), U{M: 1<<63 - 1, E: 1}, ""}, {Small(64, -10, 10), U{M: 1 << 63, E: 1}, "m"},
		{Small(65, -10, 10), U{M: 1<<64 - 1, E: 1}, ""}, {Small(65, -10, 10), U{Upper: big.NewInt(1), E: 1}, "m"},
		{Small(118, -10, 10), NewU(two(117, -1), 7), ""}, {Small(118, -10, 10), NewU(two(117, 0), 7), "m"},
		{Small(118, -10, 10), U{Upper: big.NewInt(-1), E: 7}, "m"}, {Small(118, -10, 10), NewU(two(100, 5), 0), "e"},
	} {
		err := c.u.Validate(c.f)
		if c.subject == "" {
			assert.NoError(t, err, "%s %+v", c.f.Name, c.u)
			continue
		}
		requireReject(t, err, Domain, c.subject)
	}
}

func requireReject(t *testing.T, err error, kind Rejection, subject string) {
	t.Helper()
	var r *RejectError
	require.ErrorAs(t, err, &r)
	require.Equal(t, kind, r.Kind, err)
	require.Equal(t, subject, r.Subject, err)
}
