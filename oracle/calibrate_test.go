package oracle

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// account is (D + c max(B, b lambda) eta)/lambda + a eta, exactly, from the words
// of docs/theory.md 2.4 and nothing else.
func account(f spec.Format, c spec.Claim, d, bound, lambda *big.Rat) *big.Rat {
	eta := pow2Rat(-int64(f.Precision))
	effective := new(big.Rat).Mul(big.NewRat(c.Floor, 1), lambda)
	if effective.Cmp(bound) < 0 {
		effective = bound
	}
	loss := new(big.Rat).Mul(big.NewRat(c.C, 1), effective)
	loss.Mul(loss, eta).Add(loss, d).Quo(loss, lambda)
	return loss.Add(loss, new(big.Rat).Mul(big.NewRat(c.A, 1), eta))
}

// requireCalibration checks every promise of a successful calibration.
func requireCalibration(t *testing.T, g Budget, c spec.Claim, got Calibration) {
	t.Helper()
	f := g.Format
	eps, d := ratOf(g.Epsilon.Dyadic()), ratOf(g.Sensitivity.Dyadic())
	bound := ratOf(spec.Bound(g.Lo, g.Hi))
	eta := pow2Rat(-int64(f.Precision))
	lambda := ratOf(got.Lambda.Dyadic())

	exact := account(f, c, d, bound, lambda)
	require.LessOrEqual(t, exact.Cmp(eps), 0, "%v: lambda = %v costs too much", g, got.Lambda)
	if below := f.NextDown(got.Lambda); !below.IsZero() {
		require.Positive(t, account(f, c, d, bound, ratOf(below.Dyadic())).Cmp(eps), "%v: %v is not the least lambda", g, got.Lambda)
	}
	// achieved: the least number of the format that is not below the exact loss.
	requireTight(t, f, exact, got.Achieved, Up)
	// epsilon_prime is the budget of the ideal mechanism: D/lambda at the exact,
	// unrounded lambda.
	a, b := new(big.Rat).Mul(big.NewRat(c.A, 1), eta), new(big.Rat).Mul(big.NewRat(c.C, 1), eta)
	first := new(big.Rat).Sub(eps, a)
	over := new(big.Rat).Add(new(big.Rat).Quo(new(big.Rat).Mul(b, bound), d), big.NewRat(1, 1))
	first.Quo(first, over)
	second := new(big.Rat).Sub(eps, a)
	second.Sub(second, new(big.Rat).Mul(b, big.NewRat(c.Floor, 1)))
	if second.Cmp(first) < 0 {
		first = second
	}
	requireTight(t, f, first, got.EpsilonPrime, Down)
	// D/epsilon_prime, exactly, is a scale whose account is epsilon exactly.
	require.Zero(t, account(f, c, d, bound, new(big.Rat).Quo(d, first)).Cmp(eps))

	unit := ratOf(got.Unit.Dyadic())
	require.True(t, got.Unit.Dyadic().IsPow2())
	require.GreaterOrEqual(t, unit.Cmp(lambda), 0)
	require.True(t, new(big.Rat).Quo(unit, big.NewRat(2, 1)).Cmp(lambda) < 0 || got.Unit.Same(spec.FromDyadic(f.MinPositive())))
}

// requireTight checks that v is exact rounded in dir: on the right side, and its
// neighbour on the other.
func requireTight(t *testing.T, f spec.Format, exact *big.Rat, v spec.Value, dir Direction) {
	t.Helper()
	c := 1 // of +Inf with anything
	if v.IsFinite() {
		c = ratOf(v.Dyadic()).Cmp(exact)
	}
	require.GreaterOrEqual(t, c*int(dir), 0, "%v is on the wrong side", v)
	next := f.NextDown(v)
	if dir == Down {
		next = f.NextUp(v)
	}
	if c != 0 && next.IsFinite() {
		require.Negative(t, ratOf(next.Dyadic()).Cmp(exact)*int(dir), "%v is not the nearest on its side", v)
	}
}

var claimsUnderTest = []spec.Claim{
	spec.Published, spec.Proved, {C: 24, A: 5}, {}, {C: 0, A: 7, Floor: 3}, {C: 1000, A: 0, Floor: 10},
}

func TestCalibrateBinary64(t *testing.T) {
	r := newRand(50)
	done := 0
	for range scaled(3000, 300) {
		b := math.Ldexp(1+r.Float64(), r.IntN(60)-20)
		g := Budget{
			Format: spec.Binary64, Epsilon: dbl(math.Ldexp(1+r.Float64(), r.IntN(40)-30)),
			Sensitivity: dbl(math.Ldexp(1+r.Float64(), r.IntN(30)-15)), Lo: dbl(-b * r.Float64()), Hi: dbl(b),
		}
		if r.IntN(4) == 0 {
			g.Epsilon = num(1+r.Int64N(64), -r.Int64N(50)) // near the floor, few bits
		}
		c := claimsUnderTest[r.IntN(len(claimsUnderTest))]
		got, err := Calibrate(g, c)
		if err != nil {
			requireReject(t, err, spec.HypothesisBroken, "")
			continue
		}
		done++
		requireCalibration(t, g, c, got)
	}
	require.Greater(t, done, scaled(2000, 200))
}

// Every budget of a tiny format and every small claim: success has all its
// properties, and each rejection its reason, by trying every lambda of the list.
func TestCalibrateTinyExhaustively(t *testing.T) {
	kinds := map[spec.Rejection]int{}
	f := spec.Small(7, -3, 3) // B < 2^0 lambda
	g := Budget{Format: f}
	l := listFormat(f)
	step := scaled(61, 97)
	for e := 1; e < len(l.nums)-1; e += 29 {
		for d := 1; d < len(l.nums)-1; d += step {
			for _, b := range []int{0, 1, 40, 200, 300, len(l.nums) - 2} {
				for _, c := range []spec.Claim{{}, {C: 1, A: 2}, {C: 3, A: 1, Floor: 2}} {
					g.Epsilon, g.Sensitivity, g.Lo, g.Hi = l.at(e), l.at(d), l.at(b).Neg(), l.at(b/2)
					got, err := Calibrate(g, c)
					if err == nil {
						requireCalibration(t, g, c, got)
						kinds["none"]++
						continue
					}
					kinds[requireReason(t, l, g, c, err)]++
				}
			}
		}
	}
	for _, k := range []spec.Rejection{"none", spec.HypothesisBroken, spec.Overflow} {
		assert.Greater(t, kinds[k], 20, "%s: %v", k, kinds)
	}
}

// requireReason decides the rejection from the definition.
func requireReason(t *testing.T, l *lineup, g Budget, c spec.Claim, err error) spec.Rejection {
	t.Helper()
	eps, d, bound := ratOf(g.Epsilon.Dyadic()), ratOf(g.Sensitivity.Dyadic()), ratOf(spec.Bound(g.Lo, g.Hi))
	eta := pow2Rat(-int64(l.f.Precision))
	if eps.Cmp(new(big.Rat).Mul(big.NewRat(c.A+c.Floor*c.C, 1), eta)) <= 0 {
		requireReject(t, err, spec.HypothesisBroken, "epsilon-above-floor")
		return spec.HypothesisBroken
	}
	for i := 1; i < len(l.nums)-1; i++ { // the least lambda that does
		lambda := l.nums[i]
		if account(l.f, c, d, bound, lambda).Cmp(eps) > 0 {
			continue
		}
		if bound.Cmp(new(big.Rat).Mul(lambda, pow2Rat(int64(l.f.Precision)-7))) >= 0 {
			requireReject(t, err, spec.HypothesisBroken, "bound-below-2^46-scale")
			return spec.HypothesisBroken
		}
		require.Positive(t, lambda.Cmp(pow2Rat(l.f.EMax)), "lambda = %v and its unit are finite, yet %v", lambda, err)
		requireReject(t, err, spec.Overflow, "unit")
		return spec.Overflow
	}
	requireReject(t, err, spec.Overflow, "lambda")
	return spec.Overflow
}

// B = 2^46 lambda is refused, the double below it is not: epsilon and D are
// chosen so that lambda = 1 for both.
func TestCalibrateBoundEdge(t *testing.T) {
	g := Budget{Format: spec.Binary64, Epsilon: num(1, 0), Sensitivity: num(1, 0), Lo: spec.Zero(false), Hi: num(1, 46)}
	_, err := Calibrate(g, spec.Claim{})
	requireReject(t, err, spec.HypothesisBroken, "bound-below-2^46-scale")
	g.Hi = spec.Binary64.NextDown(g.Hi)
	got, err := Calibrate(g, spec.Claim{})
	require.NoError(t, err)
	requireSame(t, num(1, 0), got.Lambda, "lambda")
	g.Hi, g.Lo = num(1, 0), num(-1, 46) // the lower bound counts as well
	_, err = Calibrate(g, spec.Claim{})
	requireReject(t, err, spec.HypothesisBroken, "bound-below-2^46-scale")

	// epsilon at (a + b c) eta = 2 eta, and one step above.
	g = Budget{Format: spec.Binary64, Epsilon: num(1, -52), Sensitivity: num(1, 0), Lo: num(-1, 0), Hi: num(1, 0)}
	_, err = Calibrate(g, spec.Published)
	requireReject(t, err, spec.HypothesisBroken, "epsilon-above-floor")
	g.Epsilon = spec.Binary64.NextUp(g.Epsilon)
	got, err = Calibrate(g, spec.Published)
	require.NoError(t, err)
	requireCalibration(t, g, spec.Published, got)
}

func TestCalibrateDomainAndOrder(t *testing.T) {
	good := Budget{Format: spec.Binary64, Epsilon: num(1, 0), Sensitivity: num(1, 0), Lo: num(-8, 0), Hi: num(8, 0)}
	set := func(change func(*Budget)) Budget { g := good; change(&g); return g }
	notDatum := num(1<<53+1, 0)
	for _, c := range []struct {
		subject string
		g       Budget
		c       spec.Claim
	}{
		{"format", set(func(g *Budget) { g.Format = spec.Format{} }), spec.Published},
		{"constant", good, spec.Claim{C: -1}}, {"constant", good, spec.Claim{C: MaxConstant + 1}},
		{"additive", good, spec.Claim{A: -1}}, {"floor", good, spec.Claim{Floor: -1}},
		{"floor", good, spec.Claim{Floor: MaxConstant + 1}}, {"additive", good, spec.Claim{A: MaxConstant + 1}},
		{"epsilon", set(func(g *Budget) { g.Epsilon = spec.Zero(false) }), spec.Published},
		{"epsilon", set(func(g *Budget) { g.Epsilon = spec.Inf(false) }), spec.Published},
		{"epsilon", set(func(g *Budget) { g.Epsilon = spec.NaN() }), spec.Published},
		{"epsilon", set(func(g *Budget) { g.Epsilon = num(-1, 0) }), spec.Published},
		{"epsilon", set(func(g *Budget) { g.Epsilon = notDatum }), spec.Published},
		{"sensitivity", set(func(g *Budget) { g.Sensitivity = spec.Zero(true) }), spec.Published},
		{"lo", set(func(g *Budget) { g.Lo = spec.Inf(true) }), spec.Published},
		{"lo", set(func(g *Budget) { g.Lo = notDatum.Neg() }), spec.Published},
		{"hi", set(func(g *Budget) { g.Hi = spec.NaN() }), spec.Published},
		{"hi", set(func(g *Budget) { g.Hi = notDatum }), spec.Published},
		{"lo", set(func(g *Budget) { g.Lo = num(9, 0) }), spec.Published},
		// domain comes before hypothesis
		{"lo", set(func(g *Budget) { g.Epsilon, g.Lo = num(1, -60), num(9, 0) }), spec.Published},
	} {
		_, err := Calibrate(c.g, c.c)
		requireReject(t, err, spec.Domain, c.subject)
	}
	// hypothesis before overflow: epsilon too small with a scale that would be infinite anyway.
	_, err := Calibrate(set(func(g *Budget) { g.Epsilon, g.Sensitivity = num(1, -1074), num(1, 1023) }), spec.Published)
	requireReject(t, err, spec.HypothesisBroken, "epsilon-above-floor")
	_, err = Calibrate(set(func(g *Budget) { g.Epsilon, g.Sensitivity = num(1, -40), num(1, 1023) }), spec.Published)
	requireReject(t, err, spec.Overflow, "lambda")
	_, err = Calibrate(set(func(g *Budget) { g.Epsilon, g.Sensitivity = num(3, -2), num(1, 1023) }), spec.Published)
	requireReject(t, err, spec.Overflow, "unit")
	_, err = Calibrate(set(func(g *Budget) { g.Sensitivity = num(1, -1060) }), spec.Claim{}) // tiny lambda, large B
	requireReject(t, err, spec.HypothesisBroken, "bound-below-2^46-scale")
	// the largest constants are legal
	_, err = Calibrate(good, spec.Claim{C: MaxConstant, A: MaxConstant, Floor: MaxConstant})
	requireReject(t, err, spec.HypothesisBroken, "epsilon-above-floor")
}
