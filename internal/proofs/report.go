package proofs

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes the report for a terminal: the table, then what is wrong.
func (r Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "document\tstatus\tproperties\tcode\tinequalities\twitnesses\tmutants\t")
	for _, d := range r.Rows {
		verdict := "ok"
		if n := len(d.Problems); n > 0 {
			verdict = fmt.Sprintf("%d wrong", n)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d/%d\t%d\t%d\t%s\n",
			d.Document, d.Status, d.Properties, d.Code, d.Checked, d.Labels, d.Witnesses, d.Mutants, verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	instances := 0
	for _, c := range r.Checks {
		instances += c.Instances
	}
	fmt.Fprintf(w, "\n%d documents, %d checks on %d instances", len(r.Rows), len(r.Checks), instances)
	if r.OK() {
		_, err := fmt.Fprintln(w, ": ok")
		return err
	}
	fmt.Fprintf(w, ": %d wrong\n\n", len(r.Problems))
	for _, p := range r.Problems {
		fmt.Fprintln(w, p)
	}
	return nil
}

// WriteChecks writes one line for each check: its instances and the tightest ratio seen.
func (r Report) WriteChecks(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "check\tinstances\ttightest\t")
	for _, c := range r.Checks {
		tight, what := "", ""
		if c.Tightest > 0 {
			tight = fmt.Sprintf("%.6g", c.Tightest)
		}
		switch {
		case !c.OK():
			what = "FAILS: " + firstOf(c)
		case c.Refutes:
			what = "refuted"
		}
		fmt.Fprintf(t, "(%s)\t%d\t%s\t%s\n", c.Label, c.Instances, tight, what)
	}
	return t.Flush()
}

// WriteJSON writes the whole report.
func (r Report) WriteJSON(w io.Writer) error {
	if r.Problems == nil {
		r.Problems = []Problem{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		OK bool `json:"ok"`
		Report
	}{r.OK(), r})
}
