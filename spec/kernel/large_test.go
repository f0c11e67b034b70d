package kernel_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// chain is x in [1, 1] weakened to itself until the derivation has n steps; mark
// sees each judgment.
func chain(t *testing.T, n int, mark func(steps int, j kernel.Judgment)) kernel.Judgment {
	t.Helper()
	ctx := context(t, spec.Small(3, -2, 3), kernel.Env{"x": kernel.Exactly(real.One())})
	j, err := ctx.Var("x")
	require.NoError(t, err)
	to := j.Interval()
	for i := 2; i <= n; i++ {
		if j, err = ctx.Weaken(to, j); err != nil {
			require.NoError(t, err)
		}
		mark(i, j)
	}
	return j
}

// What is written is what Check accepts: a derivation of MaxSteps steps, and not one
// of a step more. None is too deep to be looked at, 2 million steps neither.
func TestDeepDerivations(t *testing.T) {
	at := map[int]kernel.Judgment{}
	deepest := chain(t, scaled(2_000_000, 200_000), func(n int, j kernel.Judgment) {
		switch n {
		case kernel.MaxSteps, kernel.MaxSteps + 1, kernel.MaxDrawn, kernel.MaxDrawn + 1:
			at[n] = j
		}
	})
	data, err := at[kernel.MaxSteps].MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, kernel.MaxSteps, strings.Count(string(data), `"rule":`))
	_, err = kernel.Check(data)
	require.NoError(t, err)
	for _, j := range []kernel.Judgment{at[kernel.MaxSteps+1], deepest} {
		var large *kernel.SizeError
		_, err := j.MarshalJSON()
		require.ErrorAs(t, err, &large)
		assert.Equal(t, kernel.MaxSteps, large.Limit)
		_, err = json.Marshal([]kernel.Judgment{j})
		require.ErrorAs(t, err, &large)
	}
	// Check refuses the step that MarshalJSON does not write.
	text := strings.TrimSuffix(string(data), "]}")
	last := text[strings.LastIndex(text, `{"rule"`):]
	more := strings.Replace(last, fmt.Sprintf("[%d]", kernel.MaxSteps-2), fmt.Sprintf("[%d]", kernel.MaxSteps-1), 1)
	require.NotEqual(t, last, more)
	_, err = kernel.Check([]byte(text + "," + more + "]}"))
	assert.ErrorContains(t, err, "65537 steps")

	for _, j := range []kernel.Judgment{at[kernel.MaxDrawn+1], deepest} {
		for _, s := range []string{j.Tree(kernel.Exact()), j.Outline(kernel.Exact()), j.Markdown(kernel.Exact()), j.TeX(0)} {
			assert.Contains(t, s, "a derivation of over")
		}
	}
	assert.Equal(t, kernel.MaxDrawn+2, strings.Count(at[kernel.MaxDrawn].Markdown(kernel.Exact()), "\n"))
}

// Two steps that share a premise, and one that uses it twice: it is written once.
func TestSharedStepsAreWrittenOnce(t *testing.T) {
	ctx := context(t, spec.Small(3, -2, 3), kernel.Env{"x": kernel.Exactly(real.One())})
	x, err := ctx.Var("x")
	require.NoError(t, err)
	minus, err := ctx.Neg(x)
	require.NoError(t, err)
	twice, err := ctx.Add(x, x)
	require.NoError(t, err)
	j, err := ctx.Mul(minus, twice)
	require.NoError(t, err)
	text := checkAgain(t, j)
	assert.Equal(t, 4, strings.Count(text, `"rule":`))
	for _, p := range []string{`"NEG","premises":[0]`, `"OP+","premises":[0,0]`, `"OPx","premises":[1,2]`} {
		assert.Contains(t, text, p)
	}
	assert.Equal(t, 6, strings.Count(j.Outline(kernel.Exact()), "  ("), "drawn as a tree, with x three times")
	assert.Equal(t, 6, strings.Count(j.TeX(0), `\dfrac`))
}

// An expression of lang's limits in depth is read back; one whose text Parse does
// not read is not written, nor are files of over MaxFile bytes.
func TestLongExpressions(t *testing.T) {
	ctx := context(t, spec.Small(3, -2, 3), kernel.Env{"x": kernel.Exactly(real.Dyadic{})})
	x, err := ctx.Var("x")
	require.NoError(t, err)
	deep := x
	for range lang.MaxDepth - 1 {
		deep, err = ctx.Neg(deep)
		require.NoError(t, err)
	}
	checkAgain(t, deep)
	right := x
	for range lang.MaxDepth - 1 {
		right, err = ctx.Sub(x, right) // x - (x - (x - ...))
		require.NoError(t, err)
	}
	checkAgain(t, right)

	wide, err := lang.Fraction(real.Pow2(lang.MaxBits-1).Sub(real.One()), real.Pow2(lang.MaxBits).Sub(real.One()))
	require.NoError(t, err)
	long, err := ctx.Const(wide)
	require.NoError(t, err)
	checkAgain(t, long)
	var large *kernel.SizeError
	sum := long
	for range 4 {
		if _, err = sum.MarshalJSON(); err != nil {
			break
		}
		checkAgain(t, sum)
		sum, err = ctx.Mul(sum, long)
		require.NoError(t, err)
	}
	_, err = sum.MarshalJSON()
	require.ErrorAs(t, err, &large)
	assert.Equal(t, lang.MaxSource, large.Limit)

	j := long // 32 kB of hexadecimal digits for each part, four times a step
	for range 600 {
		j, err = ctx.Weaken(long.Interval(), j)
		require.NoError(t, err)
	}
	_, err = j.MarshalJSON()
	require.ErrorAs(t, err, &large)
	assert.Equal(t, kernel.MaxFile, large.Limit)
}
