package kernel

import (
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Neg is -e => -e, [-b, -a]: a sign flip is exact. (The mechanism's s·y, s = -1.)
func (c *Context) Neg(x Judgment) (Judgment, error) {
	u := c.begin(RuleNeg, x)
	u.data()
	return u.conclude(lang.NewNeg(x.Float()), u.operand(0).Neg())
}

// Clamp is clamp_[lo,hi](e) => the same, [clamp(a), clamp(b)]: clamping is monotone,
// and exact provided lo and hi are numbers of the format, one of which it may return.
func (c *Context) Clamp(lo, hi real.Dyadic, x Judgment) (Judgment, error) {
	u := c.begin(RuleClamp, x)
	u.data()
	e := lang.NewClamp(lo, hi, x.Float())
	u.require(CondOrder, "bounds", lo, AtMost, hi)
	u.require(CondDatum, "bound", lo, InFormat, real.Dyadic{})
	u.require(CondDatum, "bound", hi, InFormat, real.Dyadic{})
	a := u.operand(0)
	return u.conclude(e, real.Interval{Lo: lang.ClampDyadic(a.Lo, lo, hi), Hi: lang.ClampDyadic(a.Hi, lo, hi)})
}

// Round is round_L(e) => the same, [round_L(a), round_L(b)], L = 2^unit: nearest
// multiple of L, ties toward +inf. It is monotone. It is exact provided L is a
// number of the format and the multiple does not exceed the largest finite one:
// where L is above the spacing at v, round_L(v) has fewer bits than v or is the
// next power of two, and elsewhere v is a multiple already. The second condition
// can fail, when L > 2^(emax-p): v at most the largest number may round to 2^(emax+1).
func (c *Context) Round(unit int64, x Judgment) (Judgment, error) {
	u := c.begin(RuleRound, x)
	u.data()
	e := lang.NewRound(unit, x.Float())
	if e.Err() != nil {
		return u.conclude(e, real.Interval{})
	}
	u.require(CondDatum, "unit", real.Pow2(unit), InFormat, real.Dyadic{})
	a := u.operand(0)
	if u.err != nil {
		return Judgment{}, u.err
	}
	u.representable(a, unit)
	return u.conclude(e, real.Interval{Lo: lang.NearestMultiple(a.Lo, unit), Hi: lang.NearestMultiple(a.Hi, unit)})
}

// representable requires that no value rounds beyond the largest finite number M:
// values are within [-M, M], even where an end (a bound of e_R as well) is not.
func (u *use) representable(a real.Interval, unit int64) {
	m := u.context.largest
	u.require(CondFinite, "greatest multiple", lang.NearestMultiple(real.Min(a.Hi, m), unit), AtMost, m)
	u.require(CondFinite, "least multiple", m.Neg(), AtMost, lang.NearestMultiple(real.Max(a.Lo, m.Neg()), unit))
}

// Weaken is e => e, [lo, hi] from e => e, [a, b], provided lo <= a and b <= hi.
func (c *Context) Weaken(to real.Interval, x Judgment) (Judgment, error) {
	u := c.begin(RuleWeaken, x)
	a := u.operand(0)
	if u.err == nil && !(u.context.readable(to.Lo) && u.context.readable(to.Hi)) {
		u.refuse(CondReadable, "an end has over %d bits or an exponent beyond 2^22", 2*u.context.bits)
	}
	u.require(CondWider, "low end", to.Lo, AtMost, a.Lo)
	u.require(CondWider, "high end", a.Hi, AtMost, to.Hi)
	if u.err == nil {
		u.draw = x.s.draw
	}
	return u.conclude(x.Float(), to)
}

// readable bounds what later rules have to compute with: sums of ends are exact,
// so exponents must not lie absurdly far apart.
func (c *Context) readable(d real.Dyadic) bool {
	const far = 1 << 22 // beyond every exponent of a spec.Format
	return d.IsZero() || d.Top()-d.Low() < 2*int64(c.bits) && d.Top() < far && d.Low() > -far
}
