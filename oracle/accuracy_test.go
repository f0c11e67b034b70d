package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Every function of the error against the sum over the whole distribution that it
// is defined as, on worlds with odd bounds, coarse numbers and both kinds.
func TestAccuracyIsTheSum(t *testing.T) {
	for _, p := range []spec.SnapParams{
		{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(0.3), Lo: dbl(-1.1), Hi: dbl(2.3)},
		{Format: spec.Binary64, Scale: spec.ScaleEpsilon, Value: dbl(3), Lo: dbl(-5), Hi: dbl(-0.1)},
		{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(1), Lo: dbl(0x1p53 - 9), Hi: dbl(0x1p53 + 12)},
		{Format: spec.Small(4, -9, 6), Scale: spec.ScaleLambda, Value: num(11, -4), Lo: num(-13, 0), Hi: num(15, 1)},
		{Format: spec.Small(5, -9, 9), Scale: spec.ScaleLambda, Value: num(1, -1), Lo: num(3, 0), Hi: num(3, 0)},
	} {
		for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
			lo, hi := p.Lo.Dyadic(), p.Hi.Dyadic()
			for _, f := range []real.Dyadic{lo, hi, lo.Add(hi).Shift(-1), lo.Sub(hi.Sub(lo)), hi.Add(real.FromInt64(3))} {
				fv := Round(p.Format, f)
				d, err := NewDistribution(p, k, fv)
				require.NoError(t, err)
				checkAccuracy(t, d, fv.Dyadic())
			}
		}
	}
}

func checkAccuracy(t *testing.T, d *Dist, f real.Dyadic) {
	t.Helper()
	type output struct{ r, p real.Dyadic }
	var all []output
	for r, pr := range d.All() {
		all = append(all, output{r.Dyadic(), pr.Num})
	}
	sum := func(keep func(r real.Dyadic) bool) (s real.Dyadic) {
		for _, o := range all {
			if keep(o.r) {
				s = s.Add(o.p)
			}
		}
		return s
	}
	var abs, bias, square real.Dyadic
	for _, o := range all {
		e := o.r.Sub(f)
		for _, at := range []real.Dyadic{o.r, o.r.Sub(real.Pow2(-30)), o.r.Add(real.Pow2(-30))} {
			above, err := d.Above(spec.FromDyadic(at))
			require.NoError(t, err)
			require.True(t, above.Num.Equal(sum(func(r real.Dyadic) bool { return r.Cmp(at) > 0 })), "above %v", at)
			below, err := d.Below(spec.FromDyadic(at))
			require.NoError(t, err)
			require.True(t, below.Num.Equal(sum(func(r real.Dyadic) bool { return r.Cmp(at) < 0 })), "below %v", at)
		}
		for _, at := range []real.Dyadic{e.Abs(), e.Abs().Add(real.Pow2(-30))} {
			beyond, err := d.Beyond(at)
			require.NoError(t, err)
			require.True(t, beyond.Num.Equal(sum(func(r real.Dyadic) bool { return r.Sub(f).Abs().Cmp(at) > 0 })), "beyond %v", at)
		}
		abs, bias, square = abs.Add(e.Abs().Mul(o.p)), bias.Add(e.Mul(o.p)), square.Add(e.Mul(e).Mul(o.p))
	}
	a, err := d.Accuracy()
	require.NoError(t, err)
	require.True(t, a.MeanAbs.Num.Equal(abs) && a.Bias.Num.Equal(bias) && a.Square.Num.Equal(square))
	require.Equal(t, len(all), a.Outputs)
	for _, c := range []*big.Rat{big.NewRat(0, 1), big.NewRat(1, 3), big.NewRat(19, 20), big.NewRat(999999, 1000000)} {
		radius, beyond, err := d.Radius(c)
		require.NoError(t, err)
		within := func(at real.Dyadic, strictly bool) bool { // Pr[|r - f| <= at], or <, is at least c
			s := sum(func(r real.Dyadic) bool {
				n := r.Sub(f).Abs().Cmp(at)
				return n < 0 || n == 0 && !strictly
			})
			x, _ := Prob{s, d.q.g.den}.Rat()
			return x.Cmp(c) >= 0
		}
		require.True(t, within(radius, false), "%v at %v", radius, c)
		require.False(t, !radius.IsZero() && within(radius, true), "%v at %v is not the least", radius, c)
		require.True(t, beyond.Num.Equal(sum(func(r real.Dyadic) bool { return r.Sub(f).Abs().Cmp(radius) > 0 })))
	}
}

func TestAccuracyRejections(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-1, 30), Hi: num(1, 30)}
	d, err := NewDistribution(p, spec.Unbounded, spec.Inf(false))
	require.NoError(t, err)
	_, err = d.Beyond(real.Pow2(0))
	requireReject(t, err, spec.Domain, "f")
	_, _, err = d.Radius(big.NewRat(1, 2))
	requireReject(t, err, spec.Domain, "f")
	_, err = d.Accuracy()
	requireReject(t, err, spec.Domain, "f")
	d, err = NewDistribution(p, spec.Unbounded, num(1, 0))
	require.NoError(t, err)
	_, err = d.Accuracy()
	requireReject(t, err, spec.Domain, "bounds")
	_, err = d.Beyond(real.FromInt64(-1))
	requireReject(t, err, spec.Domain, "t")
	for _, c := range []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 9), big.NewRat(3, 2)} {
		_, _, err = d.Radius(c)
		requireReject(t, err, spec.Domain, "confidence")
	}
	for _, y := range []spec.Value{spec.NaN(), spec.Inf(true)} {
		_, err = d.Above(y)
		requireReject(t, err, spec.Domain, "y")
		_, err = d.Below(y)
		requireReject(t, err, spec.Domain, "y")
	}
	// The radius needs no walk: 2^31 outputs, and Pr[|r - f| > t] = e^-(t + 1/2) or so.
	radius, _, err := d.Radius(big.NewRat(999, 1000))
	require.NoError(t, err)
	require.True(t, radius.Equal(real.FromInt64(7)), "%v", radius)
}
