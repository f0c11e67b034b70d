package kernel_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/kernel/published"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// violated evaluates e at every assignment and names the first value that is not
// a finite number in x, "" if there is none: Theorem 1.
func (c sampleCase) violated(x real.Interval) string {
	for _, at := range c.at {
		v, err := lang.EvalFloat(c.e, arith{c.f}, at)
		switch {
		case err != nil:
			return err.Error()
		case !v.IsFinite():
			return v.String() + " is not finite"
		case !x.Contains(v.Dyadic()):
			return fmt.Sprintf("%v is not in [%v, %v]", v, x.Lo, x.Hi)
		}
	}
	return ""
}

// Theorem 1 and Theorem 2, on random expressions in every format. The expressions
// have finite values at the first assignment, so a refusal is the kernel's own
// weakness: either its intervals are too wide, or a rule is missing.
func TestTheorem1(t *testing.T) {
	const limit = 20 // percent, for leaves bound to points
	refusedTotal, total := 0, 0
	for i, f := range formats {
		r := newRand(uint64(100 + i))
		tried, refused, wideTried, wideRefused, depth, nodes, publishedTried, publishedWrong := 0, 0, 0, 0, 0, 0, 0, 0
		why := map[string]int{}
		for n := range scaled(1200, 200) {
			c := draw(r, f, 2+n%7, n%3 == 0)
			depth = max(depth, c.e.Depth())
			nodes += c.e.Size()
			ctx := context(t, f, c.env)
			j, err := kernel.Derive(ctx, c.e)
			tally, bad := &tried, &refused
			if c.wide {
				tally, bad = &wideTried, &wideRefused
			}
			*tally++
			if err != nil {
				var no *kernel.Refusal
				require.ErrorAs(t, err, &no)
				*bad++
				if !c.wide {
					why[string(no.Rule)+" "+string(no.Condition)]++
				}
				continue
			}
			require.Empty(t, c.violated(j.Interval()), "%v in %v", j, f)
			require.True(t, j.Float().Equal(c.e) && j.Real().Equal(lang.ToReal(c.e)))
			checkTheorem2(t, c, j)
			asked, wrong := publishedVerdict(c)
			publishedTried += asked
			publishedWrong += wrong
		}
		t.Logf("%-11s points: %4d tried, %4.1f %% refused %v; boxes: %4d tried, %4.1f %% refused; depth to %d, %d nodes on average; published rules: wrong on %d of %d",
			f.Name, tried, 100*float64(refused)/float64(tried), why, wideTried, 100*float64(wideRefused)/float64(wideTried), depth, nodes/(tried+wideTried),
			publishedWrong, publishedTried)
		assert.Greater(t, publishedWrong, 0, "the published rules should fail")
		assert.LessOrEqual(t, 100*wideRefused, 25*wideTried, "%s, boxes", f.Name)
		refusedTotal += refused
		total += tried
	}
	t.Logf("points, all formats: %.1f %% of %d refused", 100*float64(refusedTotal)/float64(total), total)
	assert.LessOrEqual(t, 100*refusedTotal, limit*total)
}

// checkTheorem2 evaluates e_R over the environment, enclosed at each assignment.
func checkTheorem2(t *testing.T, c sampleCase, j kernel.Judgment) {
	t.Helper()
	env := map[string]real.Interval{}
	for k, v := range c.at[len(c.at)-1] {
		e, err := lang.Parse[lang.Floats](k)
		require.NoError(t, err)
		env[lang.ToReal(e).Key()] = real.Point(v.Dyadic())
	}
	// 200 bits more than the ends have: the enclosure's own width stays below their rounding.
	x, err := lang.EvalReal(j.Real(), env, j.Context().Bits()+200)
	require.NoError(t, err, "%v", j)
	assert.True(t, j.Interval().Lo.Cmp(x.Hi) <= 0 && x.Lo.Cmp(j.Interval().Hi) <= 0, "e_R = [%v, %v] outside %v", x.Lo, x.Hi, j)
}

// publishedVerdict asks the printed rules the same question.
func publishedVerdict(c sampleCase) (asked, wrong int) {
	env := map[string]real.Interval{}
	for k, b := range c.env {
		env[k] = b.Interval
	}
	j, err := published.UnsoundDerive(c.f, c.e, env)
	if err != nil {
		return 0, 0
	}
	for _, at := range c.at {
		v, err := lang.EvalFloat(c.e, arith{c.f}, at)
		if err == nil && v.IsFinite() && j.RefutedBy(v.Dyadic()) {
			return 1, 1
		}
	}
	return 1, 0
}

// All single operations on all numbers of a tiny format: exhaustive soundness.
func TestTheorem1Exhaustively(t *testing.T) {
	derived, refused := 0, 0
	for _, f := range []spec.Format{spec.Small(2, 0, 0), spec.Small(2, -1, 1), spec.Small(3, -2, 2), spec.Small(3, 0, 2)} {
		var all []real.Dyadic
		for v := f.NextUp(spec.Inf(true)); v.IsFinite(); v = f.NextUp(v) {
			all = append(all, v.Dyadic())
		}
		for _, src := range []string{"x + y", "x - y", "x * y", "x / y", "ln(x)", "round[1](x)", "neg(x)"} {
			e, err := lang.Parse[lang.Floats](src)
			require.NoError(t, err)
			for _, x := range all {
				for _, y := range all {
					c := sampleCase{f: f, e: e, env: kernel.Env{"x": kernel.Exactly(x), "y": kernel.Exactly(y)},
						at: []map[string]spec.Value{{"x": spec.FromDyadic(x), "y": spec.FromDyadic(y)}}}
					j, err := kernel.Derive(context(t, f, c.env), e)
					if err != nil {
						// On points every refusal is right: the value is not finite, or undefined.
						v, evalErr := lang.EvalFloat(e, arith{f}, c.at[0])
						require.True(t, evalErr != nil || !v.IsFinite(), "%s at %v, %v in %s: %v", src, x, y, f.Name, err)
						refused++
						continue
					}
					require.Empty(t, c.violated(j.Interval()), "%v, x = %v, y = %v in %s", j, x, y, f.Name)
					derived++
				}
			}
		}
	}
	t.Logf("%d judgments, %d refusals, each of an overflow or an undefined value", derived, refused)
}
