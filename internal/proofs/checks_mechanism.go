package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// mechanismChecks are those of calibration, snap-r, output-cells and mechanism.
func mechanismChecks() []Check {
	return []Check{
		{Label: "2.4.1", Size: 2000, Run: calibrating(func(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
			D, eta, l := dyNum(g.Sensitivity.Dyadic()), dyNum(g.Format.Eta()), dyNum(k.Lambda.Dyadic())
			B := dyNum(spec.Bound(g.Lo, g.Hi))
			first := D.add(B.mul(eta).mul(intNum(c.C))).quo(l).add(eta.mul(intNum(c.A)))
			second := D.quo(l).add(dyNum(spec.EpsilonFloor(c, g.Format)))
			t.Eq(accounted(g, c, l), maxNum(first, second), "the two forms, %v", g)
		})},
		{Label: "2.4.2", Size: 2000, Run: calibrating(func(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
			eps, l := dyNum(g.Epsilon.Dyadic()), dyNum(k.Lambda.Dyadic())
			t.Le(accounted(g, c, l), eps, "the accounted loss of lambda, %v", g)
			below := spec.Binary64.NextDown(k.Lambda)
			if below.Sign() > 0 {
				t.Lt(eps, accounted(g, c, dyNum(below.Dyadic())), "the accounted loss of the double below lambda, %v", g)
			}
		})},
		{Label: "2.4.3", Size: 1500, Run: checkFloor},
		{Label: "cal.1", Size: 2000, Run: calibrating(func(t *Trial, g oracle.Budget, c spec.Claim, k oracle.Calibration) {
			t.Le(accounted(g, c, dyNum(k.Lambda.Dyadic())), dyNum(k.Achieved.Dyadic()), "achieved is rounded up, %v", g)
			t.Le(dyNum(k.Achieved.Dyadic()), dyNum(g.Epsilon.Dyadic()), "achieved <= epsilon, %v", g)
		})},
		{Label: "snapr.1", Size: 3000, Run: func(t *Trial) {
			t.each(func() {
				t.instance()
				x, x2, y := floatNum(t.finite()), floatNum(t.finite()), floatNum(t.finite())
				t.Le(x2.sub(y).abs().sub(x.sub(y).abs()).abs(), x.sub(x2).abs(), "||x' - y| - |x - y|| <= |x - x'|")
			})
		}},
		{Label: "snapr.2", Size: 1500, Run: checkIdealLoss},
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

// accounted is the right side of (2.4.1).
func accounted(g oracle.Budget, c spec.Claim, l Num) Num {
	eta := dyNum(g.Format.Eta())
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
			k, err := oracle.Calibrate(g, c)
			if err != nil || k.Achieved.IsInf() {
				continue
			}
			t.instance()
			f(t, g, c, k)
		}
	}
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
		a, err := oracle.SnapF(m.p, f, u, s)
		x, err2 := oracle.Clamp(f, m.p.Lo, m.p.Hi)
		b, err3 := oracle.SnapF(wide, x, u, s)
		if err != nil || err2 != nil || err3 != nil {
			t.fail("%v %v %v", err, err2, err3)
			continue
		}
		r, err := oracle.Clamp(b.R, m.p.Lo, m.p.Hi)
		t.True(err == nil && r.Same(a.R), "M(f) = clamp(M_2(clamp f)): %v inside [%v, %v], f = %v, u = %v", m.p, wide.Lo, wide.Hi, f, u)
	}
}

// checkIdealLoss: the probabilities of Snap_R by enclosures of exp at the edges
// themselves. Where both inputs lie on one side of a cell their ratio is
// e^(±d/lambda) exactly, which no enclosure decides and the exponents do.
func checkIdealLoss(t *Trial) {
	t.pairs(func(p pair) bool {
		a, b := p.beside(p.x), p.beside(p.x2)
		if p.c1 == nil && p.c2 == nil {
			return false
		}
		if a == b && a != inside {
			c := p.c1
			if c == nil {
				c = p.c2
			}
			e := func(x spec.Value) Num { return dyNum(x.Dyadic().Sub(*c).Abs()).quo(p.lam) }
			t.Eq(e(p.x).sub(e(p.x2)).abs(), p.dist, "the exponents differ by |x - x'|/lambda, %s", p.show())
			return true
		}
		N, N2 := p.ideal(p.x), p.ideal(p.x2)
		t.Le(N.quo(N2).ln().abs(), p.dist, "|ln ratio| <= |x - x'|/lambda, %s", p.show())
		return true
	})
}

// beside is where, with an x on an edge counted as outside the cell: on the reals
// the edge has probability 0, and either formula holds there.
func (p pair) beside(x spec.Value) place {
	if p.c1 != nil && x.Dyadic().Equal(*p.c1) {
		return left
	}
	return p.where(x)
}

// ideal is Pr[r | x] of Snap_R: the Laplace distribution function at the edges.
func (p pair) ideal(x spec.Value) Num {
	tail := func(c *real.Dyadic) Num { // the probability beyond c, on the side away from x
		return dyNum(x.Dyadic().Sub(*c).Abs()).quo(p.lam).neg().exp().mul(fracNum(1, 2))
	}
	switch at := p.beside(x); {
	case at == inside:
		sum := intNum(1)
		for _, c := range []*real.Dyadic{p.c1, p.c2} {
			if c != nil {
				sum = sum.sub(tail(c))
			}
		}
		return sum
	case at == right && p.c1 == nil:
		return tail(p.c2)
	case at == left && p.c2 == nil:
		return tail(p.c1)
	case at == right:
		return tail(p.c2).sub(tail(p.c1))
	}
	return tail(p.c1).sub(tail(p.c2))
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
		tr, err := oracle.SnapF(p.p, p.x, u, s)
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

// checkTotal: the probabilities of all outputs sum to exactly 1.
func checkTotal(t *Trial) {
	for t.Result.Instances < t.size {
		lambda := 0.5 + t.unit()
		lo, hi := -8*t.unit(), 8*t.unit()
		kind := []spec.Kind{spec.Unbounded, spec.FloatRange}[t.below(2)]
		m, err := newMech(spec.ScaleLambda, lambda, lo, hi, kind, t.subject)
		if err != nil || lo == hi {
			continue
		}
		t.instance()
		f := spec.FromFloat64(t.one(lo, hi, 0, lo+(hi-lo)*t.unit()))
		outputs := []real.Dyadic{m.p.Lo.Dyadic(), m.p.Hi.Dyadic()}
		n := new(big.Int).Add(m.p.Lo.Dyadic().Floor(m.k), one)
		for ; real.NewDyadic(n, m.k).Cmp(m.p.Hi.Dyadic()) < 0; n.Add(n, one) {
			outputs = append(outputs, real.NewDyadic(n, m.k))
		}
		sum := intNum(0)
		for _, r := range outputs {
			mass, err := m.mass(f, r)
			if err != nil {
				t.fail("%v", err)
				return
			}
			sum = sum.add(mass)
		}
		t.Eq(sum, intNum(1).sub(dyNum(m.us.low())), "the sum over %d outputs, %v, f = %v, %s", len(outputs), m.p, f, kind)
	}
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
	eta := dyNum(spec.Binary64.Eta())
	t.each(func() {
		v := real.FromUint64(t.Uint64()|1<<63, t.between(-1080, 900))
		if t.coin() {
			v = v.Truncated(54, true)
		}
		if t.below(4) == 0 {
			v = real.One.Add(dyadicEta()).Shift(t.between(-1000, 1000)) // 1 + eta attains it
		}
		w := oracle.Round(spec.Binary64, v)
		if v.Top() < spec.Binary64.EMin || w.IsInf() {
			return
		}
		t.instance()
		t.Le(dyNum(w.Dyadic()).sub(dyNum(v)).abs(), dyNum(v).mul(eta).quo(intNum(1).add(eta)), "v = %v", v)
	})
}

func dyadicEta() real.Dyadic { return spec.Binary64.Eta() }
