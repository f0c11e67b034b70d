package proofs

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
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
	fl := func(v Num) Num { // of an exact rational with a short expansion
		return dyNum(oracle.RoundRat(spec.Binary64, v.exact, oracle.Down).Dyadic())
	}
	out := func(label string, rule openInterval, value Num) Check {
		return claim(label, func(t *Trial) {
			t.True(rule.excludes(value), "the value %.17g is in (%.17g, %.17g)", value.approx(), rule.lo.approx(), rule.hi.approx())
		})
	}
	eta := dyNum(spec.Binary64.Eta())
	minus3, zero, sub := intNum(-3), intNum(0), pow2Num(-1075).mul(intNum(3))
	a, b := intNum(1).add(eta.mul(fracNum(9, 10))), intNum(1).sub(eta.mul(fracNum(4, 10)))
	ca, cb := printedConst(a), printedConst(b)
	m1, p1 := printedConst(intNum(-1)), printedConst(intNum(1))
	tiny, half := printedConst(pow2Num(-1074)), printedConst(fracNum(1, 2))
	u := printedConst(pow2Num(-20))
	ln, err := oracle.Ln(spec.Binary64, spec.FromFloat64(0x1p-20))
	lnValue := dyNum(ln.Dyadic())
	if err != nil {
		lnValue = zero
	}
	return []Check{
		out("figure.1", printedConst(minus3), fl(minus3)),
		out("figure.2", printedConst(zero), zero),
		out("figure.3", printedConst(sub), pow2Num(-1073)), // 1.5 2^-1074: the tie goes to 2
		out("figure.4", widen(m1.lo.add(m1.lo), m1.hi.add(m1.hi)), intNum(-2)),
		out("figure.5", widen(ca.lo.sub(cb.lo), ca.hi.sub(cb.hi)), zero), // both constants are rounded to 1
		out("figure.6", widen(m1.lo.mul(p1.lo), m1.hi.mul(p1.hi)), intNum(-1)),
		out("figure.7", widen(tiny.lo.mul(half.lo), tiny.hi.mul(half.hi)), zero),
		out("figure.8", widen(u.lo.ln(), u.hi.ln()), lnValue),
	}
}

// liuErrata are the arithmetic errors of Liu 2020 beside figure 1 and theorem 2.
func liuErrata() []Check {
	eta := dyNum(spec.Binary64.Eta())
	one := etaPlusOne()
	square := one.mul(one)
	return []Check{
		claim("e-liu.1", func(t *Trial) { // R = b, with B = 10 and Lambda = 1: no probability
			t.Lt(intNum(1), intNum(9), "b = 9 is at most 1")
		}),
		claim("e-liu.2", func(t *Trial) { // the sign of the first term: epsilon = 1, b = 9, Lambda = 1, f = 0, f' = 1
			c := fracNum(-19, 2)
			true1 := c.mul(one).quo(square).sub(c.quo(one).sub(intNum(1)).mul(square)) // ln of the quotient of the printed end points
			printed := c.mul(one.sub(intNum(1).quo(one))).add(square)
			right := c.neg().mul(one.sub(intNum(1).quo(one))).add(square)
			t.Eq(true1, right, "the exponent with the sign changed")
			t.Lt(printed, true1, "the printed exponent is too small")
		}),
		claim("e-liu.3", func(t *Trial) { // err_1 = y_1 solved for ln L: f = 0, epsilon = 1, y_1 = -10
			y := intNum(-10)
			low, high := y.quo(one).mul(square), y.mul(one).quo(square) // printed for the lower, the upper bound
			t.Eq(high.mul(square).quo(one), y, "err_1 at the exponent printed for the upper bound")
			t.Lt(low.mul(square).quo(one), y, "err_1 at the exponent printed for the lower bound")
		}),
		claim("e-liu.4", func(t *Trial) { // u/u' <= epsilon + ...: a ratio against an exponent, at epsilon = 1/8
			m, err := newMech(spec.ScaleEpsilon, 0.125, -64, 64, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			ratio, err := m.logRatio(spec.FromFloat64(0), spec.FromFloat64(1), spec.FromFloat64(-64).Dyadic())
			t.True(err == nil, "%v", err)
			t.Lt(fracNum(1, 8).add(eta.mul(intNum(12*64+2))), ratio.exp(), "ratio at x = -64")
		}),
		claim("e-liu.5", func(t *Trial) { // s = +1 for an output above f
			m, err := newMech(spec.ScaleEpsilon, 1, -16, 16, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			for i := int64(-1); i > -64; i-- { // every draw with s = +1 leaves w at or below f = 1/4, so never at output 3
				w, err := m.w(spec.FromFloat64(0.25), 1, m.us.at(addInt(m.us.end(), i<<55)))
				t.True(err == nil && w.Cmp(spec.FromFloat64(0.25)) <= 0, "w = %v, %v", w, err)
			}
			mass, err := m.mass(spec.FromFloat64(0.25), dyadicInt(3))
			t.True(err == nil && mass.exact.Sign() > 0, "output 3 has probability 0")
		}),
		claim("e-liu.6", func(t *Trial) { // epsilon = 1/4: Lambda = 4, and f = 0, f' = 1 have one cell
			m, err := newMech(spec.ScaleEpsilon, 0.25, -64, 64, spec.Unbounded, t.subject)
			t.True(err == nil && m.k == 2, "%v", err)
			t.True(roundBy(0, 4) == roundBy(1, 4), "the cells of f and f' differ")
		}),
		claim("e-liu.7", func(t *Trial) { // f = -B: the output -B has more than s = +1 can give
			m, err := newMech(spec.ScaleEpsilon, 1, -10, 10, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			mass, err := m.mass(spec.FromFloat64(-10), dyadicInt(-10))
			t.True(err == nil, "%v", err)
			t.Lt(fracNum(1, 2), mass, "Pr[-B | f = -B]")
		}),
		claim("e-liu.8", func(t *Trial) { // no first clamp: epsilon = 3/4, f near 2^52, f' = f + 1, B = 10, output -10
			m, err := newMech(spec.ScaleEpsilon, 0.75, -10, 0x1p53, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			worst := intNum(0)
			for i := range 16 {
				f := 0x1p52 + float64(i)
				l, err := m.logRatio(spec.FromFloat64(f), spec.FromFloat64(f+1), dyadicInt(-10))
				if err != nil {
					t.fail("%v", err)
					return
				}
				if c, err := worst.cmp(l.abs()); err == nil && c < 0 {
					worst = l.abs()
				}
			}
			t.Lt(fracNum(3, 4).mul(intNum(1).add(eta.mul(intNum(12*10)))).add(eta.mul(intNum(2))), worst, "the loss at output -10")
		}),
		claim("e-liu.9", func(t *Trial) { // the lower end of a negative sum is divided by 1 + eta
			s := intNum(-10)
			t.Lt(s, s.quo(one), "s/(1+eta) is below s = -10")
		}),
		claim("e-liu.10", func(t *Trial) { // Pr = R - L without the sign's half: B = 10, f = 0, output 0
			m, err := newMech(spec.ScaleEpsilon, 1, -10, 10, spec.Unbounded, t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			mass, err := m.mass(spec.FromFloat64(0), dyadicInt(-3))
			t.True(err == nil, "%v", err)
			R, L := fracNum(-5, 2).exp(), fracNum(-7, 2).exp()
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
