package explain_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/explain"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

func published(t *testing.T) []corpus.File {
	var names []string
	for _, op := range ops.All {
		names = append(names, op.Op)
	}
	files, err := corpus.Load(vectors.Files, vectors.Dir, names, ops.Lookup)
	require.NoError(t, err)
	return files
}

// check explains a case and returns how many stages have an interval.
func check(t *testing.T, c wire.Case) (stages, intervals int) {
	e, err := explain.Case(c)
	require.NoError(t, err, c.ID)
	require.GreaterOrEqual(t, len(e.Outcome.Agree), 2, c.ID)
	for _, s := range e.Stages {
		stages++
		require.Equal(t, s.Rule != "", s.Inside != nil, "%s: stage %s", c.ID, s.ID)
		require.Equal(t, s.ID != "unit", s.Rule != "" || s.Refused != "", "%s: stage %s has an interval or a reason", c.ID, s.ID)
		if s.Rule != "" {
			intervals++
			require.True(t, *s.Inside, "%s: stage %s lies outside the interval derived for it", c.ID, s.ID)
		}
	}
	var out bytes.Buffer
	e.Text(&out, true)
	out.Reset()
	e.Markdown(&out)
	require.NotContains(t, out.String(), "``", "%s: an empty code span", c.ID)
	out.Reset()
	e.LaTeX(&out)
	require.Less(t, strings.IndexFunc(out.String(), func(r rune) bool { return r > '~' }), 0, "%s: LaTeX is ASCII", c.ID)
	for _, s := range e.Stages {
		require.Equal(t, 1, strings.Count(out.String(), `\item[{$`+explain.Formula(s.ID)+`$}]`), "%s: stage %s", c.ID, s.ID)
	}
	require.NoError(t, e.JSON(&out))
	return stages, intervals
}

// Every published case can be explained, and every stage of the mechanism lies
// inside the interval that the kernel derives for it.
func TestEveryPublishedCase(t *testing.T) {
	stages, intervals := 0, 0
	for _, f := range published(t) {
		for i, c := range f.Cases {
			if testing.Short() && i%20 != 0 {
				continue
			}
			e, err := explain.Published(f, c)
			require.NoError(t, err)
			require.True(t, *e.Outcome.Published, c.ID)
			require.Len(t, e.Flags, len(c.Flags))
			s, n := check(t, c.Case)
			stages, intervals = stages+s, intervals+n
		}
	}
	t.Logf("%d stages, %d with an interval", stages, intervals)
	assert.Greater(t, 10*intervals, 7*stages, "most stages have an interval")
}

func TestFreshCases(t *testing.T) {
	for _, op := range ops.All {
		src := &gen.SplitMix64{State: 7}
		for range 60 {
			check(t, wire.Case{ID: op.Op, Op: op.Op, In: op.Generate(src)})
		}
	}
}

func TestTie(t *testing.T) {
	for _, f := range published(t) {
		for _, c := range f.Cases {
			if c.ID != "snap/tie-negative" {
				continue
			}
			e, err := explain.Case(c.Case)
			require.NoError(t, err)
			var text bytes.Buffer
			e.Text(&text, false)
			for _, want := range []string{
				"here      w is exactly halfway between two multiples: the tie goes toward +inf",
				"value     0xbff8000000000000  -0x1.8p+00               -1.5",
				"real      -1.50000000000000002319…", // -0.80685281944005471 + ln(1/2)
				"holds   bound-at-most-2^38-scale",
				"the same from impl, oracle, bigfloat",
				"by identity (s = +1)",
				"open    unbounded-draw",
				"(LN)",
			} {
				assert.Contains(t, text.String(), want)
			}
			assert.NotContains(t, text.String(), "\x1b", "no colour unless asked for")
			var js bytes.Buffer
			require.NoError(t, e.JSON(&js))
			var m map[string]any
			require.NoError(t, json.Unmarshal(js.Bytes(), &m))
			assert.Len(t, m["stages"], 8)
			return
		}
	}
	t.Fatal("no vector snap/tie-negative")
}

// explained explains an evaluation of snap with given m and e.
func explained(t *testing.T, value, lo, hi, f float64, m, e int64, sign string) *explain.Explanation {
	t.Helper()
	x, err := explain.Case(wire.Case{Op: "snap", In: wire.Values{
		"scale": {Type: wire.ScaleOf, Text: "lambda"}, "value": wire.NewFloat(value), "lo": wire.NewFloat(lo), "hi": wire.NewFloat(hi),
		"f": wire.NewFloat(f), "m": wire.NewInt(m), "e": wire.NewInt(e), "s": {Type: wire.Sign, Text: sign},
	}})
	require.NoError(t, err)
	return x
}

func stage(t *testing.T, e *explain.Explanation, id string) explain.Stage {
	t.Helper()
	for _, s := range e.Stages {
		if s.ID == id {
			return s
		}
	}
	require.Fail(t, "no stage "+id)
	return explain.Stage{}
}

// z = -2^-163 and x = 3: w has its digits although they differ from all of x's.
func TestDigitsNextToADecimal(t *testing.T) {
	e := explained(t, 0x1p-110, -8, 8, 3, 1<<52-1, 1, "+1")
	assert.Equal(t, "2.99999999999999999999…", stage(t, e, "w").Real)
	e = explained(t, 0x1p-110, -8, 8, 3, 1<<52-1, 1, "-1")
	assert.Equal(t, "3.00000000000000000000…", stage(t, e, "w").Real)
}

// y overflows: z and what follows it have no interval, but x has.
func TestStagesAfterAnOverflow(t *testing.T) {
	e := explained(t, 0x1p1023, -8, 8, math.Inf(1), 3, 40, "-1")
	assert.Contains(t, strings.Join(e.Notes, "\n"), "in the derivation f(a) is 8, to which f clamps")
	assert.Equal(t, "CLAMP", stage(t, e, "x").Rule)
	assert.Contains(t, stage(t, e, "y").Refused, "OPx refused (range)")
	for id, premise := range map[string]string{"z": "y", "w": "z", "rounded": "w", "r": "rounded"} {
		assert.Equal(t, "premise "+premise+" is missing", stage(t, e, id).Refused)
	}
	assert.Empty(t, e.Derivation)
	var js bytes.Buffer
	require.NoError(t, e.JSON(&js))
	assert.Equal(t, 2, strings.Count(js.String(), `"inside": true`), "of ln and x alone")
	assert.NotContains(t, js.String(), `"inside": false`)
	assert.NotContains(t, js.String(), `as_published`)
	finite := explained(t, 1, -8, 8, 3, 3, 40, "-1")
	assert.NotContains(t, strings.Join(finite.Notes, "\n"), "infinity")
	assert.Equal(t, "NEG", stage(t, finite, "z").Rule)
}

// Near halfway is said only where an ulp of w is at most Lambda/16.
func TestNearHalfway(t *testing.T) {
	const near = "w is within two ulps of halfway"
	for _, c := range []struct {
		f    float64
		want string
	}{
		// z is about -0.693 and Lambda 1.
		{math.Nextafter(math.Nextafter(-0.8068528194400547, 0), 0), near},
		{1<<48 - 0.78125, near}, // ulp 2^-5
		{1<<49 - 0.875, near},   // ulp 2^-4 = Lambda/16
		{1<<50 - 0.875, ""},     // ulp 2^-3
		{1<<48 - 0.25, ""},      // some way from halfway
	} {
		e := explained(t, 1, -0x1p52, 0x1p52, c.f, 0, 1, "+1")
		assert.Equal(t, c.want, stage(t, e, "rounded").Happens, "f = %v, w = %v", c.f, stage(t, e, "w").Value.Decimal)
	}
}

// The draw decides its hypothesis where a tape or u itself does.
func TestUnboundedDraw(t *testing.T) {
	row := func(e *explain.Explanation) explain.Hypothesis {
		require.Equal(t, "unbounded-draw", e.Hypotheses[0].ID)
		assert.Equal(t, []string{"published", "proved", "sharp"}, e.Hypotheses[0].Claims)
		return e.Hypotheses[0]
	}
	yes, no := true, false
	for _, c := range []struct {
		m, e int64
		want *bool
	}{{0, 1, nil}, {5, 1022, nil}, {5, 1023, &yes}, {1 << 51, 1073, nil}, {1 << 51, 1074, &yes}, {0, 1074, nil}, {0, 1075, &yes}, {1, 1 << 61, &yes}} {
		assert.Equal(t, c.want, row(explained(t, 1, -8, 8, 3, c.m, c.e, "+1")).Holds, "m = %d, e = %d", c.m, c.e)
	}
	in := wire.Values{
		"scale": {Type: wire.ScaleOf, Text: "epsilon"}, "value": wire.NewFloat(0.5), "lo": wire.NewFloat(0), "hi": wire.NewFloat(10), "f": wire.NewFloat(3),
	}
	var err error
	in["tape"], err = wire.Parse(wire.Tape, "2a38acc629732e")
	require.NoError(t, err)
	for kind, want := range map[string]*bool{"unbounded": &yes, "binary64": &no} {
		in["kind"] = wire.Value{Type: wire.Kind, Text: kind}
		e, err := explain.Case(wire.Case{Op: "snap_release", In: in})
		require.NoError(t, err)
		require.Equal(t, want, row(e).Holds, kind)
		var text, markdown, latex bytes.Buffer
		e.Text(&text, false)
		e.Markdown(&markdown)
		e.LaTeX(&latex)
		assert.Equal(t, kind == "binary64", strings.Contains(text.String(), "BROKEN  unbounded-draw"))
		assert.Equal(t, kind == "binary64", strings.Contains(markdown.String(), "| **broken** | neither theorem"))
		assert.Equal(t, kind == "binary64", strings.Contains(latex.String(), "\\item[{BROKEN}] unbounded-draw"))
	}
}

func TestHardLogarithm(t *testing.T) {
	e, err := explain.Case(wire.Case{Op: "ln", In: wire.Values{"x": wire.NewF64(0x0d0a8346abf875c7)}})
	require.NoError(t, err)
	assert.Contains(t, strings.Join(e.Notes, "\n"), "2^-60.84 ulp from the nearest midpoint") // from the list of tools/lnsearch
}

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		text  string
		bits  uint64
		exact bool
	}{
		{"1", 0x3ff0000000000000, true}, {"0x3ff0000000000000", 0x3ff0000000000000, true}, {"0x1p0", 0x3ff0000000000000, true},
		{"0.1", 0x3fb999999999999a, false}, {"-0", 1 << 63, true}, {"inf", 0x7ff0000000000000, true}, {"0.5", 0x3fe0000000000000, true},
		{"9007199254740993", 0x4340000000000000, false},
	} {
		v, exact, err := explain.ParseNumber(c.text)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.bits, v.Bits(), c.text)
		assert.Equal(t, c.exact, exact, c.text)
	}
	for _, bad := range []string{"", "one", "1e999", "0x", "1/3"} {
		_, _, err := explain.ParseNumber(bad)
		assert.Error(t, err, bad)
	}
}
