package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/boundtwelve"
)

// The numbers that proofs/bound-twelve.md prints for its classes, recomputed, and
// compared with instances of the class.

// q is the bound exp(-l + 0.0004) of (6.2.3).
func (t *Trial) q(l Num) Num { return t.num("0.0004").sub(l).exp() }

// over1q is c (a + b q)/(1 - q).
func over1q(c, a, b, q Num) Num { return c.mul(a.add(b.mul(q))).quo(one1.sub(q)) }

func checkClassF(t *Trial, q quartet) bool {
	half, most, most2 := fracNum(1, 2), t.num("11.8235"), t.num("11.9060")
	F := func(l, a Num) Num { return over1q(one1, l.mul(half).add(a), one1, t.q(l)) }
	if t.fresh() {
		for _, l := range []int64{1, 2} {
			t.Le(F(intNum(l), one1).mul(intNum(4)), most, "4 F at an end")
		}
		for _, k := range []struct {
			from, to Num
			value    string
		}{{one1, fracNum(3, 2), "2.1647"}, {fracNum(3, 2), intNum(2), "1.8966"}} {
			t.Le(F(k.from, half), t.num(k.value), "F_2 at the left end <= "+k.value)
			t.Le(F(k.to, half), t.num(k.value), "F_2 at the right end <= "+k.value)
			t.Le(k.to.add(intNum(4)).mul(t.num(k.value)).mul(one1.add(pow2Num(-48))), most2, "(4 + l) F_2 up to l = "+k.to.exact.RatString())
		}
	}
	if q.I != q.K+1 {
		return false
	}
	four := intNum(4).mul(q.kappa())
	if q.T2b.H.Cmp(q.T1b.H) == 0 {
		t.Le(q.h(), four, "h <= 4 kappa, %s", q)
		t.classBound(q, most)
		return true
	}
	room := four.add(q.ell().mul(q.eta())).add(four.mul(q.eta())).mul(one1.add(q.eta()))
	t.Le(q.h(), room, "h <= (1 + eta)(4 kappa + l eta + 4 eta kappa), %s", q)
	t.classBound(q, most2)
	return true
}

func checkClassesGH(t *Trial, q quartet) bool {
	q0, share := t.q(one1), t.num("3.2")
	if t.fresh() {
		t.Le(over1q(intNum(2), intNum(3), one1, q0), t.num("10.659"), "the value of G")
		t.Le(over1q(share, intNum(2), one1, q0), t.num("11.9906"), "the value of H")
	}
	switch q.class.Letter {
	case "G":
		t.Le(q.g(), q.ell().mul(q.eta()).mul(intNum(2)), "G/lambda <= 2 l eta, %s", q)
		t.classBound(q, t.num("10.659"))
	case "H":
		t.Le(q.g(), share.mul(q.kappa()), "G/lambda <= 3.2 kappa, %s", q)
		t.classBound(q, t.num("11.9906"))
	default:
		return false
	}
	return true
}

func checkClassI(t *Trial, q quartet) bool {
	l, r := t.num("1.1428"), t.num("0.3191")
	if t.fresh() {
		t.Lt(t.q(l), r, "q < 0.3191")
		t.Le(over1q(intNum(4), one1, intNum(2), t.q(one1)), t.num("10.989"), "the first value of I")
		t.Le(intNum(4).mul(fracNum(1, 2).add(r).add(one1.add(r).quo(l))).quo(one1.sub(r)), t.num("11.593"), "the second value of I")
	}
	if q.class.Letter != "I" {
		return false
	}
	t.Eq(dyNum(q.R.Dyadic()).abs(), ratNum(q.Unit), "|r| = Lambda, %s", q)
	t.Le(ratNum(q.T2b.G), ratNum(q.T1b.G).mul(fracNum(1, 2)), "g_2' <= G/2, %s", q)
	if q.T2b.H.Cmp(q.T1b.H) < 0 {
		t.classBound(q, t.num("10.989"))
		return true
	}
	t.Lt(l, q.ell(), "1.1428 < l, %s", q)
	t.classBound(q, t.num("11.593"))
	return true
}

// entry is a line of the table of classes: b >= |Delta_2|, gap >= |Delta_1 - Delta_2|.
func (t *Trial) entry(q quartet) (b, gap Num) {
	cell, _ := q.Geometry()
	near := new(big.Rat).Quo(q.T2.G, q.T1b.G)
	half := near.Cmp(big.NewRat(1, 2)) == 0
	k := q.class.Letter
	get := func(b, gap string) (Num, Num) {
		return t.num("|Delta_2| in "+k, b), t.num("|Delta_1 - Delta_2| in "+k, gap)
	}
	switch {
	case k == "A":
		return get("3/4", "0")
	case k == "B":
		return get("3/4", "3/4")
	case k == "C" && half:
		return get("3/4", "1/2")
	case k == "C":
		return get("3/4", "5/8")
	case k == "D" && cell == "middle":
		return get("1/4", "1")
	case k == "D":
		return get("1/2", "1/2")
	case half:
		return get("1/2", "3/4")
	}
	return get("3/8", "2") // the table has no second entry here
}

func checkBroken(t *Trial, q quartet) bool {
	q0 := t.q(one1)
	value := func(a, b Num) Num { return over1q(intNum(4), a.add(fracNum(3, 4)), b, q0) }
	if t.fresh() {
		for _, k := range []struct {
			class, most string
			a, b        Num // Pi + q_0 = a + b q_0
		}{
			{"B, C", "11.8235", fracNum(3, 4), one1}, {"D", "10.41", fracNum(1, 2), one1}, {"D, middle", "10.41", fracNum(1, 4), fracNum(7, 4)},
			{"E, g_2 = 1/2", "11.198", fracNum(1, 2), fracNum(5, 4)}, {"E, g_2 <= 1/4", "11.198", fracNum(3, 8), fracNum(7, 4)},
		} {
			t.Le(value(k.a, k.b), t.num(k.most), "the value of "+k.class)
		}
	}
	if !q.late() || q.class.Kind != "broken" {
		return false
	}
	t.True(q.class.Letter != "A", "class A does not occur: %s", q)
	t.Le(ratNum(q.e.L2).abs(), t.num("3/4"), "|L_2| <= 3/4 h, %s", q)
	most := map[string]string{"B": "11.8235", "C": "11.8235", "D": "10.41", "E": "11.198"}[q.class.Letter]
	if most != "" {
		t.classBound(q, t.num(most))
	}
	b, gap := t.entry(q)
	t.Le(ratNum(q.e.D2).abs(), b, "|Delta_2| in "+q.class.Letter+", %s", q)
	t.Le(ratNum(q.e.D1).sub(ratNum(q.e.D2)).abs(), gap, "|Delta_1 - Delta_2| in "+q.class.Letter+", %s", q)
	return true
}

func checkWhole(t *Trial, q quartet) bool {
	if !q.late() || q.class.Kind != "whole" {
		return false
	}
	b, gap := t.entry(q)
	n := ratNum(q.e.A1).sub(ratNum(q.e.A2))
	T := t.num("2").add(q.ell().mul(gap)).exact
	whole := new(big.Rat).SetInt(new(big.Int).Div(T.Num(), T.Denom()))
	t.True(n.exact.IsInt(), "alpha_1 - alpha_2 is no multiple of h: %s", q)
	t.Le(n.abs(), ratNum(whole), "|t| <= T, %s", q)
	t.Le(ratNum(q.e.D2).abs(), b, "|Delta_2| <= b, %s", q)
	t.Le(ratNum(q.e.A2).abs(), q.ell().mul(b).add(t.num("1")), "|alpha_2| <= l b + 1, %s", q)
	return true
}

// wholeValues are the lines of (6.2.14).
var wholeValues = []struct {
	class, b, t, from, most string
}{
	{"A", "3/4", "2", "1", "11.659"}, {"B", "3/4", "2", "1", "11.659"}, {"B", "3/4", "3", "4/3", "9.23"}, {"C", "3/4", "2", "1", "11.659"},
	{"D", "1/2", "2", "1", "10.659"}, {"D, middle", "1/4", "3", "1", "11.9882"},
	{"E", "1/2", "2", "1", "10.659"}, {"E", "1/2", "3", "4/3", "8.23"},
}

func checkClassBounds(t *Trial, q quartet) bool {
	if t.fresh() {
		for _, k := range wholeValues {
			l := parseNum(k.from)
			r := t.q(l)
			v := parseNum(k.b).add(one1.add(parseNum(k.t).mul(r).quo(one1.sub(r))).quo(l)).mul(intNum(4))
			t.Le(v, t.num(k.most), "the value of "+k.class+" for T = "+k.t)
		}
	}
	if !q.late() || q.class.Kind != "whole" {
		return false
	}
	cell, _ := q.Geometry()
	k := map[string]string{"A": "11.659", "B": "11.659", "C": "11.659", "D": "10.659", "E": "10.659"}[q.class.Letter]
	if q.class.Letter == "D" && cell == "middle" {
		k = "11.9882"
	}
	t.classBound(q, t.num(k))
	return true
}

func checkSameSide(t *Trial, q quartet) bool {
	c, a := t.num("11.9906"), t.num("4.3294")
	q0 := t.q(one1)
	if t.fresh() {
		t.Lt(over1q(intNum(2), one1, one1, q0), a, "2(1 + q_0)/(1 - q_0) < 4.3294")
		for _, k := range [][2]string{{"5", "1"}, {"4", "36"}, {"3", "142"}, {"2", "256"}} {
			t.Le(a.sub(parseNum(k[0])), intNum(12).sub(c).mul(t.num("b = "+k[1], k[1])), "0.0094 b >= 4.3294 - a for a = "+k[0])
		}
		for _, k := range []string{"11.8235", "11.9060", "10.659", "11.593", "11.659", "11.9882"} {
			t.Le(parseNum(k), c, "the classes are at most 11.9906")
		}
		for _, r := range boundtwelve.Values() { // the enumeration
			t.Le(Num{at: r.At}, c, "the enumerated classes are at most 11.9906, %s", r.Class)
		}
	}
	e, err := q.excess(t.subject)
	if err != nil {
		t.fail("%v: %s", err, q)
		return true
	}
	t.Le(e, c.mul(q.kappa()).add(a.mul(q.eta())), "excess <= 11.9906 kappa + 4.3294 eta, %s", q)
	return true
}

func checkOneCell(t *Trial) {
	steps := t.num("1.4721").add(t.num("1.36803").mul(t.num("2.0001").mul(intNum(2)).add(intNum(2)))).quo(one1.sub(t.num("0.36803")))
	t.Lt(steps, t.num("15.4"), "the last step of the proof")
	t.Lt(t.q(one1), t.num("0.36803"), "q_0 < 0.36803")
	t.Le(intNum(4).mul(t.num("0.368")).mul(one1.add(pow2Num(-53))), t.num("1.4721"), "4 0.368 eta_1 <= 1.4721 eta")
	t.pairs(func(p pair) bool {
		if !p.interior() || p.where(p.x) != inside || p.where(p.x2) != inside {
			return false
		}
		l, err := p.logRatio(p.x, p.x2, p.r)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return true
		}
		t.Le(p.excess(l.abs()), p.eta.mul(t.num("15.4")), "excess <= 15.4 eta, %s", p.show())
		return true
	})
}

func checkLargeB(t *Trial, q quartet) bool {
	five, seven := t.num("5"), t.num("7")
	e := one1.exp()
	sup := five.mul(e).add(seven).quo(e.sub(one1))
	if t.fresh() {
		t.Lt(t.num("11.98372048"), sup, "11.98372048 < (5e + 7)/(e - 1)")
		t.Lt(sup, t.num("11.98372049"), "(5e + 7)/(e - 1) < 11.98372049")
		t.Lt(over1q(intNum(3), intNum(2), one1, t.q(one1)), t.num("11.25"), "H up to 2^J = 3/2 B")
	}
	if q.B.Cmp(new(big.Rat).Mul(big.NewRat(32, 1), q.Lambda)) < 0 {
		return false
	}
	x, err := q.excess(t.subject)
	if err != nil {
		t.fail("%v: %s", err, q)
		return true
	}
	r := q.kappa().mul(intNum(13)).sub(one1).exp()
	rhs := over1q(q.kappa(), five, seven, r).add(t.num("4.3294").mul(q.eta()))
	t.Le(x, rhs, "excess <= (5 + 7q)/(1 - q) kappa + 4.3294 eta, %s", q)
	return true
}
