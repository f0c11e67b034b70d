package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// pair is an instance of the theorem of docs/theory.md 6.1: a mechanism under its
// hypotheses, two inputs inside the bounds, and an output.
type pair struct {
	mech
	x, x2  spec.Value
	r      real.Dyadic
	dist   Num // |x - x'|/lambda
	c1, c2 *real.Dyadic
}

// The floating-point arithmetic of the draws below chooses instances; it decides
// nothing.

// mechanism draws parameters under the hypotheses: scales of both kinds near and
// far from powers of two, B/lambda from 2^-3 to 2^38, bounds that are powers of
// two, their neighbours, one-sided or any.
func (t *Trial) mechanism() (mech, bool) {
	value := math.Float64frombits(gen.Moderate(t))
	switch t.below(8) {
	case 0:
		value = math.Ldexp(1+t.unit(), int(t.between(-950, 900)))
	case 1:
		value = math.Ldexp(1-float64(1+t.below(4))*0x1p-53, int(t.between(-3, 3)))
	case 2:
		value = math.Ldexp(1-t.unit()*0x1p-8, int(t.between(-3, 3)))
	}
	scale, lambda := spec.ScaleLambda, value
	if t.below(4) == 0 {
		scale, lambda = spec.ScaleEpsilon, 1/value
	}
	span := float64(t.between(-3, 12))
	if t.below(3) == 0 {
		span = float64(t.between(12, 38))
	}
	b := math.Ldexp(lambda, int(span)) * (1 - t.unit()/2)
	if t.coin() {
		_, e := math.Frexp(b)
		b = math.Ldexp(1+float64(t.below(3))*0x1p-52, e)
	}
	lo, hi := -b, b
	switch t.below(6) {
	case 0:
		lo = -b * t.unit()
	case 1:
		lo = b * t.unit()
	case 2:
		hi = -b * t.unit()
	}
	m, err := newMech(scale, value, lo, hi, spec.Unbounded, t.subject)
	if err != nil || m.covered(spec.Proved) != nil || lo >= hi {
		return m, false
	}
	return m, true
}

// input draws an x inside the bounds: the bounds, numbers next to powers of two,
// next to a point of the grid Lambda/2, or any.
func (t *Trial) input(m mech) float64 {
	lo, hi, unit := floatOf(m.p.Lo), floatOf(m.p.Hi), math.Ldexp(1, int(m.k))
	x := lo + (hi-lo)*t.unit()
	switch t.below(6) {
	case 0:
		x = t.one(lo, hi)
	case 1:
		_, e := math.Frexp(x)
		x = math.Copysign(math.Ldexp(1, e-1), x) * (1 + t.one(-0x1p-53, 0, 0x1p-52, 0x1p-30))
	case 2:
		x = math.Floor(x/unit*2) * unit / 2
		x *= 1 + t.one(-0x1p-53, 0, 0x1p-52)
	case 3:
		x = hi - unit*t.unit()*4
	}
	return min(hi, max(lo, x))
}

func floatOf(v spec.Value) float64 {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		return math.NaN()
	}
	return math.Float64frombits(b)
}

// pairOf draws inputs and an output for m: x' a few places, a fraction of lambda
// or anything away from x; r an end, the cells of x and x', next to the ends, a
// power of two, or any.
func (t *Trial) pairOf(m mech) (pair, bool) {
	x := t.input(m)
	lambda := m.lam.approx()
	x2 := x + lambda*t.one(-1, 1)*t.unit()
	switch t.below(5) {
	case 0:
		x2 = x * (1 + float64(t.between(-8, 8))*0x1p-52)
	case 1:
		x2 = t.input(m)
	case 2:
		x2 = x + t.one(-1, 1)*lambda*math.Ldexp(1+t.unit(), -int(t.between(0, 50)))
	}
	lo, hi := floatOf(m.p.Lo), floatOf(m.p.Hi)
	x2 = min(hi, max(lo, x2))
	p := pair{mech: m, x: spec.FromFloat64(x), x2: spec.FromFloat64(x2)}
	p.dist = dyNum(p.x.Dyadic()).sub(dyNum(p.x2.Dyadic())).abs().quo(m.lam)
	if p.x.Dyadic().Equal(p.x2.Dyadic()) {
		return p, false
	}
	return p, t.output(&p)
}

// output draws r.
func (t *Trial) output(p *pair) bool {
	kmin := p.p.Lo.Dyadic().Floor(p.k)
	kmax := new(big.Int).Neg(p.p.Hi.Dyadic().Neg().Floor(p.k)) // outputs strictly between are (kmin, kmax)
	n := new(big.Int)
	switch t.below(8) {
	case 0:
		p.r = p.p.Lo.Dyadic()
	case 1:
		p.r = p.p.Hi.Dyadic()
	case 2:
		n.Add(kmin, big.NewInt(t.between(1, 2)))
	case 3:
		n.Sub(kmax, big.NewInt(t.between(1, 2)))
	case 4:
		n = nearestIndex(p.x.Dyadic(), p.k)
	case 5:
		n = nearestIndex(p.x2.Dyadic(), p.k)
	case 6:
		n.Lsh(big.NewInt(t.between(0, 1)*2-1), uint(t.between(0, 39)))
	default:
		n.Sub(kmax, kmin)
		n.Mod(new(big.Int).SetUint64(t.Uint64()), n).Add(n, kmin)
	}
	if p.r.IsZero() {
		if n.Cmp(kmin) <= 0 || n.Cmp(kmax) >= 0 {
			p.r = p.p.Lo.Dyadic()
		} else {
			p.r = real.NewDyadic(n, p.k)
		}
	}
	var err error
	p.c1, p.c2, err = p.edges(p.r)
	return err == nil
}

func nearestIndex(d real.Dyadic, k int64) *big.Int {
	n := d.Floor(k - 1)
	n.Add(n, big.NewInt(1))
	return n.Rsh(n, 1)
}

// pairs runs f on instances until the size of the run is reached; f reports
// whether the instance was of the kind it wants.
func (t *Trial) pairs(f func(p pair) bool) {
	for _, w := range t.hard { // the hardest instances known come first
		if p, ok := w.pair(t.subject); ok && w.kind == spec.Unbounded && f(p) {
			t.instance()
		}
	}
	const patience = 400 // draws for each instance wanted
	for tries := 0; t.Result.Instances < t.size && tries < patience*t.size; tries++ {
		m, ok := t.mechanism()
		if !ok {
			continue
		}
		if p, ok := t.pairOf(m); ok && f(p) {
			t.instance()
		}
	}
}

// pair is a witness as an instance, if the theorem covers it.
func (w witness) pair(sub subject) (pair, bool) {
	m, err := newMech(w.scale, w.value, w.lo, w.hi, w.kind, sub)
	if err != nil || m.covered(spec.Proved) != nil {
		return pair{}, false
	}
	p := pair{mech: m, x: spec.FromFloat64(w.f), x2: spec.FromFloat64(w.f2), r: spec.FromFloat64(w.r).Dyadic()}
	p.dist = dyNum(p.x.Dyadic()).sub(dyNum(p.x2.Dyadic())).abs().quo(m.lam)
	p.c1, p.c2, err = m.edges(p.r)
	return p, err == nil
}

// place says where a double lies relative to the cell of the output.
type place int

const (
	left   place = iota // below the lower edge
	inside              // at or above the lower edge and below the upper one
	right               // at or above the upper edge
)

func (p pair) where(x spec.Value) place {
	switch {
	case p.c1 != nil && x.Dyadic().Cmp(*p.c1) < 0:
		return left
	case p.c2 != nil && x.Dyadic().Cmp(*p.c2) >= 0:
		return right
	}
	return inside
}

func (p pair) interior() bool { return p.c1 != nil && p.c2 != nil }

// far and near edges of an interior cell that does not contain x.
func (p pair) farNear(x spec.Value) (far, near real.Dyadic) {
	if p.where(x) == right {
		return *p.c1, *p.c2
	}
	return *p.c2, *p.c1
}
