package explain

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func TestExactly(t *testing.T) {
	for _, c := range []struct {
		d    real.Dyadic
		want string
	}{
		{real.Dyadic{}, "0"},
		{real.FromInt64(-3).Shift(-1), "-1.5"},
		{real.FromInt64(100), "100"},
		{real.Pow2(64), "18446744073709551616"}, // once shown as 18446744073709551616.0…
		{real.NewDyadic(pow10(20), 0), "100000000000000000000"},
		{real.NewDyadic(pow10(21), 0).Neg(), "-1e+21"},
		{real.NewDyadic(new(big.Int).Add(pow10(22), big.NewInt(1)), 0), "1.00000000000000000000…e+22"},
		{real.Pow2(70), "1.18059162071741130342…e+21"},
		{real.Pow2(-40), "0.0000000000009094947017729282379150390625"},
		{real.Pow2(-60), "8.67361737988403547205…e-19"},
		{real.Pow2(-1074).Neg(), "-4.94065645841246544176…e-324"},
		// 30 digits round up to 1, where none of the 21 shown may.
		{real.One().Sub(real.Pow2(-110)), "0.999999999999999999999…"},
		{real.FromInt64(1_000_000).Add(real.Pow2(-50)), "1000000.00000000000000…"},
		{real.Pow2(1 << 21), "0x1p+2097152"},
	} {
		assert.Equal(t, c.want, exactly(c.d))
	}
}

func TestEnclosed(t *testing.T) {
	three, tiny := real.FromInt64(3), real.Pow2(-200)
	for _, c := range []struct {
		lo, hi real.Dyadic
		want   string
	}{
		{three, three, "3"},
		{three, three.Add(tiny), "3.00000000000000000000…"},
		{three.Sub(tiny), three.Sub(tiny.Shift(-1)), "2.99999999999999999999…"},
		{real.FromInt64(31415), real.FromInt64(31416), "3.141…e+04"}, // four digits agree, before the point
		{real.FromUint64(27, -3), real.FromUint64(31, -3), "3.…"},    // 3.375 and 3.875
		{three.Sub(tiny), three.Add(tiny), "in [0x1.7ffffffffffffffep+1, 0x1.8000000000000002p+1]"},
		{real.FromInt64(9), real.FromInt64(10), "in [0x1.2p+3, 0x1.4p+3]"},
		{real.One(), real.FromInt64(10), "in [0x1p+0, 0x1.4p+3]"}, // the same digits
		{tiny.Neg(), tiny, "in [-0x1p-200, 0x1p-200]"},
	} {
		assert.Equal(t, c.want, enclosed(real.Interval{Lo: c.lo, Hi: c.hi}))
	}
}

// expanded writes a rational whose denominator is a power of two in full, by
// FloatString: an expansion that shares nothing with leading.
func expanded(d real.Dyadic) string {
	r, _ := d.Rat()
	return r.FloatString(r.Denom().BitLen() - 1)
}

// significant is the first n significant digits of a decimal in full, and whether
// any other than 0 follows.
func significant(s string, n int) (first string, more bool) {
	s = strings.TrimLeft(strings.Replace(strings.TrimPrefix(s, "-"), ".", "", 1), "0")
	if len(s) < n {
		s += strings.Repeat("0", n-len(s))
	}
	return s[:n], strings.Trim(s[n:], "0") != ""
}

func TestLeadingDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 20_000 {
		d := real.FromUint64(r.Uint64()|1, r.Int64N(1400)-1200)
		if i%3 == 0 { // next to a power of ten, where the exponent is easily wrong
			d = real.NewDyadic(pow10(r.IntN(60)), 0).Add(real.FromInt64(r.Int64N(3) - 1).Shift(-r.Int64N(300)))
		}
		if i%2 == 0 {
			d = d.Neg()
		}
		if d.IsZero() {
			continue
		}
		n := 1 + r.IntN(30)
		got, ok := leading(d, n)
		require.True(t, ok)
		digits, more := significant(expanded(d), n)
		require.Equal(t, digits, got.digits, "%v", d)
		require.Equal(t, more, got.more, "%v", d)
		if i%10 == 0 {
			requireCutOff(t, exactly(d), real.Point(d))
		}
	}
}

// requireCutOff requires that a text is what is left of every number of an interval
// when its decimals are cut off: |text| <= |x| < |text| + one unit of its last place.
func requireCutOff(t *testing.T, text string, x real.Interval) {
	t.Helper()
	shown, ok := new(big.Rat).SetString(strings.Replace(text, "…", "", 1))
	require.True(t, ok, text)
	ends := []*big.Rat{}
	for _, d := range []real.Dyadic{x.Lo, x.Hi} {
		r, _ := d.Rat()
		ends = append(ends, r)
	}
	if !strings.Contains(text, "…") {
		require.True(t, shown.Cmp(ends[0]) == 0 && shown.Cmp(ends[1]) == 0, "%s is not %v", text, x)
		return
	}
	mantissa, exp, _ := strings.Cut(strings.Replace(text, "…", "", 1), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	unit, ok := new(big.Rat).SetString("1e-" + big.NewInt(int64(len(fraction))).String())
	require.True(t, ok)
	if exp != "" {
		scale, ok := new(big.Rat).SetString("1e" + exp)
		require.True(t, ok)
		unit.Mul(unit, scale)
	}
	for _, r := range ends {
		// A number shown as 0.00…, or with the other sign, is never right.
		require.Equal(t, r.Sign(), shown.Sign(), "%s for %v", text, x)
		rest := new(big.Rat).Sub(new(big.Rat).Abs(r), new(big.Rat).Abs(shown))
		require.True(t, rest.Sign() >= 0 && rest.Cmp(unit) < 0, "%s for %v", text, x)
	}
}
