package kernel

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
)

// The notes end their derivations with a line that names what was derived,
//
//	Snap'_R(a, U, s) => Snap'_F(a, u, s), (err1, err2)
//
// by the rule ID: the definitions unfolded. It is written here and is no rule of
// the kernel.

// name is Snap' for stage w, Snap for stage r, and the stage itself for others.
func (d Snap) name(stage string) (real, float string) {
	switch stage {
	case "w":
		return fmt.Sprintf("Snap'_R(a, U, %d)", d.Sign), fmt.Sprintf("Snap'_F(a, u, %d)", d.Sign)
	case "r":
		return fmt.Sprintf("Snap_R(a, U, %d)", d.Sign), fmt.Sprintf("Snap_F(a, u, %d)", d.Sign)
	}
	return strings.ToUpper(stage), stage
}

// absent stands for the derivation of a stage that has none.
func (d Snap) absent(stage string) string {
	if err := d.Refused(stage); err != nil {
		return "<" + err.Error() + ">\n"
	}
	return "<no stage " + stage + ">\n"
}

// Tree draws the derivation of a stage ("w" is Snap') and the line that names it.
func (d Snap) Tree(stage string, st Style) string {
	j, ok := d.Stage(stage)
	if !ok {
		return d.absent(stage)
	}
	re, fl := d.name(stage)
	arrow := [...]string{" => ", " ⇓ ", " => "}[st.Notation]
	lo, hi := st.ends(j.Interval())
	last := fmt.Sprintf("%s%s%s, [%s, %s]", re, arrow, fl, lo, hi)
	tree := j.Tree(st)
	lines := strings.Split(strings.TrimSuffix(tree, "\n"), "\n")
	conclusion := lines[len(lines)-1]
	indent := len(conclusion) - len(strings.TrimLeft(conclusion, " "))
	rule := strings.Repeat("-", max(runes(conclusion)-indent, runes(last)))
	pad := strings.Repeat(" ", indent)
	return tree + pad + rule + " ID\n" + pad + last + "\n"
}

// TeX draws the same in LaTeX.
func (d Snap) TeX(stage string, bits uint) string {
	j, ok := d.Stage(stage)
	if !ok {
		return "% " + d.absent(stage)
	}
	st := Style{lang.LaTeX, bits}
	re, fl := d.name(stage)
	set := strings.NewReplacer("Snap'_R", `\mathrm{Snap}'_{\mathbb{R}}`, "Snap_R", `\mathrm{Snap}_{\mathbb{R}}`,
		"Snap'_F", `\mathrm{Snap}'_{\mathbb{F}}`, "Snap_F", `\mathrm{Snap}_{\mathbb{F}}`)
	lo, hi := st.ends(j.Interval())
	var b strings.Builder
	b.WriteString("\\[\n\\dfrac{\n")
	j.tex(&b, st, 1)
	fmt.Fprintf(&b, "}{\n  %s \\Downarrow %s, [%s, %s]\n}\\;\\text{ID}\n\\]\n", set.Replace(re), set.Replace(fl), lo, hi)
	return b.String()
}

// Outline writes every stage with its judgment or its refusal, for a reader who wants the
// intervals; the derivation of each is its Judgment's.
func (d Snap) Outline(st Style) string {
	var b strings.Builder
	for _, s := range d.Stages {
		if s.Err != nil {
			fmt.Fprintf(&b, "%-8s none: %v\n", s.ID, s.Err.Err)
			continue
		}
		lo, hi := st.ends(s.Judgment.Interval())
		fmt.Fprintf(&b, "%-8s [%s, %s]  %s\n", s.ID, lo, hi, s.Judgment.Float().Format(st.Notation))
	}
	return b.String()
}
