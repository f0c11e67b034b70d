package explain

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
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
	kind   spec.Kind // of the draw; "" where u was given
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
	// Exactly, so that only the enclosure of z limits the digits of w: x may be
	// far larger than z, and w next to a short decimal.
	w := real.Interval{Lo: r.X.Add(r.Z.Lo), Hi: r.X.Add(r.Z.Hi)}
	e.hypotheses(c, t.Unit)
	d, err := kernel.SnapDerivation(c.params, c.f, c.u, c.s)
	var refused *kernel.SnapError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	if c.f.IsInf() {
		e.Notes = append(e.Notes, fmt.Sprintf("no rule of the kernel is about an infinity: in the derivation f(a) is %s, to which f clamps, and x is the same", datum("x", t.X).Decimal))
	}
	reals := map[string]string{
		"unit": exactly(r.Unit), "ln": enclosed(r.Ln), "y": enclosed(r.Y), "z": enclosed(r.Z),
		"x": exactly(r.X), "w": enclosed(w), "rounded": exactly(r.Rounded), "r": exactly(r.R),
	}
	for i, v := range t.Stages() {
		def := spec.SnapStages[i]
		st := Stage{ID: def.ID, Formula: def.Float, Value: datum(def.ID, v), Real: reals[def.ID], Uses: uses[def.ID]}
		if j, ok := d.Stage(def.ID); ok {
			ends := j.Interval().Outward(64)
			st.Lo, st.Hi, st.Rule = ends.Lo.String(), ends.Hi.String(), string(j.Rule())
			if def.ID == "z" && c.s > 0 {
				st.Rule = "identity (s = +1)" // the judgment is that of y: no rule is applied
			}
			st.Inside = new(v.IsFinite() && j.Interval().Contains(v.Dyadic()))
		} else if no := d.Refused(def.ID); no != nil { // unit is no stage of the derivation
			st.Refused = no.Err.Error()
		}
		st.Happens = happened(def.ID, c, t)
		e.Stages = append(e.Stages, st)
	}
	e.Derivation = derivation(d)
	return nil
}

// derivation is that of w, if it has one.
func derivation(d kernel.Snap) Derivation {
	w, ok := d.Stage("w")
	if !ok {
		return Derivation{}
	}
	return Derivation{
		Outline: w.Outline(w.Readable()), Tree: w.Tree(w.Readable()),
		Markdown: w.Markdown(w.Readable()), TeX: w.TeX(64), steps: numbered(w),
	}
}

// inMath puts a circled ln into a text box: \textcircled is no command of math mode.
var inMath = strings.NewReplacer(`\textcircled{\scriptsize ln}`, `\text{\textcircled{\scriptsize ln}}`)

// numbered lists the judgments of a derivation, premises before conclusions, each
// once. A derivation of w is a few levels deep.
func numbered(j kernel.Judgment) (list []step) {
	index := map[kernel.Judgment]int{}
	var walk func(j kernel.Judgment) int
	walk = func(j kernel.Judgment) int {
		if i, ok := index[j]; ok {
			return i
		}
		s := step{rule: string(j.Rule()), re: j.Real().Format(lang.LaTeX), fl: inMath.Replace(j.Float().Format(lang.LaTeX))}
		for _, p := range j.Premises() {
			s.from = append(s.from, walk(p))
		}
		ends := j.Interval().Outward(64)
		s.lo, s.hi = lang.DyadicIn(lang.LaTeX, ends.Lo), lang.DyadicIn(lang.LaTeX, ends.Hi)
		list = append(list, s)
		index[j] = len(list)
		return len(list)
	}
	walk(j)
	return list
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
		}
		// Of coarse values of w a large part is within two ulps of halfway: that is
		// worth saying only where an ulp is small against Lambda.
		ulp := c.params.Format.UlpExponent(t.W.Dyadic())
		if ulp <= t.Unit.Dyadic().Top()-4 && half.Sub(gap).Cmp(real.Pow2(ulp+1)) <= 0 {
			return "w is within two ulps of halfway"
		}
	case "r":
		if t.R.Cmp(t.Rounded) != 0 {
			return "the second clamp acts"
		}
	}
	return ""
}
