package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// checkIdealLoss: the probabilities of Snap_R, of which each threshold is bracketed
// by two evaluations of SnapR that differ by a factor of 1 + 2^-60, against the
// Laplace distribution function and the bound. Where both inputs lie on one side of
// a cell their ratio is e^(±d/lambda) exactly, which no enclosure decides and the
// exponents do.
func checkIdealLoss(t *Trial) {
	t.pairs(func(p pair) bool {
		a, b := p.beside(p.x), p.beside(p.x2)
		if p.c1 == nil && p.c2 == nil {
			return false
		}
		lo, hi, ok := t.bracketed(p, p.x)
		lo2, hi2, ok2 := t.bracketed(p, p.x2)
		if !ok || !ok2 {
			return true // the failure is on record
		}
		N, N2 := p.ideal(p.x), p.ideal(p.x2)
		// p.ideal is the formula, lo and hi are what SnapR does.
		t.Le(lo, N, "Pr[r] of SnapR from below, %s", p.show())
		t.Le(N, hi, "Pr[r] of SnapR from above, %s", p.show())
		fine := pow2Num(-50)
		t.Le(hi.sub(lo), N.mul(fine), "the brackets are narrow, %s", p.show())
		t.Le(lo.quo(hi2).ln(), p.dist.add(fine), "ln of the ratio of SnapR, %s", p.show())
		t.Le(lo2.quo(hi).ln(), p.dist.add(fine), "ln of the ratio of SnapR, %s", p.show())
		if a == b && a != inside {
			c := p.c1
			if c == nil {
				c = p.c2
			}
			e := func(x spec.Value) Num { return dyNum(t.subject.spread(x.Dyadic(), *c)).quo(p.lam) }
			t.Eq(e(p.x).sub(e(p.x2)).abs(), p.dist, "the exponents differ by |x - x'|/lambda, %s", p.show())
			return true
		}
		t.Le(N.quo(N2).ln().abs(), p.dist, "|ln ratio| <= |x - x'|/lambda, %s", p.show())
		return true
	})
}

// bracketed encloses Pr[r | x] of Snap_R by evaluations of SnapR. Given the sign
// that can cross an edge, the draws u < T do, and T is bracketed by two that SnapR
// sends to different sides.
func (t *Trial) bracketed(p pair, x spec.Value) (lo, hi Num, ok bool) {
	lo, hi = intNum(0), intNum(0)
	for _, s := range []spec.Sign{1, -1} {
		// the draws with w below the upper and below the lower edge (s = +1), at or
		// above the lower and the upper edge (s = -1)
		from, to := p.c1, p.c2
		if s < 0 {
			from, to = p.c2, p.c1
		}
		outLo, outHi, ok1 := t.crossR(p, x, s, from, intNum(0))
		inLo, inHi, ok2 := t.crossR(p, x, s, to, intNum(1))
		if !ok1 || !ok2 {
			return lo, hi, false
		}
		lo, hi = lo.add(inLo.sub(outHi)), hi.add(inHi.sub(outLo))
	}
	half := fracNum(1, 2)
	return lo.mul(half), hi.mul(half), true
}

// crossR brackets the threshold of an edge; none is what an edge that is not there
// leaves.
func (t *Trial) crossR(p pair, x spec.Value, s spec.Sign, c *real.Dyadic, none Num) (lo, hi Num, ok bool) {
	if c == nil {
		return none, none, true
	}
	gap := x.Dyadic().Sub(*c)
	if gap.IsZero() || (gap.Sign() > 0) != (s > 0) { // every draw of this sign crosses
		return intNum(1), intNum(1), true
	}
	T, err := dyNum(gap.Abs()).quo(p.lam).neg().exp().enclose(200)
	if err != nil {
		t.fail("%v: %s", err, p.show())
		return lo, hi, false
	}
	step := real.One().Add(real.Pow2(-60))
	below, above := T.Lo.Truncated(120, false).Mul(real.One().Sub(real.Pow2(-60))), T.Hi.Mul(step).Truncated(120, true)
	if above.Cmp(real.One()) >= 0 {
		above = real.One()
	}
	for _, u := range []real.Dyadic{below, above} {
		if u.Equal(real.One()) {
			continue
		}
		tr, err := t.subject.snapR(p.p, x, u, s, 64)
		if err != nil {
			t.fail("%v: %s", err, p.show())
			return lo, hi, false
		}
		crossed := tr.R.Cmp(p.r) < 0 // w is below the lower edge of r
		if c == p.c2 {
			crossed = tr.R.Cmp(p.r) <= 0
		}
		if s < 0 {
			crossed = !crossed
		}
		t.True(crossed == u.Equal(below), "SnapR crosses %v at u = %v: %v, %s", c, u, crossed, p.show())
	}
	return ptNum(below), ptNum(above), true
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

// checkTotal: on a small format, by visiting every draw: the bisected masses are
// the masses counted, output by output, and both sum to exactly 1 (less the part
// that restarts). Draws too small to visit all go where the last one visited went.
func checkTotal(t *Trial) {
	formats := []spec.Format{spec.Small(4, -2, 3), spec.Small(3, -6, 7), spec.Small(5, -6, 7)}
	for t.Result.Instances < t.size {
		f := formats[t.below(len(formats))]
		p := spec.SnapParams{
			Format: f, Scale: spec.ScaleLambda, Value: t.small(f, 1, 3),
			Lo: t.small(f, -8, 8), Hi: t.small(f, -8, 8),
		}
		if t.coin() {
			p.Scale = spec.ScaleEpsilon
		}
		kind := []spec.Kind{spec.Unbounded, spec.FloatRange}[t.below(2)]
		m, err := newMechIn(p, kind, t.subject)
		if err != nil || p.Lo.Cmp(p.Hi) >= 0 {
			continue
		}
		t.instance()
		x := t.small(f, -8, 8)
		count, err := t.counted(m, x)
		if err != nil {
			t.fail("%v: %v, f = %v, %s", err, p, x, kind)
			continue
		}
		sum, seen := intNum(0), intNum(0)
		for _, r := range m.outputs() {
			mass, err := m.mass(x, r)
			if err != nil {
				t.fail("%v", err)
				return
			}
			c, ok := count[r.String()]
			if !ok {
				c = intNum(0)
			}
			t.Eq(mass, c, "Pr[%v] by bisection and by counting, %v in %s, f = %v, %s", r, p, f.Name, x, kind)
			sum, seen = sum.add(mass), seen.add(c)
		}
		rest := intNum(1).sub(dyNum(m.us.low()))
		t.Eq(sum, rest, "the sum of the bisected masses, %v in %s, f = %v, %s", p, f.Name, x, kind)
		t.Eq(seen, rest, "the sum of the masses counted, %v in %s, f = %v, %s", p, f.Name, x, kind)
	}
}

// small is a number of the format in [lo, hi].
func (t *Trial) small(f spec.Format, lo, hi float64) spec.Value {
	return oracle.Round(f, floatDyadic(lo+(hi-lo)*t.unit()))
}

// counted adds up the masses of the draws by output, read off docs/theory.md 8: e
// has the probability 2^-e, m is one of 2^(p-1), and the binary64 kind has the
// multiples of the smallest positive number below 2^emin.
func (t *Trial) counted(m mech, f spec.Value) (map[string]Num, error) {
	mass := map[string]Num{}
	width := int64(m.p.Format.Precision) - 1
	visit := func(u spec.U, s spec.Sign, bits int64) error {
		tr, err := t.subject.snapF(m.p, f, u, s)
		if err != nil {
			return err
		}
		key := tr.R.Dyadic().String()
		if _, ok := mass[key]; !ok {
			mass[key] = intNum(0)
		}
		mass[key] = mass[key].add(pow2Num(-bits - 1)) // -1 for the sign
		return nil
	}
	last := int64(100) // 100 ln 2 lambda is beyond both bounds
	if m.us.kind == spec.FloatRange {
		last = -m.p.Format.EMin
	}
	for _, s := range []spec.Sign{1, -1} {
		for e := int64(1); e <= last; e++ {
			for i := range int64(1) << width {
				if err := visit(spec.U{M: uint64(i), E: e}, s, e+width); err != nil {
					return nil, err
				}
			}
		}
		if m.us.kind == spec.Unbounded {
			if err := visit(spec.U{E: last}, s, last); err != nil { // the tail
				return nil, err
			}
			continue
		}
		for i := int64(1); i < 1<<width; i++ {
			top := int64(big.NewInt(i).BitLen()) - 1
			u := spec.U{M: uint64(i<<(width-top)) &^ (1 << width), E: last + width - top}
			if err := visit(u, s, last+width); err != nil {
				return nil, err
			}
		}
	}
	return mass, nil
}
