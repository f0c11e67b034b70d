package oracle

import (
	"iter"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Loss is the privacy loss |ln(p/p2)| of one output for two inputs f and f2
// (docs/theory.md 1).
type Loss struct {
	Worst    spec.Value    // the output
	P, P2    Prob          // its probabilities for f and for f2
	Infinite bool          // exactly one of them is 0
	Interval real.Interval // encloses the loss; [0, 0] just when P = P2; meaningless when Infinite
	Outputs  int           // outputs compared to find it
}

// Limits of WorstLoss: it visits every output, and encloses one logarithm.
const (
	MaxOutputs = 1 << 24 // (hi - lo)/Lambda, unbounded kind; FloatRange has fewer of its own
	MaxWidth   = 1 << 16 // bits
)

// WorstLoss returns the smallest output that attains the largest loss for f and
// f2, and an enclosure of that loss at most 2^-width wide. Losses are compared as
// exact ratios. It stops at the first output with an infinite loss.
// Rejections: those of NewDistribution for f, then f2; domain "bounds" when
// (hi - lo)/Lambda > MaxOutputs (unbounded kind), "width" above MaxWidth.
func WorstLoss(p spec.SnapParams, k spec.Kind, f, f2 spec.Value, width uint) (Loss, error) {
	d, err := NewDistribution(p, k, f)
	if err != nil {
		return Loss{}, err
	}
	d2, err := NewDistribution(p, k, f2)
	if err != nil {
		return Loss{}, err
	}
	if width > MaxWidth {
		return Loss{}, spec.Reject(spec.Domain, "width", "%d bits exceed %d", width, MaxWidth)
	}
	if err := d.visitable(); err != nil {
		return Loss{}, err
	}
	l := worst(d, d2)
	if !l.Infinite {
		l.Interval, err = encloseLoss(l.P, l.P2, width)
	}
	return l, err
}

// worst walks both supports, which are in increasing order, side by side.
func worst(d, d2 *Dist) Loss {
	next, stop := iter.Pull2(d.All())
	defer stop()
	next2, stop2 := iter.Pull2(d2.All())
	defer stop2()
	var l Loss
	zero := real.Dyadic{}
	for n := 1; ; n++ {
		r, pr, ok := next()
		r2, pr2, ok2 := next2()
		switch {
		case !ok && !ok2:
			return l
		case ok && (!ok2 || r.Cmp(r2) < 0):
			return Loss{Worst: r, P: pr, P2: Prob{zero, d2.q.g.den}, Infinite: true, Outputs: n}
		case ok2 && (!ok || r2.Cmp(r) < 0):
			return Loss{Worst: r2, P: Prob{zero, d.q.g.den}, P2: pr2, Infinite: true, Outputs: n}
		}
		if n == 1 || CompareLoss(pr, pr2, l.P, l.P2) > 0 {
			l.Worst, l.P, l.P2 = r, pr, pr2
		}
		l.Outputs = n
	}
}

// CompareLoss compares |ln(a/a2)| with |ln(b/b2)| exactly, returning -1, 0 or +1, for
// four positive probabilities of one kind of U* and format, so over one denominator:
// the greater over the lesser of each pair, multiplied crosswise.
func CompareLoss(a, a2, b, b2 Prob) int {
	top := real.Max(a.Num, a2.Num).Mul(real.Min(b.Num, b2.Num))
	return top.Cmp(real.Max(b.Num, b2.Num).Mul(real.Min(a.Num, a2.Num)))
}

// LossOf returns the loss |ln(p/p2)| of one output: zero for two equal
// probabilities (two zeros too), infinite when exactly one is 0, otherwise an
// enclosure at most 2^-width wide. Rejection: domain "width" above MaxWidth.
func LossOf(p, p2 Prob, width uint) (loss real.Interval, infinite bool, err error) {
	if width > MaxWidth {
		return real.Interval{}, false, spec.Reject(spec.Domain, "width", "%d bits exceed %d", width, MaxWidth)
	}
	if p.Num.Sign() <= 0 || p2.Num.Sign() <= 0 {
		return real.Interval{}, p.IsZero() != p2.IsZero(), nil
	}
	loss, err = encloseLoss(p, p2, width)
	return loss, false, err
}

// encloseLoss refines until the enclosure is narrow enough. The quotient has a
// relative width of 2^-prec, so its logarithm an absolute one next to that, plus
// the relative width of real.Ln: both shrink without limit as prec grows.
func encloseLoss(p, p2 Prob, width uint) (real.Interval, error) {
	c := p.Cmp(p2)
	if c == 0 {
		return real.Interval{}, nil
	}
	if c < 0 {
		p, p2 = p2, p
	}
	top, bottom := p.Num.Mul(p2.Den), p2.Num.Mul(p.Den)
	if p.Den.Equal(p2.Den) {
		top, bottom = p.Num, p2.Num
	}
	for prec := width + 8; ; prec += 64 {
		ratio, err := real.Point(top).Quo(real.Point(bottom), prec)
		if err != nil {
			return real.Interval{}, err
		}
		ratio.Lo = real.Max(ratio.Lo, real.One()) // top > bottom
		loss, err := real.LnInterval(ratio, prec)
		if err != nil {
			return real.Interval{}, err
		}
		if loss.Width().Cmp(real.Pow2(-int64(width))) <= 0 {
			return loss, nil
		}
	}
}
