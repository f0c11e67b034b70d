package proofs

import (
	"iter"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// binary64Checks are (6.3.1) to (6.3.7): the draw over the doubles of (0, 1), where
// the noise stays clear of the subnormal ones and where it does not.
func binary64Checks() []Check {
	return []Check{
		{Label: "6.3.1", Size: 400, Run: crossings64(func(t *Trial, _ pair, k crossing) {
			t.Lt(k.vo, t.num("701.001"), "v° < 701.001, c = %v", k.c)
			t.Lt(t.num("701.001"), t.num("1012").mul(intNum(2).ln()), "701.001 < 1012 ln 2")
		})},
		{Label: "6.3.2", Size: 250, Run: crossings64(checkSandwich)},
		{Label: "6.3.3", Size: 400, Run: crossings64(func(t *Trial, p pair, k crossing) {
			H := p.prob(k.P).ln().neg()
			most := p.eta.mul(t.num("0.002"))
			room := p.eta.mul(t.num("2"))
			t.Le(k.vo.sub(H), room, "-E^g <= 2 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.Le(room.add(H.sub(k.vo)), room.add(most), "E^g <= 0.002 eta in terms of 2 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
			E, rel := H.sub(k.a), k.a.mul(p.eta1()).mul(intNum(2))
			t.Le(E.neg(), rel.add(room), "a - H <= 2 eta_1 a + 2 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.Le(E, rel.add(most), "H - a <= 2 eta_1 a + 0.002 eta, x = %v, c = %v, %v", p.x, k.c, p.p)
			t.True(k.P.Cmp(real.One()) <= 0, "H >= 0, x = %v, c = %v, %v", p.x, k.c, p.p)
		})},
		{Label: "6.3.4", Run: checkChanged},
		{Label: "6.3.5", Size: 200, Run: checkPure},
		{Label: "6.3.6", Size: 60, Run: checkCoupling},
		{Label: "6.3.7", Size: 12, Run: checkApproximate},
	}
}

// reach64 is the hypothesis 2B <= 700 lambda.
func (m mech) reach64(t *Trial) bool {
	c, err := m.b.mul(intNum(2)).cmp(m.lam.mul(t.num("700")))
	return err == nil && c <= 0
}

// doubles turns a mechanism into one with the binary64 draw, with bounds near 350
// lambda as often as not.
func (t *Trial) doubles(m mech) (mech, bool) {
	lo, hi := floatOf(m.p.Lo), floatOf(m.p.Hi)
	if t.coin() {
		hi = m.lam.approx() * 350 * t.one(1, 1-0x1p-52, 1-t.unit()/2)
		lo = -hi * t.one(1, 1, t.unit())
	}
	m, err := newMech(m.p.Scale, floatOf(m.p.Value), lo, hi, spec.FloatRange, t.subject)
	return m, err == nil && m.covered(spec.Proved) == nil && m.reach64(t)
}

// pairs64 is pairs for the binary64 draw.
func (t *Trial) pairs64(f func(p pair) bool) {
	for _, w := range t.hard {
		if p, ok := w.pair(t.subject); ok && w.kind == spec.FloatRange && p.reach64(t) && f(p) {
			t.instance()
		}
	}
	const patience = 400
	for tries := 0; t.Result.Instances < t.size && tries < patience*t.size; tries++ {
		m, ok := t.mechanism()
		if !ok {
			continue
		}
		if m, ok = t.doubles(m); !ok {
			continue
		}
		p, ok := t.pairOf(m)
		if ok && t.below(4) == 0 { // the far end from the far input
			p.x = p.p.Lo
			p.r = p.p.Hi.Dyadic()
			p.dist = dyNum(p.x.Dyadic()).sub(dyNum(p.x2.Dyadic())).abs().quo(m.lam)
			var err error
			p.c1, p.c2, err = p.edges(p.r)
			ok = err == nil && !p.x.Dyadic().Equal(p.x2.Dyadic())
		}
		if ok && f(p) {
			t.instance()
		}
	}
}

// crossings64 runs f on a threshold of each instance.
func crossings64(f func(t *Trial, p pair, k crossing)) func(*Trial) {
	return func(t *Trial) {
		t.pairs64(func(p pair) bool {
			for _, c := range []*real.Dyadic{p.c1, p.c2} {
				if c == nil {
					continue
				}
				k, err := p.cross(p.x, *c)
				if err != nil {
					t.fail("%v", err)
					continue
				}
				f(t, p, k)
			}
			return p.c1 != nil || p.c2 != nil
		})
	}
}

// prob is Pr[u < T*] for a value T* of U*, or 1.
func (m mech) prob(T real.Dyadic) Num {
	low := dyNum(m.us.low())
	return dyNum(T).sub(low).quo(intNum(1).sub(low))
}

func checkSandwich(t *Trial, p pair, k crossing) {
	T, star, P := k.vo.neg().exp(), dyNum(k.P), p.prob(k.P)
	room := T.mul(p.eta).mul(t.num("2"))
	t.True(k.P.Top() >= spec.Binary64.EMin, "T* is normal, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(room.sub(star.sub(T)), room, "T <= T* in terms of 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(star.sub(T), room, "T* - T <= 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(star.sub(P), star.mul(pow2Num(t.integer("s", "-62"))), "T* - P <= 2^-62 T*, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.True(P.exact.Cmp(star.exact) <= 0, "P <= T*, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(P.sub(T), room, "P - T <= 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
	t.Le(room.add(T.sub(P)), room.add(T.mul(pow2Num(t.integer("s", "-62")))), "T - P <= 2^-62 T in terms of 2 eta T, x = %v, c = %v, %v", p.x, k.c, p.p)
}

// checkChanged evaluates the numbers that 0.002 eta changes in the proof of 6.1, at
// the extremes eta <= kappa and kappa <= 700/2 eta.
func checkChanged(t *Trial) {
	t.instance()
	n, q, rest := t.num, t.num("0.3681"), t.num("0.6319")
	t.Lt(pow2Num(-62).mul(intNum(1).add(pow2Num(-61))), n("0.002").mul(pow2Num(-53)), "-ln(1 - 2^-62) < 0.002 eta")
	t.Lt(n("2").add(n("8.01")).add(n("2.002")), n("13"), "(6.1.13)")
	t.Lt(q.add(n("2.002").mul(intNum(1).add(q))).quo(rest), n("4.918"), "(6.1.16)")
	t.Lt(n("8.001").add(n("6.003")), n("20"), "(6.1.17)")
	t.Lt(n("4.001").add(n("0.004")), n("20"), "(6.1.18)")
	t.Lt(n("8.003").mul(n("350")).mul(pow2Num(-53)).add(rest.ln().neg()), n("1"), "(6.1.19)")
	t.Lt(n("12.005").quo(rest), n("19"), "(6.1.20)")
	t.Lt(n("2").add(n("0.583").mul(n("8.001").add(n("6.002")))), n("10.17"), "(6.1.21)")
	t.Lt(n("0.583").mul(n("6.007")).add(n("0.004")), n("3.51"), "(6.1.22)")
}

// checkPure is theorem C1, on whole cells.
func checkPure(t *Trial) {
	t.pairs64(func(p pair) bool {
		l, err := p.logRatio(p.x, p.x2, p.r)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return true
		}
		t.Le(p.excess(l.abs()), t.allow(p, "15", "5"), "|ln(N/N')|, %s", p.show())
		return true
	})
}

// checkCoupling: no event has probabilities under the two kinds that differ by more
// than 2^emin: what the positive differences sum up to. In small formats, and in
// binary64 with bounds that the noise of the binary64 draw does not reach.
func checkCoupling(t *Trial) {
	formats := []spec.Format{spec.Small(4, -2, 3), spec.Small(3, -6, 7), spec.Small(5, -4, 5)}
	for t.Result.Instances < t.size {
		f := formats[t.below(len(formats))]
		p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: t.small(f, 0.3, 3), Lo: t.small(f, -8, 0), Hi: t.small(f, 0, 8)}
		x := t.small(f, -8, 8)
		if t.below(20) == 0 {
			f = spec.Binary64
			b := t.one(400, 700, 760) * (1 + t.unit()/8)
			p = spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: spec.FromFloat64(1 + t.unit()), Lo: spec.FromFloat64(-b), Hi: spec.FromFloat64(b)}
			x = spec.FromFloat64(b * (2*t.unit() - 1))
		}
		a, err := t.subject.distribution(p, spec.FloatRange, x)
		b, err2 := t.subject.distribution(p, spec.Unbounded, x)
		if err != nil || err2 != nil {
			continue // a unit that the format lacks
		}
		t.instance()
		sum := intNum(0)
		bothAt(a, b, func(n, n2 Num) {
			if c, err := n2.cmp(n); err == nil && c > 0 {
				sum = sum.add(n2.sub(n))
			}
		})
		t.Le(sum, pow2Num(f.EMin+t.integer("more", "0")), "the distance of the two kinds <= 2^emin, %v, f = %v", p, x)
	}
}

// bothAt visits the outputs of two distributions, in order.
func bothAt(a, b iter.Seq2[spec.Value, Num], f func(n, n2 Num)) {
	next, stop := iter.Pull2(a)
	defer stop()
	next2, stop2 := iter.Pull2(b)
	defer stop2()
	x, n, ok := next()
	x2, n2, ok2 := next2()
	for ok || ok2 {
		c := 0
		switch {
		case !ok2:
			c = -1
		case !ok:
			c = 1
		default:
			c = x.Cmp(x2)
		}
		p, p2 := intNum(0), intNum(0)
		if c <= 0 {
			p = n
			x, n, ok = next()
		}
		if c >= 0 {
			p2 = n2
			x2, n2, ok2 = next2()
		}
		f(p, p2)
	}
}

// distributionOf is the oracle's distribution with its probabilities as numbers.
func distributionOf(p spec.SnapParams, k spec.Kind, f spec.Value) (iter.Seq2[spec.Value, Num], error) {
	d, err := oracle.NewDistribution(p, k, f)
	if err != nil {
		return nil, err
	}
	return func(yield func(spec.Value, Num) bool) {
		for r, pr := range d.All() {
			if !yield(r, dyNum(pr.Num).quo(dyNum(pr.Den))) {
				return
			}
		}
	}, nil
}

// accountedFor is the bound (c, a, 1) on the loss of f and f', as a rational.
func (m mech) accountedFor(f, f2 spec.Value, c, a int64) Num {
	dist := dyNum(f.Dyadic()).sub(dyNum(f2.Dyadic())).abs().quo(m.lam)
	return dist.add(m.kappa().mul(intNum(c))).add(m.eta.mul(intNum(a)))
}

// twoDelta is (1 + e^epsilon) 2^emin.
func (m mech) twoDelta(epsilon Num) Num {
	return intNum(1).add(epsilon.exp()).mul(pow2Num(m.p.Format.EMin))
}

// checkApproximate is theorem C2: the exact delta, with bounds that the noise of the
// binary64 draw hardly reaches or does not.
func checkApproximate(t *Trial) {
	for t.Result.Instances < t.size {
		value := 0.5 + t.unit()
		b := t.one(372, 400, 600, 1000) * value * (1 + t.unit()/16)
		m, err := newMech(spec.ScaleLambda, value, -b, b, spec.FloatRange, t.subject)
		if err != nil || m.covered(spec.Proved) != nil {
			continue
		}
		t.instance()
		x := b * t.one(-1, -1+t.unit()/8, t.unit())
		f, f2 := spec.FromFloat64(x), spec.FromFloat64(min(b, x+value*t.one(1, t.unit(), 4)))
		epsilon := m.accountedFor(f, f2, t.integer("15", "15"), t.integer("5", "5"))
		d, err := t.subject.delta(m.p, m.us.kind, f, f2, epsilon.exact, 64)
		if err != nil {
			t.fail("%v: %v, f = %v, f' = %v", err, m.p, f, f2)
			continue
		}
		t.Le(dyNum(d.Hi), m.twoDelta(epsilon).mul(t.num("share", "1")), "delta <= (1 + e^epsilon) 2^-1022, %v, f = %v, f' = %v", m.p, f, f2)
	}
}

// deltaBlock is the exact delta of the example of docs/theory.md 6, item 1.
func deltaBlock() (string, error) {
	m, err := newMech(grainy.scale, grainy.value, grainy.lo, grainy.hi, grainy.kind, honest())
	if err != nil {
		return "", err
	}
	f, f2 := spec.FromFloat64(grainy.f), spec.FromFloat64(grainy.f2)
	unit := pow2Num(1074)
	rows := [][]any{{"epsilon", "published, (12, 2)", "proved, (15, 5)"}, {"(epsilon - 1)/eta"}, {"exact delta 2^1074"}, {"(1 + e^epsilon) 2^-1022 2^1074"}}
	for _, c := range [][2]int64{{12, 2}, {15, 5}} {
		epsilon := m.accountedFor(f, f2, c[0], c[1])
		beyond := new(big.Rat).Quo(epsilon.sub(intNum(1)).exact, m.eta.exact)
		delta := Num{at: func(prec uint) (real.Interval, error) {
			return oracle.Delta(m.p, m.us.kind, f, f2, epsilon.exact, prec)
		}}
		rows[1] = append(rows[1], beyond.RatString())
		rows[2] = append(rows[2], delta.mul(unit))
		rows[3] = append(rows[3], m.twoDelta(epsilon).mul(unit))
	}
	return tableText(rows)
}
