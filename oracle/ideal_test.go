package oracle

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// idealWorlds have odd bounds, both scales and ties.
func idealWorlds(f spec.Format) []spec.SnapParams {
	v := func(x float64) spec.Value { return spec.FromFloat64(x) }
	return []spec.SnapParams{
		{Format: f, Scale: spec.ScaleLambda, Value: v(0.75), Lo: v(-2.5), Hi: v(3.25)},
		{Format: f, Scale: spec.ScaleEpsilon, Value: v(3), Lo: v(-5), Hi: v(-0.125)},
		{Format: f, Scale: spec.ScaleLambda, Value: v(1), Lo: v(-0.25), Hi: v(0.125)},
		{Format: f, Scale: spec.ScaleLambda, Value: v(1), Lo: v(-100), Hi: v(30)},
		{Format: f, Scale: spec.ScaleLambda, Value: v(1), Lo: v(2), Hi: v(2)},
	}
}

// Snap_F in a format of many bits is close to Snap_R: every probability within
// 2^-85 of the enclosure, relatively, at 118 bits and kappa = 100 2^-118.
func TestIdealIsTheLimitOfSnapF(t *testing.T) {
	wide := spec.Small(118, -4000, 4000)
	for _, p := range idealWorlds(wide) {
		for _, f := range []float64{-2.5, -0.5, 0, 0.1, 1.5, 29, math.Inf(1)} {
			fv := spec.FromFloat64(f)
			d, err := NewDistribution(p, spec.Unbounded, fv)
			require.NoError(t, err)
			ideal, err := NewIdeal(p, fv)
			require.NoError(t, err)
			var total real.Interval
			n := 0
			for r := range ideal.Outputs() {
				enclosed, err := ideal.At(r, 120)
				require.NoError(t, err)
				require.True(t, enclosed.Width().Cmp(enclosed.Lo.Shift(-120)) <= 0)
				exact, err := d.At(spec.FromDyadic(r))
				require.NoError(t, err)
				slack := enclosed.Lo.Shift(-85)
				require.True(t, exact.Num.Cmp(enclosed.Lo.Sub(slack)) > 0 && exact.Num.Cmp(enclosed.Hi.Add(slack)) < 0, "%v: %v %v", r, exact, enclosed)
				total = total.Add(enclosed, 200)
				n++
			}
			require.True(t, total.Contains(real.One()))
			require.True(t, total.Width().Cmp(real.Pow2(-118)) < 0)
			outputs := 0
			for range d.All() {
				outputs++
			}
			require.Equal(t, outputs, n)
			none, err := ideal.At(real.Pow2(-20), 10)
			require.NoError(t, err)
			require.True(t, none.Hi.IsZero())
		}
	}
}

// Snap_R is D/lambda-differentially private: no loss exceeds |x - x'|/lambda, which
// outputs beyond both attain.
func TestIdealLossIsBounded(t *testing.T) {
	for _, p := range idealWorlds(spec.Binary64) {
		fs := []float64{-3, -2.5, -1.5, -0.5, -0.3, 0, 0.1, 0.5, 1.5, 2.2, 30}
		attained := 0
		for i, a := range fs {
			for _, b := range fs[i:] {
				f, f2 := spec.FromFloat64(a), spec.FromFloat64(b)
				x, x2 := clamp(f, p.Lo, p.Hi).Dyadic(), clamp(f2, p.Lo, p.Hi).Dyadic()
				q := spec.NewQuantities(p, spec.Zero(false))
				d, err := real.Point(x2.Sub(x).Mul(q.LambdaDen)).Quo(real.Point(q.LambdaNum), 200)
				require.NoError(t, err)
				ideal, err := NewIdeal(p, f)
				require.NoError(t, err)
				n := 0
				for r := range ideal.Outputs() {
					if n++; n > 12 {
						break
					}
					loss, err := IdealLoss(p, f, f2, r, 100)
					require.NoError(t, err)
					require.True(t, loss.Lo.Cmp(d.Hi) <= 0, "%v for %v and %v: %v > %v", r, a, b, loss, d)
					if loss.Hi.Cmp(d.Lo) >= 0 && a < b {
						attained++
					}
				}
			}
		}
		if p.Lo.Cmp(p.Hi) < 0 {
			require.Positive(t, attained)
		}
	}
}

func TestIdealRejections(t *testing.T) {
	p := idealWorlds(spec.Binary64)[0]
	_, err := NewIdeal(p, spec.NaN())
	requireReject(t, err, spec.Domain, "f")
	wide := p
	wide.Hi = num(1, 41)
	_, err = NewIdeal(wide, num(0, 0))
	requireReject(t, err, spec.Domain, "bounds")
	huge := p
	huge.Value, huge.Lo, huge.Hi = dbl(0x1.8p1023), num(0, 0), num(0, 0)
	_, err = NewIdeal(huge, num(0, 0))
	requireReject(t, err, spec.Overflow, "unit")
	d, err := NewIdeal(p, num(0, 0))
	require.NoError(t, err)
	for _, prec := range []uint{0, MaxPrecisionIdeal + 1} {
		_, err = d.At(real.Dyadic{}, prec)
		requireReject(t, err, spec.Domain, "precision")
	}
	_, err = IdealLoss(p, num(0, 0), num(1, 0), real.Pow2(-9), 50)
	requireReject(t, err, spec.Domain, "x")
	_, err = IdealLoss(p, spec.NaN(), num(1, 0), real.Pow2(0), 50)
	requireReject(t, err, spec.Domain, "f")
	_, err = IdealLoss(p, num(1, 0), spec.NaN(), real.Pow2(0), 50)
	requireReject(t, err, spec.Domain, "f")
}
