package mutants

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// caseMutants are faults of the seven cases of Liu 2020, theorem 2: of the sign, of the
// error that a derivation charges, of the weight of the own cell.
var caseMutants = []Mutant{
	mutant("sign-of-the-draft", "s = -1 leads to the outputs below f: z = -s y",
		"Liu 2020, earlier draft", "case-total-and-disjoint", "snap/plain-lambda-plus", func(g *stages) {
			right := g.signed
			g.signed = func(y float64, s int) float64 { return right(y, -s) }
		}),
	mutant("ln-to-48-bits", "the logarithm of a draw is cut to 48 bits, an error of 2^-48 where 2^-53 is charged",
		"a fast logarithm of a vendor", "threshold-inside-derivation", "ln_pair/near-one-001", func(g *stages) {
			g.lnPair = func(m uint64, e int64) float64 {
				return math.Float64frombits(math.Float64bits(impl.LnPair(m, e)) &^ (1<<5 - 1))
			}
		}),
	{"own-cell-of-both-signs", "an output that f rounds to gets the draws of both signs in full: 2 - R1 - R2 in place of its half",
		"Liu 2020, earlier draft, case x = [f]", "exact-loss-within-derived-bound", "snap_prob/plain-unbounded-003",
		ops.NewVoter("mutant own-cell-of-both-signs", map[string]ops.Func{"snap_prob": ownCellDoubled})},
}

func ownCellDoubled(in wire.Values) wire.Result {
	r := ops.Impl().Answer(wire.Case{Op: "snap_prob", In: in})
	if r.Reject != "" {
		return r
	}
	p, err := paramsOf(in)
	if err != nil {
		return failure(err)
	}
	unit, err := right().unit(p)
	if err != nil {
		return failure(err)
	}
	x := clamp(in["f"].Float(), p.Lo, p.Hi)
	if clamp(round(x, unit, derand.TiesUp), p.Lo, p.Hi) != in["x"].Float() {
		return r
	}
	return wire.Result{Out: wire.Values{"p": wire.NewRat(new(big.Rat).Mul(r.Out["p"].Rat(), big.NewRat(2, 1)))}}
}
