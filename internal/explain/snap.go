package explain

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// uses says what the privacy proof needs of each stage (docs/theory.md 6.1).
var uses = map[string]string{
	"unit":    "Lambda >= lambda: a cell is at least e wide in probability ratio; range keeps it finite",
	"ln":      "LN is correctly rounded: |LN(u) - ln u| <= eta |ln u|",
	"y":       "scale-at-least-2^-960: thresholds are normal, so this rounding is relative too",
	"z":       "exact: the two signs mirror each other",
	"x":       "clamping is 1-Lipschitz: |x - x'| <= |f - f'| <= sensitivity",
	"w":       "the threshold of a cell edge depends on the edge alone, not on x",
	"rounded": "cells are half-open intervals between odd multiples of Lambda/2, the same for f and f'",
	"r":       "post-processing",
}

// snapCase is a case of snap or snap_release with its random inputs known.
type snapCase struct {
	params spec.SnapParams
	f      spec.Value
	u      spec.U
	s      spec.Sign
}

// explainSnap fills in the stages, the hypotheses and the derivation. A refusal
// of the mechanism is the outcome, which the caller has already noted.
func (e *Explanation) explainSnap(c snapCase) error {
	t, err := oracle.SnapF(c.params, c.f, c.u, c.s)
	if err != nil {
		return nil
	}
	r, err := oracle.SnapR(c.params, c.f, c.u.Value(c.params.Format), c.s, 160)
	if err != nil {
		return err
	}
	e.hypotheses(c.params, t.Unit)
	d, err := kernel.SnapDerivation(c.params, c.f, c.u, c.s)
	var stopped *kernel.SnapError
	if err != nil && !errors.As(err, &stopped) {
		return err
	}
	reals := map[string]string{
		"unit": exactly(r.Unit), "ln": enclosed(r.Ln), "y": enclosed(r.Y), "z": enclosed(r.Z),
		"x": exactly(r.X), "w": enclosed(r.W), "rounded": exactly(r.Rounded), "r": exactly(r.R),
	}
	for i, v := range t.Stages() {
		def := spec.SnapStages[i]
		st := Stage{ID: def.ID, Formula: def.Float, Value: datum(def.ID, v), Real: reals[def.ID], Uses: uses[def.ID]}
		switch j, ok := d.Stage(def.ID); {
		case ok:
			ends := j.Interval().Outward(64)
			st.Lo, st.Hi, st.Rule = ends.Lo.String(), ends.Hi.String(), string(j.Rule())
			st.Inside = v.IsFinite() && j.Interval().Contains(v.Dyadic())
		case stopped != nil && def.ID != "unit":
			st.Refused = "an earlier stage has no finite interval"
			if stopped.Stage == def.ID {
				st.Refused = stopped.Err.Error()
			}
		}
		st.Happens = happened(def.ID, c, t)
		e.Stages = append(e.Stages, st)
	}
	if w, ok := d.Stage("w"); ok {
		e.Derivation = Derivation{
			Outline: w.Outline(w.Readable()), Tree: w.Tree(w.Readable()),
			Markdown: w.Markdown(w.Readable()), TeX: w.TeX(64),
		}
	}
	return nil
}

// hypotheses decides every hypothesis that speaks about explicit parameters.
func (e *Explanation) hypotheses(p spec.SnapParams, unit spec.Value) {
	q := spec.NewQuantities(p, unit)
	for _, h := range spec.Hypotheses {
		x := Hypothesis{ID: h.ID, Statement: h.Statement, Section: h.Section}
		for _, c := range spec.Claims {
			for _, id := range c.Hypotheses {
				if id == h.ID {
					x.Claims = append(x.Claims, c.Name)
				}
			}
		}
		if h.ID == "epsilon-above-floor" {
			continue // a condition on a budget; these parameters have none
		}
		x.Holds = h.Holds(spec.Claim{}, q)
		e.Hypotheses = append(e.Hypotheses, x)
	}
}

// happened says what is special at a stage.
func happened(stage string, c snapCase, t spec.Trace) string {
	switch stage {
	case "x":
		if c.f.Cmp(t.X) != 0 {
			return "the first clamp acts"
		}
	case "y":
		switch {
		case t.Y.IsInf():
			return "overflows; the infinity is carried"
		case t.Y.IsZero():
			return "underflows to zero"
		}
	case "w":
		switch {
		case t.W.IsInf():
			return "an infinity, carried and clamped"
		case !t.Z.IsZero() && t.W.Same(t.X):
			return "the noise is at most half an ulp of x and is absorbed"
		}
	case "rounded":
		if !t.W.IsFinite() || !t.Rounded.IsFinite() {
			return ""
		}
		gap := t.W.Dyadic().Sub(t.Rounded.Dyadic()).Abs()
		half := t.Unit.Dyadic().Shift(-1)
		switch {
		case gap.Equal(half):
			return "w is exactly halfway between two multiples: the tie goes toward +inf"
		case gap.IsZero():
			return "w is a multiple already"
		case half.Sub(gap).Cmp(real.Pow2(c.params.Format.UlpExponent(t.W.Dyadic())+1)) <= 0:
			return "w is within two ulps of halfway"
		}
	case "r":
		if t.R.Cmp(t.Rounded) != 0 {
			return "the second clamp acts"
		}
	}
	return ""
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
	if in["kind"].Text != string(spec.Unbounded) {
		e.Notes = append(e.Notes, "the theorems are about the unbounded U*: for the binary64 kind the published bound is refuted, whatever hypotheses hold (proofs/published-draw.md)")
	}
	s.u, s.s = u, sign
	return s, true
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
