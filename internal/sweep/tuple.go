package sweep

import (
	"sort"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// tuple is a cell and two clamped inputs x < x2: everything the loss depends on. What
// remains is which bounds have that cell and clamp which f and f2 to x and x2; of it
// a claim sees only B and the distance.
type tuple struct {
	*counter
	c     *cell
	x, x2 int
	class class
	loss  int64 // fixed-point, off by less than 1 + 2^-20 units; not for an infinite one
}

// count splits the bounds by whether lo = x, which then is what all f <= lo are
// clamped to, and whether hi = x2.
func (t *tuple) count() error {
	c, size := t.c, t.size()
	inner := box{c.loFrom, min(c.loTo, t.x), max(c.hiFrom, t.x2+1), c.hiTo}
	atLo, atHi := inner, inner
	atLo.lo0, atLo.lo1 = t.x, t.x+1
	atHi.hi0, atHi.hi1 = t.x2, t.x2+1
	lo, hi := c.loFrom <= t.x && t.x < c.loTo, c.hiFrom <= t.x2 && t.x2 < c.hiTo
	if err := t.bounds(inner, t.x, t.x2); err != nil {
		return err
	}
	if lo {
		if err := t.bounds(atLo, 0, t.x2); err != nil {
			return err
		}
	}
	if hi {
		if err := t.bounds(atHi, t.x, size-1); err != nil {
			return err
		}
	}
	if lo && hi {
		return t.bounds(box{t.x, t.x + 1, t.x2, t.x2 + 1}, 0, size-1)
	}
	return nil
}

// bounds counts the bounds of a box with first <= f <= x and x2 <= f2 <= last.
func (t *tuple) bounds(b box, first, last int) error {
	if b.empty() {
		return nil
	}
	t.totals[t.class].add(t.n, b, int64(t.x-first+1)*int64(last-t.x2+1))
	if t.class.infinite() {
		return t.infinite(b)
	}
	nearest := t.loss - (t.over[t.x2] - t.over[t.x]) // loss - D/lambda for the least D
	if nearest <= -t.margin {
		return nil // no claim is exceeded, and no excess is positive
	}
	for i, w := range t.windows {
		from, to := t.admitted(b, w)
		if from >= to {
			continue
		}
		if err := t.steepest(i, b, from, nearest); err != nil {
			return err
		}
		if nearest <= w.slack[from]-t.margin {
			continue
		}
		if err := t.exceeding(i, b, from, to, first, last); err != nil {
			return err
		}
	}
	return nil
}

// admitted is the range of ranks of B in the box and the window.
func (t *tuple) admitted(b box, w *window) (from, to int) {
	from, to = b.ranks(t.n)
	return max(from, w.from), min(to, w.to)
}

// infinite offers the first case of a box with an infinite loss to every claim.
func (t *tuple) infinite(b box) error {
	for i, w := range t.windows {
		from, to := t.admitted(b, w)
		// Within a unit the first is the one with the least B.
		if old := t.tallies[i].worst[t.class]; from >= to || old != nil && old.beta < from {
			continue
		}
		if err := t.tallies[i].offerWorst(t.witness(w, b, from)); err != nil {
			return err
		}
	}
	return nil
}

// witness is the case with the nearest f and f2 and the first bounds with B of a rank.
func (t *tuple) witness(w *window, b box, beta int) *witness {
	lo, hi := b.first(t.n, beta)
	return &witness{
		unit: t.index, lo: lo, hi: hi, f: t.x, f2: t.x2, output: t.c.outputOf(lo, hi),
		beta: beta, class: t.class, exact: t.exactly(w, t.x, t.x2, beta), slack: t.slackOf(w, beta),
	}
}

func (t *tuple) exactly(w *window, f, f2, beta int) exact {
	return exact{
		p: t.prob(t.c, t.x), p2: t.prob(t.c, t.x2), num: t.lambda.num,
		dist: t.distance(f, f2).Mul(t.lambda.den), floored: w.floored[beta],
	}
}

func (t *tuple) slackOf(w *window, beta int) real.Dyadic {
	return w.Claim.slack(t.Format, t.lambda, t.bound(beta))
}

// exceeds decides one case: with the fixed-point numbers if they are far enough
// apart, otherwise exactly.
func (t *tuple) exceeds(w *window, f, f2, beta int) (bool, error) {
	e := t.loss - (t.over[f2] - t.over[f]) - w.slack[beta]
	if e >= t.margin || e <= -t.margin {
		return e > 0, nil
	}
	return t.exactly(w, f, f2, beta).exceeds(t.slackOf(w, beta))
}

// exceeding counts the cases of a box with from <= rank of B < to in which claim i is
// exceeded. The bound grows with B and with the distance: for each f, from the
// nearest outward, and each f2 alike, those are the ranks below some rank.
func (t *tuple) exceeding(i int, b box, from, to, first, last int) error {
	w, tally := t.windows[i], t.tallies[i]
	for f := t.x; f >= first; f-- {
		any := false
		for f2 := t.x2; f2 <= last; f2++ {
			var fail error
			end := from + sort.Search(to-from, func(k int) bool {
				yes, err := t.exceeds(w, f, f2, from+k)
				if err != nil {
					fail = err
				}
				return !yes
			})
			if fail != nil {
				return fail
			}
			if end == from {
				break
			}
			if f == t.x && f2 == t.x2 {
				if err := t.worst(i, b, from); err != nil {
					return err
				}
			}
			any = true
			for _, s := range w.segments {
				lo, hi := max(s.from, from), min(s.to, end)
				if lo < hi {
					tally.count(t.class, s, tri{exceeds: b.upTo(t.n, hi-1) - b.upTo(t.n, lo-1)})
				}
			}
		}
		if !any {
			break
		}
	}
	return nil
}

// worst offers the case of a box that is farthest above the bound: that of the least
// B and distance.
func (t *tuple) worst(i int, b box, beta int) error {
	w, tally := t.windows[i], t.tallies[i]
	if old := tally.worst[t.class]; old != nil {
		// Both sides as fixed-point numbers; most cases are clearly no worse.
		is := t.loss - (t.over[t.x2] - t.over[t.x]) - w.slack[beta]
		was := old.rough - w.slack[old.beta]
		if is <= was-2*t.margin {
			return nil
		}
	}
	v := t.witness(w, b, beta)
	v.rough = t.loss - (t.over[t.x2] - t.over[t.x])
	return tally.offerWorst(v)
}

// steepest offers the case of a box with the greatest (loss - D/lambda)/kappa, and
// with the greatest (loss - D/lambda - A eta)/kappa: again the least B and distance.
// The filter compares floats whose relative error is below 2^-48.
func (t *tuple) steepest(i int, b box, beta int, nearest int64) error {
	w := t.windows[i]
	for j := range t.best[i] {
		e := nearest
		if j == 1 {
			e -= w.gain
		}
		if e <= -t.margin || float64(e+t.margin)*w.inverse[beta] < t.best[i][j]*(1-1e-9) {
			continue
		}
		v := t.witness(w, b, beta)
		if j == 1 {
			v.gain = w.gained
		}
		if err := t.tallies[i].offerSteepest(j, v); err != nil {
			return err
		}
		t.best[i][j] = max(t.best[i][j], float64(e-t.margin)*w.inverse[beta])
	}
	return nil
}
