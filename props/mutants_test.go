package props

import (
	"errors"
	"fmt"
	"math"
	"reflect"
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
	"github.com/dp-crosscheck/crosscheck/props/library"
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
	if testing.Verbose() { // the number of vectors that kill is for the table
		for _, op := range ops.All {
			if op.Op == "snap_loss" {
				continue // mutants.Quick
			}
			f, err := generate.File(op, []wire.Voter{ops.Oracle(), ops.Impl()})
			require.NoError(t, err)
			files = append(files, f)
		}
	}
	for _, m := range mutants.All {
		p, ok := Find(m.Property)
		require.True(t, ok, "%s names %q", m.ID, m.Property)
		vectors := 0
		if !m.WrongLibrary() {
			vectors = len(mutants.Killers(m.Voter, mutants.Quick(files)))
		}
		for _, e := range engines {
			got := kill(e, p, m.Voter, killPoints, 100*time.Millisecond)
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
						got := kill(e, p, v, points(v, p)/6+1, time.Second)
						assert.NoError(t, got.err, "%s\n%v", p.ID, got.point)
					}
				}
			})
		}
	}
}

// fewPoints is what a property may need to kill the first of its mutants.
const fewPoints = 400

// Every property kills, alone and soon, a mutant that names it, under each
// engine. With -v the whole table is computed: every mutant that it kills.
func TestEveryPropertyKills(t *testing.T) {
	var wg sync.WaitGroup
	defer wg.Wait()
	slots := make(chan struct{}, 2)
	for _, p := range All {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer func() { <-slots; wg.Done() }()
			for _, e := range engines {
				var named, others []string
				for _, m := range mutants.All {
					if m.Property != p.ID && (!testing.Verbose() || e.name != "gopter") {
						continue
					}
					if got := kill(e, p, m.Voter, fewPoints, 0); got.err == nil {
						continue
					}
					if m.Property == p.ID {
						named = append(named, m.ID)
					} else {
						others = append(others, m.ID)
					}
				}
				t.Logf("%-28s %-6s kills %2d: %s; %s", p.ID, e.name, len(named)+len(others), strings.Join(named, " "), strings.Join(others, " "))
				assert.NotEmpty(t, named, "%s under %s", p.ID, e.name)
			}
		}()
	}
}

// The comparisons behind the properties of the library fail on each kind of
// difference.
func TestLibraryChecksFail(t *testing.T) {
	domain, overflow := &impl.DomainError{Argument: "Lo"}, &impl.OverflowError{Quantity: "achieved"}
	refusals := []error{nil, domain, &impl.DomainError{Argument: "Hi"}, overflow, &impl.OverflowError{Quantity: "unit"},
		&impl.HypothesisError{Hypothesis: "range"}, &impl.HypothesisError{Hypothesis: "bound-above-scale"}, errors.New("other")}
	for i, want := range refusals {
		for j, got := range refusals {
			assert.Equal(t, i == j, sameRefusal(want, got) == nil, "%v, %v", want, got)
		}
	}
	one := library.Record{Epsilon: 1, Scale: impl.Lambda, Value: 1, Sensitivity: 1, Lo: 1, Hi: 1, Constant: "proved", Unit: 1, EpsilonPrime: 1, Achieved: 1}
	for i := range reflect.TypeFor[library.Record]().NumField() {
		other := one
		reflect.ValueOf(&other).Elem().Field(i).SetZero()
		assert.NotEqual(t, readable(one), readable(other), "field %d", i)
	}
	assert.NotEqual(t, readable(library.Record{}), readable(library.Record{Lo: math.Copysign(0, -1)}))
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
