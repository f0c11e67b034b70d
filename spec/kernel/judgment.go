package kernel

import (
	"slices"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Rule names an inference rule.
type Rule string

// The rules, in the order of their files.
const (
	RuleConst      Rule = "CONST"
	RuleConstExact Rule = "CONST-EXACT"
	RuleVar        Rule = "VAR"
	RuleApply      Rule = "APPLY"
	RuleSample     Rule = "SAMPLE"
	RuleAdd        Rule = "OP+"
	RuleSub        Rule = "OP-"
	RuleMul        Rule = "OPx"
	RuleQuo        Rule = "OP/"
	RuleLn         Rule = "LN"
	RuleNeg        Rule = "NEG"
	RuleClamp      Rule = "CLAMP"
	RuleRound      Rule = "ROUND"
	RuleWeaken     Rule = "WEAKEN"
)

// Rules lists every rule.
func Rules() []Rule {
	return []Rule{
		RuleConst, RuleConstExact, RuleVar, RuleApply, RuleSample, RuleAdd, RuleSub, RuleMul, RuleQuo,
		RuleLn, RuleNeg, RuleClamp, RuleRound, RuleWeaken,
	}
}

// Judgment is a proved e_R => e_F, [lo, hi]. Its zero value is none; it holds no
// field another package could set, and only the rules return others.
type Judgment struct{ s *step }

// step is one use of a rule. Steps are never changed once made.
type step struct {
	context  *Context
	rule     Rule
	premises []Judgment
	expr     lang.Float // e_R is the same tree read over the reals
	ends     real.Interval
	draw     bool // the value is a Draw, and need not be a number of the format
	conds    []Condition
}

// ErrInvalid is the error of a Judgment that no rule made.
const ErrInvalid real.Error = "kernel: not a judgment: no rule made it"

// Valid reports whether j was made by a rule.
func (j Judgment) Valid() bool { return j.s != nil }

// Err returns ErrInvalid for a Judgment that no rule made.
func (j Judgment) Err() error {
	if j.s == nil {
		return ErrInvalid
	}
	return nil
}

// step returns what may be read, empty for an invalid Judgment.
func (j Judgment) step() *step {
	if j.s == nil {
		return &step{}
	}
	return j.s
}

// Real returns e_R.
func (j Judgment) Real() lang.Real { return lang.ToReal(j.step().expr) }

// Float returns e_F.
func (j Judgment) Float() lang.Float { return j.step().expr }

// Interval returns [lo, hi].
func (j Judgment) Interval() real.Interval { return j.step().ends }

// Rule returns the rule that concludes j.
func (j Judgment) Rule() Rule { return j.step().rule }

// Premises returns the judgments the rule was applied to.
func (j Judgment) Premises() []Judgment { return slices.Clone(j.step().premises) }

// Conditions returns the side conditions that were checked, with their numbers.
func (j Judgment) Conditions() []Condition { return slices.Clone(j.step().conds) }

// Context returns the format and environment j is about, nil if j is none.
func (j Judgment) Context() *Context {
	if j.s == nil {
		return nil
	}
	return &Context{j.s.context.facts}
}
