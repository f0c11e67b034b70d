package explain

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/cases"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Output explains an output of the mechanism for two inputs by the cases of Liu 2020,
// theorem 2 (docs/theory.md 5), ready to be written in any format.
type Output struct {
	Title  string   `json:"title"`
	Inputs []Number `json:"inputs"`
	Notes  []string `json:"notes,omitempty"`
	Case   int      `json:"case"`
	Is     string   `json:"case_is"`
	Cell   string   `json:"cell"` // of w
	// Sides are the lesser input, which the cases call f, and the greater, f'.
	Sides   []OutputSide  `json:"sides"`
	Loss    string        `json:"loss"`    // |ln(Pr[x|f]/Pr[x|f'])|, exact: its first digits, or "infinite"
	Derived string        `json:"derived"` // the bound that the derived ends give; or "infinite", and why
	Ideal   string        `json:"x_distance_over_lambda"`
	Excess  []string      `json:"excess,omitempty"` // of the loss and of the derived bound, in B eta/lambda
	Claims  []OutputClaim `json:"claims"`
}

// OutputSide is one input.
type OutputSide struct {
	Name        string      `json:"name"`
	Input       Number      `json:"input"`
	X           Number      `json:"x"`     // clamped
	Own         string      `json:"own"`   // [f]
	Draws       string      `json:"draws"` // the intervals of u, by the names of their ends
	Ends        []OutputEnd `json:"ends"`
	Probability string      `json:"probability"` // exact
	Decimal     string      `json:"decimal"`
	Mass        string      `json:"twice_probability"` // by the names of the ends
}

// OutputEnd is an end point of an interval of u.
type OutputEnd struct {
	Name     string      `json:"name"`
	Edge     string      `json:"edge"`
	Sign     string      `json:"s"`
	Real     string      `json:"real"`
	Exact    DrawText    `json:"exact"`
	Crossing OutputProof `json:"crossing"`
	Staying  OutputProof `json:"staying"`
	Width    string      `json:"width_in_draws,omitempty"` // from Crossing to Staying
	Above    string      `json:"exact_in_draws,omitempty"` // from Crossing to Exact
	From     string      `json:"derived_from"`             // the threshold is at least this
	To       string      `json:"derived_to"`               // and at most this
}

// DrawText is a draw u = (1 + m 2^-52) 2^-e, or 1.
type DrawText struct {
	M     string `json:"m,omitempty"`
	E     string `json:"e,omitempty"`
	Value string `json:"value"`
}

func (d DrawText) String() string {
	if d.E == "" {
		return "u = 1"
	}
	return fmt.Sprintf("m = %s, e = %s: %s", d.M, d.E, d.Value)
}

// OutputProof is a draw with the interval of w that the kernel derives there.
type OutputProof struct {
	Draw       *DrawText  `json:"draw,omitempty"`
	Lo         string     `json:"lo,omitempty"`
	Hi         string     `json:"hi,omitempty"`
	Side       string     `json:"side,omitempty"` // what that says of the edge
	None       string     `json:"none,omitempty"` // why there is no derivation
	Derivation Derivation `json:"derivation,omitzero"`
}

// OutputClaim is a bound somebody claims.
type OutputClaim struct {
	Name     string `json:"name"`
	Formula  string `json:"formula"`
	Value    string `json:"value"`
	Broken   string `json:"hypothesis_broken,omitempty"`
	Exceeded bool   `json:"exceeded"`
	Reached  bool   `json:"derived"`
}

// verdict says how the claim fares.
func (c OutputClaim) verdict() string {
	words := "the loss is within it, the derived bound is not"
	switch {
	case c.Exceeded:
		words = "EXCEEDED by the loss"
	case c.Reached:
		words = "derived here"
	}
	if c.Broken != "" {
		words += "; it promises nothing here: " + c.Broken
	}
	return words
}

// Of explains an output. in has scale, value, lo, hi, kind, f, f2 and x of the wire.
func Of(in wire.Values) (*Output, error) {
	datumOf := func(name string) spec.Value { return spec.FromBits64(in[name].Bits()) }
	p := spec.SnapParams{
		Format: spec.Binary64, Scale: spec.ScaleKind(in["scale"].Text), Value: datumOf("value"), Lo: datumOf("lo"), Hi: datumOf("hi"),
	}
	r, err := cases.New(p, spec.Kind(in["kind"].Text), datumOf("f"), datumOf("f2"), datumOf("x"))
	if err != nil {
		return nil, err
	}
	o := &Output{Title: "the cases of theorem 2 for one output and two inputs", Case: int(r.Case), Is: r.Case.String()}
	for _, f := range [][2]string{{"scale", ""}, {"value", "lambda, or epsilon"}, {"lo", ""}, {"hi", ""}, {"kind", "of U*"}, {"f", ""}, {"f2", ""}, {"x", "the output"}} {
		o.Inputs = append(o.Inputs, number(f[0], f[1], in[f[0]]))
	}
	o.Inputs = append(o.Inputs, datum("unit", spec.FromDyadic(r.Unit)))
	o.notes(r)
	o.Cell = cellOf(r.Class)
	for i, s := range r.Sides {
		o.Sides = append(o.Sides, side(r, s, i))
	}
	o.bounds(r)
	return o, nil
}

// notes says what is special.
func (o *Output) notes(r *cases.Report) {
	if r.Swapped {
		o.Notes = append(o.Notes, "f is the greater input: below, f is the lesser and f' the greater, as in the notes")
	}
	if r.Both {
		o.Notes = append(o.Notes, "one cell holds both inputs, which the notes leave out: both have the draws of case 3")
	}
	if r.Kind == spec.FloatRange {
		o.Notes = append(o.Notes, "of this kind Pr[u < t] = (t - 2^-1074)/(1 - 2^-1074): probabilities count each end less 2^-1074, over 1 - 2^-1074")
	}
	if r.End && (r.Case == cases.OwnF || r.Case == cases.OwnF2) {
		o.Notes = append(o.Notes, "the output is a bound, and the own cell of an input: that decides the case")
	}
}

// cellOf writes the cell of the output as a set of w.
func cellOf(c cases.Class) string {
	switch {
	case c.Lower == nil && c.Upper == nil:
		return "every w"
	case c.Lower == nil:
		return "w < " + exactly(*c.Upper)
	case c.Upper == nil:
		return "w >= " + exactly(*c.Lower)
	}
	return fmt.Sprintf("%s <= w < %s", exactly(*c.Lower), exactly(*c.Upper))
}

func side(r *cases.Report, s cases.Side, i int) OutputSide {
	o := OutputSide{
		Name: s.Name, Input: datum(s.Name, s.Input), X: datum("x", s.X), Own: exactly(s.Own),
		Probability: exactProb(s.P), Decimal: "0",
	}
	if !s.P.IsZero() {
		if q, err := real.Point(s.P.Num).Quo(real.Point(s.P.Den), 160); err == nil {
			o.Decimal = enclosed(q)
		}
	}
	name := func(n string) string { return n + [...]string{"", "'"}[i] }
	has := map[string]bool{}
	for _, e := range s.Ends {
		has[e.Name] = true
		o.Ends = append(o.Ends, end(r, s, e))
	}
	sign := "s = +1"
	if s.Position == cases.Above {
		sign = "s = -1"
	}
	switch {
	case s.Position == cases.Own:
		var list []string
		o.Mass = "2"
		for _, e := range [][2]string{{"R2", "s = +1"}, {"R1", "s = -1"}} {
			from := "(0"
			if has[name(e[0])] {
				from = "[" + name(e[0])
				o.Mass += " - " + name(e[0])
			}
			list = append(list, fmt.Sprintf("%s, 1), %s", from, e[1]))
		}
		o.Draws = strings.Join(list, "; ")
	case has[name("L")]:
		o.Draws, o.Mass = fmt.Sprintf("[%s, %s), %s", name("L"), name("R"), sign), name("R")+" - "+name("L")
	default:
		o.Draws, o.Mass = fmt.Sprintf("(0, %s), %s", name("R"), sign), name("R")
	}
	return o
}

// exactProb writes a probability; the denominator of the binary64 kind has a thousand bits.
func exactProb(p oracle.Prob) string {
	if p.Den.Equal(real.One()) {
		return p.Num.String()
	}
	return p.Num.String() + "/(1 - 2^-1074)"
}

func end(r *cases.Report, s cases.Side, e cases.EndPoint) OutputEnd {
	f := r.Params.Format
	o := OutputEnd{
		Name: e.Name, Edge: exactly(e.Edge), Sign: fmt.Sprintf("%+d", e.Sign), Real: enclosed(e.Real), Exact: drawText(e.Exact, f),
		From: exactly(e.Derived.Lo), To: exactly(e.Derived.Hi),
	}
	past, here := "below", "at or above"
	if e.Sign < 0 {
		past, here = here, past
	}
	o.Crossing, o.Staying = proof(e.Crossing, f, e.Edge, "w is "+past+" the edge"), proof(e.Staying, f, e.Edge, "w is "+here+" the edge")
	if e.Crossing.Valid {
		o.Above = r.Between(e.Crossing.Draw, e.Exact).String()
		o.Width = r.Between(e.Crossing.Draw, e.Staying.Draw).String()
	}
	return o
}

func drawText(d cases.Draw, f spec.Format) DrawText {
	t := DrawText{Value: exactly(d.Value(f))}
	if !d.One {
		t.M, t.E = d.U.Significand().String(), fmt.Sprint(d.U.E)
	}
	return t
}

// proof shows a derivation with as many bits as it takes to see that the interval of w,
// rounded outward, lies on one side of the edge.
func proof(p cases.Proof, f spec.Format, edge real.Dyadic, says string) OutputProof {
	if !p.Valid {
		return OutputProof{None: p.Why.Error()}
	}
	w := p.Judgment
	st := w.Readable()
	ends := w.Interval().Outward(st.Bits)
	for ; st.Bits < 2*f.Precision+64 && ends.Lo.Cmp(edge) < 0 && ends.Hi.Cmp(edge) >= 0; st.Bits += 4 {
		ends = w.Interval().Outward(st.Bits + 4)
	}
	t := drawText(p.Draw, f)
	d := Derivation{Outline: w.Outline(st), Tree: w.Tree(st), Markdown: w.Markdown(st), TeX: w.TeX(st.Bits), steps: numbered(w)}
	last := &d.steps[len(d.steps)-1]
	last.lo, last.hi = lang.DyadicIn(lang.LaTeX, ends.Lo), lang.DyadicIn(lang.LaTeX, ends.Hi)
	return OutputProof{Draw: &t, Lo: ends.Lo.String(), Hi: ends.Hi.String(), Side: says, Derivation: d}
}

// bounds fills in the loss and what bounds it.
func (o *Output) bounds(r *cases.Report) {
	o.Loss, o.Derived, o.Ideal = "infinite", "infinite: the derived ends leave open that a probability is 0", enclosed(r.Gap)
	if !r.InfiniteLoss {
		o.Loss = enclosed(r.Loss)
		o.excess(r, "loss", r.Loss)
	}
	if !r.InfiniteDerived {
		o.Derived = enclosed(r.Derived)
		o.excess(r, "derived", r.Derived)
	}
	for _, c := range r.Claims {
		x := OutputClaim{Name: c.Name, Formula: c.Formula, Value: enclosed(c.Value), Exceeded: c.Exceeded, Reached: c.Reached}
		if c.Broken != nil {
			x.Broken = c.Broken.Error()
		}
		o.Claims = append(o.Claims, x)
	}
}

// excess is what a constant c bounds. Below -1000 it says no more than the distance.
func (o *Output) excess(r *cases.Report, name string, l real.Interval) {
	if e, ok := r.Excess(l); ok && e.Lo.Cmp(real.FromInt64(-1000)) > 0 {
		o.Excess = append(o.Excess, fmt.Sprintf("%s: %s B eta/lambda over |clamp(f) - clamp(f')|/lambda", name, brief(e)))
	}
}

// brief writes an enclosed number with seven digits.
func brief(x real.Interval) string {
	if x.IsPoint() && x.Lo.IsZero() {
		return "0"
	}
	lo, ok := leading(x.Lo, 7)
	hi, ok2 := leading(x.Hi, 7)
	if x.Lo.Sign()*x.Hi.Sign() > 0 && ok && ok2 && lo.digits == hi.digits && lo.exp == hi.exp {
		lo.more = true
		return lo.String()
	}
	return hexadecimal(x)
}
