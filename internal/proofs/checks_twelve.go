package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/boundtwelve"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// twelveChecks are those of proofs/bound-twelve.md.
func twelveChecks() []Check {
	return []Check{
		{Label: "twelve.1", Size: 150, Run: checkTwelve},
		{Label: "6.2.1", Size: 400, Run: quartets(checkRounding)},
		{Label: "6.2.2", Size: 100, Run: quartets(checkTwoRatios)},
		{Label: "6.2.3", Size: 300, Run: quartets(checkLeastEll)},
		{Label: "6.2.4", Size: 400, Run: quartets(checkBinades)},
		{Label: "6.2.5", Size: 400, Run: quartets(checkCrude)},
		{Label: "6.2.6", Size: 60, Run: quartets(checkClassF)},
		{Label: "6.2.7", Size: 400, Run: quartets(checkFarEdge)},
		{Label: "6.2.8", Size: 150, Run: quartets(checkClassesGH)},
		{Label: "6.2.9", Size: 30, Run: quartets(checkClassI)},
		{Label: "6.2.10", Size: 300, Run: quartets(checkGeometry)},
		{Label: "6.2.11", Size: 300, Run: quartets(checkLattice)},
		{Label: "6.2.12", Size: 200, Run: quartets(checkBroken)},
		{Label: "6.2.13", Size: 60, Run: quartets(checkWhole)},
		{Label: "6.2.14", Size: 60, Run: quartets(checkClassBounds)},
		{Label: "6.2.15", Size: 60, Run: quartets(checkSameSide)},
		{Label: "6.2.16", Size: 150, Run: checkOneCell},
		{Label: "6.2.17", Size: 50, Run: quartets(checkLargeB)},
	}
}

// quartet is an instance of proofs/bound-twelve.md with its class.
type quartet struct {
	boundtwelve.Quartet
	e       boundtwelve.Errors
	class   boundtwelve.Class
	J, K, I int64
}

func (q quartet) eta() Num   { return ratNum(q.Eta()) }
func (q quartet) kappa() Num { return ratNum(q.Kappa()) }
func (q quartet) ell() Num   { return ratNum(q.Ell()) }
func (q quartet) h() Num     { return ratNum(q.T1b.H) }
func (q quartet) g() Num     { return ratNum(q.T1b.G).quo(ratNum(q.Lambda)) } // G/lambda

// ratios are q for (x, x') and for (x', x).
func (q quartet) ratios() []Num {
	return []Num{ptNum(q.T1.P).quo(ptNum(q.T2.P)), ptNum(q.T1b.P).quo(ptNum(q.T2b.P))}
}

// top is |q alpha_1 - alpha_2|.
func (q quartet) top(r Num) Num {
	return r.mul(ratNum(q.e.A1)).sub(ratNum(q.e.A2)).abs().mul(q.h())
}

// excess is |ln(N'/N)| - d/lambda by the oracle's operations, not by the thresholds.
func (q quartet) excess(s subject) (Num, error) {
	m, err := newMechIn(q.Params, spec.Unbounded, s)
	if err != nil {
		return Num{}, err
	}
	l, err := m.logRatio(q.X, q.X2, q.R.Dyadic())
	return l.abs().sub(ratNum(q.Distance())), err
}

// classBound requires Psi <= c kappa for both q.
func (t *Trial) classBound(q quartet, c Num) {
	for _, r := range q.ratios() {
		t.Le(q.top(r).quo(one1.sub(r)), c.mul(q.kappa()), "Psi in class "+q.class.Letter+" "+q.class.Kind+", %s", q)
	}
}

var one1 = intNum(1)

// fresh reports that there was no instance yet: numbers need no comparison at each.
func (t *Trial) fresh() bool { return t.Result.Instances == 0 }

// mean is half a sum.
func mean(a, b *big.Rat) Num { return ratNum(a).add(ratNum(b)).mul(fracNum(1, 2)) }

// quartets runs f on the instances known to be worst, and on adversarial ones; f says
// whether one is of its kind.
func quartets(f func(t *Trial, q quartet) bool) func(*Trial) {
	return func(t *Trial) {
		in := t.subject.inFormat
		def := boundtwelve.Definitions{Below: in.below, Above: in.above, MidAbove: in.midAbove, Eta: t.subject.eta}
		try := func(i boundtwelve.Instance) {
			q := quartet{Quartet: i.Quartet()}
			q.e, q.class = q.Errors(), q.Classify(big.NewRat(8, 5))
			q.J, q.K, q.I = q.Levels()
			if f(t, q) {
				t.instance()
			}
		}
		for _, w := range worstQuartets {
			p := spec.SnapParams{Format: spec.Binary64, Scale: w.scale, Value: spec.FromFloat64(w.value), Lo: spec.FromFloat64(w.lo), Hi: spec.FromFloat64(w.hi)}
			i, err := boundtwelve.New(p, spec.FromFloat64(w.f), spec.FromFloat64(w.f2), spec.FromFloat64(w.r), def)
			if err != nil {
				t.fail("%v: %v", p, err)
				continue
			}
			try(i)
		}
		const patience = 400
		for tries := 0; t.Result.Instances < t.size && tries < patience*t.size; tries++ {
			if i, ok := boundtwelve.Draw(t, def); ok {
				try(i)
			}
		}
	}
}

// worstQuartets are the pairs of the section "From below", and the worst of class B found.
var worstQuartets = []witness{
	{scale: spec.ScaleLambda, value: 0x1.fffffeb00000ep-1, lo: -0x1.0000000000001p+24, hi: 0x1.0000000000001p+24, f: 0x1.ffffff9cf3d0fp+23, f2: 0x1.fffffffe79e96p+23, r: -0x1p+24},
	{scale: spec.ScaleLambda, value: 0x1.fffffe5800016p-1, lo: -0x1.0000000000001p+23, hi: 0x1.0000000000001p+23, f: 0x1.fffffec3521fbp+22, f2: 0x1.fffffff873ef6p+22, r: -0x1p+23},
	{scale: spec.ScaleEpsilon, value: 0x1.00000107fffffp+0, lo: -0x1.0000000000001p+24, hi: 0x1.0000000000001p+24, f: 0x1.ffffff5d1745bp+23, f2: 0x1.ffffff9b26c9ap+23, r: -0x1p+24},
	{scale: spec.ScaleEpsilon, value: 0x1.0320700261fap+0, lo: -0x1.01bc16a761966p+8, hi: 0x1.01bc16a761966p+8, f: 0x1.01bbc16161d5p+8, f2: 0x1.ffba753ccdf6bp+7, r: -0x1p+8},
}

func checkRounding(t *Trial, q quartet) bool {
	h := q.h()
	G := ratNum(q.T1b.G)
	for i, k := range []struct {
		d, l  *big.Rat
		t, tb boundtwelve.Threshold
	}{{q.e.D1, q.e.L1, q.T1, q.T1b}, {q.e.D2, q.e.L2, q.T2, q.T2b}} {
		t.Lt(ratNum(k.d).abs().mul(G), mean(k.t.G, k.tb.G), "|Delta| < (g + g')/2, edge %d of %s", i+1, q)
		t.Le(ratNum(k.l).abs().mul(h), mean(k.t.H, k.tb.H), "|L| <= (h + h')/2, edge %d of %s", i+1, q)
		over := func(k boundtwelve.Threshold) Num { return ptNum(k.P).ln().add(ratNum(k.V0)) } // -E^g
		t.Le(over(k.t).sub(over(k.tb)).abs(), q.eta().mul(t.num("2")), "|delta - alpha| <= 2 eta, edge %d of %s", i+1, q)
	}
	return true
}

func checkTwoRatios(t *Trial, q quartet) bool {
	e, err := q.excess(t.subject)
	if err != nil {
		t.fail("%v: %s", err, q)
		return true
	}
	ok, rhs := false, Num{}
	for _, r := range q.ratios() {
		psi := q.top(r).mul(t.num("share of Psi", "1"))
		rhs = psi.add(q.eta().mul(intNum(2)).mul(one1.add(r))).quo(one1.sub(r))
		c, err := e.cmp(rhs)
		ok = ok || err == nil && c <= 0
	}
	t.True(ok, "the excess is above both right sides, the second of which is %.17g: %s", rhs.approx(), q)
	return true
}

// checkLeastEll also compares q_0, which all classes use, with its definition.
func checkLeastEll(t *Trial, q quartet) bool {
	for _, r := range q.ratios() {
		t.Le(q.ell().add(r.ln()), q.kappa().mul(t.num("13")), "l + ln q <= 13 kappa, %s", q)
	}
	t.Le(q.kappa().mul(t.num("13")), t.num("0.0004"), "13 kappa <= 0.0004, %s", q)
	if t.fresh() {
		t.Lt(t.num("13").mul(pow2Num(-15)), t.num("0.0004"), "13 2^-15 < 0.0004")
		t.Lt(t.q(one1), t.num("0.36803"), "q_0 < 0.36803")
		t.Lt(t.num("0.36802"), t.q(one1), "0.36802 < q_0")
	}
	return true
}

func checkBinades(t *Trial, q quartet) bool {
	t.True(q.I == q.K || q.I == q.K+1, "I = %d, K = %d: %s", q.I, q.K, q)
	t.Eq(q.g(), q.ell().mul(pow2Num(q.K-q.I)).mul(q.h()), "G/lambda, %s", q)
	for _, k := range [][2]boundtwelve.Threshold{{q.T1, q.T2}, {q.T1b, q.T2b}, {q.T1b, q.T1}, {q.T2b, q.T2}} {
		t.Le(ratNum(k[1].G), ratNum(k[0].G), "g is ordered, %s", q)
		t.Le(ratNum(k[1].H), ratNum(k[0].H), "h is ordered, %s", q)
	}
	return true
}

func checkCrude(t *Trial, q quartet) bool {
	for _, r := range q.ratios() {
		rhs := q.g().mul(t.num("share of G", "1")).add(mean(q.T2.H, q.T2b.H)).add(r.mul(mean(q.T1.H, q.T1b.H)))
		t.Le(q.top(r), rhs, "|q alpha_1 - alpha_2|, %s", q)
	}
	t.Le(mean(q.T2.H, q.T2b.H), q.h(), "h_2 and h_2' on average, %s", q)
	t.Le(mean(q.T1.H, q.T1b.H), q.h(), "h_1 and h_1' on average, %s", q)
	return true
}

func checkFarEdge(t *Trial, q quartet) bool {
	if q.K < 1 || q.I != q.K {
		return false
	}
	four := t.num("4")
	t.Lt(pow2Num(q.J), ratNum(q.B).mul(intNum(2)), "2^J < 2B, %s", q)
	t.Lt(q.g(), four.mul(q.kappa()), "G/lambda < 4 kappa, %s", q)
	t.Lt(q.h(), four.mul(q.kappa()).quo(q.ell()), "h < 4 kappa/l, %s", q)
	return true
}

// late reports K >= 2 and B < 5/8 2^J: classes A to E.
func (q quartet) late() bool { return q.class.Letter <= "E" }

func checkGeometry(t *Trial, q quartet) bool {
	if q.late() {
		_, ok := q.Geometry()
		t.True(ok, "the inputs and edges are not as in (6.2.10): %s", q)
	}
	return q.late()
}

func checkLattice(t *Trial, q quartet) bool {
	if q.late() {
		s, s2, ok := q.Sigmas()
		t.True(ok, "sigma = %s, sigma' = %s is not in the list: %s", s.RatString(), s2.RatString(), q)
		t.Eq(ratNum(s2).sub(ratNum(s)), ratNum(q.e.D1).sub(ratNum(q.e.D2)), "Delta_1 - Delta_2, %s", q)
	}
	return q.late()
}

// checkTwelve compares whole cells, computed without any of the proof.
func checkTwelve(t *Trial) {
	compare := func(excess, kappa, eta Num, what string) {
		for _, k := range [][2]string{{"5", "1"}, {"4", "36"}, {"3", "142"}, {"2", "256"}} {
			bar := maxNum(kappa, eta.mul(t.num("b with "+k[0], k[1])))
			t.Le(excess, bar.mul(t.num("12")).add(eta.mul(t.num("a = "+k[0], k[0]))), "excess for a = "+k[0]+", %s", what)
		}
	}
	t.pairs(func(p pair) bool {
		l, err := p.logRatio(p.x, p.x2, p.r)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return true
		}
		compare(p.excess(l.abs()), p.kappa(), p.eta, p.show())
		return true
	})
	quartets(func(t *Trial, q quartet) bool {
		e, err := q.excess(t.subject)
		if err != nil {
			t.fail("%v: %s", err, q)
			return true
		}
		compare(e, q.kappa(), q.eta(), q.String())
		return true
	})(t)
}
