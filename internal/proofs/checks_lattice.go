package proofs

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// latticeChecks are those of round-multiple, lambda and clamp.
func latticeChecks() []Check {
	return []Check{
		{Label: "round.1", Size: 4000, Run: rounding(checkQuotientPair)},
		{Label: "round.2", Size: 4000, Run: rounding(func(t *Trial, r rounded) {
			t.Le(r.gap().abs(), pow2Num(r.k).mul(t.num("1/2")), "|y - x| <= L/2, %s", r.show())
		})},
		{Label: "round.3", Size: 4000, Run: rounding(func(t *Trial, r rounded) {
			half := pow2Num(r.k).mul(fracNum(1, 2))
			if r.ties == spec.TiesUp {
				t.Lt(r.gap().neg(), half, "x - y < L/2 (ties up), %s", r.show())
			} else {
				t.Lt(r.gap(), half, "y - x < L/2 (ties down), %s", r.show())
			}
		})},
		{Label: "round.4", Size: 4000, Run: rounding(func(t *Trial, r rounded) {
			t.True(r.y.IsZero() && !r.y.Signbit() || !r.y.IsZero() && r.y.Dyadic().Low() >= r.k, "y is in L Z, +0 if 0, %s", r.show())
		})},
		{Label: "round.5", Size: 4000, Run: rounding(func(t *Trial, r rounded) {
			size := dyNum(r.x.Dyadic().Abs())
			if c, _ := size.cmp(pow2Num(r.k + 52)); c >= 0 || r.k == spec.Binary64.Quantum() {
				t.True(r.y.Dyadic().Equal(r.x.Dyadic()), "y = x, %s", r.show())
			}
			if c, _ := size.cmp(pow2Num(r.k - 1)); c < 0 {
				t.True(r.y.IsZero(), "y = 0, %s", r.show())
			}
		})},
		{Label: "round.6", Size: 3000, Run: checkOdd},
		{Label: "lambda.1", Size: 4000, Run: units(false, func(t *Trial, x Num, unit Num) {
			t.Le(x, unit, "lambda <= L")
			t.Lt(unit, x.mul(intNum(2)), "L < 2 lambda")
		})},
		{Label: "lambda.2", Size: 4000, Run: units(true, func(t *Trial, x Num, unit Num) {
			t.Le(intNum(1), unit.mul(x), "1 <= L epsilon")
			t.Lt(unit.mul(x), intNum(2), "L epsilon < 2")
		})},
		{Label: "lambda.3", Size: 2000, Run: checkSubnormalUnit},
		{Label: "clamp.1", Size: 2000, Run: clamping(func(t *Trial, lo, hi, _, _, y, _ Num) {
			t.Le(intNum(0), y.sub(lo), "lo <= clamp(x)")
			t.Le(intNum(0), hi.sub(y), "clamp(x) <= hi")
		})},
		{Label: "clamp.2", Size: 2000, Run: clamping(func(t *Trial, _, _, x, x2, y, y2 Num) {
			t.Le(y.sub(y2).abs(), x.sub(x2).abs(), "|clamp(x) - clamp(x')| <= |x - x'|")
		})},
		{Label: "clamp.3", Size: 2000, Run: checkNested},
	}
}

// rounded is one evaluation of rounding to a multiple.
type rounded struct {
	x, y spec.Value
	k    int64
	ties spec.Ties
	who  string
}

func (r rounded) gap() Num { return dyNum(r.y.Dyadic()).sub(dyNum(r.x.Dyadic())) }
func (r rounded) show() string {
	return r.who + ": x = " + r.x.String() + ", L = " + real.Pow2(r.k).String() + ", ties " + string(r.ties) + ", y = " + r.y.String()
}

// rounding runs f on roundings by the implementation and by the oracle; those
// refused because the result overflows are passed over.
func rounding(f func(*Trial, rounded)) func(*Trial) {
	return func(t *Trial) {
		for t.Result.Instances < t.size {
			in := gen.RoundMultiple(t)
			x, unit, ties := in["x"].Float(), in["unit"].Float(), spec.Ties(in["ties"].Text)
			v, u := spec.FromFloat64(x), spec.FromFloat64(unit)
			want, err := t.subject.roundMultiple(spec.Binary64, v, u, ties)
			if err != nil {
				continue
			}
			t.instance()
			r := rounded{v, want, u.Dyadic().Top(), ties, "oracle"}
			f(t, r)
			got, err := t.subject.round(x, unit, ties)
			if err != nil || math.IsInf(got, 0) || math.IsNaN(got) {
				t.fail("the implementation gives %v: %s: %v", got, r.show(), err)
				continue
			}
			r.y, r.who = spec.FromFloat64(got), "impl"
			f(t, r)
		}
	}
}

// checkQuotientPair: the pair (s, q - k), read off the bits of x, is the quotient
// x/L of rationals; and what comes out of the steps is L times the integer that the
// definition gives for that quotient: floor(x/L + 1/2), or ceil(x/L - 1/2).
func checkQuotientPair(t *Trial, r rounded) {
	x := floatOf(r.x)
	bits := math.Float64bits(x)
	s, q := int64(bits&(1<<52-1)), int64(bits>>52&0x7ff)
	if q == 0 {
		q = 1
	} else {
		s |= 1 << 52
	}
	if x < 0 {
		s = -s
	}
	if r.y.IsInf() || r.y.IsNaN() {
		t.fail("no number: %s", r.show())
		return
	}
	quotient := floatNum(x).quo(pow2Num(r.k))
	t.Eq(intNum(s).mul(pow2Num(q-1075-r.k)), quotient, "s 2^(q-k) = x/L, %s", r.show())

	shifted := new(big.Rat).Add(quotient.exact, big.NewRat(1, 2))
	n := new(big.Int).Div(shifted.Num(), shifted.Denom()) // floor, as the denominator is positive
	if r.ties == spec.TiesDown && shifted.IsInt() {
		n.Sub(n, one)
	}
	t.Eq(dyNum(r.y.Dyadic()), ratNum(new(big.Rat).SetInt(n)).mul(pow2Num(r.k)), "y is the nearest multiple, %s", r.show())
}

// checkOdd: round*(x) = -round(-x), with +0 for both zeros.
func checkOdd(t *Trial) {
	rounding(func(t *Trial, r rounded) {
		x, unit := floatOf(r.x), math.Ldexp(1, int(r.k))
		up, err1 := t.subject.round(-x, unit, spec.TiesUp)
		down, err2 := t.subject.round(x, unit, spec.TiesDown)
		if err1 != nil || err2 != nil {
			return // overflow on one side only is not possible: both are the same magnitude
		}
		t.True(down == -up, "round*(x) = -round(-x), %s", r.show())
	})(t)
}

// units runs f on scales and their units, by oracle and implementation.
func units(inverse bool, f func(t *Trial, x, unit Num)) func(*Trial) {
	return func(t *Trial) {
		ask, judge := t.subject.unit, t.subject.pow2Ceil
		if inverse {
			ask, judge = t.subject.unitInv, t.subject.pow2CeilInv
		}
		for t.Result.Instances < t.size {
			x := math.Float64frombits(gen.Positive(t))
			want, err := judge(spec.Binary64, spec.FromFloat64(x))
			if err != nil || inverse && want.Dyadic().Equal(spec.Binary64.MinPositive()) {
				continue // no unit in the format, or the least one stands for a smaller
			}
			t.instance()
			f(t, floatNum(x), dyNum(want.Dyadic()))
			got, err := ask(x)
			if err != nil {
				t.fail("the implementation refuses %x: %v", x, err)
				continue
			}
			f(t, floatNum(x), floatNum(got))
		}
	}
}

// checkSubnormalUnit: for lambda = k 2^-1074, L = 2^(bitlen(k-1) - 1074).
func checkSubnormalUnit(t *Trial) {
	t.each(func() {
		t.instance()
		k := 1 + t.Uint64()>>t.between(12, 63)
		unit, err := t.subject.unit(math.Float64frombits(k))
		if err != nil {
			t.fail("k = %d: %v", k, err)
			return
		}
		t.Eq(floatNum(unit), pow2Num(int64(bits.Len64(k-1))-1074), "k = %d", k)
	})
}

// clamping runs f on bounds, two inputs and what the implementation makes of them.
func clamping(f func(t *Trial, lo, hi, x, x2, y, y2 Num)) func(*Trial) {
	return func(t *Trial) {
		for t.Result.Instances < t.size {
			lo, hi := math.Float64frombits(gen.Finite(t)), math.Float64frombits(gen.Finite(t))
			lo, hi = min(lo, hi), max(lo, hi)
			x, x2 := math.Float64frombits(gen.Finite(t)), math.Float64frombits(gen.Finite(t))
			if t.coin() {
				x = t.one(lo, hi, math.Nextafter(lo, x))
			}
			y, err := t.subject.clamp(x, lo, hi)
			y2, err2 := t.subject.clamp(x2, lo, hi)
			if math.IsInf(x, 0) {
				continue
			}
			t.instance()
			if err != nil || err2 != nil {
				t.fail("clamp: %v %v", err, err2)
				continue
			}
			f(t, floatNum(lo), floatNum(hi), floatNum(x), floatNum(x2), floatNum(y), floatNum(y2))
		}
	}
}

// checkNested: clamp to [lo, hi] after clamp to a wider interval is clamp to [lo, hi].
func checkNested(t *Trial) {
	t.each(func() {
		t.instance()
		b := []float64{0, 0, 0, 0}
		for i := range b {
			b[i] = math.Float64frombits(gen.Finite(t))
		}
		lo2, lo := min(b[0], b[1]), max(b[0], b[1])
		hi, hi2 := max(lo, b[2]), max(lo, b[2], b[3])
		x := math.Float64frombits(gen.Finite(t))
		wide, err := t.subject.clamp(x, lo2, hi2)
		y, err2 := t.subject.clamp(wide, lo, hi)
		z, err3 := t.subject.clamp(x, lo, hi)
		t.True(err == nil && err2 == nil && err3 == nil && y == z, "x = %x in [%x, %x] inside [%x, %x]", x, lo, hi, lo2, hi2)
	})
}
