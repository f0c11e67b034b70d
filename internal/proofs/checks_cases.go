package proofs

import (
	"fmt"
	"maps"

	"github.com/dp-crosscheck/crosscheck/internal/cases"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// derivedCase is what the kernel derives for an output of Liu 2020, theorem 2, with the
// exact loss as this package computes it.
type derivedCase struct {
	*cases.Proved
	mech
	bound, loss Num // logarithms
	apart       Num // |f - f'|/lambda
}

func deriveCase(epsilon, b, f, x float64, sub subject) (derivedCase, error) {
	m, err := newMech(spec.ScaleEpsilon, epsilon, -b, b, spec.Unbounded, sub)
	if err != nil {
		return derivedCase{}, err
	}
	lo, hi, out := spec.FromFloat64(f), spec.FromFloat64(f+1), spec.FromFloat64(x)
	r, err := cases.Prove(m.p, spec.Unbounded, lo, hi, out)
	if err != nil {
		return derivedCase{}, err
	}
	if r.Largest[0].Infinite() || r.Largest[1].Infinite() {
		return derivedCase{}, fmt.Errorf("nothing is derived at x = %v", x)
	}
	d := derivedCase{Proved: r, mech: m, apart: floatNum(f + 1).sub(floatNum(f)).quo(m.lam)}
	d.bound = Num{at: func(prec uint) (real.Interval, error) { return r.Worst().Ln(prec) }}
	d.loss, err = m.logRatio(lo, hi, out.Dyadic())
	d.loss = d.loss.abs()
	return d, err
}

// beyondApart is the part of a logarithm above |f - f'|/lambda.
func (d derivedCase) beyondApart(l Num) Num { return l.sub(d.apart) }

// twelve is 12 B epsilon eta + 2 eta, with the constants of the statement.
func (d derivedCase) twelve(c, a Num) Num { return d.kappa().mul(c).add(d.eta.mul(a)) }

// farthestOutput runs f at epsilon = 1, f = B - 1, f' = B and the output x = 1 - B, the farthest
// that is no bound, after its derivations have been looked at again.
func farthestOutput(t *Trial, bounds []string, f func(d derivedCase)) {
	for i, b := range bounds {
		if i > 0 {
			t.instance()
		}
		B := t.double("B", b)
		d, err := deriveCase(t.double("epsilon", "1"), B, B-1, t.double("x", fmt.Sprint(1-B)), t.subject)
		if err != nil {
			t.fail("%v", err)
			continue
		}
		for _, s := range d.Sides {
			for _, e := range s.Ends {
				w, w2 := t.subject.concluded(e.Crossing.Judgment), t.subject.concluded(e.Staying.Judgment)
				if e.Sign < 0 {
					w, w2 = w2, w
				}
				t.True(w.Hi.Cmp(e.Edge) < 0, "%s: w reaches %v at the draw below the threshold", e.Name, w.Hi)
				t.True(w2.Lo.Cmp(e.Edge) >= 0, "%s: w is below the edge at the draw above", e.Name)
			}
		}
		f(d)
	}
}

// caseChecks are those of proofs/interval-derivation.md.
func caseChecks() []Check {
	return []Check{
		claim("interval.1", func(t *Trial) {
			farthestOutput(t, []string{"300", "100", "10"}, func(d derivedCase) {
				t.Lt(d.twelve(t.num("12"), t.num("2")), d.beyondApart(d.bound), "12 B epsilon eta + 2 eta < the derived bound less epsilon, B = %v", d.b.approx())
			})
		}),
		claim("interval.2", func(t *Trial) {
			farthestOutput(t, []string{"300", "100"}, func(d derivedCase) {
				t.Lt(d.kappa().mul(t.num("21")), d.beyondApart(d.bound), "21 B epsilon eta < the derived bound less epsilon, B = %v", d.b.approx())
			})
		}),
		{Label: "interval.3", Run: func(t *Trial) {
			t.instance()
			farthestOutput(t, []string{"300", "100", "10"}, func(d derivedCase) {
				t.Le(d.beyondApart(d.loss), d.kappa().mul(t.num("1/100")), "the exact loss less epsilon <= B epsilon eta/100, B = %v", d.b.approx())
				t.Lt(d.loss, d.bound, "the exact loss < the derived bound, B = %v", d.b.approx())
			})
		}},
		{Label: "interval.4", Run: func(t *Trial) { // at the bounds and near the inputs the derivation does reach the claim
			t.instance()
			for i, x := range []string{"-300", "0", "297", "298", "300"} {
				if i > 0 {
					t.instance()
				}
				d, err := deriveCase(t.double("epsilon", "1"), 300, 298, t.double(x, x), t.subject)
				if err != nil {
					t.fail("%v", err)
					continue
				}
				t.Le(d.beyondApart(d.bound), d.twelve(t.num("12"), t.num("2")), "the derived bound less epsilon <= 12 B epsilon eta + 2 eta, x = %s", x)
			}
		}},
	}
}

// caseBlocks are the generators of the same document.
var caseBlocks = map[string]func() (string, error){
	"interval-derivation": intervalBlock,
	"interval-cases":      intervalCasesBlock,
}

// withCaseBlocks adds them to others.
func withCaseBlocks(b map[string]func() (string, error)) map[string]func() (string, error) {
	all := maps.Clone(b)
	maps.Copy(all, caseBlocks)
	return all
}

// printedFor is the logarithm of the quotient of the printed end points, read as
// intervals, at epsilon = Lambda = 1, f = B - 1, f' = B, x = 1 - B.
func printedFor(b int64) Num {
	one := etaPlusOne()
	square := one.mul(one)
	edge := func(half int64) Num { return fracNum(2*(1-b)+half, 2) }
	end := func(half, f int64, greater bool) Num {
		y := edge(half)
		lower := y.quo(one).sub(intNum(f)).mul(square).exp()
		upper := y.mul(one).sub(intNum(f)).quo(square).exp()
		return real2(upper, lower, greater)
	}
	return end(1, b-1, true).sub(end(-1, b-1, false)).quo(end(1, b, false).sub(end(-1, b, true))).ln()
}

func intervalBlock() (string, error) {
	e := intNum(1).exp()
	rows := [][]any{{"B"}, {"claimed, 12 + 2/B"}, {"printed end points"}, {"derived end points"}, {"exact loss"}}
	for _, b := range []int64{300, 100, 10} {
		d, err := deriveCase(1, float64(b), float64(b-1), float64(1-b), honest())
		if err != nil {
			return "", err
		}
		for i, v := range []any{
			b, fmt.Sprintf("%.6g", 12+2/float64(b)), printedFor(b).sub(intNum(1)).quo(d.kappa()),
			d.beyondApart(d.bound).quo(d.kappa()), d.beyondApart(d.loss).quo(d.kappa()),
		} {
			rows[i] = append(rows[i], v)
		}
	}
	text, err := tableText(rows)
	if err != nil {
		return "", err
	}
	limit, err := tableText([][]any{{"10 (e+1)/(e-1)", intNum(10).mul(e.add(intNum(1))).quo(e.sub(intNum(1)))}})
	return text + "\n" + limit, err
}

// intervalCasesBlock looks at every output of a mechanism in which all seven cases occur.
func intervalCasesBlock() (string, error) {
	const epsilon, b, f = 2, 50, 0
	type perCase struct {
		outputs, within int
		worst           Num
	}
	seen := map[cases.Case]*perCase{}
	for x := -float64(b); x <= b; x += 0.5 {
		d, err := deriveCase(epsilon, b, f, x, honest())
		if err != nil {
			return "", err
		}
		n := seen[d.Case]
		first := n == nil
		if first {
			n = &perCase{worst: d.beyondApart(d.bound)}
			seen[d.Case] = n
		}
		n.outputs++
		c, err := d.beyondApart(d.bound).cmp(d.twelve(intNum(12), intNum(2)))
		if err != nil {
			return "", err
		}
		if c < 0 {
			n.within++
		}
		if first { // a number is not compared with itself: no enclosure decides that
			continue
		}
		if c, err = n.worst.cmp(d.beyondApart(d.bound)); err != nil {
			return "", err
		}
		if c < 0 {
			n.worst = d.beyondApart(d.bound)
		}
	}
	rows := [][]any{{"case", "outputs", "derived", "largest derived excess/(B epsilon eta)"}}
	m, err := newMech(spec.ScaleEpsilon, epsilon, -b, b, spec.Unbounded, honest())
	if err != nil {
		return "", err
	}
	for _, c := range cases.All() {
		n := seen[c]
		if n == nil {
			return "", fmt.Errorf("no output of case %s", c)
		}
		worst := any("below 0")
		if s, err := n.worst.cmp(intNum(0)); err != nil {
			return "", err
		} else if s > 0 {
			worst = n.worst.quo(m.kappa())
		}
		rows = append(rows, []any{c.String(), n.outputs, n.within, worst})
	}
	return tableText(rows)
}
