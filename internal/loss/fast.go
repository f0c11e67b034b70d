package loss

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// world evaluates the excess of a loss quickly and roughly, to guide a search: the
// thresholds are those of impl's logarithm, the probabilities sums of two doubles.
// What a search finds is computed again by the oracle; nothing here is shown.
type world struct {
	epsilon      bool
	value        float64
	lo, hi, unit float64
	lambda       float64
	factor       map[float64][2]float64 // exp(d/lambda) as a sum of two doubles
}

func newWorld(p spec.SnapParams, unit spec.Value) (*world, error) {
	w := &world{epsilon: p.Scale == spec.ScaleEpsilon, factor: map[float64][2]float64{}}
	for _, f := range []struct {
		to   *float64
		from spec.Value
	}{{&w.value, p.Value}, {&w.lo, p.Lo}, {&w.hi, p.Hi}, {&w.unit, unit}} {
		b, err := p.Format.Encode(f.from)
		if err != nil {
			return nil, err
		}
		*f.to = math.Float64frombits(b)
	}
	w.lambda = w.value
	if w.epsilon {
		w.lambda = 1 / w.value
	}
	return w, nil
}

// uniform is u = (1 + m 2^-52) 2^-e; e = 0, m = 0 is 1.
type uniform struct {
	m uint64
	e int64
}

// plus moves n draws up or down, to 1 at most.
func (d uniform) plus(n int64) uniform {
	m := int64(d.m) + n
	d.e -= m >> 52
	d.m = uint64(m & (1<<52 - 1))
	if d.e <= 0 {
		return uniform{}
	}
	return d
}

// crosses reports whether the draw carries w across the edge c from x.
func (w *world) crosses(c, x float64, u uniform) bool {
	if u.e == 0 {
		return false
	}
	y := impl.LnPair(u.m, u.e)
	if w.epsilon {
		y /= w.value
	} else {
		y *= w.value
	}
	if c <= x {
		return float64(x+y) < c
	}
	return float64(x-y) >= c
}

// threshold returns the least draw that does not cross, by a guess and a gallop.
func (w *world) threshold(c, x float64) uniform {
	v := math.Abs(x-c) / w.lambda
	e := math.Floor(v/math.Ln2) + 1
	m := math.Exp(e*math.Ln2-v) - 1
	u := uniform{0, max(int64(e), 1)}.plus(int64(m * (1 << 52)))
	if u.e == 0 {
		u = u.plus(-1)
	}
	var lo, hi uniform // lo crosses, hi does not
	step := int64(1)
	if w.crosses(c, x, u) {
		for lo, hi = u, u.plus(step); w.crosses(c, x, hi); hi = lo.plus(step) {
			lo, step = hi, step*2
		}
	} else {
		for hi, lo = u, u.plus(-step); !w.crosses(c, x, lo); lo = hi.plus(-step) {
			if hi, step = lo, step*2; step > 1<<40 {
				return hi
			}
		}
	}
	for n := hi.number(lo); n > 1; n = hi.number(lo) {
		if mid := lo.plus(n / 2); w.crosses(c, x, mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// number is how many draws up from lo d lies; they are near each other.
func (d uniform) number(lo uniform) int64 {
	n := (lo.e-d.e)<<52 + int64(d.m) - int64(lo.m)
	return n
}

// at returns the draw times 2^e.
func (d uniform) at(e int64) float64 {
	return math.Ldexp(1+float64(d.m)*0x1p-52, int(e-d.e))
}

// sum is hi + lo, |lo| tiny.
type sum struct{ hi, lo float64 }

func diff(a, b float64) sum {
	s := a - b
	t := s - a
	return sum{s, (a - (s - t)) + (-b - t)}
}

// mass returns the probability of the output r for x times 2^e.
func (w *world) mass(r, x float64, e int64) sum {
	c1, c2 := r-w.unit/2, r+w.unit/2
	if r == w.lo {
		c2 = (math.Floor(w.lo/w.unit) + 0.5) * w.unit
	}
	if r == w.hi {
		c1 = (math.Ceil(w.hi/w.unit) - 0.5) * w.unit
	}
	p := func(c float64) float64 { return w.threshold(c, x).at(e) / 2 }
	switch {
	case r == w.lo && c2 <= x:
		return sum{hi: p(c2)}
	case r == w.hi && c1 > x:
		return sum{hi: p(c1)}
	case r == w.lo:
		return diff(math.Ldexp(1, int(e)), p(c2))
	case r == w.hi:
		return diff(math.Ldexp(1, int(e)), p(c1))
	case c2 <= x:
		return diff(p(c2), p(c1))
	case c1 > x:
		return diff(p(c1), p(c2))
	}
	s := diff(math.Ldexp(1, int(e)), p(c1))
	t := diff(s.hi, p(c2))
	return sum{t.hi, t.lo + s.lo}
}

// excess returns |ln(Pr[r | x]/Pr[r | x2])| - |x - x2|/lambda, roughly: to some 2^-60.
func (w *world) excess(r, x, x2 float64) float64 {
	if !(r >= w.lo && r <= w.hi) {
		return math.Inf(-1)
	}
	near := min(math.Abs(x-r), math.Abs(x2-r)) / w.lambda
	e := int64(near / math.Ln2) // so that the masses are ordinary doubles
	a, b := w.mass(r, x, e), w.mass(r, x2, e)
	if a.hi < b.hi {
		a, b = b, a
	}
	f := w.exp(math.Abs(x - x2))
	p := b.hi * f[0]
	pe := math.FMA(b.hi, f[0], -p) + b.hi*f[1] + b.lo*f[0]
	d := (a.hi - p) + (a.lo - pe)
	v := math.Log1p(d / p)
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// exp returns exp(d/lambda).
func (w *world) exp(d float64) [2]float64 {
	if f, ok := w.factor[d]; ok {
		return f
	}
	num, den := spec.FromFloat64(d).Dyadic(), spec.FromFloat64(w.value).Dyadic()
	if w.epsilon {
		num, den = num.Mul(den), real.One()
	}
	var f [2]float64
	if t, err := real.Point(num).Quo(real.Point(den), 160); err == nil {
		if x, err := real.ExpInterval(t, 140); err == nil {
			f[0] = nearest(x.Lo)
			f[1] = nearest(x.Lo.Sub(spec.FromFloat64(f[0]).Dyadic()))
		}
	}
	if len(w.factor) > 1<<12 {
		clear(w.factor)
	}
	w.factor[d] = f
	return f
}

// nearest returns about d.
func nearest(d real.Dyadic) float64 {
	r, ok := d.Rat()
	if !ok {
		return 0
	}
	x, _ := r.Float64()
	return x
}
