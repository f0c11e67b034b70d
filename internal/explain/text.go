package explain

import (
	"fmt"
	"io"
	"strings"
)

// palette is the few styles of the text form; the zero palette writes none.
type palette struct{ bold, dim, good, bad, off string }

var colours = palette{"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m"}

// Text writes the explanation for a terminal, with colour if asked.
func (e *Explanation) Text(w io.Writer, colour bool) {
	p := palette{}
	if colour {
		p = colours
	}
	fmt.Fprintf(w, "%s%s%s\n", p.bold, e.Title, p.off)
	if e.Comment != "" {
		fmt.Fprintln(w, e.Comment)
	}
	for _, f := range e.Flags {
		fmt.Fprintf(w, "%s: %s\n  what goes wrong: %s\n  see %s\n", f.Name, f.Why, f.Risk, f.Section)
	}
	fmt.Fprintf(w, "\n%sInputs%s\n", p.bold, p.off)
	numbers(w, "  ", e.Inputs)
	for _, n := range e.Notes {
		fmt.Fprintf(w, "  %s\n", n)
	}
	if len(e.Hypotheses) > 0 {
		fmt.Fprintf(w, "\n%sHypotheses of the privacy theorems%s\n", p.bold, p.off)
		for _, h := range e.Hypotheses {
			style := map[string]string{"holds": p.good, "BROKEN": p.bad, "open": p.dim}[h.mark()]
			fmt.Fprintf(w, "  %s%-6s%s  %s: %s  %s(%s; docs/theory.md %s)%s\n", style, h.mark(), p.off, h.ID, h.Statement, p.dim, strings.Join(h.Claims, ", "), h.Section, p.off)
			if h.Note != "" {
				fmt.Fprintf(w, "          %s\n", h.Note)
			}
		}
	}
	if len(e.Stages) > 0 {
		fmt.Fprintf(w, "\n%sStages%s\n%svalue: in binary64. real: the same stage in exact arithmetic. interval: proved to contain both.%s\n", p.bold, p.off, p.dim, p.off)
	}
	for i, s := range e.Stages {
		branch, stem := "├─ ", "│  "
		if i == len(e.Stages)-1 {
			branch, stem = "└─ ", "   "
		}
		fmt.Fprintf(w, "%s%s%s%s\n", branch, p.bold, s.Formula, p.off)
		for _, line := range s.lines(p) {
			fmt.Fprintf(w, "%s%s\n", stem, line)
		}
	}
	fmt.Fprintf(w, "\n%sOutcome%s\n", p.bold, p.off)
	if e.Outcome.Reject != "" {
		fmt.Fprintf(w, "  refused: %s (%s)\n", e.Outcome.Reject, e.Outcome.Why)
	}
	numbers(w, "  ", e.Outcome.Values)
	fmt.Fprintf(w, "  %sthe same from %s%s\n", p.dim, strings.Join(e.Outcome.Agree, ", "), p.off)
	if e.Outcome.unlike() {
		fmt.Fprintf(w, "  %sthis is NOT the published answer: please report it%s\n", p.bad, p.off)
	}
	if e.Derivation.Outline != "" {
		fmt.Fprintf(w, "\n%sDerivation of w%s\n%seach line: exact expression ⇓ floating-point expression, interval (rule); below it its side conditions and premises; docs/theory.md 3%s\n%s\n", p.bold, p.off, p.dim, p.off, strings.TrimRight(e.Derivation.Outline, "\n"))
	}
}

// lines are what is said below the formula of a stage.
func (s Stage) lines(p palette) []string {
	lines := []string{
		fmt.Sprintf("%-9s %s", "value", s.Value.text()),
		fmt.Sprintf("%-9s %s", "real", s.Real),
	}
	switch {
	case s.Refused != "":
		lines = append(lines, fmt.Sprintf("%-9s none: %s", "interval", s.Refused))
	case s.Rule != "":
		lines = append(lines, fmt.Sprintf("%-9s [%s, %s]  by %s", "interval", s.Lo, s.Hi, s.Rule))
		if s.outside() {
			lines = append(lines, p.bad+"the value is OUTSIDE its interval: this is a bug, please report it"+p.off)
		}
	}
	if s.Happens != "" {
		lines = append(lines, fmt.Sprintf("%-9s %s", "here", s.Happens))
	}
	if s.Uses != "" {
		lines = append(lines, fmt.Sprintf("%s%-9s %s%s", p.dim, "proof", s.Uses, p.off))
	}
	return lines
}

// text is a number in all its notations on one line.
func (n Number) text() string {
	if n.Decimal == "" {
		return n.Text
	}
	return strings.TrimRight(fmt.Sprintf("%s  %-24s %s", n.Text, n.Hex, n.Decimal), " ")
}

func numbers(w io.Writer, indent string, list []Number) {
	width := 0
	for _, n := range list {
		width = max(width, len(n.Name))
	}
	for _, n := range list {
		fmt.Fprintf(w, "%s%-*s  %s\n", indent, width, n.Name, n.text())
	}
}
