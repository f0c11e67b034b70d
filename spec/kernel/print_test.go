package kernel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// small derives x - neg(2) in a format whose numbers are short.
func small(t *testing.T) kernel.Judgment {
	t.Helper()
	ctx := context(t, spec.Small(3, -2, 3), kernel.Env{"x": kernel.Between(real.One(), real.FromInt64(2))})
	e, err := lang.Parse[lang.Floats]("x - neg(2)")
	require.NoError(t, err)
	j, err := kernel.Derive(ctx, e)
	require.NoError(t, err)
	return j
}

func TestPrinting(t *testing.T) {
	j := small(t)
	st := kernel.Style{Notation: lang.Unicode, Bits: 8}
	assert.Equal(t, "X − −(2) ⇓ x ⊖ −(2), [0x1.54p+1, 0x1.2p+2]", j.Statement(st))

	lines := strings.Split(strings.TrimRight(j.Tree(st), "\n"), "\n")
	require.Len(t, lines, 6)
	assert.Equal(t, "X − −(2) ⇓ x ⊖ −(2), [0x1.54p+1, 0x1.2p+2]", strings.TrimSpace(lines[5]))
	assert.Contains(t, lines[4], "--- OP-")
	assert.Contains(t, lines[3], "X ⇓ x, [1, 2]")
	assert.Contains(t, lines[3], "−(2) ⇓ −(2), [-2, -2]")
	assert.Contains(t, lines[1], "2 ⇓ 2, [2, 2]")

	assert.Equal(t, `X − −(2) ⇓ x ⊖ −(2), [0x1.54p+1, 0x1.2p+2]  (OP-)
  | range: 4 < 15
  X ⇓ x, [1, 2]  (VAR)
    | order: 1 <= 2
    | datum: 1 in F
    | datum: 2 in F
  −(2) ⇓ −(2), [-2, -2]  (NEG)
    2 ⇓ 2, [2, 2]  (CONST-EXACT)
      | datum: 2 in F
`, j.Outline(st))

	md := j.Markdown(kernel.Exact())
	assert.Equal(t, 6, strings.Count(md, "\n"))
	assert.Contains(t, md, "| 4 | OP- | 1, 3 | `X - neg(2) => x - neg(2), [")

	tex := j.TeX(12)
	for _, want := range []string{`X \Downarrow x, [1, 2]`, `\ominus`, `\text{OP\,$-$}`, `2 \in \mathbb{F}`, `\qquad`, "\\[\n", "\\]\n"} {
		assert.Contains(t, tex, want)
	}
	assert.Equal(t, strings.Count(tex, "{"), strings.Count(tex, "}"))
	assert.Equal(t, 4, strings.Count(tex, `\dfrac`))
}

// What is shown with few bits contains what is proved, and shown conditions hold.
func TestShownIntervalsContainTheProved(t *testing.T) {
	j := full(t)
	var walk func(j kernel.Judgment)
	walk = func(j kernel.Judgment) {
		for _, bits := range []uint{1, 5, 61} {
			s := j.Statement(kernel.Style{Bits: bits})
			ends := strings.Split(strings.TrimSuffix(s[strings.LastIndex(s, ", [")+3:], "]"), ", ")
			lo, err := lang.ParseDyadic(ends[0])
			require.NoError(t, err)
			hi, err := lang.ParseDyadic(ends[1])
			require.NoError(t, err)
			require.True(t, j.Interval().Within(real.Interval{Lo: lo, Hi: hi}), s)
		}
		for _, p := range j.Premises() {
			walk(p)
		}
	}
	walk(j)
}

// A derivation that shares its judgments has exponentially many nodes as a tree;
// the language's own limit stops that, and WEAKEN chains are stopped by MaxDrawn.
func TestSharedDerivationsStaySmall(t *testing.T) {
	ctx := context(t, spec.Binary64, kernel.Env{"x": kernel.Exactly(real.One())})
	j, err := ctx.Var("x")
	require.NoError(t, err)
	n := 0
	for ; err == nil; n++ {
		j, err = ctx.Mul(j, j)
	}
	requireRefusal(t, err, kernel.RuleMul, kernel.CondExpressed)
	assert.Equal(t, 12, n) // 2^12 - 1 nodes fit, 2^13 - 1 do not

	j, err = ctx.Var("x")
	require.NoError(t, err)
	for range kernel.MaxDrawn + 1 {
		j, err = ctx.Weaken(j.Interval(), j)
		require.NoError(t, err)
	}
	for _, s := range []string{j.Tree(kernel.Exact()), j.Outline(kernel.Exact()), j.Markdown(kernel.Exact()), j.TeX(0)} {
		assert.Contains(t, s, "a derivation of over")
	}
	checkAgain(t, j)
}
