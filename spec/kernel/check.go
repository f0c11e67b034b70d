package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Limits of Check.
const (
	MaxFile  = 1 << 25 // bytes
	MaxSteps = 1 << 16
)

// CheckError says where a serialised derivation fails; Step is -1 for its header.
type CheckError struct {
	Step   int
	Detail string
	Err    error // the refusal of a rule, if that is it
}

func (e *CheckError) Error() string {
	where := "header"
	if e.Step >= 0 {
		where = fmt.Sprintf("step %d", e.Step)
	}
	return fmt.Sprintf("kernel: derivation, %s: %s", where, e.Detail)
}

// Unwrap returns the refusal.
func (e *CheckError) Unwrap() error { return e.Err }

func bad(step int, format string, args ...any) *CheckError {
	return &CheckError{Step: step, Detail: fmt.Sprintf(format, args...)}
}

// Check rebuilds a serialised derivation by the rules, compares every expression,
// interval and side condition with what the file states, and returns the judgment
// of the last step. Every step must be used, and every binding; a file cut after
// the proof of a subexpression proves the subexpression. What comes back is
// proved about the format and the environment that the file names: a caller who
// means others compares Judgment.Context. A wider interval is accepted only as an
// explicit WEAKEN step. The file is the text that json.Marshal gives of the result,
// white space aside: no two files say the same.
func Check(data []byte) (Judgment, error) {
	if len(data) > MaxFile {
		return Judgment{}, bad(-1, "over %d bytes", MaxFile)
	}
	var w wireDerivation
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return Judgment{}, &CheckError{-1, "not a derivation: " + err.Error(), err}
	}
	if _, err := dec.Token(); err != io.EOF {
		return Judgment{}, bad(-1, "something follows the derivation")
	}
	if len(w.Steps) == 0 || len(w.Steps) > MaxSteps {
		return Judgment{}, bad(-1, "%d steps; 1 to %d are allowed", len(w.Steps), MaxSteps)
	}
	c, err := w.context()
	if err != nil {
		return Judgment{}, &CheckError{-1, err.Error(), err}
	}
	done := make([]Judgment, 0, len(w.Steps))
	used := make([]bool, len(w.Steps))
	used[len(w.Steps)-1] = true
	keys := map[string]bool{}
	for i, s := range w.Steps {
		var premises []Judgment
		for _, p := range s.Premises {
			if p < 0 || p >= i {
				return Judgment{}, bad(i, "premise %d is no earlier step", p)
			}
			premises = append(premises, done[p])
			used[p] = true
		}
		j, err := c.replay(i, s, premises)
		if err != nil {
			return Judgment{}, err
		}
		if k := j.s.expr.Key(); k != "" {
			keys[k] = true
		}
		done = append(done, j)
	}
	if i := slices.Index(used, false); i >= 0 {
		return Judgment{}, bad(i, "no later step uses it")
	}
	if len(keys) != len(c.env) {
		return Judgment{}, bad(-1, "%d bindings, of which %d are used", len(c.env), len(keys))
	}
	if err := canonical(data, done[len(done)-1]); err != nil {
		return Judgment{}, err
	}
	return done[len(done)-1], nil
}

// canonical compares a file with what MarshalJSON writes. encoding/json reads keys
// in any case, the last of two equal keys, other spellings of a number and texts
// that are not UTF-8; none of these is what it writes.
func canonical(data []byte, j Judgment) error {
	want, err := j.MarshalJSON()
	if err != nil {
		return &CheckError{-1, err.Error(), err}
	}
	var got bytes.Buffer
	if err := json.Compact(&got, data); err != nil {
		return &CheckError{-1, "not a derivation: " + err.Error(), err}
	}
	if bytes.Equal(got.Bytes(), want) {
		return nil
	}
	i := 0
	for i < min(got.Len(), len(want)) && got.Bytes()[i] == want[i] {
		i++
	}
	return bad(-1, "not in canonical form, byte %d of its compact form on: %.40q, not %.40q", i, got.Bytes()[i:], want[i:])
}

func (w wireDerivation) context() (*Context, error) {
	env := Env{}
	for _, b := range w.Env {
		lo, err := lang.ParseDyadic(b.Lo)
		if err != nil {
			return nil, err
		}
		hi, err := lang.ParseDyadic(b.Hi)
		if err != nil {
			return nil, err
		}
		if _, ok := env[b.Key]; ok {
			return nil, &ContextError{b.Key, "bound twice"}
		}
		env[b.Key] = Binding{real.Interval{Lo: lo, Hi: hi}, b.Draw}
	}
	f := w.Format
	c, err := NewContext(spec.Format{Name: f.Name, Precision: f.Precision, EMin: f.EMin, EMax: f.EMax}, env)
	if err == nil && c.wireFormat() != f {
		err = &ContextError{"format", fmt.Sprintf("alpha is %s and T is %s", c.wireFormat().Alpha, c.wireFormat().Overflow)}
	}
	return c, err
}

// replay applies the rule of step i and compares its result with the statement.
func (c *Context) replay(i int, s wireStep, premises []Judgment) (Judgment, error) {
	e, err := lang.Parse[lang.Floats](s.Float)
	if err != nil {
		return Judgment{}, &CheckError{i, "float: " + err.Error(), err}
	}
	var j Judgment
	if s.Rule == RuleWeaken && len(premises) == 1 {
		var lo, hi real.Dyadic
		if lo, err = lang.ParseDyadic(s.Lo); err == nil {
			hi, err = lang.ParseDyadic(s.Hi)
		}
		if err == nil {
			j, err = c.Weaken(real.Interval{Lo: lo, Hi: hi}, premises[0])
		}
	} else {
		j, err = c.apply(s.Rule, e, premises)
	}
	if err != nil {
		return Judgment{}, &CheckError{i, err.Error(), err}
	}
	// Every string is canonical, so equal numbers and trees are equal strings.
	got := j.s.wire()
	if got.Real != s.Real || got.Float != s.Float {
		return Judgment{}, bad(i, "states %.200s => %.200s; the rule gives %.200s => %.200s", s.Real, s.Float, got.Real, got.Float)
	}
	if got.Lo != s.Lo || got.Hi != s.Hi {
		return Judgment{}, bad(i, "states [%.200s, %.200s]; %s gives [%.200s, %.200s]", s.Lo, s.Hi, s.Rule, got.Lo, got.Hi)
	}
	if !slices.Equal(got.Conditions, s.Conditions) {
		return Judgment{}, bad(i, "states other side conditions than those of %s", s.Rule)
	}
	return j, nil
}
