package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Assigning one Context over another is legal Go in any package. It must not
// change what a Judgment says, nor let judgments about different facts combine.
func TestOverwrittenContext(t *testing.T) {
	at := func(n int64) *kernel.Context {
		c, err := kernel.NewContext(spec.Binary64, kernel.Env{"x": kernel.Exactly(real.FromInt64(n))})
		require.NoError(t, err)
		return c
	}
	c, d := at(1), at(7)
	one, err := c.Var("x")
	require.NoError(t, err)
	*c = *d
	assert.True(t, one.Context().Env()["x"].Lo.Equal(real.One()), "the judgment is still about x = 1")
	seven, err := c.Var("x")
	require.NoError(t, err)
	_, err = c.Sub(seven, one)
	assert.Error(t, err, "x - x with two meanings of x")

	handle := one.Context()
	*handle = *d
	assert.True(t, one.Context().Env()["x"].Lo.Equal(real.One()))
}

func TestZeroContext(t *testing.T) {
	_, err := new(kernel.Context).Var("x")
	assert.Error(t, err)
	var none *kernel.Context
	_, err = none.Var("x")
	assert.Error(t, err)
	assert.Empty(t, none.Env())
	assert.Zero(t, new(kernel.Context).Bits())
}

// The error values of package lang can be assigned. Without them expressions that
// cannot be built carry no error; still no rule concludes anything about one.
func TestAssignedErrors(t *testing.T) {
	for _, v := range []*error{&lang.ErrNone, &lang.ErrName, &lang.ErrReserved, &lang.ErrDist, &lang.ErrBounds, &lang.ErrUnit, &lang.ErrTooLarge, &lang.ErrUnbound, &lang.ErrZeroDenominator} {
		old := *v
		*v = nil
		defer func() { *v = old }()
	}
	require.NoError(t, lang.NewLn(lang.Float{}).Err(), "an expression of nothing")
	c := context(t, spec.Binary64, kernel.Env{"x": kernel.Exactly(real.One())})
	x, err := c.Var("x")
	require.NoError(t, err)
	deep := x
	for err == nil {
		x, deep = deep, kernel.Judgment{}
		deep, err = c.Neg(x)
	}
	requireRefusal(t, err, kernel.RuleNeg, kernel.CondExpressed)
	for _, rule := range []func() (kernel.Judgment, error){
		func() (kernel.Judgment, error) { return c.Clamp(real.One(), real.Dyadic{}, x) },
		func() (kernel.Judgment, error) { return c.Round(lang.MaxExponent+1, x) },
		func() (kernel.Judgment, error) { return c.Round(-1<<62, x) },
		func() (kernel.Judgment, error) { return c.Var("ln") },
		func() (kernel.Judgment, error) { return c.Var("") },
		func() (kernel.Judgment, error) { return c.Sample("x", "normal") },
		func() (kernel.Judgment, error) { return c.Const(lang.FromDyadic(real.Pow2(1 << 60))) },
		func() (kernel.Judgment, error) { return c.Neg(kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return kernel.Derive(c, lang.Float{}) },
		func() (kernel.Judgment, error) { return kernel.Derive(c, lang.NewLn(lang.Float{})) },
		func() (kernel.Judgment, error) { return kernel.Check([]byte(`{"format":{},"env":null,"steps":[{}]}`)) },
	} {
		j, err := rule()
		assert.Error(t, err)
		assert.False(t, j.Valid())
	}
}
