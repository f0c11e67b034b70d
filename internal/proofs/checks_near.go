package proofs

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// nearChecks are (6.1.23) to (6.1.27): the probabilities of Snap_F beside those of
// Snap_R with the same scale and the same cells.
func nearChecks() []Check {
	return []Check{
		{Label: "6.1.23", Size: 600, Run: crossings(checkShift)},
		{Label: "6.1.24", Size: 600, Run: besideCell(checkSteps)},
		{Label: "6.1.25", Size: 250, Run: besideCell(checkBesideIdeal)},
		{Label: "6.1.26", Size: 400, Run: checkAroundIdeal},
		{Label: "6.1.27", Size: 200, Run: checkNearIdeal},
	}
}

// ideally is a° = |x - c|/lambda, the threshold of Snap_R.
func (p pair) ideally(k crossing) Num {
	return dyNum(p.x.Dyadic().Sub(k.c).Abs()).quo(p.lam)
}

// off is E° = H - a°.
func (p pair) off(k crossing) Num { return k.H.sub(p.ideally(k)) }

func checkShift(t *Trial, p pair, k crossing) {
	shift := k.a.sub(p.ideally(k)).abs()
	size := dyNum(k.c.Abs()).mul(p.eta).quo(p.lam)
	t.Le(shift, size, "|a - a°| <= eta |c|/lambda, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(size, t.allow(p, "1", "1"), "eta |c|/lambda <= kappa + eta, c = %v, %v", k.c, p.p)
	t.Le(p.off(k).abs(), t.allow(p, "5.001", "5.001"), "|E°| <= 5.001 kappa + 5.001 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
}

// besideCell runs f on interior cells with x outside.
func besideCell(f func(t *Trial, p pair, o outside)) func(*Trial) {
	return func(t *Trial) {
		t.pairs(func(p pair) bool {
			if !p.interior() || p.where(p.x) == inside {
				return false
			}
			o, err := p.outside(p.x)
			if err != nil {
				t.fail("%v", err)
				return true
			}
			f(t, p, o)
			return true
		})
	}
}

// checkSteps: the errors of product and addition at both edges of a cell, in each
// of the three cases of the proof and in all.
func checkSteps(t *Trial, p pair, o outside) {
	e := func(k crossing) Num { return k.M.sub(dyNum(p.x.Dyadic().Sub(k.c).Abs())) }
	gap := func(k crossing) real.Dyadic { return k.c.Sub(k.t).Shift(1) } // h
	h1, h2 := gap(o.k1), gap(o.k2)
	// The left sides are convex in q and the right sides linear, so the ends decide.
	for _, q := range []Num{intNum(0), t.num("0.3681")} {
		rest := intNum(1).sub(q)
		both := e(o.k2).sub(q.mul(e(o.k1))).abs().quo(p.lam)
		t.Le(both, rest.mul(t.allow(p, "4.54", "2.4")), "|e_2 - q e_1|/lambda <= (1 - q)(4.54 kappa + 2.4 eta), %s", p.show())
		var room Num
		switch h1.Cmp(h2) {
		case 1:
			room = p.kappa().mul(t.num("2.5").add(q)).add(p.eta.mul(rest.mul(t.num("0.51"))))
			t.True(h1.Equal(h2.Shift(1)) || h1.Equal(h2.Shift(2)), "h_1 is 2 h_2 or 4 h_2, %s", p.show())
			slope := fracNum(1, 2).sub(q).mul(dyNum(h1))
			t.Le(dyNum(h2).sub(q.mul(dyNum(h1))).abs(), slope, "|h_2 - q h_1| <= (1/2 - q) h_1, %s", p.show())
		case 0:
			room = rest.mul(t.allow(p, "3.75", "2.38"))
			t.Eq(o.k1.A.sub(o.k2.A), p.unit(), "tau = L where h_1 = h_2, %s", p.show())
			share := rest.mul(fracNum(1, 2))
			if c, err := o.k1.g.cmp(o.k2.g); err == nil && c != 0 {
				share = fracNum(1, 4).add(q.mul(fracNum(1, 2)))
			}
			mu1, mu2 := o.k1.M.sub(o.k1.A), o.k2.M.sub(o.k2.A)
			t.Le(mu2.sub(q.mul(mu1)).abs(), share.mul(o.k1.g), "|mu_2 - q mu_1| <= (1 - q) g_1/2 or (1/4 + q/2) g_1, %s", p.show())
		default: // the near edge is the greater in magnitude, or both are L/2
			room = p.kappa().mul(intNum(1).add(q)).mul(intNum(2))
			if o.k1.c.Sign() != o.k2.c.Sign() {
				room = p.kappa().add(p.eta.mul(t.num("2.001"))).mul(intNum(1).add(q))
			}
		}
		t.Le(both, room, "|e_2 - q e_1|/lambda in its case, h_1 = %v, h_2 = %v, %s", h1, h2, p.show())
	}
}

func checkBesideIdeal(t *Trial, p pair, o outside) {
	N, N0 := o.n(), p.ideal(p.x)
	e1, e2 := p.off(o.k1), p.off(o.k2)
	for _, s := range []struct {
		name       string
		q, loss, e Num
	}{
		{"ln(N/N°)", p.ell().neg().exp(), N.quo(N0).ln(), intNum(1)},
		{"ln(N°/N)", o.q(), N0.quo(N).ln(), intNum(-1)},
	} {
		top := s.q.mul(e1).sub(e2).mul(s.e)
		step := top.quo(intNum(1).sub(s.q))
		t.Le(s.loss, step, s.name+" <= ±(q E°_1 - E°_2)/(1 - q), %s", p.show())
		t.Le(step, t.allow(p, "8.88", "5.57"), s.name+": the step <= 8.88 kappa + 5.57 eta, %s", p.show())
	}
	t.Le(t.allow(p, "8.88", "5.57"), t.allow(p, "9", "7"), "the last step, %s", p.show())
}

func checkAroundIdeal(t *Trial) {
	t.pairs(func(p pair) bool {
		if !p.interior() || p.where(p.x) != inside {
			return false
		}
		i, err := p.inCell(p.x)
		if err != nil {
			t.fail("%v", err)
			return true
		}
		E := func(k crossing) Num { return k.H.sub(k.a).abs() }
		shift := func(k crossing) Num { return k.a.sub(p.ideally(k)).abs() }
		t.Le(E(i.k1).add(E(i.k2)), p.eta.mul(t.num("8.001")), "|E_1| + |E_2| <= 8.001 eta, %s", p.show())
		for _, k := range []crossing{i.k1, i.k2} {
			t.Le(shift(k), t.allow(p, "1", "1"), "|a - a°| <= kappa + eta, %s", p.show())
		}
		t.True(i.k1.t.Cmp(i.k1.c) < 0 && i.k2.t.Cmp(i.k2.c) < 0, "the two shifts have opposite signs, %s", p.show())
		t.Le(i.N.quo(p.ideal(p.x)).ln().abs(), t.allow(p, "1.59", "14.25"), "|ln(N/N°)| <= 1.59 kappa + 14.25 eta, %s", p.show())
		t.Le(t.allow(p, "1.59", "14.25"), t.allow(p, "9", "7"), "the last step, %s", p.show())
		return true
	})
}

// checkNearIdeal compares whole cells: the masses found by bisection, and the
// Laplace distribution function at the edges.
func checkNearIdeal(t *Trial) {
	t.pairs(func(p pair) bool {
		if p.c1 == nil && p.c2 == nil {
			return false
		}
		for _, x := range []spec.Value{p.x, p.x2} {
			N, err := p.mass(x, p.r)
			if err != nil {
				t.fail("%v: %s", err, p.show())
				return true
			}
			t.Le(N.quo(p.ideal(x)).ln().abs(), t.allow(p, "9", "7"), "|ln(Pr[Snap_F(f) = r]/Pr[Snap_R(f) = r])|, %s", p.show())
		}
		return true
	})
}
