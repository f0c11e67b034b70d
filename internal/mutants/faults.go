package mutants

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

var roundingMutants = []Mutant{
	mutant("carry-needs-all-ones", "the carry into the exponent happens only when all 52 bits are ones: 1.5 becomes 1",
		covington+", eq. (4.2)", "round-multiple-nearest", "round_multiple/carry-inner-ones", func(g *stages) { g.round = recipe(allOnes) }),
	mutant("ties-away", "a tie goes away from zero: -1.5 becomes -2",
		covington+", eq. (4.2)", "round-multiple-ties", "round_multiple/tie-minus-1-5", func(g *stages) { g.round = recipe(away) }),
	mutant("half-always-up", "magnitudes in [1/2, 1) always become 1: -0.5 becomes -1",
		covington+", case y = -1", "round-multiple-ties", "round_multiple/tie-minus-0-5", func(g *stages) { g.round = recipe(halfUp) }),
	mutant("ties-to-even", "a tie goes to the even multiple: 0.5 becomes 0",
		common+" (math.RoundToEven)", "round-multiple-ties", "round_multiple/tie-minus-1-5", func(g *stages) { g.round = recipe(evenTies) }),
	mutant("truncation", "the fraction is dropped",
		common+" (conversion to an integer)", "round-multiple-nearest", "round_multiple/carry-later-zero", func(g *stages) { g.round = recipe(truncated) }),
	mutant("whole-too-soon", "numbers from 2^51 units on are taken for multiples",
		"an exponent off by one", "round-multiple-on-grid", "round_multiple/huge-half-001", func(g *stages) { g.round = recipe(wholeTooSoon) }),
	mutant("floor-of-x-plus-half", "floor(x/L + 1/2) in floating point rounds the sum, and x/L overflows",
		common, "round-multiple-nearest", "round_multiple/largest-below-half", func(g *stages) { g.round = floorHalf }),
	mutant("fmod-remainder", "x minus the remainder of fmod, which has the sign of x: negative numbers are truncated",
		common, "round-multiple-nearest", "round_multiple/tie-neighbour-above-002", func(g *stages) { g.round = remainder }),
	mutant("released-minus-zero", "a zero keeps the sign of what was rounded",
		common, "zero-is-plus", "round_multiple/minus-zero", func(g *stages) {
			g.plusZero = func(x float64) float64 { return x }
			g.round = func(x, unit float64, t derand.Ties) float64 { return math.Copysign(round(x, unit, t), x) }
			g.clampOut = func(x, lo, hi float64) float64 { return max(lo, min(hi, x)) }
		}),
}

var logarithmMutants = []Mutant{
	mutant("libm-log", "the usual log of a C library, good to less than an ulp, not correctly rounded; of u as a double",
		"FreeBSD's e_log.c, which is Go's math.Log", "ln-correctly-rounded", "ln/hard-3ffd2e75daa7d786", func(g *stages) {
			g.ln = libmLog
			g.lnPair = func(m uint64, e int64) float64 { return libmLog(double(draw{m, e})) }
		}),
	mutant("ln-by-parts", "e ln 2 + ln m in floating point cancels near 1",
		common, "ln-within-eta", "ln/near-one-above-001", func(g *stages) {
			parts := func(m float64, e int) float64 { return float64(float64(e)*math.Ln2) + impl.Ln(m) }
			g.ln = func(x float64) float64 { return parts(math.Frexp(x)) }
			g.lnPair = func(m uint64, e int64) float64 {
				return float64(-float64(e)*math.Ln2) + impl.Ln(1+float64(m)*0x1p-52)
			}
		}),
	mutant("draw-as-double", "u is stored as a double: below 2^-1074 it is 0, and ln 0 = -Inf",
		libraries, "ln-pair-within-eta", "ln_pair/low-027", func(g *stages) {
			g.lnPair = func(m uint64, e int64) float64 {
				if u := double(draw{m, e}); u > 0 {
					return impl.Ln(u)
				}
				return math.Inf(-1)
			}
		}),
	mutant("e-in-16-bits", "e is kept in 16 bits with a sign, and wraps",
		"a field too narrow", "ln-pair-monotone", "ln_pair/low-033", func(g *stages) {
			g.lnPair = func(m uint64, e int64) float64 {
				short := int64(int16(e))
				if short > 0 {
					return impl.LnPair(m, short)
				}
				return float64(float64(-short)*math.Ln2) + impl.Ln(1+float64(m)*0x1p-52)
			}
		}),
}

// libmLog is log of FreeBSD's msun for x >= 0, every operation rounded so that it
// is the same on every machine; math.Log is not.
func libmLog(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
	)
	if x == 0 {
		return math.Inf(-1)
	}
	frac, exp := math.Frexp(x)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	f, k := frac-1, float64(exp)
	s := f / (2 + f)
	z := float64(s * s)
	r := 0.0
	for _, l := range []float64{
		1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
		2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01,
	} {
		r = float64(z * float64(l+r))
	}
	half := float64(0.5 * float64(f*f))
	return float64(k*ln2Hi) - ((half - float64(float64(s*float64(half+r))+float64(k*ln2Lo))) - f)
}

// double is u as a double, 0 when it is too small.
func double(u draw) float64 {
	return math.Ldexp(1+float64(u.m)*0x1p-52, -int(min(u.e, 1<<20)))
}

var unitMutants = []Mutant{
	mutant("unit-too-low", "Lambda is the power of two at or below lambda",
		common+" (clearing the significand)", "pow2-ceil-minimal", "pow2_ceil/overflow-first", func(g *stages) {
			g.ceil = func(x float64) (float64, error) {
				if _, err := derand.Pow2Ceil(x); err != nil && isDomain(err) {
					return 0, err
				}
				_, e := math.Frexp(x)
				return math.Ldexp(1, e-1), nil
			}
			g.ceilOf = func(x float64) (float64, error) {
				up, err := derand.Pow2CeilInv(x)
				if frac, _ := math.Frexp(x); err == nil && frac != 0.5 {
					up /= 2
				}
				return up, err
			}
		}),
	mutant("unit-of-rounded-reciprocal", "Lambda from fl(1/epsilon): half of what is needed for the largest doubles",
		common, "pow2-ceil-inv-minimal", "pow2_ceil_inv/max", func(g *stages) {
			g.ceilOf = func(x float64) (float64, error) {
				if _, err := derand.Pow2CeilInv(x); err != nil && isDomain(err) {
					return 0, err
				}
				q := 1 / x
				if math.IsInf(q, 0) {
					return 0, &impl.OverflowError{Quantity: "unit"}
				}
				return derand.Pow2Ceil(q)
			}
		}),
	mutant("unit-flushes-subnormals", "Lambda from the exponent field alone: 2^-1022 for every subnormal lambda",
		common, "pow2-ceil-minimal", "pow2_ceil/exact-001", func(g *stages) {
			g.ceil = func(x float64) (float64, error) {
				if x > 0 && x < 0x1p-1022 {
					x = 0x1p-1022
				}
				return derand.Pow2Ceil(x)
			}
		}),
}

var chainMutants = []Mutant{
	mutant("sign-always-plus", "the sign is not applied: noise of one side only",
		"a dropped factor", "snap-side", "snap/plain-lambda-minus", func(g *stages) {
			g.signed = func(y float64, _ int) float64 { return y }
		}),
	mutant("no-first-clamp", "f is not clamped, so its sensitivity is unbounded",
		"a missing stage", "snap-stages", "snap/clamp-before", func(g *stages) {
			g.clampIn = func(x, _, _ float64) float64 { return plusZero(x) }
		}),
	mutant("no-second-clamp", "the tail of the noise is released",
		"a missing stage", "snap-within-bounds", "clamp/above", func(g *stages) {
			g.clampOut = func(x, _, _ float64) float64 { return x }
		}),
	mutant("clamp-then-round", "the last two stages are exchanged: rounding leaves the bounds",
		"stages in the wrong order", "snap-within-bounds", "snap/equal-bounds", func(g *stages) {
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				t.Rounded = g.clampOut(t.W, p.Lo, p.Hi)
				t.R = g.round(t.Rounded, t.Unit, derand.TiesUp)
				return nil
			}
		}),
	mutant("bounds-on-the-grid", "the bounds are rounded to multiples of Lambda before the last clamp",
		common, "snap-within-bounds", "snap/bound-not-multiple", func(g *stages) {
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				t.Rounded = g.round(t.W, t.Unit, derand.TiesUp)
				t.R = g.clampOut(t.Rounded, round(p.Lo, t.Unit, derand.TiesUp), round(p.Hi, t.Unit, derand.TiesUp))
				return nil
			}
		}),
	mutant("rounds-to-lambda", "the noisy answer is rounded to multiples of lambda, not of Lambda",
		common, "snap-on-grid-or-bound", "snap/lambda-three", func(g *stages) {
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				step := p.Value
				if p.Scale == impl.InverseEpsilon {
					step = 1 / step
				}
				t.Rounded = t.W - math.Remainder(t.W, step)
				if math.IsNaN(t.Rounded) {
					t.Rounded = t.W
				}
				t.R = g.clampOut(t.Rounded, p.Lo, p.Hi)
				return nil
			}
		}),
	mutant("fused-noise", "lambda ln u is fused into the addition and never rounded",
		"a compiler that contracts x*y + z", "snap-stages", "snap/tie-above-008", func(g *stages) {
			g.add = func(p derand.SnapParams, t derand.Trace, s int) float64 {
				if p.Scale == impl.InverseEpsilon || math.IsInf(t.Z, 0) {
					return float64(t.X + t.Z)
				}
				return math.FMA(p.Value, float64(s)*t.Ln, t.X)
			}
		}),
	mutant("epsilon-inverted-first", "y = fl(1/epsilon) ln u instead of ln u / epsilon",
		libraries, "snap-stages", "snap/epsilon-third", func(g *stages) {
			right := g.scale
			g.scale = func(p derand.SnapParams, ell float64) float64 {
				if p.Scale == impl.InverseEpsilon {
					return float64(float64(1/p.Value) * ell)
				}
				return right(p, ell)
			}
		}),
	mutant("infinity-is-an-error", "an infinite w is refused, which depends on f and on the noise",
		"defensive code", "snap-total", "snap/w-overflow", func(g *stages) {
			right := g.finish
			g.finish = func(g *stages, p derand.SnapParams, t *derand.Trace) error {
				if math.IsInf(t.W, 0) {
					return &impl.OverflowError{Quantity: "w", Detail: fmt.Sprint(t.W)}
				}
				return right(g, p, t)
			}
		}),
	mutant("nan-is-zero", "a NaN answer is swallowed and released as 0 with noise",
		"defensive code", "rejections-defined", "snap/reject-f-nan", func(g *stages) { g.nanIsZero = true }),
	mutant("clamp-reflects", "numbers beyond a bound are reflected at it",
		common+" for bounded noise", "clamp-bounded", "clamp/above", func(g *stages) {
			g.clampOut = func(x, lo, hi float64) float64 {
				switch {
				case math.IsInf(x, 0):
					return clamp(x, lo, hi)
				case x < lo:
					return lo + (lo - x)
				case x > hi:
					return hi - (x - hi)
				}
				return x
			}
		}),
	mutant("clamp-wraps", "numbers beyond a bound come back at the other",
		common+" for integers", "clamp-lipschitz", "clamp/above", func(g *stages) {
			g.clampOut = func(x, lo, hi float64) float64 {
				width := hi - lo
				if x >= lo && x < hi || math.IsInf(x, 0) || width == 0 || math.IsInf(width, 0) || math.IsInf(x-lo, 0) {
					return clamp(x, lo, hi)
				}
				y := lo + math.Mod(x-lo, width)
				if y < lo {
					y += width
				}
				return clamp(y, lo, hi)
			}
		}),
}

var drawMutants = []Mutant{
	mutant("coarse-draw", "u = k 2^-53 with one 53-bit k: no small values, no fine ones",
		common+" (math/rand)", "uniform-mass-is-ulp", "uniform/bit-order-unbounded", func(g *stages) {
			g.draw = func(t *tape, _ derand.Kind) (draw, bool, error) {
				k, err := t.take(53)
				if err != nil || k == 0 {
					return draw{}, true, err
				}
				frac, exp := math.Frexp(float64(k) * 0x1p-53)
				return draw{uint64(math.Ldexp(frac, 53)) - 1<<52, int64(1 - exp)}, false, nil
			}
		}),
	mutant("e-off-by-one", "e counts the zeros and the 1 from 1: every u is halved",
		"an index off by one", "uniform-structure", "uniform/first-bit-unbounded", func(g *stages) {
			g.draw = func(t *tape, kind derand.Kind) (draw, bool, error) {
				u, again, err := uniform(t, kind)
				u.e++
				return u, again, err
			}
		}),
	mutant("zeros-cut-at-64", "e comes from one machine word: 64 zeros end the search",
		libraries, "uniform-structure", "uniform/end-in-e-unbounded-002", func(g *stages) {
			g.draw = func(t *tape, _ derand.Kind) (draw, bool, error) {
				zeros, _, err := t.zeros(64)
				if err != nil {
					return draw{}, false, err
				}
				m, err := t.take(52)
				return draw{m, zeros + 1}, false, err
			}
		}),
	mutant("low-bit-first", "the least significant bit of each byte is read first",
		common, "uniform-structure", "uniform/bit-order-m-unbounded", func(g *stages) {
			g.bit = func(tape []byte, i int) int { return int(tape[i/8] >> (i % 8) & 1) }
		}),
	mutant("tape-padded", "m is read from a buffer padded with zeros",
		common, "uniform-prefix", "uniform/end-in-m-unbounded-001", func(g *stages) {
			g.draw = func(t *tape, kind derand.Kind) (draw, bool, error) {
				limit := int64(0)
				if kind == derand.Binary64 {
					limit = 1022
				}
				zeros, one, err := t.zeros(limit)
				if err != nil {
					return draw{}, false, err
				}
				t.padded = true
				k, err := t.take(52)
				t.padded = false
				t.used = min(t.used, 8*len(t.bytes))
				switch {
				case one || err != nil:
					return draw{k, zeros + 1}, false, err
				case k == 0:
					return draw{}, true, nil
				}
				return subnormal(k), false, nil
			}
		}),
	mutant("no-restart", "a zero of the binary64 kind becomes the smallest double instead of a new draw",
		common, "uniform-structure", "uniform/restart-binary64", func(g *stages) {
			g.draw = func(t *tape, kind derand.Kind) (draw, bool, error) {
				u, again, err := uniform(t, kind)
				if again {
					u = subnormal(1)
				}
				return u, false, err
			}
		}),
	mutant("sign-redrawn", "a restart of the draw of u draws the sign again",
		"a loop around too much", "snap-release-decomposes", "snap_release/restart-binary64", func(g *stages) { g.signAgain = true }),
	mutant("tape-before-checks", "the tape is read before the parameters are checked",
		"refusals in another order", "rejection-order", "snap_release/reject-domain-before-tape", func(g *stages) { g.tapeFirst = true }),
}

var calibrationMutants = []Mutant{
	mutant("eta-doubled", "eta = 2^-52, what C calls DBL_EPSILON",
		"two meanings of machine epsilon", "calibrate-lambda-minimal", "snap_calibrate/plain-published", func(g *stages) { g.calibrator.etaBits = 52 }),
	mutant("without-bound-term", "c B eta is left out of lambda",
		libraries, "calibrate-lambda-sufficient", "snap_calibrate/wide-published", func(g *stages) { g.calibrator.free = true }),
	mutant("lambda-to-nearest", "lambda is rounded to nearest: half of the time too small",
		common, "calibrate-lambda-sufficient", "snap_calibrate/plain-published", func(g *stages) { g.calibrator.lambda = nearest }),
	mutant("lambda-down", "lambda is rounded down",
		"the wrong direction", "calibrate-lambda-sufficient", "snap_calibrate/plain-published", func(g *stages) {
			g.calibrator.lambda = func(r *big.Rat) float64 {
				if x := nearest(r); math.IsInf(x, 0) {
					return x
				}
				return downward(r)
			}
		}),
	mutant("achieved-to-nearest", "the accounted loss is rounded to nearest: half of the time under-reported",
		common, "calibrate-achieved", "snap_calibrate/plain-published", func(g *stages) { g.calibrator.achieved = nearest }),
	mutant("epsilon-prime-up", "the inner budget is rounded up",
		"the wrong direction", "calibrate-epsilon-prime", "snap_calibrate/plain-published", func(g *stages) { g.calibrator.prime = upward }),
	mutant("edge-admitted", "B = 2^46 lambda is admitted",
		"<= for <", "calibrate-hypotheses", "snap_calibrate/bound-outside-published-3", func(g *stages) { g.calibrator.edgeAdmitted = true }),
}
