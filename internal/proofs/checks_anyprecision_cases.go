package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// anyOutside runs f on interior cells with both inputs outside on the same side.
func anyOutside(f func(t *Trial, p anyPair, o, o2 outside)) func(*Trial) {
	return anyPairs(func(t *Trial, p anyPair) bool {
		at := p.where(p.x)
		if !p.interior() || at == inside || p.where(p.x2) != at {
			return false
		}
		o, err := p.outside(p.x)
		o2, err2 := p.outside(p.x2)
		if err != nil || err2 != nil {
			t.fail("%v %v: %s", err, err2, p.show())
			return true
		}
		f(t, p, o, o2)
		return true
	})
}

// crossings are the thresholds of two inputs and edges, or nothing after a failure.
func (t *Trial) crossings(p anyPair, at ...any) []crossing {
	var all []crossing
	for i := 0; i < len(at); i += 2 {
		k, err := p.cross(at[i].(spec.Value), *p.edge(at[i+1].(int)))
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return nil
		}
		all = append(all, k)
	}
	return all
}

// distOver is 2B/lambda, the greatest distance.
func (p anyPair) distOver() Num { return p.twice(p.b).quo(p.lam) }

// walk is 4(1 + eta/2) kappa.
func (p anyPair) walk(four Num) Num {
	return four.mul(intNum(1).add(p.eta.quo(intNum(2)))).mul(p.kappa)
}

// atOne says that Lambda = lambda: some steps have equal sides there.
func (p anyPair) atOne() bool { return p.ell().exact.Cmp(big.NewRat(1, 1)) == 0 }

func checkTwoThresholds(t *Trial, p anyPair, o, o2 outside) {
	n := intNum
	for _, o := range []outside{o, o2} {
		ell, q := p.ell(), o.q()
		t.Le(o.k1.a.add(o.k2.a), p.twice(p.distOver()).add(n(3).mul(p.omega())), "a_1 + a_2 <= 4B/lambda + 3 omega, %s", p.show())
		room := sumOf(p.omega(), p.twice(p.eta1).mul(p.twice(p.distOver()).add(n(3).mul(p.omega()))), p.twice(p.eta))
		t.Le(o.sigma().sub(ell).abs(), room, "|H_1 - H_2 - l| <= omega + 2 eta_1 (a_1 + a_2) + 2 eta, %s", p.show())
		t.Le(room, p.anyBound.sigma.mul(t.num("share of sigma", "1")), "the same <= sigma, %s", p.show())
		// q and Q less 1/e, so that the ratio is one of errors.
		t.Le(overE(q), overE(p.Q.mul(n(1).sub(ell).exp())), "q - 1/e <= Q e^(1-l) - 1/e, %s", p.show())
		if !p.atOne() {
			t.Le(n(1).sub(ell).exp(), n(1), "e^(1-l) <= 1, %s", p.show())
		}
		t.Lt(n(0), p.rest, "Q < 1, %s", p.show())
		t.Le(ell.mul(sumOf(atLeast(n(1), q.add(fracNum(1, 2))), q, n(-1))), sumOf(p.L, p.Q, n(-1)), "l (L(q) - 1 + q) <= L - 1 + Q, %s", p.show())
	}
}

// checkAnyProducts: the left side is convex in q and L(q) linear on either side of 1/2.
func checkAnyProducts(t *Trial, p anyPair, o, o2 outside) {
	delta := func(a, b crossing) Num { return b.M.sub(b.A).sub(a.M.sub(a.A)) }
	d1, d2 := delta(o.k1, o2.k1), delta(o.k2, o2.k2)
	G := maxNum(maxNum(o.k1.g, o.k2.g), maxNum(o2.k1.g, o2.k2.g))
	t.Le(d2.abs(), t.num("L(0)", "1").mul(G), "|Delta_2 - q Delta_1| <= L(q) G at q = 0, %s", p.show())
	t.Le(d2.sub(d1.quo(intNum(2))).abs(), t.num("L(1/2)", "1").mul(G), "|Delta_2 - q Delta_1| <= L(q) G at q = 1/2, %s", p.show())
	t.Le(d2.sub(d1).abs(), t.num("L(1)", "3/2").mul(G), "|Delta_2 - q Delta_1| <= L(q) G at q = 1, %s", p.show())
	t.Lt(p.twice(d1.abs()), o.k1.g.add(o2.k1.g), "2 |Delta_1| < g_1 + g_1', %s", p.show())
	t.Lt(p.twice(d2.abs()), o.k2.g.add(o2.k2.g), "2 |Delta_2| < g_2 + g_2', %s", p.show())
	t.Eq(o2.k1.A.sub(o.k1.A), o2.k2.A.sub(o.k2.A), "both thresholds shift alike, %s", p.show())
}

func checkAnyConcave(t *Trial, p anyPair, o, o2 outside) { checkConcave(t, p.pair, o, o2) }

func checkFirst(t *Trial, p anyPair, o, o2 outside) {
	n := intNum
	for range 2 {
		_, d1, d2 := deltas(o, o2)
		q, a, e, k := o.q(), maxNum(o.k1.a, o2.k1.a), p.eta, p.kappa
		Lq, q1 := atLeast(n(1), q.add(fracNum(1, 2))), n(1).add(q)
		tau := o.k1.a.sub(o.k2.a)
		round := p.twice(e).mul(p.near1())
		top := q.mul(d1).sub(d2)
		one := sumOf(p.twice(Lq).mul(e).mul(a), round.mul(q1.mul(a).sub(tau)), p.twice(q1).mul(e))
		two := sumOf(p.twice(Lq).mul(e).mul(sumOf(p.distOver(), p.ell().quo(n(2)), p.omega())),
			round.mul(sumOf(q1.mul(p.distOver()), n(1).sub(q).mul(p.ell()).quo(n(-2)), n(2).add(q).mul(p.omega()))), p.twice(q1).mul(e))
		three := sumOf(t.num("4").mul(Lq).add(t.num("4").mul(p.near1()).mul(q1)).mul(k), p.ell().mul(sumOf(Lq, n(-1), q)).mul(e),
			p.twice(Lq).add(p.twice(p.near1()).mul(n(2).add(q))).mul(e).mul(k.add(e)), p.twice(q1).mul(e))
		t.Le(top, one, "q delta_1 - delta_2, the three parts, %s", p.show())
		t.Le(one, two, "the three parts at the largest a, %s", p.show())
		t.Le(two, three, "the same in kappa and eta, %s", p.show())
		t.Le(three, p.rest.mul(p.X), "the same at the largest q, %s", p.show())
		t.Le(top.quo(n(1).sub(q)), p.X, "(q delta_1 - delta_2)/(1 - q) <= X, %s", p.show())
		o, o2 = o2, o
	}
}

func checkSecond(t *Trial, p anyPair, o, o2 outside) {
	n := intNum
	for range 2 {
		d, _, d2 := deltas(o, o2)
		sum2 := p.twice(p.eta1).mul(o.k2.a.add(o2.k2.a)).add(p.twice(p.eta))
		t.Le(o.k2.a, sumOf(p.distOver(), fracNum(-1, 2), p.twice(p.omega())), "a_2 <= 2B/lambda - 1/2 + 2 omega, %s", p.show())
		t.Le(d2.neg(), sum2, "-delta_2 <= 2 eta_1 (a_2 + a_2') + 2 eta, %s", p.show())
		t.Le(sum2, p.near.mul(t.num("share of Z - F", "1")), "the same <= Z - F, %s", p.show())
		sig := p.anyBound.sigma
		log := n(1).sub(o2.q()).quo(n(1).sub(o.q())).ln()
		most := n(1).sub(p.ell().add(sig).neg().exp()).quo(n(1).sub(sig.sub(p.ell()).exp())).ln()
		t.Le(log, most, "ln((1 - e^-s')/(1 - e^-s)), %s", p.show())
		if !p.atOne() {
			t.Le(most, p.F.mul(t.num("share of F", "1")), "the same <= F, %s", p.show())
		}
		t.Le(o2.n().quo(o.n()).ln().add(d), p.Z, "ln(N'/N) + d/lambda <= Z, %s", p.show())
		o, o2 = o2, o
	}
}

// edge is the lower (1) or upper (2) edge.
func (p anyPair) edge(i int) *real.Dyadic {
	if i == 1 {
		return p.c1
	}
	return p.c2
}

// endEdge is the edge of an end cell; inside reports which side of it is the cell's.
func (p anyPair) endEdge() (i int, holds func(k crossing) bool) {
	if p.c1 == nil {
		return 2, func(k crossing) bool { return !k.strict }
	}
	return 1, func(k crossing) bool { return k.strict }
}

func halfOf(a Num) Num { return a.quo(intNum(2)) }

func checkAnyEnds(t *Trial, p anyPair) bool {
	if p.c1 == nil == (p.c2 == nil) {
		return false
	}
	i, holds := p.endEdge()
	ks := t.crossings(p, p.x, i, p.x2, i)
	if ks == nil || ks[0].strict != ks[1].strict {
		return ks == nil
	}
	k, k2 := ks[0], ks[1]
	move := k.H.sub(k2.H).abs()
	if holds(k) && !k.P.Equal(k2.P) {
		N := func(k crossing) Num { return intNum(1).sub(halfOf(ptNum(k.P))) }
		t.Le(N(k2).quo(N(k)).ln().abs(), move, "|ln(N'/N)| <= |H - H'|, %s", p.show())
	}
	t.Eq(k.a.sub(k2.a).abs(), p.dist, "|a - a'| = |x - x'|/lambda, %s", p.show())
	t.Le(p.excess(move), p.R.add(t.num("2").mul(p.eta)), "|H - H'| - |x - x'|/lambda <= R + 2 eta, %s", p.show())
	return true
}

func checkAnyAcross(t *Trial, p anyPair) bool {
	if p.c1 == nil == (p.c2 == nil) {
		return false
	}
	i, holds := p.endEdge()
	ks := t.crossings(p, p.x, i, p.x2, i)
	if ks == nil || ks[0].strict == ks[1].strict {
		return ks == nil
	}
	in, out := ks[0], ks[1]
	if !holds(in) {
		in, out = out, in
	}
	P := dyNum(in.P)
	t.Le(P.mul(intNum(2).sub(P)), intNum(1), "P (2 - P) <= 1, %s", p.show())
	t.Eq(in.a.add(out.a), p.dist, "a + a' = |x - x'|/lambda, %s", p.show())
	t.Le(p.dist, p.distOver(), "|x - x'|/lambda <= 2B/lambda, %s", p.show())
	loss := intNum(2).sub(P).quo(dyNum(out.P)).ln()
	t.Le(p.excess(loss), p.walk(t.num("4")), "ln(N/N') - |x - x'|/lambda <= 4 (1 + eta/2) kappa, %s", p.show())
	t.Le(p.excess(in.H.add(out.H)), p.walk(t.num("4")), "H + H' - |x - x'|/lambda <= 4 (1 + eta/2) kappa, %s", p.show())
	return true
}

func checkAnyBetween(t *Trial, p anyPair) bool {
	at, at2 := p.where(p.x), p.where(p.x2)
	if !p.interior() || at == inside || at2 == inside || at == at2 {
		return false
	}
	o, err := p.outside(p.x)
	o2, err2 := p.outside(p.x2)
	if err != nil || err2 != nil {
		t.fail("%v %v: %s", err, err2, p.show())
		return true
	}
	n, e, k := intNum, p.eta, p.kappa
	tau := o.k1.a.sub(o.k2.a)
	t.Eq(sumOf(o.k2.a, o2.k2.a, tau), p.dist, "a_n + a_n' + tau/lambda = |x - x'|/lambda, %s", p.show())
	last := sumOf(n(-1), t.num("5").mul(k), n(2).mul(e).mul(k), n(3).mul(e)).sub(p.rest.ln())
	for range 2 {
		parts := o2.k2.H.sub(o.k2.H).sub(n(1).sub(o2.q()).ln())
		t.Le(o.n().quo(o2.n()).ln().sub(parts), n(0), "ln(N/N') <= H_n' - H_n - ln(1 - q'), %s", p.show())
		// With l and the logarithm on the left only errors are compared.
		room, log := sumOf(p.omega(), p.walk(n(4)), n(2).mul(e)), n(1).sub(p.Q.mul(n(1).sub(p.ell()).exp())).ln()
		t.Le(sumOf(p.excess(parts), p.ell(), log), room, "l + ln(1 - Q e^(1-l)) + the same - |x - x'|/lambda <= omega + 4 (1 + eta/2) kappa + 2 eta, %s", p.show())
		t.Le(room.sub(p.ell()).sub(log), last, "the same at l = 1, %s", p.show())
		o, o2 = o2, o
	}
	return true
}

func checkOwnCell(t *Trial, p anyPair) bool {
	any := false
	for _, x := range []spec.Value{p.x, p.x2} {
		if !p.interior() || p.where(x) != inside {
			continue
		}
		any = true
		ks := t.crossings(p, x, 1, x, 2)
		if ks == nil {
			continue
		}
		n, ell := intNum, p.ell()
		tau := ks[0].a.add(ks[1].a)
		zeta := sumOf(p.kappa, n(5).mul(p.eta), p.twice(p.eta1).mul(ell))
		s := ks[0].H.add(ks[1].H)
		P1, P2 := dyNum(ks[0].P), dyNum(ks[1].P)
		t.Le(s.sub(ell), p.anyBound.sigma, "H_1 + H_2 - l <= sigma, %s", p.show())
		t.Le(tau.sub(s), p.twice(p.eta1).mul(tau).add(t.num("4").mul(p.eta)), "tau/lambda - (H_1 + H_2) <= 2 eta_1 tau/lambda + 4 eta, %s", p.show())
		t.Le(ell.sub(n(1).sub(p.twice(p.eta1)).mul(tau)).add(n(4).mul(p.eta)), zeta, "l - (1 - 2 eta_1) tau/lambda + 4 eta <= zeta, %s", p.show())
		t.Le(zeta, p.anyBound.sigma, "zeta <= sigma, %s", p.show())
		t.Le(overE(P1.mul(P2)), overE(p.Q), "P_1 P_2 - 1/e <= Q - 1/e, %s", p.show())
		t.Le(n(1).sub(P1.mul(P2)), n(2).sub(P1).sub(P2), "1 - P_1 P_2 <= 2N, %s", p.show())
		t.Lt(n(0), n(2).sub(P1).sub(P2), "0 < 2N, %s", p.show())
	}
	return any
}

// inside21 is the right side of (A.21) less |x - x'|/lambda, as a function of l.
func (b anyBound) inside21(four, ell Num) Num {
	n := intNum
	zeta := sumOf(b.kappa, n(5).mul(b.eta), n(2).mul(b.eta1).mul(ell))
	top := four.mul(b.eta1).mul(sumOf(ell, b.kappa, b.eta)).add(n(4).mul(b.eta))
	return top.quo(n(1).sub(zeta.sub(ell).exp()))
}

func checkBothInside(t *Trial, p anyPair) bool {
	if !p.interior() || p.where(p.x) != inside || p.where(p.x2) != inside {
		return false
	}
	ks := t.crossings(p, p.x, 1, p.x, 2, p.x2, 1, p.x2, 2)
	if ks == nil {
		return true
	}
	n := intNum
	P := func(i int) Num { return dyNum(ks[i].P) }
	N := func(i int) Num { return n(2).sub(P(i)).sub(P(i + 1)) }
	for _, i := range []int{0, 2} {
		t.Le(P(i).sub(P(i+1)).abs(), N(i), "|P_1 - P_2| <= 2 - P_1 - P_2, %s", p.show())
	}
	d := ks[2].a.sub(ks[0].a)
	D1, D2 := ks[2].H.sub(ks[0].H).sub(d), ks[3].H.sub(ks[1].H).add(d)
	tau := ks[0].a.add(ks[1].a)
	t.Le(D1.abs().add(D2.abs()), n(4).mul(p.eta1).mul(tau).add(t.num("4 eta", "4").mul(p.eta)), "|delta_1| + |delta_2| <= 4 eta_1 tau/lambda + 4 eta, %s", p.show())
	four := t.num("4 eta_1", "4")
	bound := p.inside21(four, p.ell())
	t.Le(p.excess(N(2).quo(N(0)).ln().abs()), bound, "|ln(N'/N)| - |x - x'|/lambda, %s", p.show())
	if !p.atOne() {
		t.Le(bound, atLeast(p.inside21(n(4), n(1)), p.inside21(n(4), n(2))), "the same at l = 1 or l = 2, %s", p.show())
	}
	return true
}

// inOut is an interior cell with one input inside (1 lower, 2 upper) and one outside.
type inOut struct {
	k1, k2 crossing // near and far edge of the input inside: 2 is next to the other
	out    outside
	N, N2  Num // twice the probabilities, inside and outside
}

func (t *Trial) inOut(p anyPair) (c inOut, ok bool) {
	x, y := p.x, p.x2
	if p.interior() && p.where(x) != inside {
		x, y = y, x
	}
	if !p.interior() || p.where(x) != inside || p.where(y) == inside {
		return c, false
	}
	next, other := 2, 1
	if p.where(y) == left {
		next, other = 1, 2
	}
	ks := t.crossings(p, x, other, x, next)
	o, err := p.outside(y)
	if ks == nil || err != nil {
		t.fail("%v: %s", err, p.show())
		return c, false
	}
	c = inOut{k1: ks[0], k2: ks[1], out: o}
	c.N = intNum(2).sub(dyNum(ks[0].P)).sub(dyNum(ks[1].P))
	c.N2 = dyNum(o.k2.P).sub(dyNum(o.k1.P))
	t.Eq(c.k2.a.add(o.k2.a), p.dist, "a_2 + a_n' = |x - x'|/lambda, %s", p.show())
	return c, true
}

func checkOut(t *Trial, p anyPair) bool {
	c, ok := t.inOut(p)
	if !ok {
		return false
	}
	n := intNum
	rho, rho2 := c.k1.H.add(c.k2.H), c.out.sigma()
	room := n(4).mul(p.eta1).mul(c.out.k1.a).add(t.num("6").mul(p.eta))
	t.Le(rho2.sub(rho), room, "rho' - rho <= 4 eta_1 a_f' + 6 eta, %s", p.show())
	t.Le(room, p.R.add(n(6).mul(p.eta)), "the same <= R + 6 eta, %s", p.show())
	PP := dyNum(c.k1.P).mul(dyNum(c.k2.P))
	log := n(1).sub(c.out.q()).quo(n(1).sub(PP)).ln()
	first := p.Q.quo(p.rest).mul(p.R.add(n(6).mul(p.eta)))
	for _, l := range []Num{log, c.N2.quo(c.N).ln()} {
		t.Le(l, first, "ln(N'/N) <= Q/(1-Q) (R + 6 eta), %s", p.show())
		t.Le(l, p.F, "ln(N'/N) <= F, %s", p.show())
	}
	return true
}

func checkIn(t *Trial, p anyPair) bool {
	c, ok := t.inOut(p)
	if !ok {
		return false
	}
	n := intNum
	grow := n(1).add(p.twice(p.eta1))
	a1, a2 := grow.mul(c.k1.a), grow.mul(c.k2.a)
	rho, rho2 := a1.add(a2), c.out.sigma()
	t.Le(c.N, a2.exp().mul(n(1).sub(rho.neg().exp())), "2N <= e^a_2 (1 - e^-rho), %s", p.show())
	t.Le(rho.sub(p.ell()), p.anyBound.sigma.mul(t.num("share of sigma", "1")), "rho - l <= sigma, %s", p.show())
	room := n(4).mul(p.eta1).mul(c.out.k1.a).add(t.num("2").mul(p.eta))
	t.Le(rho.sub(rho2), room, "rho - rho' <= 4 eta_1 a_f' + 2 eta, %s", p.show())
	t.Le(room, p.R.add(n(2).mul(p.eta)), "the same <= R + 2 eta, %s", p.show())
	e := p.excess(c.N.quo(c.N2).ln())
	t.Le(e, p.walk(n(4)).add(p.Q.quo(p.rest).mul(p.R.add(n(2).mul(p.eta)))), "ln(N/N') - |x - x'|/lambda by Q, %s", p.show())
	t.Le(e, p.walk(n(4)).add(p.F), "ln(N/N') - |x - x'|/lambda by F, %s", p.show())
	return true
}

func checkLowerBounds(t *Trial) {
	n := intNum
	t.grid(func(b anyBound, at string) {
		k, e := b.kappa, b.eta
		of := func(c1, c2, c3, c4 Num) Num {
			return sumOf(c1.mul(k), c2.mul(e), c3.mul(e).mul(k), c4.mul(e).mul(e))
		}
		exact := sumOf(n(4).mul(b.L).add(n(4).mul(n(1).add(e)).mul(n(1).add(b.Q))).mul(k), sumOf(b.L, n(1), n(3).mul(b.Q)).mul(e), b.W.mul(e).mul(k.add(e)))
		t.True(!lessThan(exact, b.rest.mul(b.X)) || !lessThan(b.rest.mul(b.X), exact), "(1 - Q) X, %s", at)
		t.Le(of(t.num("9.4"), t.num("3.103"), n(12), t.num("6.7")), b.rest.mul(b.X), "9.4 kappa + 3.103 eta + ... <= (1 - Q) X, %s", at)
		t.Le(t.num("6.7"), b.W, "6.7 <= W, %s", at)
		t.Le(t.num("1.58"), n(1).quo(b.rest), "1.58 <= 1/(1 - Q), %s", at)
		t.Le(of(t.num("14.8"), t.num("4.9"), n(18), n(10)), b.X, "14.8 kappa + 4.9 eta + ... <= X, %s", at)
		slope := n(2).mul(b.sigma).quo(n(1).exp().sub(n(1)))
		t.Le(slope, b.F, "2 sigma/(e - 1) <= F, %s", at)
		t.Le(of(t.num("10.4"), t.num("3.4"), n(0), n(0)), slope, "10.4 kappa + 3.4 eta <= 2 sigma/(e - 1), %s", at)
		z := of(t.num("18.4"), t.num("3.4"), n(12), n(7)).add(n(4).mul(e).mul(e).mul(k.add(e)))
		t.Le(z, b.Z, "18.4 kappa + 3.4 eta + ... <= Z, %s", at)
	})
}

// checkAllCases compares the excess of each case with X and Z.
func checkAllCases(t *Trial) {
	n := intNum
	t.grid(func(b anyBound, at string) {
		k, e := b.kappa, b.eta
		walk := t.num("4").mul(n(1).add(e.quo(n(2)))).mul(k)
		per := b.Q.quo(b.rest)
		ends := b.R.add(t.num("2").mul(e))
		between := sumOf(n(-1), t.num("5").mul(k), n(2).mul(e).mul(k), n(3).mul(e)).sub(b.rest.ln())
		own := atLeast(b.inside21(n(4), n(1)), b.inside21(n(4), n(2)))
		for _, c := range []struct {
			label    string
			ofX, ofZ Num
		}{
			{"A.17", ends, ends}, {"A.18", walk, walk}, {"A.19", between, between}, {"A.21", own, own},
			{"A.22", per.mul(b.R.add(t.num("6").mul(e))), b.F},
			{"A.23", walk.add(per.mul(ends)), walk.add(b.F)},
		} {
			t.Le(c.ofX, b.X, "("+c.label+") <= X, %s", at)
			t.Le(c.ofZ, b.Z, "("+c.label+") <= Z, %s", at)
		}
	})
}
