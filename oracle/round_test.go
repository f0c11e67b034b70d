package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// probes are the numbers at which rounding turns, for a tiny format: every number,
// every midpoint, and both a quarter of a step to each side and by very little;
// beyond the largest as well.
func (l *lineup) probes() []*big.Rat {
	var out []*big.Rat
	eps := pow2Rat(-200)
	for i := 0; i+1 < len(l.nums); i++ {
		gap := new(big.Rat).Sub(l.nums[i+1], l.nums[i])
		for q := int64(0); q < 4; q++ {
			at := new(big.Rat).Mul(gap, big.NewRat(q, 4))
			at.Add(at, l.nums[i])
			out = append(out, at, new(big.Rat).Add(at, eps), new(big.Rat).Sub(at, eps))
		}
	}
	top := l.nums[len(l.nums)-1]
	out = append(out, top, new(big.Rat).Sub(top, eps), new(big.Rat).Add(top, eps), new(big.Rat).Mul(top, pow2Rat(40)))
	for _, r := range out[:len(out):len(out)] {
		out = append(out, new(big.Rat).Neg(r))
	}
	return out
}

// dyadicOf is the dyadic r, a rational whose denominator is a power of two.
func dyadicOf(r *big.Rat) real.Dyadic {
	return real.NewDyadic(r.Num(), -int64(r.Denom().BitLen()-1))
}

// Round against the list of all data: the nearest, ties to the even significand.
func TestRoundByListing(t *testing.T) {
	for _, f := range tinyFormats {
		l := listFormat(f)
		for _, r := range l.probes() {
			requireSame(t, l.nearest(r), Round(f, dyadicOf(r)), "%s: %v", f.Name, r)
		}
	}
}

func TestRoundExtremes(t *testing.T) {
	f := spec.Binary64
	tiny := real.Pow2(-1 << 60)
	requireSame(t, spec.Zero(false), Round(f, tiny), "tiny")
	requireSame(t, spec.Zero(true), Round(f, tiny.Neg()), "-tiny")
	requireSame(t, spec.Zero(false), Round(f, real.Dyadic{}), "0")
	requireSame(t, spec.Inf(false), Round(f, real.Pow2(1<<60)), "huge")
	requireSame(t, spec.Inf(true), Round(f, real.Pow2(1<<60).Neg()), "-huge")
	// (2 - 2^-53) 2^1023 is the first to overflow.
	threshold := dy(2, 1023).Sub(dy(1, 1023-53))
	requireSame(t, spec.Inf(false), Round(f, threshold), "threshold")
	requireSame(t, spec.FromDyadic(f.MaxFinite()), Round(f, threshold.Sub(real.Pow2(-500))), "below threshold")
	requireSame(t, spec.Zero(false), Round(f, real.Pow2(-1075)), "half the smallest, a tie")
	requireSame(t, num(1, -1074), Round(f, real.Pow2(-1075).Add(real.Pow2(-3000))), "just above it")
}

// RoundRat in both directions, and its defining property on quotients that are
// not dyadic.
func TestRoundRatByListing(t *testing.T) {
	third := big.NewRat(1, 3)
	for _, f := range tinyFormats {
		l := listFormat(f)
		for _, r := range l.probes() {
			for _, s := range []*big.Rat{r, new(big.Rat).Mul(r, third), new(big.Rat).Add(r, third)} {
				for _, dir := range []Direction{Down, Up} {
					requireSame(t, l.directed(s, dir), RoundRat(f, s, dir), "%s: %v toward %d", f.Name, s, dir)
				}
			}
		}
	}
}

func TestRoundRatBinary64(t *testing.T) {
	f := spec.Binary64
	r := newRand(1)
	for range scaled(3000, 300) {
		q := new(big.Rat).SetFrac(
			new(big.Int).SetUint64(r.Uint64()>>uint(r.IntN(64))), new(big.Int).SetUint64(r.Uint64()|1))
		q.Mul(q, pow2Rat(r.Int64N(2300)-1180))
		if r.IntN(2) == 0 {
			q.Neg(q)
		}
		lo, hi := RoundRat(f, q, Down), RoundRat(f, q, Up)
		// lo <= q <= hi, and they are equal or neighbours.
		if lo.IsFinite() {
			require.LessOrEqual(t, ratOf(lo.Dyadic()).Cmp(q), 0)
		} else {
			require.True(t, lo.Same(spec.Inf(true)))
		}
		if hi.IsFinite() {
			require.GreaterOrEqual(t, ratOf(hi.Dyadic()).Cmp(q), 0)
		} else {
			require.True(t, hi.Same(spec.Inf(false)))
		}
		exact := lo.IsFinite() && ratOf(lo.Dyadic()).Cmp(q) == 0
		require.Equal(t, exact, lo.Cmp(hi) == 0)
		if !exact {
			require.Zero(t, f.NextUp(lo).Cmp(hi), "%v: [%v, %v]", q, lo, hi)
		}
	}
	small := pow2Rat(-2000)
	requireSame(t, spec.Zero(false), RoundRat(f, small, Down), "down to +0")
	requireSame(t, num(1, -1074), RoundRat(f, small, Up), "up to the smallest")
	requireSame(t, spec.Zero(true), RoundRat(f, small.Neg(small), Up), "up to -0")
	requireSame(t, spec.Zero(false), RoundRat(f, new(big.Rat), Up), "0")
	big2 := pow2Rat(3000)
	requireSame(t, spec.FromDyadic(f.MaxFinite()), RoundRat(f, big2, Down), "down to the largest")
	requireSame(t, spec.Inf(false), RoundRat(f, big2, Up), "up to infinity")
	assert.Equal(t, Direction(-1), Down)
}
