package explain_test

import (
	"bytes"
	"encoding/json"
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
		if s.Rule != "" {
			intervals++
			require.True(t, s.Inside, "%s: stage %s lies outside the interval derived for it", c.ID, s.ID)
		}
	}
	var out bytes.Buffer
	e.Text(&out, true)
	e.Markdown(&out)
	e.LaTeX(&out)
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
