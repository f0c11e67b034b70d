package core

import "math/big"

// Triple is the constants of a privacy bound (D + c max(B, b lambda) eta)/lambda +
// a eta with eta = 2^-p, each in [0, 2^31).
type Triple struct{ C, A, B int64 }

// Accounting is one budget at p bits: every result is a rational number of the
// parameters, rounded once in the direction that is safe (docs/theory.md 2.4).
type Accounting struct {
	p         uint
	eps, d, b *big.Rat
	cEta      *big.Rat // c eta
	aEta      *big.Rat // a eta
	floor     *big.Rat // (a + b c) eta
	floored   *big.Rat // b
}

// NewAccounting takes finite doubles, d > 0; epsilon is not looked at by Achieved.
func NewAccounting(p uint, epsilon, d, lo, hi float64, t Triple) Accounting {
	etas := func(n int64) *big.Rat {
		return new(big.Rat).SetFrac(big.NewInt(n), new(big.Int).Lsh(big.NewInt(1), p))
	}
	exact := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	return Accounting{
		p: p, eps: exact(epsilon), d: exact(d), b: exact(Bound(lo, hi)),
		cEta: etas(t.C), aEta: etas(t.A), floor: etas(t.A + t.B*t.C), floored: new(big.Rat).SetInt64(t.B),
	}
}

// AboveFloor reports whether epsilon > (a + b c) eta, without which no scale serves.
func (k Accounting) AboveFloor() bool { return k.eps.Cmp(k.floor) > 0 }

// Lambda returns the smallest number of p bits at or above
//
//	max( (D + c B eta)/(epsilon - a eta), D/(epsilon - (a + b c) eta) ),
//
// given AboveFloor; it may be out of range for a scale.
func (k Accounting) Lambda() *big.Float {
	first := k.cost(k.b)
	first.Quo(first, new(big.Rat).Sub(k.eps, k.aEta))
	second := new(big.Rat).Sub(k.eps, k.floor)
	second.Quo(k.d, second)
	if first.Cmp(second) < 0 {
		first = second
	}
	return directed(k.p, first, big.ToPositiveInf)
}

// EpsilonPrime returns the largest number of p bits at or below
//
//	min( (epsilon - a eta)/(1 + c B eta/D), epsilon - (a + b c) eta ) > 0.
func (k Accounting) EpsilonPrime() *big.Float {
	first := new(big.Rat).Sub(k.eps, k.aEta)
	first.Mul(first, k.d)
	first.Quo(first, k.cost(k.b)) // D/(D + c B eta) is 1/(1 + c B eta/D)
	if second := new(big.Rat).Sub(k.eps, k.floor); second.Cmp(first) < 0 {
		first = second
	}
	return directed(k.p, first, big.ToNegativeInf)
}

// Achieved returns (D + c max(B, b lambda) eta)/lambda + a eta rounded up, where
// lambda is the value, or 1/value exactly when inverse is set.
func (k Accounting) Achieved(value *big.Float, inverse bool) *big.Float {
	lambda, _ := value.Rat(nil)
	if inverse {
		lambda.Inv(lambda)
	}
	b := new(big.Rat).Mul(k.floored, lambda)
	if b.Cmp(k.b) < 0 {
		b = k.b
	}
	loss := k.cost(b)
	loss.Quo(loss, lambda)
	return directed(k.p, loss.Add(loss, k.aEta), big.ToPositiveInf)
}

// cost is D + c b eta.
func (k Accounting) cost(b *big.Rat) *big.Rat {
	x := new(big.Rat).Mul(k.cEta, b)
	return x.Add(x, k.d)
}

// directed rounds x > 0 once, as SetRat does in every mode; what it returns rounds
// to nearest from then on.
func directed(p uint, x *big.Rat, mode big.RoundingMode) *big.Float {
	return Number(p).SetMode(mode).SetRat(x).SetMode(big.ToNearestEven)
}

// CompareBound returns the sign of B - 2^k lambda, lambda = value or 1/value, for
// finite lo and hi and an InRange value.
func CompareBound(lo, hi float64, value *big.Float, inverse bool, k int) int {
	b := new(big.Float).SetFloat64(Bound(lo, hi))
	edge := new(big.Float).SetMantExp(value, k)
	if inverse { // B value against 2^k, the product exact
		b.SetPrec(53+value.Prec()).Mul(b, value)
		edge = Pow2(1, k)
	}
	return b.Cmp(edge)
}
