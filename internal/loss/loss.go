// Package loss computes what `crosscheck loss` shows: the exact probability of
// every output for two inputs, the privacy loss of each, how it compares with the
// bounds in use, and how far off a release is. Every number and every verdict comes
// from package oracle, exactly; only the search for bad inputs guesses.
package loss

import (
	"fmt"
	"iter"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Request says what is to be computed.
type Request struct {
	Params      spec.SnapParams
	Kind        spec.Kind
	F, F2       spec.Value
	Sensitivity real.Dyadic // D of the bounds, at least |f - f2|
	Claims      []spec.Claim
}

// MaxRows bounds the outputs of a report.
const MaxRows = 1 << 20

// Width is -log2 of the width to which losses are enclosed: far below eta, so that an
// excess over a bound can be read off.
const Width = 100

// Row is one output.
type Row struct {
	Output   spec.Value
	P, P2    oracle.Prob
	Infinite bool          // exactly one of P, P2 is 0
	Loss     real.Interval // encloses the loss unless it is infinite
}

// Report is the outcome for a pair of inputs.
type Report struct {
	Request
	Unit     spec.Value
	X, X2    spec.Value // clamp(f), clamp(f2)
	Rows     []Row      // every output of positive probability for f or f2, in order
	Worst    int        // row with the largest loss, the first of several; an infinite one is the largest
	Ideal    real.Interval
	Bounds   []Bound
	Accuracy []Error // of f, when f is finite
	Kappa    real.Interval
}

// Bound is a claim evaluated for the parameters and compared with the worst loss.
type Bound struct {
	Claim    spec.Claim
	Broken   error         // the first hypothesis that does not hold, nil if all do
	Value    real.Interval // (D + c max(B, b lambda) eta)/lambda + a eta
	Exceeded bool          // the worst loss is larger; decided exactly
	Share    real.Interval // worst loss over the bound; meaningless if the loss is infinite
	// Delta encloses the least delta for which the pair is (Value, delta)
	// indistinguishable; 0 unless Exceeded.
	Delta real.Interval
}

// Error is the exact error distribution of the release of f, in brief.
type Error struct {
	oracle.Accuracy
	Radii []Radius
}

// Radius is an exact confidence statement about the release of f.
type Radius struct {
	Confidence string
	T          real.Dyadic
	Beyond     oracle.Prob
}

// Compute makes the report. step, if not nil, is told how many outputs are done.
func Compute(r Request, step func(done, total int)) (*Report, error) {
	d, err := oracle.NewDistribution(r.Params, r.Kind, r.F)
	if err != nil {
		return nil, err
	}
	d2, err := oracle.NewDistribution(r.Params, r.Kind, r.F2)
	if err != nil {
		return nil, err
	}
	unit, err := oracle.Unit(r.Params)
	if err != nil {
		return nil, err
	}
	p := &Report{Request: r, Unit: unit, X: d.X(), X2: d2.X()}
	total, err := p.count()
	if err != nil {
		return nil, err
	}
	q := spec.NewQuantities(r.Params, unit)
	gap := p.X.Dyadic().Sub(p.X2.Dyadic()).Abs()
	if r.Sensitivity.Cmp(gap) < 0 {
		return nil, spec.Reject(spec.Domain, "sensitivity", "%v is below the distance %v of the inputs", r.Sensitivity, gap)
	}
	if err := p.fill(d, d2, total, step); err != nil {
		return nil, err
	}
	if p.Ideal, err = real.Point(r.Sensitivity.Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), precision); err != nil {
		return nil, err
	}
	if p.Kappa, err = real.Point(q.B.Mul(q.Format.Eta()).Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), precision); err != nil {
		return nil, err
	}
	for _, c := range r.Claims {
		b, err := p.bound(c, q)
		if err != nil {
			return nil, err
		}
		p.Bounds = append(p.Bounds, b)
	}
	if r.F.IsFinite() {
		e, err := errorsOf(d)
		if err != nil {
			return nil, err
		}
		p.Accuracy = []Error{e}
	}
	return p, nil
}

// precision is that of quotients that are shown.
const precision = 160

// Outputs refuses, with the rejection that Compute would give, parameters that are no
// mechanism's or that have too many outputs: before a search that would be for nothing.
func Outputs(r Request) error {
	if _, err := oracle.NewDistribution(r.Params, r.Kind, r.Params.Lo); err != nil {
		return err
	}
	unit, err := oracle.Unit(r.Params)
	if err != nil {
		return err
	}
	_, err = (&Report{Request: r, Unit: unit}).count()
	return err
}

// count bounds the number of outputs before any is computed.
func (p *Report) count() (int, error) {
	span := p.Params.Hi.Dyadic().Sub(p.Params.Lo.Dyadic())
	if p.Kind == spec.Unbounded && span.Cmp(p.Unit.Dyadic().Mul(real.FromInt64(MaxRows))) > 0 {
		return 0, spec.Reject(spec.Domain, "bounds", "hi - lo = %v is more than %d units: narrow the bounds", span, MaxRows)
	}
	n := span.Floor(p.Unit.Dyadic().Top())
	if !n.IsInt64() || n.Int64() > MaxRows {
		return MaxRows, nil // binary64: the noise ends long before
	}
	return int(n.Int64()) + 2, nil
}

// fill walks both distributions side by side.
func (p *Report) fill(d, d2 *oracle.Dist, total int, step func(done, total int)) error {
	next, stop := iter.Pull2(d.All())
	defer stop()
	next2, stop2 := iter.Pull2(d2.All())
	defer stop2()
	r, a, ok := next()
	r2, a2, ok2 := next2()
	zero := oracle.Prob{Den: real.One()}
	for ok || ok2 {
		row := Row{P: zero, P2: zero}
		c := 0
		if ok && ok2 {
			c = r.Cmp(r2)
		}
		take, take2 := ok && (!ok2 || c <= 0), ok2 && (!ok || c >= 0)
		if take {
			row.Output, row.P = r, a
			r, a, ok = next()
		}
		if take2 {
			row.Output, row.P2 = r2, a2
			r2, a2, ok2 = next2()
		}
		var err error
		if row.Loss, row.Infinite, err = oracle.LossOf(row.P, row.P2, Width); err != nil {
			return err
		}
		if n := len(p.Rows); n == 0 || larger(row, p.Rows[p.Worst]) {
			p.Worst = n
		}
		p.Rows = append(p.Rows, row)
		if step != nil {
			step(min(len(p.Rows), total), total)
		}
	}
	return nil
}

// larger reports whether the loss of a exceeds that of b, by exact ratios when the
// enclosures overlap.
func larger(a, b Row) bool {
	switch {
	case a.Infinite || b.Infinite:
		return a.Infinite && !b.Infinite
	case a.Loss.Lo.Cmp(b.Loss.Hi) > 0:
		return true
	case a.Loss.Hi.Cmp(b.Loss.Lo) < 0:
		return false
	}
	return oracle.CompareLoss(a.P, a.P2, b.P, b.P2) > 0
}

// bound evaluates a claim and compares the worst loss with it.
func (p *Report) bound(c spec.Claim, q spec.Quantities) (Bound, error) {
	b := Bound{Claim: c, Broken: c.Check(q)}
	if b.Broken == nil && p.Kind != spec.Unbounded && !(c.Name == spec.Proved.Name && coversPublishedDraw(q)) {
		b.Broken = fmt.Errorf("the claim is about the unbounded draw, not %s (docs/theory.md 6.3)", p.Kind)
	}
	num, den := Allowed(c, q, p.Sensitivity)
	var err error
	if b.Value, err = real.Point(num).Quo(real.Point(den), precision); err != nil {
		return b, err
	}
	w := p.Rows[p.Worst]
	for n := uint(Width); !w.Infinite; n *= 2 { // a loss that is not 0 is irrational, the bound rational: this ends
		loss, _, err := oracle.LossOf(w.P, w.P2, n)
		if err != nil {
			return b, err
		}
		if loss.Lo.Mul(den).Cmp(num) > 0 {
			b.Exceeded = true
			break
		}
		if loss.Hi.Mul(den).Cmp(num) <= 0 {
			break
		}
	}
	if b.Exceeded = b.Exceeded || w.Infinite; b.Exceeded {
		a, _ := num.Rat()
		c, _ := den.Rat()
		if b.Delta, err = oracle.Delta(p.Params, p.Kind, p.F, p.F2, a.Quo(a, c), 60); err != nil {
			return b, err
		}
	}
	if !w.Infinite {
		b.Share, err = w.Loss.Quo(b.Value, precision)
	}
	return b, err
}

// coversPublishedDraw reports 2B <= 700 lambda, where the proved bound holds for the binary64
// draw too: theorem C1 of docs/theory.md 6.3.
func coversPublishedDraw(q spec.Quantities) bool {
	return q.B.Shift(1).Mul(q.LambdaDen).Cmp(q.LambdaNum.Mul(real.FromInt64(700))) <= 0
}

// Allowed returns the bound of a claim for sensitivity d as an exact quotient.
func Allowed(c spec.Claim, q spec.Quantities, d real.Dyadic) (num, den real.Dyadic) {
	// lambda = n/m: (d m + c max(B m, b n) eta)/n + a eta
	eta := q.Format.Eta()
	reach := real.Max(q.B.Mul(q.LambdaDen), q.LambdaNum.Mul(real.FromInt64(c.Floor)))
	num = d.Mul(q.LambdaDen).Add(reach.Mul(eta).Mul(real.FromInt64(c.C)))
	num = num.Add(q.LambdaNum.Mul(eta).Mul(real.FromInt64(c.A)))
	return num, q.LambdaNum
}

// Excess encloses (loss of the worst output - |x - x2|/lambda)/kappa, the quantity
// that a constant c bounds. ok is false when the loss is infinite or kappa is 0.
func (p *Report) Excess() (e real.Interval, ok bool) {
	w := p.Rows[p.Worst]
	if w.Infinite || p.Kappa.Lo.Sign() <= 0 {
		return e, false
	}
	q := spec.NewQuantities(p.Params, p.Unit)
	gap := p.X.Dyadic().Sub(p.X2.Dyadic()).Abs()
	d, err := real.Point(gap.Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), precision)
	if err != nil {
		return e, false
	}
	loss, _, err := oracle.LossOf(w.P, w.P2, precision)
	if err != nil {
		return e, false
	}
	e, err = loss.Sub(d, precision).Quo(p.Kappa, precision)
	return e, err == nil
}

// Distance returns |clamp(f) - clamp(f2)|. Rejection: domain.
func Distance(p spec.SnapParams, k spec.Kind, f, f2 spec.Value) (real.Dyadic, error) {
	d, err := oracle.NewDistribution(p, k, f)
	if err != nil {
		return real.Dyadic{}, err
	}
	d2, err := oracle.NewDistribution(p, k, f2)
	if err != nil {
		return real.Dyadic{}, err
	}
	return d.X().Dyadic().Sub(d2.X().Dyadic()).Abs(), nil
}
