package lang

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Number is an exact constant: a rational m·2^e/d with d odd, in lowest terms.
// The power of two is never expanded. The zero Number is 0.
type Number struct {
	m real.Dyadic
	d *big.Int // odd and above 1; nil means 1
}

// Limits on constants, so that no short text stands for an enormous number.
const (
	MaxExponent = int64(1) << 50 // of the leading and of the last bit; MaxNodes factors stay within int64
	MaxBits     = 1 << 17        // of the numerator and of the denominator
)

// ErrZeroDenominator is returned for a rational n/0.
var ErrZeroDenominator = errors.New("lang: the denominator of a constant is 0")

// FromDyadic returns d.
func FromDyadic(d real.Dyadic) Number { return Number{m: d} }

// FromInt returns n.
func FromInt(n int64) Number { return Number{m: real.FromInt64(n)} }

// Fraction returns a/b.
func Fraction(a, b real.Dyadic) (Number, error) {
	if b.IsZero() {
		return Number{}, ErrZeroDenominator
	}
	for _, x := range []real.Dyadic{a, b} {
		if err := FromDyadic(x).limits(); err != nil {
			return Number{}, err
		}
	}
	an, ae := a.Parts()
	bn, be := b.Parts()
	if bn.Sign() < 0 {
		an.Neg(an)
		bn.Neg(bn)
	}
	if an.Sign() == 0 {
		return Number{}, nil
	}
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(an), bn) // odd, as bn is
	n := Number{m: real.NewDyadic(an.Quo(an, g), ae-be)}
	if bn.Quo(bn, g); bn.Cmp(big.NewInt(1)) > 0 {
		n.d = bn
	}
	return n, nil
}

// Dyadic returns n, if it is dyadic.
func (n Number) Dyadic() (d real.Dyadic, ok bool) {
	if n.d != nil {
		return real.Dyadic{}, false
	}
	return n.m, true
}

// Sign returns -1, 0 or +1.
func (n Number) Sign() int { return n.m.Sign() }

// Neg returns -n.
func (n Number) Neg() Number { return Number{n.m.Neg(), n.d} }

// Equal reports n = o; lowest terms make that equality of the parts.
func (n Number) Equal(o Number) bool { return n.m.Equal(o.m) && n.den().Cmp(o.den()) == 0 }

// CmpAbs compares |n| with |d|, exactly.
func (n Number) CmpAbs(d real.Dyadic) int {
	return n.m.Abs().Cmp(d.Abs().Mul(real.NewDyadic(n.den(), 0)))
}

// Enclose returns an interval that contains n, with ends of at most bits bits:
// the number itself when it is dyadic and fits.
func (n Number) Enclose(bits uint) real.Interval {
	if n.d == nil {
		return real.Point(n.m).Outward(bits)
	}
	q, err := real.Point(n.m).Quo(real.Point(real.NewDyadic(n.d, 0)), bits)
	if err != nil { // not reached: the denominator is positive
		return real.Point(n.m)
	}
	return q.Outward(bits)
}

func (n Number) den() *big.Int {
	if n.d == nil {
		return big.NewInt(1)
	}
	return n.d
}

// limits returns an error for a number beyond MaxExponent or MaxBits.
func (n Number) limits() error {
	if n.m.IsZero() {
		return nil
	}
	if n.m.Top() > MaxExponent || n.m.Low() < -MaxExponent {
		return fmt.Errorf("lang: a constant's exponent lies beyond 2^50")
	}
	if n.m.Top()-n.m.Low() >= MaxBits || n.den().BitLen() > MaxBits {
		return fmt.Errorf("lang: a constant has more than %d bits", MaxBits)
	}
	return nil
}

// String writes n exactly, as the parser reads it: an integer of at most 63 bits
// in decimal, another dyadic number as a hexadecimal float, and {m/d} for the rest.
func (n Number) String() string {
	if n.d == nil {
		return DyadicString(n.m)
	}
	return "{" + DyadicString(n.m) + "/" + n.d.String() + "}"
}

// DyadicString writes d as String does.
func DyadicString(d real.Dyadic) string {
	switch {
	case d.IsZero():
		return "0"
	case d.IsInt() && d.Top() < 63:
		return d.Floor(0).String()
	}
	return d.String()
}
