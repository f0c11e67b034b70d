package proofs

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The documents of this repository, with every instance of every check.
func TestRepository(t *testing.T) {
	share := 1.0
	if testing.Short() {
		share = 0.05
	}
	reg := Default()
	require.NoError(t, reg.Validate())
	r, err := Audit("../..", reg, share)
	require.NoError(t, err)
	for _, p := range r.Problems {
		t.Error(p)
	}
	var b bytes.Buffer
	require.NoError(t, r.WriteChecks(&b))
	t.Logf("\n%s", b.String())
}

// Every check that compares positive sides fails when its right sides shrink below
// the tightest ratio it saw: it does evaluate what it says.
func TestChecksFailWhenPerturbed(t *testing.T) {
	perturbed := 0
	for _, c := range Default().Checks {
		const share = 0.02
		before := c.run(share, honest(), nil)
		require.True(t, before.OK(), "(%s): %s", c.Label, before.First)
		if before.Tightest == 0 {
			continue
		}
		factor := ratNum(new(big.Rat).SetFloat64(before.Tightest * (1 - 0x1p-30)))
		after := c.run(share, honest(), &factor)
		assert.False(t, after.OK(), "(%s) holds with its right sides multiplied by %v", c.Label, before.Tightest)
		perturbed++
	}
	assert.Greater(t, perturbed, 50)
}

// Checks of statements rather than sides fail on code with a fault.
func TestChecksSeeWrongCode(t *testing.T) {
	wrong := func(change func(*subject)) subject { s := honest(); change(&s); return s }
	awayFromZero := wrong(func(s *subject) {
		s.round = func(x, unit float64, _ spec.Ties) (float64, error) { return math.Round(x/unit) * unit, nil }
	})
	truncated := wrong(func(s *subject) {
		s.round = func(x, unit float64, _ spec.Ties) (float64, error) { return math.Trunc(x/unit) * unit, nil }
	})
	lowUnit := wrong(func(s *subject) {
		right := s.unit
		s.unit = func(x float64) (float64, error) { u, err := right(x); return u / 2, err }
	})
	nextLn := wrong(func(s *subject) {
		right := s.ln
		s.ln = func(m uint64, e int64) float64 { return math.Nextafter(right(m, e), 0) }
	})
	shifted := wrong(func(s *subject) {
		right := s.uniform
		s.uniform = func(b []byte, k spec.Kind) (uint64, int64, int, error) {
			m, e, n, err := right(b, k)
			return m, e + 1, n, err
		}
	})
	unclamped := wrong(func(s *subject) { s.clamp = func(x, _, _ float64) (float64, error) { return x, nil } })
	chopped := wrong(func(s *subject) { // an addition that rounds toward -inf
		s.add = func(a, b spec.Value) spec.Value {
			w := oracle.Add(spec.Binary64, a, b)
			if w.IsFinite() && w.Dyadic().Cmp(a.Dyadic().Add(b.Dyadic())) > 0 {
				return spec.Binary64.NextDown(w)
			}
			return w
		}
	})
	oneTie := wrong(func(s *subject) {
		s.round = func(x, unit float64, _ spec.Ties) (float64, error) { return math.Floor(x/unit+0.5) * unit, nil }
	})
	halved := wrong(func(s *subject) {
		s.clamp = func(x, lo, hi float64) (float64, error) {
			if x > hi {
				return lo/2 + hi/2, nil
			}
			return max(x, lo), nil
		}
	})
	narrow := wrong(func(s *subject) { // an addition that keeps 24 bits
		s.add = func(a, b spec.Value) spec.Value {
			w := oracle.Add(spec.Binary64, a, b)
			if !w.IsFinite() || w.IsZero() {
				return w
			}
			return spec.FromDyadic(w.Dyadic().Truncated(24, true))
		}
	})
	checks := map[string]Check{}
	for _, c := range Default().Checks {
		checks[c.Label] = c
	}
	for _, c := range []struct {
		label string
		sub   subject
	}{
		{"round.3", awayFromZero}, {"round.2", truncated}, {"round.4", truncated}, {"round.5", awayFromZero}, {"round.6", oneTie},
		{"lambda.1", lowUnit}, {"lambda.3", lowUnit}, {"ln.6", nextLn}, {"ln.8", nextLn}, {"uniform.1", shifted},
		{"clamp.1", unclamped}, {"clamp.3", halved}, {"6.1.5", chopped}, {"6.1.10", chopped}, {"bound.1", narrow},
	} {
		r := checks[c.label].run(1, c.sub, nil)
		assert.False(t, r.OK(), "(%s) holds of wrong code", c.label)
	}
}

// A witness that refutes nothing is seen: a bound that is true at it.
func TestRefutationsCanFail(t *testing.T) {
	w := small
	w.c, w.a = "15", "60"
	assert.False(t, w.exceeds("x").run(1, honest(), nil).OK())
	inside := printedConst(intNum(3))
	assert.False(t, inside.excludes(intNum(3)), "3 is in its own pair")
	assert.True(t, inside.excludes(intNum(4)))
}

func TestNum(t *testing.T) {
	third := fracNum(1, 3)
	for _, c := range []struct {
		a, b Num
		want int
	}{
		{third, fracNum(1, 3), 0}, {third, fracNum(1, 2), -1}, {intNum(2).ln().exp(), fracNum(21, 10), -1},
		{ptNum(real.Pow2(-1 << 50)), intNum(0), 1}, {ptNum(real.Pow2(-1 << 50)).ln(), intNum(-1 << 49), -1},
		{intNum(-1).abs(), intNum(1), 0}, {intNum(2).ln().neg().abs(), fracNum(69, 100), 1}, {pow2Num(-5000), pow2Num(-5000), 0},
	} {
		got, err := c.a.cmp(c.b)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	_, err := intNum(2).ln().exp().cmp(intNum(2))
	assert.ErrorIs(t, err, errUndecided)
	_, err = intNum(-1).ln().cmp(intNum(2))
	assert.ErrorIs(t, err, real.ErrLnDomain)
	_, err = intNum(1).quo(intNum(0)).cmp(intNum(2))
	assert.ErrorIs(t, err, real.ErrDivideByZero)
	_, err = parseNum("x").cmp(intNum(2))
	assert.Error(t, err)
	_, err = floatNum(math.Inf(1)).cmp(intNum(2))
	assert.Error(t, err)
	for want, a := range map[string]Num{"0.333...": third, "-0.693...": intNum(2).ln().neg(), "2.718...": intNum(1).exp()} {
		got, err := decimal(a, 3)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err = decimal(intNum(2).ln().exp(), 3)
	assert.True(t, errors.Is(err, errUndecided))
}

// The search finds the edge of an initial segment from any hint, and its two ends.
func TestFirstOutside(t *testing.T) {
	for _, kind := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
		d := draws{kind}
		for _, want := range []int64{1, 5, 1 << 20} {
			edge := addInt(d.end(), -want)
			at := d.value(edge)
			for _, hint := range []*big.Int{edge, addInt(edge, 3), addInt(edge, -1<<40), d.end()} {
				got := d.firstOutside(func(u spec.U) bool { return u.Value(spec.Binary64).Cmp(at) < 0 }, hint)
				assert.Zero(t, got.Cmp(edge), "%s: %v, hint %v", kind, got, hint)
			}
		}
		all := d.firstOutside(func(spec.U) bool { return true }, d.near(real.Pow2(-9)))
		assert.Zero(t, all.Cmp(d.end()))
	}
	none := draws{spec.FloatRange}.firstOutside(func(spec.U) bool { return false }, big.NewInt(1000))
	assert.Zero(t, none.Cmp(big.NewInt(1)))
}
