package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
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
	assert.True(t, one.Context().Env()["x"].Lo.Equal(real.One), "the judgment is still about x = 1")
	seven, err := c.Var("x")
	require.NoError(t, err)
	_, err = c.Sub(seven, one)
	assert.Error(t, err, "x - x with two meanings of x")

	handle := one.Context()
	*handle = *d
	assert.True(t, one.Context().Env()["x"].Lo.Equal(real.One))
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
