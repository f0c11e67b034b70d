package proofs

import (
	"github.com/dp-crosscheck/crosscheck/internal/anyprecision"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// anyEdges runs f on every input and edge of an instance.
func anyEdges(f func(t *Trial, p anyPair, x spec.Value, k crossing)) func(*Trial) {
	return anyPairs(func(t *Trial, p anyPair) bool {
		for _, x := range []spec.Value{p.x, p.x2} {
			for _, c := range []*real.Dyadic{p.c1, p.c2} {
				if c == nil {
					continue
				}
				k, err := p.cross(x, *c)
				if err != nil {
					t.fail("%v: %s", err, p.show())
					continue
				}
				f(t, p, x, k)
			}
		}
		return true
	})
}

func (p anyPair) format() spec.Format { return p.p.Format }
func (p anyPair) twice(a Num) Num     { return intNum(2).mul(a) }

// near1 is 1 + eta.
func (p anyPair) near1() Num { return intNum(1).add(p.eta) }

// engine is the instance as internal/anyprecision has it, for the anyFormats it covers.
func (p anyPair) engine() (anyprecision.Mech, bool) {
	f, prec := p.format(), int64(p.format().Precision)
	if f != anyprecision.Tiny(f.Precision) || prec > 12 {
		return anyprecision.Mech{}, false
	}
	n := p.p.Value.Dyadic().Shift(prec - p.k)
	if p.p.Scale == spec.ScaleEpsilon {
		n = p.p.Value.Dyadic().Shift(prec - 1 + p.k)
	}
	sig := n.Floor(0).Int64()
	if sig == 1<<prec {
		sig /= 2
	}
	return anyprecision.NewMech(f, p.k, sig, p.p.Scale)
}

// sameAsEngine compares a threshold with that of the exhaustive trial.
func (t *Trial) sameAsEngine(p anyPair, x spec.Value, k crossing) {
	m, ok := p.engine()
	if !ok {
		return
	}
	f := p.format()
	e := m.Chain(anyprecision.Length(f, x), anyprecision.Length(f, spec.FromDyadic(k.c)))
	length := func(n int64) Num { return dyNum(anyprecision.Dyadic(f, n)) }
	t.Eq(length(e.A), k.A, "A of the exhaustive trial, %s", p.show())
	t.Eq(length(e.M), k.M, "M of the exhaustive trial, %s", p.show())
	t.Eq(length(e.G), k.g, "g of the exhaustive trial, %s", p.show())
	t.Eq(dyNum(anyprecision.Logarithm(f, e.W)), k.vo, "v° of the exhaustive trial, %s", p.show())
	t.True(anyprecision.Mass(f, e.W).Equal(k.P), "P of the exhaustive trial, %s", p.show())
}

func checkAnyTheorem(t *Trial, p anyPair) bool {
	l, err := p.logRatio(p.x, p.x2, p.r)
	if err != nil {
		t.fail("%v: %s", err, p.show())
		return true
	}
	a, _ := p.mass(p.x, p.r)
	t.True(lessThan(intNum(0), a), "the probability is positive, %s", p.show())
	e, share := p.excess(l.abs()), t.num("share", "1")
	t.Le(e, p.X.mul(share), "|ln(N/N')| - |x - x'|/lambda <= X, %s", p.show())
	t.Le(e, p.Z.mul(share), "|ln(N/N')| - |x - x'|/lambda <= Z, %s", p.show())
	return true
}

func checkRoom(t *Trial, p anyPair) bool {
	n := intNum
	t.Le(n(1), p.ell(), "1 <= l, %s", p.show())
	t.Lt(p.ell(), t.num("2"), "l < 2, %s", p.show())
	t.Le(p.eta, p.kappa, "eta <= kappa, %s", p.show())
	t.Lt(p.kappa, t.num("1/9"), "kappa < 1/9, %s", p.show())
	t.Lt(p.eta, t.num("1/12"), "eta < 1/12, %s", p.show())
	t.True(p.format().Precision >= 4, "p >= 4, %s", p.show())
	t.Lt(p.omega(), p.kappa.add(p.eta), "omega < kappa + eta, %s", p.show())
	return true
}

func checkEdge(t *Trial, p anyPair, _ spec.Value, k crossing) {
	f, c, half := p.format(), dyNum(k.c).abs(), p.unit().quo(intNum(2))
	t.Le(half, c, "Lambda/2 <= |c|, %s", p.show())
	t.Le(c, p.b.add(half), "|c| <= B + Lambda/2, %s", p.show())
	t.Lt(p.b.add(half), p.unit().quo(t.num("4").mul(p.eta)), "B + Lambda/2 < Lambda/(4 eta), %s", p.show())
	t.True(t.subject.contains(f, k.c) && k.c.Top() >= f.EMin, "c is a normal number, %s", p.show())
	t.True(k.c.Low() > f.UlpExponent(k.c), "c is even, %s", p.show())
	t.Lt(c, pow2Num(f.EMax), "|c| < 2^emax, %s", p.show())
}

func checkBelowEdge(t *Trial, p anyPair, _ spec.Value, k crossing) {
	c, d := dyNum(k.c).abs(), dyNum(k.c.Sub(k.t))
	t.Le(p.eta.quo(intNum(2)).mul(c), d, "eta/2 |c| <= c - t(c), %s", p.show())
	t.Le(d, p.eta.mul(c), "c - t(c) <= eta |c|, %s", p.show())
	t.Le(p.eta.mul(c), p.omega().mul(p.lam), "eta |c| <= omega lambda, %s", p.show())
}

func checkRoundsBelow(t *Trial, p anyPair, x spec.Value, k crossing) {
	f := p.format()
	gap := k.c.Sub(k.t)
	vs := []real.Dyadic{k.t, k.c, x.Dyadic()}
	for _, n := range []int64{0, 1, 10, 300} {
		vs = append(vs, k.t.Add(gap.Shift(-n)), k.t.Sub(gap.Shift(-n)))
	}
	for _, v := range vs {
		w := t.subject.fl(f, v)
		t.True((w.Cmp(spec.FromDyadic(k.c)) < 0) == (v.Cmp(k.t) < 0), "fl(v) < c iff v < t(c), v = %v, c = %v, %s", v, k.c, p.show())
	}
}

// checkNoise takes the numbers Y on either side of A.
func checkNoise(t *Trial, p anyPair, x spec.Value, k crossing) {
	f := p.format()
	up, _ := t.subject.inFormat.above(f, x.Dyadic().Sub(k.t).Abs(), k.strict)
	if !f.Contains(up) {
		return // Y is infinite there
	}
	for _, y := range []spec.Value{spec.FromDyadic(up), f.NextDown(spec.FromDyadic(up))} {
		past := dyNum(y.Dyadic())
		beyond := k.A.exact.Cmp(past.exact) < 0 || !k.strict && k.A.exact.Cmp(past.exact) == 0
		z := y
		if k.strict {
			z = y.Neg()
		}
		below := t.subject.add(f, x, z).Cmp(spec.FromDyadic(k.c)) < 0
		t.True(below == (k.strict == beyond), "w and Y = %v agree, c = %v, %s", y, k.c, p.show())
	}
}

func checkWidth(t *Trial, p anyPair) bool {
	if !p.interior() {
		return false
	}
	tau := dyNum(p.sub.below(*p.c2).Sub(p.sub.below(*p.c1)))
	t.Lt(tau.quo(p.lam).sub(p.ell()).abs(), p.omega(), "|tau/lambda - l| < omega, %s", p.show())
	t.Lt(intNum(0), tau, "0 < tau, %s", p.show())
	return true
}

func checkReach(t *Trial, p anyPair, _ spec.Value, k crossing) {
	f, n, c := p.format(), intNum, dyNum(k.c).abs()
	most := p.twice(p.b).add(p.unit().quo(n(2))).add(p.omega().mul(p.lam))
	t.Le(pow2Num(f.EMin), p.eta.quo(n(4)).mul(p.unit()), "2^emin <= eta/4 Lambda, %s", p.show())
	t.Le(p.eta.quo(n(4)).mul(p.unit()), p.eta.quo(n(2)).mul(c), "eta/4 Lambda <= eta/2 |c|, %s", p.show())
	t.Le(p.eta.quo(n(2)).mul(c), k.A, "eta/2 |c| <= A, %s", p.show())
	t.Le(k.A, most, "A <= 2B + Lambda/2 + omega lambda, %s", p.show())
	t.Lt(most, pow2Num(f.EMax+1), "A < 2^(emax+1), %s", p.show())
	t.Le(k.a, sumOf(p.twice(p.b).quo(p.lam), p.ell().quo(n(2)), p.omega()), "a <= 2B/lambda + l/2 + omega, %s", p.show())
	t.Le(t.num("4").mul(p.eta1).mul(k.a), p.R, "4 eta_1 a <= R, %s", p.show())
	e, kappa := p.eta, p.kappa
	long := sumOf(t.num("8").mul(kappa), n(4).mul(e), n(8).mul(e).mul(kappa), n(6).mul(e).mul(e), n(2).mul(e).mul(e).mul(kappa.add(e)))
	t.Eq(p.R, long, "R = 8 kappa + 4 eta + ..., %s", p.show())
}

func checkProduct(t *Trial, p anyPair, x spec.Value, k crossing) {
	t.True(k.M.quo(k.g).sub(fracNum(1, 2)).exact.IsInt(), "M is a midpoint, %s", p.show())
	t.Le(k.g, p.eta.mul(t.num("2")).mul(k.A), "g <= 2 eta A, %s", p.show())
	d, half := k.M.sub(k.A), k.g.quo(intNum(2))
	t.Le(d.abs(), half, "|M - A| <= g/2, %s", p.show())
	end := half // the end of the interval that is not in it
	if k.strict {
		end = half.neg()
	}
	t.True(d.exact.Cmp(end.exact) != 0, "the interval of M - A is half-open, %s", p.show())
	t.sameAsEngine(p, x, k)
}

func checkLogarithm(t *Trial, p anyPair, x spec.Value, k crossing) {
	f := p.format()
	t.Lt(pow2Num(f.EMin), k.v, "2^emin < v, %s", p.show())
	t.Lt(k.v, pow2Num(int64(f.Precision)-1), "v < 2^(p-1), %s", p.show())
	t.Le(pow2Num(int64(f.Precision)-1), pow2Num(f.EMax+1), "2^(p-1) <= 2^(emax+1), %s", p.show())
	t.Le(k.vo.sub(k.v).abs(), p.eta.mul(k.v), "|v° - v| <= eta v, %s", p.show())
	t.sameAsEngine(p, x, k)
}

// checkAnyMass: P comes from the stages of the mechanism, T from the chain.
func checkAnyMass(t *Trial, p anyPair, _ spec.Value, k crossing) {
	T, P := k.vo.neg().exp(), ptNum(k.P)
	t.Le(T, P, "T <= P, %s", p.show())
	t.Le(P.sub(T), p.eta.mul(t.num("2")).mul(T), "P - T <= 2 eta T, %s", p.show())
}

func checkErrors(t *Trial, p anyPair, _ spec.Value, k crossing) {
	t.Le(k.v, p.near1().mul(k.a), "v <= (1 + eta) a, %s", p.show())
	t.Le(k.Em.abs(), p.eta.mul(k.a), "|E^m| <= eta a, %s", p.show())
	t.Le(k.El.abs(), p.eta.mul(p.near1()).mul(k.a), "|E^l| <= eta (1 + eta) a, %s", p.show())
	t.Le(k.Eg.neg(), p.eta.mul(t.num("2")), "-E^g <= 2 eta, %s", p.show())
	t.Le(k.Eg, intNum(0), "E^g <= 0, %s", p.show())
}

func checkError(t *Trial, p anyPair, _ spec.Value, k crossing) {
	e, room := k.H.sub(k.a), t.num("2").mul(p.eta1).mul(k.a)
	t.Le(e, room, "E <= 2 eta_1 a, %s", p.show())
	t.Le(e.neg(), room.add(p.twice(p.eta)), "-E <= 2 eta_1 a + 2 eta, %s", p.show())
	t.True(k.P.Cmp(real.One()) <= 0, "H >= 0, %s", p.show())
}
