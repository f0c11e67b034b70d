package mutants

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// chance is Pr[r = 0 | f] for the stages at p bits with the unbounded draw of p bits
// and a fair sign, exactly: for either sign r is monotone in u, so that two places
// in the order of the draws decide, and Pr[u < t] = t.
func chance(g *wideStages, p uint, f, bound float64) real.Dyadic {
	one := new(big.Int).Lsh(big.NewInt(1), p-1)
	split := func(n *big.Int) (m *big.Int, e int64) { // n = m - e 2^(p-1)
		top := new(big.Int).Rsh(n, p-1)
		return new(big.Int).Sub(n, new(big.Int).Lsh(top, p-1)), -top.Int64()
	}
	value := func(n *big.Int) real.Dyadic {
		m, e := split(n)
		return real.NewDyadic(m.Add(m, one), -int64(p-1)-e)
	}
	total := real.Dyadic{}
	for _, s := range []string{"+1", "-1"} {
		sign := func(n *big.Int) int { // of the output, turned so that it grows with u
			m, e := split(n)
			r := g.snap(wire.Values{
				"precision": wire.NewInt(int64(p)), "scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": wire.NewRat(big.NewRat(1, 1)),
				"lo": wire.NewFloat(-bound), "hi": wire.NewFloat(bound), "f": wire.NewFloat(f), "m": wire.NewBig(m), "e": wire.NewInt(e), "s": wire.NewWord(wire.Sign, s),
			}).Out["r"].Rat().Sign()
			if s == "-1" {
				return -r
			}
			return r
		}
		least := func(serves func(int) bool) real.Dyadic { // the least draw that serves, or 1
			lo, hi := new(big.Int).Mul(one, big.NewInt(-2000)), new(big.Int)
			for new(big.Int).Sub(hi, lo).Cmp(big.NewInt(1)) > 0 {
				mid := new(big.Int).Add(lo, hi)
				if mid.Rsh(mid, 1); serves(sign(mid)) {
					hi = mid
				} else {
					lo = mid
				}
			}
			return value(hi)
		}
		up := least(func(r int) bool { return r > 0 })
		total = total.Add(up.Sub(least(func(r int) bool { return r >= 0 })))
	}
	return total.Shift(-1)
}

// What must have p bits for eta = 2^-p to be charged. Loss above |f - f'|/lambda = 1
// at the witness of proofs/precision-118.md, against the published (12 B + 2) 2^-118:
// noise that is rounded to a double before it is added exceeds it by 2^60; noise of
// 118 bits whose exact sum with f is rounded to a double does not, because that
// rounding looks at the sum alone and is post-processing.
func TestWhatMustBeWide(t *testing.T) {
	const p, bound = 118, 300
	f, f2 := 0x1.ff183b9dceae2p+7, 0x1.008c1dcee7571p+8
	claim := real.FromInt64(12*bound + 2).Shift(-p)
	for _, c := range []struct {
		name   string
		spoil  func(g *wideStages)
		breaks bool
	}{
		{"every operation at 118 bits", func(*wideStages) {}, false},
		{"the exact sum rounded to a double", func(g *wideStages) {
			g.add = func(p uint, x, z *big.Float) *big.Float {
				return number(p).Set(new(big.Float).SetPrec(53).Add(x, z))
			}
		}, false},
		{"the noise rounded to a double", func(g *wideStages) {
			right := g.y
			g.y = func(p uint, value, ln *big.Float, inverse bool) *big.Float {
				return inBinary64(right(p, value, ln, inverse))
			}
		}, true},
		{"the logarithm rounded to a double", func(g *wideStages) {
			right := g.ln
			g.ln = func(p uint, m *big.Int, e int64) *big.Float { return inBinary64(right(p, m, e)) }
		}, true},
		{"a draw of 53 bits", func(g *wideStages) {
			g.draw = func(m *big.Int, p uint) *big.Int {
				m = new(big.Int).Rsh(m, p-53)
				return m.Lsh(m, p-53)
			}
		}, true},
	} {
		g := rightWide()
		c.spoil(g)
		a, b := chance(g, p, f, bound), chance(g, p, f2, bound)
		require.True(t, a.Sign() > 0 && b.Sign() > 0)
		// The exact distribution of package oracle knows the right one.
		d, err := oracle.NewDistribution(spec.SnapParams{
			Format: spec.Wide(p), Scale: spec.ScaleLambda, Value: spec.FromFloat64(1), Lo: spec.FromFloat64(-bound), Hi: spec.FromFloat64(bound),
		}, spec.Unbounded, spec.FromFloat64(f))
		require.NoError(t, err)
		pr, err := d.At(spec.Zero(false))
		require.NoError(t, err)
		assert.Equal(t, !c.breaks && c.name != "the exact sum rounded to a double", pr.Num.Equal(a), c.name)
		quotient, err := real.Point(a).Quo(real.Point(b), 400)
		require.NoError(t, err)
		loss, err := real.LnInterval(quotient, 300)
		require.NoError(t, err)
		excess := loss.Sub(real.Point(real.One()), 300)
		size := excess.Hi.Abs()
		assert.Equal(t, c.breaks, excess.Lo.Cmp(claim) > 0 || excess.Hi.Cmp(claim.Neg()) < 0, c.name)
		t.Logf("%-36s loss - 1 about 2^%d, sign %d; claim 2^%d", c.name, size.Top(), excess.Hi.Sign(), claim.Top())
	}
}
