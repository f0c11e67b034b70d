package explain

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Published explains a published case: also why it is there, and whether the
// oracle gives the published answer.
func Published(f corpus.File, c corpus.Case) (*Explanation, error) {
	e, err := Case(c.Case)
	if err != nil {
		return nil, err
	}
	e.Comment = c.Comment
	for _, name := range c.Flags {
		flag := f.Flags[name]
		e.Flags = append(e.Flags, Flag{Name: name, Why: flag.Why, Risk: flag.Risk, Section: flag.Section})
	}
	op, _ := ops.Find(c.Op) // Case has found it
	e.Outcome.Published = new(wire.Compare(op.Signature, c.Want, ops.Oracle().Answer(c.Case)) == nil)
	return e, nil
}

// Case explains a case of any operation: what the voters say, and for the
// mechanism every stage.
func Case(c wire.Case) (*Explanation, error) {
	op, ok := ops.Find(c.Op)
	if !ok {
		return nil, fmt.Errorf("unknown operation %q", c.Op)
	}
	e := &Explanation{Title: op.Op + ": " + op.Doc}
	if c.ID != "" {
		e.Title = c.ID + " (" + op.Doc + ")"
	}
	for _, f := range op.In {
		if v, ok := c.In[f.Name]; ok {
			e.Inputs = append(e.Inputs, number(f.Name, f.Doc, v))
		}
	}
	judge := ops.Oracle().Answer(c)
	for _, v := range ops.Voters() {
		r := v.Answer(c)
		if r.Skip != "" {
			continue
		}
		if d := wire.Compare(op.Signature, judge, r); d != nil {
			return nil, fmt.Errorf("%s differs from the oracle in %s: %s instead of %s", v.Name(), d.Field, d.Got, d.Want)
		}
		e.Outcome.Agree = append(e.Outcome.Agree, v.Name())
	}
	e.Outcome.Reject, e.Outcome.Why = judge.Reject, judge.Detail
	for _, f := range op.Out {
		if v, ok := judge.Out[f.Name]; ok {
			e.Outcome.Values = append(e.Outcome.Values, number(f.Name, f.Doc, v))
		}
	}
	switch c.Op {
	case "snap", "snap_release":
		s, ok := e.snapOf(c)
		if !ok {
			return e, nil
		}
		return e, e.explainSnap(s)
	case "ln", "ln_pair":
		return e, e.explainLn(c, judge)
	case "round_multiple":
		e.explainRound(c, judge)
	}
	return e, nil
}

// snapOf reads a case of snap, or draws the random inputs of snap_release from
// its tape. ok is false when the case has no evaluation.
func (e *Explanation) snapOf(c wire.Case) (s snapCase, ok bool) {
	in := c.In
	s.params = spec.SnapParams{
		Format: spec.Binary64, Scale: spec.ScaleKind(in["scale"].Text),
		Value: spec.FromBits64(in["value"].Bits()), Lo: spec.FromBits64(in["lo"].Bits()), Hi: spec.FromBits64(in["hi"].Bits()),
	}
	s.f = spec.FromBits64(in["f"].Bits())
	if c.Op == "snap" {
		if !in["m"].Big().IsUint64() || !in["e"].Big().IsInt64() {
			return s, false
		}
		s.u = spec.U{M: in["m"].Big().Uint64(), E: in["e"].Big().Int64()}
		s.s = 1
		if in["s"].Text == "-1" {
			s.s = -1
		}
		return s, true
	}
	_, u, sign, n, err := oracle.Release(s.params, spec.Kind(in["kind"].Text), s.f, in["tape"].Bytes())
	if err != nil {
		return s, false
	}
	e.Notes = append(e.Notes,
		fmt.Sprintf("the tape's first bit gives s = %+d; the next %d of %d bits give u = (1 + m 2^-52) 2^-e with m = %d, e = %d",
			sign, n-1, 8*len(in["tape"].Bytes()), u.M, u.E))
	s.u, s.s, s.kind = u, sign, spec.Kind(in["kind"].Text)
	return s, true
}
