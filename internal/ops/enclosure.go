package ops

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// lossWidth is -log2 of the width a loss must be enclosed to.
const lossWidth = 80

// lossEnclosure is |ln(p/p2)| of the outputs p and p2.
var lossEnclosure = wire.Enclosure{
	Lo: "loss_lo", Hi: "loss_hi", Width: "2^-80",
	Truth: func(out wire.Values, n uint) (lo, hi *big.Rat) {
		loss, infinite, err := oracle.LossOf(prob(out["p"].Rat()), prob(out["p2"].Rat()), n)
		if err != nil || infinite {
			return nil, nil
		}
		return ratOf(loss.Lo), ratOf(loss.Hi)
	},
	Narrow: func(lo, hi *big.Rat) bool {
		width := new(big.Rat).Sub(hi, lo)
		return width.Cmp(big.NewRat(1, 1).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), lossWidth))) <= 0
	},
}

// prob writes a rational as the oracle does, a numerator over a denominator.
func prob(r *big.Rat) oracle.Prob {
	if r == nil {
		return oracle.Prob{Den: real.One()}
	}
	return oracle.Prob{Num: real.NewDyadic(r.Num(), 0), Den: real.NewDyadic(r.Denom(), 0)}
}

// ratOf expands a dyadic; a loss and what is on the wire are small enough.
func ratOf(d real.Dyadic) *big.Rat {
	r, _ := d.Rat()
	return r
}
