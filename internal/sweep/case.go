package sweep

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// examine computes one case from the oracle's distributions alone, without the
// tables of a unit: it is the check on what they give.
func (w *World) examine(c Claim, unit, lo, hi, f, f2, output int) (*witness, error) {
	if lo > hi || f >= f2 {
		return nil, fmt.Errorf("not lo <= hi and f < f2")
	}
	p := w.params(unit)
	p.Lo, p.Hi = w.numbers[lo], w.numbers[hi]
	lam, err := oracle.Unit(p)
	if err != nil {
		return nil, err
	}
	var pr [2]oracle.Prob
	for i, input := range [2]int{f, f2} {
		d, err := oracle.NewDistribution(p, w.Kind, w.numbers[input])
		if err != nil {
			return nil, err
		}
		if pr[i], err = d.At(w.numbers[output]); err != nil {
			return nil, err
		}
	}
	return w.assemble(c, unit, lo, hi, f, f2, output, pr, lam.Dyadic().Top())
}

// assemble makes a case of its exact probabilities; Lambda is 2^k.
func (w *World) assemble(c Claim, unit, lo, hi, f, f2, output int, pr [2]oracle.Prob, k int64) (*witness, error) {
	if pr[0].IsZero() && pr[1].IsZero() {
		return nil, fmt.Errorf("the output has probability 0 for both inputs")
	}
	s := w.scale(unit)
	beta := w.rankOfB(lo, hi)
	b := w.bound(beta)
	return &witness{
		unit: unit, lo: lo, hi: hi, f: f, f2: f2, output: output, beta: beta,
		class: w.classify(lo, hi, f, f2, output, k, pr),
		exact: exact{p: pr[0], p2: pr[1], dist: w.distance(f, f2).Mul(s.den), floored: c.floored(s, b), num: s.num},
		slack: c.slack(w.Format, s, b),
	}, nil
}

// classify finds the class by asking where the inputs, rounded to a multiple of
// Lambda and clamped as an output is, lie: an input is in the cell of its own output.
func (w *World) classify(lo, hi, f, f2, output int, k int64, pr [2]oracle.Prob) class {
	x, x2 := min(max(f, lo), hi), min(max(f2, lo), hi)
	if x == x2 {
		return classEqual
	}
	// The output of no noise, compared with the output in question.
	at := func(x int) int {
		n := oracle.NearestMultiple(w.numbers[x].Dyadic(), k, spec.TiesUp)
		v := oracle.Round(w.Format, real.NewDyadic(n, k))
		switch {
		case v.Cmp(w.numbers[lo]) < 0:
			v = w.numbers[lo]
		case v.Cmp(w.numbers[hi]) > 0:
			v = w.numbers[hi]
		}
		return v.Cmp(w.numbers[output])
	}
	a, a2 := at(x), at(x2)
	end := output == lo || output == hi
	infinite := pr[0].IsZero() != pr[1].IsZero()
	in, in2 := a == 0, a2 == 0
	switch {
	case infinite && end:
		return classInfiniteEnd
	case infinite:
		return classInfinite
	case end && in && in2:
		return classEndIn
	case end && (in || in2):
		return classEndCross
	case end:
		return classEndOut
	case in && in2:
		return classInBoth
	case in || in2:
		return classInOne
	case a < 0 && a2 > 0:
		return classBetween
	}
	return classSameSide
}
