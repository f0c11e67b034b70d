package spec

// Property is a statement about the operations of the protocol that is checked
// on drawn inputs. Proof documents cite it by its ID, which never changes.
type Property struct {
	ID        string // an immutable slug
	Statement string // one sentence, true of every right voter
	Section   string // of docs/theory.md
}

// Properties is every property, grouped by the operation it is about. eta is
// 2^-53, "exactly" means compared as rational numbers, and ln is decided by
// enclosures that are refined until they decide.
var Properties = []Property{
	// The logarithm.
	{"ln-correctly-rounded", "LN(x) is the double nearest to ln x, for every positive finite x; LN(1) = +0.", "2"},
	{"ln-monotone", "x <= x' implies LN(x) <= LN(x').", "2"},
	{"ln-within-eta", "|ln x|/(1 + eta) <= |LN(x)| <= |ln x| (1 + eta), and LN(x) has the sign of ln x.", "1"},
	{"ln-pair-correctly-rounded", "LN(u) is the double nearest to ln u for every draw u = (1 + m 2^-52) 2^-e, e < 2^62.", "2.1"},
	{"ln-pair-monotone", "u <= u' implies LN(u) <= LN(u'), for draws ordered by m - e 2^52.", "4"},
	{"ln-pair-within-eta", "|ln u|/(1 + eta) <= |LN(u)| <= |ln u| (1 + eta), and LN(u) < 0.", "1"},
	{"ln-pair-extends-ln", "LN of a draw that is a double, subnormals included, is LN of that double.", "2.1"},

	// Lambda.
	{"pow2-ceil-minimal", "The power of two returned is 2^k >= x > 2^(k-1), exactly; it is refused as overflow just when x > 2^1023.", "2.2"},
	{"pow2-ceil-inv-minimal", "The power of two returned is 2^k with 2^k x >= 1 > 2^(k-1) x, exactly; it is refused as overflow just when x < 2^-1023.", "2.2"},
	{"pow2-ceil-inv-of-quotient", "The smallest power of two >= 1/x is that of fl(1/x), except for four x with subnormal 1/x: the three largest doubles and the double below 2^1023, where it is twice that.", "2.2"},

	// Rounding to a multiple.
	{"round-multiple-on-grid", "The result is an integer times the unit, exactly; it is refused as overflow just when its magnitude is 2^1024.", "2.3"},
	{"round-multiple-nearest", "The result is at most half a unit from x, exactly.", "2.3"},
	{"round-multiple-ties", "Of two multiples equally near to x the greater is returned for ties up, the lesser for ties down.", "2.3"},
	{"round-multiple-idempotent", "A multiple of the unit, the result included, is returned as it is.", "2.3"},
	{"round-multiple-monotone", "x <= x' implies round(x) <= round(x').", "2.3"},
	{"round-multiple-odd", "round(-x) with ties up is -round(x) with ties down.", "2.3"},

	// Clamping.
	{"clamp-bounded", "lo <= clamp(x) <= hi, for infinite x too.", "1"},
	{"clamp-identity", "clamp(x) = x when lo <= x <= hi.", "1"},
	{"clamp-idempotent", "clamp(clamp(x)) = clamp(x).", "1"},
	{"clamp-monotone", "x <= x' implies clamp(x) <= clamp(x').", "1"},
	{"clamp-lipschitz", "|clamp(x) - clamp(x')| <= |x - x'|, exactly.", "1"},

	// The uniform draw.
	{"uniform-structure", "e is the position of the first 1 bit and m the 52 bits that follow; for the binary64 kind 1022 zeros make u a multiple of 2^-1074 given by the next 52 bits, and a zero restarts the draw.", "2.1"},
	{"uniform-prefix", "Bits after those consumed change nothing, and a tape that lacks the last bit consumed is refused.", "8"},
	{"uniform-mass-is-ulp", "Each draw consumes e + 52 bits (1074 when u is subnormal), so that its probability is the distance to the next value of u.", "2.1"},

	// The mechanism.
	{"agrees-with-oracle", "Every operation gives the oracle's answer: every output, every stage of snap, every refusal.", "2"},
	{"snap-total", "A legal case is answered: an infinity among the stages, or an infinite f, is no error.", "2"},
	{"snap-within-bounds", "lo <= r <= hi.", "2"},
	{"snap-on-grid-or-bound", "r is a multiple of Lambda, or lo, or hi.", "2"},
	{"snap-stages", "Each stage is what its definition gives for the stages before it.", "2"},
	{"snap-side", "w <= x for s = +1, and w >= x for s = -1.", "2"},
	{"snap-release-decomposes", "snap_release is one sign bit, then uniform on the rest of the tape, then snap.", "8"},
	{"snap-monotone-in-u", "For fixed f and s, w, rounded and r are monotone in u: up for s = +1, down for s = -1.", "4"},
	{"snap-monotone-in-f", "For fixed u and s, x, w, rounded and r are nondecreasing in f.", "5"},
	{"snap-inside-derivation", "Every stage lies inside the interval that the kernel derives for it.", "3"},

	// Exact probabilities and losses.
	{"prob-sums-to-one", "The probabilities of lo, hi and the multiples of Lambda between them are not negative and sum to exactly 1.", "4"},
	{"prob-mirrored", "With f, lo and hi negated, the probability of -x is that of w in the mirrored cell, closed at its other end: symmetry up to the tie rule.", "4"},
	{"prob-monotone-in-f", "Pr[r <= x] does not grow with f, for any x.", "4"},
	{"prob-near-ideal", "Under the hypotheses of the proved bound every probability is that of Snap_R times a factor within exp(±(9 max(B, lambda) eta/lambda + 13 eta)).", "6.1"},
	{"loss-is-worst", "worst is the smallest output with the largest loss, compared as exact ratios, and p, p2 are its probabilities.", "4"},
	{"loss-enclosed", "loss_lo <= |ln(p/p2)| <= loss_hi, at most 2^-80 apart; both are inf just when a probability is 0.", "4"},
	{"loss-within-proved", "Under the hypotheses of the proved bound the loss is at most (D + c max(B, lambda) eta)/lambda + 5 eta for c = 15 and for c = 12, for inputs and bounds chosen to come near.", "6.1"},
	{"ideal-within-epsilon", "No output of Snap_R has a loss above |x - x'|/lambda.", "2"},

	// Calibration.
	{"calibrate-lambda-sufficient", "The accounted loss of lambda is at most epsilon, exactly.", "2.4"},
	{"calibrate-lambda-minimal", "The accounted loss of the double below lambda exceeds epsilon, exactly.", "2.4"},
	{"calibrate-achieved", "achieved is the accounted loss rounded up: at least the exact loss, less than one ulp above it, and at most epsilon.", "2.4"},
	{"calibrate-epsilon-prime", "epsilon_prime is the inner budget rounded down: at most the exact one, less than one ulp below it.", "2.4"},
	{"calibrate-unit", "The unit of a calibration is the smallest power of two >= lambda.", "2.2"},
	{"calibrate-hypotheses", "snap_calibrate refuses as hypothesis just when epsilon <= (a + b c) eta or B >= 2^46 lambda, exactly.", "2.4"},

	// The library.
	{"constructor-hypotheses", "Every constructor of package impl refuses just the parameters outside its domain or that break a hypothesis of the claim named, with the typed error that says which, leaves nothing half built, and gives objects and logs with the exact derived values.", "6"},
	{"constructor-constants", "The constants a caller can name are the claims of package spec, with the same numbers.", "6"},
	{"production-release", "derand.Release on a production object is snap_release of the same parameters with the unbounded draw.", "8"},

	// Refusals and zeros.
	{"rejections-defined", "A case is refused just when its definition refuses it, with the kind defined.", "2"},
	{"rejection-order", "Of several reasons to refuse, the first in the order domain, hypothesis, overflow, tape is given.", "2"},
	{"zero-is-plus", "Every zero returned is +0, but for z and w of snap.", "1"},

	// The cases of Liu 2020, theorem 2.
	{"case-total-and-disjoint", "Exactly one of the seven cases holds for parameters, two inputs and an output, and a draw gives the output just when it is in the intervals of u of that case.", "5"},
	{"threshold-inside-derivation", "In each case, w passes an edge of the output's cell between the draw for which the kernel proves that it is past it and the one for which it proves that it is not.", "5"},
	{"exact-loss-within-derived-bound", "Neither ratio of the probabilities of an output for two inputs exceeds the quotient that the derived ends of its case give.", "5"},

	// The mechanism at p bits.
	{"wide-ln-correctly-rounded", "The ln of snap_wide is the number of p bits nearest to ln u.", "2.4"},
	{"wide-snap-agrees", "Every stage of snap_wide is what its definition gives at p bits for the stages before it.", "2.4"},
	{"wide-53-is-snap", "At 53 bits the stages of snap_wide are those of snap, where no stage leaves the range of binary64.", "2.4"},
	{"wide-calibrate-minimal", "The lambda of wide_calibrate is the least number of p bits whose accounted loss at eta = 2^-p is at most epsilon; achieved and epsilon_prime are rounded once, outward.", "2.4"},
}
