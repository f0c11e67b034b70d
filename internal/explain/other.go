package explain

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// explainLn adds the exact logarithm and how far it is from the nearest midpoint
// between two doubles, which is what makes an input hard to round.
func (e *Explanation) explainLn(c wire.Case, answer wire.Result) error {
	if answer.Reject != "" {
		return nil
	}
	x := spec.FromBits64(c.In["x"].Bits()).Dyadic()
	if c.Op == "ln_pair" {
		x = spec.U{M: c.In["m"].Big().Uint64(), E: c.In["e"].Big().Int64()}.Value(spec.Binary64)
	}
	y, err := real.Ln(x, 400)
	if err != nil {
		return err
	}
	e.Notes = append(e.Notes, "ln x = "+enclosed(y))
	if y.IsPoint() {
		return nil
	}
	q := spec.Binary64.UlpExponent(y.Lo)
	half := real.Pow2(q - 1)
	n := oracle.NearestMultiple(y.Lo.Sub(half), q, spec.TiesUp)
	d := y.Lo.Sub(real.NewDyadic(n, q).Add(half)).Abs().Shift(-q)
	e.Notes = append(e.Notes, fmt.Sprintf("ln x is %s ulp from the nearest midpoint between two doubles", power(d)))
	return nil
}

// power writes a small positive number as a power of two to a hundredth.
func power(d real.Dyadic) string {
	if d.IsZero() {
		return "0"
	}
	r, _ := d.Truncated(53, false).Shift(-d.Top()).Rat()
	m, _ := r.Float64()
	return fmt.Sprintf("2^%.2f", float64(d.Top())+math.Log2(m))
}

// explainRound adds the exact position of x between multiples of the unit.
func (e *Explanation) explainRound(c wire.Case, answer wire.Result) {
	x, unit := spec.FromBits64(c.In["x"].Bits()), spec.FromBits64(c.In["unit"].Bits())
	if answer.Reject == "domain" || !unit.Dyadic().IsPow2() {
		return
	}
	k := unit.Dyadic().Top()
	q := x.Dyadic().Shift(-k)
	if q.IsZero() || q.IsInt() {
		e.Notes = append(e.Notes, "x is a multiple of the unit already")
		return
	}
	floor := real.NewDyadic(q.Floor(0), 0)
	rest := q.Sub(floor)
	side := map[int]string{-1: "below half: down", 0: "exactly half: the tie rule decides", 1: "above half: up"}[rest.Cmp(real.Pow2(-1))]
	e.Notes = append(e.Notes, fmt.Sprintf("x/unit = %s + %s, %s", exactly(floor), exactly(rest), side))
}
