package mutants

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// libraryMutants are further faults found in published implementations.
var libraryMutants = []Mutant{
	mutant("python-modulo", "a remainder with the sign of the divisor, as Python's %: at -Lambda/2 (1 - 2^-53) it rounds to exactly Lambda/2",
		libraries+" (Python)", "round-multiple-on-grid", "round_multiple/half-below-002", func(g *stages) { g.round = pythonModulo }),
	mutant("log10", "the decimal logarithm",
		libraries, "ln-within-eta", "ln/two", func(g *stages) {
			g.ln = func(x float64) float64 { return float64(impl.Ln(x) / math.Ln10) }
			g.lnPair = func(m uint64, e int64) float64 { return float64(impl.LnPair(m, e) / math.Ln10) }
		}),
	mutant("zero-drawn", "u = 0 is possible, and ln 0 = -Inf: a release of a bound that has probability 0 for a neighbour",
		libraries, "uniform-structure", "uniform/restart-binary64", func(g *stages) {
			g.draw = func(t *tape, kind derand.Kind) (draw, bool, error) {
				u, again, err := uniform(t, kind)
				if again {
					u = draw{0, 1 << 61} // as near to 0 as a draw can say
				}
				return u, false, err
			}
		}),
	mutant("exponent-for-unit", "the exponent of Lambda in place of Lambda",
		libraries, "pow2-ceil-minimal", "pow2_ceil/largest", func(g *stages) {
			exponent := func(ceil func(float64) (float64, error)) func(float64) (float64, error) {
				return func(x float64) (float64, error) {
					unit, err := ceil(x)
					_, k := math.Frexp(unit)
					return float64(k - 1), err
				}
			}
			g.ceil, g.ceilOf = exponent(g.ceil), exponent(g.ceilOf)
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				t.Rounded = t.W
				if t.Unit != 0 && !math.IsInf(t.W, 0) {
					t.Rounded = float64(math.Floor(float64(t.W/t.Unit)+0.5) * t.Unit)
				}
				t.R = g.clampOut(t.Rounded, p.Lo, p.Hi)
				return nil
			}
		}),
	mutant("bounds-enlarged", "the bounds are enlarged to multiples of Lambda after they were accounted for",
		libraries, "snap-within-bounds", "snap/bound-not-multiple", func(g *stages) {
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				lo := -round(math.Abs(min(p.Lo, 0))+t.Unit/2, t.Unit, derand.TiesDown)
				hi := round(max(p.Hi, 0)+t.Unit/2, t.Unit, derand.TiesDown)
				t.Rounded = g.round(t.W, t.Unit, derand.TiesUp)
				t.R = max(min(t.Rounded, max(hi, p.Hi)), min(lo, p.Lo))
				return nil
			}
		}),
	mutant("divides-by-sensitivity", "the answer is divided by the sensitivity (here lambda), noised at scale 1, and multiplied back",
		libraries, "snap-stages", "snap/lambda-three", func(g *stages) {
			g.add = func(p derand.SnapParams, t derand.Trace, s int) float64 {
				if p.Scale == impl.InverseEpsilon {
					return float64(t.X + t.Z)
				}
				return float64((float64(t.X/p.Value) + float64(s)*t.Ln) * p.Value)
			}
		}),
	mutant("shifts-by-centre", "the centre of the bounds is subtracted before the noise and added after",
		libraries, "snap-stages", "snap/bounds-one-sided", func(g *stages) {
			g.add = func(p derand.SnapParams, t derand.Trace, _ int) float64 {
				centre := p.Lo/2 + p.Hi/2
				w := float64(float64(t.X-centre)+t.Z) + centre
				if math.IsNaN(w) {
					return float64(t.X + t.Z)
				}
				return w
			}
		}),
	mutant("eta-of-118-bits", "eta = 2^-118, the precision of the logarithm, while the addition is in binary64",
		libraries, "calibrate-lambda-sufficient", "snap_calibrate/wide-published", func(g *stages) { g.calibrator.etaBits = 118 }),
	mutant("eta-left-out", "12 B in place of 12 B eta",
		libraries, "calibrate-lambda-minimal", "snap_calibrate/plain-published", func(g *stages) { g.calibrator.noEta = true }),
}

// pythonModulo rounds with x % unit as Python defines it: fmod, moved by unit when
// its sign is not that of unit. The move is rounded.
func pythonModulo(x, unit float64, t derand.Ties) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	rest := math.Mod(x, unit)
	if rest < 0 {
		rest += unit
	}
	if rest > unit/2 || rest == unit/2 && t == derand.TiesUp {
		return x + (unit - rest)
	}
	return x - rest
}
