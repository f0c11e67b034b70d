package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// JSON writes the explanation as one JSON object.
func (o *Output) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(o)
}

// lines are what is said of an end, besides its derivations: a name and a text each.
func (e OutputEnd) lines() [][2]string {
	list := [][2]string{
		{"edge", e.Edge + ", s = " + e.Sign},
		{"real threshold", e.Real},
		{"past the edge", e.Crossing.line()},
		{"exact threshold", e.Exact.String()},
		{"not past it", e.Staying.line()},
	}
	if e.Width != "" {
		list = append(list, [2]string{"so the kernel proves", fmt.Sprintf("%s <= threshold <= %s: it is the %s of the draws up to there, %s in all", e.From, e.To, ordinal(e.Above), e.Width)})
	} else {
		list = append(list, [2]string{"so the kernel proves", fmt.Sprintf("%s <= threshold <= %s", e.From, e.To)})
	}
	return list
}

func ordinal(n string) string {
	last := n[len(n)-1:]
	if end, ok := map[string]string{"1": "st", "2": "nd", "3": "rd"}[last]; ok && !strings.HasSuffix(n, "1"+last) {
		return n + end
	}
	return n + "th"
}

func (p OutputProof) line() string {
	if p.Draw == nil {
		return "none: " + p.None
	}
	return fmt.Sprintf("%s, where w in [%s, %s]", p.Draw, p.Lo, p.Hi)
}

// summary is what is said of the loss.
func (o *Output) summary() [][2]string {
	list := [][2]string{{"exact loss", o.Loss}, {"derived bound", o.Derived}, {"|clamp(f) - clamp(f')|/lambda", o.Ideal}}
	for _, e := range o.Excess {
		name, text, _ := strings.Cut(e, ": ")
		list = append(list, [2]string{"excess of the " + name, text})
	}
	return list
}

// Text writes the explanation for a terminal, with colour if asked.
func (o *Output) Text(w io.Writer, colour bool) {
	p := palette{}
	if colour {
		p = colours
	}
	fmt.Fprintf(w, "%s%s%s\n\n%sInputs%s\n", p.bold, o.Title, p.off, p.bold, p.off)
	numbers(w, "  ", o.Inputs)
	fmt.Fprintf(w, "\n%sCase %d: %s%s\n  the cell of the output: %s\n", p.bold, o.Case, o.Is, p.off, o.Cell)
	for _, n := range o.Notes {
		fmt.Fprintf(w, "  %s\n", n)
	}
	for _, s := range o.Sides {
		fmt.Fprintf(w, "\n%s%s = %s%s, clamped to %s, [%s] = %s\n", p.bold, s.Name, s.Input.Decimal, p.off, s.X.Decimal, s.Name, s.Own)
		fmt.Fprintf(w, "  u in %s\n", s.Draws)
		for i, e := range s.Ends {
			branch, stem := "├─ ", "│  "
			if i == len(s.Ends)-1 {
				branch, stem = "└─ ", "   "
			}
			fmt.Fprintf(w, "  %s%s%s%s\n", branch, p.bold, e.Name, p.off)
			for _, l := range e.lines() {
				fmt.Fprintf(w, "  %s%s%-21s%s %s\n", stem, p.dim, l[0], p.off, l[1])
			}
		}
		fmt.Fprintf(w, "  Pr[x | %s] = (%s)/2 = %s\n    exactly %s\n", s.Name, s.Mass, s.Decimal, s.Probability)
	}
	fmt.Fprintf(w, "\n%sLoss%s\n", p.bold, p.off)
	for _, l := range o.summary() {
		fmt.Fprintf(w, "  %-22s %s\n", l[0], l[1])
	}
	fmt.Fprintf(w, "\n%sClaims%s\n", p.bold, p.off)
	for _, c := range o.Claims {
		style := p.good
		if c.Exceeded {
			style = p.bad
		}
		fmt.Fprintf(w, "  %-9s  %s = %s\n             %s%s%s\n", c.Name, c.Formula, c.Value, style, c.verdict(), p.off)
	}
	o.derivations(func(title string, d Derivation) {
		fmt.Fprintf(w, "\n%s%s%s\n%s\n", p.bold, title, p.off, strings.TrimRight(d.Outline, "\n"))
	})
}

// derivations visits every derivation of w that there is.
func (o *Output) derivations(show func(title string, d Derivation)) {
	for _, s := range o.Sides {
		for _, e := range s.Ends {
			for _, x := range []OutputProof{e.Crossing, e.Staying} {
				if x.Draw != nil {
					show(fmt.Sprintf("%s at m = %s, e = %s: %s", e.Name, x.Draw.M, x.Draw.E, x.Side), x.Derivation)
				}
			}
		}
	}
}

// Markdown writes the explanation for a page or an issue.
func (o *Output) Markdown(w io.Writer) {
	fmt.Fprintf(w, "## %s\n", cell(o.Title))
	markdownNumbers(w, "Inputs", o.Inputs)
	fmt.Fprintf(w, "\n**Case %d: %s**. The cell of the output: %s.\n", o.Case, cell(o.Is), cell(o.Cell))
	for _, n := range o.Notes {
		fmt.Fprintf(w, "\n%s\n", cell(n))
	}
	for _, s := range o.Sides {
		fmt.Fprintf(w, "\n**%s = %s**, clamped to %s, [%s] = %s: u in %s\n", s.Name, s.Input.Decimal, s.X.Decimal, s.Name, s.Own, s.Draws)
		for _, e := range s.Ends {
			fmt.Fprintf(w, "\n| %s | |\n|---|---|\n", e.Name)
			for _, l := range e.lines() {
				fmt.Fprintf(w, "| %s | %s |\n", cell(l[0]), cell(l[1]))
			}
		}
		fmt.Fprintf(w, "\nPr = (%s)/2 = %s, exactly %s\n", s.Mass, s.Decimal, code(s.Probability))
	}
	fmt.Fprint(w, "\n| loss | |\n|---|---|\n")
	for _, l := range o.summary() {
		fmt.Fprintf(w, "| %s | %s |\n", cell(l[0]), cell(l[1]))
	}
	fmt.Fprint(w, "\n| claim | formula | value | |\n|---|---|---|---|\n")
	for _, c := range o.Claims {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", c.Name, cell(c.Formula), c.Value, cell(c.verdict()))
	}
	o.derivations(func(title string, d Derivation) {
		fmt.Fprintf(w, "\n**%s**\n\n%s\n", cell(title), strings.TrimSpace(d.Markdown))
	})
}

// LaTeX writes the explanation in lists, as Explanation.LaTeX does.
func (o *Output) LaTeX(w io.Writer) {
	fmt.Fprintf(w, "%% needs \\usepackage{amsmath,amssymb}\n\\begingroup\\raggedright\n\\paragraph{%s}\n", tex(o.Title))
	latexNumbers(w, "Inputs.", o.Inputs)
	fmt.Fprintf(w, "\\par\\textbf{Case %d.} %s. The cell of the output: %s.\n", o.Case, tex(o.Is), tex(o.Cell))
	for _, n := range o.Notes {
		fmt.Fprintf(w, "\\par %s\n", tex(n))
	}
	pairs := func(title string, list [][2]string) {
		latexList(w, title, len(list), func(i int) (string, string) { return tex(list[i][0]), tex(list[i][1]) })
	}
	for _, s := range o.Sides {
		fmt.Fprintf(w, "\\par\\textbf{%s = %s}, clamped to %s, [%s] = %s: $u$ in %s\n", tex(s.Name), tex(s.Input.Decimal), tex(s.X.Decimal), tex(s.Name), tex(s.Own), tex(s.Draws))
		for _, e := range s.Ends {
			pairs(tex(e.Name), e.lines())
		}
		fmt.Fprintf(w, "\\par Pr = (%s)/2 = %s, exactly %s.\n", tex(s.Mass), tex(s.Decimal), typewriter(s.Probability))
	}
	pairs("Loss.", o.summary())
	latexList(w, "Claims.", len(o.Claims), func(i int) (string, string) {
		c := o.Claims[i]
		return tex(c.Name), fmt.Sprintf("%s = %s: %s", tex(c.Formula), tex(c.Value), tex(c.verdict()))
	})
	o.derivations(func(title string, d Derivation) {
		latexList(w, tex(title), len(d.steps), func(i int) (string, string) { return fmt.Sprintf("(%d)", i+1), d.steps[i].latex() })
	})
	fmt.Fprint(w, "\\par\\endgroup\n")
}
