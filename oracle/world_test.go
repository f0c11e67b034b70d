package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// noises yields every scale of a format that has a Lambda.
func noises(t *testing.T, f spec.Format, k spec.Kind, visit func(p spec.SnapParams, n *Noise)) {
	seen := 0
	for _, s := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
		for v := spec.FromDyadic(f.MinPositive()); v.IsFinite(); v = f.NextUp(v) {
			p := spec.SnapParams{Format: f, Scale: s, Value: v, Lo: spec.Zero(false), Hi: spec.Zero(false)}
			n, err := NewNoise(p, k)
			if _, fail := Unit(p); fail != nil {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			visit(p, n)
			seen++
		}
	}
	require.Positive(t, seen)
}

// magnitude is |y| of a draw, by the mechanism itself with input 0.
func magnitude(t *testing.T, p spec.SnapParams, u spec.U) spec.Value {
	trace, err := SnapF(p, spec.Zero(false), u, -1)
	require.NoError(t, err)
	return trace.Z.PlusZero()
}

// The draw that ends in a tail is the least that does not reach it: it does not, and
// the one before it does.
func TestNoiseTailIsAThreshold(t *testing.T) {
	for _, f := range []spec.Format{spec.Small(2, -1, 1), spec.Small(3, -2, 2), spec.Small(4, 0, 0)} {
		noises(t, f, spec.Unbounded, func(p spec.SnapParams, n *Noise) {
			require.True(t, n.TailOfZero().Num.Equal(real.One()))
			last := n.TailOfZero()
			for y := spec.FromDyadic(f.MinPositive()); ; y = f.NextUp(y) {
				pr, err := n.Tail(y)
				require.NoError(t, err)
				require.LessOrEqual(t, pr.Cmp(last), 0)
				last = pr
				d := pr.Num
				if d.Cmp(real.One()) < 0 {
					require.Negative(t, magnitude(t, p, drawOf(f, d)).Cmp(y), "%v: %v reaches %v", p, d, y)
				}
				step := d.Top() - int64(f.Precision) + 1
				if d.IsPow2() {
					step--
				}
				require.GreaterOrEqual(t, magnitude(t, p, drawOf(f, d.Sub(real.Pow2(step)))).Cmp(y), 0, "%v: below %v", p, d)
				if y.IsInf() {
					break
				}
			}
		})
	}
}

// For FloatRange the tails are sums over all draws.
func TestNoiseTailSums(t *testing.T) {
	for _, f := range []spec.Format{spec.Small(2, -2, 1), spec.Small(3, -2, 2)} {
		noises(t, f, spec.FloatRange, func(p spec.SnapParams, n *Noise) {
			g := newGrid(f, spec.FloatRange)
			mass := map[string]real.Dyadic{}
			var ys []spec.Value
			for i := new(big.Int).Set(g.low); i.Sign() < 0; i.Add(i, big.NewInt(1)) {
				next := new(big.Int).Add(i, big.NewInt(1))
				y := magnitude(t, p, drawOf(f, g.value(i)))
				ys = append(ys, y)
				mass[y.String()] = mass[y.String()].Add(g.value(next).Sub(g.value(i)))
			}
			for y := spec.FromDyadic(f.MinPositive()); ; y = f.NextUp(y) {
				var want real.Dyadic
				done := map[string]bool{}
				for _, v := range ys {
					if v.Cmp(y) >= 0 && !done[v.String()] {
						want = want.Add(mass[v.String()])
						done[v.String()] = true
					}
				}
				got, err := n.Tail(y)
				require.NoError(t, err)
				require.True(t, want.Equal(got.Num), "%v: Pr[Y >= %v] is %v, not %v", p, y, want, got)
				require.True(t, got.Den.Equal(n.TailOfZero().Num))
				if y.IsInf() {
					break
				}
			}
		})
	}
}

func TestNoiseRejects(t *testing.T) {
	f := spec.Small(3, -2, 2)
	p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: spec.FromDyadic(real.One())}
	n, err := NewNoise(p, spec.Unbounded)
	require.NoError(t, err)
	require.True(t, n.Unit().Dyadic().Equal(real.One()))
	for _, y := range []spec.Value{spec.Zero(false), spec.NaN(), spec.Inf(true), num(1, -9), num(-1, 0), num(1, 5)} {
		_, err := n.Tail(y)
		require.Error(t, err, "%v", y)
	}
	_, err = NewNoise(p, "x")
	require.Error(t, err)
	p.Value = spec.FromDyadic(f.MaxFinite())
	_, err = NewNoise(p, spec.Unbounded)
	require.Error(t, err, "Lambda is beyond the format")
	p.Value = spec.Zero(false)
	_, err = NewNoise(p, spec.Unbounded)
	require.Error(t, err)
	_, err = NewNoise(spec.SnapParams{}, spec.Unbounded)
	require.Error(t, err)
}
