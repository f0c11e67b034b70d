package props

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
)

// The properties at p bits under both engines: voters keep them, every wide mutant
// breaks the one it names. (TestProperties and TestPropertiesKillMutants do the same
// among all others.)
func TestWideProperties(t *testing.T) {
	for _, p := range wideProperties {
		for _, e := range engines {
			for _, v := range ops.Voters() {
				answered := 0
				got := e.run(job{points: points(v, p) / 3, seed: seedOf(p.ID, uint64(time.Now().UnixNano())), shrink: time.Second, generate: p.Generate, check: func(x Point) error {
					err := p.Check(v, x)
					var none *AbstainedError
					if errors.As(err, &none) {
						return nil
					}
					answered++
					return err
				}})
				assert.NoError(t, got.err, "%s %s %s\n%v", v.Name(), p.ID, e.name, got.point)
				if v.Name() != "bigfloat" {
					assert.Positive(t, answered)
				}
			}
		}
	}
	for _, m := range mutants.All {
		if !strings.HasPrefix(m.ID, "wide-") {
			continue
		}
		p, ok := Find(m.Property)
		require.True(t, ok)
		for _, e := range engines {
			got := kill(e, p, m.Voter, killPoints, 100*time.Millisecond)
			assert.Error(t, got.err, "%s survives %s under %s", m.ID, p.ID, e.name)
		}
	}
}
