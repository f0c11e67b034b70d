package sweep

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// witnessJSON is one case in the result file.
type witnessJSON struct {
	Scale    string `json:"scale"`
	Value    string `json:"value"` // lambda or epsilon
	Lo       string `json:"lo"`
	Hi       string `json:"hi"`
	F        string `json:"f"`
	F2       string `json:"f2"`
	Output   string `json:"output"`
	Class    string `json:"class"`
	P        string `json:"p"`
	P2       string `json:"p2"`
	Loss     string `json:"loss"`
	Bound    string `json:"bound"`
	Distance string `json:"distance_over_lambda"`
	Kappa    string `json:"kappa"`
	Ratio    string `json:"ratio,omitempty"` // of steepest and least_c
}

// measure says what the ratio of a witness is.
type measure int

const (
	over        measure = iota // none
	slope                      // (loss - D/lambda)/kappa
	slopeAfterA                // (loss - D/lambda - a eta)/kappa
)

// digits writes a rational to 15 significant digits.
func digits(r *big.Rat) string { return new(big.Float).SetPrec(256).SetRat(r).Text('g', 15) }

// lossOf is a rational within 2^-200 of a finite loss.
func (x exact) lossOf() (*big.Rat, error) {
	l, _, err := oracle.LossOf(x.p, x.p2, 200)
	if err != nil {
		return nil, err
	}
	r, ok := l.Lo.Rat()
	if !ok {
		return nil, fmt.Errorf("the loss %v is too long to write", l.Lo)
	}
	return r, nil
}

// quotient is a/b of the dyadics of a world, which are short.
func quotient(a, b interface{ Rat() (*big.Rat, bool) }) *big.Rat {
	x, _ := a.Rat()
	y, _ := b.Rat()
	return x.Quo(x, y)
}

// render writes a case, nil for nil.
func (w *World) render(c Claim, v *witness, m measure) (*witnessJSON, error) {
	if v == nil {
		return nil, nil
	}
	p := w.params(v.unit)
	name := func(i int) string { return w.numbers[i].String() }
	s := w.scale(v.unit)
	kappa := quotient(v.floored.Mul(w.Format.Eta()), s.num)
	distance := quotient(v.dist, s.num)
	bound := quotient(v.dist.Add(c.slack(w.Format, s, w.bound(v.beta))), s.num)
	j := &witnessJSON{
		Scale: string(p.Scale), Value: p.Value.String(), Lo: name(v.lo), Hi: name(v.hi), F: name(v.f), F2: name(v.f2),
		Output: name(v.output), Class: classNames[v.class], P: v.p.String(), P2: v.p2.String(), Loss: "inf",
		Bound: digits(bound), Distance: distance.RatString(), Kappa: kappa.RatString(),
	}
	if v.infinite() {
		return j, nil
	}
	loss, err := v.lossOf()
	if err != nil {
		return nil, err
	}
	j.Loss = digits(loss)
	if m == over {
		return j, nil
	}
	excess := loss.Sub(loss, distance)
	if m == slopeAfterA {
		excess.Sub(excess, quotient(c.gained(w.Format, s), s.num))
	}
	j.Ratio = digits(excess.Quo(excess, kappa))
	return j, nil
}

// parse reads a case back by computing it anew from the oracle, and refuses one
// that is not written as it would be.
func (w *World) parse(c Claim, j *witnessJSON, m measure) (*witness, error) {
	if j == nil {
		return nil, nil
	}
	var at [5]int
	for i, s := range [5]string{j.Lo, j.Hi, j.F, j.F2, j.Output} {
		k, ok := w.index[s]
		if !ok {
			return nil, fmt.Errorf("%q is no number of %s", s, w.Format.Name)
		}
		at[i] = k
	}
	unit, ok := w.unitOf(spec.ScaleKind(j.Scale), j.Value)
	if !ok {
		return nil, fmt.Errorf("there is no scale %s = %q", j.Scale, j.Value)
	}
	v, err := w.examine(c, unit, at[0], at[1], at[2], at[3], at[4])
	if err != nil {
		return nil, err
	}
	if m == slopeAfterA {
		v.gain = c.gained(w.Format, w.scale(unit))
	}
	again, err := w.render(c, v, m)
	if err != nil {
		return nil, err
	}
	if *again != *j {
		return nil, fmt.Errorf("a witness is not what the oracle computes: %+v, not %+v", *again, *j)
	}
	return v, nil
}

// unitOf finds a unit by its scale.
func (w *World) unitOf(scale spec.ScaleKind, value string) (int, bool) {
	i, ok := w.index[value]
	for k, s := range w.Scales {
		if s == scale && ok && i > w.n {
			return k*w.n + i - w.n - 1, true
		}
	}
	return 0, false
}
