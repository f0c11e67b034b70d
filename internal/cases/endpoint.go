package cases

import (
	"errors"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// EndPoint is an end of an interval of u: the threshold of one edge c of the cell for
// one input x. For the sign that moves w toward c the draws below the threshold carry w
// past it, to w < c for c <= x and s = +1, to w >= c for c > x and s = -1; no other do.
type EndPoint struct {
	Name string // L, R; R1 (s = -1) and R2 (s = +1) of the own cell; with ' for f'
	Edge real.Dyadic
	Sign spec.Sign
	Real real.Interval // encloses exp(-|x - c|/lambda), the threshold of Snap_R
	// Crossing is the greatest draw found for which the kernel proves that w is past the
	// edge, Staying the least for which it proves that w is not.
	Crossing, Staying Proof
	// Derived contains the threshold: from the draw after Crossing to Staying.
	Derived real.Interval
	Exact   Draw // the threshold: the least draw that stays, found by the oracle
}

// Proof is a draw with its derivation: the judgment of w there lies on one side of the
// edge. Valid is false where there is none, and Why says why.
type Proof struct {
	Valid    bool
	Draw     Draw
	Snap     kernel.Snap
	Judgment kernel.Judgment // of w
	Why      error           // a *NoProofError, when not Valid
}

// NoProofError says why an end has no derivation. Kernel is the refusal of the stage w,
// or nil when the kernel concludes too wide an interval for every draw there is.
type NoProofError struct {
	Name   string
	Kernel *kernel.SnapError
}

func (e *NoProofError) Error() string {
	if e.Kernel == nil {
		return "no draw of this kind is proved to lie on that side of " + e.Name
	}
	var first *kernel.Refusal
	if errors.As(e.Kernel, &first) { // not only that a premise is missing
		return "no derivation for " + e.Name + ": " + first.Error()
	}
	return "no derivation for " + e.Name + ": " + e.Kernel.Error()
}

// Unwrap returns the refusal.
func (e *NoProofError) Unwrap() error {
	if e.Kernel == nil {
		return nil
	}
	return e.Kernel
}

// question is an edge as seen from an input.
type question struct {
	p    spec.SnapParams
	us   draws
	f, x spec.Value // the input, clamped
	c    real.Dyadic
	s    spec.Sign
}

func newQuestion(p spec.SnapParams, k spec.Kind, f, x spec.Value, c real.Dyadic) question {
	q := question{p, draws{p.Format, k}, f, x, c, -1}
	if c.Cmp(x.Dyadic()) <= 0 {
		q.s = 1
	}
	return q
}

// passed reports whether w is past the edge.
func (q question) passed(w spec.Value) bool {
	return (w.Cmp(spec.FromDyadic(q.c)) < 0) == (q.s > 0)
}

// verdict is what the kernel proves of a draw.
type verdict int

const (
	open     verdict = iota // the interval of w contains the edge
	refused                 // there is no interval
	crossing                // w is past the edge
	staying                 // it is not
)

func (q question) judge(n *big.Int) (verdict, Proof) {
	u := q.us.at(n)
	d, err := kernel.SnapDerivation(q.p, q.f, u.U, q.s)
	pr := Proof{Draw: u, Snap: d}
	w, ok := d.Stage("w")
	if !ok {
		var stopped *kernel.SnapError
		errors.As(err, &stopped)
		if of := d.Refused("w"); of != nil {
			stopped = of
		}
		pr.Why = &NoProofError{Kernel: stopped}
		return refused, pr
	}
	pr.Judgment, pr.Valid = w, true
	ends, below, above := w.Interval(), crossing, staying
	if q.s < 0 {
		below, above = staying, crossing
	}
	switch {
	case ends.Hi.Cmp(q.c) < 0:
		return below, pr
	case ends.Lo.Cmp(q.c) >= 0:
		return above, pr
	}
	return open, pr
}

// ideal encloses exp(-|x - c|/lambda).
func (q question) ideal(prec uint) (real.Interval, error) {
	n := spec.NewQuantities(q.p, spec.Zero(false))
	a := q.x.Dyadic().Sub(q.c).Abs()
	t, err := real.Point(a.Mul(n.LambdaDen)).Quo(real.Point(n.LambdaNum), prec+64)
	if err != nil {
		return t, err
	}
	u, err := real.ExpInterval(t.Neg(), prec)
	if errors.Is(err, real.ErrExpRange) { // t >= 2^61, so e^-t < 2^-2^61: only FloatRange gets there
		return real.Interval{Hi: real.Pow2(-1 << 61)}, nil
	}
	return u, err
}

// closed is the notes' closed form of an end, as a number of a draw near it: the draw at
// which the kernel's interval of w, widened by 1 + eta at each of three operations, just
// leaves the edge. Only how long the search takes depends on it.
func (q question) closed(of verdict) *big.Int {
	f := q.p.Format
	one := real.One().Add(f.Eta())
	prec := f.Precision + 32
	// The sum that the last widening brings to the edge: toward 0 or away from it.
	grow := (q.c.Sign() > 0) == (q.s < 0)
	if of == staying {
		grow = !grow
	}
	sum := real.Point(q.c.Mul(one))
	var err error
	if !grow {
		if sum, err = real.Point(q.c).Quo(real.Point(one), prec); err != nil {
			return new(big.Int)
		}
	}
	z := sum.Sub(real.Point(q.x.Dyadic()), prec)
	if q.s > 0 {
		z = z.Neg()
	}
	n := spec.NewQuantities(q.p, spec.Zero(false))
	num, den := n.LambdaDen.Mul(one).Mul(one), n.LambdaNum
	if of == staying {
		num, den = n.LambdaDen, n.LambdaNum.Mul(one).Mul(one)
	}
	if z.Lo.Sign() <= 0 {
		return new(big.Int)
	}
	t, err := z.Mul(real.Point(num), prec).Quo(real.Point(den), prec)
	if err != nil {
		return new(big.Int)
	}
	u, err := real.ExpInterval(t.Neg(), prec)
	if err != nil || u.Lo.Sign() <= 0 { // beyond 2^61
		return q.us.low()
	}
	return q.us.floor(u.Lo)
}

// proveStaying finds the least draw that is proved to stay. 1, which is no draw,
// stays without proof.
func (q question) proveStaying(name string) Proof {
	best := Proof{Draw: Draw{One: true}, Why: &NoProofError{Name: name}}
	at := new(big.Int)
	q.us.first(q.closed(staying), func(n *big.Int) bool {
		v, pr := q.judge(n)
		if v == staying && n.Cmp(at) < 0 {
			best, at = pr, new(big.Int).Set(n)
		}
		if v == refused && !best.Valid {
			best.Why = named(pr.Why, name)
		}
		return v != staying
	})
	return best
}

// proveCrossing finds the greatest draw that is proved to cross. As u falls the draws
// are open, then cross, and at last overflow, which the kernel refuses: a refusal
// counts as beyond, so that the search turns back from it.
func (q question) proveCrossing(name string) Proof {
	best := Proof{Why: &NoProofError{Name: name}}
	var at *big.Int
	q.us.first(q.closed(crossing), func(n *big.Int) bool {
		v, pr := q.judge(n)
		if v == crossing && (at == nil || n.Cmp(at) > 0) {
			best, at = pr, new(big.Int).Set(n)
		}
		if v == refused && !best.Valid {
			best.Why = named(pr.Why, name)
		}
		return v == crossing || v == refused
	})
	return best
}

func named(err error, name string) error {
	var e *NoProofError
	if !errors.As(err, &e) {
		return err
	}
	return &NoProofError{name, e.Kernel}
}

// derive fills in what the kernel proves of the end point.
func (q question) derive(name string) (EndPoint, error) {
	e := EndPoint{Name: name, Edge: q.c, Sign: q.s}
	var err error
	if e.Real, err = q.ideal(q.p.Format.Precision + 64); err != nil {
		return e, err
	}
	e.Crossing, e.Staying = q.proveCrossing(name), q.proveStaying(name)
	e.Derived.Hi = e.Staying.Draw.Value(q.p.Format)
	switch {
	case e.Crossing.Valid:
		e.Derived.Lo = q.us.at(addInt(q.us.number(e.Crossing.Draw), 1)).Value(q.p.Format)
	default: // no draw is known to cross: the threshold is at or above the least
		e.Derived.Lo = q.us.start()
	}
	return e, nil
}

// exact returns the threshold by evaluating the oracle's mechanism.
func (q question) exact() (Draw, error) {
	ideal, failed := q.ideal(q.p.Format.Precision)
	if failed != nil {
		return Draw{}, failed
	}
	n := q.us.first(q.us.floor(ideal.Lo), func(n *big.Int) bool {
		t, err := oracle.SnapF(q.p, q.f, q.us.at(n).U, q.s)
		if err != nil {
			failed = err
			return false
		}
		return q.passed(t.W)
	})
	return q.us.at(n), failed
}
