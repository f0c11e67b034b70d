package proofs

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/oracle"
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
			t.Lt(intNum(1).sub(eta).mul(intNum(1).sub(eta)), intNum(1).quo(one.mul(one)), "(1-eta)^2 = 1/(1+eta)^2")
		}),
		claim("e-draft.2", func(t *Trial) { // both ends of the range of u' are one number
			f2, r, half := intNum(1), intNum(0), fracNum(1, 2)
			lo := r.sub(f2).sub(half)
			t.Eq(lo, r.sub(f2).sub(half), "the printed ends")
			t.Lt(lo, r.sub(f2).add(half), "the upper end is x - f' + L/2")
		}),
		claim("e-draft.3", func(t *Trial) { // r2_hi - r1_hi is no upper bound of r2 - r1
			t.Lt(fracNum(9, 10).sub(fracNum(2, 10)), fracNum(9, 10).sub(fracNum(1, 10)), "r2_hi - r1_hi >= r2_hi - r1_lo")
		}),
		// Covington 2019.
		claim("e-cov.1", func(t *Trial) { // 1.0 2^(1023-e) at e = 1
			t.Lt(intNum(1), pow2Num(1022), "2^(1023-1) is below 1")
		}),
		claim("e-cov.2", func(t *Trial) { // eq. (4.1) for lambda = 2^-1074: exponent field 0, a bit set
			unit, err := oracle.Pow2Ceil(spec.Binary64, spec.FromFloat64(math.SmallestNonzeroFloat64))
			t.True(err == nil, "%v", err)
			t.Lt(dyNum(unit.Dyadic()), pow2Num(-1022), "2^-1022 is the smallest power of two >= lambda")
		}),
		claim("e-cov.3", func(t *Trial) { // eq. (4.1) for lambda > 2^1023: exponent field 2047
			t.True(!spec.Binary64.Contains(real.Pow2(2046-1022)), "2^1024 is a double")
		}),
		claim("e-cov.4", func(t *Trial) { // x/L exactly: 2^-1074/2, and (2^1023)/(1/2)
			t.True(!spec.Binary64.Contains(real.Pow2(-1075)) && !spec.Binary64.Contains(real.Pow2(1024)), "x/L is a double")
		}),
		claim("e-cov.5", func(t *Trial) { // the subnormal 2^-1074 is no 1.m 2^(e-1023)
			t.Lt(dyNum(spec.Binary64.MinPositive()), pow2Num(-1023), "2^-1074 has the form 1.m 2^-1023")
		}),
		claim("e-cov.6", func(t *Trial) { // e = 1023, m = 1
			t.True(!spec.Binary64.Contains(spec.U{M: 1, E: 1023}.Value(spec.Binary64)), "(1 + 2^-52) 2^-1023 is a double")
		}),
		claim("e-cov.7", func(t *Trial) { // the smallest number with 1 (+) x != 1
			x := spec.FromFloat64(0x1.0000000000001p-53)
			got := oracle.Add(spec.Binary64, spec.FromFloat64(1), x)
			t.True(got.Cmp(spec.FromFloat64(1)) > 0, "1 + x = 1")
			t.Lt(dyNum(x.Dyadic()), pow2Num(-52), "x is below 2^-52")
		}),
		claim("e-cov.8", func(t *Trial) { // dividing f by the sensitivity 3, in binary64
			a := oracle.Quo(spec.Binary64, spec.FromFloat64(5), spec.FromFloat64(3))
			b := oracle.Quo(spec.Binary64, spec.FromFloat64(2), spec.FromFloat64(3))
			t.Lt(intNum(1), dyNum(a.Dyadic().Sub(b.Dyadic())), "fl(5/3) - fl(2/3) <= 1")
		}),
		claim("e-cov.9", func(t *Trial) { // B in the units of f, after dividing by a sensitivity of 1000
			e := intNum(1)
			rescaled := e.mul(intNum(1).add(eta.mul(intNum(12))))         // B/1000 = 1
			asPrinted := e.mul(intNum(1).add(eta.mul(intNum(12 * 1000)))) // B = 1000
			t.Lt(rescaled, asPrinted, "the two accountings agree")
		}),
		// Gaboardi, lecture slides.
		claim("e-slides.1", func(t *Trial) { // epsilon_1 = epsilon/2: epsilon_2 = epsilon - epsilon_1 is the same
			e := fracNum(7, 5)
			t.Eq(e.mul(fracNum(1, 2)), e.sub(e.mul(fracNum(1, 2))), "epsilon_1 = epsilon_2 in algorithms 2 and 3")
			t.Lt(e.mul(fracNum(1, 4)), e.sub(e.mul(fracNum(1, 4))), "but not in algorithm 4")
		}),
		claim("e-slides.2", func(t *Trial) { // pi mu - e^eps mu_1 <= 0 always, given pi mu <= mu_1
			for i := int64(1); i <= 8; i++ {
				mu := fracNum(i, 8)
				t.Le(mu.sub(mu.mul(fracNum(1, 4).exp())), intNum(0), "mass %d/8 at epsilon = 1/4", i)
			}
		}),
		claim("e-slides.3", func(t *Trial) { // v1 = 0, v2 = -1, k = 1, eps = 1: x1 + k = x2 pairs r with r + 1
			r, v1, v2, k := intNum(5), intNum(0), intNum(-1), intNum(1)
			paired := r.sub(v1).abs().sub(r.add(k).sub(v2).abs()).abs()
			printed := r.add(k).sub(v1).abs().sub(r.sub(v2).abs()).abs()
			t.Lt(printed, paired, "the printed ratio is the one of the relation")
			t.Le(paired, intNum(2), "2 k epsilon bounds the paired one")
		}),
		// Shoemate 2024.
		claim("e-dl.1", func(t *Trial) { // k = -3: the denominators of 2^k Z reach 8
			t.Lt(pow2Num(-3), intNum(8), "8 is at most 2^-3")
		}),
		claim("e-dl.2", func(t *Trial) { // x = 0.75, k = 0: the output is centred at 1, not at x
			t.True(roundBy(0.75, 1) == 1, "the centre is x")
		}),
		claim("e-dl.3", func(t *Trial) { // a change of at most rho for each value gives 2 rho for a difference
			x, x2 := 0.5, math.Nextafter(0.5, 0)
			gap := floatNum(roundBy(x, 1)).sub(floatNum(roundBy(x2, 1))).abs()
			each := fracNum(1, 2) // the most that rounding to integers changes one value
			t.Lt(floatNum(x).sub(floatNum(x2)).add(each), gap, "|round(x) - round(x')| <= |x - x'| + largest change")
		}),
		claim("e-dl.4", func(t *Trial) { // the mass at 0 on (1/2)Z with scale 1: normalised with b = 1 it does not sum to 1
			b := intNum(1).exp()
			norm := b.sub(intNum(1)).quo(b.add(intNum(1)))
			h := fracNum(-1, 2).exp()
			sum := norm.mul(intNum(1).add(h)).quo(intNum(1).sub(h)) // of norm e^(-|x|) over x in (1/2)Z
			t.Lt(intNum(1), sum, "the printed function sums to 1")
		}),
	}
}
