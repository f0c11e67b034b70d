package sweep

import (
	"cmp"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// class is where an output lies in relation to the two inputs, after clamping: the
// cases of docs/theory.md 6.1.
type class uint8

const (
	classInfiniteEnd class = iota // an end cell that exactly one input can reach
	classInfinite                 // an interior cell that exactly one input can reach
	classEndOut                   // an end cell, both inputs outside it
	classEndIn                    // an end cell, both inputs inside
	classEndCross                 // an end cell, one inside
	classSameSide                 // an interior cell, both inputs on one side of it
	classBetween                  // an interior cell between the inputs
	classInBoth                   // an interior cell that contains both
	classInOne                    // an interior cell that contains one
	classEqual                    // both inputs clamped to one number: the loss is 0
	classes          = iota
)

// classNames are the classes in the result file and the table.
var classNames = [classes]string{
	"infinite-end", "infinite-interior", "end-outside", "end-inside", "end-crossed", "same-side", "between", "cell-of-both", "cell-of-one", "equal",
}

func (c class) infinite() bool { return c <= classInfinite }

// classOf is the class of an output for x < x2 and a cell from <= w < to; infinite:
// of x and x2 just one can reach it.
func classOf(kind cellKind, from, to, x, x2 int, infinite bool) class {
	if infinite && kind == interior {
		return classInfinite
	}
	if infinite {
		return classInfiniteEnd
	}
	in := func(x int) bool { return from <= x && x < to }
	inside := in(x) && in(x2)
	one := in(x) != in(x2)
	switch {
	case kind == interior && inside:
		return classInBoth
	case kind == interior && one:
		return classInOne
	case kind == interior && x < from && x2 >= to:
		return classBetween
	case kind == interior:
		return classSameSide
	case inside:
		return classEndIn
	case one:
		return classEndCross
	}
	return classEndOut
}

// witness is one case, by indices, with what is needed to compare it exactly.
type witness struct {
	unit, lo, hi, f, f2, output int
	beta                        int // rank of B
	class                       class
	exact
	slack real.Dyadic // what its claim allows beside D/lambda, times num
	rough int64       // fixed-point loss - D/lambda, while its unit is counted
}

// before is the order that decides between equals: by the unit, then the least B,
// the least distance, and the indices. It is total, so that results do not depend on
// the order in which units are done.
func (a *witness) before(b *witness) bool {
	c := cmp.Or(cmp.Compare(a.unit, b.unit), cmp.Compare(a.beta, b.beta), a.dist.Cmp(b.dist), cmp.Compare(a.lo, b.lo),
		cmp.Compare(a.hi, b.hi), cmp.Compare(a.f, b.f), cmp.Compare(a.f2, b.f2), cmp.Compare(a.output, b.output))
	return c < 0
}

// worse reports whether a is a worse violation than b: an infinite loss, then the
// loss farther above the bound, then the earlier one.
func (a *witness) worse(b *witness) (bool, error) {
	if b == nil {
		return true, nil
	}
	if a.infinite() || b.infinite() {
		if a.infinite() != b.infinite() {
			return a.infinite(), nil
		}
		return a.before(b), nil
	}
	c, err := compareOver(a.exact, b.exact, a.slack, b.slack)
	return c > 0 || c == 0 && a.before(b), err
}

// steeper reports whether (loss - D/lambda - gain)/kappa is greater for a than for b.
func (a *witness) steeper(b *witness) (bool, error) {
	if b == nil {
		return true, nil
	}
	c, err := compareRatio(a.exact, b.exact)
	return c > 0 || c == 0 && a.before(b), err
}

// tri counts cases, those in which the loss exceeds the bound, and of these the
// infinite losses.
type tri struct{ cases, exceeds, infinite uint64 }

func (p *tri) add(q tri) {
	p.cases, p.exceeds, p.infinite = p.cases+q.cases, p.exceeds+q.exceeds, p.infinite+q.infinite
}

// tally is what one claim makes of the units done.
type tally struct {
	all, below tri // below: B < lambda
	class      [classes]tri
	octave     map[int]tri // of kappa
	worst      [classes]*witness
	steepest   [2]*witness // greatest (loss - D/lambda)/kappa, and with A eta taken off
}

func newTally() *tally { return &tally{octave: map[int]tri{}} }

// count adds cases of one class and segment.
func (t *tally) count(c class, s segment, p tri) {
	if p == (tri{}) {
		return
	}
	t.all.add(p)
	t.class[c].add(p)
	o := t.octave[s.octave]
	o.add(p)
	t.octave[s.octave] = o
	if s.below {
		t.below.add(p)
	}
}

func (t *tally) offerWorst(w *witness) error {
	ok, err := w.worse(t.worst[w.class])
	if ok {
		t.worst[w.class] = w
	}
	return err
}

// offerSteepest takes the case if its excess is positive.
func (t *tally) offerSteepest(i int, w *witness) error {
	if positive, err := w.exceeds(w.gain); err != nil || !positive {
		return err
	}
	ok, err := w.steeper(t.steepest[i])
	if ok {
		t.steepest[i] = w
	}
	return err
}

// merge adds another tally of the same claim.
func (t *tally) merge(o *tally) error {
	t.all.add(o.all)
	t.below.add(o.below)
	for e, p := range o.octave {
		q := t.octave[e]
		q.add(p)
		t.octave[e] = q
	}
	for c := range classes {
		t.class[c].add(o.class[c])
		if w := o.worst[c]; w != nil {
			if err := t.offerWorst(w); err != nil {
				return err
			}
		}
	}
	for i, w := range o.steepest {
		if w != nil {
			if err := t.offerSteepest(i, w); err != nil {
				return err
			}
		}
	}
	return nil
}
