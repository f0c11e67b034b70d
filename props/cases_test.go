package props

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/cases"
	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Under either engine each of the seven cases is drawn, with end points that are proved
// on both sides; the counts are printed.
func TestEveryCaseIsDrawn(t *testing.T) {
	const points = 1200
	p, ok := Find("threshold-inside-derivation")
	require.True(t, ok)
	for _, e := range engines {
		n, both, proved := map[cases.Case]int{}, 0, 0
		kinds := map[spec.Kind]int{}
		got := e.run(job{points: points, seed: 11, generate: p.Generate, check: func(x Point) error {
			c, err := proveCase(x)
			if err != nil {
				return err
			}
			n[c.Case]++
			kinds[c.Kind]++
			if c.Both {
				both++
			}
			for _, s := range c.Sides {
				for _, end := range s.Ends {
					if end.Crossing.Valid && end.Staying.Valid {
						proved++
					}
				}
			}
			return nil
		}})
		require.NoError(t, got.err)
		for _, c := range cases.All() {
			t.Logf("%-6s %d %-18s %4d", e.name, int(c), c, n[c])
			assert.GreaterOrEqual(t, n[c], points/50, "%s: %s", e.name, c)
		}
		t.Logf("%-6s %d with one cell for both inputs, %d ends proved on both sides, %v", e.name, both, proved, kinds)
		assert.Positive(t, both)
		assert.Greater(t, proved, points)
		assert.Len(t, kinds, 2)
	}
}

// Each property of the cases holds for the voters and fails, soon, for the mutant that
// names it.
func TestCasePropertiesCanFail(t *testing.T) {
	for _, p := range caseProperties {
		for _, e := range engines {
			for _, v := range []string{"impl", "oracle"} {
				voter, err := ops.Voter(v)
				require.NoError(t, err)
				got := kill(e, p, voter, 100, 0)
				require.NoError(t, got.err, "%s, %s, %s", p.ID, e.name, v)
			}
			killed := ""
			for _, m := range mutants.All {
				if m.Property == p.ID {
					got := kill(e, p, m.Voter, fewPoints, 0)
					assert.Error(t, got.err, "%s survives %s under %s", m.ID, p.ID, e.name)
					killed += m.ID + ": " + got.String()
				}
			}
			assert.NotEmpty(t, killed, p.ID)
			t.Logf("%s, %s: %.400s", p.ID, e.name, killed)
		}
	}
}
