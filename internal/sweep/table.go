package sweep

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Table writes a result for people: a row for each claim, then for each claim its
// classes, its ranges of kappa and the worst cases.
func (r *Result) Table(out io.Writer) error {
	w := r.World
	done := 0
	for _, d := range r.done {
		if d {
			done++
		}
	}
	fmt.Fprintf(out, "%s, %d numbers, eta = 2^-%d, kind %s, scale %s; %d of %d scales", w.Format.Name, w.size(), w.Format.Precision,
		kindName(w.Kind), strings.Join(strs(w.Scales), " and "), done, w.Units())
	if r.refused > 0 {
		fmt.Fprintf(out, ", %d refused (Lambda beyond the format)", r.refused)
	}
	if w.MaxKappa != nil {
		fmt.Fprintf(out, "; kappa <= %s", w.MaxKappa.RatString())
	}
	if w.InRange {
		fmt.Fprint(out, "; in range")
	}
	fmt.Fprint(out, "\n\n")
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "claim\tc,a,b\tcases\thold\texceed\tinfinite\tB < lambda\texceed\tleast c\t")
	for i, y := range r.tallies {
		c := w.Claims[i]
		least, err := w.render(c, y.steepest[1], slopeAfterA)
		if err != nil {
			return err
		}
		ratio := "-"
		if least != nil {
			ratio = short(least.Ratio)
		}
		fmt.Fprintf(t, "%s\t%d,%d,%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Name, c.C, c.A, c.Floor, group(y.all.cases), group(y.all.cases-y.all.exceeds),
			group(y.all.exceeds), group(y.all.infinite), group(y.below.cases), group(y.below.exceeds), ratio)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i, y := range r.tallies {
		if err := r.claimTable(out, w.Claims[i], y); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) claimTable(out io.Writer, c Claim, y *tally) error {
	w := r.World
	about := c.Hypothesis
	if about == "" {
		about = "every case"
	}
	fmt.Fprintf(out, "\n%s: loss <= (D + %d max(B, %d lambda) eta)/lambda + %d eta, %s\n", c.Name, c.C, c.Floor, c.A, about)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "class\tcases\texceed\t")
	for k, n := range y.class {
		if n.cases > 0 {
			fmt.Fprintf(t, "%s\t%s\t%s\t\n", classNames[k], group(n.cases), group(n.exceeds))
		}
	}
	fmt.Fprintln(t, "kappa\tcases\texceed\tinfinite\t")
	var octaves []int
	for e := range y.octave {
		octaves = append(octaves, e)
	}
	slices.Sort(octaves)
	for _, e := range octaves {
		n, name := y.octave[e], fmt.Sprintf("<= 2^%d", e)
		if e == kappaZero {
			name = "0"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t\n", name, group(n.cases), group(n.exceeds), group(n.infinite))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	show := func(label string, v *witness, m measure) error {
		j, err := w.render(c, v, m)
		if j == nil || err != nil {
			return err
		}
		if j.Ratio != "" {
			label += " " + short(j.Ratio)
		}
		fmt.Fprintf(out, "  %s: %s %s, [%s, %s], f %s, f' %s, output %s (%s)\n    p %s, p' %s, loss %s, bound %s, D/lambda %s, kappa %s\n", label,
			j.Scale, j.Value, j.Lo, j.Hi, j.F, j.F2, j.Output, j.Class, brief(j.P), brief(j.P2), short(j.Loss), short(j.Bound), j.Distance, j.Kappa)
		return nil
	}
	for k, v := range y.worst {
		if err := show("worst "+classNames[k], v, over); err != nil {
			return err
		}
	}
	if err := show("(loss - D/lambda)/kappa", y.steepest[0], slope); err != nil {
		return err
	}
	return show("least c", y.steepest[1], slopeAfterA)
}

// brief shortens a probability of many digits; the file has all of them.
func brief(s string) string {
	if len(s) <= 40 {
		return s
	}
	return s[:24] + "…" + s[len(s)-8:]
}

// short cuts digits to 7.
func short(s string) string {
	var f float64
	if s == "inf" {
		return s
	}
	if _, err := fmt.Sscan(s, &f); err != nil {
		return s
	}
	return fmt.Sprintf("%.7g", f)
}

func group(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func strs[T ~string](list []T) []string {
	var s []string
	for _, v := range list {
		s = append(s, string(v))
	}
	return s
}
