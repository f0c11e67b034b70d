package sweep

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Params say what is swept. Equal Params and claims give equal results.
type Params struct {
	Format   spec.Format
	Kind     spec.Kind
	Scales   []spec.ScaleKind // in the order of allScales
	Claims   []Claim
	MaxKappa *big.Rat // nil: no limit
	InRange  bool     // only where every threshold of the proof is normal and finite
}

var allScales = []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon}

// Limits on a world. The first keeps every number over lambda below 2^maxReach in both
// variants. A tail is then at least exp(-1.5·2^maxReach) and a mass, half a difference
// of tails, at least 2^-p times that, so that its logarithm is below 2^17 and fits a
// fixed-point number (exact.go). The second keeps the tables small.
const (
	maxReach   = 16
	maxNumbers = 4096
)

// Validate says why the parameters cannot be swept.
func (p Params) Validate() error {
	if err := p.Format.Validate(); err != nil {
		return err
	}
	f := p.Format
	if reach := max(f.EMax-f.EMin+int64(f.Precision), 2*f.EMax+2); reach > maxReach {
		return fmt.Errorf("%s is too wide to sweep: B/lambda reaches 2^%d, more than 2^%d", f.Name, reach, maxReach)
	}
	if n := (f.EMax-f.EMin+2)<<f.Precision - 1; f.Precision > 12 || n > maxNumbers {
		return fmt.Errorf("%s has more than %d numbers: too many to sweep", f.Name, maxNumbers)
	}
	if p.Kind != spec.Unbounded && p.Kind != spec.FloatRange {
		return fmt.Errorf("the kind of U* is unbounded or binary64-like, not %q", p.Kind)
	}
	if len(p.Scales) == 0 || len(p.Claims) == 0 {
		return fmt.Errorf("nothing to sweep: no scale or no claim")
	}
	names := map[string]bool{}
	for _, c := range p.Claims {
		if err := c.validate(); err != nil {
			return err
		}
		if names[c.Name] {
			return fmt.Errorf("claim %s is named twice", c.Name)
		}
		names[c.Name] = true
	}
	if p.MaxKappa != nil && p.MaxKappa.Sign() <= 0 {
		return fmt.Errorf("the largest kappa is positive, not %s", p.MaxKappa.RatString())
	}
	if p.InRange && f.EMin > -int64(f.Precision)-3 {
		return fmt.Errorf("no case of %s is in range: that takes emin <= -p-3 = %d", f.Name, -int64(f.Precision)-3)
	}
	return nil
}

// World is what all scales share: the numbers of the format and their sums.
//
// Numbers are handled by their index: 0 to n-1 negative, n zero, n+1 to 2n positive.
// -1 and 2n+1 stand for the infinities. Y, the magnitude of the noise, is handled by
// its rank: i for the i-th number >= 0, n+1 for +Inf.
type World struct {
	Params
	n       int // positive numbers
	numbers []spec.Value
	index   map[string]int // of a number, by its String
	// down[x][i] is the index of x (+) -Y for the Y of rank i, up[x][i] of x (+) Y.
	down, up [][]int32
	margin   int64 // margin, but for the test that it changes nothing
}

// NewWorld tabulates the format.
func NewWorld(p Params) (*World, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	w := &World{Params: p, index: map[string]int{}, margin: margin}
	f := p.Format
	for v := spec.FromDyadic(f.MaxFinite().Neg()); v.IsFinite(); v = f.NextUp(v).PlusZero() {
		w.index[v.String()] = len(w.numbers)
		w.numbers = append(w.numbers, v)
	}
	w.n = len(w.numbers) / 2
	w.down, w.up = make([][]int32, w.size()), make([][]int32, w.size())
	for x, v := range w.numbers {
		for i := 0; i <= w.n+1; i++ {
			y := w.magnitude(i)
			w.down[x] = append(w.down[x], w.indexOf(oracle.Add(f, v, y.Neg())))
			w.up[x] = append(w.up[x], w.indexOf(oracle.Add(f, v, y)))
		}
	}
	return w, nil
}

func (w *World) size() int { return len(w.numbers) }

// magnitude is the Y of a rank.
func (w *World) magnitude(i int) spec.Value {
	if i > w.n {
		return spec.Inf(false)
	}
	return w.numbers[w.n+i]
}

func (w *World) indexOf(v spec.Value) int32 {
	switch {
	case v.IsInf() && v.Signbit():
		return -1
	case v.IsInf():
		return int32(w.size())
	}
	return int32(w.index[v.PlusZero().String()])
}

// Units is the number of units of work: one for each scale variant and positive
// number, in this order. Shards and resumption count in them.
func (w *World) Units() int { return len(w.Scales) * w.n }

// params are the parameters of a unit, with the bounds [0, 0].
func (w *World) params(unit int) spec.SnapParams {
	return spec.SnapParams{
		Format: w.Format, Scale: w.Scales[unit/w.n], Value: w.numbers[w.n+1+unit%w.n],
		Lo: spec.Zero(false), Hi: spec.Zero(false),
	}
}

// scale is lambda of a unit, exactly: num/den.
type scale struct{ num, den real.Dyadic }

func (w *World) scale(unit int) scale {
	q := spec.NewQuantities(w.params(unit), spec.Zero(false))
	return scale{q.LambdaNum, q.LambdaDen}
}

// bound is B of rank beta.
func (w *World) bound(beta int) real.Dyadic { return w.numbers[w.n+beta].Dyadic() }

// rankOfB is the rank of max(|lo|, |hi|).
func (w *World) rankOfB(lo, hi int) int { return max(w.n-lo, lo-w.n, w.n-hi, hi-w.n) }

// distance is f2 - f.
func (w *World) distance(f, f2 int) real.Dyadic {
	return w.numbers[f2].Dyadic().Sub(w.numbers[f].Dyadic())
}
