package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// boundChecks are (6.1.13) to (6.1.22) of docs/theory.md, the cases of the proof,
// and the theorem itself.
func boundChecks() []Check {
	return []Check{
		{Label: "6.1.13", Size: 1200, Run: sameSide(checkRatioOfEdges)},
		{Label: "6.1.14", Size: 1500, Run: sameSide(checkProducts)},
		{Label: "6.1.15", Size: 800, Run: sameSide(checkConcave)},
		{Label: "6.1.16", Size: 1200, Run: sameSide(checkInterior)},
		{Label: "6.1.17", Size: 1200, Run: checkEndSameSide},
		{Label: "6.1.18", Size: 600, Run: checkEndAcross},
		{Label: "6.1.19", Size: 400, Run: checkBetween},
		{Label: "6.1.20", Size: 800, Run: checkSameCell},
		{Label: "6.1.21", Size: 800, Run: inAndOut(func(t *Trial, p pair, N, N2 Num) {
			t.Le(N2.quo(N).ln(), p.eta.mul(parseNum("10.17")), "ln(N'/N) <= 10.17 eta, %s", p.show())
		})},
		{Label: "6.1.22", Size: 800, Run: inAndOut(func(t *Trial, p pair, N, N2 Num) {
			t.Le(p.excess(N.quo(N2).ln()), p.allow("8.67", "3.5"), "ln(N/N') <= D/lambda + 8.67 kappa + 3.5 eta, %s", p.show())
		})},
		{Label: "bound.1", Size: 1000, Run: checkTheorem},
	}
}

func (p pair) show() string {
	return p.p.String() + ", x = " + p.x.String() + ", x' = " + p.x2.String() + ", r = " + p.r.String()
}

// allow is c kappa + a eta, what a loss may exceed |x - x'|/lambda by. The distance
// is taken to the left sides, so that the ratios reported are of what is in question.
func (p pair) allow(c, a string) Num {
	return p.kappa().mul(parseNum(c)).add(p.eta.mul(parseNum(a)))
}

// excess is a loss less |x - x'|/lambda.
func (p pair) excess(loss Num) Num { return loss.sub(p.dist) }

// outside are the thresholds of an x outside an interior cell: 1 far, 2 near.
type outside struct{ k1, k2 crossing }

func (p pair) outside(x spec.Value) (o outside, err error) {
	far, near := p.farNear(x)
	if o.k1, err = p.cross(x, far); err == nil {
		o.k2, err = p.cross(x, near)
	}
	return o, err
}

func (o outside) q() Num { return ptNum(o.k1.P).quo(ptNum(o.k2.P)) }
func (o outside) n() Num { return ptNum(o.k2.P).sub(ptNum(o.k1.P)).mul(fracNum(1, 2)) }

// sameSide runs f on interior cells with x and x' outside on the same side.
func sameSide(f func(t *Trial, p pair, o, o2 outside)) func(*Trial) {
	return func(t *Trial) {
		t.pairs(func(p pair) bool {
			at := p.where(p.x)
			if !p.interior() || at == inside || p.where(p.x2) != at {
				return false
			}
			o, err := p.outside(p.x)
			o2, err2 := p.outside(p.x2)
			if err != nil || err2 != nil {
				t.fail("%v %v", err, err2)
				return true
			}
			f(t, p, o, o2)
			return true
		})
	}
}

func checkRatioOfEdges(t *Trial, p pair, o, _ outside) {
	q := o.q()
	t.Le(p.ell().sub(p.kappa().mul(intNum(13))), o.k1.H.sub(o.k2.H), "l - 13 kappa <= H_1 - H_2, %s", p.show())
	t.Lt(parseNum("0.9996"), p.ell().sub(p.kappa().mul(intNum(13))), "0.9996 < l - 13 kappa, %s", p.show())
	t.Le(q, parseNum("0.3681"), "q <= 0.3681, %s", p.show())
	t.Le(p.ell().mul(q), parseNum("0.3681"), "l q <= 0.3681, %s", p.show())
}

func checkProducts(t *Trial, p pair, o, o2 outside) {
	delta := func(a, b crossing) Num { return b.M.sub(b.A).sub(a.M.sub(a.A)) }
	d1, d2 := delta(o.k1, o2.k1), delta(o.k2, o2.k2)
	G := maxNum(maxNum(o.k1.g, o.k2.g), maxNum(o2.k1.g, o2.k2.g))
	// The left side is convex in q, so its ends decide; one more q for good measure.
	for _, q := range []Num{intNum(0), fracNum(3, 8), fracNum(int64(t.below(4)), 8)} {
		t.Le(d2.sub(q.mul(d1)).abs(), G, "|Delta_2 - q Delta_1| <= G, %s", p.show())
	}
	t.Eq(o2.k1.A.sub(o.k1.A), o2.k2.A.sub(o.k2.A), "both thresholds shift alike, %s", p.show())
}

// deltas returns d/lambda and delta_1, delta_2 of (6.1.15).
func deltas(p pair, o, o2 outside) (d, d1, d2 Num) {
	d = o2.k2.a.sub(o.k2.a)
	return d, o2.k1.H.sub(o.k1.H).sub(d), o2.k2.H.sub(o.k2.H).sub(d)
}

func checkConcave(t *Trial, p pair, o, o2 outside) {
	for range 2 {
		if !o.k1.P.Mul(o2.k2.P).Equal(o.k2.P.Mul(o2.k1.P)) { // else both sides are the same number
			d, d1, d2 := deltas(p, o, o2)
			q := o.q()
			rhs := q.mul(d1).sub(d2).quo(intNum(1).sub(q)).sub(d)
			t.Le(o2.n().quo(o.n()).ln(), rhs, "ln(N'/N), %s", p.show())
		}
		o, o2 = o2, o
	}
}

func checkInterior(t *Trial, p pair, o, o2 outside) {
	for range 2 {
		_, d1, d2 := deltas(p, o, o2)
		q := o.q()
		lhs := q.mul(d1).sub(d2).quo(intNum(1).sub(q))
		t.Le(lhs, p.kappa().mul(parseNum("14.992")).add(p.eta.mul(parseNum("4.914"))), "(q delta_1 - delta_2)/(1 - q), %s", p.show())
		o, o2 = o2, o
	}
}

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
		mid := p.dist.add(p.eta1().mul(intNum(2)).mul(k.a.add(k2.a))).add(p.eta.mul(intNum(2)))
		t.Le(gap, mid, "|H - H'|, %s", p.show())
		t.Le(p.excess(mid), p.allow("8.001", "6.001"), "the middle, %s", p.show())
		t.Le(p.allow("8.001", "6.001"), p.allow("15", "5"), "the last step, %s", p.show())
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
		t.Eq(k.a.add(k2.a), p.dist, "a + a' = |x - x'|/lambda, %s", p.show())
		t.True(k2.P.Cmp(real.One) <= 0, "P' <= 1, %s", p.show()) // so N' <= 1/2 <= N
		t.Le(N.quo(N2).ln(), intNum(1).add(p.eta1().mul(intNum(2))).mul(k.a.add(k2.a)), "ln(N/N') <= (1 + 2 eta_1)(a + a'), %s", p.show())
		t.Le(p.excess(N.quo(N2).ln()), p.allow("4.001", "0"), "ln(N/N'), %s", p.show())
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
		t.Lt(o.n().quo(o2.n()).ln(), p.dist, "ln(N/N'), %s", p.show())
		t.Lt(o2.n().quo(o.n()).ln(), p.dist, "ln(N'/N), %s", p.show())
		return true
	})
}

// inCell returns the probability of an interior cell for an x in it.
func (p pair) inCell(x spec.Value) (N Num, k1, k2 crossing, err error) {
	if k1, err = p.cross(x, *p.c1); err == nil {
		k2, err = p.cross(x, *p.c2)
	}
	N = intNum(1).sub(ptNum(k1.P).add(ptNum(k2.P)).mul(fracNum(1, 2)))
	return N, k1, k2, err
}

func checkSameCell(t *Trial) {
	t.pairs(func(p pair) bool {
		if !p.interior() || p.where(p.x) != inside || p.where(p.x2) != inside {
			return false
		}
		N, k1, k2, err := p.inCell(p.x)
		N2, l1, l2, err2 := p.inCell(p.x2)
		if err != nil || err2 != nil {
			t.fail("%v %v", err, err2)
			return true
		}
		t.Le(ptNum(k1.P).mul(ptNum(k2.P)), parseNum("0.3681"), "P_1 P_2 <= 0.3681, %s", p.show())
		if !k1.P.Add(k2.P).Equal(l1.P.Add(l2.P)) {
			t.Le(p.excess(N2.quo(N).ln().abs()), p.allow("0", "19"), "|ln(N'/N)|, %s", p.show())
		}
		t.Le(p.allow("0", "19"), p.allow("15", "5"), "the last step, %s", p.show())
		return true
	})
}

// inAndOut runs f on interior cells with x inside and x' outside.
func inAndOut(f func(t *Trial, p pair, N, N2 Num)) func(*Trial) {
	return func(t *Trial) {
		t.pairs(func(p pair) bool {
			if p.where(p.x) != inside {
				p.x, p.x2 = p.x2, p.x
			}
			if !p.interior() || p.where(p.x) != inside || p.where(p.x2) == inside {
				return false
			}
			N, _, _, err := p.inCell(p.x)
			o2, err2 := p.outside(p.x2)
			if err != nil || err2 != nil {
				t.fail("%v %v", err, err2)
				return true
			}
			f(t, p, N, o2.n())
			return true
		})
	}
}

// checkTheorem compares whole cells, computed without any of the above.
func checkTheorem(t *Trial) {
	t.pairs(func(p pair) bool {
		l, err := p.logRatio(p.x, p.x2, p.r)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return true
		}
		t.Le(p.excess(l.abs()), p.allow("15", "5"), "|ln(N/N')|, %s", p.show())
		return true
	})
}

func addInt(n *big.Int, k int64) *big.Int { return new(big.Int).Add(n, big.NewInt(k)) }
