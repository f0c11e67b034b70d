package kernel_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// rat expands a dyadic of moderate exponent.
func rat(d real.Dyadic) *big.Rat {
	r, ok := d.Rat()
	if !ok {
		panic("exponent too large for a test")
	}
	return r
}

// The width of each rule's interval beside the least sound one, which is computed
// by evaluating the operation at every pair of numbers of the format in the boxes.
//
// The bound: an end exceeds fl of the extreme result b by at most eta|b| <= 1 ulp, or
// alpha = ulp/2, and by the rounding of b itself, ulp/2: 3/2 ulp at each end, ulp
// being that of the end greater in magnitude. So width < least + 3 ulp, and
// width/max(least, ulp) < 4.
func TestWidthsAgainstTheLeast(t *testing.T) {
	const most = 4
	for i, f := range []spec.Format{spec.Small(2, -2, 2), spec.Small(3, -2, 3), spec.Small(4, -3, 3), spec.Small(3, 0, 3)} {
		var all []real.Dyadic
		for v := f.NextUp(spec.Inf(true)); v.IsFinite(); v = f.NextUp(v) {
			all = append(all, v.Dyadic())
		}
		r := newRand(uint64(700 + i))
		side := func() (lo, hi int) {
			lo = r.IntN(len(all))
			return lo, min(len(all)-1, lo+r.IntN(7)*r.IntN(2))
		}
		for _, src := range []string{"x + y", "x - y", "x * y", "x / y", "ln(x)", "neg(x)", "round[1](x)", "clamp[-1, 1](x)"} {
			e, err := lang.Parse[lang.Floats](src)
			require.NoError(t, err)
			sum, count, widest, refused := new(big.Rat), int64(0), new(big.Rat), 0
			for range scaled(600, 150) {
				xl, xh := side()
				yl, yh := side()
				ctx := context(t, f, kernel.Env{"x": kernel.Between(all[xl], all[xh]), "y": kernel.Between(all[yl], all[yh])})
				least, ok := leastInterval(f, e, all[xl:xh+1], all[yl:yh+1])
				j, err := kernel.Derive(ctx, e)
				if err != nil {
					// A refusal is right on a box where some value is missing or infinite: the side
					// conditions are as weak as can be for single operations on numbers of the format.
					require.False(t, ok, "%v refused on %v..%v, %v..%v in %s: %v", src, all[xl], all[xh], all[yl], all[yh], f.Name, err)
					refused++
					continue
				}
				require.True(t, ok && least.Within(j.Interval()), "%v", j)
				ulp := real.Pow2(f.UlpExponent(real.Max(j.Interval().Lo.Abs(), j.Interval().Hi.Abs())))
				ratio := new(big.Rat).Quo(rat(j.Interval().Width()), rat(real.Max(least.Width(), ulp)))
				sum.Add(sum, ratio)
				count++
				if ratio.Cmp(widest) > 0 {
					widest = ratio
				}
				if op := e.Op(); op == lang.Neg || op == lang.Round || op == lang.Clamp {
					require.True(t, least.Within(j.Interval()) && j.Interval().Within(least), "%v is exact", j)
				}
			}
			mean := sum.Quo(sum, big.NewRat(count, 1))
			t.Logf("%-9s %-16s width / max(least, ulp): mean %s, worst %s (%d boxes, %d refused)",
				f.Name, src, mean.FloatString(3), widest.FloatString(3), count, refused)
			assert.Negative(t, widest.Cmp(big.NewRat(most, 1)), src)
		}
	}
}

// leastInterval is the hull of all values of e; ok is false if some value is not a
// finite number.
func leastInterval(f spec.Format, e lang.Float, xs, ys []real.Dyadic) (hull real.Interval, ok bool) {
	first := true
	for _, x := range xs {
		for _, y := range ys {
			v, err := lang.EvalFloat(e, arith{f}, map[string]spec.Value{"x": spec.FromDyadic(x), "y": spec.FromDyadic(y)})
			if err != nil || !v.IsFinite() {
				return hull, false
			}
			if first {
				hull, first = real.Point(v.Dyadic()), false
			}
			hull = real.Interval{Lo: real.Min(hull.Lo, v.Dyadic()), Hi: real.Max(hull.Hi, v.Dyadic())}
			if len(e.Args()) == 1 {
				break
			}
		}
	}
	return hull, true
}

// W as docs/theory.md 3 states it, in rationals: relative and absolute term added,
// never clipped. The kernel's W lies within it, and contains the exact interval.
func TestWidenIsWithinTheStatedRule(t *testing.T) {
	r := newRand(800)
	up := func(f spec.Format, b *big.Rat, alpha bool) *big.Rat {
		factor := new(big.Rat).Add(big.NewRat(1, 1), rat(f.Eta()))
		u := new(big.Rat)
		if b.Sign() > 0 {
			u.Mul(b, factor)
		} else {
			u.Quo(b, factor)
		}
		if alpha {
			u.Add(u, rat(real.Pow2(f.EMin-int64(f.Precision))))
		}
		return u
	}
	checked := 0
	for range scaled(6000, 1000) {
		f := formats[r.IntN(len(formats))]
		x, y := datum(r, f), datum(r, f)
		ctx := context(t, f, kernel.Env{"x": kernel.Exactly(x), "y": kernel.Exactly(y)})
		for op, exact := range map[string]*big.Rat{
			"x + y": new(big.Rat).Add(rat(x), rat(y)), "x - y": new(big.Rat).Sub(rat(x), rat(y)), "x * y": new(big.Rat).Mul(rat(x), rat(y)),
		} {
			e, err := lang.Parse[lang.Floats](op)
			require.NoError(t, err)
			j, err := kernel.Derive(ctx, e)
			if err != nil {
				continue
			}
			alpha := op == "x * y"
			hi, lo := up(f, exact, alpha), up(f, new(big.Rat).Neg(exact), alpha)
			lo.Neg(lo)
			// The kernel rounds its ends outward to p + 64 bits.
			slack := new(big.Rat).Mul(new(big.Rat).Abs(exact), rat(real.Pow2(-int64(f.Precision)-60)))
			slack.Add(slack, rat(real.Pow2(f.Quantum()-int64(f.Precision)-60)))
			require.True(t, rat(j.Interval().Hi).Cmp(new(big.Rat).Add(hi, slack)) <= 0 && rat(j.Interval().Lo).Cmp(new(big.Rat).Sub(lo, slack)) >= 0,
				"%v: x = %v, y = %v in %s", j, x, y, f.Name)
			require.True(t, rat(j.Interval().Lo).Cmp(exact) <= 0 && exact.Cmp(rat(j.Interval().Hi)) <= 0, "%v", j)
			checked++
		}
	}
	t.Logf("%d intervals within the stated rule", checked)
}
