package oracle

import (
	"math"
	"math/big"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func params64(scale spec.ScaleKind, value, lo, hi float64) spec.SnapParams {
	return spec.SnapParams{Format: spec.Binary64, Scale: scale, Value: dbl(value), Lo: dbl(lo), Hi: dbl(hi)}
}

// lambdaOf is lambda as a rational.
func lambdaOf(p spec.SnapParams) *big.Rat {
	l := ratOf(p.Value.Dyadic())
	if p.Scale == spec.ScaleEpsilon {
		l.Inv(l)
	}
	return l
}

// requireBetween requires lo <= v <= hi for every v in the interval [a, b].
func requireBetween(t *testing.T, a, b *big.Rat, lo, hi string, msg string) {
	t.Helper()
	l, ok := new(big.Rat).SetString(lo)
	require.True(t, ok)
	h, ok := new(big.Rat).SetString(hi)
	require.True(t, ok)
	require.True(t, a.Cmp(l) >= 0 && b.Cmp(h) <= 0, "%s: [%s, %s] is not within [%s, %s]", msg, a.FloatString(9), b.FloatString(9), lo, hi)
}

// docs/theory.md 6, item 1: the published U*.
func TestPublishedUStarFails(t *testing.T) {
	p := params64(spec.ScaleLambda, 1, -1000, 1000)
	den := real.One().Sub(real.Pow2(-1074))
	for _, c := range []struct{ x, n, n2 int64 }{{-742, 6, 2}, {-744, 1, 0}} {
		for i, n := range []int64{c.n, c.n2} {
			pr, err := Probability(p, spec.FloatRange, num(int64(i), 0), num(c.x, 0))
			require.NoError(t, err)
			require.True(t, pr.Num.Equal(dy(n, -1074)), "output %d, f = %d: %v", c.x, i, pr)
			require.True(t, pr.Den.Equal(den))
			rat, ok := pr.Rat() // n/(2^1074 - 1)
			require.True(t, ok)
			whole := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 1074), big.NewInt(1))
			require.Zero(t, rat.Cmp(new(big.Rat).SetFrac(big.NewInt(n), whole)))
		}
	}
	a, err := Probability(p, spec.FloatRange, num(0, 0), num(-742, 0))
	require.NoError(t, err)
	b, err := Probability(p, spec.FloatRange, num(1, 0), num(-742, 0))
	require.NoError(t, err)
	loss, infinite, err := LossOf(a, b, 60)
	require.NoError(t, err)
	require.False(t, infinite)
	lo, hi := judgeLn(big.NewRat(3, 1))
	require.True(t, ratOf(loss.Lo).Cmp(hi) <= 0 && ratOf(loss.Hi).Cmp(lo) >= 0, "ln 3")

	l, err := WorstLoss(p, spec.FloatRange, num(0, 0), num(1, 0), 60)
	require.NoError(t, err)
	require.True(t, l.Infinite)
	requireSame(t, num(-744, 0), l.Worst, "worst output")
	require.True(t, l.P.Num.Equal(real.Pow2(-1074)) && l.P2.IsZero())
	// The other way round it is the same output, the probabilities exchanged.
	l, err = WorstLoss(p, spec.FloatRange, num(1, 0), num(0, 0), 60)
	require.NoError(t, err)
	require.True(t, l.Infinite && l.P.IsZero() && l.P2.Num.Equal(real.Pow2(-1074)))
	requireSame(t, num(-744, 0), l.Worst, "worst output")

	// The other example: B/lambda = 412.5, a finite loss of 0.63599 at output 680.
	p = params64(spec.ScaleLambda, 1.6483562480615168, -680, 680)
	a, err = Probability(p, spec.FloatRange, dbl(-543.258539015495), num(680, 0))
	require.NoError(t, err)
	b, err = Probability(p, spec.FloatRange, dbl(-542.258539015495), num(680, 0))
	require.NoError(t, err)
	loss, _, err = LossOf(a, b, 60)
	require.NoError(t, err)
	requireBetween(t, ratOf(loss.Lo), ratOf(loss.Hi), "0.635985", "0.635995", "loss")

	// With the unbounded kind the same parameters stay within the published bound.
	p = params64(spec.ScaleLambda, 1, -1000, 1000)
	l, err = WorstLoss(p, spec.Unbounded, num(0, 0), num(1, 0), 80)
	require.NoError(t, err)
	require.False(t, l.Infinite)
	eta := ratOf(p.Format.Eta())
	allowed := new(big.Rat).Mul(eta, big.NewRat(12002, 1))
	require.Negative(t, ratOf(l.Interval.Hi).Cmp(allowed.Add(allowed, big.NewRat(1, 1))))
	require.Equal(t, 2001, l.Outputs)
}

// docs/theory.md 6, items 2 to 4: the unbounded kind. The excess over
// |f - f'|/lambda, in units of eta after taking off 12 kappa, or in units of kappa.
func TestWitnesses(t *testing.T) {
	const b2 = 0x1.e30e65089ac62p-4
	for _, c := range []struct {
		name     string
		p        spec.SnapParams
		f, f2, r float64
		over12   bool // of excess - 12 kappa, in eta; otherwise of excess, in units below
		inKappa  bool // kappa or eta
		lo, hi   string
	}{
		{"B/lambda = 0.2235", params64(spec.ScaleLambda, 0x1.0e24ea291b411p-1, -b2, b2), -0x1.e30e642eeb6cbp-4, -0x1.e30e63f4e198ap-4, b2, true, false, "2.3505", "2.3515"},
		{"B/lambda = 0.0664", params64(spec.ScaleLambda, 0x1.008p+0, -0x1.105e57c996477p-4, 0x1.00000000001ccp-10), -0x1.7dcf17c062311p-6, -0x1.0c33bb1bf2f1p-6, 0x1.00000000001ccp-10, true, false, "4.4705", "4.4715"},
		{"B/lambda = 0.2485", params64(spec.ScaleEpsilon, 0x1.fffff990bf3bep+0, -0x1.0defd7cc0650ep-4, 0x1.fcfd60365b678p-4), 0x1.49154b35309ffp-11, 0x1.bbeffff83c9p-10, -0x1.0defd7cc0650ep-4, true, false, "2.3175", "2.3185"},
		{"output 0, B = 300", params64(spec.ScaleLambda, 0x1.1f5ef1a876da6p-1, -300, 300), 298, 299, 0, false, false, "1180.55", "1180.56"},
		{"output 0, lambda = 1", params64(spec.ScaleLambda, 1, -300, 300), 0x1.ff183b9dceae2p+7, 0x1.ff183b9dceae2p+7 + 1, 0, false, false, "205.65", "205.75"},
		{"11.97713", params64(spec.ScaleEpsilon, 0x1.0011b63ff903cp+0, -0x1.0000000000001p+27, 0x1.0000000000001p+27), 0x1.ffffffeafd057p+26, 0x1.ffffffeb2bfeep+26, -0x1p27, false, true, "11.977125", "11.977135"},
		{"11.95918", params64(spec.ScaleLambda, 0x1.ff717aef05ad2p-1, -0x1.0000000000001p+23, 0x1.0000000000001p+23), 0x1.fffffeb54316bp+22, 0x1.ffffffdfd7c8ep+22, -0x1p23, false, true, "11.959175", "11.959185"},
		{"11.86570", params64(spec.ScaleLambda, 0x1.fd970cab1e693p-1, -0x1.0000000000001p+8, 0x1.0000000000001p+8), 0x1.ff75608f7ee5bp+7, 0x1.ffb8f65ed7e4ap+7, -256, false, true, "11.865695", "11.865705"},
	} {
		a, err := Probability(c.p, spec.Unbounded, dbl(c.f), dbl(c.r))
		require.NoError(t, err)
		b, err := Probability(c.p, spec.Unbounded, dbl(c.f2), dbl(c.r))
		require.NoError(t, err)
		loss, infinite, err := LossOf(a, b, 100)
		require.NoError(t, err)
		require.False(t, infinite)
		lambda, eta := lambdaOf(c.p), ratOf(c.p.Format.Eta())
		d := new(big.Rat).Sub(ratOf(dbl(c.f).Dyadic()), ratOf(dbl(c.f2).Dyadic()))
		base := d.Abs(d).Quo(d, lambda)
		kappa := new(big.Rat).Mul(ratOf(spec.Bound(c.p.Lo, c.p.Hi)), eta)
		kappa.Quo(kappa, lambda)
		if c.over12 {
			base.Add(base, new(big.Rat).Mul(kappa, big.NewRat(12, 1)))
		}
		unit := eta
		if c.inKappa {
			unit = kappa
		}
		ends := [2]*big.Rat{}
		for i, e := range []real.Dyadic{loss.Lo, loss.Hi} {
			ends[i] = new(big.Rat).Sub(ratOf(e), base)
			ends[i].Quo(ends[i], unit)
		}
		requireBetween(t, ends[0], ends[1], c.lo, c.hi, c.name)
		t.Logf("%s: %s", c.name, ends[0].FloatString(5))
	}
}

// The bound of docs/theory.md 6.1, (D + 15 max(B, lambda) eta)/lambda + 5 eta, holds
// for the worst output of random and of unkind parameters, and WorstLoss is the
// plain maximum of the losses of the outputs.
func TestWorstLossWithinProvedBound(t *testing.T) {
	r := newRand(80)
	nearest := new(big.Rat)
	tested := 0
	for i := range scaled(150, 20) {
		p, f := randDist(r)
		x, f2 := clamp(f, p.Lo, p.Hi), f
		switch i % 4 {
		case 0:
			f2 = p.Format.NextUp(x)
		case 1:
			f2 = p.Hi
		case 2: // one lambda away
			f2 = Round(p.Format, p.Value.Dyadic().Add(x.Dyadic()))
		default:
			f2 = Round(p.Format, x.Dyadic().Add(p.Value.Dyadic().Shift(-int64(r.IntN(50)))))
		}
		if i%3 == 0 { // bounds just beyond powers of two and multiples of the unit
			unit, err := Unit(p)
			require.NoError(t, err)
			b := spec.FromDyadic(unit.Dyadic().Shift(int64(r.IntN(7))))
			p.Hi, p.Lo = p.Format.NextUp(b), p.Format.NextDown(b.Neg())
		}
		l, err := WorstLoss(p, spec.Unbounded, f, f2, 90)
		require.NoError(t, err)
		require.False(t, l.Infinite)
		require.LessOrEqual(t, l.Interval.Width().Cmp(real.Pow2(-90)), 0)
		x, x2 := clamp(f, p.Lo, p.Hi), clamp(f2, p.Lo, p.Hi)
		lambda, eta := lambdaOf(p), ratOf(p.Format.Eta())
		d := new(big.Rat).Sub(ratOf(x.Dyadic()), ratOf(x2.Dyadic()))
		bound := new(big.Rat).Mul(maxRat(ratOf(spec.Bound(p.Lo, p.Hi)), lambda), eta)
		bound.Mul(bound, big.NewRat(15, 1)).Add(bound, d.Abs(d)).Quo(bound, lambda)
		bound.Add(bound, new(big.Rat).Mul(eta, big.NewRat(5, 1)))
		require.LessOrEqual(t, ratOf(l.Interval.Hi).Cmp(bound), 0, "%v, f = %v, f2 = %v: output %v", p, f, f2, l.Worst)
		if !l.Interval.Lo.IsZero() {
			base := d.Quo(d, lambda)
			excess, allowed := new(big.Rat).Sub(ratOf(l.Interval.Lo), base), bound.Sub(bound, base)
			nearest = maxRat(nearest, excess.Quo(excess, allowed))
		}
		requireLargest(t, p, f, f2, l)
		tested++
	}
	share, _ := nearest.Float64()
	assert.Greater(t, share, 0.1, "some case should use part of the allowance")
	t.Logf("%d cases; the largest excess over D/lambda is %.3f of the allowance", tested, share)
}

// requireLargest recomputes the losses as rationals from Probability.
func requireLargest(t *testing.T, p spec.SnapParams, f, f2 spec.Value, l Loss) {
	t.Helper()
	var best *big.Rat
	var at spec.Value
	d, err := NewDistribution(p, spec.Unbounded, f2)
	require.NoError(t, err)
	for x, num := range Distribution(p, spec.Unbounded, f) {
		other, err := d.At(x)
		require.NoError(t, err)
		ratio := new(big.Rat).Quo(ratOf(num), ratOf(other.Num))
		if ratio.Cmp(big.NewRat(1, 1)) < 0 {
			ratio.Inv(ratio)
		}
		if best == nil || ratio.Cmp(best) > 0 {
			best, at = ratio, x
		}
	}
	requireSame(t, at, l.Worst, "worst output of %v", p)
	if best.Cmp(big.NewRat(1, 1)) == 0 {
		require.True(t, l.Interval.IsPoint() && l.Interval.Lo.IsZero())
		return
	}
	lo, hi := judgeLn(best)
	require.True(t, ratOf(l.Interval.Lo).Cmp(hi) <= 0 && ratOf(l.Interval.Hi).Cmp(lo) >= 0)
}

// Edge cases: equal inputs, one output, infinite inputs, widths.
func TestWorstLossEdges(t *testing.T) {
	p := params64(spec.ScaleLambda, 1, -8, 8)
	l, err := WorstLoss(p, spec.Unbounded, num(1, 0), num(1, 0), 300)
	require.NoError(t, err)
	requireSame(t, num(-8, 0), l.Worst, "the smallest output")
	require.True(t, l.Interval.IsPoint() && l.Interval.Lo.IsZero() && !l.Infinite)
	for _, width := range []uint{0, 1, 64, 1000} {
		l, err = WorstLoss(p, spec.Unbounded, spec.Inf(true), spec.Inf(false), width)
		require.NoError(t, err)
		requireSame(t, num(-8, 0), l.Worst, "the mechanism is not quite symmetric")
		require.LessOrEqual(t, l.Interval.Width().Cmp(real.Pow2(-int64(width))), 0)
		require.True(t, l.Interval.Hi.Cmp(real.FromInt64(15)) > 0 && l.Interval.Lo.Cmp(real.FromInt64(17)) < 0)
	}
	one := params64(spec.ScaleEpsilon, 3, -0.25, -0.25)
	l, err = WorstLoss(one, spec.FloatRange, num(1, 0), num(5, 0), 10)
	require.NoError(t, err)
	require.True(t, l.Interval.Lo.IsZero() && l.Interval.IsPoint() && l.P.Cmp(l.P2) == 0 && l.Outputs == 1)
	pr, ok := l.P.Rat()
	require.True(t, ok)
	require.Zero(t, pr.Cmp(big.NewRat(1, 1)))
	// Zeros, and probabilities over different denominators.
	zero := Prob{Den: real.One()}
	loss, infinite, err := LossOf(zero, zero, 10)
	require.True(t, err == nil && !infinite && loss.IsPoint())
	_, infinite, err = LossOf(zero, l.P, 10)
	require.True(t, err == nil && infinite)
	same := Prob{real.One(), real.One()}
	require.Zero(t, same.Cmp(l.P))
	loss, infinite, err = LossOf(same, l.P, 10)
	require.True(t, err == nil && !infinite && loss.IsPoint())
}

// A probability over 1 - 2^-5: comparison, rational, logarithm.
func TestProb(t *testing.T) {
	den := real.One().Sub(real.Pow2(-5))
	p := Prob{real.Pow2(-3), den} // 4/31
	rat, ok := p.Rat()
	require.True(t, ok)
	require.Zero(t, rat.Cmp(big.NewRat(4, 31)))
	lo, hi := judgeLn(rat)
	ln, err := p.Ln(60)
	require.NoError(t, err)
	require.True(t, ratOf(ln.Lo).Cmp(lo) <= 0 && ratOf(ln.Hi).Cmp(hi) >= 0)
	require.Less(t, ln.Width().Cmp(real.Pow2(-56)), 0)
	require.Positive(t, p.Cmp(Prob{real.Pow2(-3), real.One()}))
	require.Negative(t, p.Cmp(Prob{real.Pow2(-2), den}))
	require.Equal(t, "0x1p-3/(0x1.fp-1)", p.String())
	require.Equal(t, "0x1p-3", Prob{real.Pow2(-3), real.One()}.String())
	_, ok = Prob{real.Pow2(-1 << 40), real.One()}.Rat()
	require.False(t, ok)
}

// All outputs and the worst loss at epsilon = 1, B = 100 in 0.1 s.
func BenchmarkWorstLoss(b *testing.B) {
	p := params64(spec.ScaleEpsilon, 1, -100, 100)
	for b.Loop() {
		if _, err := WorstLoss(p, spec.Unbounded, dbl(0.3), dbl(1.3), 64); err != nil {
			b.Fatal(err)
		}
	}
}

// 10^5 outputs, streamed. The memory per output does not depend on how many there are.
func BenchmarkDistributionStream(b *testing.B) {
	p := params64(spec.ScaleLambda, 0.9, -5e4, 5e4)
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		start := time.Now()
		for range Distribution(p, spec.Unbounded, dbl(math.Pi)) {
			n++
		}
		b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(n), "ns/output")
	}
}

// A walk keeps two edges, not the outputs behind it: the heap in use does not grow with them
// (the thresholds' exponents do, by a few bits).
func TestStreamIsFlat(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-5000, 0), Hi: num(5000, 0)}
	d, err := NewDistribution(p, spec.Unbounded, num(0, 0))
	require.NoError(t, err)
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var early uint64
	n := 0
	for range d.All() {
		switch n++; n {
		case 100:
			early = inUse()
		case 9900:
			late := inUse()
			require.Less(t, late, early+1<<18)
		}
	}
	require.Equal(t, 10001, n)
}
