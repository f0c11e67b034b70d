package plan

import "github.com/dp-crosscheck/crosscheck/internal/corpus"

const (
	theory   = "docs/theory.md"
	protocol = "vectors/PROTOCOL.md"
)

// flag makes a Flag; proof names a document in proofs/.
func flag(proof, why, section, risk string) corpus.Flag {
	return corpus.Flag{Why: why, Section: section, Proof: "proofs/" + proof + ".md", Risk: risk}
}

// Flags explains every flag a case can carry.
var Flags = map[string]corpus.Flag{
	"exact":              flag("mechanism", "the answer needs no rounding", theory+"#1-notation", "an implementation that rounds outward by habit returns a neighbour"),
	"directed":           flag("calibration", "the exact value lies between two doubles and the direction of rounding is the safe one", theory+"#24-calibration", "rounding to nearest under-reports the privacy loss, or makes the scale too small, half of the time"),
	"near-one":           flag("logarithm", "the argument is next to 1, where ln x is about x - 1", theory+"#2-the-snapping-mechanism", "ln computed as e ln 2 + ln m cancels and loses up to all bits; the smallest noise values are then wrong and distinguishable"),
	"power-of-two":       flag("lambda", "the argument is a power of two or its neighbour, where the spacing of doubles changes", theory+"#1-notation", "an exponent off by one: a logarithm off by ln 2, or Lambda half or twice what the theorem needs"),
	"subnormal":          flag("mechanism", "a subnormal number takes part", theory+"#1-notation", "code that reads the exponent field without its special case, or flushes subnormals to zero, is off by large factors (on one platform a standard library's log of 2^-1074 is -709.1 and not -744.4)"),
	"range-end":          flag("mechanism", "an end of the range of doubles", theory+"#1-notation", "overflow or underflow in an intermediate step that the mathematics does not have"),
	"hard-to-round":      flag("logarithm", "ln x lies within 2^-40 ulp of a midpoint between two doubles", theory+"#2-the-snapping-mechanism", "a logarithm that is not proved correctly rounded picks the wrong neighbour; the theorem assumes LN is correctly rounded"),
	"near-a-double":      flag("logarithm", "ln x lies within 2^-40 ulp of a double, where directed rounding and error tests are fragile", theory+"#2-the-snapping-mechanism", "an enclosure too narrow by one ulp excludes the true value"),
	"beyond-doubles":     flag("uniform", "u is smaller than every positive double", theory+"#21-u-two-kinds", "an implementation that stores u as a double returns ln 0 = -Inf or ends the tail: outputs with probability 0 on one side only, an infinite privacy loss"),
	"domain":             flag("mechanism", "an argument outside the operation's domain", protocol+"#rejections", "a NaN or an infinity released or swallowed; an error that depends on the secret"),
	"overflow":           flag("round-multiple", "the exact result exceeds the largest double: a refusal", protocol+"#rejections", "an infinity or a wrapped exponent in place of the refusal; an infinite Lambda turns every release into NaN"),
	"near-overflow":      flag("round-multiple", "next to the largest double: whether the result is finite depends on the last bits", protocol+"#rejections", "a refusal too many, or an infinity in place of a refusal"),
	"double-rounding":    flag("mechanism", "the exact product or quotient lies so near a midpoint that rounding it twice gives another double", theory+"#2-the-snapping-mechanism", "extended precision (x87, long double, a wider format) and then binary64 differs in the last bit, which the proof's error bound does not allow for"),
	"misrounded-log":     flag("logarithm", "w is exactly halfway between two multiples, and would not be with the other neighbour of ln u", theory+"#2-the-snapping-mechanism", "a logarithm that is accurate but not correctly rounded releases another number: the cells of the outputs are not those of the proof"),
	"exact-integers":     flag("calibration", "integers that do not survive 32 or 64 bits, or a double", theory+"#24-calibration", "a wrapped constant charges less privacy than is spent"),
	"tie":                flag("round-multiple", "exactly halfway between two multiples", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "the tie goes the wrong way"),
	"tie-negative":       flag("round-multiple", "a negative number halfway between two multiples: toward +inf is toward zero", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "away from zero, as the published recipe and most library functions round, moves the cell boundary and breaks the shift invariance that the proof uses"),
	"near-tie":           flag("round-multiple", "one ulp (of x; of w in snap) from halfway between two multiples", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "floor(x + 1/2) in floating point rounds the sum first and crosses the tie"),
	"carry":              flag("round-multiple", "the integral part is all ones, so rounding up carries into the exponent", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "the published recipe tests all 52 bits for ones instead of the integral part, and loses the carry"),
	"half-unit":          flag("round-multiple", "about half a unit: the leading bit is the first fractional bit", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "the published recipe always rounds to 1, so -0.5 becomes -1"),
	"zero-sign":          flag("clamp", "a zero in some stage: every zero returned is +0, but z may be -0", protocol+"#encodings", "a released -0 splits the cell of output 0 and reveals the sign of the noise"),
	"already-multiple":   flag("round-multiple", "x is already a multiple of the unit", theory+"#23-rounding-to-a-multiple-of-lambda-in-three-exact-steps", "x/unit overflows or is rounded needlessly"),
	"reciprocal":         flag("lambda", "1/x is no double; for the largest doubles even the power of two above it differs from that above fl(1/x)", theory+"#22-lambda-from-the-bits", "Lambda one power too low at the edge"),
	"infinite":           flag("clamp", "an infinite input clamps to a bound", theory+"#2-the-snapping-mechanism", "an error here reveals that the true answer was infinite"),
	"bounds-one-sided":   flag("output-cells", "both bounds have the same sign", theory+"#2-the-snapping-mechanism", "implementations that assume [-B, B] clamp wrongly"),
	"bounds-equal":       flag("output-cells", "lo = hi", theory+"#4-exact-output-distribution-of-snap_f", "a division by the width, or an empty range"),
	"bounds-no-multiple": flag("output-cells", "the bounds are no multiples of Lambda, or below it", theory+"#4-exact-output-distribution-of-snap_f", "rounding after the last clamp releases numbers outside the bounds; rounding the bounds changes the cells"),
	"tape-end":           flag("uniform", "the tape of random bits ends early", theory+"#8-the-tape", "padding with zeros makes biased noise"),
	"bit-order":          flag("uniform", "which bit of a byte comes first", theory+"#8-the-tape", "not a privacy fault, but no vector with a tape can agree"),
	"exponent-edge":      flag("uniform", "long runs of zeros before the first 1", theory+"#21-u-two-kinds", "an exponent counted from 0, or cut at 64 or 1022"),
	"subnormal-draw":     flag("uniform", "1022 zeros: where the published U* becomes subnormal", theory+"#21-u-two-kinds", "the two kinds differ here; a normalisation slip gives a u off by a power of two"),
	"restart":            flag("uniform", "the published U* draws zero and starts again", theory+"#21-u-two-kinds", "u = 0 gives an infinite noise; redrawing the sign as well changes the bits consumed"),
	"sign-side":          flag("output-cells", "which side the sign stands for", theory+"#8-the-tape", "noise of one sign only, or a mirrored stream"),
	"scale-variant":      flag("privacy-bound", "lambda (x) ln u and ln u (/) epsilon round differently", theory+"#2-the-snapping-mechanism", "the parameter is converted with a rounding that the proof does not have"),
	"clamp-both":         flag("clamp", "one of the two clamps acts, which an implementation with only the other misses", theory+"#2-the-snapping-mechanism", "without the first clamp the sensitivity is unbounded; without the second the tail is released"),
	"carried-infinity":   flag("privacy-bound", "an intermediate stage overflows to an infinity, which is carried and clamped", protocol+"#rejections", "an error here depends on f and on the noise, and reveals both"),
	"absorbed":           flag("published-bound", "the noise is less than half an ulp of x and disappears in the addition", theory+"#6-what-is-known-about-the-published-bound", "bounds this large for the scale break the hypothesis B < 2^46 lambda"),
	"hypothesis-inside":  flag("calibration", "just inside a hypothesis", theory+"#24-calibration", "a legal parameter is refused"),
	"hypothesis-outside": flag("calibration", "just outside a hypothesis", theory+"#24-calibration", "a guarantee is claimed that no theorem gives"),
	"impossible-output":  flag("output-cells", "an output of probability 0: no multiple of Lambda, outside the bounds, or beyond the end of the noise", theory+"#4-exact-output-distribution-of-snap_f", "an output that only one of two neighbouring inputs can give reveals which it was"),
	"far-tail":           flag("output-cells", "a probability below every positive double", theory+"#4-exact-output-distribution-of-snap_f", "a computation in doubles gives 0, and an infinite loss that is not there"),
	"subnormal-noise":    flag("published-draw", "the draws that decide are subnormal doubles, few and coarse", theory+"#6-what-is-known-about-the-published-bound", "the published draw has a grain and an end in the tail: the loss exceeds every published bound, or is infinite"),
	"infinite-loss":      flag("published-draw", "an output possible under one input only", theory+"#6-what-is-known-about-the-published-bound", "one release can reveal the input"),
	"exceeds-published":  flag("published-small-bound", "the loss exceeds a bound in circulation: without its hypothesis lambda < B, or with the output in place of B", theory+"#6-what-is-known-about-the-published-bound", "an implementation that does not check the hypothesis promises too much"),
	"near-constant-12":   flag("privacy-bound", "the excess of the loss comes close to 12 B eta/lambda", theory+"#6-what-is-known-about-the-published-bound", "a smaller constant, or an error in one of the last bits, breaks the bound"),
	"answer-on-edge":     flag("output-cells", "the true answer lies on, or one double beside, an edge between two cells", theory+"#4-exact-output-distribution-of-snap_f", "half-open cells are read the other way round: the probability of the cell moves by the mass of the absorbed noise"),
	"answer-at-bound":    flag("output-cells", "the true answer is a bound, or is clamped to one", theory+"#4-exact-output-distribution-of-snap_f", "without the first clamp the distribution goes on changing with f"),
	"bound-below-unit":   flag("output-cells", "B is below Lambda: three outputs, or fewer", theory+"#4-exact-output-distribution-of-snap_f", "cells computed from multiples between the bounds miss the bounds themselves"),
	"reach-limit":        flag("output-cells", "next to the limit (hi - lo)/lambda = 2^14 of these operations", protocol+"#rejections", "a limit applied to a rounded quotient"),
	"coarse-numbers":     flag("output-cells", "far from the origin, where doubles are farther apart than the noise", theory+"#4-exact-output-distribution-of-snap_f", "edges between cells that are no doubles are rounded to ones"),
	"all-at-p-bits":      flag("precision-118", "the same with one operation carried at 53 bits gives another output", theory+"#24-calibration", "a high-precision logarithm whose result is used in binary64: eta = 2^-p is charged and 2^-53 is spent"),
	"hard-at-p-bits":     flag("logarithm", "ln u lies within 2^-p ulp of a midpoint between two numbers of p bits", theory+"#2-the-snapping-mechanism", "a fixed number of guard digits, or a tie taken for exact, picks the wrong neighbour"),
	"as-binary64":        flag("mechanism", "p = 53: the stages are those of snap", theory+"#24-calibration", "a second implementation of the mechanism that drifts away from the first"),
	"precision-end":      flag("mechanism", "the least or the greatest precision", protocol+"#operations", "a limit taken from a machine word"),
}
