package proofs

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ends runs f on end cells with x and x' on different sides of the one edge
// (across) or on one, with their thresholds and whether each is in the cell.
func (t *Trial) ends(across bool, f func(p pair, k, k2 crossing, in, in2 bool)) {
	t.pairs(func(p pair) bool {
		if p.interior() || p.c1 == nil && p.c2 == nil {
			return false
		}
		c := p.c1
		if c == nil {
			c = p.c2
		}
		in, in2 := p.where(p.x) == inside, p.where(p.x2) == inside
		if across != (in != in2) {
			return false
		}
		k, err := p.cross(p.x, *c)
		k2, err2 := p.cross(p.x2, *c)
		if err != nil || err2 != nil {
			t.fail("%v %v", err, err2)
			return true
		}
		f(p, k, k2, in, in2)
		return true
	})
}

func checkEndSameSide(t *Trial) {
	t.ends(false, func(p pair, k, k2 crossing, in, _ bool) {
		gap := k.H.sub(k2.H).abs()
		room := p.eta1().mul(intNum(2)).mul(k.a.add(k2.a)).add(p.eta.mul(intNum(2)))
		t.Le(p.excess(gap), room, "|H - H'| - |x - x'|/lambda <= 2 eta_1 (a + a') + 2 eta, %s", p.show())
		t.Le(room, t.allow(p, "8.001", "6.001"), "the middle, %s", p.show())
		t.Le(p.excess(gap), t.allow(p, "8.001", "6.001"), "|H - H'| - |x - x'|/lambda <= 8.001 kappa + 6.001 eta, %s", p.show())
		t.Le(t.allow(p, "8.001", "6.001"), t.allow(p, "15", "5"), "the last step, %s", p.show())
		if in && !k.P.Equal(k2.P) {
			N, N2 := inEnd(k), inEnd(k2)
			t.Le(N2.quo(N).ln().abs(), gap, "|ln(N'/N)| <= |H - H'| inside, %s", p.show())
		}
	})
}

// inEnd is the probability of an end cell for an x inside it.
func inEnd(k crossing) Num { return intNum(1).sub(ptNum(k.P).mul(fracNum(1, 2))) }

func checkEndAcross(t *Trial) {
	t.ends(true, func(p pair, k, k2 crossing, _, in2 bool) {
		if in2 {
			k, k2 = k2, k
		}
		N, N2 := inEnd(k), ptNum(k2.P).mul(fracNum(1, 2))
		a, H := k.a.add(k2.a), k.H.add(k2.H)
		t.Eq(a, p.dist, "a + a' = |x - x'|/lambda, %s", p.show())
		t.True(k2.P.Cmp(real.One()) <= 0, "P' <= 1, %s", p.show()) // so N' <= 1/2 <= N
		t.Le(p.dist, p.bbar.quo(p.lam).mul(intNum(2)), "|x - x'|/lambda <= 2 max(B; lambda)/lambda, %s", p.show())
		one := real.One()
		t.Le(dyNum(k.P.Mul(one.Add(one).Sub(k.P))), intNum(1), "P (2 - P) <= 1, %s", p.show())
		room := p.eta1().mul(intNum(2)).mul(a)
		t.Le(H.sub(a), room, "H + H' - (a + a') <= 2 eta_1 (a + a'), %s", p.show())
		loss := N.quo(N2).ln()
		t.Le(p.excess(loss), room, "ln(N/N') - (a + a') <= 2 eta_1 (a + a'), %s", p.show())
		t.Le(room, t.allow(p, "4.001", "0"), "the middle, %s", p.show())
		t.Le(p.excess(loss), t.allow(p, "4.001", "0"), "ln(N/N') - |x - x'|/lambda <= 4.001 kappa, %s", p.show())
	})
}

func checkBetween(t *Trial) {
	t.pairs(func(p pair) bool {
		if !p.interior() || p.where(p.x) == inside || p.where(p.x2) == inside || p.where(p.x) == p.where(p.x2) {
			return false
		}
		o, err := p.outside(p.x)
		o2, err2 := p.outside(p.x2)
		if err != nil || err2 != nil {
			t.fail("%v %v", err, err2)
			return true
		}
		tau := o.k1.A.sub(o.k2.A)
		t.Eq(o.k2.A.add(o2.k2.A).add(tau), p.dist.mul(p.lam), "A_n + A_n' + tau = |x - x'|, %s", p.show())
		for range 2 {
			a := o.k2.a.add(o2.k2.a)
			loss := o.n().quo(o2.n()).ln()
			cut := intNum(1).sub(o2.q()).ln().neg() // -ln(1 - q')
			t.Le(overE(o2.q()), overE(t.num("0.3681")), "q' - 1/e <= 0.3681 - 1/e, %s", p.show())
			t.Le(cut, t.num("0.6319").ln().neg(), "-ln(1 - q') <= -ln 0.6319, %s", p.show())
			t.Le(t.num("0.6319").ln().neg(), t.num("0.46"), "-ln 0.6319 <= 0.46, %s", p.show())
			first := a.mul(p.eta1()).mul(intNum(2)).add(p.eta.mul(intNum(2)))
			t.Le(o2.k2.H.sub(o.k2.H).sub(a), first, "H_n' - H_n - (a_n + a_n') <= 2 eta_1 (a_n + a_n') + 2 eta, %s", p.show())
			t.Le(first, p.kappa().mul(t.num("6.001")), "2 eta_1 (a_n + a_n') + 2 eta <= 4.001 kappa + 2 kappa, %s", p.show())
			t.Le(intNum(1).sub(tau.quo(p.lam)), p.kappa().mul(intNum(2)), "1 - tau/lambda <= 2 kappa, %s", p.show())
			// The text drops the factor 1 - q of N, which costs it about 0.46.
			t.Lt(loss, o2.k2.H.sub(o.k2.H).add(cut), "ln(N/N') < H_n' - H_n - ln(1 - q'), %s", p.show())
			most := p.excess(o2.k2.H.sub(o.k2.H).add(cut)).add(intNum(1))
			t.Le(most, t.num("0.46").add(p.kappa().mul(t.num("8.001"))), "the bound on ln(N/N') - |x - x'|/lambda + 1 <= 0.46 + 8.001 kappa, %s", p.show())
			t.Lt(most, t.num("1"), "the bound on ln(N/N') - |x - x'|/lambda + 1 < 1, %s", p.show())
			o, o2 = o2, o
		}
		return true
	})
}

// cell is an interior cell seen from an x in it.
type cell struct {
	N      Num
	k1, k2 crossing // of c_1, s = +1, and of c_2, s = -1
}

func (p pair) inCell(x spec.Value) (i cell, err error) {
	if i.k1, err = p.cross(x, *p.c1); err == nil {
		i.k2, err = p.cross(x, *p.c2)
	}
	i.N = intNum(1).sub(ptNum(i.k1.P).add(ptNum(i.k2.P)).mul(fracNum(1, 2)))
	return i, err
}

// sums are what (6.1.13) becomes inside the cell.
func (t *Trial) sums(p pair, i cell) {
	prod := ptNum(i.k1.P).mul(ptNum(i.k2.P))
	t.Le(p.ell().sub(i.k1.H.add(i.k2.H)), p.kappa().mul(t.num("13")), "l - (H_1 + H_2) <= 13 kappa, %s", p.show())
	t.Le(overE(prod), overE(t.num("0.3681")), "P_1 P_2 - 1/e <= 0.3681 - 1/e, %s", p.show())
	t.Le(intNum(1).sub(prod).mul(fracNum(1, 2)), i.N, "(1 - p)/2 <= N, %s", p.show())
}

func checkSameCell(t *Trial) {
	t.pairs(func(p pair) bool {
		if !p.interior() || p.where(p.x) != inside || p.where(p.x2) != inside {
			return false
		}
		i, err := p.inCell(p.x)
		j, err2 := p.inCell(p.x2)
		if err != nil || err2 != nil {
			t.fail("%v %v", err, err2)
			return true
		}
		t.sums(p, i)
		t.Eq(i.k1.a.add(i.k2.a), j.k1.a.add(j.k2.a), "a_1 + a_2 = tau/lambda, %s", p.show())
		shift := j.k1.a.sub(i.k1.a)
		d1, d2 := j.k1.H.sub(i.k1.H).sub(shift), j.k2.H.sub(i.k2.H).add(shift)
		all := d1.abs().add(d2.abs())
		room := p.eta1().mul(intNum(4)).mul(p.ell().add(p.kappa().mul(intNum(2)))).add(p.eta.mul(intNum(4)))
		t.Le(all, room, "|delta_1| + |delta_2| <= 4 eta_1 (l + 2 kappa) + 4 eta, %s", p.show())
		t.Lt(room, p.eta.mul(t.num("12.001")), "4 eta_1 (l + 2 kappa) + 4 eta < 12.001 eta, %s", p.show())
		t.Le(t.num("12.001").quo(t.num("0.6319")), t.num("19"), "12.001/0.6319 <= 19, %s", p.show())
		if !i.k1.P.Add(i.k2.P).Equal(j.k1.P.Add(j.k2.P)) {
			excess := p.excess(j.N.quo(i.N).ln().abs())
			t.Le(excess, all.quo(t.num("0.6319")), "|ln(N'/N)| - |x - x'|/lambda <= (|delta_1| + |delta_2|)/0.6319, %s", p.show())
			t.Le(excess, t.allow(p, "0", "19"), "|ln(N'/N)| - |x - x'|/lambda <= 19 eta, %s", p.show())
		}
		t.Le(t.allow(p, "0", "19"), t.allow(p, "15", "5"), "the last step, %s", p.show())
		return true
	})
}

// inAndOut runs f on interior cells with x inside and x' outside. The near edge of
// x' is the second of i.
func inAndOut(f func(t *Trial, p pair, i cell, o outside)) func(*Trial) {
	return func(t *Trial) {
		t.pairs(func(p pair) bool {
			if p.where(p.x) != inside {
				p.x, p.x2 = p.x2, p.x
			}
			if !p.interior() || p.where(p.x) != inside || p.where(p.x2) == inside {
				return false
			}
			i, err := p.inCell(p.x)
			o, err2 := p.outside(p.x2)
			if err != nil || err2 != nil {
				t.fail("%v %v", err, err2)
				return true
			}
			if p.where(p.x2) == left {
				i.k1, i.k2 = i.k2, i.k1
			}
			t.sums(p, i)
			t.Eq(i.k2.a.add(o.k2.a), p.dist, "a_2 + a_n' = |x - x'|/lambda, %s", p.show())
			f(t, p, i, o)
			return true
		})
	}
}

// drop is ln((1 - e^-b)/(1 - e^-a)) <= 0.583 (b - a) for 0 < a < b, e^-a <= 0.3681.
func (t *Trial) drop(p pair, a, b Num) {
	if c, err := a.cmp(b); err == nil && c < 0 {
		gap := func(s Num) Num { return intNum(1).sub(s.neg().exp()) }
		t.Le(gap(b).quo(gap(a)).ln(), b.sub(a).mul(t.num("0.583")), "ln((1 - e^-b)/(1 - e^-a)) <= 0.583 (b - a), %s", p.show())
	}
}

// checkLeaving is (6.1.21).
func checkLeaving(t *Trial, p pair, i cell, o outside) {
	loss := o.n().quo(i.N).ln()
	inner := i.k1.H.add(i.k2.H)
	two, room := intNum(2), p.eta1().mul(intNum(4))
	rest := p.eta.mul(intNum(6))
	t.Le(o.sigma().sub(inner), room.mul(o.k1.a).add(rest), "s' - s <= 4 eta_1 a_f' + 6 eta, %s", p.show())
	t.drop(p, inner, o.sigma())
	t.Le(o.k2.a.mul(intNum(1).sub(p.eta1().mul(two))).sub(o.k2.H), p.eta.mul(two), "(1 - 2 eta_1) a_n' - H_n' <= 2 eta, %s", p.show())
	far := o.k2.a.add(p.ell()).add(p.kappa().mul(two))
	step := room.mul(far).add(rest).mul(t.num("0.583")).add(p.eta.mul(two)).sub(o.k2.a.mul(intNum(1).sub(p.eta1().mul(two))))
	t.Le(loss, step, "ln(N'/N) <= -(1 - 2 eta_1) a_n' + 2 eta + 0.583 (4 eta_1 (a_n' + l + 2 kappa) + 6 eta), %s", p.show())
	t.Le(step, p.eta.mul(t.num("10.17")), "the middle, %s", p.show())
	t.Le(loss, p.eta.mul(t.num("10.17")), "ln(N'/N) <= 10.17 eta, %s", p.show())
	t.Le(p.eta.mul(t.num("10.17")), t.allow(p, "15", "5"), "the last step, %s", p.show())
}

// checkEntering is (6.1.22).
func checkEntering(t *Trial, p pair, i cell, o outside) {
	loss := i.N.quo(o.n()).ln()
	scale := intNum(1).add(p.eta1().mul(intNum(2)))
	wide := scale.mul(i.k1.a.add(i.k2.a))
	room := p.eta1().mul(intNum(4)).mul(o.k1.a).add(p.eta.mul(intNum(2)))
	t.Le(wide.sub(o.sigma()), room, "s~ - s' <= 4 eta_1 a_f' + 2 eta, %s", p.show())
	t.Le(room, t.allow(p, "8.001", "6.001"), "4 eta_1 a_f' + 2 eta <= 8.001 kappa + 6.001 eta, %s", p.show())
	t.drop(p, o.sigma(), wide)
	e := func(a Num) Num { return a.mul(scale).exp() }
	t.Le(i.N.mul(intNum(2)), e(i.k2.a).sub(intNum(1).quo(e(i.k1.a))), "2N <= e^a~_2 - e^-a~_1, %s", p.show())
	step := p.eta1().mul(intNum(2)).mul(p.dist).add(t.allow(p, "8.001", "6.001").mul(t.num("0.583")))
	t.Le(p.excess(loss), step, "ln(N/N') - |x - x'|/lambda <= 2 eta_1 (a_2 + a_n') + 0.583 (8.001 kappa + 6.001 eta), %s", p.show())
	t.Le(step, t.allow(p, "8.67", "3.5"), "the middle, %s", p.show())
	t.Le(p.excess(loss), t.allow(p, "8.67", "3.5"), "ln(N/N') - |x - x'|/lambda <= 8.67 kappa + 3.5 eta, %s", p.show())
}
