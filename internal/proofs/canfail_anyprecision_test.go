package proofs

import (
	"maps"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Faults in the definitions of proofs/any-precision.md.

func defines(what string, make func(in *inFormat)) fault {
	return fault{what, func(s *subject) { make(&s.inFormat) }}
}

var (
	anyNoMidpoint = defines("t(c) is the number below c", func(in *inFormat) {
		in.below = func(f spec.Format, c real.Dyadic) real.Dyadic { return f.NextDown(spec.FromDyadic(c)).Dyadic() }
	})
	anyWrongBelow = defines("t(c) is c, less a unit for c > 0", func(in *inFormat) {
		in.below = func(f spec.Format, c real.Dyadic) real.Dyadic {
			if c.Sign() > 0 {
				return c.Sub(real.Pow2(f.UlpExponent(c)))
			}
			return c
		}
	})
	anyWideBinade = defines("g is the spacing of the binade above", func(in *inFormat) {
		right := in.above
		in.above = func(f spec.Format, A real.Dyadic, strict bool) (real.Dyadic, int64) {
			a, q := right(f, A, strict)
			return a, q + 1
		}
	})
	anyFineBinade = defines("g is the spacing of the binade below", func(in *inFormat) {
		right := in.above
		in.above = func(f spec.Format, A real.Dyadic, strict bool) (real.Dyadic, int64) {
			a, q := right(f, A, strict)
			return a, q - 1
		}
	})
	anyNoMidAbove = defines("v° is the number above v", func(in *inFormat) {
		in.midAbove = func(f spec.Format, v *big.Rat, _ bool) real.Dyadic {
			return f.NextUp(oracle.RoundRat(f, v, oracle.Up)).Dyadic()
		}
	})
	anyNarrow = adds("the sum loses a bit", func(f spec.Format, _ real.Dyadic, w spec.Value) spec.Value {
		if w.IsZero() {
			return w
		}
		return spec.FromDyadic(w.Dyadic().Truncated(f.Precision-1, true))
	})
	// LN of every fourth draw is wrong by a quarter: not a factor, which cancels in a quotient.
	anyLnUneven = logs("LN of every fourth draw is 1/4 too small", func(u spec.U, w spec.Value) spec.Value {
		if u.E%4 != 0 {
			return w
		}
		return spec.FromDyadic(w.Dyadic().Sub(w.Dyadic().Shift(-2)))
	})
	lnHalf = lnRelative("LN is half of what it should be", 1, -1)
)

func init() {
	maps.Copy(planted, map[string][]fault{
		"T.1": {says("9.5 for 9 in sigma", "9", "9.5"), says("3 L for 4 L in C", "4 L", "3"), says("L + 3/4 in K", "1 of K", "3/4"), says("room at p = 5 ends above 0.0967", "0.0966", "0.0967")},
		"T.2": {says("7.9 for 8", "8", "7.9"), says("6 for 7", "7", "6"), says("X is smaller at 1/33", "1/37", "1/33"), says("Z is smaller at 1/39", "1/35", "1/39")},
		"T.3": {says("three quarters of the bound", "share", "3/4"), halfEta, lnTenth, anyLnUneven},

		"A.1":  {says("kappa below 1/10", "1/9", "1/10"), says("l below 3/2", "2", "3/2"), says("eta below 1/20", "1/12", "1/20")},
		"A.2":  {quarterHalf, says("an eighth of the room", "4", "32")},
		"A.3":  {anyNoMidpoint, halfEta, doubleEta},
		"A.4":  {anyNoMidpoint, flChops},
		"A.5":  {anyNoMidpoint, chops},
		"A.6":  {quarterEta, anyWrongBelow},
		"A.7":  {doubleEta, halfEta, says("5 for 4", "4", "5"), says("7 for 8", "8", "7")},
		"A.8":  {anyWideBinade, anyFineBinade, halfEta, says("g <= eta A", "2", "1")},
		"A.9":  {anyNoMidAbove, halfEta},
		"A.10": {anyNoMidAbove, lnHalf, chops, halfEta, says("eta T", "2", "1")},
		"A.11": {anyNoMidAbove, anyFineBinade, halfEta, says("-E^g <= eta", "2", "1")},
		"A.12": {lnHalf, anyNarrow, halfEta, says("eta_1 a", "2", "1")},
		"A.13": {lnHalf, halfEta, says("9/10 of sigma", "share of sigma", "9/10")},
		"A.14": {anyFineBinade, says("0.99 at q = 0", "L(0)", "0.99"), says("0.96 at q = 1/2", "L(1/2)", "0.96"), says("1.2 at q = 1", "L(1)", "1.2")},
		"A.15": {says("q is halved", "share of q", "1/2")},
		"A.16": {lnHalf, anyLnUneven, halfEta, says("5 for 4", "4", "5")},
		"A.17": {lnHalf, lnTenth, quarterEta},
		"A.18": {lnTenth, says("1/2 for 4", "4", "1/2")},
		"A.19": {lnHalf, says("3 for 5", "5", "3")},
		"A.20": {lnHalf, quarterEta, says("1 for 4", "4", "1")},
		"A.21": {lnHalf, says("4.01 eta_1", "4 eta_1", "4.01")},
		"A.22": {anyLnUneven, says("-6 for 6", "6", "-6")},
		"A.23": {anyLnUneven, says("a tenth of sigma", "share of sigma", "1/10"), says("-2 for 2", "2", "-2")},
		"A.24": {anyLnUneven, says("9/10 of F", "share of F", "9/10"), says("9/10 of Z - F", "share of Z - F", "9/10"), halfEta},
		"A.25": {
			says("9.6 for 9.4", "9.4", "9.6"), says("3.2 for 3.103", "3.103", "3.2"), says("6.8 for 6.7", "6.7", "6.8"), says("1.59 for 1.58", "1.58", "1.59"),
			says("15 for 14.8", "14.8", "15"), says("10.5 for 10.4", "10.4", "10.5"), says("18.6 for 18.4", "18.4", "18.6"),
		},
		"A.26": {says("40 for 5", "5", "40"), says("14 for 6", "6", "14"), says("9 for 2", "2", "9"), says("9 for 4", "4", "9")},

		"any.1": {
			says("20 for 21", "c for 2^-4", "20"), says("13 for 14", "a for 2^-4", "13"), says("18 for 20", "c for 2^-5", "18"), says("4 for 5", "a for 2^-5", "4"), says("17 for 18", "c for 2^-6", "17"),
			says("6 for 7", "a for 2^-6", "6"), says("15 for 16", "c for 2^-8", "15"), says("5 for 6", "a for 2^-8", "5"), says("14.9 for 15", "c for 2^-13", "14.9"), says("4.9 for 5", "a for 2^-13", "4.9"),
		},
		"any.2": {says("the code has p - 14", "p - 15", "14")},
		"any.3": {says("epsilon = 1 + 2^(1-p)", "log epsilon", "0"), says("kappa = (1 + 2^(1-p))^2/5", "1/4", "1/5"), lnHalf},
	})
}
