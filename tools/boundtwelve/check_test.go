package main

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// short has the same proof with eta = 2^-24 and B <= 2^9 lambda; there the phases
// are few and the extremes met more often.
var short = spec.Small(24, -1022, 1023)

// draw makes an adversarial instance: ell near 1 or anywhere, B near 2^(J-1), the far
// threshold of x' near 2^J, the input x in its neighbourhood or anywhere.
func draw(rng *rand.Rand) (instance, bool) {
	f, most := spec.Binary64, 38
	if rng.IntN(3) == 0 {
		f, most = short, 9
	}
	e := []int64{0, 0, 0, -900, 700, 13}[rng.IntN(6)] // Lambda = 2^e
	K := int64(rng.IntN(most))
	if rng.IntN(4) == 0 {
		K = int64(rng.IntN(5))
	}
	J := K + e
	unit := real.Pow2(e)
	near1 := func() *big.Rat { // in [1, 2), mostly near 1
		n := uint(rng.IntN(53))
		return ratAdd(rat(1, 1), rat(rng.Int64N(1<<52)>>n, 1<<52))
	}
	p := spec.SnapParams{Format: f, Scale: spec.ScaleEpsilon}
	p.Value = oracle.RoundRat(f, ratQuo(near1(), ratOf(unit)), oracle.Down)
	if rng.IntN(2) == 0 {
		p.Scale = spec.ScaleLambda
		p.Value = oracle.RoundRat(f, ratQuo(ratOf(unit), near1()), oracle.Up)
	}
	fl := func(r *big.Rat) spec.Value { return oracle.RoundRat(f, r, oracle.Up) }
	ulps := func(v spec.Value) spec.Value {
		for n := rng.IntN(4); n > 0; n-- {
			v = f.NextUp(v)
		}
		for n := rng.IntN(4); n > 0; n-- {
			v = f.NextDown(v)
		}
		return v
	}
	half := ratOf(real.Pow2(J - 1))
	b := ratMul(half, near1())
	if rng.IntN(8) == 0 {
		b = ratMul(half, rat(1+rng.Int64N(999), 1000))
	}
	B := ulps(fl(b))
	p.Hi, p.Lo = B, B.Neg()
	if rng.IntN(3) == 0 {
		p.Lo = fl(ratMul(ratOf(B.Dyadic()), rat(-rng.Int64N(1000)-1, 1001)))
		if rng.IntN(2) == 0 {
			p.Lo, p.Hi = p.Hi.Neg(), p.Lo.Neg()
		}
	}
	in, err := newInstance(p, B, B, B)
	if err != nil || in.unit.Cmp(ratOf(unit)) != 0 {
		return in, false
	}
	// The cell: 2^(J-1), near it, or anywhere.
	n := ratFloor(ratQuo(half, in.unit))
	cells := ratFloor(ratQuo(in.B, in.unit))
	switch rng.IntN(4) {
	case 0:
		n += rng.Int64N(7) - 3
	case 1:
		n = rng.Int64N(cells + 1)
	}
	r := ratMul(rat(n, 1), in.unit)
	sign := rat(int64(1-2*rng.IntN(2)), 1)
	in.r = fl(ratMul(sign, r))
	// Inputs opposite, |x| + |far edge| near 2^J to within some cells.
	place := func() spec.Value {
		x := ratSub(ratSub(ratOf(real.Pow2(J)), r), ratMul(in.unit, rat(rng.Int64N(3<<20)-1<<20, 1<<21)))
		switch rng.IntN(6) {
		case 0:
			x = ratAdd(x, ratMul(in.unit, rat(rng.Int64N(9)-4, 1)))
		case 1:
			x = ratMul(in.B, rat(rng.Int64N(2001)-1000, 1000))
		case 2: // the far threshold near the top binade of the logarithm
			x = ratSub(ratMul(in.lambda, ratOf(real.Pow2(K))), r)
		}
		v := ulps(fl(ratMul(ratMul(sign, rat(-1, 1)), x)))
		if v.Cmp(p.Lo) < 0 {
			v = p.Lo
		}
		if v.Cmp(p.Hi) > 0 {
			v = p.Hi
		}
		return v
	}
	in.x, in.x2 = place(), place()
	return in, in.valid()
}

// valid: an interior cell, different inputs on one side of it, the hypotheses.
func (in instance) valid() bool {
	far, near := in.edges()
	lo, hi := real.Min(far, near), real.Max(far, near)
	outside := func(x spec.Value) bool {
		d := x.Dyadic()
		if in.right() {
			return d.Cmp(hi) >= 0
		}
		return d.Cmp(lo) < 0
	}
	return in.r.Cmp(in.p.Lo) > 0 && in.r.Cmp(in.p.Hi) < 0 && in.x.Cmp(in.x2) != 0 &&
		outside(in.x) && outside(in.x2) && in.kappa().Cmp(rat(1, 1<<15)) <= 0
}

// instances runs f on n adversarial instances and on the constructed witnesses.
func instances(t *testing.T, n int, f func(quartet)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(12, 6))
	for done := 0; done < n; {
		in, ok := draw(rng)
		if !ok {
			continue
		}
		done++
		f(in.quartet())
	}
	for _, w := range constructed(t) {
		in, err := newInstance(w.p, w.f, w.f2, w.r)
		if err != nil {
			t.Fatal(err)
		}
		f(in.quartet())
	}
}

func constructed(t *testing.T) []witness {
	t.Helper()
	var ws []witness
	for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
		for J := int64(24); J <= 34; J += 2 {
			if w, ok := search(scale, J, 20); ok {
				ws = append(ws, w)
			}
		}
	}
	if len(ws) < 6 {
		t.Fatalf("only %d witnesses", len(ws))
	}
	return ws
}

// TestChainIsTheOracles: the thresholds of the test give the oracle's probabilities.
func TestChainIsTheOracles(t *testing.T) {
	instances(t, 300, func(q quartet) {
		for _, k := range []struct {
			x         spec.Value
			far, near threshold
		}{{q.x, q.t1, q.t2}, {q.x2, q.t1b, q.t2b}} {
			want, err := oracle.Probability(q.p, spec.Unbounded, k.x, q.r)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.near.P.Sub(k.far.P).Shift(-1); !got.Equal(want.Num) {
				t.Fatalf("%v: probability of r for %v", q, k.x)
			}
		}
	})
}

// TestTheorem compares exact losses with the theorem, and with nothing of its proof.
func TestTheorem(t *testing.T) {
	instances(t, 1500, func(q quartet) {
		n := dyadic(q.t2.P.Sub(q.t1.P))
		n2 := dyadic(q.t2b.P.Sub(q.t1b.P))
		loss := n.over(n2).ln().abs()
		dist := ratQuo(ratSub(q.t1b.A, q.t1.A), q.lambda)
		check := func(c, a int64, kappa *big.Rat) {
			allowed := ratAdd(dist, ratAdd(ratMul(rat(c, 1), kappa), ratMul(rat(a, 1), q.eta())))
			if !loss.atMost(rational(allowed)) {
				t.Errorf("(%d, %d) exceeded: %v", c, a, q)
			}
		}
		check(12, 5, q.kappa())
		// (6.2.2), (6.2.15), (6.2.17)
		excess, kappa, eta := loss.minus(rational(dist)), rational(q.kappa()), rational(q.eta())
		_, _, a1, a2 := q.errors()
		steps := whole(0)
		for _, r := range []num{ratioOf(q.t1, q.t2), ratioOf(q.t1b, q.t2b)} {
			psi := r.times(rational(a1)).minus(rational(a2)).abs().times(rational(q.t1b.h))
			grid := whole(2).times(whole(1).plus(r)).times(eta)
			steps = larger(steps, psi.plus(grid).over(whole(1).minus(r)))
		}
		grid := eta.times(frac(43294, 10000))
		r := kappa.times(whole(13)).minus(whole(1)).exp()
		sharp := whole(5).plus(whole(7).times(r)).over(whole(1).minus(r)).times(kappa).plus(grid)
		if !excess.atMost(steps) || !excess.atMost(kappa.times(frac(119906, 10000)).plus(grid)) ||
			q.B.Cmp(ratMul(rat(32, 1), q.lambda)) >= 0 && !excess.atMost(sharp) {
			t.Errorf("(6.2.2), (6.2.15) or (6.2.17): %v", q)
		}
		floor := ratMul(rat(1<<8, 1), q.eta())
		if q.kappa().Cmp(floor) > 0 {
			floor = q.kappa()
		}
		check(12, 2, floor)
	})
}
