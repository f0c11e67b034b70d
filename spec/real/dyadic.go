package real

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// Dyadic is the number m·2^e, m an integer and e an int64. It is kept in lowest
// terms (m odd, or m = 0 and e = 0), so equal numbers have equal fields. The
// zero value is 0. A Dyadic is immutable.
//
// Exponents are meant to stay within ±2^62. An operation whose result would have
// one beyond ±(2^63 - 2^40), or would write out more than 2^31 bits, panics: no
// bounded input of this module can reach that, and nothing wraps around.
type Dyadic struct {
	m *big.Int // nil means 0
	e int64    // |e| <= maxExp, so that Top, and sums with a precision, fit
}

const (
	maxExp   = 1<<63 - 1<<40
	maxShift = 1<<31 - 1 // fits a uint of 32 bits
)

var one = Pow2(0)

// One returns 1.
func One() Dyadic { return one }

// NewDyadic returns m·2^e. It copies m.
func NewDyadic(m *big.Int, e int64) Dyadic {
	return norm(new(big.Int).Set(m), e)
}

// FromInt64 returns n.
func FromInt64(n int64) Dyadic { return norm(big.NewInt(n), 0) }

// FromUint64 returns m·2^e.
func FromUint64(m uint64, e int64) Dyadic { return norm(new(big.Int).SetUint64(m), e) }

// Pow2 returns 2^e.
func Pow2(e int64) Dyadic { return norm(big.NewInt(1), e) }

// norm takes ownership of m.
func norm(m *big.Int, e int64) Dyadic {
	if m.Sign() == 0 {
		return Dyadic{}
	}
	z := m.TrailingZeroBits()
	if z > 0 {
		m.Rsh(m, z)
	}
	return Dyadic{m, addExp(e, int64(z))}
}

// addExp returns a + b, the exponent of a result.
func addExp(a, b int64) int64 {
	s := a + b
	if (a > 0 && b > 0 && s < 0) || (a < 0 && b < 0 && s >= 0) || s > maxExp || s < -maxExp {
		panic("real: exponent of a dyadic out of range")
	}
	return s
}

// shift returns d, a number of bits to shift by. uint has 32 bits on some machines,
// where uint(d) would wrap.
func shift(d uint64) uint {
	if d > maxShift {
		panic("real: over 2^31 bits to write out")
	}
	return uint(d)
}

// gap returns a - b, for a >= b; it may exceed int64.
func gap(a, b int64) uint64 { return uint64(a) - uint64(b) }

// Sign returns -1, 0 or +1.
func (a Dyadic) Sign() int {
	if a.m == nil {
		return 0
	}
	return a.m.Sign()
}

// IsZero reports a = 0.
func (a Dyadic) IsZero() bool { return a.m == nil }

// Parts returns a copy of m and e with a = m·2^e, m odd or zero.
func (a Dyadic) Parts() (m *big.Int, e int64) {
	if a.m == nil {
		return new(big.Int), 0
	}
	return new(big.Int).Set(a.m), a.e
}

// Top returns floor(log2 |a|), the exponent of the leading bit; a must not be 0.
func (a Dyadic) Top() int64 { return a.e + int64(a.m.BitLen()) - 1 }

// Low returns the exponent of the last bit that is not 0; a must not be 0.
func (a Dyadic) Low() int64 { return a.e }

// IsPow2 reports whether a is a power of two.
func (a Dyadic) IsPow2() bool { return a.Sign() > 0 && a.m.BitLen() == 1 }

// IsInt reports whether a is an integer.
func (a Dyadic) IsInt() bool { return a.m == nil || a.e >= 0 }

// Neg returns -a.
func (a Dyadic) Neg() Dyadic {
	if a.m == nil {
		return a
	}
	return Dyadic{new(big.Int).Neg(a.m), a.e}
}

// Abs returns |a|.
func (a Dyadic) Abs() Dyadic {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Shift returns a·2^k.
func (a Dyadic) Shift(k int64) Dyadic {
	if a.m == nil {
		return a
	}
	return Dyadic{a.m, addExp(a.e, k)}
}

// Add returns a + b exactly. Its cost grows with the distance of the exponents:
// callers that do not know it small use Interval arithmetic.
func (a Dyadic) Add(b Dyadic) Dyadic {
	switch {
	case a.m == nil:
		return b
	case b.m == nil:
		return a
	}
	if a.e < b.e {
		a, b = b, a
	}
	s := new(big.Int).Lsh(a.m, shift(gap(a.e, b.e)))
	return norm(s.Add(s, b.m), b.e)
}

// Sub returns a - b exactly; see Add for its cost.
func (a Dyadic) Sub(b Dyadic) Dyadic { return a.Add(b.Neg()) }

// Mul returns a·b exactly.
func (a Dyadic) Mul(b Dyadic) Dyadic {
	if a.m == nil || b.m == nil {
		return Dyadic{}
	}
	return Dyadic{new(big.Int).Mul(a.m, b.m), addExp(a.e, b.e)}
}

// Cmp returns -1, 0 or +1 as a < b, a = b, a > b. It looks at leading bits
// first, so exponents far apart cost nothing.
func (a Dyadic) Cmp(b Dyadic) int {
	sa, sb := a.Sign(), b.Sign()
	if sa != sb || sa == 0 {
		return cmpInt(sa, sb)
	}
	if ta, tb := a.Top(), b.Top(); ta != tb {
		return sa * cmpInt64(ta, tb)
	}
	// Equal tops: the exponents differ by less than the longer significand.
	switch {
	case a.e > b.e:
		return new(big.Int).Lsh(a.m, shift(gap(a.e, b.e))).Cmp(b.m)
	case a.e < b.e:
		return a.m.Cmp(new(big.Int).Lsh(b.m, shift(gap(b.e, a.e))))
	}
	return a.m.Cmp(b.m)
}

// Equal reports a = b.
func (a Dyadic) Equal(b Dyadic) bool { return a.e == b.e && a.Cmp(b) == 0 }

func cmpInt(a, b int) int { return cmpInt64(int64(a), int64(b)) }

func cmpInt64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Min and Max return the lesser and the greater of a and b.
func Min(a, b Dyadic) Dyadic {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// Max returns the greater of a and b.
func Max(a, b Dyadic) Dyadic {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// Floor returns the greatest multiple of 2^k that is <= a, as the integer n of n·2^k.
// When a is a multiple of 2^k its exponent is expanded down to k.
func (a Dyadic) Floor(k int64) *big.Int {
	if a.m == nil {
		return new(big.Int)
	}
	if a.e >= k {
		return new(big.Int).Lsh(a.m, shift(gap(a.e, k)))
	}
	d := gap(k, a.e)
	if d > uint64(a.m.BitLen()) { // |a| < 2^k: do not ask for an absurd shift
		return big.NewInt(int64(min(a.Sign(), 0)))
	}
	return new(big.Int).Rsh(a.m, uint(d)) // arithmetic shift: rounds toward -inf
}

// Truncated returns a with at most prec significant bits, rounded down (up
// false, toward -inf) or up (toward +inf).
func (a Dyadic) Truncated(prec uint, up bool) Dyadic {
	if a.m == nil || uint(a.m.BitLen()) <= prec {
		return a
	}
	drop := uint(a.m.BitLen()) - prec
	m := new(big.Int).Rsh(a.m, drop) // toward -inf; never exact, a.m is odd
	if up {
		m.Add(m, big.NewInt(1))
	}
	return norm(m, addExp(a.e, int64(drop)))
}

// Rat returns a as a rational. ok is false when that takes more than a million
// bits; such numbers are meant to stay dyadic.
func (a Dyadic) Rat() (r *big.Rat, ok bool) {
	const limit = 1 << 20
	if a.e > limit || a.e < -limit {
		return nil, false
	}
	m, e := a.Parts()
	if e >= 0 {
		return new(big.Rat).SetInt(m.Lsh(m, uint(e))), true
	}
	return new(big.Rat).SetFrac(m, new(big.Int).Lsh(big.NewInt(1), uint(-e))), true
}

// String writes a exactly as a hexadecimal floating-point number of any length,
// such as -0x1.8p+3.
func (a Dyadic) String() string {
	if a.m == nil {
		return "0x0p+0"
	}
	n := a.m.BitLen()
	frac := uint(n-1+3) &^ 3 // fraction bits, a whole number of hex digits
	m := new(big.Int).Abs(a.m)
	h := m.Lsh(m, frac-uint(n-1)).Text(16)
	s := "0x" + h[:1]
	if rest := strings.TrimRight(h[1:], "0"); rest != "" {
		s += "." + rest
	}
	if a.m.Sign() < 0 {
		s = "-" + s
	}
	return fmt.Sprintf("%sp%+d", s, a.Top())
}

// bitLen64 is the length of |k| in bits.
func bitLen64(k int64) uint {
	if k < 0 {
		return uint(bits.Len64(-uint64(k)))
	}
	return uint(bits.Len64(uint64(k)))
}
