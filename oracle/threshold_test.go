package oracle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The numbering of the draws is increasing, without gaps in the mass, and above
// inverts it: all of tiny FloatRange grids, the end of the unbounded one.
func TestGrid(t *testing.T) {
	one := big.NewInt(1)
	for _, f := range []spec.Format{spec.Small(2, 0, 0), spec.Small(3, -2, 3), spec.Small(5, -3, 0), spec.Small(2, -5, 1)} {
		for _, k := range bothKinds {
			g := newGrid(f, k)
			n := new(big.Int).Set(g.low)
			if k == spec.FloatRange {
				require.True(t, g.value(n).Equal(f.MinPositive()))
				require.True(t, g.below(n).IsZero())
				require.True(t, g.least().Value(f).Equal(f.MinPositive()))
			} else {
				require.True(t, g.value(n).Equal(real.Pow2(-spec.MaxE)))
				n.SetInt64(-200)
			}
			for ; n.Sign() < 0; n.Add(n, one) {
				v, next := g.value(n), g.value(new(big.Int).Add(n, one))
				width := real.Pow2(max(v.Top()-int64(f.Precision)+1, f.Quantum()))
				if k == spec.Unbounded {
					width = real.Pow2(v.Top() - int64(f.Precision) + 1)
				}
				require.True(t, next.Sub(v).Equal(width))
				for _, d := range []real.Dyadic{v, v.Add(width.Shift(-1)), v.Add(width.Shift(-9))} {
					require.Zero(t, g.above(d).Cmp(new(big.Int).Add(n, one)), "above %v", d)
				}
			}
			require.True(t, g.value(n).Equal(real.One()))
			require.True(t, g.below(n).Equal(g.den))
			require.Zero(t, g.above(real.One()).Sign())
		}
	}
	b := newGrid(spec.Binary64, spec.FloatRange)
	require.True(t, b.value(b.low).Equal(real.Pow2(-1074)))
	require.Zero(t, b.above(real.Pow2(-1100)).Cmp(b.low))
	u := newGrid(spec.Binary64, spec.Unbounded)
	require.Zero(t, u.above(real.Pow2(-spec.MaxE-5)).Cmp(u.low))
}

// drawOf is the draw with number n as a pair, from its value.
func drawOf(f spec.Format, d real.Dyadic) spec.U {
	p1 := int64(f.Precision) - 1
	m := d.Floor(d.Top() - p1)
	return spec.U{M: m.SetBit(m, int(p1), 0).Uint64(), E: -d.Top()}
}

// randCrossing draws binary64 parameters of every size and an edge.
func randCrossing(r *rand.Rand) (q crossing, c real.Dyadic, ok bool) {
	k := bothKinds[r.IntN(2)]
	value := math.Ldexp(1+r.Float64(), r.IntN(2000)-1000)
	switch r.IntN(3) {
	case 0: // subnormals, and Lambda up to the largest
		value = math.Ldexp(1+r.Float64(), []int{-1074 + r.IntN(60), 1010 + r.IntN(13)}[r.IntN(2)])
	case 1:
		value = math.Ldexp(1+r.Float64(), r.IntN(20)-10)
	}
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(value)}
	lambda := value
	if r.IntN(2) == 0 {
		p.Scale, lambda = spec.ScaleEpsilon, 1/value
	}
	size := []int{4, 8, 12, 30, 56}[r.IntN(5)]
	span := math.Ldexp(lambda, r.IntN(size))
	lo := max(span*(2*r.Float64()-1.2), -math.MaxFloat64)
	hi := min(lo+span*r.Float64(), math.MaxFloat64)
	p.Lo, p.Hi = dbl(lo), dbl(hi)
	f := lo + (hi-lo)*r.Float64()
	if math.IsInf(lambda, 0) || math.IsNaN(f) || lo > hi {
		return q, c, false
	}
	d, err := NewDistribution(p, k, dbl(f))
	if err != nil {
		return q, c, false
	}
	edge := dbl(lo + (hi-lo)*r.Float64()).Dyadic()
	n := NearestMultiple(edge, d.unit.Top(), spec.TiesUp)
	return d.q, real.NewDyadic(n, d.unit.Top()).Add(d.unit.Shift(-1)), true
}

// SnapF itself at the threshold and at the draw before it: w on different sides of
// the edge, and the guess is seldom wrong.
func TestThresholdAgainstSnapF(t *testing.T) {
	r := newRand(75)
	tested, guessed, ends := 0, 0, 0
	for range scaled(3000, 300) {
		q, c, ok := randCrossing(r)
		if !ok {
			continue
		}
		n := q.threshold(c)
		s := spec.Sign(-1)
		if q.down(c) {
			s = 1
		}
		crosses := func(n *big.Int) bool {
			tr, err := SnapF(q.p, q.x, drawOf(q.p.Format, q.g.value(n)), s)
			require.NoError(t, err)
			return (tr.W.Cmp(spec.FromDyadic(c)) < 0) == (s == 1)
		}
		before := new(big.Int).Sub(n, big.NewInt(1))
		if n.Sign() < 0 {
			require.False(t, crosses(n), "%v, x = %v, edge %v", q.p, q.x, c)
		}
		if n.Cmp(q.g.low) > 0 {
			require.True(t, crosses(before), "%v, x = %v, edge %v", q.p, q.x, c)
		} else {
			require.Equal(t, spec.FloatRange, q.g.kind)
			ends++
		}
		tested++
		if q.guess(c).Cmp(n) == 0 {
			guessed++
		}
	}
	assert.Positive(t, ends)
	assert.Greater(t, guessed, tested*9/10)
	t.Logf("%d thresholds, %d guessed, %d at the end of the draws", tested, guessed, ends)
}

// A threshold does not depend on where the search starts: moving the edge within
// the gap between two numbers moves nothing, and each search agrees with bisection
// of the whole grid.
func TestThresholdByBisection(t *testing.T) {
	r := newRand(76)
	tested := 0
	for range scaled(150, 20) {
		q, c, ok := randCrossing(r)
		if !ok {
			continue
		}
		lo := new(big.Int).Sub(q.g.low, big.NewInt(1))
		hi := new(big.Int)
		for new(big.Int).Sub(hi, lo).Cmp(big.NewInt(1)) > 0 {
			mid := new(big.Int).Add(hi, lo)
			mid.Rsh(mid, 1)
			if q.crosses(c, mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		require.Zero(t, hi.Cmp(q.threshold(c)))
		tested++
	}
	require.Greater(t, tested, scaled(50, 4))
}

// The farthest thresholds allowed: B = 2^57 lambda, probabilities near 2^-(2^59),
// an enclosure of their loss, and neither time nor memory to match.
func TestFarTail(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-1, 57), Hi: num(1, 57)}
	lo, err := Probability(p, spec.Unbounded, p.Hi, p.Lo)
	require.NoError(t, err)
	require.Less(t, lo.Num.Top(), int64(-1)<<58)
	below, err := Probability(p, spec.Unbounded, num(1<<47-1, 10), p.Lo)
	require.NoError(t, err)
	require.Positive(t, below.Cmp(lo))
	_, ok := lo.Rat()
	require.False(t, ok)
	ln, err := lo.Ln(80)
	require.NoError(t, err)
	require.True(t, ln.Hi.Cmp(real.Pow2(58).Neg().Shift(-1)) < 0)
	loss, infinite, err := LossOf(lo, below, 40)
	require.NoError(t, err)
	require.False(t, infinite)
	// D/lambda = 2^10, kappa = 2^57 eta/lambda = 16, c = 15 and a little.
	require.True(t, loss.Lo.Cmp(real.FromInt64(1024-16*16)) > 0 && loss.Hi.Cmp(real.FromInt64(1024+16*16)) < 0, "%v", loss)
	// Around x every probability is ordinary.
	at, err := Probability(p, spec.Unbounded, num(0, 0), num(0, 0))
	require.NoError(t, err)
	r, ok := at.Rat()
	require.True(t, ok)
	require.Negative(t, r.Cmp(big.NewRat(1, 2)))
	// FloatRange has no limit: its draws end, and so does the walk.
	p.Lo, p.Hi = num(-1, 1000), num(1, 1000)
	n := 0
	d, err := NewDistribution(p, spec.FloatRange, num(1, 0))
	require.NoError(t, err)
	sum := real.Dyadic{}
	for _, pr := range d.All() {
		sum = sum.Add(pr.Num)
		n++
	}
	require.True(t, sum.Equal(d.q.g.den))
	require.Greater(t, n, 1400)
	// The logarithm overflows long before the draws end, with 2^27 candidates between
	// the outputs, lo, x and hi: they are skipped.
	small := spec.SnapParams{Format: spec.Small(24, -60, 3), Scale: spec.ScaleLambda, Value: num(1, -60), Lo: num(-8, 0), Hi: num(8, 0)}
	d, err = NewDistribution(small, spec.FloatRange, num(1, 0))
	require.NoError(t, err)
	sum, n = real.Dyadic{}, 0
	for _, pr := range d.All() {
		sum = sum.Add(pr.Num)
		n++
	}
	require.True(t, sum.Equal(d.q.g.den))
	require.Equal(t, 3, n)
}
