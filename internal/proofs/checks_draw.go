package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
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
			d := draws64(spec.Unbounded)
			t.each(func() {
				t.instance()
				m, e := gen.Draw(t)
				if t.below(4) == 0 {
					m, e = 0, t.between(1, 2000) // where the ratio is attained
				}
				n := d.near(spec.U{M: m, E: e}.Value(spec.Binary64))
				u := d.value(n)
				room := ptNum(u.Mul(t.subject.eta(spec.Binary64))).mul(t.num("2"))
				t.Le(ptNum(t.subject.succ(d, n).Sub(u)), room, "succ(u) - u <= 2 eta u, m = %d, e = %d", m, e)
			})
		}},
		{Label: "ln.1", Size: 800, Run: checkSeries},
		{Label: "ln.2", Run: func(t *Trial) {
			t.instance()
			r := pow2Num(-7)
			t.Lt(t.num("1.5").quo(intNum(1).sub(r)), t.num("1.52"), "err Q_k for k >= 2")
			t.Lt(intNum(1).add(r.mul(t.num("1.52"))), t.num("1.02"), "err Q_1")
			t.Lt(pow2Num(-126).quo(intNum(19)).quo(intNum(1).sub(r)), pow2Num(-127).mul(t.num("0.11")), "series cut after r^17/18")
			t.Le(t.num("1.02").add(t.num("0.11")), t.num("1.13"), "P")
		}},
		{Label: "ln.3", Run: func(t *Trial) {
			t.instance()
			c, half := t.num("2.26"), fracNum(1, 2)
			t.Lt(c.quo(intNum(1).sub(pow2Num(-7))).mul(pow2Num(-128)), pow2Num(-126), "E = 0 and c = 1")
			t.Lt(c.mul(pow2Num(57)).add(half).mul(pow2Num(-184)), pow2Num(-125), "E = 0 and c != 1")
			second := pow2Num(57).mul(c).add(half).mul(pow2Num(-184))
			t.Lt(second.mul(second), pow2Num(-251), "E = 0 and c != 1: squared and below 2^-251")
			t.Le(pow2Num(-8), intNum(1).sub(pow2Num(-8)).ln().neg(), "2^-8 <= |ln v| for v <= 1 - 2^-8")
			t.Le(pow2Num(-8), intNum(1).add(pow2Num(-7)).ln(), "2^-8 <= |ln v| for v >= 1 + 2^-7")
			t.Lt(t.num("0.34"), intNum(2).ln().sub(fracNum(181, 128).ln()), "0.34 < ln 2 - max |ln v| where |ln v| <= ln(181/128)")
			t.Lt(intNum(1).add(pow2Num(57).mul(c)).mul(pow2Num(-192)).quo(t.num("0.34")), pow2Num(-132), "E != 0 at |E| = 1")
		}},
		{Label: "ln.4", Run: func(t *Trial) {
			t.instance()
			// 2^128 2^-125.5 = 2^2.5: squared, 32. One more unit for the truncation.
			bound, slop := t.num("6"), t.num("32")
			t.Lt(pow2Num(5), bound.mul(bound), "2^2.5 < 6")
			t.Le(bound.add(intNum(1)), slop, "6 + 1 <= slop")
			t.Lt(slop.mul(pow2Num(-127)), pow2Num(-53).mul(fracNum(1, 4)), "slop is below a quarter of an ulp of a normal number")
		}},
		{Label: "ln.5", Size: 3000, Run: checkZiv},
		{Label: "ln.6", Size: 2500, Run: checkHalfUlp},
		{Label: "ln.7", Size: 400, Run: checkEnclosures},
		{Label: "ln.8", Size: 1500, Run: func(t *Trial) {
			eta := t.subject.etaNum()
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
		d := draws64(kind)
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
				u, used, err := t.subject.draw(f, kind, []byte{byte(w >> (depth - 8)), byte(w << (16 - depth))})
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
	terms := t.integer("terms", "18")
	t.each(func() {
		t.instance()
		a := new(big.Int).SetUint64(1 + t.Uint64()>>t.between(7, 63)) // R, at most 2^57
		if t.below(8) == 0 {
			a.Sub(new(big.Int).Lsh(one, 57), big.NewInt(t.between(1, 1000))) // the largest
		}
		neg := t.coin()
		recip := func(k int64) *big.Int { // the nearest integer to 2^127/k
			n := new(big.Int).Lsh(one, 128)
			n.Quo(n, big.NewInt(k))
			return n.Add(n, one).Rsh(n, 1)
		}
		q := recip(terms)
		for k := terms - 1; k >= 1; k-- {
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
		t.Le(err, t.num("1.13").mul(pow2Num(-127)), "|Q_1 - P(r)|, r = %.17g", r.approx())
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
		lo, hi := t.subject.fl(spec.Binary64, w.Sub(tol)), t.subject.fl(spec.Binary64, w.Add(tol))
		x := w.Add(tol.Mul(real.FromInt64(t.between(-64, 64)).Shift(-6)))
		if lo.Same(hi) {
			t.True(t.subject.fl(spec.Binary64, x).Same(lo), "w = %v, x = %v", w, x)
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
		iv, err := t.subject.lnEnclosed(x, prec)
		if err != nil || x.Equal(real.One()) {
			t.True(err == nil, "%v", err)
			return
		}
		t.instance()
		t.Le(dyNum(iv.Width()), pow2Num(-int64(prec)).mul(dyNum(real.Min(iv.Lo.Abs(), iv.Hi.Abs()))), "b - a <= 2^-p min(|a|; |b|), x = %v at %d bits", x, prec)
		t.Lt(dyNum(iv.Lo).exp(), dyNum(x), "exp of the lower end, x = %v", x)
		t.Lt(dyNum(x), dyNum(iv.Hi).exp(), "exp of the upper end, x = %v", x)
	})
}
