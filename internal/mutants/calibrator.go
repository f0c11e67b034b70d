package mutants

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// rounding takes an exact number to a double.
type rounding func(*big.Rat) float64

func nearest(r *big.Rat) float64 { x, _ := r.Float64(); return x }

func upward(r *big.Rat) float64 {
	x := nearest(r)
	if !math.IsInf(x, 0) && exact(x).Cmp(r) < 0 {
		return math.Nextafter(x, math.Inf(1))
	}
	return x
}

func downward(r *big.Rat) float64 {
	x := nearest(r)
	if math.IsInf(x, 1) || exact(x).Cmp(r) > 0 {
		return math.Nextafter(x, math.Inf(-1))
	}
	return x
}

func exact(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// calibrator is docs/theory.md 2.4 with what a mutant may change: eta, the
// roundings, whether c B eta is charged, whether B = 2^46 lambda is admitted.
type calibrator struct {
	etaBits                 int
	lambda, achieved, prime rounding
	free                    bool // c B eta is left out of lambda
	noEta                   bool // c B is charged, without eta
	edgeAdmitted            bool
}

type calibration struct{ lambda, prime, achieved, unit float64 }

// run computes a calibration. Only the domain is derand's; hypotheses and
// overflows are decided here.
func (k calibrator) run(epsilon, d, lo, hi float64, c, a, b int64, ceil func(float64) (float64, error)) (out calibration, err error) {
	if _, _, _, _, err := derand.Calibrate(epsilon, d, lo, hi, c, a, b); err != nil && isDomain(err) {
		return out, err
	}
	eta := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(k.etaBits)))
	whole := func(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
	mul := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	quo := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) }
	add := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }

	eps, dd := exact(epsilon), exact(d)
	bound := exact(max(math.Abs(lo), math.Abs(hi)))
	cEta, aEta := mul(whole(c), eta), mul(whole(a), eta)
	if k.noEta {
		cEta = whole(c)
	}
	overA := new(big.Rat).Sub(eps, aEta)
	overFloor := new(big.Rat).Sub(overA, mul(whole(b), cEta))
	if overFloor.Sign() <= 0 {
		return out, &impl.HypothesisError{Hypothesis: impl.HypothesisEpsilonAboveFloor}
	}
	cost := add(dd, mul(cEta, bound))
	if k.free {
		cost = dd
	}
	need := quo(cost, overA)
	if other := quo(dd, overFloor); other.Cmp(need) > 0 {
		need = other
	}
	out.lambda = k.lambda(need)
	if !math.IsInf(out.lambda, 0) {
		edge := bound.Cmp(mul(exact(out.lambda), whole(1<<46)))
		if edge > 0 || edge == 0 && !k.edgeAdmitted {
			return out, &impl.HypothesisError{Hypothesis: impl.HypothesisBoundBelow46Scale}
		}
	}
	if math.IsInf(out.lambda, 0) {
		return out, &impl.OverflowError{Quantity: "lambda"}
	}
	if out.lambda == 0 { // rounded down from below the smallest double
		out.lambda = math.SmallestNonzeroFloat64
	}
	if out.unit, err = ceil(out.lambda); err != nil {
		return out, err
	}
	prime := quo(overA, add(whole(1), quo(mul(cEta, bound), dd)))
	if overFloor.Cmp(prime) < 0 {
		prime = overFloor
	}
	out.prime = k.prime(prime)
	l := exact(out.lambda)
	effective := mul(whole(b), l)
	if bound.Cmp(effective) > 0 {
		effective = bound
	}
	out.achieved = k.achieved(add(quo(add(dd, mul(cEta, effective)), l), aEta))
	return out, nil
}
