package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Where the kernel says more or less than docs/theory.md 3, the computation that
// shows why, in binary64.
func TestDeparturesFromTheStatedRules(t *testing.T) {
	f := spec.Binary64
	m, one, eta := f.MaxFinite(), real.One(), f.Eta()
	threshold := m.Add(real.Pow2(970))
	tiny := real.Pow2(-1075)
	ctx := context(t, f, kernel.Env{
		"m": kernel.Exactly(m), "zero": kernel.Exactly(real.Dyadic{}), "one": kernel.Exactly(one),
		"u": {Interval: real.Point(tiny), Draw: true},
	})
	v := func(name string) kernel.Judgment {
		j, err := ctx.Var(name)
		require.NoError(t, err)
		return j
	}

	// 1. round is not exact without a condition: the largest number, unit 2^1023.
	_, err := oracle.RoundMultiple(f, spec.FromDyadic(m), spec.FromDyadic(real.Pow2(1023)), spec.TiesUp)
	assert.Error(t, err, "2^1024")
	_, err = ctx.Round(1023, v("m"))
	requireRefusal(t, err, kernel.RuleRound, kernel.CondFinite)

	// 2. clamp is not exact unless its bounds are numbers of the format.
	_, err = ctx.Clamp(one.Add(real.Pow2(-60)), m, v("one"))
	requireRefusal(t, err, kernel.RuleClamp, kernel.CondDatum)

	// 3. + without alpha needs operands of the format: a draw u = 2^-1075 is none, and
	// fl(u + 0) = 0 lies below u/(1 + eta).
	assert.True(t, oracle.Round(f, tiny).IsZero())
	_, err = ctx.Add(v("u"), v("zero"))
	requireRefusal(t, err, kernel.RuleAdd, kernel.CondOperand)

	// 4. W's upper end may reach T although every value is finite: M (1 + eta) =
	// (2 - 2^-105) 2^1023 > T, after which M + 0 would be refused.
	assert.Positive(t, m.Add(m.Mul(eta)).Cmp(threshold))
	assert.True(t, m.Add(m.Mul(eta)).Equal(real.FromInt64(2).Sub(real.Pow2(-105)).Shift(1023)))
	c, err := ctx.Mul(v("m"), v("one"))
	require.NoError(t, err)
	assert.True(t, c.Interval().Hi.Equal(m))
	_, err = ctx.Add(c, v("zero"))
	assert.NoError(t, err)

	// 5. 0 is exact, and rounding does not cross it: with alpha always added, 0·x would
	// straddle 0, and a positive constant that may underflow would have a negative end.
	z, err := ctx.Mul(v("zero"), v("one"))
	require.NoError(t, err)
	assert.True(t, z.Interval().IsPoint() && z.Interval().Lo.IsZero())
	small, err := ctx.Const(lang.FromDyadic(tiny.Shift(-3)))
	require.NoError(t, err)
	assert.True(t, small.Interval().Lo.IsZero(), "not negative")

	// 6. b/(1 + eta) is not dyadic: the ends of -1 are rounded outward, up for the high end.
	third, err := lang.Fraction(real.FromInt64(-1), real.FromInt64(3))
	require.NoError(t, err)
	j, err := ctx.Const(third)
	require.NoError(t, err)
	hi := j.Interval().Hi // hi (1 + eta) >= -1/3, and one unit in its last place less is below
	factor := real.FromInt64(3).Mul(one.Add(eta))
	assert.GreaterOrEqual(t, hi.Mul(factor).Cmp(one.Neg()), 0)
	last := real.Pow2(hi.Top() - int64(ctx.Bits()) + 1)
	assert.Negative(t, hi.Sub(last.Shift(1)).Mul(factor).Cmp(one.Neg()))
	assert.LessOrEqual(t, hi.Top()-hi.Low(), int64(ctx.Bits()))
}

// The constants of the lemma are attained: eta/(1+eta) at 1 + eta, alpha at alpha.
func TestTheLemmaIsTight(t *testing.T) {
	for _, f := range formats {
		one, eta := real.One(), f.Eta()
		alpha := real.Pow2(f.EMin - int64(f.Precision))
		assert.True(t, oracle.Round(f, one.Add(eta)).Dyadic().Equal(one), "fl(1 + eta) = 1 = (1 + eta)/(1 + eta)")
		assert.True(t, oracle.Round(f, alpha).IsZero(), "fl(alpha) = 0")
		assert.True(t, oracle.Round(f, alpha.Add(real.Pow2(-1<<20-1<<17))).Dyadic().Equal(f.MinPositive()), "above it, 2 alpha")
		// Above 1 + eta the quotient approaches (1 + 2 eta)/(1 + eta), below 1 + eta itself.
		above := oracle.Round(f, one.Add(eta).Add(real.Pow2(-900)))
		if f.EMax > 0 {
			assert.True(t, above.Dyadic().Equal(one.Add(eta.Shift(1))), f.Name)
		}
	}
}
