package proofs

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// mechanismChecks are those of calibration, snap-r, output-cells and mechanism.
func mechanismChecks() []Check {
	return []Check{
		{Label: "2.4.1", Size: 2000, Run: calibrating(checkTwoForms)},
		{Label: "2.4.2", Size: 2000, Run: calibrating(func(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
			eps, l := dyNum(g.Epsilon.Dyadic()), dyNum(k.Lambda.Dyadic())
			t.Le(t.accounted(g, c, l), eps, "the accounted loss of lambda, %v", g)
			below := spec.Binary64.NextDown(k.Lambda)
			if below.Sign() > 0 {
				t.Lt(eps, t.accounted(g, c, dyNum(below.Dyadic())), "the accounted loss of the double below lambda, %v", g)
			}
		})},
		{Label: "2.4.3", Size: 1500, Run: checkFloor},
		{Label: "cal.1", Size: 2000, Run: calibrating(func(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
			t.Le(t.accounted(g, c, dyNum(k.Lambda.Dyadic())), dyNum(k.Achieved.Dyadic()), "achieved is rounded up, %v", g)
			t.Le(dyNum(k.Achieved.Dyadic()), dyNum(g.Epsilon.Dyadic()), "achieved <= epsilon, %v", g)
		})},
		{Label: "snapr.1", Size: 3000, Run: func(t *Trial) {
			t.each(func() {
				t.instance()
				x, x2, y := floatDyadic(t.finite()), floatDyadic(t.finite()), floatDyadic(t.finite())
				far := t.subject.spread
				t.Le(dyNum(far(far(x2, y), far(x, y))), dyNum(far(x, x2)), "||x' - y| - |x - y|| <= |x - x'|")
			})
		}},
		{Label: "snapr.2", Size: 900, Run: checkIdealLoss},
		{Label: "cells.1", Size: 3000, Run: edgesOnly(func(t *Trial, p pair, _ real.Dyadic) {
			_, clo, err1 := p.edges(p.p.Lo.Dyadic())
			chi, _, err2 := p.edges(p.p.Hi.Dyadic())
			if err1 != nil || err2 != nil {
				t.fail("%v %v", err1, err2)
				return
			}
			t.Le(intNum(0), dyNum(*chi).sub(dyNum(*clo)), "c_lo <= c_hi, %v", p.p)
		})},
		{Label: "cells.2", Size: 4000, Run: checkCells},
		{Label: "cells.3", Size: 3000, Run: checkMonotone},
		{Label: "cells.4", Size: 60, Run: checkTotal},
		{Label: "mech.1", Size: 3000, Run: checkSide},
		{Label: "mech.2", Size: 4000, Run: checkRelative},
	}
}

func (t *Trial) finite() float64 { return math.Float64frombits(gen.Finite(t)) }

func floatDyadic(x float64) real.Dyadic { return spec.FromFloat64(x).Dyadic() }

// accounted is the right side of (2.4.1).
func (t *Trial) accounted(g oracle.Budget, c spec.Claim, l Num) Num {
	eta := dyNum(t.subject.eta(g.Format))
	B := maxNum(dyNum(spec.Bound(g.Lo, g.Hi)), l.mul(intNum(c.Floor)))
	return dyNum(g.Sensitivity.Dyadic()).add(B.mul(eta).mul(intNum(c.C))).quo(l).add(eta.mul(intNum(c.A)))
}

// calibrating runs f on budgets the oracle accepts, under four claims.
func calibrating(f func(*Trial, oracle.Budget, spec.Claim, oracle.Calibration)) func(*Trial) {
	return func(t *Trial) {
		for t.Result.Instances < t.size {
			in := gen.Calibrate(t)
			g := oracle.Budget{Format: spec.Binary64}
			g.Epsilon, g.Sensitivity = spec.FromBits64(in["epsilon"].Bits()), spec.FromBits64(in["sensitivity"].Bits())
			g.Lo, g.Hi = spec.FromBits64(in["lo"].Bits()), spec.FromBits64(in["hi"].Bits())
			c := []spec.Claim{spec.Proved, spec.Published, {C: 0, A: 0, Floor: 0}, {C: 1000, A: 7, Floor: 3}}[t.below(4)]
			k, err := t.subject.scaleFor(g, c)
			if err != nil || k.Achieved.IsInf() {
				continue
			}
			t.instance()
			f(t, g, c, k)
		}
	}
}

// checkTwoForms: the loss with max(B, b lambda) is the larger of two losses; the
// oracle's floor is the constant of the second; and what oracle and code report as
// achieved is the least double that is no less than either.
func checkTwoForms(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
	D, eta, l := dyNum(g.Sensitivity.Dyadic()), pow2Num(-53), dyNum(k.Lambda.Dyadic())
	B := maxNum(floatNum(floatOf(g.Lo)).abs(), floatNum(floatOf(g.Hi)).abs())
	first := D.add(B.mul(eta).mul(intNum(c.C))).quo(l).add(eta.mul(intNum(c.A)))
	constant := eta.mul(intNum(c.A).add(intNum(c.Floor).mul(intNum(c.C))))
	t.Eq(dyNum(t.subject.floorOf(c, g.Format)), constant, "(a + bc) eta, %v", g)
	larger := maxNum(first, D.quo(l).add(constant))
	t.Eq(t.accounted(g, c, l), larger, "the two forms, %v", g)
	up := func(who string, achieved float64) {
		t.Le(larger, floatNum(achieved), who+": achieved is no less, %v", g)
		t.Lt(floatNum(math.Nextafter(achieved, 0)), larger, who+": the double below achieved is less, %v", g)
	}
	up("oracle", floatOf(k.Achieved))
	lambda, achieved, err := t.subject.calibrate(floatOf(g.Epsilon), floatOf(g.Sensitivity), floatOf(g.Lo), floatOf(g.Hi), c)
	if err != nil {
		t.fail("the implementation refuses %v: %v", g, err)
		return
	}
	t.Eq(floatNum(lambda), l, "the implementation's lambda, %v", g)
	up("impl", achieved)
}

// checkFloor: (2.4.3), M(f) = clamp(M_2(clamp(f))) for nested bounds.
func checkFloor(t *Trial) {
	for t.Result.Instances < t.size {
		m, ok := t.mechanism()
		if !ok {
			continue
		}
		wide := m.p
		wide.Lo = spec.FromFloat64(floatOf(m.p.Lo) - math.Abs(t.finite()))
		wide.Hi = spec.FromFloat64(floatOf(m.p.Hi) * t.one(1, 1.5, 0x1p10))
		if wide.Validate() != nil || wide.Lo.Cmp(m.p.Lo) > 0 || wide.Hi.Cmp(m.p.Hi) < 0 {
			continue
		}
		t.instance()
		f := spec.FromFloat64(t.one(t.input(m), t.finite()))
		mant, e := gen.Draw(t)
		u, s := spec.U{M: mant, E: e}, spec.Sign(1-2*int8(t.below(2)))
		a, err := t.subject.snapF(m.p, f, u, s)
		x, err2 := t.subject.clampTo(f, m.p.Lo, m.p.Hi)
		b, err3 := t.subject.snapF(wide, x, u, s)
		if err != nil || err2 != nil || err3 != nil {
			t.fail("%v %v %v", err, err2, err3)
			continue
		}
		r, err := t.subject.clampTo(b.R, m.p.Lo, m.p.Hi)
		t.True(err == nil && r.Same(a.R), "M(f) = clamp(M_2(clamp f)): %v inside [%v, %v], f = %v, u = %v", m.p, wide.Lo, wide.Hi, f, u)
	}
}

// checkCells: Snap_F gives r iff w lies in the cell of r.
func checkCells(t *Trial) {
	t.pairs(func(p pair) bool {
		m, e := gen.Draw(t)
		u, s := spec.U{M: m, E: e}, spec.Sign(1-2*int8(t.below(2)))
		if c := p.c1; c != nil && t.coin() { // a draw next to the threshold
			if h, err := p.hint(p.x, *c); err == nil && h.Sign() < 0 {
				u = p.us.at(h)
			}
		}
		tr, err := t.subject.snapF(p.p, p.x, u, s)
		if err != nil {
			t.fail("%v", err)
			return true
		}
		r := tr.R.Dyadic()
		if t.coin() {
			r = p.r
		}
		lower, upper, err := p.edges(r)
		if err != nil {
			t.fail("the release %v is no output: %v", tr.R, err)
			return true
		}
		in := lower == nil || tr.W.Cmp(spec.FromDyadic(*lower)) >= 0
		in = in && (upper == nil || tr.W.Cmp(spec.FromDyadic(*upper)) < 0)
		t.True(in == tr.R.Dyadic().Equal(r), "r = %v iff w = %v is in its cell, %v", r, tr.W, p.p)
		return true
	})
}

// checkMonotone: w is monotone in u, up for s = +1 and down for s = -1.
func checkMonotone(t *Trial) {
	t.pairs(func(p pair) bool {
		m, e := gen.Draw(t)
		d := p.us
		n := d.near(spec.U{M: m, E: e}.Value(spec.Binary64))
		n2 := addInt(n, 1+int64(t.Uint64()>>t.between(8, 63)))
		if n2.Sign() >= 0 {
			return false
		}
		for _, s := range []spec.Sign{1, -1} {
			a, err := p.w(p.x, s, d.at(n))
			b, err2 := p.w(p.x, s, d.at(n2))
			if err != nil || err2 != nil {
				t.fail("%v %v", err, err2)
				return true
			}
			t.True(a.Cmp(b)*int(s) <= 0, "w is monotone in u: %v, s = %d, u = %v, %v", p.p, s, d.at(n), d.at(n2))
		}
		return true
	})
}

// checkSide: w <= x for s = +1 and w >= x for s = -1.
func checkSide(t *Trial) {
	t.pairs(func(p pair) bool {
		m, e := gen.Draw(t)
		a, err := p.w(p.x, 1, spec.U{M: m, E: e})
		b, err2 := p.w(p.x, -1, spec.U{M: m, E: e})
		t.True(err == nil && err2 == nil && a.Cmp(p.x) <= 0 && b.Cmp(p.x) >= 0, "%v: x = %v, w = %v, %v", p.p, p.x, a, b)
		return true
	})
}

// checkRelative: |fl(v) - v| <= eta/(1+eta) |v| for v in the normal range.
func checkRelative(t *Trial) {
	eta := t.subject.etaNum()
	t.each(func() {
		v := real.FromUint64(t.Uint64()|1<<63, t.between(-1080, 900))
		if t.coin() {
			v = v.Truncated(54, true)
		}
		if t.below(4) == 0 {
			v = real.One().Add(spec.Binary64.Eta()).Shift(t.between(-1000, 1000)) // 1 + eta attains it
		}
		w := t.subject.fl(spec.Binary64, v)
		if v.Top() < spec.Binary64.EMin || w.IsInf() {
			return
		}
		t.instance()
		t.Le(dyNum(w.Dyadic()).sub(dyNum(v)).abs(), dyNum(v).mul(eta).quo(intNum(1).add(eta)), "v = %v", v)
	})
}
