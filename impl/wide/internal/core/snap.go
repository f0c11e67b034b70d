package core

import (
	"encoding/binary"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
)

// Exponents of scales: 2^MinScale <= value < 2^MaxScale. With these, bounds that
// are doubles, at most 2^12 bits and e < 2^62, no stage leaves the range of
// big.Float, and none but w is zero: nothing underflows or overflows.
const (
	MinScale = -1074
	MaxScale = 1024
)

// Mechanism is Snap_F at P bits for one set of parameters (docs/theory.md 2). It
// is immutable.
type Mechanism struct {
	P       uint
	Value   *big.Float // lambda, or epsilon when Inverse; P bits
	Inverse bool
	Lo, Hi  *big.Float // doubles, P bits, not -0
	K       int        // the unit is 2^K
}

// New takes a value that InRange accepts, of at most p bits, which it copies, and
// doubles lo <= hi.
func New(p uint, value *big.Float, inverse bool, lo, hi float64) Mechanism {
	k := CeilLog2(value)
	if inverse {
		k = 1 - value.MantExp(nil) // 1/value is in (2^-exp, 2^(1-exp)]
	}
	return Mechanism{P: p, Value: Number(p).Set(value), Inverse: inverse, Lo: Double(p, lo), Hi: Double(p, hi), K: k}
}

// Number returns +0 with p bits of precision, rounding to nearest even.
func Number(p uint) *big.Float { return new(big.Float).SetPrec(p) }

// Double returns a double that is not NaN, -0 as +0, exactly: p >= 53.
func Double(p uint, x float64) *big.Float { return Number(p).SetFloat64(x + 0) }

// InRange reports whether 2^MinScale <= x < 2^MaxScale.
func InRange(x *big.Float) bool {
	exp := x.MantExp(nil) // x = mant 2^exp, 1/2 <= mant < 1
	return x.Sign() > 0 && !x.IsInf() && exp > MinScale && exp <= MaxScale
}

// CeilLog2 returns the least k with 2^k >= x, for finite x > 0.
func CeilLog2(x *big.Float) int {
	exp := x.MantExp(nil)
	if x.MinPrec() == 1 { // a power of two
		return exp - 1
	}
	return exp
}

// Pow2 returns 2^k.
func Pow2(p uint, k int) *big.Float {
	one := Number(p).SetInt64(1)
	return one.SetMantExp(one, k)
}

// Trace is every stage of one evaluation, each of P bits. Every zero is +0.
type Trace struct {
	Ln, Y, Z, X, W, Rounded, R *big.Float
}

// Evaluate runs the mechanism on f (not NaN) with u = (1 + m 2^-(P-1)) 2^-e and
// the sign s = -1 when minus is set, else +1.
//
// Mul, Quo and Add of big.Float give the exact result rounded once to the
// receiver's precision, to nearest even ("rounded according to z's precision and
// rounding mode", package math/big); an exact sum of 0 is +0 in that mode.
func (c *Mechanism) Evaluate(f float64, m *big.Int, e int64, minus bool) (t Trace) {
	t.X = c.clamp(Double(c.P, f))
	t.Ln = Ln(m, e, c.P)
	if c.Inverse {
		t.Y = Number(c.P).Quo(t.Ln, c.Value)
	} else {
		t.Y = Number(c.P).Mul(c.Value, t.Ln)
	}
	t.Z = t.Y
	if minus {
		t.Z = Number(c.P).Neg(t.Y)
	}
	t.W = Number(c.P).Add(t.X, t.Z)
	t.Rounded = Round(t.W, c.K)
	t.R = c.clamp(t.Rounded)
	return t
}

// clamp returns x or a bound; an infinite x gives a bound.
func (c *Mechanism) clamp(x *big.Float) *big.Float {
	switch {
	case x.Cmp(c.Lo) < 0:
		return c.Lo
	case x.Cmp(c.Hi) > 0:
		return c.Hi
	}
	return x
}

// Round returns the multiple of 2^k nearest to a finite x, ties toward +inf, with
// the precision of x: exactly, since |x| >= 2^(p-1) 2^k is a multiple already and
// any smaller multiple has at most p bits.
func Round(x *big.Float, k int) *big.Float {
	p := x.Prec()
	bits := int(x.MinPrec())
	drop := k - (x.MantExp(nil) - bits) // places of x below 2^k
	switch {
	case x.Sign() == 0 || drop > bits+1: // a zero, or |x| < 2^(k-1)
		return Number(p)
	case drop <= 0:
		return x
	}
	n, _ := new(big.Float).SetMantExp(x, drop-k).Int(nil) // x 2^(drop-k) is an integer
	n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(drop-1)))
	n.Rsh(n, uint(drop)) // the floor, for negative n too
	y := Number(p).SetInt(n)
	return y.SetMantExp(y, k)
}

// Draw takes U* without a lower end at p bits: e is the position of the first 1
// bit, m the next p - 1 bits (docs/theory.md 2.1).
func Draw(r *tape.Reader, p uint) (m *big.Int, e int64, err error) {
	zeros, _, err := r.Zeros(0)
	if err != nil {
		return nil, 0, err
	}
	width := int(p) - 1
	b := make([]byte, (width+63)/64*8)
	for i := range len(b) / 8 {
		n := 64
		if i == 0 && width%64 != 0 {
			n = width % 64
		}
		word, err := r.Take(n)
		if err != nil {
			return nil, 0, err
		}
		binary.BigEndian.PutUint64(b[8*i:], word)
	}
	m = new(big.Int).SetBytes(b)
	clear(b)
	return m, zeros + 1, nil
}

// Release takes one sign and one U* from r, in that order, and evaluates on f (not
// NaN): the one place where a release meets its random bits.
func (c *Mechanism) Release(r *tape.Reader, f float64) (*big.Float, error) {
	minus, err := tape.Sign(r)
	if err != nil {
		return nil, err
	}
	m, e, err := Draw(r, c.P)
	if err != nil {
		return nil, err
	}
	// A copy: the output may be one of the bounds that c holds.
	return Number(c.P).Set(c.Evaluate(f, m, e, minus).R), nil
}

// Bound returns B = max(|lo|, |hi|).
func Bound(lo, hi float64) float64 { return max(math.Abs(lo), math.Abs(hi)) }
