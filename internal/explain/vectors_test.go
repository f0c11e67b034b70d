package explain

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

var exponent = regexp.MustCompile(`e[+-]\d+$`)

// Of every published case, the digits shown of every exact real value are those of
// the value: of enclosures at 1000 bits, cut off by big.Rat.
func TestDigitsOfEveryPublishedCase(t *testing.T) {
	var names []string
	for _, op := range ops.All {
		names = append(names, op.Op)
	}
	files, err := corpus.Load(vectors.Files, vectors.Dir, names, ops.Lookup)
	require.NoError(t, err)
	values, cut := 0, 0
	for _, f := range files {
		if f.Op != "snap" && f.Op != "snap_release" {
			continue
		}
		for i, c := range f.Cases {
			if testing.Short() && i%20 != 0 {
				continue
			}
			e, err := Case(c.Case)
			require.NoError(t, err, c.ID)
			if len(e.Stages) == 0 {
				continue
			}
			s, ok := new(Explanation).snapOf(c.Case)
			require.True(t, ok, c.ID)
			r, err := oracle.SnapR(s.params, s.f, s.u.Value(spec.Binary64), s.s, 1000)
			require.NoError(t, err, c.ID)
			point := real.Point
			for j, x := range []real.Interval{
				point(r.Unit), r.Ln, r.Y, r.Z, point(r.X), {Lo: r.X.Add(r.Z.Lo), Hi: r.X.Add(r.Z.Hi)}, point(r.Rounded), point(r.R),
			} {
				values++
				text := e.Stages[j].Real
				requireCutOff(t, text, x)
				if strings.Contains(text, "…") {
					cut++
					shown, _ := significant(exponent.ReplaceAllString(strings.Replace(text, "…", "", 1), ""), digits)
					lo, _ := significant(expanded(x.Lo), digits)
					hi, _ := significant(expanded(x.Hi), digits)
					require.Equal(t, lo, shown, "%s: %s of %s", c.ID, text, e.Stages[j].ID)
					require.Equal(t, hi, shown, "%s: %s of %s", c.ID, text, e.Stages[j].ID)
				}
			}
		}
	}
	t.Logf("%d values, %d of them cut off at %d digits", values, cut, digits)
	assert.Greater(t, 10*cut, values)
}
