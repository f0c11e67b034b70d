package oracle

import (
	"iter"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Dist is the exact distribution of Snap_F(f; U*, S) for one f, S a fair sign: a
// function of the output, computed on demand (docs/theory.md 4). It is immutable.
type Dist struct {
	q           crossing
	f           spec.Value
	lo, hi      spec.Value // bounds, zeros as +0
	unit        real.Dyadic
	first, last spec.Value // no output outside [first, last] has a probability
}

// Limits on the parameters under the unbounded kind, for lo < hi. They keep every
// threshold above 2^-(2^61) and the terms of one probability within 2^22 bits of
// each other. (With lo = hi there are no thresholds.)
const (
	maxReach = 58 // hi - lo <= 2^58 lambda
	maxSpare = 16 // B <= 2^(p+16) lambda: the spacing of the numbers at B is at most 2^17 lambda
	maxUnit  = 20 // Lambda <= 2^20 lambda
)

// NewDistribution prepares the distribution for a kind of U*, in any format and
// either scale. f may be infinite, not NaN.
// Rejections: domain (parameters, f, kind, format); for the unbounded kind also
// domain "bounds" when lo < hi and hi - lo > 2^58 lambda or B > 2^(p+16) lambda,
// and domain "unit" when Lambda > 2^20 lambda, which takes a 1/epsilon far below
// the smallest positive number; overflow of Lambda.
//
// Why the limits suffice: an edge is within (hi - lo) + Lambda/2 of x, and the
// midpoint at which the sum is rounded within one spacing of the numbers there, at
// most 2^18 lambda or Lambda. The midpoints at which the product and the logarithm
// are rounded are within a factor 1 + 2 eta <= 3/2 and one smallest number
// (<= Lambda, <= 1/2) of what they round. So |ln u| at a threshold is at most
// 2.25((hi - lo) + 4 Lambda + 2^18 lambda)/lambda + 2 < 2^61: e < 2^62 as spec.U
// demands. Of two edges that bound one output the thresholds differ by a factor of
// at most exp((Lambda + some spacings at B)/lambda).
func NewDistribution(p spec.SnapParams, k spec.Kind, f spec.Value) (*Dist, error) {
	if err := checkSnap(p, f, 1); err != nil {
		return nil, err
	}
	if err := checkDraw(k); err != nil {
		return nil, err
	}
	if k == spec.Unbounded && p.Lo.Cmp(p.Hi) < 0 {
		n := spec.NewQuantities(p, spec.Zero(false))
		spare := int64(p.Format.Precision) + maxSpare
		if n.B.Mul(n.LambdaDen).Cmp(n.LambdaNum.Shift(spare)) > 0 {
			return nil, spec.Reject(spec.Domain, "bounds", "B = %v exceeds 2^%d lambda: thresholds of U* out of range", n.B, spare)
		}
		width := p.Hi.Dyadic().Sub(p.Lo.Dyadic())
		if width.Mul(n.LambdaDen).Cmp(n.LambdaNum.Shift(maxReach)) > 0 {
			return nil, spec.Reject(spec.Domain, "bounds", "hi - lo = %v exceeds 2^%d lambda: thresholds of U* out of range", width, maxReach)
		}
	}
	unit, err := Unit(p)
	if err != nil {
		return nil, err
	}
	n := spec.NewQuantities(p, unit)
	if k == spec.Unbounded && n.Unit.Mul(n.LambdaDen).Cmp(n.LambdaNum.Shift(maxUnit)) > 0 {
		return nil, spec.Reject(spec.Domain, "unit", "Lambda = %v exceeds 2^%d lambda: thresholds of U* out of range", unit, maxUnit)
	}
	d := &Dist{
		q: crossing{p, newGrid(p.Format, k), clamp(f, p.Lo, p.Hi)}, f: f,
		lo: p.Lo.PlusZero(), hi: p.Hi.PlusZero(), unit: unit.Dyadic(),
	}
	d.first, d.last = d.lo, d.hi
	if k == spec.FloatRange { // the noise ends: at the outputs of the least draw
		if d.first, err = d.farthest(1); err != nil {
			return nil, err
		}
		if d.last, err = d.farthest(-1); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// X returns clamp(f), to which the noise is added.
func (d *Dist) X() spec.Value { return d.q.x }

// farthest returns the output of the least draw.
func (d *Dist) farthest(s spec.Sign) (spec.Value, error) {
	t, err := SnapF(d.q.p, d.q.x, d.q.g.least(), s)
	return t.R, err
}

// All yields the outputs of positive probability in increasing order, each with
// its probability; they sum to exactly 1. One threshold is computed for each edge
// between two outputs, when it is reached, and forgotten after the second of them.
func (d *Dist) All() iter.Seq2[spec.Value, Prob] {
	return func(yield func(spec.Value, Prob) bool) {
		var below *edge // of the cell of r; nil: none
		for r := d.first; ; {
			next, more := d.next(r)
			var above *edge
			if more {
				above = d.edge(d.edgeBelow(next))
			}
			pr := d.between(below, above)
			if !pr.IsZero() && !yield(r, pr) {
				return
			}
			if !more {
				return
			}
			if pr.IsZero() { // there may be any number of such candidates in a row
				if far := d.after(above); far.Cmp(next) > 0 {
					next, above = far, d.edge(d.edgeBelow(far))
				}
			}
			r, below = next, above
		}
	}
}

// after returns the least output of any draw with w at or above an edge, or one
// between the edge and that. For an edge below x these are the draws of s = +1 from
// its threshold on, the least first; a threshold of u = 1 gives the output of x
// itself, and those of s = -1 are no less. For an edge above x they are the draws
// of s = -1 below its threshold, the greatest first; there is one below last.
func (d *Dist) after(e *edge) spec.Value {
	n := e.n
	if !e.down {
		n = new(big.Int).Sub(n, big.NewInt(1))
	}
	w := d.q.w(d.q.g.value(n), e.down)
	return clamp(roundMultiple(d.q.p.Format, w, d.unit.Top(), spec.TiesUp), d.lo, d.hi)
}

// At returns Pr[Snap_F(f) = r], 0 for a finite r that cannot be an output.
// Rejection: domain (r infinite or NaN).
func (d *Dist) At(r spec.Value) (Prob, error) {
	zero := Prob{Den: d.q.g.den}
	if !r.IsFinite() {
		return zero, spec.Reject(spec.Domain, "x", "%v is not finite", r)
	}
	atLo, atHi := r.Cmp(d.lo) <= 0, r.Cmp(d.hi) >= 0
	switch {
	case r.Cmp(d.first) < 0 || r.Cmp(d.last) > 0:
		return zero, nil
	case !atLo && !atHi && !r.IsZero() && (r.Dyadic().Low() < d.unit.Top() || !d.q.p.Format.Has(r)):
		return zero, nil // not a multiple, or one between two numbers of the format: its edges would be one
	}
	var below, above *edge
	if !atLo {
		below = d.edge(d.edgeBelow(r))
	}
	if !atHi {
		above = d.edge(d.edgeAbove(r))
	}
	return d.between(below, above), nil
}

// next returns the candidate after r: the least multiple of Lambda of the format
// above r, or hi. Where the numbers are Lambda or more apart each of them is a
// multiple; elsewhere the next multiple is a number of the format (roundMultiple).
func (d *Dist) next(r spec.Value) (v spec.Value, ok bool) {
	if r.Cmp(d.last) >= 0 {
		return r, false
	}
	v = d.q.p.Format.NextUp(r).PlusZero()
	if v.Dyadic().Sub(r.Dyadic()).Cmp(d.unit) < 0 {
		k := d.unit.Top()
		n := r.Dyadic().Floor(k)
		v = spec.FromDyadic(real.NewDyadic(n.Add(n, big.NewInt(1)), k))
	}
	if v.Cmp(d.last) > 0 { // last = hi, which need not be a multiple
		v = d.last
	}
	return v, true
}

// edgeBelow returns the lower end of the cell of the output r > lo: r - Lambda/2
// for a multiple, c_hi for hi. w >= it means that the output is r or more. The
// upper end of the cell before may be less, but no number lies between.
func (d *Dist) edgeBelow(r spec.Value) real.Dyadic {
	k := d.unit.Top()
	n := r.Dyadic().Neg().Floor(k) // -ceil(r/Lambda)
	return real.NewDyadic(n.Neg(n), k).Sub(d.unit.Shift(-1))
}

// edgeAbove returns the upper end of the cell of the output r < hi: r + Lambda/2
// for a multiple, c_lo for lo.
func (d *Dist) edgeAbove(r spec.Value) real.Dyadic {
	k := d.unit.Top()
	return real.NewDyadic(r.Dyadic().Floor(k), k).Add(d.unit.Shift(-1))
}

// edge is an edge with the number of the least draw that does not cross it, for
// the sign that can, and the probability (a numerator) of those that do.
type edge struct {
	down bool // at or below x
	n    *big.Int
	p    real.Dyadic
}

func (d *Dist) edge(c real.Dyadic) *edge {
	n := d.q.threshold(c)
	return &edge{d.q.down(c), n, d.q.g.below(n)}
}

// between returns the probability that w lies between two edges, half of it from
// each sign. The probability on the side of x is never formed: beyond the edges
// around x it would be 1 less something of any smallness.
func (d *Dist) between(below, above *edge) Prob {
	var p real.Dyadic
	switch {
	case above != nil && above.down: // left of x: s = +1 crosses the upper edge and not the lower
		p = above.p
		if below != nil {
			p = p.Sub(below.p)
		}
	case below != nil && !below.down: // right of x
		p = below.p
		if above != nil {
			p = p.Sub(above.p)
		}
	default: // around x: neither sign crosses
		p = d.q.g.den.Shift(1)
		for _, e := range [2]*edge{below, above} {
			if e != nil {
				p = p.Sub(e.p)
			}
		}
	}
	return Prob{p.Shift(-1), d.q.g.den}
}

// Distribution yields what Dist.All does, of each probability the numerator: the
// probability itself for the unbounded kind, (1 - 2^q) times it for FloatRange
// (Prob). Arguments that NewDistribution rejects, with a reason, give an empty
// sequence; legal ones never do.
func Distribution(p spec.SnapParams, k spec.Kind, f spec.Value) iter.Seq2[spec.Value, real.Dyadic] {
	return func(yield func(spec.Value, real.Dyadic) bool) {
		d, err := NewDistribution(p, k, f)
		if err != nil {
			return
		}
		for r, pr := range d.All() {
			if !yield(r, pr.Num) {
				return
			}
		}
	}
}

// Probability returns Pr[Snap_F(f) = x] exactly, 0 for a finite x that cannot be
// an output. Rejections: those of NewDistribution; domain "x" (not finite).
func Probability(p spec.SnapParams, k spec.Kind, f, x spec.Value) (Prob, error) {
	d, err := NewDistribution(p, k, f)
	if err != nil {
		return Prob{}, err
	}
	return d.At(x)
}

// Reaches returns Pr[w >= c] exactly, for any real c that is a dyadic number, of the
// format or not: what lies behind the cells, before rounding and clamping.
func (d *Dist) Reaches(c real.Dyadic) Prob {
	e := d.edge(c)
	p := e.p.Shift(-1)
	if e.down { // the draws that cross have w < c
		p = d.q.g.den.Sub(p)
	}
	return Prob{p, d.q.g.den}
}
