package proofs

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// thresholdChecks are (6.1.1) to (6.1.12) of docs/theory.md: the quantities, and
// one threshold followed through product, logarithm and grid.
func thresholdChecks() []Check {
	return []Check{
		{Label: "6.1.1", Size: 2000, Run: edgesOnly(func(t *Trial, p pair, _ real.Dyadic) {
			t.Le(intNum(1), p.ell(), "1 <= l, %v", p.p)
			t.Lt(p.ell(), t.num("2"), "l < 2, %v", p.p)
			t.Le(p.eta, p.kappa(), "eta <= kappa, %v", p.p)
			t.Le(p.kappa(), pow2Num(-15), "kappa <= 2^-15, %v", p.p)
		})},
		{Label: "6.1.2", Size: 2000, Run: edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
			half, size := p.unit().mul(fracNum(1, 2)), dyNum(c.Abs())
			t.Le(half, size, "L/2 <= |c|, c = %v, %v", c, p.p)
			t.Le(size, p.b.add(half), "|c| <= B + L/2, c = %v, %v", c, p.p)
			t.Le(p.b.add(half), p.bbar.mul(intNum(2)), "B + L/2 <= 2 max(B; lambda), %v", p.p)
		})},
		{Label: "6.1.3", Size: 2000, Run: edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
			gap, size := dyNum(c.Sub(t.subject.below(c))), dyNum(c.Abs()).mul(p.eta)
			t.Le(size.mul(fracNum(1, 2)), gap, "eta |c|/2 <= c - t(c), c = %v", c)
			t.Le(gap, size, "c - t(c) <= eta |c|, c = %v", c)
		})},
		{Label: "6.1.4", Size: 3000, Run: edgesOnly(checkMidpoint)},
		{Label: "6.1.5", Size: 800, Run: checkConditions},
		{Label: "6.1.6", Size: 2000, Run: edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
			tau := dyNum(t.subject.below(c.Add(real.Pow2(p.k))).Sub(t.subject.below(c)))
			next := dyNum(c.Add(real.Pow2(p.k)).Abs())
			if top, err := next.cmp(p.b.add(p.unit().mul(fracNum(1, 2)))); err != nil || top > 0 {
				return // c is the last edge
			}
			t.Le(tau.sub(p.unit()).abs(), p.bbar.mul(p.eta).mul(intNum(2)), "|tau - L| <= 2 eta max(B; lambda), c = %v, %v", c, p.p)
			t.Le(tau.quo(p.lam).sub(p.ell()).abs(), p.kappa().mul(intNum(2)), "|tau/lambda - l| <= 2 kappa, c = %v, %v", c, p.p)
		})},
		{Label: "6.1.7", Size: 2000, Run: edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
			A := dyNum(t.subject.spread(p.x.Dyadic(), t.subject.below(c)))
			t.Le(pow2Num(-1015), dyNum(c.Abs()).mul(p.eta).mul(fracNum(1, 2)), "2^-1015 <= eta |c|/2, c = %v", c)
			t.Le(dyNum(c.Abs()).mul(p.eta).mul(fracNum(1, 2)), A, "eta |c|/2 <= A, x = %v, c = %v", p.x, c)
			most := p.b.mul(intNum(2)).add(p.unit().mul(fracNum(1, 2))).add(p.bbar.mul(p.eta).mul(intNum(2)))
			t.Le(A, most, "A <= 2B + L/2 + 2 eta max(B; lambda), x = %v, c = %v, %v", p.x, c, p.p)
			t.Lt(most, pow2Num(1023), "2B + L/2 + 2 eta max(B; lambda) < 2^1023, %v", p.p)
			t.Le(A.quo(p.lam), p.far(), "a <= 2 max(B; lambda)/lambda + l/2 + 2 kappa, x = %v, c = %v, %v", p.x, c, p.p)
		})},
		{Label: "6.1.8", Size: 2000, Run: crossings(func(t *Trial, p pair, k crossing) {
			half := k.g.mul(fracNum(1, 2))
			steps := k.M.quo(k.g).sub(fracNum(1, 2))
			t.True(steps.exact.IsInt(), "M is in g(Z + 1/2): x = %v, c = %v", p.x, k.c)
			t.Le(k.g, k.A.mul(p.eta).mul(intNum(2)), "g <= 2 eta A, x = %v, c = %v", p.x, k.c)
			d := k.M.sub(k.A)
			if k.strict {
				t.Lt(d.neg(), half, "A - M < g/2 for Y > A, x = %v, c = %v", p.x, k.c)
				t.Le(d, half, "M - A <= g/2 for Y > A, x = %v, c = %v", p.x, k.c)
			} else {
				t.Le(d.neg(), half, "A - M <= g/2 for Y >= A, x = %v, c = %v", p.x, k.c)
				t.Lt(d, half, "M - A < g/2 for Y >= A, x = %v, c = %v", p.x, k.c)
			}
		})},
		{Label: "6.1.9", Size: 2000, Run: crossings(func(t *Trial, p pair, k crossing) {
			t.Le(k.El, k.v.mul(p.eta), "v° - v <= eta v, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.Le(k.El.neg(), k.v.mul(p.eta), "v - v° <= eta v, x = %v, c = %v, %v", p.x, k.c, p.p)
		})},
		{Label: "6.1.10", Size: 800, Run: crossings(func(t *Trial, p pair, k crossing) {
			T, P := k.vo.neg().exp(), ptNum(k.P)
			room := T.mul(p.eta).mul(t.num("2"))
			t.Le(room.sub(P.sub(T)), room, "T <= P in terms of 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.Le(P.sub(T), room, "P - T <= 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
		})},
		{Label: "6.1.11", Size: 1200, Run: crossings(func(t *Trial, p pair, k crossing) {
			a := k.a.mul(p.eta)
			for _, e := range []struct {
				name string
				E    Num
			}{{"E", intNum(1)}, {"-E", intNum(-1)}} {
				t.Le(k.Em.mul(e.E), a, e.name+"^m <= eta a, x = %v, c = %v", p.x, k.c)
				t.Le(k.El.mul(e.E), a.mul(intNum(1).add(p.eta)), e.name+"^l <= eta (1 + eta) a, x = %v, c = %v", p.x, k.c)
			}
			room := p.eta.mul(intNum(2))
			t.Le(k.Eg.neg(), room, "-E^g <= 2 eta, x = %v, c = %v", p.x, k.c)
			t.Lt(room.add(k.Eg), room, "E^g <= 0 in terms of 2 eta, x = %v, c = %v", p.x, k.c)
		})},
		{Label: "6.1.12", Size: 1200, Run: crossings(func(t *Trial, p pair, k crossing) {
			E, rel := k.H.sub(k.a), k.a.mul(p.eta1()).mul(intNum(2))
			t.Le(E.neg(), rel.add(p.eta.mul(intNum(2))), "a - H <= 2 eta_1 a + 2 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.Le(E, rel, "H - a <= 2 eta_1 a, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.True(k.P.Cmp(real.One()) <= 0, "H >= 0, x = %v, c = %v, %v", p.x, k.c, p.p)
		})},
	}
}

// far is the bound of (6.1.7) on a.
func (m mech) far() Num {
	return m.bbar.quo(m.lam).mul(intNum(2)).add(m.ell().mul(fracNum(1, 2))).add(m.kappa().mul(intNum(2)))
}

// edgesOnly runs f on the edges of each instance's cell.
func edgesOnly(f func(t *Trial, p pair, c real.Dyadic)) func(*Trial) {
	return func(t *Trial) {
		t.pairs(func(p pair) bool {
			for _, c := range []*real.Dyadic{p.c1, p.c2} {
				if c != nil {
					f(t, p, *c)
				}
			}
			return p.c1 != nil || p.c2 != nil
		})
	}
}

// crossings runs f on a threshold of each instance.
func crossings(f func(t *Trial, p pair, k crossing)) func(*Trial) {
	return edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
		k, err := p.cross(p.x, c)
		if err != nil {
			t.fail("%v", err)
			return
		}
		f(t, p, k)
	})
}

// checkMidpoint: fl(v) < c iff v < t(c), for v at the midpoint, next to it at many
// scales, and elsewhere.
func checkMidpoint(t *Trial, p pair, c real.Dyadic) {
	mid := t.subject.below(c)
	v := mid
	switch t.below(4) {
	case 0:
	case 1:
		v = mid.Add(real.FromInt64(t.between(-1, 1)).Shift(c.Top() - t.between(50, 300)))
	case 2:
		v = c.Add(real.FromInt64(t.between(-2, 2)).Shift(c.Top() - 54))
	default:
		v = p.x.Dyadic().Add(p.x2.Dyadic().Shift(-t.between(0, 60)))
	}
	w := t.subject.fl(spec.Binary64, v)
	t.True((w.Cmp(spec.FromDyadic(c)) < 0) == (v.Cmp(mid) < 0), "fl(v) < c iff v < t(c): c = %v, v = %v", c, v)
}

// checkConditions: (6.1.5), for draws next to the threshold and for any.
func checkConditions(t *Trial) {
	edgesOnly(func(t *Trial, p pair, c real.Dyadic) {
		k, err := p.cross(p.x, c)
		if err != nil {
			t.fail("%v", err)
			return
		}
		edge, mid := spec.FromDyadic(c), k.t
		near := p.us.near(k.P)
		for i := range 6 {
			n := near
			if i < 4 {
				n = addInt(near, int64(i)-2)
			} else {
				n = addInt(p.us.end(), -1-int64(t.Uint64()>>t.between(2, 62)))
			}
			if n.Sign() >= 0 {
				continue
			}
			u := p.us.at(n)
			y, err := p.w(spec.Zero(false), 1, u) // 0 + y is y
			if err != nil {
				t.fail("%v", err)
				return
			}
			Y := y.Neg().Dyadic()
			plus, err1 := p.w(p.x, 1, u)
			minus, err2 := p.w(p.x, -1, u)
			if err1 != nil || err2 != nil {
				t.fail("%v %v", err1, err2)
				return
			}
			t.True((plus.Cmp(edge) < 0) == (Y.Cmp(p.x.Dyadic().Sub(mid)) > 0), "s = +1: w < c iff Y > x - t(c): %v, x = %v, c = %v, u = %v", p.p, p.x, c, u)
			t.True((minus.Cmp(edge) >= 0) == (Y.Cmp(mid.Sub(p.x.Dyadic())) >= 0), "s = -1: w >= c iff Y >= t(c) - x: %v, x = %v, c = %v, u = %v", p.p, p.x, c, u)
		}
	})(t)
}
