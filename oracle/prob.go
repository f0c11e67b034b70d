package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Prob is an exact probability Num/Den. Den is 1 for the unbounded kind of U*,
// and for FloatRange 1 - 2^q with 2^q the smallest positive number of the format,
// what is left after a draw of 0 starts again (docs/theory.md 2.1). Num may be as
// small as 2^-(2^60): neither is ever expanded into a rational unasked.
type Prob struct{ Num, Den real.Dyadic }

// IsZero reports a probability of 0.
func (p Prob) IsZero() bool { return p.Num.IsZero() }

// Cmp returns -1, 0 or +1 as p < q, p = q, p > q.
func (p Prob) Cmp(q Prob) int {
	if p.Den.Equal(q.Den) {
		return p.Num.Cmp(q.Num)
	}
	return p.Num.Mul(q.Den).Cmp(q.Num.Mul(p.Den))
}

// Rat returns p as a rational. ok is false when that takes more than a million bits.
func (p Prob) Rat() (r *big.Rat, ok bool) {
	num, ok := p.Num.Rat()
	if !ok {
		return nil, false
	}
	den, ok := p.Den.Rat()
	if !ok || den.Sign() == 0 {
		return nil, false
	}
	return num.Quo(num, den), true
}

// Ln returns an enclosure of ln p, as the difference of the logarithms of Num and
// Den, each and the difference rounded outward at relative precision prec; where
// they nearly cancel (p next to 1) the result is relatively wider. Rejection:
// domain (p = 0).
func (p Prob) Ln(prec uint) (real.Interval, error) {
	if p.Num.Sign() <= 0 || p.Den.Sign() <= 0 {
		return real.Interval{}, spec.Reject(spec.Domain, "probability", "the logarithm of %v/%v", p.Num, p.Den)
	}
	num, err := real.Ln(p.Num, prec)
	if err != nil {
		return real.Interval{}, err
	}
	den, err := real.Ln(p.Den, prec)
	if err != nil {
		return real.Interval{}, err
	}
	return num.Sub(den, prec), nil
}

// String writes the numerator, and the denominator unless it is 1, exactly.
func (p Prob) String() string {
	if p.Den.Equal(real.One()) {
		return p.Num.String()
	}
	return p.Num.String() + "/(" + p.Den.String() + ")"
}
