package proofs

import (
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ruleChecks are those of floating-point-rules: W[a, b] and the rules made of it,
// on binary64 and on a tiny format where underflow and overflow are near.
func ruleChecks() []Check {
	return []Check{
		{Label: "rules.1", Size: 6000, Run: func(t *Trial) {
			t.each(func() {
				f := t.format()
				v := t.realNear(f)
				w := oracle.Round(f, v)
				if w.IsInf() {
					return
				}
				t.instance()
				t.Le(dyNum(w.Dyadic()), widenUp(f, v), "fl(v) <= up(v), v = %v in %s", v, f.Name)
				t.Le(widenUp(f, v.Neg()).neg(), dyNum(w.Dyadic()), "-up(-v) <= fl(v), v = %v in %s", v, f.Name)
			})
		}},
		{Label: "rules.2", Size: 4000, Run: func(t *Trial) {
			t.each(func() {
				t.instance()
				f := t.format()
				a, b := t.realNear(f), t.realNear(f)
				a, b = real.Min(a, b), real.Max(a, b)
				t.Le(intNum(0), widenUp(f, b).sub(widenUp(f, a)), "up is monotone at %v <= %v in %s", a, b, f.Name)
			})
		}},
		{Label: "rules.3", Size: 6000, Run: operations(func(f spec.Format, a, b spec.Value) (spec.Value, real.Dyadic) {
			return oracle.Add(f, a, b), a.Dyadic().Add(b.Dyadic())
		}, false)},
		{Label: "rules.4", Size: 6000, Run: operations(func(f spec.Format, a, b spec.Value) (spec.Value, real.Dyadic) {
			return oracle.Mul(f, a, b), a.Dyadic().Mul(b.Dyadic())
		}, true)},
		{Label: "rules.5", Size: 4000, Run: checkQuotient},
		{Label: "rules.6", Size: 2000, Run: checkHull},
		{Label: "rules.7", Size: 2000, Run: checkLnRule},
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

// widenUp is up(b): b(1+eta) + alpha for b > 0, b/(1+eta) + alpha otherwise,
// alpha = 2^(emin-p).
func widenUp(f spec.Format, b real.Dyadic) Num {
	return relUp(f, b).add(pow2Num(f.EMin - int64(f.Precision)))
}

// relUp is up without alpha.
func relUp(f spec.Format, b real.Dyadic) Num {
	one := intNum(1).add(dyNum(f.Eta()))
	if b.Sign() > 0 {
		return dyNum(b).mul(one)
	}
	return dyNum(b).quo(one)
}

func (t *Trial) datum(f spec.Format) spec.Value { return oracle.Round(f, t.realNear(f)) }

// operations checks fl(v) against W[v, v] for an exact dyadic operation.
func operations(op func(f spec.Format, a, b spec.Value) (spec.Value, real.Dyadic), alpha bool) func(*Trial) {
	return func(t *Trial) {
		t.each(func() {
			f := t.format()
			a, b := t.datum(f), t.datum(f)
			if !a.IsFinite() || !b.IsFinite() {
				return
			}
			w, v := op(f, a, b)
			if !w.IsFinite() {
				return
			}
			t.instance()
			up, down := relUp(f, v), relUp(f, v.Neg()).neg()
			if alpha {
				up, down = widenUp(f, v), widenUp(f, v.Neg()).neg()
			}
			t.Le(dyNum(w.Dyadic()), up, "%v, %v in %s", a, b, f.Name)
			t.Le(down, dyNum(w.Dyadic()), "%v, %v in %s", a, b, f.Name)
		})
	}
}

func checkQuotient(t *Trial) {
	t.each(func() {
		f := t.format()
		a, b := t.datum(f), t.datum(f)
		if !a.IsFinite() || !b.IsFinite() || b.IsZero() {
			return
		}
		w := oracle.Quo(f, a, b)
		if !w.IsFinite() {
			return
		}
		t.instance()
		v := dyNum(a.Dyadic()).quo(dyNum(b.Dyadic()))
		alpha := pow2Num(f.EMin - int64(f.Precision))
		wide := v.abs().mul(intNum(1).add(dyNum(f.Eta())))
		y := dyNum(w.Dyadic())
		t.Le(y.abs(), wide.add(alpha), "|a (/) b| <= |a/b| (1+eta) + alpha: %v, %v in %s", a, b, f.Name)
		t.Le(v.abs().quo(intNum(1).add(dyNum(f.Eta()))), y.abs().add(alpha), "|a/b|/(1+eta) - alpha <= |a (/) b|: %v, %v in %s", a, b, f.Name)
	})
}

// checkHull: products and differences of members lie between the least and
// greatest of those of the ends.
func checkHull(t *Trial) {
	t.each(func() {
		t.instance()
		f := t.format()
		x, y := real.Point(t.realNear(f)), real.Point(t.realNear(f))
		widen := func(i real.Interval) real.Interval {
			d := t.realNear(f).Abs()
			return real.Interval{Lo: i.Lo.Sub(d), Hi: i.Hi.Add(d)}
		}
		X, Y := widen(x), widen(y)
		at := func(i real.Interval) real.Dyadic { // a member
			return i.Lo.Add(i.Width().Mul(real.FromUint64(t.Uint64()>>1, -63)))
		}
		a, b := at(X), at(Y)
		p := X.Mul(Y, 4096)
		t.True(p.Contains(a.Mul(b)), "product of %v and %v", X, Y)
		t.True(a.Sub(b).Cmp(X.Lo.Sub(Y.Hi)) >= 0 && a.Sub(b).Cmp(X.Hi.Sub(Y.Lo)) <= 0, "difference of %v and %v", X, Y)
	})
}

// checkLnRule: LN of a number of [a, b] lies in W[ln a, ln b], with ln widened the
// way of the sign it has, and without alpha.
func checkLnRule(t *Trial) {
	eta := intNum(1).add(dyNum(spec.Binary64.Eta()))
	t.each(func() {
		x := t.datum(spec.Binary64).Dyadic().Abs()
		if x.Equal(real.One) || x.IsZero() {
			return
		}
		t.instance()
		y, err := oracle.Ln(spec.Binary64, spec.FromDyadic(x))
		if err != nil {
			t.fail("%v", err)
			return
		}
		ln, v := ptNum(x).ln(), dyNum(y.Dyadic())
		if y.Sign() > 0 {
			t.Le(v, ln.mul(eta), "LN(x) <= ln x (1+eta), x = %v", x)
			t.Le(ln.quo(eta), v, "ln x/(1+eta) <= LN(x), x = %v", x)
		} else {
			t.Le(v, ln.quo(eta), "LN(x) <= ln x/(1+eta), x = %v", x)
			t.Le(ln.mul(eta), v, "ln x (1+eta) <= LN(x), x = %v", x)
		}
	})
}

// checkKernel: the kernel's conclusion about one operation on two intervals holds
// for members of them. A refusal concludes nothing.
func checkKernel(t *Trial) {
	for t.Result.Instances < t.size {
		f := t.format()
		a, b := t.datum(f), t.datum(f)
		lo, hi := t.datum(f), t.datum(f)
		if !a.IsFinite() || !b.IsFinite() || !lo.IsFinite() || !hi.IsFinite() {
			continue
		}
		X := kernel.Exactly(a.Dyadic())
		if t.coin() {
			X = kernel.Between(real.Min(a.Dyadic(), lo.Dyadic()), real.Max(a.Dyadic(), lo.Dyadic()))
		}
		Y := kernel.Between(real.Min(b.Dyadic(), hi.Dyadic()), real.Max(b.Dyadic(), hi.Dyadic()))
		c, err := kernel.NewContext(f, kernel.Env{"x": X, "y": Y})
		if err != nil {
			t.fail("%v", err)
			return
		}
		x, err := c.Var("x")
		y, err2 := c.Var("y")
		if err != nil || err2 != nil {
			t.fail("%v %v", err, err2)
			return
		}
		var j kernel.Judgment
		var v spec.Value
		switch t.below(5) {
		case 0:
			j, err = c.Add(x, y)
			v = oracle.Add(f, a, b)
		case 1:
			j, err = c.Sub(x, y)
			v = oracle.Sub(f, a, b)
		case 2:
			j, err = c.Mul(x, y)
			v = oracle.Mul(f, a, b)
		case 3:
			j, err = c.Quo(x, y)
			v = oracle.Quo(f, a, b)
		default:
			if j, err = c.Ln(x); err == nil {
				v, err = oracle.Ln(f, a)
			}
		}
		if err != nil {
			continue // refused: an overflow, a division by 0, a logarithm of 0 or less
		}
		t.instance()
		t.True(v.IsFinite() && j.Interval().Contains(v.Dyadic()), "%s: %v at x = %v, y = %v in %s", j, v, a, b, f.Name)
	}
}
