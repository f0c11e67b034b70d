package kernel

import (
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Each rule first encloses the exact results of the operation on all members of
// the operands' intervals in [a, b], requires -T < a and b < T, and widens.

// inRange requires max(|a|, |b|) < T.
func (u *use) inRange(x real.Interval) {
	u.require(CondRange, "exact result", real.Max(x.Lo.Abs(), x.Hi.Abs()), Less, u.context.overflow)
}

// rounded concludes with W of the exact results.
func (u *use) rounded(e lang.Float, x real.Interval, underflow bool) (Judgment, error) {
	u.inRange(x)
	if u.err != nil {
		return Judgment{}, u.err
	}
	return u.conclude(e, u.context.widen(x, underflow))
}

// Add is e1 + e2 => e1 (+) e2, W[a+c, b+d]. Without alpha: a sum of two numbers
// of the format is a multiple of 2^(emin-p+1), so below 2^emin it is one itself.
func (c *Context) Add(x, y Judgment) (Judgment, error) {
	u := c.begin(RuleAdd, x, y)
	u.data()
	a, b := u.operand(0), u.operand(1)
	return u.rounded(lang.NewAdd(x.Float(), y.Float()), real.Interval{Lo: a.Lo.Add(b.Lo), Hi: a.Hi.Add(b.Hi)}, false)
}

// Sub is e1 - e2 => e1 (-) e2, W[a-d, b-c]: the ends are paired crosswise,
// subtraction being decreasing in its second operand. Without alpha, like Add.
func (c *Context) Sub(x, y Judgment) (Judgment, error) {
	u := c.begin(RuleSub, x, y)
	u.data()
	a, b := u.operand(0), u.operand(1)
	return u.rounded(lang.NewSub(x.Float(), y.Float()), real.Interval{Lo: a.Lo.Sub(b.Hi), Hi: a.Hi.Sub(b.Lo)}, false)
}

// Mul is e1 x e2 => e1 (x) e2, W of the least and the greatest of the four
// products of ends: a product is linear in each operand, so its extremes over a
// box are at corners. With alpha: a product may lie anywhere between 0 and 2^emin.
func (c *Context) Mul(x, y Judgment) (Judgment, error) {
	u := c.begin(RuleMul, x, y)
	u.data()
	a, b := u.operand(0), u.operand(1)
	var corners []real.Dyadic
	for _, p := range [2]real.Dyadic{a.Lo, a.Hi} {
		corners = append(corners, p.Mul(b.Lo), p.Mul(b.Hi))
	}
	ends := real.Point(corners[0])
	for _, p := range corners[1:] {
		ends = real.Interval{Lo: real.Min(ends.Lo, p), Hi: real.Max(ends.Hi, p)}
	}
	return u.rounded(lang.NewMul(x.Float(), y.Float()), ends, true)
}

// Quo is e1 / e2 => e1 (/) e2, W of the least and the greatest of the four
// quotients of ends, provided 0 is not in [c, d]: then a quotient is monotone in
// each operand, and its extremes are at corners. With alpha, like Mul. The largest
// quotient is max(|a|,|b|)/min(|c|,|d|), so the range is decided by products,
// exactly; the quotients are enclosed.
func (c *Context) Quo(x, y Judgment) (Judgment, error) {
	u := c.begin(RuleQuo, x, y)
	u.data()
	a, b := u.operand(0), u.operand(1)
	if b.Hi.Sign() < 0 {
		u.require(CondDivisor, "divisor", b.Hi, Less, real.Dyadic{})
	} else {
		u.require(CondDivisor, "divisor", real.Dyadic{}, Less, b.Lo)
	}
	least := real.Min(b.Lo.Abs(), b.Hi.Abs())
	u.require(CondRange, "|dividend| < T |divisor|", real.Max(a.Lo.Abs(), a.Hi.Abs()), Less, least.Mul(u.context.overflow))
	if u.err != nil {
		return Judgment{}, u.err
	}
	q, err := a.Quo(b, u.context.bits)
	if err != nil {
		u.refuse(CondDivisor, "%v", err)
	}
	return u.conclude(lang.NewQuo(x.Float(), y.Float()), u.context.widen(q, true))
}

// Ln is ln e => LN(e), W[ln a, ln b] with outward enclosures, provided a > 0.
//
// Without alpha when emin <= -p: the operand v is 1, with ln v = 0, or |ln v| >
// 2^-p >= 2^emin. For below 1 the nearest number of p bits is 1 - 2^-p (a draw has
// p bits too) and -ln(1 - t) > t; above 1 it is 1 + 2^(1-p), and ln(1 + 2t) > 2t - 2t^2
// >= t for t = 2^-p <= 1/2. That is about v, not about a and b, which need not be
// numbers of the format.
//
// The range condition is on the enclosure, so a logarithm within 2^-(p+63) of T
// is refused; T is at least 3/2·2^emax, which ln reaches only in tiny formats and for
// draws of exponents beyond 2^emax.
func (c *Context) Ln(x Judgment) (Judgment, error) {
	u := c.begin(RuleLn, x)
	a := u.operand(0)
	u.require(CondPositive, "operand", real.Dyadic{}, Less, a.Lo)
	if u.err != nil {
		return Judgment{}, u.err
	}
	l, err := real.LnInterval(a, u.context.bits)
	if err != nil {
		u.refuse(CondPositive, "%v", err)
	}
	f := u.context.format
	return u.rounded(lang.NewLn(x.Float()), l.Outward(u.context.bits), f.EMin > -int64(f.Precision))
}
