package boundtwelve

import (
	"math/big"
	"math/rand/v2"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// short has the same proof with eta = 2^-24 and B <= 2^9 lambda; there the phases
// are few and the extremes met more often.
var short = spec.Small(24, -1022, 1023)

// Draw makes an adversarial instance: ell near 1 or anywhere, B near 2^(J-1), the far
// threshold of x' near 2^J, the input x in its neighbourhood or anywhere.
func Draw(src rand.Source, def Definitions) (Instance, bool) {
	rng := rand.New(src)
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
	in, err := New(p, B, B, B, def)
	if err != nil || in.Unit.Cmp(ratOf(unit)) != 0 {
		return in, false
	}
	// The cell: 2^(J-1), near it, or anywhere.
	n := ratFloor(ratQuo(half, in.Unit))
	cells := ratFloor(ratQuo(in.B, in.Unit))
	switch rng.IntN(4) {
	case 0:
		n += rng.Int64N(7) - 3
	case 1:
		n = rng.Int64N(cells + 1)
	}
	r := ratMul(rat(n, 1), in.Unit)
	sign := rat(int64(1-2*rng.IntN(2)), 1)
	in.R = fl(ratMul(sign, r))
	// Inputs opposite, |x| + |far edge| near 2^J to within some cells.
	place := func() spec.Value {
		x := ratSub(ratSub(ratOf(real.Pow2(J)), r), ratMul(in.Unit, rat(rng.Int64N(3<<20)-1<<20, 1<<21)))
		switch rng.IntN(6) {
		case 0:
			x = ratAdd(x, ratMul(in.Unit, rat(rng.Int64N(9)-4, 1)))
		case 1:
			x = ratMul(in.B, rat(rng.Int64N(2001)-1000, 1000))
		case 2: // the far threshold near the top binade of the logarithm
			x = ratSub(ratMul(in.Lambda, ratOf(real.Pow2(K))), r)
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
	in.X, in.X2 = place(), place()
	return in, in.valid()
}

func (in Instance) with(d Definitions) Instance { in.def = d; return in }

// valid: an interior cell, different inputs on one side of it, the hypotheses.
func (in Instance) valid() bool {
	far, near := in.Edges()
	lo, hi := real.Min(far, near), real.Max(far, near)
	outside := func(x spec.Value) bool {
		d := x.Dyadic()
		if in.right() {
			return d.Cmp(hi) >= 0
		}
		return d.Cmp(lo) < 0
	}
	return in.R.Cmp(in.Params.Lo) > 0 && in.R.Cmp(in.Params.Hi) < 0 && in.X.Cmp(in.X2) != 0 &&
		outside(in.X) && outside(in.X2) && in.with(Right()).Kappa().Cmp(rat(1, 1<<15)) <= 0
}
