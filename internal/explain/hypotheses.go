package explain

import (
	"github.com/dp-crosscheck/crosscheck/spec"
)

// hypotheses decides every hypothesis that speaks about explicit parameters, and
// first the one about the draw, which both claims make in their first line.
func (e *Explanation) hypotheses(c snapCase, unit spec.Value) {
	e.Hypotheses = append(e.Hypotheses, unboundedDraw(c))
	q := spec.NewQuantities(c.params, unit)
	for _, h := range spec.Hypotheses {
		if h.ID == "epsilon-above-floor" {
			continue // a condition on a budget; these parameters have none
		}
		x := Hypothesis{ID: h.ID, Statement: h.Statement, Section: h.Section, Holds: new(h.Holds(spec.Claim{}, q))}
		for _, c := range spec.Claims {
			for _, id := range c.Hypotheses {
				if id == h.ID {
					x.Claims = append(x.Claims, c.Name)
				}
			}
		}
		e.Hypotheses = append(e.Hypotheses, x)
	}
}

// unboundedDraw decides whether u is a draw of the unbounded U*. A given u decides
// that only where the other kind cannot give it.
func unboundedDraw(c snapCase) Hypothesis {
	h := Hypothesis{ID: "unbounded-draw", Statement: "u is drawn from the unbounded U*", Section: "2.1"}
	for _, c := range spec.Claims {
		h.Claims = append(h.Claims, c.Name)
	}
	switch f := c.params.Format; {
	case c.kind == spec.Unbounded:
		h.Holds = new(true)
	case c.kind != "":
		h.Holds = new(false)
		h.Note = "neither theorem is about the " + string(c.kind) + " kind, and for it the published bound is refuted (proofs/published-draw.md)"
	case f.Contains(c.u.Value(f)):
		h.Note = "u was given, and both kinds draw it; the theorems are about how it is drawn"
	default:
		h.Holds = new(true)
		h.Note = "u was given, and only the unbounded kind draws it: it is no number of " + f.Name
	}
	return h
}
