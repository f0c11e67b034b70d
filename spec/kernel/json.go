package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
)

// The serialised form of a derivation: its format, the bindings it uses, and its
// steps, premises before conclusions, shared steps once. Numbers are strings that
// lang.ParseDyadic reads; expressions are in lang's plain notation. The parameters
// of a rule stand in the outermost construction of its e_F.
type (
	wireDerivation struct {
		Format wireFormat    `json:"format"`
		Env    []wireBinding `json:"env"`
		Steps  []wireStep    `json:"steps"`
	}
	wireFormat struct {
		Name      string `json:"name"`
		Precision uint   `json:"p"`
		EMin      int64  `json:"emin"`
		EMax      int64  `json:"emax"`
		// What follows from them, so that a changed exponent does not go unnoticed in a
		// derivation that comes near neither end of the range.
		Alpha    string `json:"alpha"`
		Overflow string `json:"overflow"`
	}
	wireBinding struct {
		Key  string `json:"key"`
		Lo   string `json:"lo"`
		Hi   string `json:"hi"`
		Draw bool   `json:"draw,omitempty"`
	}
	wireStep struct {
		Rule       Rule            `json:"rule"`
		Premises   []int           `json:"premises,omitempty"` // earlier steps, from 0
		Real       string          `json:"real"`
		Float      string          `json:"float"`
		Lo         string          `json:"lo"`
		Hi         string          `json:"hi"`
		Conditions []wireCondition `json:"conditions,omitempty"`
	}
	wireCondition struct {
		ID    ConditionID `json:"id"`
		Left  string      `json:"left"`
		Rel   Relation    `json:"rel"`
		Right string      `json:"right,omitempty"`
	}
)

// SizeError says that a derivation is too large to be written: Check would refuse it.
type SizeError struct {
	Limit int
	Of    string // what the limit counts
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("kernel: a derivation of over %d %s is not written", e.Limit, e.Of)
}

// MarshalJSON writes the derivation of j as Check reads it. The error is
// ErrInvalid, or a *SizeError where Check would refuse what is written.
func (j Judgment) MarshalJSON() ([]byte, error) {
	if err := j.Err(); err != nil {
		return nil, err
	}
	c := j.s.context
	w := wireDerivation{Format: c.wireFormat()}
	used := map[string]bool{}
	index := map[*step]int{}
	order, ok := j.steps(MaxSteps)
	if !ok {
		return nil, &SizeError{MaxSteps, "steps"}
	}
	size := 0
	for i, s := range order {
		e := s.wire()
		// Premises come first, so no expression is much longer than one that was let pass.
		if len(e.Float) > lang.MaxSource {
			return nil, &SizeError{lang.MaxSource, "bytes in an expression"}
		}
		if size += len(e.Real) + len(e.Float) + len(e.Lo) + len(e.Hi); size > MaxFile {
			return nil, &SizeError{MaxFile, "bytes"}
		}
		for _, p := range s.premises {
			e.Premises = append(e.Premises, index[p.s])
		}
		if k := s.expr.Key(); k != "" {
			used[k] = true
		}
		index[s] = i
		w.Steps = append(w.Steps, e)
	}
	for _, k := range slices.Sorted(maps.Keys(used)) {
		b := c.env[k]
		w.Env = append(w.Env, wireBinding{k, lang.DyadicString(b.Lo), lang.DyadicString(b.Hi), b.Draw})
	}
	data, err := json.Marshal(w)
	if err == nil && len(data) > MaxFile {
		return nil, &SizeError{MaxFile, "bytes"}
	}
	return data, err
}

func (c *Context) wireFormat() wireFormat {
	f := c.format
	return wireFormat{f.Name, f.Precision, f.EMin, f.EMax, lang.DyadicString(c.alpha), lang.DyadicString(c.overflow)}
}

// wire gives everything of a step but its premises.
func (s *step) wire() wireStep {
	e := wireStep{
		Rule: s.rule, Real: lang.ToReal(s.expr).String(), Float: s.expr.String(),
		Lo: lang.DyadicString(s.ends.Lo), Hi: lang.DyadicString(s.ends.Hi),
	}
	for _, k := range s.conds {
		c := wireCondition{ID: k.ID, Left: lang.DyadicString(k.Left), Rel: k.Rel}
		if k.Rel != InFormat {
			c.Right = lang.DyadicString(k.Right)
		}
		e.Conditions = append(e.Conditions, c)
	}
	return e
}
