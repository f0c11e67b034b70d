package props

import (
	"errors"
	"hash/fnv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// points is how many points a property is checked on, per voter and engine.
func points(v wire.Voter, p Property) int {
	n := 1000
	for _, q := range exactProperties {
		if q.ID == p.ID {
			n = 60 // each asks for whole distributions
		}
	}
	if v.Name() == "bigfloat" {
		n = min(n, 120) // its logarithm takes a millisecond
	}
	if testing.Short() {
		n = n/5 + 1
	}
	return n
}

func TestIDs(t *testing.T) {
	var want, have []string
	seen := map[string]bool{}
	for _, p := range spec.Properties {
		want = append(want, p.ID)
		assert.False(t, seen[p.ID], "%s twice", p.ID)
		seen[p.ID] = true
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, p.ID)
		assert.Regexp(t, `\.$`, p.Statement, p.ID)
		assert.Regexp(t, `^\d(\.\d)?$`, p.Section, p.ID)
	}
	for _, p := range All {
		have = append(have, p.ID)
		for _, op := range p.Ops {
			_, ok := ops.Find(op)
			assert.True(t, ok, "%s: %s", p.ID, op)
		}
	}
	assert.Equal(t, want, have, "the properties checked are those stated, in the same order")
}

// seedOf spreads one number over the properties.
func seedOf(name string, base uint64) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return (h.Sum64()^base)>>1 | 1
}

// TestProperties checks every property of every voter under both engines. Seeds
// are new each time; a failure prints its seed.
func TestProperties(t *testing.T) {
	base := uint64(time.Now().UnixNano())
	for _, v := range ops.Voters() {
		for _, e := range engines {
			t.Run(v.Name()+"/"+e.name, func(t *testing.T) {
				t.Parallel()
				var abstained, asked atomic.Int64
				why := map[string]int{}
				for _, p := range All {
					if len(p.Ops) == 0 && v.Name() != "impl" {
						continue // about package impl itself: once is enough
					}
					seed := seedOf(p.ID, base)
					got := e.run(job{
						points: points(v, p), seed: seed, shrink: 5 * time.Second, generate: p.Generate,
						check: func(x Point) error {
							asked.Add(1)
							err := p.Check(v, x)
							var none *AbstainedError
							if errors.As(err, &none) {
								abstained.Add(1)
								why[p.ID+": "+strings.SplitN(none.Reason, ":", 2)[0]]++
								return nil
							}
							return err
						},
					})
					assert.NoError(t, got.err, "%s, seed %d\n%v", p.ID, seed, got.point)
				}
				t.Logf("%d points, %d of them not answered: %v", asked.Load(), abstained.Load(), why)
				if v.Name() != "bigfloat" {
					assert.Zero(t, abstained.Load())
				}
				assert.Less(t, 2*abstained.Load(), asked.Load())
			})
		}
	}
}

// A property whose check always fails is found failing by both engines, and
// shrinks to the point of all zero words: the adapters report what they see.
func TestEnginesSeeFailure(t *testing.T) {
	p, ok := Find("ln-correctly-rounded")
	require.True(t, ok)
	for _, e := range engines {
		failure := errors.New("planted")
		got := e.run(job{points: 10, seed: 1, shrink: 5 * time.Second, generate: p.Generate, check: func(Point) error { return failure }})
		require.ErrorIs(t, got.err, failure, e.name)
		assert.Equal(t, "x=0x3ff0000000000000(1)", got.point.String(), e.name)
		got = e.run(job{points: 10, seed: 1, shrink: 5 * time.Second, generate: p.Generate, check: func(Point) error { panic("planted") }})
		assert.ErrorContains(t, got.err, "planted", e.name)
	}
}
