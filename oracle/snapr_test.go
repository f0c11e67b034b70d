package oracle

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ratInterval is [lo, hi] in rationals.
type ratInterval struct{ lo, hi *big.Rat }

// times multiplies by a positive number.
func (a ratInterval) times(k *big.Rat) ratInterval {
	return ratInterval{new(big.Rat).Mul(a.lo, k), new(big.Rat).Mul(a.hi, k)}
}

func (a ratInterval) neg() ratInterval {
	return ratInterval{new(big.Rat).Neg(a.hi), new(big.Rat).Neg(a.lo)}
}

func (a ratInterval) plus(k *big.Rat) ratInterval {
	return ratInterval{new(big.Rat).Add(a.lo, k), new(big.Rat).Add(a.hi, k)}
}

// requireHolds checks that x, from the code, contains all of judge.
func requireHolds(t *testing.T, judge ratInterval, x real.Interval, what string) {
	t.Helper()
	require.True(t, ratOf(x.Lo).Cmp(judge.lo) <= 0 && judge.hi.Cmp(ratOf(x.Hi)) <= 0, "%s: [%v, %v]", what, x.Lo, x.Hi)
}

// requireRelative checks hi - lo <= 2^-prec |x|.
func requireRelative(t *testing.T, x real.Interval, prec uint, what string) {
	t.Helper()
	least := real.Min(x.Lo.Abs(), x.Hi.Abs())
	require.LessOrEqual(t, x.Width().Cmp(least.Shift(-int64(prec))), 0, "%s: [%v, %v] is too wide", what, x.Lo, x.Hi)
}

// clampRat is the clamp on rationals.
func clampRat(x, lo, hi *big.Rat) *big.Rat {
	switch {
	case x.Cmp(lo) < 0:
		return lo
	case x.Cmp(hi) > 0:
		return hi
	}
	return x
}

// SnapR against interval reasoning in rationals over the independent judge of ln,
// and SnapF's stages next to SnapR's.
func TestSnapRAgainstRationals(t *testing.T) {
	r := newRand(70)
	eta := pow2Rat(-53)
	disagree := 0
	n := scaled(1500, 150)
	for range n {
		c := randSnap(r, false)
		if c.u.E > 1<<21 {
			c.u.E = 40
		}
		prec := uint(1 + r.IntN(40))
		u := c.u.Value(c.p.Format)
		got, err := SnapR(c.p, c.f, u, c.s, prec)
		require.NoError(t, err)

		lo, hi := judgeLn(ratOf(u))
		ell := ratInterval{lo, hi}
		scale := ratOf(c.p.Value.Dyadic())
		least := scale // what Lambda must not be below
		if c.p.Scale == spec.ScaleEpsilon {
			scale = new(big.Rat).Inv(scale)
			least = scale
		}
		y := ell.times(scale)
		z := y
		if c.s < 0 {
			z = y.neg()
		}
		unit := ratOf(got.Unit)
		require.True(t, got.Unit.IsPow2() && unit.Cmp(least) >= 0)
		require.Negative(t, new(big.Rat).Mul(unit, big.NewRat(1, 2)).Cmp(least))

		blo, bhi := ratOf(c.p.Lo.Dyadic()), ratOf(c.p.Hi.Dyadic())
		var x *big.Rat
		switch {
		case c.f.IsInf() && c.f.Signbit():
			x = blo
		case c.f.IsInf():
			x = bhi
		default:
			x = clampRat(ratOf(c.f.Dyadic()), blo, bhi)
		}
		require.Zero(t, x.Cmp(ratOf(got.X)))
		w := z.plus(x)
		requireHolds(t, ell, got.Ln, "ln")
		requireHolds(t, y, got.Y, "y")
		requireHolds(t, z, got.Z, "z")
		requireHolds(t, w, got.W, "w")
		for what, iv := range map[string]real.Interval{"ln": got.Ln, "y": got.Y, "z": got.Z} {
			requireRelative(t, iv, prec, what)
		}
		inv := new(big.Rat).Inv(unit)
		k := nearestInt(new(big.Rat).Mul(w.lo, inv), spec.TiesUp)
		require.Zero(t, k.Cmp(nearestInt(new(big.Rat).Mul(w.hi, inv), spec.TiesUp)), "the judge cannot decide")
		rounded := new(big.Rat).Mul(new(big.Rat).SetInt(k), unit)
		require.Zero(t, rounded.Cmp(ratOf(got.Rounded)), "rounded: %v", got.Rounded)
		require.Zero(t, clampRat(rounded, blo, bhi).Cmp(ratOf(got.R)), "r: %v", got.R)

		// Snap_F: |y_F - y| <= (2 eta + eta^2)|y|, and one rounding more for w.
		f, err := SnapF(c.p, c.f, c.u, c.s)
		require.NoError(t, err)
		abs := new(big.Rat).Abs(y.lo)
		allowed := new(big.Rat).Mul(eta, big.NewRat(21, 10))
		allowed.Mul(allowed, abs)
		requireNear(t, y, f.Y, allowed, "y")
		allowed.Add(allowed, new(big.Rat).Mul(eta, new(big.Rat).Add(abs, new(big.Rat).Abs(x))))
		requireNear(t, w, f.W, allowed, "w")
		requireSame(t, spec.FromDyadic(got.X), f.X, "x")
		require.True(t, f.Unit.Dyadic().Equal(got.Unit))
		if !f.Rounded.Dyadic().Equal(got.Rounded) {
			disagree++
		}
	}
	// A different cell needs w within about 2^-50 of a threshold.
	require.Less(t, disagree, 3)
}

// requireNear checks |v - x| <= allowed for x in the interval.
func requireNear(t *testing.T, x ratInterval, v spec.Value, allowed *big.Rat, what string) {
	t.Helper()
	d := ratOf(v.Dyadic())
	below, above := new(big.Rat).Sub(x.hi, d), new(big.Rat).Sub(d, x.lo)
	require.True(t, below.Cmp(allowed) <= 0 && above.Cmp(allowed) <= 0, "%s: %v is far from the real one", what, v)
}

// Refinement: w within 2^-100 of a threshold is decided on the right side. With
// lambda = 1 and u = 2^-1, x is the number next to ln 2 - 1/2 in a wide format, so
// that w = x - ln 2 lies next to the tie -1/2.
func TestSnapRNearATie(t *testing.T) {
	f := spec.Small(110, -200, 200)
	lo, hi := judgeLn(big.NewRat(2, 1))
	tie := new(big.Rat).Sub(lo, big.NewRat(1, 2))
	for _, dir := range []Direction{Down, Up} {
		p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-8, 0), Hi: num(8, 0)}
		x := RoundRat(f, tie, dir) // off by about 2^-112; the judge knows ln 2 to 2^-120
		w := new(big.Rat).Sub(ratOf(x.Dyadic()), lo)
		w2 := new(big.Rat).Sub(ratOf(x.Dyadic()), hi)
		want := nearestInt(w, spec.TiesUp)
		require.Zero(t, want.Cmp(nearestInt(w2, spec.TiesUp)))
		got, err := SnapR(p, x, real.Pow2(-1), 1, 1)
		require.NoError(t, err)
		require.Zero(t, ratOf(got.Rounded).Cmp(new(big.Rat).SetInt(want)))
		require.Equal(t, dir == Down, got.Rounded.Sign() < 0, "below the tie -1, above it 0")
	}
}
