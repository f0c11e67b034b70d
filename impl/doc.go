// Package impl releases real numbers with differential privacy by the snapping
// mechanism (Mironov 2012, "On significance of the least significant bits for
// differential privacy"), on binary64, by bits.
//
// # Use
//
// State the privacy budget, the sensitivity, the bounds and the constant whose
// theorem you rely on; a [Snapping] then releases values:
//
//	s, err := impl.NewSnapping(impl.Params{
//		Epsilon: 0.5, Sensitivity: 1, Lo: 0, Hi: 1000, Constant: impl.Proved(),
//	})
//	...
//	r, err := s.Release(count)
//
// Every parameter is checked by the constructor, before any secret value is
// seen: what a legal release can still report is a NaN (refused, see
// [Snapping.Release]).
//
// Every release is a multiple of [Snapping.Unit], the power of two at or above
// the scale, or one of the bounds. Look at it before choosing parameters: at
// epsilon 0.5 and sensitivity 1 the scale is just above 2 and the unit 4, at
// epsilon 0.500001 the unit is 2.
//
// # The mechanism
//
// With the noise scale lambda, the unit L (the smallest power of two at or
// above lambda), u uniform in (0,1) and a fair sign s,
//
//	x = clamp(f);  y = lambda ln u;  w = x + s y;  r = clamp(round_L(w)),
//
// ln correctly rounded ([LnPair]), every other operation rounded to nearest
// even, ties of round_L toward +inf, and no zero but +0 released.
// docs/theory.md 2 defines it and names its variants.
//
// # What is proved and what is not
//
// The guarantee is about outputs. It is pure epsilon-differential privacy for
// one release, with epsilon the value of [Snapping.Achieved], under the
// hypotheses of the chosen [Constant]; several releases compose by addition.
// The time a release takes depends on the noise and is not covered.
//
// # Numbers
//
// The results are the same bits on every architecture: nothing here depends on
// math.Log, on fused multiply-add or on extended precision. Errors that refuse
// parameters are [*DomainError], [*HypothesisError] and [*OverflowError], for
// errors.As.
package impl
