package kernel

import "github.com/dp-crosscheck/crosscheck/spec/lang"

// Derive applies the rule of each construction of e in turn, CONST-EXACT where it
// applies. It is no part of what is trusted. The error is a *Refusal.
func Derive(c *Context, e lang.Float) (Judgment, error) {
	var args []Judgment
	for _, a := range e.Args() {
		j, err := Derive(c, a)
		if err != nil {
			return Judgment{}, err
		}
		args = append(args, j)
	}
	if e.Op() == lang.Const {
		if j, err := c.ConstExact(e.Number()); err == nil {
			return j, nil
		}
	}
	rule, ok := ruleOf[e.Op()]
	if !ok {
		return Judgment{}, &Refusal{"", CondExpressed, "no expression"}
	}
	return c.apply(rule, e, args)
}

var ruleOf = map[lang.Op]Rule{
	lang.Const: RuleConst, lang.Var: RuleVar, lang.Apply: RuleApply, lang.Sample: RuleSample,
	lang.Add: RuleAdd, lang.Sub: RuleSub, lang.Mul: RuleMul, lang.Quo: RuleQuo, lang.Ln: RuleLn,
	lang.Neg: RuleNeg, lang.Clamp: RuleClamp, lang.Round: RuleRound,
}

// arity is the number of premises of a rule.
var arity = map[Rule]int{
	RuleAdd: 2, RuleSub: 2, RuleMul: 2, RuleQuo: 2, RuleLn: 1, RuleNeg: 1, RuleClamp: 1, RuleRound: 1, RuleWeaken: 1,
}

// apply applies a rule (not WEAKEN) whose parameters are those of the outermost
// construction of e to the premises.
func (c *Context) apply(rule Rule, e lang.Float, args []Judgment) (Judgment, error) {
	if len(args) != arity[rule] {
		return Judgment{}, &Refusal{rule, CondContext, "wrong number of premises"}
	}
	switch rule {
	case RuleConst:
		return c.Const(e.Number())
	case RuleConstExact:
		return c.ConstExact(e.Number())
	case RuleVar:
		return c.Var(e.Name())
	case RuleApply:
		return c.Apply(e.Name(), e.Argument())
	case RuleSample:
		return c.Sample(e.Name(), e.Dist())
	case RuleAdd:
		return c.Add(args[0], args[1])
	case RuleSub:
		return c.Sub(args[0], args[1])
	case RuleMul:
		return c.Mul(args[0], args[1])
	case RuleQuo:
		return c.Quo(args[0], args[1])
	case RuleLn:
		return c.Ln(args[0])
	case RuleNeg:
		return c.Neg(args[0])
	case RuleClamp:
		lo, hi := e.Bounds()
		return c.Clamp(lo, hi, args[0])
	case RuleRound:
		return c.Round(e.Unit(), args[0])
	}
	return Judgment{}, &Refusal{rule, CondSameRule, "there is no such rule"}
}
