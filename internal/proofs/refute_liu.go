package proofs

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// openInterval is an error pair (lo, hi) of Liu 2020, figure 1, as printed.
type openInterval struct{ lo, hi Num }

func etaPlusOne() Num { return intNum(1).add(dyNum(spec.Binary64.Eta())) }

// printedConst and widen are CONST and the widening of OP and LN.
func printedConst(r Num) openInterval { return widen(r, r) }
func widen(lo, hi Num) openInterval   { return openInterval{lo.quo(etaPlusOne()), hi.mul(etaPlusOne())} }

// excludes reports that c is not strictly between the ends.
func (i openInterval) excludes(c Num) bool {
	a, err := i.lo.cmp(c)
	b, err2 := c.cmp(i.hi)
	return err == nil && err2 == nil && (a >= 0 || b >= 0)
}

// figureChecks refute the rules of figure 1 as printed: the computed value is not
// in the pair that the rule gives.
func figureChecks() []Check {
	out := func(t *Trial, rule openInterval, value Num) {
		t.True(rule.excludes(value), "the value %.17g is in (%.17g, %.17g)", value.approx(), rule.lo.approx(), rule.hi.approx())
	}
	fl := func(t *Trial, v Num) Num { return dyNum(t.subject.fl(spec.Binary64, dyadicOf(v)).Dyadic()) }
	op := func(t *Trial, f func(f spec.Format, a, b spec.Value) spec.Value, a, b Num) Num {
		return dyNum(f(spec.Binary64, spec.FromDyadic(dyadicOf(fl(t, a))), spec.FromDyadic(dyadicOf(fl(t, b)))).Dyadic())
	}
	constant := func(label, r string) Check {
		return claim(label, func(t *Trial) { r := t.num("r", r); out(t, printedConst(r), fl(t, r)) })
	}
	return []Check{
		constant("figure.1", "-3"),
		constant("figure.2", "0"),
		constant("figure.3", "0x3p-1075"), // 1.5 2^-1074: the tie goes to 2
		claim("figure.4", func(t *Trial) {
			a, b := t.num("a", "-1"), t.num("b", "-1")
			x, y := printedConst(a), printedConst(b)
			out(t, widen(x.lo.add(y.lo), x.hi.add(y.hi)), op(t, t.subject.add, a, b))
		}),
		claim("figure.5", func(t *Trial) { // both constants are rounded to 1
			eta := dyNum(spec.Binary64.Eta())
			a, b := intNum(1).add(eta.mul(t.num("0.9"))), intNum(1).sub(eta.mul(t.num("0.4")))
			x, y := printedConst(a), printedConst(b)
			minus := func(f spec.Format, a, b spec.Value) spec.Value { return t.subject.add(f, a, b.Neg()) }
			out(t, widen(x.lo.sub(y.lo), x.hi.sub(y.hi)), op(t, minus, a, b))
		}),
		claim("figure.6", func(t *Trial) {
			a, b := t.num("a", "-1"), intNum(1)
			x, y := printedConst(a), printedConst(b)
			out(t, widen(x.lo.mul(y.lo), x.hi.mul(y.hi)), op(t, t.subject.mul, a, b))
		}),
		claim("figure.7", func(t *Trial) { // the product underflows to 0
			a, b := pow2Num(t.integer("exponent", "-1074")), fracNum(1, 2)
			x, y := printedConst(a), printedConst(b)
			out(t, widen(x.lo.mul(y.lo), x.hi.mul(y.hi)), op(t, t.subject.mul, a, b))
		}),
		claim("figure.8", func(t *Trial) {
			u := real.Pow2(t.integer("exponent", "-20"))
			ln, err := t.subject.lnOf(spec.Binary64, spec.FromDyadic(u))
			if err != nil {
				t.fail("%v", err)
				return
			}
			x := printedConst(dyNum(u))
			out(t, widen(x.lo.ln(), x.hi.ln()), dyNum(ln.Dyadic()))
		}),
	}
}

// dyadicOf is a rational to 200 bits, which is the number itself or, for the two of
// figure.5, not near a midpoint.
func dyadicOf(v Num) real.Dyadic {
	i, err := v.enclose(200)
	if err != nil {
		return real.Dyadic{}
	}
	return i.Lo
}

// liuErrata are the arithmetic errors of Liu 2020 beside figure 1 and theorem 2.
func liuErrata() []Check {
	one := etaPlusOne()
	square := one.mul(one)
	with := func(label string, epsilon, bound string, run func(t *Trial, m mech)) Check {
		return claim(label, func(t *Trial) {
			b := t.double("B", bound)
			m, err := newMech(spec.ScaleEpsilon, t.double("epsilon", epsilon), -b, b, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			run(t, m)
		})
	}
	return []Check{
		with("e-liu.1", "1", "10", func(t *Trial, m mech) { // R = b at output -B, f = 0, Lambda = 1
			// The bound on u is the threshold of the one edge, which the mechanism has where
			// e^(epsilon(-b - L/2 - f)) says, b = B - 1; R = b is above every u.
			b := m.b.sub(m.unit())
			mass, err := m.mass(spec.Zero(false), m.p.Lo.Dyadic())
			if err != nil {
				t.fail("%v", err)
				return
			}
			R := mass.mul(intNum(2))
			meant := b.add(m.unit().mul(fracNum(1, 2))).quo(m.lam).neg().exp()
			t.Le(R.sub(meant).abs(), meant.mul(pow2Num(-40)), "R is e^(epsilon(-b - L/2 - f))")
			t.Lt(t.num("u", "1"), b, "R = b is at most 1")
		}),
		claim("e-liu.2", func(t *Trial) { // the sign of the first term: epsilon = 1, b = 9, Lambda = 1, f = 0, f' = 1
			c := t.num("b + L/2", "19/2").neg()
			true1 := c.mul(one).quo(square).sub(c.quo(one).sub(intNum(1)).mul(square)) // ln of the quotient of the printed end points
			printed := c.mul(one.sub(intNum(1).quo(one))).add(square)
			right := c.neg().mul(one.sub(intNum(1).quo(one))).add(square)
			t.Eq(true1, right, "the exponent with the sign changed")
			t.Lt(printed, true1, "the printed exponent is too small")
		}),
		claim("e-liu.3", func(t *Trial) { // err_1 = y_1 solved for ln L: f = 0, epsilon = 1, y_1 = -10
			y := t.num("y_1", "-10")
			low, high := y.quo(one).mul(square), y.mul(one).quo(square) // printed for the lower, the upper bound
			t.Eq(high.mul(square).quo(one), y, "err_1 at the exponent printed for the upper bound")
			t.Lt(low.mul(square).quo(one), y, "err_1 at the exponent printed for the lower bound")
		}),
		with("e-liu.4", "0.125", "64", func(t *Trial, m mech) { // u/u' <= epsilon + ...: a ratio against an exponent
			ratio, err := m.logRatio(spec.FromFloat64(0), spec.FromFloat64(1), spec.FromFloat64(t.double("output", "-64")).Dyadic())
			t.True(err == nil, "%v", err)
			t.Lt(intNum(1).quo(m.lam).add(m.eta.mul(m.b.mul(intNum(12)).add(intNum(2)))), ratio.exp(), "epsilon + 12 B eta + 2 eta < the quotient at x = -B")
			t.Lt(intNum(1), ratio.exp(), "1 < the quotient")
		}),
		with("e-liu.5", "1", "16", func(t *Trial, m mech) { // s = +1 for an output above f
			for i := int64(-1); i > -64; i-- { // every draw with s = +1 leaves w at or below f = 1/4, so never at output 3
				w, err := m.w(spec.FromFloat64(0.25), 1, m.us.at(addInt(m.us.end(), i<<55)))
				t.True(err == nil && w.Cmp(spec.FromFloat64(0.25)) <= 0, "w = %v, %v", w, err)
			}
			mass, err := m.mass(spec.FromFloat64(0.25), dyadicInt(3))
			t.True(err == nil && mass.exact != nil && mass.exact.Sign() > 0, "output 3 has probability 0")
		}),
		with("e-liu.6", "0.25", "64", func(t *Trial, m mech) { // Lambda = 4, and f = 0, f' = 1 have one cell
			t.True(m.k == 2, "Lambda = 2^%d", m.k)
			t.True(roundBy(0, math.Ldexp(1, int(m.k))) == roundBy(1, math.Ldexp(1, int(m.k))), "the cells of f and f' differ")
		}),
		with("e-liu.7", "1", "10", func(t *Trial, m mech) { // f = -B: the output -B has more than s = +1 can give
			mass, err := m.mass(spec.FromFloat64(t.double("f", "-10")), dyadicInt(-10))
			t.True(err == nil, "%v", err)
			t.Lt(fracNum(1, 2), mass, "1/2 < Pr[-B | f = -B]")
		}),
		claim("e-liu.8", func(t *Trial) { // no first clamp: epsilon = 3/4, f near 2^52, f' = f + 1, B = 10, output -10
			at := math.Ldexp(1, int(t.integer("exponent of f", "52")))
			m, err := newMech(spec.ScaleEpsilon, 0.75, -10, 0x1p53, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			worst := intNum(0)
			for i := range 16 {
				f := at + float64(i)
				l, err := m.logRatio(spec.FromFloat64(f), spec.FromFloat64(f+1), dyadicInt(-10))
				if err != nil {
					t.fail("%v", err)
					return
				}
				if c, err := worst.cmp(l.abs()); err == nil && c < 0 {
					worst = l.abs()
				}
			}
			t.Lt(fracNum(3, 4).mul(intNum(1).add(m.eta.mul(intNum(12*10)))).add(m.eta.mul(intNum(2))), worst, "the bound at output -10 < the loss")
			t.Le(fracNum(24, 100), worst.sub(fracNum(3, 4)), "it exceeds the bound by a quarter")
		}),
		claim("e-liu.9", func(t *Trial) { // the lower end of a negative sum is divided by 1 + eta
			s := t.num("the sum", "-10")
			t.Lt(s, s.quo(one), "s/(1+eta) is below s = -10")
		}),
		with("e-liu.10", "1", "10", func(t *Trial, m mech) { // Pr = R - L without the sign's half: f = 0, output -3
			mass, err := m.mass(spec.FromFloat64(0), dyadicInt(-3))
			t.True(err == nil, "%v", err)
			R, L := fracNum(-5, 2).exp(), fracNum(-7, 2).exp()
			half := R.sub(L).mul(t.num("the sign's share", "1/2"))
			t.Le(mass.sub(half).abs(), half.mul(pow2Num(-40)), "Pr[-3] is (R - L)/2")
			t.Lt(mass, R.sub(L).mul(fracNum(3, 4)), "Pr[-3] is R - L")
		}),
	}
}

func roundBy(x, unit float64) float64 {
	v, err := oracle.RoundMultiple(spec.Binary64, spec.FromFloat64(x), spec.FromFloat64(unit), spec.TiesUp)
	if err != nil {
		return math.NaN()
	}
	return floatOf(v)
}
