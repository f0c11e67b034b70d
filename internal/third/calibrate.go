package third

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

var (
	eta        = big.NewRat(1, 1<<53)
	limitConst = new(big.Int).Lsh(big.NewInt(1), 31)
)

// The few operations of big.Rat that make the formulas below readable.
func sum(x, y *big.Rat) *big.Rat   { return new(big.Rat).Add(x, y) }
func minus(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
func quo(x, y *big.Rat) *big.Rat   { return new(big.Rat).Quo(x, y) }

func times(first *big.Rat, more ...*big.Rat) *big.Rat {
	p := new(big.Rat).Set(first)
	for _, x := range more {
		p.Mul(p, x)
	}
	return p
}

func larger(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) < 0 {
		return y
	}
	return x
}

// budget is an accounting: the privacy loss (D + c max(B, b lambda) eta)/lambda +
// a eta that a scale lambda has, to be kept within epsilon.
type budget struct {
	epsilon, d, b        *big.Rat // epsilon, the sensitivity D, the bound B
	constant, add, floor *big.Rat // c, a, b
}

func readBudget(in wire.Values) (budget, bool) {
	epsilon, d := in["epsilon"].Float(), in["sensitivity"].Float()
	lo, hi := in["lo"].Float(), in["hi"].Float()
	if !positive(epsilon) || !positive(d) || !bounds(lo, hi) {
		return budget{}, false
	}
	var ints [3]*big.Rat
	for i, name := range []string{"constant", "additive", "floor"} {
		n := in[name].Big()
		if n.Sign() < 0 || n.Cmp(limitConst) >= 0 {
			return budget{}, false
		}
		ints[i] = new(big.Rat).SetInt(n)
	}
	return budget{
		rat(epsilon), rat(d), rat(max(math.Abs(lo), math.Abs(hi))),
		ints[0], ints[1], ints[2],
	}, true
}

// wide is what is left of epsilon after a eta: the loss allowed when B counts.
func (q budget) wide() *big.Rat { return minus(q.epsilon, times(q.add, eta)) }

// narrow is what is left after (a + b c) eta: the loss allowed when b lambda
// counts in place of B.
func (q budget) narrow() *big.Rat {
	return minus(q.wide(), times(q.floor, q.constant, eta))
}

// lambda is the exact bound below which the loss exceeds epsilon.
func (q budget) lambda() *big.Rat {
	return larger(
		quo(sum(q.d, times(q.constant, q.b, eta)), q.wide()),
		quo(q.d, q.narrow()),
	)
}

// prime is the budget of the ideal mechanism.
func (q budget) prime() *big.Rat {
	one := big.NewRat(1, 1)
	x := quo(q.wide(), sum(one, quo(times(q.constant, q.b, eta), q.d)))
	if y := q.narrow(); y.Cmp(x) < 0 {
		return y
	}
	return x
}

// loss is the accounted loss of the scale lambda.
func (q budget) loss(lambda *big.Rat) *big.Rat {
	b := larger(q.b, times(q.floor, lambda))
	l := quo(sum(q.d, times(q.constant, b, eta)), lambda)
	return l.Add(l, times(q.add, eta))
}

func answerCalibrate(in wire.Values) wire.Result {
	q, ok := readBudget(in)
	if !ok {
		return wire.Rejected(domain)
	}
	if q.narrow().Sign() <= 0 {
		return wire.Rejected(hypothesis)
	}
	lambda := doubleUp(q.lambda())
	// An infinite lambda exceeds any B, and is then an overflow.
	if !finite(lambda) {
		return wire.Rejected(overflow)
	}
	if q.b.Cmp(times(rat(lambda), rat(0x1p46))) >= 0 {
		return wire.Rejected(hypothesis)
	}
	unit, ok := pow2Ceil(lambda)
	if !ok {
		return wire.Rejected(overflow)
	}
	return wire.Result{Out: wire.Values{
		"lambda":        wire.NewFloat(lambda),
		"epsilon_prime": wire.NewFloat(doubleDown(q.prime())),
		"achieved":      wire.NewFloat(doubleUp(q.loss(rat(lambda)))),
		"unit":          wire.NewFloat(unit),
	}}
}
