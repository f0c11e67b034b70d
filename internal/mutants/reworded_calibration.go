package mutants

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// A calibration from the accounting alone: the formulas for lambda and epsilon'
// are never used, the doubles are searched for.

// accounting decides (D + c max(B, b l) eta)/l + a eta <= loss, cleared of the
// division.
type accounting struct {
	d, bound, c, a *big.Rat // c eta, a eta
	floor          *big.Rat
}

func (k accounting) within(l, loss *big.Rat) bool {
	cost := new(big.Rat).Mul(k.floor, l)
	if k.bound.Cmp(cost) > 0 {
		cost.Set(k.bound)
	}
	cost.Mul(cost, k.c).Add(cost, k.d)
	room := new(big.Rat).Sub(loss, k.a)
	return cost.Cmp(room.Mul(room, l)) <= 0
}

// least is the least positive double that serves; serves is monotone. +Inf when
// none does.
func least(serves func(float64) bool) float64 {
	lo, hi := uint64(0), math.Float64bits(math.Inf(1))
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; serves(math.Float64frombits(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return math.Float64frombits(hi)
}

func searchCalibration(epsilon, d, lo, hi float64, c, a, b int64) (out calibration, err error) {
	if _, _, _, _, err := derand.Calibrate(epsilon, d, lo, hi, c, a, b); err != nil && isDomain(err) {
		return out, err
	}
	eta := big.NewRat(1, 1<<53)
	times := func(n int64) *big.Rat { return new(big.Rat).Mul(eta, new(big.Rat).SetInt64(n)) }
	k := accounting{exact(d), exact(math.Max(math.Abs(lo), math.Abs(hi))), times(c), times(a), new(big.Rat).SetInt64(b)}
	eps := exact(epsilon)
	tail := new(big.Rat).Mul(k.floor, k.c) // what no lambda removes: (a + b c) eta
	tail.Add(tail, k.a)
	if eps.Cmp(tail) <= 0 {
		return out, &impl.HypothesisError{Hypothesis: impl.HypothesisEpsilonAboveFloor}
	}
	out.lambda = least(func(l float64) bool { return k.within(exact(l), eps) })
	if math.IsInf(out.lambda, 0) {
		return out, &impl.OverflowError{Quantity: "lambda"}
	}
	l := exact(out.lambda)
	if k.bound.Cmp(new(big.Rat).Mul(l, big.NewRat(1<<46, 1))) >= 0 {
		return out, &impl.HypothesisError{Hypothesis: impl.HypothesisBoundBelow46Scale}
	}
	if out.unit, err = ceilBySearch(out.lambda); err != nil {
		return out, err
	}
	out.achieved = least(func(loss float64) bool { return k.within(l, exact(loss)) })
	// epsilon' is the greatest double with epsilon' (1 + c B eta/D) + a eta <= epsilon
	// and epsilon' + (a + b c) eta <= epsilon: the double below the least that fails.
	fails := func(p float64) bool {
		e := exact(p)
		if new(big.Rat).Add(e, tail).Cmp(eps) > 0 {
			return true
		}
		sum := new(big.Rat).Mul(k.c, k.bound)
		sum.Add(sum, k.d).Mul(sum, e) // D epsilon' (1 + c B eta/D)
		return sum.Cmp(new(big.Rat).Mul(k.d, new(big.Rat).Sub(eps, k.a))) > 0
	}
	out.prime = math.Nextafter(least(fails), 0)
	return out, nil
}
