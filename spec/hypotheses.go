package spec

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// A Claim is a privacy theorem about Snap_F with the unbounded U*, as numbers:
// for |f - f'| <= D the privacy loss is at most
//
//	(D + C·max(B, Floor·lambda)·eta)/lambda + A·eta
//
// provided its hypotheses hold. B = max(|lo|, |hi|), eta = 2^-p.
type Claim struct {
	Name        string
	C, A, Floor int64
	Hypotheses  []string // ids
	Status      string   // what is known about it
}

// The claims a caller may name. See docs/theory.md 6.
var (
	Published = Claim{
		Name: "published", C: 12, A: 2, Floor: 0,
		Hypotheses: []string{"epsilon-above-floor", "bound-above-scale", "bound-below-2^46-scale", "scale-at-least-2^-960", "range"},
		Status: "the last line of the proof in Mironov 2012, as quoted in the literature; proved here for 2^8 lambda <= B <= 2^38 lambda (proofs/bound-twelve.md), elsewhere without a proof and, " +
			"for the unbounded U*, without a counterexample; false for the published U* (B/lambda above 354) and for B below lambda/4",
	}
	Proved = Claim{
		Name: "proved", C: 15, A: 5, Floor: 1,
		Hypotheses: []string{"epsilon-above-floor", "bound-at-most-2^38-scale", "scale-at-least-2^-960", "range"},
		Status:     "proved on paper in docs/theory.md 6.1, and for other precisions in proofs/any-precision.md",
	}
	// Sharp is about binary64 only; no C below 11.98371 can be proved.
	Sharp = Claim{
		Name: "sharp", C: 12, A: 5, Floor: 1,
		Hypotheses: []string{"epsilon-above-floor", "bound-at-most-2^38-scale", "scale-at-least-2^-960", "range"},
		Status:     "proved on paper in proofs/bound-twelve.md, for binary64",
	}
	Claims = []Claim{Published, Proved, Sharp}
)

// Quantities are what the hypotheses speak about, exactly. Lambda is
// LambdaNum/LambdaDen, so that lambda = 1/epsilon needs no rounding. Epsilon is
// 0 where no privacy budget is given.
type Quantities struct {
	Format               Format
	Epsilon              real.Dyadic
	LambdaNum, LambdaDen real.Dyadic
	B, Unit              real.Dyadic
}

// NewQuantities returns the quantities of explicit parameters with the given unit.
func NewQuantities(p SnapParams, unit Value) Quantities {
	q := Quantities{
		Format: p.Format, B: Bound(p.Lo, p.Hi), Unit: unit.Dyadic(),
		LambdaNum: p.Value.Dyadic(), LambdaDen: real.One(),
	}
	if p.Scale == ScaleEpsilon {
		q.LambdaNum, q.LambdaDen = real.One(), p.Value.Dyadic()
	}
	return q
}

// boundVsScale compares B with lambda·2^k.
func (q Quantities) boundVsScale(k int64) int {
	return q.B.Mul(q.LambdaDen).Cmp(q.LambdaNum.Shift(k))
}

// Hypothesis is one condition of a Claim, decided exactly. Powers of two in the
// statements are those of binary64.
type Hypothesis struct {
	ID        string
	Statement string
	Why       string // where it is needed, and what happens without it
	Section   string
	Holds     func(Claim, Quantities) bool
}

// Hypotheses is every condition any Claim names, in the order in which they are tested.
var Hypotheses = []Hypothesis{
	{
		ID:        "epsilon-above-floor",
		Statement: "epsilon > (A + Floor·C) eta",
		Why:       "no scale lambda, however large, brings the accounted loss below A eta + Floor C eta",
		Section:   "2.4",
		Holds: func(c Claim, q Quantities) bool {
			return q.Epsilon.Cmp(EpsilonFloor(c, q.Format)) > 0
		},
	},
	{
		ID:        "bound-above-scale",
		Statement: "B > lambda",
		Why:       "the published bound is false without it: at B/lambda = 0.22 the excess is 2.35 eta, over the 2 eta allowed",
		Section:   "6",
		Holds:     func(_ Claim, q Quantities) bool { return q.boundVsScale(0) > 0 },
	},
	{
		ID:        "bound-below-2^46-scale",
		Statement: "B < 2^46 lambda (2^(p-7) lambda in a format of precision p)",
		Why:       "Mironov's hypothesis; without it 12 B eta / lambda is not small and its square counts",
		Section:   "2.4",
		Holds: func(_ Claim, q Quantities) bool {
			return q.boundVsScale(int64(q.Format.Precision)-7) < 0
		},
	},
	{
		ID:        "bound-at-most-2^38-scale",
		Statement: "B <= 2^38 lambda",
		Why:       "keeps kappa = B eta/lambda at most 2^-15, so that the ratio q of the proof stays next to 1/e",
		Section:   "6.1",
		Holds:     func(_ Claim, q Quantities) bool { return q.boundVsScale(38) <= 0 },
	},
	{
		ID:        "scale-at-least-2^-960",
		Statement: "lambda >= 2^-960",
		Why:       "keeps every threshold of the proof a normal number, so that rounding errors there are relative",
		Section:   "6.1",
		Holds: func(_ Claim, q Quantities) bool {
			return q.LambdaNum.Cmp(q.LambdaDen.Shift(-960)) >= 0
		},
	},
	{
		ID:        "range",
		Statement: "B <= 2^1021 and Lambda <= 2^1021",
		Why:       "keeps every threshold of the proof, at most 2B + Lambda, a finite number",
		Section:   "6.1",
		Holds: func(_ Claim, q Quantities) bool {
			top := real.Pow2(1021)
			return q.B.Cmp(top) <= 0 && q.Unit.Cmp(top) <= 0
		},
	},
}

// EpsilonFloor is (A + Floor·C) eta, which epsilon must exceed.
func EpsilonFloor(c Claim, f Format) real.Dyadic {
	k := new(big.Int).Mul(big.NewInt(c.C), big.NewInt(c.Floor))
	return real.NewDyadic(k.Add(k, big.NewInt(c.A)), 0).Mul(f.Eta())
}

// Check returns nil, or the rejection naming the first hypothesis of c that q breaks.
// A Quantities without Epsilon is not asked about the budget.
func (c Claim) Check(q Quantities) error {
	for _, h := range Hypotheses {
		if h.ID == "epsilon-above-floor" && q.Epsilon.IsZero() || !c.names(h.ID) {
			continue
		}
		if !h.Holds(c, q) {
			return Reject(HypothesisBroken, h.ID, "%s is required (docs/theory.md %s)", h.Statement, h.Section)
		}
	}
	return nil
}

func (c Claim) names(id string) bool {
	for _, h := range c.Hypotheses {
		if h == id {
			return true
		}
	}
	return false
}
