package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func dyadicInt(n int64) real.Dyadic { return real.FromInt64(n) }

// errataChecks are the arithmetic errors of the other notes: Liu's earlier draft,
// Covington 2019, Gaboardi's slides and Shoemate 2024.
func errataChecks() []Check {
	eta := dyNum(spec.Binary64.Eta())
	one := etaPlusOne()
	return []Check{
		// Liu 2020, earlier draft.
		claim("e-draft.1", func(t *Trial) { // (1-eta)^2 against 1/(1+eta)^2: the two notations differ
			low := intNum(1).sub(t.num("eta", "0x1p-53"))
			t.Lt(intNum(1).sub(intNum(1).quo(one.mul(one))), intNum(1).sub(low.mul(low)), "1 - 1/(1+eta)^2 < 1 - (1-eta)^2")
		}),
		claim("e-draft.2", checkDraftRange),
		claim("e-draft.3", func(t *Trial) { // r2_hi - r1_hi is no upper bound of r2 - r1: r1 at its lower end
			r1lo, r1hi, r2 := t.num("lower end", "0.1"), t.num("0.2"), t.num("0.9")
			t.Lt(r2.sub(r1hi), r2.sub(r1lo), "r2_hi - r1_hi < r2 - r1 at r1 = r1_lo")
		}),
		// Covington 2019.
		claim("e-cov.1", checkStoredExponent),
		claim("e-cov.2", func(t *Trial) { // eq. (4.1) for lambda = 2^-1074: exponent field 0, a bit set
			lambda := math.Float64frombits(uint64(t.integer("bits of lambda", "1")))
			unit, err := t.subject.pow2Ceil(spec.Binary64, spec.FromFloat64(lambda))
			t.True(err == nil, "%v", err)
			// literally: add 1 to the exponent field, clear the significand field
			printed := math.Float64frombits((math.Float64bits(lambda)>>52 + 1) << 52)
			t.Lt(dyNum(unit.Dyadic()).mul(pow2Num(51)), floatNum(printed), "2^51 times the smallest power of two >= lambda < the printed one")
		}),
		claim("e-cov.3", func(t *Trial) { // eq. (4.1) for lambda > 2^1023: exponent field 2047
			lambda := math.Ldexp(1.5, int(t.integer("exponent", "1023")))
			printed := math.Float64frombits((math.Float64bits(lambda)>>52 + 1) << 52)
			t.True(math.IsInf(printed, 1), "the printed Lambda is %v", printed)
			_, err := t.subject.pow2Ceil(spec.Binary64, spec.FromFloat64(lambda))
			t.True(err != nil, "Lambda is a double for lambda = %v", lambda)
		}),
		claim("e-cov.4", func(t *Trial) { // x/L exactly: 2^-1074/2, and (2^1023)/(1/2)
			low, high := t.integer("exponent of L", "1"), int64(-1)
			t.True(!t.subject.contains(spec.Binary64, real.Pow2(-1074-low)), "2^-1074/L is a double")
			t.True(!t.subject.contains(spec.Binary64, real.Pow2(1023-high)), "2^1023/L is a double")
		}),
		claim("e-cov.5", func(t *Trial) { // a subnormal is below every 1.m 2^(e-1023), e >= 0
			t.Lt(pow2Num(t.integer("exponent of x", "-1074")), pow2Num(-1023), "2^-1074 < 2^-1023")
			t.True(t.subject.contains(spec.Binary64, real.Pow2(-1074)), "2^-1074 is no double")
		}),
		claim("e-cov.6", func(t *Trial) { // e = 1023, m = 1
			u := spec.U{M: 1, E: t.integer("e", "1023")}.Value(spec.Binary64)
			t.True(!t.subject.contains(spec.Binary64, u), "(1 + 2^-52) 2^-1023 is a double")
		}),
		claim("e-cov.7", func(t *Trial) { // the smallest number with 1 (+) x != 1
			x := spec.FromFloat64(t.double("x", "0x1.0000000000001p-53"))
			add := func(x spec.Value) spec.Value { return t.subject.add(spec.Binary64, spec.FromFloat64(1), x) }
			t.True(add(x).Cmp(spec.FromFloat64(1)) > 0, "1 + x = 1")
			t.True(add(spec.Binary64.NextDown(x)).Cmp(spec.FromFloat64(1)) == 0, "1 + the double before x is not 1")
			t.Lt(dyNum(x.Dyadic()), pow2Num(-52), "x < 2^-52")
		}),
		claim("e-cov.8", func(t *Trial) { // dividing f by the sensitivity 3, in binary64
			D := spec.FromFloat64(t.double("sensitivity", "3"))
			a := t.subject.quo(spec.Binary64, spec.FromFloat64(5), D)
			b := t.subject.quo(spec.Binary64, spec.FromFloat64(2), D)
			t.Lt(intNum(3).quo(dyNum(D.Dyadic())), dyNum(a.Dyadic().Sub(b.Dyadic())), "1 < fl(5/3) - fl(2/3)")
		}),
		claim("e-cov.9", func(t *Trial) { // B in the units of f, after dividing by the sensitivity
			D, B := t.num("sensitivity", "1000"), intNum(1000)
			rescaled := eta.mul(intNum(12)).mul(B.quo(D))
			asPrinted := eta.mul(intNum(12)).mul(B)
			t.Le(rescaled.mul(intNum(1000)), asPrinted, "1000 times the error term of the rescaled f <= the printed one")
		}),
		// Gaboardi, lecture slides.
		claim("e-slides.1", checkSVT),
		claim("e-slides.2", func(t *Trial) { // pi mu - e^eps mu_1 <= 0 for every pi mu <= mu_1
			eps := t.num("epsilon", "1/4")
			for i := int64(1); i <= 8; i++ {
				for j := int64(0); j <= i; j++ {
					t.Le(fracNum(j, 8), fracNum(i, 8).mul(eps.exp()), "pi mu <= e^eps mu_1, %d/8 and %d/8", j, i)
				}
			}
		}),
		claim("e-slides.3", func(t *Trial) { // v1 = 0, v2 = -1, k = 1, eps = 1: x1 + k = x2 pairs r with r + 1
			r, v1, v2, k := intNum(5), intNum(0), intNum(-1), t.num("k", "1")
			paired := r.sub(v1).abs().sub(r.add(k).sub(v2).abs()).abs()
			printed := r.add(k).sub(v1).abs().sub(r.sub(v2).abs()).abs()
			t.Eq(printed, intNum(0), "the loss of the printed ratio")
			t.Eq(paired, k.mul(intNum(2)), "the loss of the paired one is 2 k epsilon")
			t.Lt(printed, paired, "the printed ratio is the one of the relation")
		}),
		// Shoemate 2024.
		claim("e-dl.1", func(t *Trial) { // k = -3: the denominators of 2^k Z reach 8
			step := pow2Num(t.integer("k", "-3"))
			t.Lt(step, ratNum(new(big.Rat).SetInt(step.exact.Denom())), "2^k < the denominator of 2^k")
		}),
		claim("e-dl.2", func(t *Trial) { // x = 0.75, k = 0: the output is centred at 1, not at x
			x := t.double("x", "0.75")
			t.True(roundBy(x, 1) != x, "the centre is x")
		}),
		claim("e-dl.3", func(t *Trial) { // a change of at most rho for each value gives 2 rho for a difference
			x := t.double("x", "0.5")
			x2 := math.Nextafter(x, 0)
			gap := floatNum(roundBy(x, 1)).sub(floatNum(roundBy(x2, 1))).abs()
			each := fracNum(1, 2) // the most that rounding to integers changes one value
			for _, y := range []float64{x, x2} {
				t.Le(floatNum(roundBy(y, 1)).sub(floatNum(y)).abs(), each, "each changes by at most 1/2")
			}
			t.Lt(floatNum(x).sub(floatNum(x2)).add(each), gap, "|x - x'| + largest change < |round(x) - round(x')|")
		}),
		claim("e-dl.4", func(t *Trial) { // on (1/2)Z with scale 1, normalised with b = 1: the sum is about 1.89
			e, step := intNum(1).exp(), t.num("2^k", "1/2")
			norm := e.sub(intNum(1)).quo(e.add(intNum(1)))
			h := step.neg().exp()
			sum := norm.mul(intNum(1).add(h)).quo(intNum(1).sub(h)) // of norm e^(-|x|) over x in (1/2)Z
			t.Le(sum.sub(fracNum(189, 100)).abs(), fracNum(1, 200), "the sum is about 1.89")
			t.Lt(intNum(1), sum, "1 < the sum of the printed function")
		}),
	}
}

// checkDraftRange: the range printed for u' at the output of f's own cell has equal
// ends, evaluated with the operations of the format, so no draw lies in it; but the
// output has a probability under f', that of the range with (+) L/2.
func checkDraftRange(t *Trial) {
	m, err := newMech(spec.ScaleEpsilon, 1, -10, 10, spec.Unbounded, t.subject)
	if err != nil {
		t.fail("%v", err)
		return
	}
	sub := func(a, b spec.Value) spec.Value { return t.subject.add(spec.Binary64, a, b.Neg()) }
	r, f2 := spec.FromFloat64(t.double("output", "0")), spec.FromFloat64(1)
	half := spec.FromFloat64(0.5)
	printed := t.subject.mul(spec.Binary64, m.p.Value, sub(sub(r, f2), half))
	meant := t.subject.mul(spec.Binary64, m.p.Value, t.subject.add(spec.Binary64, sub(r, f2), half))
	share := func(from, to spec.Value) Num { // of the draws between e^from and e^to, for one sign
		return dyNum(to.Dyadic()).exp().sub(dyNum(from.Dyadic()).exp()).mul(fracNum(1, 2))
	}
	mass, err := m.mass(f2, r.Dyadic())
	if err != nil {
		t.fail("%v", err)
		return
	}
	t.Lt(intNum(0), mass, "0 < Pr[r | f'], the length of the printed range")
	t.Le(mass.sub(share(printed, meant)).abs(), mass.mul(pow2Num(-40)), "Pr[r | f'] is that of the range with (+)")
}

// checkStoredExponent: for the tape of e = 1, m = 0 the code draws 1/2, and
// 1.0 2^(1023-e) is 2^1022, in no (0, 1).
func checkStoredExponent(t *Trial) {
	m, e, _, err := t.subject.uniform([]byte{0x80, 0, 0, 0, 0, 0, 0, 0}, spec.Unbounded)
	t.True(err == nil && m == 0, "the draw of the tape 1 0...0: m = %d, %v", m, err)
	printed := pow2Num(t.integer("bias", "1023") - e)
	t.Eq(dyNum(spec.U{M: m, E: e}.Value(spec.Binary64)), fracNum(1, 2), "the draw of the tape 1 0...0")
	t.Le(pow2Num(1022), printed, "2^1022 <= 2^(1023-e)")
	t.Lt(intNum(1), printed, "1 < 2^(1023-e)")
}

// checkSVT: the noise scales of the slides' table and of its algorithms 2 and 3,
// which agree where epsilon_1 = epsilon_2, and would not at the split of algorithm 4.
func checkSVT(t *Trial) {
	c, D, eps := intNum(3), intNum(1), fracNum(7, 5)
	at := func(share Num) (gap2, gap3 Num) { // algorithm less table
		e1 := eps.mul(share)
		e2 := eps.sub(e1)
		noise := func(k int64, e Num) Num { return c.mul(D).mul(intNum(k)).quo(e) }
		return noise(2, e1).sub(noise(2, e2)), noise(1, e2).sub(noise(1, e1))
	}
	two, three := at(fracNum(1, 2))
	t.Eq(two, intNum(0), "algorithm 2 and the table at epsilon_1 = epsilon/2")
	t.Eq(three, intNum(0), "algorithm 3 and the table at epsilon_1 = epsilon/2")
	two, three = at(t.num("share of algorithm 4", "1/4"))
	t.Lt(intNum(0), two, "algorithm 2 less the table at epsilon_1 = epsilon/4")
	t.Lt(three, intNum(0), "algorithm 3 less the table at epsilon_1 = epsilon/4")
}
