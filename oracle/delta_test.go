package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// At epsilon = 0 delta is the total variation distance, a sum of rationals; elsewhere it
// is compared with sums over enclosures of the factor written with big.Rat.
func TestDeltaIsTheSum(t *testing.T) {
	for _, p := range []spec.SnapParams{
		{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(0.3), Lo: dbl(-1.1), Hi: dbl(2.3)},
		{Format: spec.Binary64, Scale: spec.ScaleEpsilon, Value: dbl(3), Lo: dbl(-5), Hi: dbl(-0.1)},
		{Format: spec.Small(5, -9, 6), Scale: spec.ScaleLambda, Value: num(11, -4), Lo: num(-13, 0), Hi: num(15, 1)},
	} {
		for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
			for _, fs := range [][2]real.Dyadic{{p.Lo.Dyadic(), p.Hi.Dyadic()}, {real.Dyadic{}, real.Pow2(-1)}, {real.One(), real.One()}} {
				f, f2 := Round(p.Format, fs[0]), Round(p.Format, fs[1])
				for _, e := range []*big.Rat{new(big.Rat), big.NewRat(1, 7), big.NewRat(3, 1)} {
					got, err := Delta(p, k, f, f2, e, 90)
					require.NoError(t, err)
					want := deltaByRat(t, p, k, f, f2, e)
					lo, _ := got.Lo.Rat()
					hi, _ := got.Hi.Rat()
					require.True(t, lo.Cmp(want[1]) <= 0 && hi.Cmp(want[0]) >= 0, "%v %v %v: %v, want %v", p, k, e, got, want)
					require.Equal(t, want[1].Sign() == 0, got.Hi.IsZero())
					back, err := Delta(p, k, f2, f, e, 90)
					require.NoError(t, err)
					require.True(t, back.Lo.Cmp(got.Hi) <= 0 && got.Lo.Cmp(back.Hi) <= 0)
				}
			}
		}
	}
}

// deltaByRat sums over all outputs with e^epsilon between two rationals 2^-200 apart,
// relatively.
func deltaByRat(t *testing.T, p spec.SnapParams, k spec.Kind, f, f2 spec.Value, e *big.Rat) [2]*big.Rat {
	t.Helper()
	probs := func(f spec.Value) map[string]*big.Rat {
		m := map[string]*big.Rat{}
		d, err := NewDistribution(p, k, f)
		require.NoError(t, err)
		for r, pr := range d.All() {
			x, _ := pr.Rat()
			m[r.String()] = x
		}
		return m
	}
	a, b := probs(f), probs(f2)
	// e^e by its series, e <= 3: 124 terms leave less than 2^-400.
	sum, term := big.NewRat(1, 1), big.NewRat(1, 1)
	x, _ := e.Float64()
	for n := int64(1); x > 0 && n < 100+int64(8*x); n++ {
		term.Mul(term, e)
		term.Quo(term, big.NewRat(n, 1))
		sum.Add(sum, term)
	}
	eps := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 200))
	var out [2]*big.Rat
	for i, factor := range []*big.Rat{new(big.Rat).Mul(sum, new(big.Rat).Add(big.NewRat(1, 1), eps)), sum} {
		if e.Sign() == 0 {
			factor = big.NewRat(1, 1)
		}
		best := new(big.Rat)
		for _, pair := range [][2]map[string]*big.Rat{{a, b}, {b, a}} {
			total := new(big.Rat)
			for r, x := range pair[0] {
				y := new(big.Rat)
				if z, ok := pair[1][r]; ok {
					y.Mul(factor, z)
				}
				if d := new(big.Rat).Sub(x, y); d.Sign() > 0 {
					total.Add(total, d)
				}
			}
			if total.Cmp(best) > 0 {
				best = total
			}
		}
		out[i] = best
	}
	return out
}

// The published draw: the pure bound fails and delta is a few of the least masses; the
// bound (1 + e^epsilon) 2^-1022 of docs/theory.md 6.3 holds.
func TestDeltaOfThePublishedDraw(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-1000, 0), Hi: num(1000, 0)}
	eps := new(big.Rat).SetFloat64(1.000000000002)
	d, err := Delta(p, spec.FloatRange, num(0, 0), num(1, 0), eps, 60)
	require.NoError(t, err)
	require.Positive(t, d.Lo.Cmp(real.Pow2(-1074)))
	require.Negative(t, d.Hi.Cmp(real.FromInt64(37).Shift(-1032))) // 1 + e < 3.72
	none, err := Delta(p, spec.Unbounded, num(0, 0), num(1, 0), eps, 60)
	require.NoError(t, err)
	require.True(t, none.Hi.IsZero())
	for _, c := range []struct {
		e       *big.Rat
		prec    uint
		subject string
	}{{big.NewRat(-1, 2), 60, "epsilon"}, {eps, 0, "precision"}, {eps, MaxWidth + 1, "precision"}} {
		_, err = Delta(p, spec.Unbounded, num(0, 0), num(1, 0), c.e, c.prec)
		requireReject(t, err, spec.Domain, c.subject)
	}
	_, err = Delta(p, spec.Unbounded, spec.NaN(), num(1, 0), eps, 60)
	requireReject(t, err, spec.Domain, "f")
	_, err = Delta(p, spec.Unbounded, num(1, 0), spec.NaN(), eps, 60)
	requireReject(t, err, spec.Domain, "f")
	p.Hi = num(1, 40)
	_, err = Delta(p, spec.Unbounded, num(1, 0), num(1, 0), eps, 60)
	requireReject(t, err, spec.Domain, "bounds")
}
