// Package wide is the snapping mechanism with p bits of precision in place of the
// 53 of binary64 (Covington 2019, section 5, which proposes p = 118).
//
// # Why every operation
//
// The privacy loss of the mechanism exceeds sensitivity/lambda by about
// 15 B eta/lambda, where eta = 2^-p is the relative error of one operation. The
// smaller eta may be charged only if every operation has it: here the uniform draw
// has p significant bits, its logarithm is correctly rounded to p bits, and so are
// the product with lambda (or the quotient by epsilon) and the sum with f. A
// logarithm at 118 bits that becomes a double before it is added is charged with
// eta = 2^-53 (docs/theory.md 2.4; proofs/precision-118.md has a witness).
//
// Only the last step leaves the format: [Snapping.Release] returns the double
// nearest to the output. That depends on the output alone, so it is
// post-processing and costs no privacy. It is exact for the bounds, and for every
// output when max(|lo|, |hi|) <= 2^53 times the unit. [Snapping.ReleaseBig]
// returns the output itself.
//
// # Use
//
//	p, err := wide.Precision(epsilon) // 118, more for an extreme epsilon
//	s, err := wide.New(wide.Params{
//		Precision: p, Epsilon: epsilon, Sensitivity: 1, Lo: 0, Hi: 1e12, Constant: impl.Proved(),
//	})
//	r, err := s.Release(count)
//
// # When it helps
//
// With bounds of any practical size the difference from package impl is a scale
// smaller by a factor of about 1 + 15 B 2^-53 at sensitivity 1, and wider bounds:
// B <= 2^(p-15) lambda in place of 2^38 lambda. It costs about twenty times as much
// per release. It repairs nothing else: package impl is as private as it says.
//
// # What is proved
//
// As in package impl the guarantee is pure differential privacy of one release,
// with the value of [Snapping.Achieved], under the hypotheses of the constant at
// precision p. [impl.Proved] rests on proofs/any-precision.md, corollary 2, the
// theorem of docs/theory.md 6.1 in any format: B <= 2^(p-15) lambda is asked, and
// the ranges of this package are far inside what it asks of exponents.
// [impl.Published] is the literature's claim, at eta = 2^-p. Time, memory and the
// refusal of a NaN are outside the statement.
//
// # Numbers
//
// The format is F(p, -2^20, 2^20) of docs/theory.md 1, with p from [MinPrecision]
// to [MaxPrecision]: it contains all doubles, and no stage leaves it. Scales are
// numbers of p bits from 2^-1074 to below 2^1024. Errors are those of package impl,
// [*impl.DomainError], [*impl.HypothesisError] and [*impl.OverflowError].
package wide
