package cases

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Of all outputs of epsilon = 1, f = B - 1, f' = B the derivation reaches the published
// 12 B epsilon eta + 2 eta near the inputs and at the bounds, and not in the tail of
// case 2, at whose end it needs what is written here. The exact excess is nowhere near.
func TestIntervalDerivationFigures(t *testing.T) {
	for _, c := range []struct {
		b       float64
		derived string // excess of the derived bound at x = 1 - B, in B epsilon eta, truncated
		exact   string
	}{
		{300, "21.571681", "0.003862"},
		{100, "21.432905", "0.000817"},
		{10, "19.475582", "-0.053709"},
	} {
		p := params(spec.ScaleEpsilon, 1, -c.b, c.b)
		ask := func(x float64) *Report {
			r, err := New(p, spec.Unbounded, dbl(c.b-1), dbl(c.b), dbl(x))
			require.NoError(t, err)
			require.NoError(t, verify(r))
			return r
		}
		r := ask(1 - c.b)
		assert.Equal(t, BelowF, r.Case)
		assert.Equal(t, c.derived, truncated(t, r, r.Derived))
		assert.Equal(t, c.exact, truncated(t, r, r.Loss))
		reached := map[string]bool{}
		for _, x := range r.Claims {
			reached[x.Name] = x.Reached
			assert.False(t, x.Exceeded, x.Name)
			assert.NoError(t, x.Broken, x.Name)
		}
		assert.Equal(t, map[string]bool{"liu": false, "published": false, "proved": false, "sharp": false}, reached, "B = %v", c.b)
		for _, x := range []float64{-c.b, 0, c.b - 2, c.b - 1, c.b} {
			assert.True(t, ask(x).Claims[0].Reached, "B = %v, x = %v", c.b, x)
		}
		if !testing.Short() && c.b <= 100 {
			n := map[Case][2]int{}
			for x := -c.b; x <= c.b; x++ {
				r := ask(x)
				k := n[r.Case]
				k[0]++
				if r.Claims[0].Reached {
					k[1]++
				}
				n[r.Case] = k
			}
			t.Logf("B = %v: outputs, and those where the derivation reaches the claim: %v", c.b, n)
		}
	}
}

// truncated is the excess of a logarithm over |x - x'|/lambda in B eta/lambda, to six
// digits after the point.
func truncated(t *testing.T, r *Report, l real.Interval) string {
	e, ok := r.Excess(l)
	require.True(t, ok)
	lo, ok := e.Lo.Rat()
	require.True(t, ok)
	hi, ok := e.Hi.Rat()
	require.True(t, ok)
	require.Equal(t, lo.FloatString(9), hi.FloatString(9))
	s := lo.FloatString(20)
	return s[:len(s)-14]
}
