package loss

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Decimal writes a datum of binary64 as the shortest decimal that reads back.
func Decimal(v spec.Value) string {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		return v.String()
	}
	return strconv.FormatFloat(math.Float64frombits(b), 'g', -1, 64)
}

// digits writes an enclosed number with n significant digits, rounded to nearest from
// its lower end: the enclosures here are far narrower than what is shown.
func digits(x real.Interval, n int) string {
	return float(x.Lo).Text('g', n)
}

// float returns d as a big.Float of 200 bits.
func float(d real.Dyadic) *big.Float {
	m, e := d.Parts()
	f := new(big.Float).SetPrec(200).SetInt(m)
	if f.Sign() == 0 {
		return f
	}
	if e > math.MaxInt32/2 || e < math.MinInt32/2 {
		return new(big.Float) // beyond big.Float: callers show the logarithm instead
	}
	return f.SetMantExp(f, int(e))
}

// probability writes a probability with 6 digits.
func probability(p oracle.Prob) string {
	if p.IsZero() {
		return "0"
	}
	q, err := real.Point(p.Num).Quo(real.Point(p.Den), 80)
	if err != nil {
		return "?"
	}
	if q.Lo.Top() < math.MinInt32/4 {
		return fmt.Sprintf("2^%d", q.Lo.Top())
	}
	return float(q.Lo).Text('g', 6)
}

// exactly writes a probability: m 2^e in hexadecimal, over 1 - 2^-1074 for the
// binary64 draw, as k/(2^1074 - 1) when k is short.
func exactly(p oracle.Prob) string {
	switch {
	case p.IsZero():
		return "0"
	case p.Den.Equal(real.One()):
		return p.Num.String()
	}
	q := real.One().Sub(p.Den) // 2^q
	if k := p.Num.Shift(-q.Top()); k.IsInt() && k.Top() < 100 {
		return fmt.Sprintf("%v/(2^%d - 1)", k.Floor(0), -q.Top())
	}
	return fmt.Sprintf("%v/(1 - 2^%d)", p.Num, q.Top())
}

// Selected returns the numbers of the rows a person wants to see first: the ends, those
// around both inputs, the worst, and of the rest those of largest loss, up to n in all.
func (p *Report) Selected(n int) []int {
	if n <= 0 || n >= len(p.Rows) {
		all := make([]int, len(p.Rows))
		for i := range all {
			all[i] = i
		}
		return all
	}
	keep := map[int]bool{}
	add := func(i int) {
		if i >= 0 && i < len(p.Rows) && len(keep) < n {
			keep[i] = true
		}
	}
	add(p.Worst)
	add(0)
	add(len(p.Rows) - 1)
	for _, x := range []spec.Value{p.X, p.X2} {
		i, _ := slices.BinarySearchFunc(p.Rows, x, func(r Row, x spec.Value) int { return r.Output.Cmp(x) })
		for _, j := range []int{i, i - 1, i + 1} {
			add(j)
		}
	}
	order := make([]int, len(p.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // a rough order will do
		x, y := p.Rows[a], p.Rows[b]
		switch {
		case x.Infinite != y.Infinite:
			return map[bool]int{true: -1, false: 1}[x.Infinite]
		case x.Infinite:
			return 0
		}
		return y.Loss.Lo.Cmp(x.Loss.Lo)
	})
	for _, i := range order {
		add(i)
	}
	list := make([]int, 0, len(keep))
	for i := range keep {
		list = append(list, i)
	}
	slices.Sort(list)
	return list
}

// Text writes the report for a terminal, with up to n rows.
func (p *Report) Text(w io.Writer, n int) {
	name := "lambda"
	if p.Params.Scale == spec.ScaleEpsilon {
		name = "epsilon"
	}
	fmt.Fprintf(w, "%s = %s   [%s, %s]   Lambda = %s   %s draw\n", name, Decimal(p.Params.Value),
		Decimal(p.Params.Lo), Decimal(p.Params.Hi), Decimal(p.Unit), p.Kind)
	fmt.Fprintf(w, "f  = %s%s\nf2 = %s%s\nsensitivity D = %s\n\n", Decimal(p.F), clamped(p.F, p.X), Decimal(p.F2), clamped(p.F2, p.X2), Decimal(spec.FromDyadic(p.Sensitivity)))

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := "output\tPr[output | f]\tPr[output | f2]\tloss\tloss - D/lambda\t"
	for _, b := range p.Bounds {
		head += "of " + b.Claim.Name + "\t"
	}
	fmt.Fprintln(t, head+"\t")
	selected := p.Selected(n)
	before := -1
	for _, i := range selected {
		if i != before+1 {
			fmt.Fprintf(t, "...\t\t\t\t\t%s\t\n", strings.Repeat("\t", len(p.Bounds)))
		}
		before = i
		r := p.Rows[i]
		line := fmt.Sprintf("%s\t%s\t%s\t", Decimal(r.Output), probability(r.P), probability(r.P2))
		if r.Infinite {
			line += "infinite\tinfinite\t" + strings.Repeat("\t", len(p.Bounds))
		} else {
			line += digits(r.Loss, 12) + "\t" + p.inEta(r.Loss) + "\t"
			for _, b := range p.Bounds {
				line += share(r.Loss, b.Value) + "\t"
			}
		}
		if i == p.Worst {
			line += "worst"
		}
		fmt.Fprintln(t, line+"\t")
	}
	t.Flush()
	if before != len(p.Rows)-1 {
		fmt.Fprintln(w, "...")
	}
	if len(selected) < len(p.Rows) {
		fmt.Fprintf(w, "(%d of %d outputs; --rows 0 shows all)\n", len(selected), len(p.Rows))
	}
	fmt.Fprintln(w)
	p.summary(w)
}

func clamped(f, x spec.Value) string {
	if f.Cmp(x) == 0 {
		return ""
	}
	return ", clamped to " + Decimal(x)
}

// inEta writes a loss less D/lambda in units of eta when it is that small.
func (p *Report) inEta(loss real.Interval) string {
	over := loss.Sub(p.Ideal, precision)
	q, err := over.Quo(real.Point(p.Params.Format.Eta()), precision)
	if err != nil {
		return "?"
	}
	if x, _ := float(q.Lo).Float64(); math.Abs(x) < 1e9 {
		return fmt.Sprintf("%.3f eta", x)
	}
	return float(over.Lo).Text('g', 6)
}

func share(loss, bound real.Interval) string {
	q, err := loss.Quo(bound, precision)
	if err != nil {
		return "?"
	}
	f, _ := float(q.Lo).Float64()
	return fmt.Sprintf("%.4f %%", 100*f)
}

func (p *Report) summary(w io.Writer) {
	r := p.Rows[p.Worst]
	fmt.Fprintf(w, "worst output %s\n  Pr for f   %s\n  Pr for f2  %s\n", Decimal(r.Output), exactly(r.P), exactly(r.P2))
	if r.Infinite {
		fmt.Fprintln(w, "  loss       infinite")
	} else {
		fmt.Fprintf(w, "  loss       %s\n", digits(r.Loss, 25))
	}
	fmt.Fprintf(w, "D/lambda     %s\n", digits(p.Ideal, 25))
	for _, b := range p.Bounds {
		fmt.Fprintf(w, "%-12s %s\n", b.Claim.Name, digits(b.Value, 25))
	}
	if e, ok := p.Excess(); ok {
		fmt.Fprintf(w, "excess       %s B eta/lambda, over |clamp(f) - clamp(f2)|/lambda\n", digits(e, 7))
	}
	fmt.Fprintln(w)
	for _, line := range p.Verdict() {
		fmt.Fprintln(w, line)
	}
	for _, a := range p.Accuracy {
		fmt.Fprintf(w, "\nthe release r of f: E|r - f| = %s, E(r - f) = %s, root mean square %s\n", expectation(a.MeanAbs), expectation(a.Bias), root(a.Square))
		for _, c := range a.Radii {
			sure := "1 - " + probability(c.Beyond)
			if c.Beyond.IsZero() {
				sure = "1"
			}
			fmt.Fprintf(w, "  |r - f| <= %s with probability %s (asked: %s)\n", distance(c.T), sure, c.Confidence)
		}
	}
}

// distance writes |r - f|, which need not be a double, so that it reads back or to 17 digits.
func distance(d real.Dyadic) string {
	if v := spec.FromDyadic(d); spec.Binary64.Has(v) {
		return Decimal(v)
	}
	return float(d).Text('g', 17)
}

func expectation(e oracle.Expectation) string {
	if e.Num.IsZero() {
		return "0"
	}
	x, err := e.Enclose(120)
	if err != nil {
		return "?"
	}
	return digits(x, 10)
}

func root(e oracle.Expectation) string {
	x, err := e.Enclose(120)
	if err != nil {
		return "?"
	}
	return new(big.Float).SetPrec(120).Sqrt(float(x.Lo)).Text('g', 10)
}

// The JSON of a report: numbers as text, exact where they are exact.
type reportJSON struct {
	Scale       spec.ScaleKind `json:"scale"`
	Value       string         `json:"value"`
	Lo          string         `json:"lo"`
	Hi          string         `json:"hi"`
	Unit        string         `json:"unit"`
	Kind        spec.Kind      `json:"kind"`
	F           string         `json:"f"`
	F2          string         `json:"f2"`
	Sensitivity string         `json:"sensitivity"`
	Ideal       string         `json:"d_over_lambda"`
	Kappa       string         `json:"kappa"`
	Excess      string         `json:"excess_over_kappa,omitempty"`
	Worst       rowJSON        `json:"worst"`
	Bounds      []boundJSON    `json:"bounds"`
	Verdict     []string       `json:"verdict"`
	Accuracy    *accuracyJSON  `json:"accuracy,omitempty"`
	Outputs     int            `json:"outputs"`
	Rows        []rowJSON      `json:"rows"`
}

type rowJSON struct {
	Output string `json:"output"`
	P      string `json:"p"`
	P2     string `json:"p2"`
	LossLo string `json:"loss_lo"`
	LossHi string `json:"loss_hi"`
}

type boundJSON struct {
	Name     string `json:"name"`
	C        int64  `json:"constant"`
	A        int64  `json:"additive"`
	Floor    int64  `json:"floor"`
	Value    string `json:"value"`
	Exceeded bool   `json:"exceeded"`
	Delta    string `json:"delta_at_bound"`
	Broken   string `json:"hypothesis_broken,omitempty"`
}

type accuracyJSON struct {
	MeanAbs string       `json:"mean_abs_error"`
	Bias    string       `json:"bias"`
	RMS     string       `json:"root_mean_square_error"`
	Radii   []radiusJSON `json:"radii"`
}

type radiusJSON struct {
	Confidence string `json:"confidence"`
	T          string `json:"t"`
	Beyond     string `json:"probability_beyond"`
}

// bits64 writes a double as on the wire.
func bits64(v spec.Value) string {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		return v.String()
	}
	return fmt.Sprintf("0x%016x", b)
}

func (r Row) json() rowJSON {
	j := rowJSON{bits64(r.Output), exactly(r.P), exactly(r.P2), "inf", "inf"}
	if !r.Infinite {
		j.LossLo, j.LossHi = r.Loss.Lo.String(), r.Loss.Hi.String()
	}
	return j
}

// JSON writes the report with up to n rows, as Text chooses them: doubles as bits,
// probabilities and ends of losses as exact numbers (hexadecimal, or a quotient),
// the rest to 25 digits.
func (p *Report) JSON(w io.Writer, n int) error {
	j := reportJSON{
		Scale: p.Params.Scale, Value: bits64(p.Params.Value), Lo: bits64(p.Params.Lo), Hi: bits64(p.Params.Hi),
		Unit: bits64(p.Unit), Kind: p.Kind, F: bits64(p.F), F2: bits64(p.F2), Sensitivity: bits64(spec.FromDyadic(p.Sensitivity)),
		Ideal: digits(p.Ideal, 25), Kappa: digits(p.Kappa, 25), Worst: p.Rows[p.Worst].json(), Verdict: p.Verdict(), Outputs: len(p.Rows),
	}
	if e, ok := p.Excess(); ok {
		j.Excess = digits(e, 25)
	}
	for _, b := range p.Bounds {
		x := boundJSON{Name: b.Claim.Name, C: b.Claim.C, A: b.Claim.A, Floor: b.Claim.Floor, Value: digits(b.Value, 25), Exceeded: b.Exceeded, Delta: digits(b.Delta, 10)}
		if b.Broken != nil {
			x.Broken = b.Broken.Error()
		}
		j.Bounds = append(j.Bounds, x)
	}
	for _, a := range p.Accuracy {
		j.Accuracy = &accuracyJSON{MeanAbs: expectation(a.MeanAbs), Bias: expectation(a.Bias), RMS: root(a.Square)}
		for _, c := range a.Radii {
			j.Accuracy.Radii = append(j.Accuracy.Radii, radiusJSON{c.Confidence, c.T.String(), exactly(c.Beyond)})
		}
	}
	for _, i := range p.Selected(n) {
		j.Rows = append(j.Rows, p.Rows[i].json())
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(j)
}
