package proofs

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The documents of this repository, with every instance of every check.
func TestRepository(t *testing.T) {
	share := 1.0
	if testing.Short() {
		share = 0.05
	}
	reg := Default()
	require.NoError(t, reg.Validate())
	r, err := Audit("../..", reg, share)
	require.NoError(t, err)
	for _, p := range r.Problems {
		t.Error(p)
	}
	var b bytes.Buffer
	require.NoError(t, r.WriteChecks(&b))
	t.Logf("\n%s", b.String())
}

// A witness that refutes nothing is seen: a bound that is true at it.
func TestRefutationsCanFail(t *testing.T) {
	w := small
	w.c, w.a = "15", "60"
	assert.False(t, w.exceeds("x").run(1, honest(), nil).OK())
	inside := printedConst(intNum(3))
	assert.False(t, inside.excludes(intNum(3)), "3 is in its own pair")
	assert.True(t, inside.excludes(intNum(4)))
}

func TestNum(t *testing.T) {
	third := fracNum(1, 3)
	for _, c := range []struct {
		a, b Num
		want int
	}{
		{third, fracNum(1, 3), 0}, {third, fracNum(1, 2), -1}, {intNum(2).ln().exp(), fracNum(21, 10), -1},
		{ptNum(real.Pow2(-1 << 50)), intNum(0), 1}, {ptNum(real.Pow2(-1 << 50)).ln(), intNum(-1 << 49), -1},
		{intNum(-1).abs(), intNum(1), 0}, {intNum(2).ln().neg().abs(), fracNum(69, 100), 1}, {pow2Num(-5000), pow2Num(-5000), 0},
	} {
		got, err := c.a.cmp(c.b)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	_, err := intNum(2).ln().exp().cmp(intNum(2))
	assert.ErrorIs(t, err, errUndecided)
	_, err = intNum(-1).ln().cmp(intNum(2))
	assert.ErrorIs(t, err, real.ErrLnDomain)
	_, err = intNum(1).quo(intNum(0)).cmp(intNum(2))
	assert.ErrorIs(t, err, real.ErrDivideByZero)
	_, err = parseNum("x").cmp(intNum(2))
	assert.Error(t, err)
	_, err = floatNum(math.Inf(1)).cmp(intNum(2))
	assert.Error(t, err)
	for want, a := range map[string]Num{"0.333...": third, "-0.693...": intNum(2).ln().neg(), "2.718...": intNum(1).exp()} {
		got, err := decimal(a, 3)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err = decimal(intNum(2).ln().exp(), 3)
	assert.True(t, errors.Is(err, errUndecided))
}

// The search finds the edge of an initial segment from any hint, and its two ends.
func TestFirstOutside(t *testing.T) {
	for _, kind := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
		d := draws64(kind)
		for _, want := range []int64{1, 5, 1 << 20} {
			edge := addInt(d.end(), -want)
			at := d.value(edge)
			for _, hint := range []*big.Int{edge, addInt(edge, 3), addInt(edge, -1<<40), d.end()} {
				got := d.firstOutside(func(u spec.U) bool { return u.Value(spec.Binary64).Cmp(at) < 0 }, hint)
				assert.Zero(t, got.Cmp(edge), "%s: %v, hint %v", kind, got, hint)
			}
		}
		all := d.firstOutside(func(spec.U) bool { return true }, d.near(real.Pow2(-9)))
		assert.Zero(t, all.Cmp(d.end()))
	}
	none := draws64(spec.FloatRange).firstOutside(func(spec.U) bool { return false }, big.NewInt(1000))
	assert.Zero(t, none.Cmp(big.NewInt(1)))
}
