package spec

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// base is a set of quantities that satisfies every hypothesis: lambda = 1, B = 1024.
func base() Quantities {
	return Quantities{
		Format: Binary64, Epsilon: real.One(), LambdaNum: real.One(), LambdaDen: real.One(),
		B: real.Pow2(10), Unit: real.One(),
	}
}

// only is a claim that names one hypothesis, with the constants of c.
func only(c Claim, id string) Claim {
	c.Hypotheses = []string{id}
	return c
}

// Each hypothesis just inside and just outside, with the scale given as a number
// and as 1/epsilon. step is the least change the format of the quantity allows.
func TestHypothesesEdges(t *testing.T) {
	up := func(d real.Dyadic) real.Dyadic { return Binary64.NextUp(FromDyadic(d)).Dyadic() }
	down := func(d real.Dyadic) real.Dyadic { return Binary64.NextDown(FromDyadic(d)).Dyadic() }
	withB := func(b real.Dyadic) Quantities { q := base(); q.B = b; return q }
	withLambda := func(n, d real.Dyadic) Quantities {
		q := base()
		q.LambdaNum, q.LambdaDen = n, d
		return q
	}
	withEps := func(e real.Dyadic) Quantities { q := base(); q.Epsilon = e; return q }
	withUnit := func(u real.Dyadic) Quantities { q := base(); q.Unit = u; return q }
	third := dy(3, 0) // lambda = 1/3
	for _, c := range []struct {
		id      string
		claim   Claim
		in, out Quantities
	}{
		// (A + Floor C) eta: 2·2^-53 = 2^-52, and (5 + 1·15)·2^-53 = 20·2^-53.
		{"epsilon-above-floor", Published, withEps(up(real.Pow2(-52))), withEps(real.Pow2(-52))},
		{"epsilon-above-floor", Proved, withEps(up(dy(20, -53))), withEps(dy(20, -53))},
		{"bound-above-scale", Published, withB(up(real.One())), withB(real.One())},
		{"bound-above-scale", Published, withLambda(down(real.Pow2(10)), real.One()), withLambda(real.Pow2(10), real.One())},
		{"bound-below-2^46-scale", Published, withB(down(real.Pow2(46))), withB(real.Pow2(46))},
		{"bound-below-2^46-scale", Published, withLambda(up(real.Pow2(-36)), real.One()), withLambda(real.Pow2(-36), real.One())},
		{"bound-below-2^46-scale", Published, withLambda(real.One(), down(real.Pow2(36))), withLambda(real.One(), real.Pow2(36))},
		{"bound-at-most-2^38-scale", Proved, withB(real.Pow2(38)), withB(up(real.Pow2(38)))},
		{"bound-at-most-2^38-scale", Proved, withLambda(real.One(), real.Pow2(28)), withLambda(real.One(), up(real.Pow2(28)))},
		{"scale-at-least-2^-960", Proved, withLambda(real.Pow2(-960), real.One()), withLambda(down(real.Pow2(-960)), real.One())},
		{"scale-at-least-2^-960", Proved, withLambda(real.One(), real.Pow2(960)), withLambda(real.One(), up(real.Pow2(960)))},
		{"range", Proved, withB(real.Pow2(1021)), withB(up(real.Pow2(1021)))},
		{"range", Proved, withUnit(real.Pow2(1021)), withUnit(real.Pow2(1022))},
	} {
		claim := only(c.claim, c.id)
		assert.NoError(t, claim.Check(c.in), "%s inside", c.id)
		requireReject(t, claim.Check(c.out), HypothesisBroken, c.id)
	}
	// B against lambda = 1/3: 3 B > 1 is decided without rounding 1/3.
	q := withLambda(real.One(), third)
	q.B = FromFloat64(1.0 / 3).Dyadic() // the double below 1/3
	requireReject(t, only(Published, "bound-above-scale").Check(q), HypothesisBroken, "bound-above-scale")
	q.B = up(q.B)
	assert.NoError(t, only(Published, "bound-above-scale").Check(q))
}

func TestClaims(t *testing.T) {
	known := map[string]bool{}
	for _, h := range Hypotheses {
		assert.False(t, known[h.ID], "%s twice", h.ID)
		known[h.ID] = true
		assert.NotEmpty(t, h.Statement)
		assert.NotEmpty(t, h.Why)
		assert.NotEmpty(t, h.Section)
	}
	used := map[string]bool{}
	names := map[string]bool{}
	for _, c := range Claims {
		assert.False(t, names[c.Name], "%s twice", c.Name)
		names[c.Name] = true
		assert.NotEmpty(t, c.Status)
		for _, id := range c.Hypotheses {
			assert.True(t, known[id], "%s names the unknown hypothesis %s", c.Name, id)
			used[id] = true
		}
		assert.NoError(t, c.Check(base()), c.Name)
	}
	assert.Len(t, used, len(Hypotheses), "a hypothesis that no claim names")
	// The published theorem, Mironov 2012: epsilon + 12 B epsilon eta + 2 eta for lambda < B < 2^46 lambda.
	assert.Equal(t, []int64{12, 2, 0}, []int64{Published.C, Published.A, Published.Floor})
	// What a claim's theorem says of B below Floor·lambda must not be its hypothesis, and vice versa.
	assert.Positive(t, Proved.Floor)
	assert.NotContains(t, Proved.Hypotheses, "bound-above-scale")
	assert.Contains(t, Published.Hypotheses, "bound-above-scale")
}

// The first broken hypothesis in the order of the list is the one reported.
func TestCheckReportsTheFirst(t *testing.T) {
	everything := Published
	everything.Hypotheses = nil
	for i := len(Hypotheses) - 1; i >= 0; i-- { // the order in the claim does not matter
		everything.Hypotheses = append(everything.Hypotheses, Hypotheses[i].ID)
	}
	q := base()
	q.Epsilon = real.Pow2(-60)
	q.B = real.Pow2(1022) // breaks 2^46, 2^38 and range
	q.LambdaNum = real.Pow2(-1000)
	requireReject(t, everything.Check(q), HypothesisBroken, "epsilon-above-floor")
	q.Epsilon = real.Dyadic{} // no budget given: not asked
	requireReject(t, everything.Check(q), HypothesisBroken, "bound-below-2^46-scale")
	q.B = real.Pow2(-961)
	requireReject(t, everything.Check(q), HypothesisBroken, "bound-at-most-2^38-scale")
	q.B = real.Pow2(-970)
	requireReject(t, everything.Check(q), HypothesisBroken, "scale-at-least-2^-960")
	q.LambdaNum, q.B, q.Unit = real.Pow2(1000), real.Pow2(1001), real.Pow2(1022)
	requireReject(t, everything.Check(q), HypothesisBroken, "range")
	assert.NoError(t, Claim{}.Check(q), "a claim that names nothing")
}

func TestEpsilonFloor(t *testing.T) {
	for _, c := range []Claim{Published, Proved, {C: 1<<31 - 1, A: 1<<31 - 1, Floor: 1<<31 - 1}, {}} {
		for _, f := range []Format{Binary64, Binary16, Small(2, 0, 0)} {
			want := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(c.C), big.NewInt(c.Floor)))
			want.Add(want, new(big.Rat).SetInt64(c.A))
			want.Quo(want, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), f.Precision)))
			require.Zero(t, want.Cmp(ratOf(EpsilonFloor(c, f))))
		}
	}
}

func TestNewQuantities(t *testing.T) {
	p := SnapParams{Binary64, ScaleLambda, num(3, 0), num(-9, 0), num(5, 0)}
	q := NewQuantities(p, num(4, 0))
	assert.True(t, q.LambdaNum.Equal(dy(3, 0)) && q.LambdaDen.Equal(real.One()))
	assert.True(t, q.B.Equal(dy(9, 0)) && q.Unit.Equal(dy(4, 0)) && q.Epsilon.IsZero())
	p.Scale = ScaleEpsilon
	q = NewQuantities(p, num(1, -1))
	assert.True(t, q.LambdaNum.Equal(real.One()) && q.LambdaDen.Equal(dy(3, 0)))
	// lambda = 1/3: B = 9 is 27 lambda.
	assert.Positive(t, q.boundVsScale(4))
	assert.Negative(t, q.boundVsScale(5))
}
