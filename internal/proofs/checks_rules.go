package proofs

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ruleChecks are those of floating-point-rules: W[a, b] and the rules made of it,
// on binary64 and on a tiny format where underflow and overflow are near.
func ruleChecks() []Check {
	return []Check{
		{Label: "rules.1", Size: 4000, Run: func(t *Trial) {
			t.each(func() {
				f := t.format()
				v := t.realNear(f)
				w := t.subject.fl(f, v)
				if w.IsInf() {
					return
				}
				t.instance()
				t.within(f, dyNum(w.Dyadic()), dyNum(v), true, "v = %v in %s", v, f.Name)
			})
		}},
		{Label: "rules.2", Size: 4000, Run: func(t *Trial) {
			t.each(func() {
				t.instance()
				f := t.format()
				a, b := t.realNear(f), t.realNear(f)
				if t.below(4) == 0 { // on both sides of 0, where the branches meet
					a = b.Shift(-200)
					b = a.Neg()
				}
				a, b = real.Min(a, b), real.Max(a, b)
				t.Le(t.up(f, dyNum(a), true), t.up(f, dyNum(b), true), "up(v) <= up(v'), v = %v <= v' = %v in %s", a, b, f.Name)
			})
		}},
		{Label: "rules.3", Size: 4000, Run: operations(func(r reference, f spec.Format, a, b spec.Value) (spec.Value, Num) {
			return r.add(f, a, b), dyNum(a.Dyadic().Add(b.Dyadic()))
		}, false)},
		{Label: "rules.4", Size: 4000, Run: operations(func(r reference, f spec.Format, a, b spec.Value) (spec.Value, Num) {
			return r.mul(f, a, b), dyNum(a.Dyadic().Mul(b.Dyadic()))
		}, true)},
		{Label: "rules.5", Size: 4000, Run: operations(func(r reference, f spec.Format, a, b spec.Value) (spec.Value, Num) {
			if b.IsZero() {
				return spec.NaN(), Num{}
			}
			return r.quo(f, a, b), dyNum(a.Dyadic()).quo(dyNum(b.Dyadic()))
		}, true)},
		{Label: "rules.6", Size: 2000, Run: checkHull},
		{Label: "rules.7", Size: 1500, Run: checkLnRule},
		{Label: "rules.8", Size: 1500, Run: checkKernel},
	}
}

// format is binary64 or a tiny format.
func (t *Trial) format() spec.Format {
	return []spec.Format{spec.Binary64, spec.Binary64, spec.Binary16, spec.Small(4, -4, 5)}[t.below(4)]
}

// realNear is a dyadic number of the range of f with more bits than f has,
// midpoints and subnormals among them.
func (t *Trial) realNear(f spec.Format) real.Dyadic {
	e := t.between(f.Quantum()-3, f.EMax-1)
	if t.coin() {
		e = t.between(f.EMin-3, f.EMin+3)
	}
	v := real.FromUint64(t.Uint64()|1<<63, e-63)
	if t.coin() {
		v = v.Truncated(f.Precision+1, t.coin())
	}
	if t.coin() {
		v = v.Neg()
	}
	return v
}

// up is up(b): b(1+eta) + alpha for b > 0, b/(1+eta) + alpha otherwise.
func (t *Trial) up(f spec.Format, b Num, alpha bool) Num {
	w := intNum(1).add(dyNum(t.subject.eta(f)))
	sign, err := b.cmp(intNum(0))
	if err == nil && sign > 0 {
		w = b.mul(w)
	} else {
		w = b.quo(w)
	}
	if alpha {
		w = w.add(dyNum(t.subject.alpha(f, sign)))
	}
	return w
}

// within compares w with W[v, v]. The sides are distances from v, so that the ratio
// says how much of what is allowed was used.
func (t *Trial) within(f spec.Format, w, v Num, alpha bool, format string, args ...any) {
	t.Le(w.sub(v), t.up(f, v, alpha).sub(v), "w - v <= up(v) - v, "+format, args...)
	t.Le(v.sub(w), t.up(f, v.neg(), alpha).add(v), "v - w <= v + up(-v), "+format, args...)
}

func floorRat(a Num) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(a.exact.Num(), a.exact.Denom()))
}

func (t *Trial) datum(f spec.Format) spec.Value { return oracle.Round(f, t.realNear(f)) }

// operations checks fl(v) against W[v, v] for an exact operation, sign by sign.
func operations(op func(r reference, f spec.Format, a, b spec.Value) (spec.Value, Num), alpha bool) func(*Trial) {
	return func(t *Trial) {
		t.each(func() {
			f := t.format()
			a, b := t.datum(f), t.datum(f)
			if !a.IsFinite() || !b.IsFinite() {
				return
			}
			w, v := op(t.subject.reference, f, a, b)
			if !w.IsFinite() {
				return
			}
			t.instance()
			t.within(f, dyNum(w.Dyadic()), v, alpha, "%v, %v in %s", a, b, f.Name)
		})
	}
}

// checkHull: sums, differences, products and quotients of members lie between the
// least and greatest of those of the ends, and the intervals that are computed
// contain those.
func checkHull(t *Trial) {
	rat := func(d real.Dyadic) *big.Rat { return dyNum(d).exact }
	ops := []struct {
		name string
		op   func(x, y *big.Rat) *big.Rat
	}{
		{"difference", func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }},
		{"product", func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }},
		{"quotient", func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) }},
	}
	t.each(func() {
		f := []spec.Format{spec.Binary16, spec.Small(4, -4, 5)}[t.below(2)]
		interval := func() real.Interval {
			v := t.realNear(f)
			return real.Interval{Lo: v.Sub(t.realNear(f).Abs()), Hi: v.Add(t.realNear(f).Abs())}
		}
		X, Y := interval(), interval()
		at := func(i real.Interval) *big.Rat { // a member
			return rat(i.Lo.Add(i.Width().Mul(real.FromUint64(t.Uint64()>>1, -63))))
		}
		a, b := at(X), at(Y)
		for _, o := range ops {
			if o.name == "quotient" && Y.Contains(real.Dyadic{}) {
				continue
			}
			t.instance()
			all := t.subject.corners([2]*big.Rat{rat(X.Lo), rat(X.Hi)}, [2]*big.Rat{rat(Y.Lo), rat(Y.Hi)}, o.op)
			least, most := all[0], all[0]
			for _, c := range all {
				if c.Cmp(least) < 0 {
					least = c
				}
				if c.Cmp(most) > 0 {
					most = c
				}
			}
			v := o.op(a, b)
			t.True(least.Cmp(v) <= 0 && v.Cmp(most) <= 0, "the %s of members of %v and %v is beyond those of the ends", o.name, X, Y)
			z, err := X.Sub(Y, 200), error(nil)
			switch o.name {
			case "product":
				z = t.subject.times(X, Y, 200)
			case "quotient":
				z, err = t.subject.over(X, Y, 200)
			}
			if err != nil {
				t.fail("%v", err)
				continue
			}
			t.True(rat(z.Lo).Cmp(least) <= 0 && most.Cmp(rat(z.Hi)) <= 0, "the interval of the %s of %v and %v lacks one of those of the ends", o.name, X, Y)
		}
	})
}

// checkLnRule: LN(x) lies in W[ln x, ln x], with alpha only if emin > -p. Without
// alpha it is compared as the text has it, with ln x multiplied and divided by 1 + eta.
func checkLnRule(t *Trial) {
	formats := []spec.Format{spec.Binary64, spec.Binary16, spec.Small(4, -4, 5), spec.Small(6, -2, 3), spec.Small(8, -1, 4)}
	t.each(func() {
		f := formats[t.below(len(formats))]
		x := t.datum(f)
		if t.below(3) == 0 { // next to 1, where the logarithm is least
			x = spec.FromDyadic(real.One())
			for range t.between(1, 4) {
				x = f.NextUp(x)
			}
			if t.coin() {
				x = f.NextDown(spec.FromDyadic(real.One()))
			}
		}
		d := x.Dyadic().Abs()
		if !x.IsFinite() || d.Equal(real.One()) || d.IsZero() {
			return
		}
		t.instance()
		y, err := t.subject.lnOf(f, spec.FromDyadic(d))
		if err != nil {
			t.fail("%v", err)
			return
		}
		v, w := ptNum(d).ln(), dyNum(y.Dyadic())
		if f.EMin > -int64(f.Precision) {
			t.within(f, w, v, true, "emin > -p: x = %v in %s", d, f.Name)
			return
		}
		size, wide := v.abs(), intNum(1).add(dyNum(t.subject.eta(f)))
		t.Le(w.abs().sub(size), size.mul(wide).sub(size), "|LN(x)| - |ln x| <= eta |ln x|, x = %v in %s", d, f.Name)
		t.Le(size.sub(w.abs()), size.sub(size.quo(wide)), "|ln x| - |LN(x)| <= |ln x| - |ln x|/(1+eta), x = %v in %s", d, f.Name)
		t.True(y.Sign() == d.Cmp(real.One()), "the sign of LN(%v) in %s", d, f.Name)
		// the reason: such a logarithm is normal
		t.Le(dyNum(t.subject.eta(f)), size, "eta <= |ln x|, x = %v in %s", d, f.Name)
	})
}
