package explain

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func outputOf(t *testing.T, scale, kind string, value, lo, hi, f, f2, x float64) *Output {
	t.Helper()
	in := wire.Values{"scale": wire.NewWord(wire.ScaleOf, scale), "kind": wire.NewWord(wire.Kind, kind)}
	for name, v := range map[string]float64{"value": value, "lo": lo, "hi": hi, "f": f, "f2": f2, "x": x} {
		in[name] = wire.NewFloat(v)
	}
	o, err := Of(in)
	require.NoError(t, err)
	return o
}

// What is shown of a derivation, rounded outward, still lies on one side of the edge,
// however far the edge is compared with Lambda.
func TestShownIntervalsDecide(t *testing.T) {
	n := 0
	for _, o := range []*Output{
		outputOf(t, "epsilon", "unbounded", 1, -300, 300, 299, 300, -299),
		outputOf(t, "lambda", "unbounded", 1, -0x1p38, 0x1p38, 0x1p38-8, 0x1p38-7, 0x1p38-20),
		outputOf(t, "lambda", "unbounded", 1, -0x1p38, 0x1p38, 0x1p38-8, 0x1p38-7, 0x1p38-4),
		outputOf(t, "lambda", "binary64", 0.75, -10, 10, 3, 9, 6),
	} {
		for _, s := range o.Sides {
			for _, e := range s.Ends {
				edge, _, err := big.ParseFloat(e.Edge, 10, 200, big.ToNearestEven)
				require.NoError(t, err, e.Edge)
				for _, p := range []OutputProof{e.Crossing, e.Staying} {
					require.NotNil(t, p.Draw)
					lo, _, err := big.ParseFloat(p.Lo, 0, 200, big.ToNearestEven)
					require.NoError(t, err)
					hi, _, err := big.ParseFloat(p.Hi, 0, 200, big.ToNearestEven)
					require.NoError(t, err)
					below := strings.HasSuffix(p.Side, "is below the edge")
					assert.Equal(t, below, hi.Cmp(edge) < 0, "%s: [%s, %s], %s", e.Name, p.Lo, p.Hi, p.Side)
					assert.Equal(t, !below, lo.Cmp(edge) >= 0, "%s: [%s, %s], %s", e.Name, p.Lo, p.Hi, p.Side)
					assert.Contains(t, p.Derivation.Outline, "(OP+)")
					n++
				}
			}
		}
	}
	assert.GreaterOrEqual(t, n, 24)
}

func TestOutputFormats(t *testing.T) {
	o := outputOf(t, "lambda", "unbounded", 1, -10, 10, 0, 1, 0)
	var text, coloured, markdown, latex, raw bytes.Buffer
	o.Text(&text, false)
	o.Text(&coloured, true)
	o.Markdown(&markdown)
	o.LaTeX(&latex)
	require.NoError(t, o.JSON(&raw))
	assert.NotContains(t, text.String(), "\x1b")
	assert.Contains(t, coloured.String(), "\x1b")
	for _, b := range []string{text.String(), markdown.String()} {
		assert.Contains(t, b, "Case 3: x = [f]")
		assert.Contains(t, b, o.Sides[0].Probability)
		assert.Contains(t, b, "published")
	}
	assert.Equal(t, strings.Count(latex.String(), `\begin{description}`), strings.Count(latex.String(), `\end{description}`))
	var back Output
	require.NoError(t, json.Unmarshal(raw.Bytes(), &back))
	assert.Equal(t, o.Sides[1].Ends[0].Exact, back.Sides[1].Ends[0].Exact)
	assert.NotEmpty(t, back.Sides[0].Ends[0].Crossing.Derivation.Tree)
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[string]string{"1": "1st", "2": "2nd", "3": "3rd", "4": "4th", "11": "11th", "12": "12th", "13": "13th", "21": "21st", "112": "112th", "102": "102nd", "0": "0th"} {
		assert.Equal(t, want, ordinal(n))
	}
}
