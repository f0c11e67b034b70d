package oracle

import (
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Noise is the exact distribution of the magnitude Y = |y| of the noise of Snap_F
// before it is added. It depends on the format, the scale and the kind of U* alone,
// so that one Noise serves every input and all bounds (docs/sweep.md). It is immutable.
type Noise struct {
	q    crossing // with x = 0, where w is the noise itself
	unit spec.Value
}

// NewNoise prepares the noise of the scale p.Value; the bounds of p are not looked
// at. Rejections: those of NewDistribution for the widest bounds of the format.
func NewNoise(p spec.SnapParams, k spec.Kind) (*Noise, error) {
	if err := p.Format.Validate(); err != nil {
		return nil, spec.Reject(spec.Domain, "format", "%v", err)
	}
	p.Hi = spec.FromDyadic(p.Format.MaxFinite())
	p.Lo = p.Hi.Neg()
	d, err := NewDistribution(p, k, spec.Zero(false))
	if err != nil {
		return nil, err
	}
	return &Noise{d.q, spec.FromDyadic(d.unit)}, nil
}

// Unit is Lambda.
func (n *Noise) Unit() spec.Value { return n.unit }

// Tail returns Pr[Y >= y] for a datum y > 0; y = +Inf asks for the noise that
// overflows. Rejection: domain (y <= 0, NaN, or no number of the format).
func (n *Noise) Tail(y spec.Value) (Prob, error) {
	f := n.q.p.Format
	if y.Sign() <= 0 || !f.Has(y) {
		return Prob{}, spec.Reject(spec.Domain, "y", "%v is not a positive number of %s", y, f.Name)
	}
	// For s = -1 and x = 0, w = 0 (+) Y = Y: the draws that cross the edge y.
	t := n.q.threshold(extended(f, y))
	return Prob{n.q.g.below(t), n.q.g.den}, nil
}

// TailOfZero is Pr[Y >= 0] = 1, over the denominator that Tail has.
func (n *Noise) TailOfZero() Prob { return Prob{n.q.g.den, n.q.g.den} }
