package explain

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// digits is the number of significant digits of a real value that is shown.
const digits = 21

// decimal is the leading digits of a number: cut off, never rounded, so that the
// number continues them.
type decimal struct {
	neg    bool
	digits string // the first is not 0
	exp    int    // of the first digit
	more   bool   // further digits, not all 0, follow
}

// leading returns the first n significant digits of d, which is not 0. ok is false
// when d takes over a million bits to write out.
func leading(d real.Dyadic, n int) (x decimal, ok bool) {
	r, ok := d.Abs().Rat()
	if !ok {
		return decimal{}, false
	}
	// Only a guess: how many digits come out says what it should have been.
	exp := int(math.Floor(float64(d.Top()) * math.Log10(2)))
	for {
		num, den := r.Num(), r.Denom()
		if s := n - 1 - exp; s >= 0 {
			num = new(big.Int).Mul(num, pow10(s))
		} else {
			den = new(big.Int).Mul(den, pow10(-s))
		}
		q, rest := new(big.Int).QuoRem(num, den, new(big.Int))
		text := q.String() // "0" has one digit, as 1 to 9 have; q is 0 only if exp is too large
		switch {
		case len(text) > n:
			exp++
		case len(text) < n || q.Sign() == 0:
			exp--
		default:
			return decimal{d.Sign() < 0, text, exp, rest.Sign() != 0}, true
		}
	}
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// String writes the digits, without an exponent where that is readable, and an
// ellipsis where more follow.
func (x decimal) String() string {
	sign, text, dots := "", x.digits, "…"
	if x.neg {
		sign = "-"
	}
	if !x.more {
		text, dots = strings.TrimRight(text, "0"), ""
	}
	switch {
	case x.exp < -6 || x.exp >= digits:
		return fmt.Sprintf("%s%s%se%+03d", sign, x.point(text, 1), dots, x.exp)
	case x.exp < 0:
		return sign + "0." + strings.Repeat("0", -x.exp-1) + text + dots
	case len(text) > x.exp:
		return sign + x.point(text, x.exp+1) + dots
	case x.more: // the digits before the point are not all known
		return fmt.Sprintf("%s%s%se%+03d", sign, x.point(text, 1), dots, x.exp)
	}
	return sign + text + strings.Repeat("0", x.exp+1-len(text))
}

// point puts the decimal point after n digits, if any follow.
func (x decimal) point(text string, n int) string {
	if len(text) <= n && !x.more {
		return text
	}
	return text[:n] + "." + text[n:]
}

// exactly writes a dyadic in decimal: in full when it has at most 40 decimals and
// is below 2^64, and otherwise its first 21 digits.
func exactly(d real.Dyadic) string {
	if d.IsZero() {
		return "0"
	}
	if d.Low() >= -40 && d.Top() < 64 {
		r, _ := d.Rat()
		return r.FloatString(int(max(0, -d.Low()))) // each bit below the point takes one decimal
	}
	x, ok := leading(d, digits)
	if !ok {
		return hexadecimal(real.Point(d))
	}
	return x.String()
}

// enclosed writes an irrational number that lies in x (or, where x is a point, that
// point): the digits on which both ends agree, at most 21.
func enclosed(x real.Interval) string {
	if x.IsPoint() {
		return exactly(x.Lo)
	}
	if x.Lo.Sign()*x.Hi.Sign() > 0 {
		for n := digits; n > 0; n-- {
			lo, ok1 := leading(x.Lo, n)
			hi, ok2 := leading(x.Hi, n)
			if !ok1 || !ok2 {
				break
			}
			if lo.exp == hi.exp && lo.digits == hi.digits {
				lo.more = true
				return lo.String()
			}
		}
	}
	return hexadecimal(x)
}

// hexadecimal writes an interval, outward to 64 bits.
func hexadecimal(x real.Interval) string {
	if out := x.Outward(64); !out.IsPoint() {
		return fmt.Sprintf("in [%v, %v]", out.Lo, out.Hi)
	}
	return x.Lo.String()
}
