package proofs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const smallShare = 0.04

// Each comparison of a check fails when its own right side shrinks below the
// tightest ratio seen in it: each does evaluate what it says.
func TestEveryComparisonCanFail(t *testing.T) {
	perturbed := 0
	for _, c := range Default().Checks {
		before := c.run(smallShare, honest(), nil)
		require.True(t, before.OK(), "(%s): %s", c.Label, before.First)
		for _, site := range before.Comparisons {
			if site.Tightest == 0 {
				continue
			}
			s := honest()
			s.factor = map[string]float64{site.Name: site.Tightest * (1 - 0x1p-30)}
			assert.False(t, c.run(smallShare, s, nil).OK(), "(%s) holds with the right side of %q times %v", c.Label, site.Name, site.Tightest)
			perturbed++
		}
	}
	assert.Greater(t, perturbed, 150)
}

// In sections 6.1 and 6.3 every comparison has a tightness on record, above half of what is
// attained: a right side that is loosened by a factor of 2 is noticed, whatever the
// other comparisons of the check say.
func TestLoosenedRightSidesAreSeen(t *testing.T) {
	loosened := 0
	for _, c := range Default().Checks {
		if !strings.HasPrefix(c.Label, "6.1.") && !strings.HasPrefix(c.Label, "6.3.") && c.Label != "bound.1" {
			continue
		}
		names := map[string]bool{}
		for _, site := range c.run(smallShare, honest(), nil).Comparisons {
			names[site.Name] = true
			id := "(" + c.Label + ") " + site.Name
			if !assert.Contains(t, tightness[c.Label], site.Name, "%s: no tightness on record, %v is attained", id, site.Tightest) {
				continue
			}
			s := honest()
			s.factor = map[string]float64{site.Name: 2}
			r := c.run(smallShare, s, nil)
			assert.False(t, r.OK(), "%s holds, and as tightly, with twice its right side", id)
			loosened++
		}
		for name := range tightness[c.Label] {
			assert.True(t, names[name], "(%s) has no comparison %q", c.Label, name)
		}
	}
	assert.Greater(t, loosened, 60)
}

// The instances on record are instances: the hypotheses hold, and the checks take them.
func TestHardInstances(t *testing.T) {
	checks := map[string]Check{}
	for _, c := range Default().Checks {
		checks[c.Label] = c
	}
	for label, list := range hard {
		for _, w := range list {
			_, ok := w.pair(honest())
			require.True(t, ok, "(%s) %+v", label, w)
			assert.Equal(t, 1, checks[label].trial(0, honest(), nil, []witness{w}).Instances, "(%s) passes over %+v", label, w)
		}
	}
}
