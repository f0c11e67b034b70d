package kernel

import "github.com/dp-crosscheck/crosscheck/spec/real"

// # The one lemma
//
// Let |x| < T, eta = 2^-p, alpha = 2^(emin-p). fl is monotone and odd, and exact
// on the numbers of the format, 0 and ±2^emin among them.
//
//	(1) |x| >= 2^emin, say 2^e <= |x| < 2^(e+1): the spacing is 2^(e+1-p), so the
//	    error is at most 2^(e-p) = eta·2^e, and at most |x| - 2^e, fl being monotone
//	    with fl(2^e) = 2^e. The worst quotient by |x| is at |x| = 2^e (1 + eta):
//	    |fl(x) - x| <= |x| eta/(1+eta). Hence |x|/(1+eta) <= |fl(x)| <= |x| (1+eta).
//	    (The upper factor could be (1+2eta)/(1+eta); that is the eta^2 the notes drop.)
//	(2) |x| < 2^emin: the spacing is 2^(emin+1-p), so |fl(x) - x| <= alpha, ties
//	    included, and that is attained: fl(alpha) = 0. fl(x) has the sign of x or is 0.
//
// up(b) is an upper bound of fl(b), so of fl(x) for every x <= b:
//
//	b >= 2^emin         b (1+eta)                (1)
//	0 < b < 2^emin      b + alpha                (2)
//	b = 0               0                        exact
//	-2^emin < b < 0     min(b + alpha, 0)        (2), and the sign
//	b <= -2^emin        b/(1+eta)                (1); not dyadic: rounded up
//
// and never more than the largest finite number unless b is (then b is enough:
// fl(x) is finite, as |x| < T). W[a, b] = [-up(-a), up(b)].
//
// This is within docs/theory.md 3, up(b) = b (1+eta) + alpha or b/(1+eta) + alpha:
// the two errors never occur together, so they need not be added.
//
// # Without alpha
//
// When each x the rule rounds is 0, or a number of the format, or has
// |x| >= 2^emin, then fl(x) <= b already for every x <= b with |b| < 2^emin: x is
// exact, or x <= -2^emin and so fl(x) <= -2^emin < b. That is not monotonicity
// (fl(b) may exceed b): it needs the condition on x, which each caller proves.
//
// Both Theorem 1 and Theorem 2 follow for any rule whose exact result lies in
// [a, b]: the rounded one by the above, and [a, b] is within W[a, b].

// widen returns W[a, b] with ends rounded outward to c.bits bits. x must lie
// within (-T, T). underflow says whether alpha is needed.
func (c *Context) widen(x real.Interval, underflow bool) real.Interval {
	return real.Interval{Lo: c.up(x.Lo.Neg(), underflow).Neg(), Hi: c.up(x.Hi, underflow)}
}

func (c *Context) up(b real.Dyadic, underflow bool) real.Dyadic {
	var r real.Dyadic
	switch small := b.Abs().Cmp(c.minNormal) < 0; {
	case small && (b.IsZero() || !underflow):
		return b.Truncated(c.bits, true)
	case small:
		r = real.Point(b).Add(real.Point(c.alpha), c.bits).Hi
		if b.Sign() < 0 {
			return real.Min(r, real.Dyadic{})
		}
		return r // at most 2^emin + alpha, and 2^emin <= 1 <= 2^emax
	case b.Sign() > 0:
		r = b.Add(b.Shift(c.eta)).Truncated(c.bits, true)
	default:
		r = c.shrink(b)
	}
	return real.Min(r, real.Max(b.Truncated(c.bits, true), c.largest))
}

// shrink returns b/(1+eta) rounded up, for b < 0.
func (c *Context) shrink(b real.Dyadic) real.Dyadic {
	q, err := real.Point(b).Quo(real.Point(real.One().Add(real.Pow2(c.eta))), c.bits)
	if err != nil { // not reached: 1 + eta is not 0
		return real.Dyadic{}
	}
	return q.Hi.Truncated(c.bits, true)
}
