package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// drawChecks are those of uniform and ln.
func drawChecks() []Check {
	return []Check{
		{Label: "uniform.1", Size: 1500, Run: checkMass},
		{Label: "uniform.2", Run: checkCumulative(spec.Unbounded)},
		{Label: "uniform.3", Run: checkCumulative(spec.FloatRange)},
		{Label: "uniform.4", Size: 1500, Run: func(t *Trial) {
			d := draws{spec.Unbounded}
			t.each(func() {
				t.instance()
				m, e := gen.Draw(t)
				n := d.near(spec.U{M: m, E: e}.Value(spec.Binary64))
				u, next := d.value(n), d.value(addInt(n, 1))
				bound := u.Add(u.Mul(real.Pow2(-52))) // u (1 + 2 eta)
				t.True(next.Cmp(bound) <= 0, "succ(u) <= (1 + 2 eta) u at m = %d, e = %d", m, e)
			})
		}},
		{Label: "ln.1", Size: 800, Run: checkSeries},
		{Label: "ln.2", Run: func(t *Trial) {
			t.instance()
			r := pow2Num(-7)
			t.Lt(parseNum("1.5").quo(intNum(1).sub(r)), parseNum("1.52"), "err Q_k, k >= 2")
			t.Lt(intNum(1).add(r.mul(parseNum("1.52"))), parseNum("1.02"), "err Q_1")
			t.Lt(pow2Num(-126).quo(intNum(19)).quo(intNum(1).sub(r)), pow2Num(-127).mul(parseNum("0.11")), "series cut after r^17/18")
			t.Le(parseNum("1.02").add(parseNum("0.11")), parseNum("1.13"), "P")
		}},
		{Label: "ln.3", Run: func(t *Trial) {
			t.instance()
			t.Lt(parseNum("2.26").quo(intNum(1).sub(pow2Num(-7))).mul(pow2Num(-128)), pow2Num(-126), "E = 0, c = 1")
			second := pow2Num(57).mul(parseNum("2.26")).add(fracNum(1, 2)).mul(pow2Num(-184))
			t.Lt(second.mul(second), pow2Num(-251), "E = 0, c != 1: squared, below 2^-251")
			t.Le(pow2Num(-8), intNum(1).sub(pow2Num(-8)).ln().neg(), "|ln v| > 2^-8 for v <= 1 - 2^-8")
			t.Le(pow2Num(-8), intNum(1).add(pow2Num(-7)).ln(), "|ln v| > 2^-8 for v >= 1 + 2^-7")
			t.Lt(fracNum(34, 100), intNum(2).ln().sub(fracNum(181, 128).ln()), "0.34 < ln 2 - max |ln v|, |ln v| <= ln(181/128)")
			t.Lt(fracNum(1, 2).add(pow2Num(57).mul(parseNum("2.26"))).mul(pow2Num(-192)).quo(fracNum(34, 100)), pow2Num(-132), "E != 0, |E| = 1")
		}},
		{Label: "ln.4", Run: func(t *Trial) {
			t.instance()
			// 2^128 2^-125.5 = 2^2.5 < 6: squared, 32 < 36. One more unit for the truncation.
			t.Lt(intNum(32), intNum(36), "2^2.5 < 6")
			t.Le(intNum(6+1), intNum(32), "6 + 1 <= slop")
			t.Lt(intNum(32).mul(pow2Num(-127)), pow2Num(-53).mul(fracNum(1, 4)), "slop is below a quarter of an ulp of a normal number")
		}},
		{Label: "ln.5", Size: 3000, Run: checkZiv},
		{Label: "ln.6", Size: 2500, Run: checkHalfUlp},
		{Label: "ln.7", Size: 400, Run: checkEnclosures},
		{Label: "ln.8", Size: 1500, Run: func(t *Trial) {
			eta := dyNum(spec.Binary64.Eta())
			t.each(func() {
				t.instance()
				m, e := gen.Draw(t)
				true1 := ptNum(spec.U{M: m, E: e}.Value(spec.Binary64)).ln().neg()
				V := floatNum(-t.subject.ln(m, e))
				t.Le(true1.sub(V).abs(), true1.mul(eta).quo(intNum(1).add(eta)), "|LN(u) - ln u| <= eta/(1+eta) |ln u|, m = %d, e = %d", m, e)
			})
		}},
	}
}

// checkMass: the bits consumed by a draw are those whose probability is the
// distance to the successor.
func checkMass(t *Trial) {
	for t.Result.Instances < t.size {
		in := gen.Uniform(t)
		kind := spec.Kind(in["kind"].Text)
		tape := in["tape"].Bytes()
		m, e, used, err := t.subject.uniform(tape, kind)
		if err != nil {
			continue // too short a tape
		}
		if kind == spec.FloatRange && used > 1074 {
			continue // restarted: the last pass took fewer bits than were used
		}
		t.instance()
		d := draws{kind}
		n := d.near(spec.U{M: m, E: e}.Value(spec.Binary64))
		gap := d.value(addInt(n, 1)).Sub(d.value(n))
		t.True(gap.Equal(real.Pow2(-int64(used))), "%s: m = %d, e = %d after %d bits, successor at %v", kind, m, e, used, gap)
	}
}

// checkCumulative walks all tapes of a small format, by the oracle, and compares
// Pr[u < t] for every t with its closed form: exactly for the binary64 kind
// (relative to one pass), within the undecided mass for the unbounded one.
func checkCumulative(kind spec.Kind) func(*Trial) {
	return func(t *Trial) {
		for _, f := range []spec.Format{spec.Small(3, -2, 3), spec.Small(4, -3, 4), spec.Small(5, -4, 5)} {
			const depth = 14
			mass := map[string]*big.Rat{}
			value := map[string]*big.Rat{}
			undecided := new(big.Rat)
			restart := new(big.Rat)
			pass := -int(f.Quantum()) // the bits of one pass of the binary64 kind
			for w := range 1 << depth {
				unit := big.NewRat(1, 1<<depth)
				u, used, err := oracle.Uniform(f, kind, []byte{byte(w >> (depth - 8)), byte(w << (16 - depth))})
				switch {
				case err != nil || used > depth:
					if kind == spec.FloatRange && w>>(depth-pass) == 0 {
						restart.Add(restart, unit)
					} else {
						undecided.Add(undecided, unit)
					}
				case kind == spec.FloatRange && used > pass:
					restart.Add(restart, unit)
				default:
					r, _ := u.Value(f).Rat()
					key := r.RatString()
					if mass[key] == nil {
						mass[key], value[key] = new(big.Rat), r
					}
					mass[key].Add(mass[key], unit)
				}
			}
			for _, at := range value {
				sum := new(big.Rat)
				for key, v := range value {
					if v.Cmp(at) < 0 {
						sum.Add(sum, mass[key])
					}
				}
				t.instance()
				want := at
				if kind == spec.FloatRange {
					q, _ := f.MinPositive().Rat()
					want = new(big.Rat).Sub(at, q)
					t.Eq(ratNum(restart), ratNum(q), "%s: a pass restarts with probability 2^%d", f.Name, f.Quantum())
				}
				t.Le(ratNum(sum), ratNum(want), "%s: Pr[u < %s]", f.Name, at.RatString())
				t.Le(ratNum(want), ratNum(new(big.Rat).Add(sum, undecided)), "%s: Pr[u < %s]", f.Name, at.RatString())
			}
		}
	}
}

// checkSeries models series of impl/internal/ln in integers: Q_k = 1/k - r Q_(k+1)
// in units of 2^-127, 1/k rounded and products floored, against ln(1 + r)/r.
func checkSeries(t *Trial) {
	const terms = 18
	t.each(func() {
		t.instance()
		a := new(big.Int).SetUint64(1 + t.Uint64()>>t.between(8, 63))
		neg := t.coin()
		recip := func(k int64) *big.Int { // the nearest integer to 2^127/k
			n := new(big.Int).Lsh(one, 128)
			n.Quo(n, big.NewInt(k))
			return n.Add(n, one).Rsh(n, 1)
		}
		q := recip(terms)
		for k := int64(terms - 1); k >= 1; k-- {
			p := new(big.Int).Mul(a, q)
			p.Rsh(p, 64)
			if neg {
				q = p.Add(recip(k), p)
			} else {
				q = p.Sub(recip(k), p)
			}
		}
		r := ratNum(new(big.Rat).SetFrac(a, new(big.Int).Lsh(one, 64)))
		if neg {
			r = r.neg()
		}
		P := intNum(1).add(r).ln().quo(r)
		err := P.sub(ratNum(new(big.Rat).SetFrac(q, new(big.Int).Lsh(one, 127)))).abs()
		t.Le(err, parseNum("1.13").mul(pow2Num(-127)), "|Q_1 - P(r)| at r = %.17g", r.approx())
	})
}

// checkZiv: when both ends of w ± tol round to the same double, so does everything
// between.
func checkZiv(t *Trial) {
	t.each(func() {
		t.instance()
		w := real.FromUint64(t.Uint64()|1<<63, t.between(-100, 100)).Add(real.FromUint64(t.Uint64(), -170))
		if t.coin() { // next to a midpoint
			w = w.Truncated(54, true).Add(real.FromInt64(t.between(-40, 40)).Shift(w.Top() - 127))
		}
		tol := real.FromInt64(32).Shift(w.Top() - 127)
		lo, hi := oracle.Round(spec.Binary64, w.Sub(tol)), oracle.Round(spec.Binary64, w.Add(tol))
		x := w.Add(tol.Mul(real.FromInt64(t.between(-64, 64)).Shift(-6)))
		if lo.Same(hi) {
			t.True(oracle.Round(spec.Binary64, x).Same(lo), "w = %v, x = %v", w, x)
		}
	})
}

// checkHalfUlp: LN(u) lies strictly within half a spacing of ln u: on each side
// the midpoint to the neighbour is beyond it.
func checkHalfUlp(t *Trial) {
	t.each(func() {
		t.instance()
		m, e := gen.Draw(t)
		y := spec.FromFloat64(t.subject.ln(m, e))
		ln := ptNum(spec.U{M: m, E: e}.Value(spec.Binary64)).ln()
		for _, s := range []bool{true, false} {
			next := spec.Binary64.NextUp(y)
			if !s {
				next = spec.Binary64.NextDown(y)
			}
			mid := dyNum(y.Dyadic().Add(next.Dyadic()).Shift(-1))
			if s {
				t.Lt(intNum(0), mid.sub(ln), "ln u below the midpoint above LN(u), m = %d, e = %d", m, e)
			} else {
				t.Lt(intNum(0), ln.sub(mid), "ln u above the midpoint below LN(u), m = %d, e = %d", m, e)
			}
		}
	})
}

// checkEnclosures: real.Ln is narrow enough, and x lies between exp of its ends.
func checkEnclosures(t *Trial) {
	t.each(func() {
		x := spec.FromFloat64(math.Float64frombits(gen.Positive(t))).Dyadic()
		prec := uint(t.between(20, 400))
		iv, err := real.Ln(x, prec)
		if err != nil || x.Equal(real.One) {
			t.True(err == nil, "%v", err)
			return
		}
		t.instance()
		t.Le(dyNum(iv.Width()), pow2Num(-int64(prec)).mul(dyNum(real.Min(iv.Lo.Abs(), iv.Hi.Abs()))), "width of ln %v at %d bits", x, prec)
		t.Lt(dyNum(iv.Lo).exp(), dyNum(x), "exp of the lower end, x = %v", x)
		t.Lt(dyNum(x), dyNum(iv.Hi).exp(), "exp of the upper end, x = %v", x)
	})
}
