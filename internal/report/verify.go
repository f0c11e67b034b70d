package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dp-crosscheck/crosscheck/internal/verify"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Verify writes a report for a terminal: a table, then the first failures in full.
func Verify(w io.Writer, r verify.Report, maxFailures int) {
	if len(r.Ops) > 0 {
		table(w, r.Ops)
	}
	if len(r.Digests) > 0 {
		fmt.Fprintln(w)
		digestTable(w, r.Digests)
	}
	for i, f := range r.Failures {
		if i == maxFailures {
			fmt.Fprintf(w, "\nand %d more failed votes (--max-failures shows more)\n", len(r.Failures)-i)
			break
		}
		fmt.Fprintln(w)
		failure(w, f)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, verdict(r))
}

func table(w io.Writer, list []verify.OpReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "operation\tcases\t")
	for _, v := range list[0].Votes {
		fmt.Fprintf(t, "%s\t", v.Voter)
	}
	fmt.Fprint(t, "abstained\tfailures\ttime\t\n")
	for _, op := range list {
		fmt.Fprintf(t, "%s\t%d\t", op.Op, op.Cases)
		abstained := []string{}
		for _, v := range op.Votes {
			fmt.Fprintf(t, "%d\t", v.Cast)
			if v.Abstained > 0 {
				abstained = append(abstained, fmt.Sprintf("%s %d", v.Voter, v.Abstained))
			}
		}
		if len(abstained) == 0 {
			abstained = []string{"-"}
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t\n", strings.Join(abstained, ", "), op.Failures, seconds(op.Time))
	}
	t.Flush()
}

func digestTable(w io.Writer, list []verify.DigestReport) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "digests\tvoter\tderived cases\tfailed blocks\tcpu time\t\n")
	for _, d := range list {
		failed := "-"
		if len(d.Failed) > 0 {
			failed = fmt.Sprintf("%d, first %d", len(d.Failed), d.Failed[0])
		}
		if d.Error != "" {
			failed = d.Error
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t\n", d.Op, d.Voter, d.Cases, failed, seconds(d.Time))
	}
	t.Flush()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }

// failure writes everything needed to see what is wrong.
func failure(w io.Writer, f verify.Failure) {
	if f.Voter == "" {
		fmt.Fprintf(w, "FAIL %s: %d of the voters answered; %d must\n", f.Case.ID, f.Votes, verify.MinVotes)
		return
	}
	fmt.Fprintf(w, "FAIL %s: voter %s", f.Case.ID, f.Voter)
	if f.Diff.Field == "outcome" {
		fmt.Fprintf(w, " gives a %s where a %s is wanted\n", f.Diff.Got, f.Diff.Want)
	} else if len(f.Sig.Out) > 1 {
		fmt.Fprintf(w, " first differs at stage %q\n", f.Diff.Field)
	} else {
		fmt.Fprintf(w, " differs\n")
	}
	if f.Case.Comment != "" {
		fmt.Fprintf(w, "  %s\n", f.Case.Comment)
	}
	for _, name := range f.Case.Flags {
		flag := f.Flags[name]
		fmt.Fprintf(w, "  %s: %s\n    what goes wrong: %s\n    see %s\n", name, flag.Why, flag.Risk, flag.Section)
	}
	fmt.Fprintln(w, "  in")
	values(w, "    ", f.Case.In, nil, f.Sig.In)
	fmt.Fprintln(w, "  want")
	result(w, "    ", f.Case.Want, nil, f.Sig.Out)
	fmt.Fprintln(w, "  got")
	result(w, "    ", f.Got, f.Case.Want.Out, f.Sig.Out)
}

func verdict(r verify.Report) string {
	cases, cast, abstained := r.Cases()
	digests, bad := 0, 0
	for _, d := range r.Digests {
		digests += d.Cases
		bad += len(d.Failed)
		if d.Error != "" {
			bad++
		}
	}
	var b strings.Builder
	failed := 0
	for _, op := range r.Ops {
		failed += op.Failures
	}
	if r.OK() {
		fmt.Fprintf(&b, "PASS: %s cases, every vote agrees (%s cast, %s abstained)", group(cases), group(cast), group(abstained))
	} else {
		fmt.Fprintf(&b, "FAIL: %s of %s cases", group(failed), group(cases))
	}
	if digests > 0 {
		fmt.Fprintf(&b, "; %s derived answers digested, %d blocks differ", group(digests), bad)
	}
	return b.String()
}

// group writes n with commas.
func group(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// VerifyJSON writes a report as JSON; failures carry the canonical texts.
func VerifyJSON(w io.Writer, r verify.Report, maxFailures int) error {
	type failed struct {
		ID    string          `json:"id"`
		Voter string          `json:"voter,omitempty"`
		Field string          `json:"first_difference,omitempty"`
		In    json.RawMessage `json:"in"`
		Want  json.RawMessage `json:"want"`
		Got   json.RawMessage `json:"got,omitempty"`
	}
	out := struct {
		OK       bool                  `json:"ok"`
		Ops      []verify.OpReport     `json:"ops"`
		Digests  []verify.DigestReport `json:"digests,omitempty"`
		Total    int                   `json:"failed_votes"`
		Failures []failed              `json:"failures"`
	}{OK: r.OK(), Ops: r.Ops, Digests: r.Digests, Total: len(r.Failures), Failures: []failed{}}
	for i, f := range r.Failures {
		if i == maxFailures {
			break
		}
		x := failed{
			ID: f.Case.ID, Voter: f.Voter,
			In:   json.RawMessage(wire.EncodeValues(f.Case.In, f.Sig.In)),
			Want: json.RawMessage(wire.EncodeAnswer(f.Case.Want, f.Sig)),
		}
		if f.Diff != nil {
			x.Field = f.Diff.Field
			x.Got = json.RawMessage(wire.EncodeAnswer(f.Got, f.Sig))
		}
		out.Failures = append(out.Failures, x)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
