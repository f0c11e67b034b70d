package kernel

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ConditionID names a side condition of a rule.
type ConditionID string

// The side conditions.
const (
	CondRange      ConditionID = "range"      // the exact result rounds to a finite number: < T
	CondDatum      ConditionID = "datum"      // a number belongs to the format
	CondBound      ConditionID = "bound"      // the environment binds the leaf
	CondOrder      ConditionID = "order"      // lo <= hi
	CondDivisor    ConditionID = "divisor"    // the divisor's interval lacks 0
	CondPositive   ConditionID = "positive"   // ln's operand is positive
	CondFinite     ConditionID = "finite"     // a multiple is at most the largest finite number
	CondWider      ConditionID = "wider"      // weakening widens
	CondExpressed  ConditionID = "expression" // the expression can be built (lang's limits)
	CondContext    ConditionID = "context"    // the premises are judgments of this context
	CondOperand    ConditionID = "operand"    // the operand is a datum, not a Draw
	CondReadable   ConditionID = "readable"   // an end given has few enough bits
	CondSameRule   ConditionID = "rule"       // (Check) the rule exists
	CondSameResult ConditionID = "result"     // (Check) the rule gives what the file states
)

// Relation of a Condition.
type Relation string

// The relations. InFormat is unary: Right is unused.
const (
	Less     Relation = "<"
	AtMost   Relation = "<="
	InFormat Relation = "in F"
)

// Condition is a side condition that held: Left Rel Right, on exact numbers.
type Condition struct {
	ID    ConditionID
	Left  real.Dyadic
	Rel   Relation
	Right real.Dyadic
}

func (c Condition) holds(k *Context) bool {
	switch c.Rel {
	case Less:
		return c.Left.Cmp(c.Right) < 0
	case AtMost:
		return c.Left.Cmp(c.Right) <= 0
	case InFormat:
		return k.format.Contains(c.Left)
	}
	return false
}

// String writes the condition with its numbers, exactly.
func (c Condition) String() string {
	s := fmt.Sprintf("%s: %s %s", c.ID, lang.DyadicString(c.Left), c.Rel)
	if c.Rel == InFormat {
		return s
	}
	return s + " " + lang.DyadicString(c.Right)
}

// Refusal says which rule refused and which side condition failed.
type Refusal struct {
	Rule      Rule
	Condition ConditionID
	Detail    string
}

func (e *Refusal) Error() string {
	return fmt.Sprintf("kernel: %s refused (%s): %s", e.Rule, e.Condition, e.Detail)
}
