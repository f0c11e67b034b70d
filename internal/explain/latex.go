package explain

import (
	"fmt"
	"io"
	"strings"
)

// formulas is spec.SnapStages in LaTeX.
var formulas = map[string]string{
	"unit":    `\Lambda = \min\{2^k \ge \lambda\}`,
	"ln":      `\ell = \mathrm{LN}(u)`,
	"y":       `y = \lambda \otimes \ell \ \mathrm{or}\ \ell \oslash \epsilon`,
	"z":       `z = s y`,
	"x":       `x = \mathrm{clamp}_{[lo,hi]}(f)`,
	"w":       `w = x \oplus z`,
	"rounded": `w' = \mathrm{round}_\Lambda(w)`,
	"r":       `r = \mathrm{clamp}_{[lo,hi]}(w')`,
}

// LaTeX writes all of the explanation, in lists: the numbers are too long for the
// columns of a page. It needs amsmath and amssymb.
func (e *Explanation) LaTeX(w io.Writer) {
	fmt.Fprintf(w, "%% needs \\usepackage{amsmath,amssymb}\n\\begingroup\\raggedright\n\\paragraph{%s} %s\n", tex(e.Title), tex(e.Comment))
	if len(e.Flags) > 0 {
		latexList(w, "", len(e.Flags), func(i int) (string, string) {
			f := e.Flags[i]
			return tex(f.Name), fmt.Sprintf("%s. What goes wrong: %s. See %s.", tex(f.Why), tex(f.Risk), tex(f.Section))
		})
	}
	latexNumbers(w, "Inputs.", e.Inputs)
	for _, n := range e.Notes {
		fmt.Fprintf(w, "\\par %s\n", tex(n))
	}
	if len(e.Hypotheses) > 0 {
		latexList(w, "Hypotheses of the privacy theorems.", len(e.Hypotheses), func(i int) (string, string) {
			h := e.Hypotheses[i]
			text := fmt.Sprintf("%s: %s (%s; %s)", tex(h.ID), tex(h.Statement), tex(strings.Join(h.Claims, ", ")), tex("docs/theory.md "+h.Section))
			if h.Note != "" {
				text += ". " + tex(h.Note)
			}
			return h.mark(), text + "."
		})
	}
	if len(e.Stages) > 0 {
		latexList(w, "Stages.", len(e.Stages), func(i int) (string, string) {
			return `$` + formulas[e.Stages[i].ID] + `$`, e.Stages[i].latex()
		})
	}
	latexNumbers(w, "Outcome.", e.Outcome.Values)
	if e.Outcome.Reject != "" {
		fmt.Fprintf(w, "\\par\\textbf{Outcome.} Refused: %s (%s).\n", typewriter(e.Outcome.Reject), tex(e.Outcome.Why))
	}
	fmt.Fprintf(w, "\\par The same from %s.\n", tex(strings.Join(e.Outcome.Agree, ", ")))
	if e.Outcome.unlike() {
		fmt.Fprint(w, "\\textbf{This is not the published answer.}\n")
	}
	if steps := e.Derivation.steps; len(steps) > 0 {
		latexList(w, "Derivation of $w$: exact $\\Downarrow$ floating-point expression, interval.", len(steps), func(i int) (string, string) {
			return fmt.Sprintf("(%d)", i+1), steps[i].latex()
		})
	}
	fmt.Fprint(w, "\\par\\endgroup\n")
}

// latex is what is said of a stage, a line for each.
func (s Stage) latex() string {
	lines := []string{"value: " + s.Value.latex(), "real: " + typewriter(s.Real)}
	switch {
	case s.Refused != "":
		lines = append(lines, "interval: none: "+tex(s.Refused))
	case s.Rule != "":
		lines = append(lines, fmt.Sprintf("interval: %s by %s", typewriter("["+s.Lo+", "+s.Hi+"]"), tex(s.Rule)))
	}
	if s.outside() {
		lines = append(lines, `\textbf{the value is outside its interval}`)
	}
	if s.Happens != "" {
		lines = append(lines, "here: "+tex(s.Happens))
	}
	if s.Uses != "" {
		lines = append(lines, "proof: "+tex(s.Uses))
	}
	return `\mbox{}\\` + "\n  " + strings.Join(lines, "\\\\\n  ")
}

// latex is a judgment with the rule that concludes it and its premises. It may be
// broken after the arrow and between the ends.
func (s step) latex() string {
	by := tex(s.rule)
	for i, n := range s.from {
		by += fmt.Sprintf("%s (%d)", [...]string{" of", " and"}[min(i, 1)], n)
	}
	return fmt.Sprintf(`$%s \Downarrow %s$, $[%s,$ $%s]$, by %s`, s.re, s.fl, s.lo, s.hi, by)
}

// latex is a number in all its notations.
func (n Number) latex() string {
	text := typewriter(n.Text)
	for _, s := range []string{n.Hex, n.Decimal} {
		if s != "" {
			text += ", " + typewriter(s)
		}
	}
	return text
}

func latexNumbers(w io.Writer, title string, list []Number) {
	if len(list) == 0 {
		return
	}
	latexList(w, title, len(list), func(i int) (string, string) { return tex(list[i].Name), list[i].latex() })
}

// latexList writes a titled list of n items, each a label and a text.
func latexList(w io.Writer, title string, n int, item func(i int) (label, text string)) {
	if title != "" {
		fmt.Fprintf(w, "\\par\\textbf{%s}\n", title)
	}
	fmt.Fprint(w, "\\begin{description}\n")
	for i := range n {
		label, text := item(i)
		fmt.Fprintf(w, "\\item[{%s}] %s\n", label, text)
	}
	fmt.Fprint(w, "\\end{description}\n")
}

func typewriter(s string) string { return `\texttt{` + tex(s) + "}" }

// texEscapes turns what TeX reads as commands, or its text fonts lack, into text.
var texEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "&", `\&`, "%", `\%`, "#", `\#`, "$", `\$`,
	"{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`, "<=", `$\le$`, ">=", `$\ge$`, "<", "$<$", ">", "$>$", "|", "$|$", `"`, "''",
	"…", `\dots{}`, "·", `$\cdot$`, "--", "-{}-")

// tex escapes a text, and lets a long word, such as a tape or the digits of a number,
// be broken after every eighth character.
func tex(s string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		var b strings.Builder
		r := []rune(word)
		for len(r) > 24 {
			b.WriteString(texEscapes.Replace(string(r[:8])) + `\allowbreak{}`)
			r = r[8:]
		}
		words[i] = b.String() + texEscapes.Replace(string(r))
	}
	return strings.Join(words, " ")
}
