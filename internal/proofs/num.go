package proofs

import (
	"errors"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Num is a real number known as well as one likes: a rational, or an enclosure
// at any precision. Comparisons of rationals are exact; the others are refined
// until the enclosures part.
type Num struct {
	exact *big.Rat
	at    func(prec uint) (real.Interval, error)
}

// errUndecided is returned when two numbers do not part at maxPrec bits.
var errUndecided = errors.New("undecided: the enclosures still overlap at the precision limit")

const (
	minPrec = 128
	maxPrec = 1 << 13
	// maxExpand bounds the exponents of dyadics that are turned into rationals.
	maxExpand = 2300
)

func ratNum(r *big.Rat) Num  { return Num{exact: r} }
func intNum(n int64) Num     { return ratNum(big.NewRat(n, 1)) }
func fracNum(a, b int64) Num { return ratNum(big.NewRat(a, b)) }
func pow2Num(k int64) Num    { return dyNum(real.Pow2(k)) }
func parseNum(decimal string) Num { // for constants written in this package
	r, ok := new(big.Rat).SetString(decimal)
	if !ok {
		return Num{at: func(uint) (real.Interval, error) { return real.Interval{}, errors.New("not a number: " + decimal) }}
	}
	return ratNum(r)
}

// dyNum is a dyadic number; one with an enormous exponent stays an enclosure.
func dyNum(d real.Dyadic) Num {
	if d.IsZero() {
		return intNum(0)
	}
	if d.Low() > -maxExpand && d.Top() < maxExpand {
		if r, ok := d.Rat(); ok {
			return ratNum(r)
		}
	}
	return Num{at: func(uint) (real.Interval, error) { return real.Point(d), nil }}
}

// ptNum is a dyadic number as an enclosure of width 0, whatever its exponent.
func ptNum(d real.Dyadic) Num {
	return Num{at: func(uint) (real.Interval, error) { return real.Point(d), nil }}
}

// floatNum is the exact value of a finite double.
func floatNum(x float64) Num {
	r := new(big.Rat).SetFloat64(x)
	if r == nil {
		return Num{at: func(uint) (real.Interval, error) { return real.Interval{}, errors.New("not finite") }}
	}
	return ratNum(r)
}

// enclose returns an enclosure at about prec bits.
func (a Num) enclose(prec uint) (real.Interval, error) {
	if a.exact == nil {
		return a.at(prec)
	}
	num := real.Point(real.NewDyadic(a.exact.Num(), 0))
	if a.exact.IsInt() {
		return num, nil
	}
	return num.Quo(real.Point(real.NewDyadic(a.exact.Denom(), 0)), prec)
}

// lift combines two numbers exactly if both are rational, by enclosures otherwise.
func lift(a, b Num, exact func(x, y *big.Rat) *big.Rat, enclosed func(x, y real.Interval, prec uint) (real.Interval, error)) Num {
	if a.exact != nil && b.exact != nil {
		return ratNum(exact(a.exact, b.exact))
	}
	return Num{at: func(prec uint) (real.Interval, error) {
		x, err := a.enclose(prec)
		if err != nil {
			return x, err
		}
		y, err := b.enclose(prec)
		if err != nil {
			return y, err
		}
		return enclosed(x, y, prec)
	}}
}

func (a Num) add(b Num) Num {
	return lift(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) },
		func(x, y real.Interval, p uint) (real.Interval, error) { return x.Add(y, p), nil })
}

func (a Num) sub(b Num) Num {
	return lift(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) },
		func(x, y real.Interval, p uint) (real.Interval, error) { return x.Sub(y, p), nil })
}

func (a Num) mul(b Num) Num {
	return lift(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) },
		func(x, y real.Interval, p uint) (real.Interval, error) { return x.Mul(y, p), nil })
}

func (a Num) quo(b Num) Num {
	if b.exact != nil && b.exact.Sign() == 0 {
		return Num{at: func(uint) (real.Interval, error) { return real.Interval{}, real.ErrDivideByZero }}
	}
	return lift(a, b, func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) },
		func(x, y real.Interval, p uint) (real.Interval, error) { return x.Quo(y, p) })
}

func (a Num) neg() Num { return intNum(0).sub(a) }

// ln and exp lose what their argument's enclosure leaves open.
func (a Num) ln() Num {
	return Num{at: func(prec uint) (real.Interval, error) {
		x, err := a.enclose(prec)
		if err != nil {
			return x, err
		}
		return real.LnInterval(x, prec)
	}}
}

func (a Num) exp() Num {
	return Num{at: func(prec uint) (real.Interval, error) {
		x, err := a.enclose(prec + 64) // e^x magnifies the absolute width by e^x
		if err != nil {
			return x, err
		}
		return real.ExpInterval(x, prec)
	}}
}

// cmp compares two numbers.
func (a Num) cmp(b Num) (int, error) {
	if a.exact != nil && b.exact != nil {
		return a.exact.Cmp(b.exact), nil
	}
	for prec := uint(minPrec); prec <= maxPrec; prec *= 2 {
		x, err := a.enclose(prec)
		if err != nil {
			return 0, err
		}
		y, err := b.enclose(prec)
		switch {
		case err != nil:
			return 0, err
		case x.Hi.Cmp(y.Lo) < 0:
			return -1, nil
		case x.Lo.Cmp(y.Hi) > 0:
			return 1, nil
		case x.IsPoint() && y.IsPoint(): // they touch, so they are equal
			return 0, nil
		}
	}
	return 0, errUndecided
}

// abs is exact, or the enclosure of the magnitude.
func (a Num) abs() Num {
	if a.exact != nil {
		return ratNum(new(big.Rat).Abs(a.exact))
	}
	return Num{at: func(prec uint) (real.Interval, error) {
		x, err := a.enclose(prec)
		switch {
		case err != nil || x.Lo.Sign() >= 0:
			return x, err
		case x.Hi.Sign() <= 0:
			return x.Neg(), nil
		}
		return real.Interval{Lo: real.Dyadic{}, Hi: real.Max(x.Lo.Neg(), x.Hi)}, nil
	}}
}

// maxNum is the greater of two rationals.
func maxNum(a, b Num) Num {
	if a.exact.Cmp(b.exact) >= 0 {
		return a
	}
	return b
}

// approx is a double near a, for reports only; NaN when there is none.
func (a Num) approx() float64 {
	x, err := a.enclose(256)
	if err != nil {
		return math.NaN()
	}
	mid := x.Lo
	if mid.IsZero() {
		return 0
	}
	m, e := mid.Parts()
	f := new(big.Float).SetPrec(64).SetInt(m)
	if e > 1<<30 || e < -(1<<30) {
		return math.NaN()
	}
	y, _ := f.SetMantExp(f, int(e)).Float64()
	return y
}
