package kernel

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// use is a rule being applied. Its methods note the side conditions that hold and
// the first that fails; conclude returns the Judgment only if none failed. A rule
// reads u.context and not its receiver, which someone may be assigning meanwhile.
type use struct {
	step
	err error
}

func (c *Context) begin(rule Rule, premises ...Judgment) *use {
	// A handle of the step's own: what happens to *c later does not reach it.
	u := &use{step: step{context: &Context{c.known()}, rule: rule, premises: premises}}
	if u.context.bits == 0 {
		u.refuse(CondContext, "there is no context")
		return u
	}
	for i, j := range premises {
		switch {
		case j.s == nil:
			u.refuse(CondContext, "premise %d is no judgment", i+1)
		case j.s.context.facts != u.context.facts:
			u.refuse(CondContext, "premise %d belongs to another context", i+1)
		}
	}
	return u
}

func (u *use) refuse(id ConditionID, format string, args ...any) {
	if u.err == nil {
		u.err = &Refusal{u.rule, id, fmt.Sprintf(format, args...)}
	}
}

// require notes a side condition, exactly; what it is about goes into a refusal.
func (u *use) require(id ConditionID, what string, left real.Dyadic, rel Relation, right real.Dyadic) bool {
	if u.err != nil {
		return false
	}
	k := Condition{id, left, rel, right}
	if !k.holds(u.context) {
		u.refuse(id, "%s: %v %s %v fails", what, left, rel, right)
		return false
	}
	u.conds = append(u.conds, k)
	return true
}

// data requires that every premise is about a number of the format.
func (u *use) data() {
	for i, j := range u.premises {
		if u.err == nil && j.s.draw {
			u.refuse(CondOperand, "premise %d is about a draw, which is no number of the format", i+1)
		}
	}
}

// operand is the interval of the i-th premise, [0, 0] once something failed.
func (u *use) operand(i int) real.Interval {
	if u.err != nil {
		return real.Interval{}
	}
	return u.premises[i].s.ends
}

func (u *use) conclude(e lang.Float, ends real.Interval) (Judgment, error) {
	if err := e.Err(); err != nil {
		u.refuse(CondExpressed, "%v", err)
	}
	if u.err != nil {
		return Judgment{}, u.err
	}
	s := u.step
	s.expr, s.ends = e, ends
	return Judgment{&s}, nil
}

// Const is r => fl(r), W[r, r], provided |r| < T. alpha is needed: r is any real.
func (c *Context) Const(r lang.Number) (Judgment, error) {
	u := c.begin(RuleConst)
	e := lang.NewConst[lang.Floats](r)
	if u.err != nil || e.Err() != nil { // a number beyond lang's limits is not computed with
		return u.conclude(e, real.Interval{})
	}
	x := r.Enclose(u.context.bits)
	// |r| < T exactly. The condition noted has |r| rounded toward 0, which is
	// the same question: T has p + 1 bits, so |r| >= T iff it is when truncated.
	if r.CmpAbs(u.context.overflow) >= 0 {
		u.refuse(CondRange, "|%v| < T = %v fails", r, u.context.overflow)
	}
	u.require(CondRange, "constant", real.Min(x.Lo.Abs(), x.Hi.Abs()), Less, u.context.overflow)
	if u.err != nil {
		return Judgment{}, u.err
	}
	return u.conclude(e, u.context.widen(x, true))
}

// ConstExact is c => c, [c, c], provided c is a number of the format: then fl(c) = c.
func (c *Context) ConstExact(r lang.Number) (Judgment, error) {
	u := c.begin(RuleConstExact)
	d, ok := r.Dyadic()
	if !ok {
		u.refuse(CondDatum, "%v is not dyadic", r)
	}
	u.require(CondDatum, "constant", d, InFormat, real.Dyadic{})
	return u.conclude(lang.NewConst[lang.Floats](r), real.Point(d))
}

// Var is X => x, [lo, hi], provided the environment says that of x.
func (c *Context) Var(name string) (Judgment, error) {
	return c.leaf(RuleVar, lang.NewVar[lang.Floats](name))
}

// Apply is F(X) => f(x), [lo, hi], provided the environment says that of f(x).
func (c *Context) Apply(fn, arg string) (Judgment, error) {
	return c.leaf(RuleApply, lang.NewApply[lang.Floats](fn, arg))
}

// Sample is (X <-$ mu) => (x <-$ mu), [lo, hi], provided the environment says
// that of x: the value drawn. Nothing is read off mu, whose e_F and e_R differ.
func (c *Context) Sample(name string, mu lang.Dist) (Judgment, error) {
	return c.leaf(RuleSample, lang.NewSample[lang.Floats](name, mu))
}

func (c *Context) leaf(rule Rule, e lang.Float) (Judgment, error) {
	u := c.begin(rule)
	if e.Err() != nil {
		return u.conclude(e, real.Interval{})
	}
	b, ok := u.context.env[e.Key()]
	if !ok {
		u.refuse(CondBound, "the environment does not give %s", e.Key())
	}
	u.draw = b.Draw
	// NewContext has checked these; they are noted so that the derivation shows them.
	u.require(CondOrder, e.Key(), b.Lo, AtMost, b.Hi)
	if b.Draw {
		u.require(CondPositive, e.Key(), real.Dyadic{}, Less, b.Lo)
		u.require(CondRange, e.Key(), b.Hi, Less, real.One())
	} else {
		u.require(CondDatum, e.Key(), b.Lo, InFormat, real.Dyadic{})
		u.require(CondDatum, e.Key(), b.Hi, InFormat, real.Dyadic{})
	}
	return u.conclude(e, b.Interval)
}
