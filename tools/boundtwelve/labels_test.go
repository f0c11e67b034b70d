package main

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// TestLabels evaluates the labelled statements of docs/bound-twelve.md on exact thresholds.
func TestLabels(t *testing.T) {
	half := rat(1, 2)
	mean := func(a, b *big.Rat) *big.Rat { return ratMul(ratAdd(a, b), half) }
	count := map[string]int{}
	instances(t, 4000, func(q quartet) {
		need := func(label string, ok bool) {
			t.Helper()
			count[label]++
			if !ok {
				t.Errorf("(%s): %v", label, q)
			}
		}
		le := func(a, b *big.Rat) bool { return a.Cmp(b) <= 0 }
		lt := func(a, b *big.Rat) bool { return a.Cmp(b) < 0 }
		J, K, I := q.levels()
		d1, d2, a1, a2 := q.errors()
		G, h, eta, kappa, ell := q.t1b.g, q.t1b.h, q.eta(), q.kappa(), q.ell()
		in := func(r *big.Rat) *big.Rat { return ratQuo(r, G) }

		// (6.2.1), in units of G and h
		l1, l2 := lnError(q.t1, q.t1b, h), lnError(q.t2, q.t2b, h)
		need("6.2.1", lt(ratAbs(d1), in(mean(q.t1.g, q.t1b.g))) && lt(ratAbs(d2), in(mean(q.t2.g, q.t2b.g))))
		need("6.2.1", le(ratAbs(l1), ratQuo(mean(q.t1.h, q.t1b.h), h)) && le(ratAbs(l2), ratQuo(mean(q.t2.h, q.t2b.h), h)))
		for _, k := range []threshold{q.t1, q.t2, q.t1b, q.t2b} {
			over := dyadic(k.P).ln().plus(rational(k.v0)) // -E^g
			need("6.2.1", whole(0).minus(frac(1, 1<<40)).times(rational(eta)).atMost(over) && over.atMost(rational(ratMul(rat(2, 1), eta))))
		}
		need("order", le(q.t2.g, q.t1.g) && le(q.t1.g, G) && le(q.t2.g, q.t2b.g) && le(q.t2b.g, G))
		need("order", le(q.t2.h, q.t1.h) && le(q.t1.h, h) && le(q.t2.h, q.t2b.h) && le(q.t2b.h, h))

		// (6.2.3)
		for _, r := range []num{ratioOf(q.t1, q.t2), ratioOf(q.t1b, q.t2b)} {
			need("6.2.3", r.atMost(rational(ratSub(ratMul(rat(13, 1), kappa), ell)).exp()) && r.atMost(allKappa.q(whole(1))))
		}
		// (6.2.4)
		need("6.2.4", (I == K || I == K+1) && ratQuo(G, q.lambda).Cmp(ratMul(ratMul(ell, pow2(K-I)), h)) == 0)

		if I == K+1 { // on the way to (6.2.6)
			if q.t2b.h.Cmp(h) == 0 {
				need("6.2.6", le(h, ratMul(rat(4, 1), kappa)))
			} else {
				need("6.2.6", le(h, ratMul(ratAdd(ratMul(rat(4, 1), kappa), ratMul(ell, eta)), ratAdd(rat(1, 1), rat(1, 1<<20)))))
			}
			return
		}
		if K <= 0 {
			need("6.2.8", le(ratQuo(G, q.lambda), ratMul(rat(2, 1), ratMul(ell, eta))))
			return
		}
		need("6.2.7", lt(pow2(J), ratMul(rat(2, 1), q.B)) && lt(ratQuo(G, q.lambda), ratMul(rat(4, 1), kappa)))
		if le(pow2(J), ratMul(rat(8, 5), q.B)) {
			return
		}
		if K == 1 { // on the way to (6.2.9)
			need("6.2.9", ratAbs(ratOf(q.r.Dyadic())).Cmp(q.unit) == 0 && le(in(q.t2b.g), half))
			need("6.2.9", q.t2b.h.Cmp(h) < 0 || ell.Cmp(ratSub(rat(8, 7), rat(1, 1<<20))) > 0)
			return
		}
		side := int64(1)
		if !q.right() {
			side = -1
		}
		c, ok := q.geometry(J, side)
		need("6.2.10", ok)
		sigma := q.sigma(c, side, q.t1, q.t2, need)
		sigma2 := q.sigma(c, side, q.t1b, q.t2b, need)
		need("6.2.11", ratSub(sigma2, sigma).Cmp(ratSub(d1, d2)) == 0)

		k := q.classify(rat(8, 5))
		bound := map[string][2]*big.Rat{"A": {rat(3, 4), rat(0, 1)}, "B": {rat(3, 4), rat(3, 4)}, "C": {rat(3, 4), rat(5, 8)},
			"D": {half, half}, "E": {half, rat(5, 4)}}[k.class]
		switch {
		case k.class == "D" && c.name == "middle":
			bound = [2]*big.Rat{rat(1, 4), rat(1, 1)}
		case k.class == "C" && in(q.t2.g).Cmp(half) == 0:
			bound[1] = half
		case k.class == "E" && in(q.t2.g).Cmp(half) == 0:
			bound[1] = rat(3, 4)
		case k.class == "E":
			bound[0] = rat(3, 8)
		}
		need("table", le(ratAbs(d2), bound[0]) && le(ratAbs(ratSub(d1, d2)), bound[1]))
		if k.kind == "broken" {
			need("6.2.12", le(ratAbs(l2), rat(3, 4)) && k.class != "A")
			return
		}
		n := ratSub(a1, a2)
		T := rat(ratFloor(ratAdd(rat(2, 1), ratMul(ell, bound[1]))), 1)
		need("6.2.13", n.IsInt() && le(ratAbs(n), T) && le(ratAbs(a2), ratAdd(ratMul(ell, bound[0]), rat(1, 1))))
	})
	for _, label := range []string{"6.2.6", "6.2.8", "6.2.9", "6.2.10", "6.2.11", "6.2.12", "6.2.13"} {
		if count[label] < 10 {
			t.Errorf("(%s): %d instances", label, count[label])
		}
	}
	t.Log(count)
}

// lnError is L_i in units of h.
func lnError(k, kb threshold, h *big.Rat) *big.Rat {
	return ratQuo(ratSub(ratSub(kb.v0, kb.v), ratSub(k.v0, k.v)), h)
}

// geometry checks (6.2.10) for the inputs whose far spacing is G and returns the
// kind of the cell.
func (q quartet) geometry(J, side int64) (c cell, ok bool) {
	G := q.t1b.g
	far, near := q.edges()
	mid := pow2(J - 1)
	size := func(d real.Dyadic) *big.Rat { return ratAbs(ratOf(d)) }
	high := func(d real.Dyadic) bool { return size(d).Cmp(mid) > 0 }
	switch {
	case high(far) && high(near):
		c = cells[1]
	case high(far):
		c = cells[2]
	case !high(near):
		c = cells[0]
	default:
		return c, false
	}
	within := func(r *big.Rat) bool { return r.Cmp(pow2(J-2)) > 0 && r.Cmp(pow2(J)) < 0 }
	ok = within(size(far)) && within(size(near)) && size(far).Cmp(mid) != 0 && size(near).Cmp(mid) != 0
	ok = ok && size(far).Cmp(size(near)) > 0 && (c.name == "middle") == (size(q.r.Dyadic()).Cmp(mid) == 0)
	for _, k := range []struct {
		x      spec.Value
		t1, t2 threshold
	}{{q.x, q.t1, q.t2}, {q.x2, q.t1b, q.t2b}} {
		if k.t1.g.Cmp(G) != 0 {
			continue
		}
		x := size(k.x.Dyadic())
		ok = ok && k.x.Sign()*q.r.Sign() < 0 && within(x)
		A := func(c real.Dyadic, o *big.Rat) *big.Rat {
			return ratAdd(ratAdd(x, size(c)), ratMul(rat(side, 1), ratMul(o, G)))
		}
		ok = ok && A(far, c.far).Cmp(k.t1.A) == 0 && A(near, c.near).Cmp(k.t2.A) == 0
		step := rat(1, 4)
		if x.Cmp(mid) >= 0 {
			step = rat(1, 2)
		}
		ok = ok && ratQuo(x, ratMul(step, G)).IsInt()
	}
	return c, ok
}

// sigma checks that the enumeration has the rounding of one input and returns M_1 - M_2 - Lambda.
func (q quartet) sigma(c cell, side int64, t1, t2 threshold, need func(string, bool)) *big.Rat {
	G := q.t1b.g
	s := ratQuo(ratSub(ratSub(t1.M, t2.M), q.unit), G)
	s2 := ratQuo(ratSub(t2.M, t2.A), G)
	st := state{"", ratQuo(t1.g, G), ratQuo(t2.g, G)}
	limit := ratAdd(ratMul(ratAdd(st.far, st.near), rat(1, 2)), rat(1, 8))
	need("6.2.11", ratAbs(s).Cmp(limit) < 0)
	for _, known := range []state{above, astride, below} {
		if known.far.Cmp(st.far) != 0 || known.near.Cmp(st.near) != 0 {
			continue
		}
		listed := false
		for _, p := range (rules{}).positions(side, c, known) {
			listed = listed || p.sigma.Cmp(s) == 0 && (p.s2 == nil || p.s2.Cmp(s2) == 0)
		}
		need("6.2.11", listed)
	}
	return s
}

// TestSameCell is (6.2.16), by the oracle alone.
func TestSameCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 216))
	f := spec.Binary64
	for done := 0; done < 600; {
		v := oracle.RoundRat(f, ratAdd(rat(1, 1), rat(rng.Int64N(1<<52)>>uint(rng.IntN(53)), 1<<52)), oracle.Down)
		p := spec.SnapParams{Format: f, Scale: spec.ScaleEpsilon, Value: v, Hi: spec.FromFloat64(0.5 + 2*rng.Float64())}
		p.Lo = p.Hi.Neg()
		// The cell of 0 is [-1/2, 1/2); its ends, and the middle, are the places to be.
		place := func() spec.Value {
			x := spec.FromFloat64([]float64{-0.5, 0.5, 0, rng.Float64() - 0.5}[rng.IntN(4)])
			for n := rng.IntN(5); n > 0; n-- {
				x = f.NextDown(x)
			}
			return x
		}
		x, x2 := place(), place()
		lo, hi := spec.FromFloat64(-0.5), spec.FromFloat64(0.5)
		inside := func(x spec.Value) bool { return x.Cmp(lo) >= 0 && x.Cmp(hi) < 0 }
		in, err := newInstance(p, x, x2, spec.Zero(false))
		if err != nil || in.unit.Cmp(rat(1, 1)) != 0 || !inside(x) || !inside(x2) {
			continue
		}
		done++
		pr, err := oracle.Probability(p, spec.Unbounded, x, in.r)
		if err != nil {
			t.Fatal(err)
		}
		pr2, err := oracle.Probability(p, spec.Unbounded, x2, in.r)
		if err != nil {
			t.Fatal(err)
		}
		loss, _, err := oracle.LossOf(pr, pr2, prec)
		if err != nil {
			t.Fatal(err)
		}
		dist := ratQuo(ratAbs(ratSub(ratOf(x.Dyadic()), ratOf(x2.Dyadic()))), in.lambda)
		if !(num{loss}).atMost(rational(ratAdd(dist, ratMul(rat(154, 10), in.eta())))) {
			t.Errorf("(6.2.16): %v", in)
		}
	}
}
