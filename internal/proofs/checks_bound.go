package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// boundChecks are (6.1.13) to (6.1.22) of docs/theory.md, the cases of the proof,
// and the theorem itself. Each step of a chain is a comparison of its own, so that
// none hides behind a tighter one.
func boundChecks() []Check {
	return []Check{
		{Label: "6.1.13", Size: 600, Run: sameSide(checkRatioOfEdges)},
		{Label: "6.1.14", Size: 1000, Run: sameSide(checkProducts)},
		{Label: "6.1.15", Size: 400, Run: sameSide(checkConcave)},
		{Label: "6.1.16", Size: 500, Run: sameSide(checkInterior)},
		{Label: "6.1.17", Size: 800, Run: checkEndSameSide},
		{Label: "6.1.18", Size: 400, Run: checkEndAcross},
		{Label: "6.1.19", Size: 220, Run: checkBetween},
		{Label: "6.1.20", Size: 400, Run: checkSameCell},
		{Label: "6.1.21", Size: 400, Run: inAndOut(checkLeaving)},
		{Label: "6.1.22", Size: 400, Run: inAndOut(checkEntering)},
		{Label: "bound.1", Size: 400, Run: checkTheorem},
	}
}

func (p pair) show() string {
	return p.p.String() + ", x = " + p.x.String() + ", x' = " + p.x2.String() + ", r = " + p.r.String()
}

// allow is c kappa + a eta, what a loss may exceed |x - x'|/lambda by. The distance
// is taken to the left sides, so that the ratios reported are of what is in question.
func (t *Trial) allow(p pair, c, a string) Num {
	return p.kappa().mul(t.num(c)).add(p.eta.mul(t.num(a)))
}

// excess is a loss less |x - x'|/lambda.
func (p pair) excess(loss Num) Num { return loss.sub(p.dist) }

// overE is a number less 1/e.
func overE(a Num) Num { return a.sub(intNum(-1).exp()) }

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

// sigma is H_f - H_n.
func (o outside) sigma() Num { return o.k1.H.sub(o.k2.H) }

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
	q, room := o.q(), p.kappa().mul(t.num("13"))
	t.Le(p.ell().sub(o.sigma()), room, "l - (H_1 - H_2) <= 13 kappa, %s", p.show())
	t.Lt(room.add(intNum(1).sub(p.ell())), fracNum(4, 10000), "13 kappa + 1 - l < 1 - 0.9996, %s", p.show())
	t.Le(overE(q), overE(t.num("0.3681")), "q - 1/e <= 0.3681 - 1/e, %s", p.show())
	t.Le(overE(p.ell().mul(q)), overE(t.num("0.3681")), "l q - 1/e <= 0.3681 - 1/e, %s", p.show())
}

func checkProducts(t *Trial, p pair, o, o2 outside) {
	delta := func(a, b crossing) Num { return b.M.sub(b.A).sub(a.M.sub(a.A)) }
	d1, d2 := delta(o.k1, o2.k1), delta(o.k2, o2.k2)
	G := maxNum(maxNum(o.k1.g, o.k2.g), maxNum(o2.k1.g, o2.k2.g))
	// The left side is convex in q, so its ends decide; one more q for good measure.
	most := t.num("3/8")
	t.Le(d2.abs(), G, "|Delta_2 - q Delta_1| <= G at q = 0, %s", p.show())
	t.Le(d2.sub(most.mul(d1)).abs(), G, "|Delta_2 - q Delta_1| <= G at q = 3/8, %s", p.show())
	t.Le(d2.sub(fracNum(int64(t.below(4)), 8).mul(d1)).abs(), G, "|Delta_2 - q Delta_1| <= G between, %s", p.show())
	t.Eq(o2.k1.A.sub(o.k1.A), o2.k2.A.sub(o.k2.A), "both thresholds shift alike, %s", p.show())
}

// deltas returns d/lambda and delta_1, delta_2 of (6.1.15).
func deltas(o, o2 outside) (d, d1, d2 Num) {
	d = o2.k2.a.sub(o.k2.a)
	return d, o2.k1.H.sub(o.k1.H).sub(d), o2.k2.H.sub(o.k2.H).sub(d)
}

func checkConcave(t *Trial, p pair, o, o2 outside) {
	for range 2 {
		if !o.k1.P.Mul(o2.k2.P).Equal(o.k2.P.Mul(o2.k1.P)) { // else both sides are the same number
			d, d1, d2 := deltas(o, o2)
			q := o.q().mul(t.num("share of q", "1"))
			rhs := q.mul(d1).sub(d2).quo(intNum(1).sub(q))
			t.Le(o2.n().quo(o.n()).ln().add(d), rhs, "ln(N'/N) + d/lambda <= (q delta_1 - delta_2)/(1 - q), %s", p.show())
		}
		o, o2 = o2, o
	}
}

func checkInterior(t *Trial, p pair, o, o2 outside) {
	for range 2 {
		_, d1, d2 := deltas(o, o2)
		q, a := o.q(), maxNum(o.k1.a, o2.k1.a)
		one, room := intNum(1).add(p.eta), p.eta.mul(intNum(2))
		top := q.mul(d1).sub(d2)
		steps := room.mul(a).add(room.mul(one).mul(intNum(1).add(q).mul(a).sub(p.ell()).add(p.kappa().mul(intNum(2))))).add(room.mul(intNum(1).add(q)))
		t.Le(top, steps, "q delta_1 - delta_2, the three parts, %s", p.show())
		flat := p.kappa().mul(intNum(4)).mul(intNum(2).add(q)).add(q.mul(p.ell()).mul(p.eta)).add(p.eta.mul(p.kappa()).mul(intNum(14)))
		flat = flat.mul(one).add(room.mul(intNum(1).add(q)))
		t.Le(steps, flat, "the three parts at the largest a, %s", p.show())
		rest := intNum(1).sub(q)
		t.Le(flat.quo(rest), t.allow(p, "14.992", "4.914"), "the same at the largest q, %s", p.show())
		t.Le(top.quo(rest), t.allow(p, "14.992", "4.914"), "(q delta_1 - delta_2)/(1 - q), %s", p.show())
		o, o2 = o2, o
	}
	t.Lt(t.allow(p, "14.992", "4.914"), t.allow(p, "15", "5"), "the last step, %s", p.show())
}

// checkTheorem compares whole cells, computed without any of the above.
func checkTheorem(t *Trial) {
	t.pairs(func(p pair) bool {
		l, err := p.logRatio(p.x, p.x2, p.r)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return true
		}
		t.Le(p.excess(l.abs()), t.allow(p, "15", "5"), "|ln(N/N')|, %s", p.show())
		return true
	})
}

func addInt(n *big.Int, k int64) *big.Int { return new(big.Int).Add(n, big.NewInt(k)) }
