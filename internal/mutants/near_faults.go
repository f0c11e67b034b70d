package mutants

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// nearMutants break one relation that the grosser faults leave alone: an order,
// an identity, an agreement between two operations.
var nearMutants = []Mutant{
	mutant("series-cut-short", "the series of ln(1 + r) behind a table ends after r^3: too large at the end of each segment, so that ln falls at each seam",
		"an error budget not done", "ln-monotone", "ln/near-one-below-001", func(g *stages) { g.ln = lnBySegments }),
	mutant("ln2-in-one-double", "ln u = LN(1 + m 2^-52) - e ln 2, with ln 2 rounded, in one fused operation",
		common, "ln-pair-correctly-rounded", "ln_pair/near-one-001", func(g *stages) {
			g.lnPair = func(m uint64, e int64) float64 { return math.FMA(-float64(e), math.Ln2, impl.Ln(1+float64(m)*0x1p-52)) }
		}),
	mutant("subnormal-as-normal", "the significand of a subnormal is given a leading 1",
		"reading the bits of a double", "ln-pair-extends-ln", "ln/min-subnormal", func(g *stages) {
			g.ln = func(x float64) float64 {
				if x < 0x1p-1022 {
					return impl.LnPair(math.Float64bits(x), 1023)
				}
				return impl.Ln(x)
			}
		}),
	mutant("reciprocal-moved-up", "Lambda from fl(1/epsilon) moved up by an ulp to be safe: twice what is needed for powers of two",
		"defensive code", "pow2-ceil-inv-of-quotient", "pow2_ceil_inv/largest-power", func(g *stages) {
			g.ceilOf = func(x float64) (float64, error) {
				if _, err := derand.Pow2CeilInv(x); err != nil {
					return 0, err
				}
				return derand.Pow2Ceil(math.Nextafter(1/x, math.Inf(1)))
			}
		}),
	mutant("magic-constant", "3 2^51 units are added and subtracted, which rounds only below 2^51 units",
		common, "round-multiple-idempotent", "round_multiple/tie-minus-1-5", func(g *stages) {
			g.round = func(x, unit float64, t derand.Ties) float64 {
				magic := 0x1.8p52 * unit
				if math.IsInf(magic, 0) {
					return round(x, unit, t)
				}
				return float64(float64(x+magic) - magic)
			}
		}),
	mutant("through-int64", "x/L goes through a 64-bit integer, which is -2^63 for what does not fit",
		common+" (conversion on x86)", "round-multiple-monotone", "round_multiple/huge-001", func(g *stages) {
			g.round = func(x, unit float64, t derand.Ties) float64 {
				if math.Abs(x/unit) >= 0x1p63 {
					return float64(-0x1p63 * unit)
				}
				return round(x, unit, t)
			}
		}),
	mutant("ties-always-up", "the direction of ties is not looked at",
		"an argument ignored", "round-multiple-odd", "round_multiple/tie-minus-0-5-down", func(g *stages) {
			g.round = func(x, unit float64, _ derand.Ties) float64 { return round(x, unit, derand.TiesUp) }
		}),
	mutant("clamp-open", "the bounds are taken for exclusive: the double next to a bound is the last",
		"half-open ranges", "clamp-identity", "clamp/above", func(g *stages) {
			g.clampOut = func(x, lo, hi float64) float64 {
				if lo == hi {
					return clamp(x, lo, hi)
				}
				return clamp(x, lo, math.Nextafter(hi, math.Inf(-1)))
			}
		}),
	mutant("clamp-one-period", "numbers beyond a bound are moved by hi - lo, once",
		"an if for a while", "clamp-idempotent", "clamp/above", func(g *stages) {
			g.clampOut = func(x, lo, hi float64) float64 {
				width := hi - lo
				switch {
				case math.IsInf(x, 0) || math.IsInf(width, 0):
					return clamp(x, lo, hi)
				case x < lo:
					return x + width
				case x > hi:
					return x - width
				}
				return x
			}
		}),
	mutant("infinity-to-lo", "a number that is not finite becomes lo",
		"defensive code", "clamp-monotone", "clamp/plus-inf", func(g *stages) {
			wrong := func(x, lo, hi float64) float64 {
				if math.IsInf(x, 0) {
					return lo
				}
				return clamp(x, lo, hi)
			}
			g.clampIn, g.clampOut = wrong, wrong
		}),
	mutant("sign-bit-inverted", "the sign bit 0 means s = -1: the distribution is right, every release is another",
		"a convention", "agrees-with-oracle", "snap_release/restart-binary64", func(g *stages) { g.signInverted = true }),
	mutant("one-minus-u", "ln(1 - u) in place of ln u, with 1 - u in floating point: no far tail, and u falls where it must rise",
		common, "snap-monotone-in-u", "snap/plain-lambda-minus", func(g *stages) {
			g.lnPair = func(m uint64, e int64) float64 { return impl.Ln(float64(1 - double(draw{m, e}))) }
		}),
	mutant("count-in-32-bits", "f is kept as a 32-bit count, and wraps",
		"a field too narrow", "snap-monotone-in-f", "snap/plain-lambda-plus", func(g *stages) {
			g.clampIn = func(x, lo, hi float64) float64 {
				if math.Abs(x) < 0x1p62 {
					x = float64(int32(int64(x)))
				}
				return clamp(x, lo, hi)
			}
		}),
	mutant("relative-noise", "the noise is multiplied by the answer: a greater f has a lesser w",
		"a relative accuracy asked for", "snap-monotone-in-f", "snap/plain-lambda-plus", func(g *stages) {
			g.add = func(_ derand.SnapParams, t derand.Trace, _ int) float64 {
				if t.X == 0 || math.IsInf(t.Z, 0) {
					return float64(t.X + t.Z)
				}
				return float64(t.X + float64(math.Abs(t.X)*t.Z))
			}
		}),
	mutant("noise-in-single", "lambda ln u is kept in single precision",
		"code for graphics processors", "snap-inside-derivation", "snap/lambda-three", func(g *stages) {
			right := g.scale
			g.scale = func(p derand.SnapParams, ell float64) float64 { return float64(float32(right(p, ell))) }
		}),
	mutant("unit-of-ideal-scale", "Lambda is the power of two above D/epsilon, not above the lambda that is used",
		common, "calibrate-unit", "snap_calibrate/plain-published", func(g *stages) {
			k, ceil := g.calibrator, g.ceil
			g.calibrate = func(epsilon, d, lo, hi float64, c, a, b int64) (calibration, error) {
				out, err := k.run(epsilon, d, lo, hi, c, a, b, ceil)
				if err != nil {
					return out, err
				}
				if unit, err := ceil(d / epsilon); err == nil {
					out.unit = unit
				}
				return out, nil
			}
		}),
}

// lnBySegments is a table of ln at 1 + i/64 and a series cut short, around the
// right logarithm, which stands for what a table holds.
func lnBySegments(x float64) float64 {
	frac, exp := math.Frexp(x)
	at := math.Floor(frac*128) / 128
	r := float64(frac-at) / at
	if r == 0 {
		return impl.Ln(x)
	}
	series := float64(r * (1 + float64(r*(-0.5+float64(r/3)))))
	return impl.Ln(math.Ldexp(at, exp)) + series
}
