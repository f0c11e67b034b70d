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
		fmt.Fprint(w, "\n| hypothesis | statement | claims | | |\n|---|---|---|---|---|\n")
		for _, h := range e.Hypotheses {
			mark := h.mark()
			if mark == "BROKEN" {
				mark = "**broken**"
			}
			fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", h.ID, cell(h.Statement), strings.Join(h.Claims, ", "), mark, cell(h.Note))
		}
	}
	if len(e.Stages) > 0 {
		fmt.Fprint(w, "\n| stage | value | decimal | exact real value | interval | rule | |\n|---|---|---|---|---|---|---|\n")
		for _, s := range e.Stages {
			interval, here := "", cell(s.Happens)
			switch {
			case s.Refused != "":
				interval = "none: " + cell(s.Refused)
			case s.Rule != "":
				interval = code(fmt.Sprintf("[%s, %s]", s.Lo, s.Hi))
			}
			if s.outside() {
				here = strings.TrimSpace("**the value is outside its interval** " + here)
			}
			value := strings.TrimSpace(code(s.Value.Text) + " " + code(s.Value.Hex))
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n",
				code(s.Formula), value, s.Value.Decimal, cell(s.Real), interval, s.Rule, here)
		}
	}
	markdownNumbers(w, "Outcome", e.Outcome.Values)
	if e.Outcome.Reject != "" {
		fmt.Fprintf(w, "\n**Outcome**: refused, `%s` (%s)\n", e.Outcome.Reject, cell(e.Outcome.Why))
	}
	fmt.Fprintf(w, "\nThe same from %s.\n", strings.Join(e.Outcome.Agree, ", "))
	if e.Outcome.unlike() {
		fmt.Fprint(w, "\n**This is not the published answer.**\n")
	}
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
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", n.Name, code(n.Text), code(n.Hex), n.Decimal)
	}
}

// code is a code span, and nothing where there is nothing: an empty span is not one.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
