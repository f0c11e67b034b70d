package props

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/cases"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// caseProperties are about the seven cases of Liu 2020, theorem 2 (docs/theory.md 5). A
// point is a mechanism with a kind of U*, two inputs and an output x.
var caseProperties = []Property{
	{"case-total-and-disjoint", []string{"snap", "clamp", "round_multiple"}, func(src gen.Source) Point {
		m, e := gen.Draw(src)
		return merge(genCase(src), Point{"m": wire.NewUint(m), "e": wire.NewInt(e)})
	}, oneCase},
	{"threshold-inside-derivation", []string{"snap"}, genCase, insideEnds},
	{"exact-loss-within-derived-bound", []string{"snap_prob"}, genCase, withinDerived},
}

// genCase draws each case about as often as the others: an output is looked for on the
// side of the inputs that one draw names; [f] where there is none.
func genCase(src gen.Source) Point {
	p := Point(gen.SnapLoss(src))
	if x := datum(p["value"]); !x.IsFinite() || x.Sign() <= 0 || !unitExists(p) || !near14(p) {
		p["scale"], p["value"] = wire.NewWord(wire.ScaleOf, "epsilon"), wire.NewFloat(1+float64(pick(src, 64))/64)
		b := float64(1+pick(src, 300)) / 4
		p["lo"], p["hi"] = wire.NewFloat(-b), wire.NewFloat(b)
	}
	for _, name := range []string{"f", "f2"} {
		if datum(p[name]).IsNaN() {
			p[name] = f64(legal(src))
		}
	}
	unit := unitOf(p)
	if width := datum(p["hi"]).Dyadic().Sub(datum(p["lo"]).Dyadic()); width.Cmp(unit.Shift(2)) <= 0 && pick(src, 4) > 0 {
		// No room for more than an end cell or two: as many units on either side as will do.
		half := oracle.Round(b64, unit.Mul(real.FromInt64(int64(5+pick(src, 60)))).Shift(-1))
		if half.IsFinite() {
			p["lo"], p["hi"] = encode(half.Neg()), encode(half)
			for _, name := range []string{"f", "f2"} {
				at := unit.Mul(real.FromInt64(int64(pick(src, 61)) - 30)).Shift(-1)
				p[name] = encode(oracle.Add(b64, oracle.Round(b64, at), datum(p[name])))
			}
		}
	}
	lo, hi := datum(p["lo"]), datum(p["hi"])
	a, b := nearest(p, "f"), nearest(p, "f2")
	if a.Cmp(b) > 0 {
		a, b = b, a
	}
	side := pick(src, 7)
	if (side == 3) && b.Dyadic().Sub(a.Dyadic()).Cmp(unit) <= 0 { // nothing between: f2 as far off as can be
		p["f2"] = p["hi"]
		if a, b = nearest(p, "f"), nearest(p, "f2"); a.Cmp(b) > 0 {
			a, b = b, a
		}
	}
	x := [...]spec.Value{lo, lo, a, a, b, b, hi}[side]
	if end := [...]spec.Value{lo, a, a, b, b, hi, hi}[side]; side%2 == 1 { // some multiple between x and end
		t := real.FromUint64(src.Uint64()>>11, -53)
		at := x.Dyadic().Add(end.Dyadic().Sub(x.Dyadic()).Mul(t)) // in [x, end)
		k := unit.Top()
		v := spec.FromDyadic(real.NewDyadic(oracle.NearestMultiple(at, k, spec.TiesUp), k))
		if v.Cmp(lo) < 0 || v.Cmp(hi) > 0 || !b64.Has(v) {
			v = a
		}
		x = v
	}
	return merge(p, Point{"x": encode(x.PlusZero())})
}

// near14 reports hi - lo <= 2^14 lambda, the limit of snap_prob, and B <= 2^60 lambda.
func near14(p Point) bool {
	q := spec.NewQuantities(snapParams(p), spec.Zero(false))
	width := datum(p["hi"]).Dyadic().Sub(datum(p["lo"]).Dyadic())
	return width.Mul(q.LambdaDen).Cmp(q.LambdaNum.Shift(14)) <= 0 && q.B.Mul(q.LambdaDen).Cmp(q.LambdaNum.Shift(60)) <= 0
}

// nearest is [f] by its definition, in exact arithmetic.
func nearest(p Point, input string) spec.Value {
	lo, hi := datum(p["lo"]), datum(p["hi"])
	k := unitOf(p).Top()
	x := between(datum(p[input]), lo, hi)
	return between(spec.FromDyadic(real.NewDyadic(oracle.NearestMultiple(x.Dyadic(), k, spec.TiesUp), k)), lo, hi)
}

func proveCase(p Point) (*cases.Proved, error) {
	return cases.Prove(snapParams(p), spec.Kind(p["kind"].Text), datum(p["f"]), datum(p["f2"]), datum(p["x"]))
}

// theSeven states the cases for a = [f] <= b = [f'].
func theSeven(x, a, b, lo, hi spec.Value) [7]bool {
	lt := func(v, w spec.Value) bool { return v.Cmp(w) < 0 }
	eq := func(v, w spec.Value) bool { return v.Cmp(w) == 0 }
	return [7]bool{
		eq(x, lo) && lt(x, a), lt(lo, x) && lt(x, a), eq(x, a), lt(a, x) && lt(x, b), lt(a, x) && eq(x, b),
		lt(b, x) && lt(x, hi), lt(b, x) && eq(x, hi),
	}
}

// oneCase: of the seven conditions, with [f] as the voter computes it, one holds, and it
// is the one that package cases names; and a draw gives x just when it is in the
// intervals of that case, as far as the proved draws tell.
func oneCase(v wire.Voter, p Point) error {
	c, err := proveCase(p)
	if err != nil {
		return err
	}
	lo, hi := datum(p["lo"]), datum(p["hi"])
	var own [2]spec.Value
	for i, f := range c.Input {
		if own[i], err = ownCell(v, p, f); err != nil {
			return err
		}
	}
	n := 0
	for i, holds := range theSeven(c.Output, own[0], own[1], lo, hi) {
		if holds {
			n++
			if i+1 != int(c.Case) {
				return fmt.Errorf("the case is %q and not %d", c.Case, i+1)
			}
		}
	}
	if n != 1 {
		return fmt.Errorf("%d of the seven cases hold", n)
	}
	for _, s := range c.Sides {
		list := []spec.U{drawn(p)}
		for _, e := range s.Ends {
			for _, d := range []cases.Proof{e.Crossing, e.Staying} {
				if d.Valid {
					list = append(list, d.Draw.U)
				}
			}
		}
		for _, u := range list {
			for _, sign := range []spec.Sign{1, -1} {
				want, known := gives(s, u, sign)
				if !known {
					continue
				}
				out, err := value(v, "snap", drawnCase(p, s.Input, u, sign))
				if err != nil {
					return err
				}
				if got := datum(out["r"]).Cmp(c.Output) == 0; got != want {
					return fmt.Errorf("case %q, %s = %v, s = %d, u = (%d, %d): the output is %v, and it is %v that it is %v",
						c.Case, s.Name, s.Input, sign, u.M, u.E, datum(out["r"]), want, c.Output)
				}
			}
		}
	}
	return nil
}

// ownCell is [f] by the voter's own clamping and rounding.
func ownCell(v wire.Voter, p Point, f spec.Value) (spec.Value, error) {
	bound := func(x spec.Value) (spec.Value, error) {
		return y(v, "clamp", wire.Values{"x": encode(x), "lo": p["lo"], "hi": p["hi"]})
	}
	x, err := bound(f)
	if err != nil {
		return x, err
	}
	r, err := ask(v, "round_multiple", wire.Values{
		"x": encode(x), "unit": encode(spec.FromDyadic(unitOf(p))), "ties": wire.NewWord(wire.Ties, "up"),
	})
	if err != nil {
		return x, err
	}
	if r.Reject == "overflow" {
		return bound(spec.Inf(x.Signbit()))
	}
	return bound(datum(r.Out["y"]))
}

// gives says whether a draw gives the output: of the sign of each end it must be past the
// far edge's threshold or not, as the table of docs/theory.md 5 says. known is false
// between two proved draws.
func gives(s cases.Side, u spec.U, sign spec.Sign) (want, known bool) {
	if s.Position == cases.Below && sign < 0 || s.Position == cases.Above && sign > 0 {
		return false, true
	}
	want, known = true, true
	for _, e := range s.Ends {
		if e.Sign != sign {
			continue
		}
		past := e.Name[0] == 'R' && s.Position != cases.Own // R: the draws below give it; L, R1, R2: those above
		switch {
		case e.Crossing.Valid && compareDraws(u, e.Crossing.Draw.U) <= 0:
			if !past {
				return false, true
			}
		case e.Staying.Valid && compareDraws(u, e.Staying.Draw.U) >= 0:
			if past {
				return false, true
			}
		default:
			known = false
		}
	}
	return want, known
}

func compareDraws(a, b spec.U) int { return a.Value(b64).Cmp(b.Value(b64)) }

// drawnCase asks snap about a draw.
func drawnCase(p Point, f spec.Value, u spec.U, s spec.Sign) wire.Values {
	sign := "+1"
	if s < 0 {
		sign = "-1"
	}
	return question("snap", p, wire.Values{"f": encode(f), "m": wire.NewUint(u.M), "e": wire.NewInt(u.E), "s": wire.NewWord(wire.Sign, sign)})
}

// insideEnds: at the two draws of each end the voter's w is on the sides that the kernel
// proves, so that its threshold, wherever w passes the edge, is between them.
func insideEnds(v wire.Voter, p Point) error {
	c, err := proveCase(p)
	if err != nil {
		return err
	}
	for _, s := range c.Sides {
		for _, e := range s.Ends {
			for i, d := range []cases.Proof{e.Crossing, e.Staying} {
				if !d.Valid {
					continue
				}
				out, err := value(v, "snap", drawnCase(p, s.Input, d.Draw.U, e.Sign))
				if err != nil {
					return err
				}
				w := datum(out["w"])
				if below := w.Cmp(spec.FromDyadic(e.Edge)) < 0; w.IsNaN() || below != ((e.Sign > 0) == (i == 0)) {
					return fmt.Errorf("case %q, %s: w = %v at the draw (%d, %d), proved to lie in [%v, %v]; the edge is %v",
						c.Case, e.Name, w, d.Draw.U.M, d.Draw.U.E, d.Judgment.Interval().Lo, d.Judgment.Interval().Hi, e.Edge)
				}
			}
		}
	}
	return nil
}

// withinDerived: neither ratio of the two probabilities exceeds the quotient of the case.
func withinDerived(v wire.Voter, p Point) error {
	var pr [2]*big.Rat
	for i, name := range []string{"f", "f2"} {
		out, err := value(v, "snap_prob", question("snap_prob", p, wire.Values{"f": p[name]}))
		if err != nil {
			return err
		}
		pr[i] = out["p"].Rat()
	}
	c, err := proveCase(p)
	if err != nil {
		return err
	}
	if c.Swapped {
		pr[0], pr[1] = pr[1], pr[0]
	}
	for i, q := range c.Largest {
		if q.Infinite() {
			continue
		}
		a, b := real.NewDyadic(pr[i].Num(), 0), real.NewDyadic(pr[i].Denom(), 0)
		a2, b2 := real.NewDyadic(pr[1-i].Num(), 0), real.NewDyadic(pr[1-i].Denom(), 0)
		if a.Mul(b2).Mul(q.Den).Cmp(a2.Mul(b).Mul(q.Num)) > 0 {
			return fmt.Errorf("case %q: the probabilities %s and %s have a ratio above the derived one", c.Case, pr[0].FloatString(20), pr[1].FloatString(20))
		}
	}
	return nil
}
