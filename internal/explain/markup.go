package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// JSON writes the explanation as one JSON object.
func (e *Explanation) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(e)
}

// Markdown writes the explanation for a page or an issue.
func (e *Explanation) Markdown(w io.Writer) {
	fmt.Fprintf(w, "## %s\n\n", cell(e.Title))
	if e.Comment != "" {
		fmt.Fprintf(w, "%s\n\n", cell(e.Comment))
	}
	for _, f := range e.Flags {
		fmt.Fprintf(w, "- **%s**: %s. What goes wrong: %s. See %s.\n", f.Name, cell(f.Why), cell(f.Risk), f.Section)
	}
	markdownNumbers(w, "Inputs", e.Inputs)
	for _, n := range e.Notes {
		fmt.Fprintf(w, "\n%s\n", cell(n))
	}
	if len(e.Hypotheses) > 0 {
		fmt.Fprint(w, "\n| hypothesis | statement | claims | |\n|---|---|---|---|\n")
		for _, h := range e.Hypotheses {
			fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", h.ID, cell(h.Statement), strings.Join(h.Claims, ", "), map[bool]string{true: "holds", false: "**broken**"}[h.Holds])
		}
	}
	if len(e.Stages) > 0 {
		fmt.Fprint(w, "\n| stage | value | decimal | exact real value | interval | rule | |\n|---|---|---|---|---|---|---|\n")
		for _, s := range e.Stages {
			interval := s.Refused
			if s.Rule != "" {
				interval = fmt.Sprintf("`[%s, %s]`", s.Lo, s.Hi)
			}
			fmt.Fprintf(w, "| `%s` | `%s` `%s` | %s | %s | %s | %s | %s |\n",
				s.Formula, s.Value.Text, s.Value.Hex, s.Value.Decimal, s.Real, cell(interval), s.Rule, cell(s.Happens))
		}
	}
	markdownNumbers(w, "Outcome", e.Outcome.Values)
	if e.Outcome.Reject != "" {
		fmt.Fprintf(w, "\n**Outcome**: refused, `%s` (%s)\n", e.Outcome.Reject, cell(e.Outcome.Why))
	}
	fmt.Fprintf(w, "\nThe same from %s.\n", strings.Join(e.Outcome.Agree, ", "))
	if e.Derivation.Markdown != "" {
		fmt.Fprintf(w, "\n**Derivation of w**\n\n%s\n", strings.TrimSpace(e.Derivation.Markdown))
	}
}

// cell keeps a text within its table cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "*", `\*`).Replace(s)
}

func markdownNumbers(w io.Writer, title string, list []Number) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n**%s**\n\n| name | value | hexadecimal | decimal |\n|---|---|---|---|\n", title)
	for _, n := range list {
		fmt.Fprintf(w, "| %s | `%s` | %s | %s |\n", n.Name, n.Text, code(n.Hex), n.Decimal)
	}
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// LaTeX writes the stages as a table and the derivation as stacked inferences; it
// needs amsmath and booktabs.
func (e *Explanation) LaTeX(w io.Writer) {
	fmt.Fprintf(w, "%% needs \\usepackage{amsmath,booktabs}\n\\paragraph{%s} %s\n", tex(e.Title), tex(e.Comment))
	fmt.Fprint(w, "\\begin{center}\\begin{tabular}{lll}\n\\toprule input & value & \\\\\n\\midrule\n")
	for _, n := range e.Inputs {
		fmt.Fprintf(w, "%s & \\texttt{%s} & %s \\\\\n", tex(n.Name), tex(n.Text), tex(n.Decimal))
	}
	fmt.Fprint(w, "\\bottomrule\n\\end{tabular}\\end{center}\n")
	if len(e.Stages) > 0 {
		fmt.Fprint(w, "\\begin{center}\\begin{tabular}{llll}\n\\toprule stage & bits & value & exact real value \\\\\n\\midrule\n")
		for _, s := range e.Stages {
			fmt.Fprintf(w, "\\texttt{%s} & \\texttt{%s} & %s & %s \\\\\n", tex(s.ID), tex(s.Value.Text), tex(s.Value.Decimal), tex(strings.ReplaceAll(s.Real, "…", "...")))
		}
		fmt.Fprint(w, "\\bottomrule\n\\end{tabular}\\end{center}\n")
	}
	if e.Outcome.Reject != "" {
		fmt.Fprintf(w, "Refused: \\texttt{%s}.\n", tex(e.Outcome.Reject))
	}
	for _, n := range e.Outcome.Values {
		fmt.Fprintf(w, "Outcome: %s = \\texttt{%s}", tex(n.Name), tex(n.Text))
		if n.Decimal != "" {
			fmt.Fprintf(w, " = %s", tex(n.Decimal))
		}
		fmt.Fprint(w, ".\n")
	}
	if e.Derivation.TeX != "" {
		fmt.Fprintf(w, "%s\n", strings.TrimSpace(e.Derivation.TeX))
	}
}

// tex escapes what TeX reads as commands.
func tex(s string) string {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "_", `\_`, "&", `\&`, "%", `\%`, "#", `\#`, "$", `\$`,
		"{", `\{`, "}", `\}`, "^", `\^{}`, "~", `\~{}`, "<", "$<$", ">", "$>$").Replace(s)
}
