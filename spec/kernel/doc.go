// Package kernel derives bounds on floating-point evaluation in the manner of an
// LCF prover. A Judgment
//
//	e_R => e_F, [lo, hi]
//
// can be built only by the rules of this package (Liu 2020, figure 1, corrected:
// docs/theory.md 3), so holding one is holding a proof of
//
//	Theorem 1. In the Context's format F(p, emin, emax), rounding to nearest, ties
//	to even, for every assignment of data to the leaves of e_F that respects the
//	Context's environment, evaluating e_F gives a finite number in [lo, hi].
//
// and, since every rule widens outward of the exact interval, of
//
//	Theorem 2. Evaluating e_R exactly, for reals within the environment's
//	intervals, gives a number in [lo, hi] too. So |e_F - e_R| <= hi - lo.
//
// # What must be trusted
//
// context.go, judgment.go, refusal.go (which decides the side conditions), widen.go
// and the rules_*.go files, package lang's constructors and Equal, the methods of
// spec.Format, and package spec/real. None of them reads a variable that importers
// can assign, but for the errors of lang, without which no rule concludes anything
// either. Nothing else here can make a Judgment: derivations of whole expressions (Derive), of the snapping mechanism
// (SnapDerivation) and from a file (Check) only call the rules.
//
// # Numbers
//
// eta = 2^-p, alpha = 2^(emin-p) is half the smallest positive number, and
// T = (2 - 2^-p)·2^emax is the least real that rounds to an infinity. Ends of
// intervals are dyadics, rounded outward to p + 64 significant bits: each rule
// loses at most 2^-(p+63) of an end that way, 2^-63 of what eta costs.
package kernel
