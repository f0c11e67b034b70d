package props

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/generate"
	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// kill runs a property on a wrong voter. The seed is fixed: a mutant that dies,
// dies every time.
func kill(e engine, p Property, v wire.Voter, points int, shrink time.Duration) verdict {
	return e.run(job{points: points, seed: 20260101, shrink: shrink, generate: p.Generate, check: func(x Point) error {
		err := p.Check(v, x)
		var none *AbstainedError
		if errors.As(err, &none) {
			return nil
		}
		return err
	}})
}

// killPoints is enough for the rarest fault, one point in some hundred.
const killPoints = 4000

// Every mutant dies by the property that it names, under both engines. The table
// shows the smallest counterexample each engine found.
func TestPropertiesKillMutants(t *testing.T) {
	var files []corpus.File
	if !testing.Short() {
		for _, op := range ops.All {
			f, err := generate.File(op, []wire.Voter{ops.Oracle(), ops.Impl()})
			require.NoError(t, err)
			files = append(files, f)
		}
	}
	for _, m := range mutants.All {
		p, ok := Find(m.Property)
		require.True(t, ok, "%s names %q", m.ID, m.Property)
		vectors := len(mutants.Killers(m.Voter, files))
		for _, e := range engines {
			got := kill(e, p, m.Voter, killPoints, 300*time.Millisecond)
			assert.Error(t, got.err, "%s survives %s under %s", m.ID, p.ID, e.name)
			t.Logf("%-26s %-26s %-6s %4d vectors  %v", m.ID, p.ID, e.name, vectors, got)
		}
	}
}

// Right voters survive every property, however they are worded.
func TestPropertiesSpareReworded(t *testing.T) {
	for _, v := range mutants.Reworded {
		for _, e := range engines {
			t.Run(strings.ReplaceAll(v.Name(), " ", "-")+"/"+e.name, func(t *testing.T) {
				t.Parallel()
				for _, p := range All {
					if len(p.Ops) > 0 {
						got := kill(e, p, v, points(v)/6+1, time.Second)
						assert.NoError(t, got.err, "%s\n%v", p.ID, got.point)
					}
				}
			})
		}
	}
}

// A check counts once it has been seen to fail: every property of voters kills
// at least one mutant. With -v the whole table is computed.
func TestEveryPropertyKills(t *testing.T) {
	var wg sync.WaitGroup
	defer wg.Wait()
	slots := make(chan struct{}, 2)
	for _, p := range All {
		if len(p.Ops) == 0 {
			continue // broken on purpose in TestLibraryChecksFail
		}
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			var killed []string
			for _, m := range likeliestFirst(p.ID) {
				if got := kill(engines[1], p, m.Voter, 400, 0); got.err != nil {
					killed = append(killed, m.ID)
					if !testing.Verbose() {
						break
					}
				}
			}
			t.Logf("%-28s kills %2d: %s", p.ID, len(killed), strings.Join(killed, " "))
			assert.NotEmpty(t, killed, p.ID)
		}()
	}
}

// likeliestFirst puts the mutants that name the property before the others.
func likeliestFirst(id string) (list []mutants.Mutant) {
	for _, named := range []bool{true, false} {
		for _, m := range mutants.All {
			if (m.Property == id) == named {
				list = append(list, m)
			}
		}
	}
	return list
}

// The comparison behind constructor-hypotheses fails on each kind of difference.
func TestLibraryChecksFail(t *testing.T) {
	broken := spec.Reject(spec.HypothesisBroken, "range", "")
	refused := &impl.HypothesisError{Hypothesis: "range"}
	assert.NoError(t, sameHypothesis(nil, nil))
	assert.NoError(t, sameHypothesis(broken, refused))
	assert.Error(t, sameHypothesis(broken, nil))
	assert.Error(t, sameHypothesis(nil, refused))
	assert.Error(t, sameHypothesis(broken, &impl.HypothesisError{Hypothesis: "bound-above-scale"}))
	assert.Error(t, sameHypothesis(nil, &impl.DomainError{Argument: "Lo"}))
	assert.Error(t, constructed(Point{"claim": {Text: "no such claim"}}))
	assert.Error(t, libraryProperties[1].Check(nil, Point{"claim": {Text: "no such claim"}}))
}

// shrunken is what the engines must reduce the failures of some mutants to.
var shrunken = []struct {
	mutant string
	size   func(Point) float64 // what has to be small
	most   float64
}{
	{"ties-away", func(p Point) float64 { return math.Abs(p["x"].Float()) * p["unit"].Float() }, 1.5},
	{"half-always-up", func(p Point) float64 { return math.Abs(p["x"].Float()) * p["unit"].Float() }, 0.5},
	{"carry-needs-all-ones", func(p Point) float64 { return math.Abs(p["x"].Float() / p["unit"].Float()) }, 4},
	{"low-bit-first", func(p Point) float64 { return float64(len(p["tape"].Bytes())) }, 16},
	{"no-second-clamp", func(p Point) float64 { return math.Abs(p["f"].Float()) }, 16},
}

// Each engine shrinks planted faults to small inputs.
func TestShrinking(t *testing.T) {
	for _, c := range shrunken {
		m, ok := mutants.Find(c.mutant)
		require.True(t, ok)
		p, _ := Find(m.Property)
		for _, e := range engines {
			got := kill(e, p, m.Voter, killPoints, 3*time.Second)
			require.Error(t, got.err, "%s under %s", c.mutant, e.name)
			t.Logf("%s, %s\n  first    %v\n  shrunken %v", c.mutant, e.name, got.first, got)
			assert.LessOrEqual(t, c.size(got.point), c.most, fmt.Sprintf("%s under %s: %v", c.mutant, e.name, got.point))
		}
	}
}
