package loss

import (
	"fmt"
	"math"
	"time"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// SearchOptions bounds a search. The same options but Limit find the same pair; a
// search that Limit cuts short may not.
type SearchOptions struct {
	Sensitivity float64
	Claim       spec.Claim // the bound whose share is driven up
	Evaluations int        // pairs of inputs tried
	Seed        uint64
	FreeScale   bool          // also move the low bits of lambda or epsilon
	Limit       time.Duration // 0: none
}

// Found is the worst pair of a search.
type Found struct {
	Params      spec.SnapParams
	F, F2       float64
	Output      float64
	Evaluations int
	Cut         bool // by Limit
}

// climber is the state of one search.
type climber struct {
	SearchOptions
	params spec.SnapParams
	world  *world
	src    gen.Source
	allow  float64 // what the bound leaves above D/lambda
	tried  int
}

// candidate is a pair and its worst output seen.
type candidate struct {
	value, f, f2, r float64
	inward          uint64 // doubles by which f2 lies nearer to f than the sensitivity allows
	score           float64
}

// Search looks for a pair of inputs at most Sensitivity apart whose loss comes
// closest to, or exceeds, what the claim allows: from grid edges, ties and their neighbours,
// binade crossings and the bounds it climbs by moving low bits. Binary64 only, and
// for the unbounded draw; what it finds must be computed exactly by the caller.
func Search(p spec.SnapParams, o SearchOptions, step func(done, total int)) (Found, error) {
	c := &climber{SearchOptions: o, params: p, src: &gen.SplitMix64{State: o.Seed}}
	if _, err := oracle.NewDistribution(p, spec.Unbounded, p.Lo); err != nil {
		return Found{}, err
	}
	if err := c.setScale(p.Value); err != nil {
		return Found{}, err
	}
	start := time.Now()
	best := candidate{score: math.Inf(-1)}
	out := func() bool {
		if step != nil {
			step(min(c.tried, o.Evaluations), o.Evaluations)
		}
		return c.tried >= o.Evaluations || o.Limit > 0 && time.Since(start) > o.Limit
	}
	for i := 0; i == 0 || !out(); i++ {
		at := c.try(c.world.value, c.start(i), 0)
		for stale := 0; stale < 60 && !out(); stale++ {
			if next := c.move(at, best); next.score > at.score {
				at, stale = next, 0
			}
		}
		if at.score > best.score {
			best = at
		}
		if best.value != 0 && best.value != c.world.value { // go on from the best scale
			if err := c.setScale(spec.FromFloat64(best.value)); err != nil {
				return Found{}, err
			}
		}
	}
	if math.IsInf(best.score, -1) {
		return Found{}, fmt.Errorf("no two inputs at most %v apart give different distributions: there is nothing to search", o.Sensitivity)
	}
	q := p
	q.Value = spec.FromFloat64(best.value)
	return Found{q, best.f, best.f2, best.r, c.tried, c.tried < o.Evaluations}, nil
}

// setScale prepares the world of a scale.
func (c *climber) setScale(v spec.Value) error {
	p := c.params
	p.Value = v
	unit, err := oracle.Unit(p)
	if err != nil {
		return err
	}
	w, err := newWorld(p, unit)
	if err != nil {
		return err
	}
	c.world = w
	b := max(math.Abs(w.lo), math.Abs(w.hi), float64(c.Claim.Floor)*w.lambda)
	c.allow = (float64(c.Claim.C)*b/w.lambda + float64(c.Claim.A)) * 0x1p-53
	return nil
}

// start returns the i-th input to climb from.
func (c *climber) start(i int) float64 {
	w := c.world
	pick := func(n uint64) uint64 { return c.src.Uint64() % n }
	units := (w.hi - w.lo) / w.unit
	k := math.Floor(float64(pick(1<<53)) * 0x1p-53 * (units + 1))
	x := w.lo
	switch pick(6) {
	case 0: // an edge or a grid point
		x = (math.Floor(w.lo/w.unit) + k + float64(pick(2))/2) * w.unit
	case 1: // a power of two
		x = math.Ldexp(w.unit, int(pick(uint64(math.Max(1, math.Log2(units+2))+1)))-1)
		if pick(2) == 0 {
			x = -x
		}
	case 2:
		x = w.hi - c.Sensitivity
	case 3:
		x = w.lo + c.Sensitivity
	case 4:
		x = w.lo + (w.hi-w.lo)*float64(pick(1<<53))*0x1p-53
	}
	if i > 0 {
		x = nudged(x, int64(pick(9))-4)
	}
	return min(max(x, w.lo), w.hi)
}

// nudged moves x by n doubles.
func nudged(x float64, n int64) float64 {
	for ; n > 0; n-- {
		x = math.Nextafter(x, math.Inf(1))
	}
	for ; n < 0; n++ {
		x = math.Nextafter(x, math.Inf(-1))
	}
	return x
}

// move tries a neighbour of a candidate: the input moved by a power of two of ulps, or
// mirrored, or set where the low bits of a better one are; or the scale moved.
func (c *climber) move(at, best candidate) candidate {
	value, f, inward := at.value, at.f, at.inward
	k := c.src.Uint64()
	if k>>56%8 == 0 { // a low bit of f2
		inward ^= 1 << (k >> 2 % 24)
	} else if c.FreeScale && k%4 == 0 {
		v := math.Float64frombits(math.Float64bits(value) + (1<<(k>>2%46))*(1-2*(k>>60&1)))
		if v > 0 && !math.IsInf(v, 0) && c.setScale(spec.FromFloat64(v)) == nil {
			value = v
		}
	} else {
		shift := k >> 8 % 52
		d := math.Ldexp(math.Nextafter(math.Abs(f), math.Inf(1))-math.Abs(f), int(shift))
		if k>>2&1 == 0 {
			d = -d
		}
		switch k >> 3 & 15 {
		case 0:
			f = -f
		case 1:
			f += c.world.unit * float64(int64(k>>20%5)-2)
		default:
			f += d
		}
	}
	next := c.try(value, min(max(f, c.world.lo), c.world.hi), inward)
	if c.FreeScale && next.score <= at.score && value != at.value {
		_ = c.setScale(spec.FromFloat64(at.value)) // it was legal before
	}
	return next
}

// try scores a pair: both neighbours of f at distance D, or some doubles nearer, and the
// outputs where a loss tends to be largest.
func (c *climber) try(value, f float64, inward uint64) candidate {
	w := c.world
	c.tried++
	best := candidate{value: value, f: f, f2: f, r: w.lo, inward: inward, score: math.Inf(-1)}
	for _, sign := range [2]float64{1, -1} {
		f2 := f + sign*c.Sensitivity
		if math.Abs(f2-f) > c.Sensitivity || f2-f != sign*c.Sensitivity && math.Abs(f2-f) == c.Sensitivity {
			f2 = math.Nextafter(f2, f)
		}
		f2 -= sign * float64(inward) * (math.Nextafter(math.Abs(f2), math.Inf(1)) - math.Abs(f2))
		f2 = min(max(f2, w.lo), w.hi)
		if f2 == f || !within(f, f2, c.Sensitivity) {
			continue
		}
		lost := (c.Sensitivity - math.Abs(f2-f)) / w.lambda
		for _, r := range c.outputs(f, f2) {
			if s := (w.excess(r, f, f2) - lost) / c.allow; s > best.score {
				best = candidate{value, f, f2, r, inward, s}
			}
		}
	}
	return best
}

// within reports |a - b| <= d exactly.
func within(a, b, d float64) bool {
	x := spec.FromFloat64(a).Dyadic().Sub(spec.FromFloat64(b).Dyadic()).Abs()
	return x.Cmp(spec.FromFloat64(d).Dyadic()) <= 0
}

// outputs are the ends, the cells next to them, next to the inputs, at powers of two,
// and two at random.
func (c *climber) outputs(f, f2 float64) []float64 {
	w := c.world
	first, last := math.Floor(w.lo/w.unit)+1, math.Ceil(w.hi/w.unit)-1
	list := []float64{w.lo, w.hi}
	add := func(k float64) {
		if k >= first && k <= last {
			list = append(list, k*w.unit)
		}
	}
	add(first)
	add(last)
	add(first + 1)
	add(last - 1)
	for _, x := range [2]float64{f, f2} {
		k := math.Floor(x/w.unit + 0.5)
		add(k - 1)
		add(k)
		add(k + 1)
	}
	k := c.src.Uint64()
	top := int(math.Max(0, math.Log2(math.Max(math.Abs(first), math.Abs(last))+1)))
	add(math.Ldexp(1, top))
	add(-math.Ldexp(1, top))
	add(math.Ldexp(1, int(k%uint64(top+1))))
	add(-math.Ldexp(1, int(k>>8%uint64(top+1))))
	add(first + math.Floor((last-first+1)*float64(k>>11)*0x1p-53))
	return list
}
