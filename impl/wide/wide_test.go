package wide

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/core"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func pow2(k int) *big.Rat {
	x, _ := new(big.Float).SetMantExp(big.NewFloat(1), k).Rat(nil)
	return x
}

func TestPrecision(t *testing.T) {
	for _, c := range []struct {
		epsilon float64
		want    uint
	}{
		{1, 118}, {1000, 118}, {math.MaxFloat64, 118}, {0x1p-116, 118}, {0x1.8p-117, 118}, {0x1p-117, 119}, {math.Nextafter(0x1p-117, 1), 118},
		{0x1p-200, 202}, {0x1.8p-200, 201}, {math.SmallestNonzeroFloat64, 1076},
	} {
		p, err := Precision(c.epsilon)
		require.NoError(t, err)
		assert.Equal(t, c.want, p, "%x", c.epsilon)
		assert.Positive(t, rat(c.epsilon).Cmp(pow2(1-int(p))), "epsilon > 2 eta")
		if p > 118 {
			assert.LessOrEqual(t, rat(c.epsilon).Cmp(pow2(2-int(p))), 0, "and one bit less would not do")
		}
		// What the constant of the literature needs is there.
		_, err = Calibrate(p, c.epsilon, 1, 0, 0, impl.Proved())
		var h *impl.HypothesisError
		if c.epsilon > 0x1p-113 {
			assert.False(t, errors.As(err, &h))
		}
	}
	for _, bad := range []float64{0, -1, math.Inf(1), math.NaN()} {
		_, err := Precision(bad)
		var d *impl.DomainError
		require.ErrorAs(t, err, &d)
	}
}

// neighbour moves x > 0 by one place of p bits.
func neighbour(x *big.Float, up bool) *big.Rat {
	mode := big.ToNegativeInf
	tiny := new(big.Float).SetMantExp(big.NewFloat(-1), x.MantExp(nil)-int(x.Prec())-30)
	if up {
		mode, tiny = big.ToPositiveInf, tiny.Neg(tiny)
	}
	y := new(big.Float).SetPrec(x.Prec()).SetMode(mode).Add(x, tiny)
	r, _ := y.Rat(nil)
	return r
}

// Lambda is the least number whose accounted loss is at most epsilon; the others
// are the exact rationals rounded outward by less than one place.
func TestCalibrate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for _, c := range []impl.Constant{impl.Proved(), impl.Published()} {
		for range 1500 {
			p := []uint{53, 54, 64, 118, 119, 237, 1024}[r.IntN(7)]
			eps, d := math.Exp(2*r.NormFloat64()), math.Exp(4*r.NormFloat64())
			b := d / eps * math.Exp2(float64(r.IntN(int(p)-16))) * (1 + r.Float64())
			k, err := Calibrate(p, eps, d, -b*r.Float64(), b, c)
			require.NoError(t, err)
			eta := pow2(-int(p))
			loss := func(l *big.Rat) *big.Rat {
				bound := new(big.Rat).Mul(rat(float64(c.Floor())), l)
				if bound.Cmp(rat(b)) < 0 {
					bound = rat(b)
				}
				x := bound.Mul(bound, new(big.Rat).Mul(eta, rat(float64(c.C()))))
				x.Add(x, rat(d)).Quo(x, l)
				return x.Add(x, new(big.Rat).Mul(eta, rat(float64(c.Additive()))))
			}
			l, _ := k.Lambda.Rat(nil)
			require.LessOrEqual(t, loss(l).Cmp(rat(eps)), 0)
			require.Positive(t, loss(neighbour(k.Lambda, false)).Cmp(rat(eps)), "the next smaller scale would do")
			got, _ := k.Achieved.Rat(nil)
			require.GreaterOrEqual(t, got.Cmp(loss(l)), 0)
			require.Less(t, neighbour(k.Achieved, false).Cmp(loss(l)), 0)
			require.LessOrEqual(t, got.Cmp(rat(eps)), 0)
			// epsilon' lambda is D for the exact lambda: the rounded one is above.
			prime, _ := k.EpsilonPrime.Rat(nil)
			require.LessOrEqual(t, new(big.Rat).Mul(prime, neighbour(k.Lambda, false)).Cmp(rat(d)), 0)
			require.Positive(t, new(big.Rat).Mul(neighbour(k.EpsilonPrime, true), l).Cmp(rat(d)))
			unit, _ := k.Unit.Rat(nil)
			require.True(t, unit.Cmp(l) >= 0 && new(big.Rat).Quo(unit, big.NewRat(2, 1)).Cmp(l) < 0)
			for _, x := range []*big.Float{k.Lambda, k.EpsilonPrime, k.Achieved, k.Unit} {
				require.Equal(t, p, x.Prec())
				require.Equal(t, big.ToNearestEven, x.Mode())
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	ok := Params{118, 1, 1, -1000, 1000, impl.Proved()}
	inf, nan := math.Inf(1), math.NaN()
	var (
		domain     *impl.DomainError
		hypothesis *impl.HypothesisError
		overflow   *impl.OverflowError
	)
	for name, spoil := range map[string]func(*Params){
		"Precision": func(p *Params) { p.Precision = 52 }, "Epsilon": func(p *Params) { p.Epsilon = 0 }, "Sensitivity": func(p *Params) { p.Sensitivity = inf },
		"Lo": func(p *Params) { p.Lo = nan }, "Hi": func(p *Params) { p.Hi = inf }, "Constant": func(p *Params) { p.Constant = impl.Constant{} },
	} {
		p := ok
		spoil(&p)
		_, err := New(p)
		require.ErrorAs(t, err, &domain, name)
		assert.Equal(t, name, domain.Argument)
	}
	for _, spoil := range []func(*Params){
		func(p *Params) { p.Precision = 0 }, func(p *Params) { p.Precision = 4097 }, func(p *Params) { p.Precision = math.MaxUint },
		func(p *Params) { p.Lo = 1001 }, func(p *Params) { p.Epsilon = nan },
	} {
		p := ok
		spoil(&p)
		_, err := New(p)
		require.ErrorAs(t, err, &domain)
	}
	// Each hypothesis, on both sides of its edge.
	scale := func(p uint, value *big.Float, b float64, kind impl.ScaleKind, c impl.Constant) error {
		_, err := NewScale(ScaleParams{p, kind, value, 1, -b / 2, b, c})
		return err
	}
	above := func(x float64) float64 { return math.Nextafter(x, inf) }
	one := big.NewFloat(1)
	for _, p := range []uint{53, 64, 118, 500} {
		edge := math.Ldexp(1, int(p)-15)
		require.NoError(t, scale(p, one, edge, impl.Lambda, impl.Proved()))
		require.NoError(t, scale(p, one, edge, impl.InverseEpsilon, impl.Proved()))
		for _, kind := range []impl.ScaleKind{impl.Lambda, impl.InverseEpsilon} {
			require.ErrorAs(t, scale(p, one, above(edge), kind, impl.Proved()), &hypothesis)
			require.Equal(t, HypothesisBoundAtMostScale, hypothesis.Hypothesis)
			require.Contains(t, hypothesis.Error(), "raise the precision")
		}
		edge = math.Ldexp(1, int(p)-7)
		require.NoError(t, scale(p, one, math.Nextafter(edge, 0), impl.Lambda, impl.Published()))
		require.ErrorAs(t, scale(p, one, edge, impl.Lambda, impl.Published()), &hypothesis)
		require.Equal(t, HypothesisBoundBelowScale, hypothesis.Hypothesis)
		require.NoError(t, scale(p, one, above(1), impl.Lambda, impl.Published()))
		require.ErrorAs(t, scale(p, one, 1, impl.Lambda, impl.Published()), &hypothesis)
		require.Equal(t, impl.HypothesisBoundAboveScale, hypothesis.Hypothesis)
		// 1/value is not rounded: value one place above 1 makes the bound too large.
		if p <= 64 {
			value := new(big.Float).SetPrec(p).SetMode(big.ToPositiveInf).Add(one, new(big.Float).SetMantExp(one, -200))
			require.Error(t, scale(p, value, math.Ldexp(1, int(p)-15), impl.InverseEpsilon, impl.Proved()))
			require.NoError(t, scale(p, value, math.Ldexp(1, int(p)-15), impl.Lambda, impl.Proved()))
		}
	}
	for c, k := range map[impl.Constant]float64{impl.Proved(): 20, impl.Published(): 2} {
		floor := math.Ldexp(k, -118)
		_, err := Calibrate(118, floor, 1, -1, 1, c)
		require.ErrorAs(t, err, &hypothesis)
		require.Equal(t, impl.HypothesisEpsilonAboveFloor, hypothesis.Hypothesis)
		// With so little left, Published() has a scale above B; Proved() has a result.
		_, err = Calibrate(118, above(floor), 1, -0x1p200, 0x1p200, c)
		if c == impl.Proved() {
			require.NoError(t, err)
		} else {
			require.ErrorAs(t, err, &hypothesis)
			require.Equal(t, impl.HypothesisBoundAboveScale, hypothesis.Hypothesis)
		}
	}
	// Scales out of range.
	_, err := New(Params{118, 0.25, math.MaxFloat64, 0, 0, impl.Proved()})
	require.ErrorAs(t, err, &overflow)
	_, err = New(Params{118, 1e300, math.SmallestNonzeroFloat64, 0, 0, impl.Proved()})
	require.ErrorAs(t, err, &overflow)
	for _, v := range []*big.Float{
		nil, new(big.Float), big.NewFloat(-1), new(big.Float).SetInf(false), new(big.Float).SetInf(true),
		new(big.Float).SetMantExp(one, 1024), new(big.Float).SetMantExp(one, -1075), new(big.Float).SetPrec(200).Quo(one, big.NewFloat(3)),
	} {
		require.ErrorAs(t, scale(118, v, 1, impl.Lambda, impl.Proved()), &domain)
		require.Equal(t, "Value", domain.Argument)
	}
	require.ErrorAs(t, scale(118, one, 1, 0, impl.Proved()), &domain)
}

// fixedBits is a source over given bytes.
type fixedBits struct{ data []byte }

var errDry = errors.New("dry")

func (s *fixedBits) Fill(p []byte) error {
	if len(s.data) < len(p) {
		return errDry
	}
	s.data = s.data[copy(p, s.data):]
	return nil
}

func TestRelease(t *testing.T) {
	s, err := New(Params{118, 0.5, 1, -10, 1000, impl.Proved()})
	require.NoError(t, err)
	var zero *Snapping
	for _, bad := range []*Snapping{zero, {}} {
		r, err := bad.Release(1)
		require.True(t, math.IsNaN(r))
		var d *impl.DomainError
		require.ErrorAs(t, err, &d)
		x, err := bad.ReleaseBig(1)
		require.Nil(t, x)
		require.Error(t, err)
		require.Nil(t, bad.Value())
		require.Nil(t, bad.Unit())
		require.Nil(t, bad.Achieved())
		require.Zero(t, bad.Precision())
		require.Zero(t, bad.Scale())
		require.NotEmpty(t, bad.String())
	}
	r, err := s.Release(math.NaN())
	require.True(t, math.IsNaN(r))
	require.Error(t, err)
	_, err = s.release(&fixedBits{}, 1)
	require.ErrorIs(t, err, errDry)

	unit, _ := s.Unit().Float64()
	require.Equal(t, 4.0, unit, "the scale is just above 2")
	seen := map[float64]int{}
	for range 3000 {
		for _, f := range []float64{math.Inf(-1), -10, 500.3, math.Inf(1), math.Copysign(0, -1)} {
			r, err := s.Release(f)
			require.NoError(t, err)
			require.True(t, r == -10 || r == 1000 || math.Mod(r, unit) == 0 && -10 < r && r < 1000, "%v", r)
			require.False(t, r == 0 && math.Signbit(r))
			if f == 500.3 {
				seen[r]++
			}
		}
	}
	require.Greater(t, len(seen), 3, "there is noise")
	require.Greater(t, seen[500], 900, "of scale 2")

	// Nothing the caller holds is the mechanism's own.
	for range 200 {
		x, err := s.ReleaseBig(math.Inf(1))
		require.NoError(t, err)
		x.SetInt64(7)
	}
	s.Value().SetInt64(7)
	s.Achieved().SetInt64(7)
	require.Equal(t, 1000.0, s.Hi())
	hi, _ := s.core.Hi.Float64()
	require.Equal(t, 1000.0, hi)
	require.Contains(t, s.String(), "118 bits")
	mine := new(big.Float).SetPrec(118).SetInt64(3)
	k, err := NewScale(ScaleParams{118, impl.Lambda, mine, 1, -10, 10, impl.Proved()})
	require.NoError(t, err)
	mine.SetInt64(1000)
	require.Zero(t, k.Value().Cmp(big.NewFloat(3)))
}

// When the cast is exact, and that it stays in the bounds when it is not.
func TestCast(t *testing.T) {
	s, err := NewScale(ScaleParams{118, impl.Lambda, big.NewFloat(1), 1, 0, 0x1p53, impl.Proved()})
	require.NoError(t, err)
	wide, err := NewScale(ScaleParams{118, impl.Lambda, big.NewFloat(1), 1, -0x1p60, 0x1p60, impl.Proved()})
	require.NoError(t, err)
	rounded := 0
	for range 2000 {
		tape := make([]byte, 64)
		for i := range tape {
			tape[i] = byte(rand.Uint32())
		}
		a, err := s.release(&fixedBits{tape}, 0x1p53-9)
		require.NoError(t, err)
		x, acc := a.Float64()
		require.Equal(t, big.Exact, acc)
		require.LessOrEqual(t, x, 0x1p53)
		b, err := wide.release(&fixedBits{tape}, math.Inf(1))
		require.NoError(t, err)
		x, acc = b.Float64()
		require.LessOrEqual(t, x, 0x1p60)
		if acc != big.Exact {
			rounded++
		}
	}
	require.Positive(t, rounded)
}

func TestConcurrentReleases(t *testing.T) {
	var wg sync.WaitGroup
	for p := uint(60); p < 68; p++ { // also new constants at once
		s, err := New(Params{p, 1, 1, -100, 100, impl.Proved()})
		require.NoError(t, err)
		for range 4 {
			wg.Go(func() {
				for range 200 {
					if r, err := s.Release(0); err != nil || math.Abs(r) > 100 {
						panic("release")
					}
				}
			})
		}
	}
	wg.Wait()
}

// Round against rationals, also far below and above the unit.
func TestRound(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 20000 {
		p := []uint{53, 64, 118}[r.IntN(3)]
		x := core.Number(p).SetInt64(r.Int64() >> r.IntN(63))
		x.SetMantExp(x, r.IntN(200)-150)
		if r.IntN(2) == 0 {
			x.Neg(x)
		}
		k := r.IntN(160) - 130
		got, _ := core.Round(x, k).Rat(nil)
		q, _ := x.Rat(nil)
		q.Quo(q, pow2(k))
		q.Add(q, big.NewRat(1, 2))
		want := new(big.Rat).SetInt(new(big.Int).Div(q.Num(), q.Denom()))
		require.Zero(t, want.Mul(want, pow2(k)).Cmp(got), "%v at 2^%d", x, k)
		require.False(t, core.Round(x, k).Signbit() && got.Sign() == 0)
	}
}

func FuzzRelease(f *testing.F) {
	f.Add(uint16(118), 1.0, 1.0, -5.0, 5.0, 0.0, []byte("0123456789abcdef0123"), false)
	f.Fuzz(func(t *testing.T, p uint16, eps, d, lo, hi, x float64, tape []byte, published bool) {
		c := impl.Proved()
		if published {
			c = impl.Published()
		}
		s, err := New(Params{uint(p), eps, d, lo, hi, c})
		if err != nil {
			return
		}
		r, err := s.release(&fixedBits{tape}, x)
		if err != nil {
			return
		}
		y, _ := r.Float64()
		if y < lo || y > hi || y != y {
			t.Fatalf("%v is not in [%v, %v]", y, lo, hi)
		}
	})
}

func BenchmarkRelease(b *testing.B) {
	for _, p := range []uint{53, 118, 237, 1024} {
		s, err := New(Params{p, 0.5, 1, -1000, 1000, impl.Proved()})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(big.NewInt(int64(p)).String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Release(1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
