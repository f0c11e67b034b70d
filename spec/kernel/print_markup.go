package kernel

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
)

// Markdown writes the derivation as a table, premises before conclusions, each
// distinct judgment once.
func (j Judgment) Markdown(st Style) string {
	if s := j.drawable(); s != "" {
		return s
	}
	var b strings.Builder
	b.WriteString("| # | rule | from | judgment | side conditions |\n|---|---|---|---|---|\n")
	index := map[*step]int{}
	order, _ := j.steps(MaxDrawn) // drawable: as a tree it has no more
	for i, s := range order {
		var from, conds []string
		for _, p := range s.premises {
			from = append(from, fmt.Sprint(index[p.s]))
		}
		for _, c := range s.conds {
			conds = append(conds, code(st.condition(c)))
		}
		index[s] = i + 1
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", index[s], s.rule, strings.Join(from, ", "),
			code(Judgment{s}.Statement(st)), strings.Join(conds, "<br>"))
	}
	return b.String()
}

// code is a Markdown code span; names hold no backquote, and no notation a bar.
func code(s string) string { return "`" + s + "`" }

// TeX writes the derivation in LaTeX, as the notes stack their inferences: each
// rule a fraction, premises above, with the rule's name beside it. It needs amsmath.
func (j Judgment) TeX(bits uint) string {
	if s := j.drawable(); s != "" {
		return "% " + s
	}
	var b strings.Builder
	b.WriteString("\\[\n")
	j.tex(&b, Style{lang.LaTeX, bits}, 0)
	b.WriteString("\\]\n")
	return b.String()
}

func (j Judgment) tex(b *strings.Builder, st Style, outer int) {
	j.visit(func(j Judgment, depth, place int) {
		indent := strings.Repeat("  ", outer+depth)
		if place > 0 {
			fmt.Fprintf(b, "%s\\qquad\n", indent)
		}
		fmt.Fprintf(b, "%s\\dfrac{\n", indent)
		if len(j.s.premises) == 0 {
			fmt.Fprintf(b, "%s  %s\n", indent, j.axiom())
		}
	}, func(j Judgment, depth, _ int) {
		indent := strings.Repeat("  ", outer+depth)
		fmt.Fprintf(b, "%s}{\n%s  %s\n%s}\\;\\text{%s}\n", indent, indent, j.Statement(st), indent, texRule(j.s.rule))
	})
}

// axiom is what stands above the line of a rule without premises.
func (j Judgment) axiom() string {
	e := j.s.expr.Format(lang.LaTeX)
	switch j.s.rule {
	case RuleConst:
		return `c = \mathrm{fl}(` + e + ")"
	case RuleConstExact:
		return e + ` \in \mathbb{F}`
	}
	return e + ` \text{ in the environment}`
}

func texRule(r Rule) string {
	switch r {
	case RuleMul:
		return `OP\,$\times$`
	case RuleQuo:
		return `OP\,$\div$`
	case RuleAdd:
		return `OP\,$+$`
	case RuleSub:
		return `OP\,$-$`
	}
	return string(r)
}
