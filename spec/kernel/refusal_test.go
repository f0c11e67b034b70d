package kernel_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func requireRefusal(t *testing.T, err error, rule kernel.Rule, cond kernel.ConditionID) {
	t.Helper()
	var no *kernel.Refusal
	require.ErrorAs(t, err, &no)
	assert.Equal(t, rule, no.Rule, no.Error())
	assert.Equal(t, cond, no.Condition, no.Error())
}

// Each side condition, just inside and just outside, in binary64 and a tiny format.
func TestSideConditions(t *testing.T) {
	for _, f := range []spec.Format{spec.Binary64, spec.Binary16, spec.Small(4, -6, 7)} {
		p := int64(f.Precision)
		m, q, one, eps := f.MaxFinite(), f.MinPositive(), real.One(), real.Pow2(-p-60)
		ulp := real.Pow2(f.EMax - p + 1)
		threshold := m.Add(ulp.Shift(-1))
		u := spec.U{E: -f.EMin + p + 5}.Value(f)
		env := kernel.Env{
			"m": kernel.Exactly(m), "q": kernel.Exactly(q), "one": kernel.Exactly(one), "half": kernel.Exactly(ulp.Shift(-1)),
			"less": kernel.Exactly(ulp.Shift(-2)), "zero": kernel.Exactly(real.Dyadic{}), "u": {Interval: real.Point(u), Draw: true},
			"pos": kernel.Between(q, one), "nonneg": kernel.Between(real.Dyadic{}, one), "minus": kernel.Between(one.Neg(), q.Neg()),
			"two": kernel.Exactly(real.FromInt64(2)), "next": kernel.Exactly(f.NextUp(spec.FromDyadic(one)).Dyadic()),
		}
		ctx := context(t, f, env)
		v := func(name string) kernel.Judgment {
			j, err := ctx.Var(name)
			require.NoError(t, err)
			return j
		}
		good := func(j kernel.Judgment, err error) {
			t.Helper()
			require.NoError(t, err)
			require.True(t, j.Valid())
		}
		bad := func(rule kernel.Rule, cond kernel.ConditionID) func(j kernel.Judgment, err error) {
			return func(j kernel.Judgment, err error) {
				t.Helper()
				requireRefusal(t, err, rule, cond)
				assert.False(t, j.Valid())
			}
		}
		below := threshold.Sub(real.Pow2(f.EMax - 3*p))
		number := lang.FromDyadic

		good(ctx.Const(number(below)))
		good(ctx.Const(number(below.Neg())))
		bad(kernel.RuleConst, kernel.CondRange)(ctx.Const(number(threshold)))
		bad(kernel.RuleConst, kernel.CondRange)(ctx.Const(number(threshold.Neg())))
		tooMuch, err := lang.Fraction(threshold.Mul(real.FromInt64(3)).Add(real.Pow2(-9)), real.FromInt64(3))
		require.NoError(t, err)
		bad(kernel.RuleConst, kernel.CondRange)(ctx.Const(tooMuch))
		little, err := lang.Fraction(threshold.Mul(real.FromInt64(3)).Sub(real.Pow2(-9)), real.FromInt64(3))
		require.NoError(t, err)
		good(ctx.Const(little))

		good(ctx.ConstExact(number(m)))
		good(ctx.ConstExact(number(q)))
		bad(kernel.RuleConstExact, kernel.CondDatum)(ctx.ConstExact(number(m.Add(ulp))))
		bad(kernel.RuleConstExact, kernel.CondDatum)(ctx.ConstExact(number(q.Shift(-1))))
		bad(kernel.RuleConstExact, kernel.CondDatum)(ctx.ConstExact(number(one.Add(real.Pow2(-p)))))
		third, _ := lang.Fraction(one, real.FromInt64(3))
		bad(kernel.RuleConstExact, kernel.CondDatum)(ctx.ConstExact(third))

		bad(kernel.RuleVar, kernel.CondBound)(ctx.Var("nowhere"))
		bad(kernel.RuleVar, kernel.CondExpressed)(ctx.Var("Big"))
		bad(kernel.RuleApply, kernel.CondBound)(ctx.Apply("f", "one"))
		bad(kernel.RuleSample, kernel.CondExpressed)(ctx.Sample("one", "normal"))
		good(ctx.Sample("one", lang.Unif))

		good(ctx.Add(v("m"), v("less")))
		bad(kernel.RuleAdd, kernel.CondRange)(ctx.Add(v("m"), v("half")))
		minusHalf, err := ctx.Neg(v("half"))
		good(minusHalf, err)
		bad(kernel.RuleSub, kernel.CondRange)(ctx.Sub(v("m"), minusHalf))
		good(ctx.Sub(v("m"), v("half")))
		good(ctx.Mul(v("m"), v("one")))
		bad(kernel.RuleMul, kernel.CondRange)(ctx.Mul(v("m"), v("next")))
		bad(kernel.RuleMul, kernel.CondRange)(ctx.Mul(v("m"), v("two")))
		good(ctx.Quo(v("m"), v("next")))
		bad(kernel.RuleQuo, kernel.CondRange)(ctx.Quo(v("m"), v("q")))
		bad(kernel.RuleQuo, kernel.CondDivisor)(ctx.Quo(v("one"), v("zero")))
		bad(kernel.RuleQuo, kernel.CondDivisor)(ctx.Quo(v("one"), v("nonneg")))
		good(ctx.Quo(v("q"), v("pos")))
		good(ctx.Quo(v("q"), v("minus")))
		good(ctx.Ln(v("pos")))
		bad(kernel.RuleLn, kernel.CondPositive)(ctx.Ln(v("nonneg")))
		bad(kernel.RuleLn, kernel.CondPositive)(ctx.Ln(v("minus")))
		good(ctx.Ln(v("u")))

		good(ctx.Clamp(q.Neg(), m, v("one")))
		good(ctx.Clamp(q, q, v("one")))
		bad(kernel.RuleClamp, kernel.CondOrder)(ctx.Clamp(m, q, v("one")))
		bad(kernel.RuleClamp, kernel.CondDatum)(ctx.Clamp(q.Shift(-1), m, v("one")))
		bad(kernel.RuleClamp, kernel.CondDatum)(ctx.Clamp(q, m.Add(ulp), v("one")))
		// The printed page has no condition on round; the largest number and a unit of two
		// ulps give 2^(emax+1), which is no number of the format.
		good(ctx.Round(f.EMax-p+1, v("m")))
		bad(kernel.RuleRound, kernel.CondFinite)(ctx.Round(f.EMax-p+2, v("m")))
		bad(kernel.RuleRound, kernel.CondFinite)(ctx.Round(f.EMax, v("m")))
		good(ctx.Round(f.Quantum(), v("m")))
		bad(kernel.RuleRound, kernel.CondDatum)(ctx.Round(f.Quantum()-1, v("m")))
		bad(kernel.RuleRound, kernel.CondDatum)(ctx.Round(f.EMax+1, v("one")))

		// Only LN takes a draw. Without this, + would need alpha: fl(u + 0) is 0 for the
		// draw u here, and (u + 0)/(1 + eta) > 0.
		bad(kernel.RuleAdd, kernel.CondOperand)(ctx.Add(v("u"), v("zero")))
		bad(kernel.RuleSub, kernel.CondOperand)(ctx.Sub(v("zero"), v("u")))
		bad(kernel.RuleMul, kernel.CondOperand)(ctx.Mul(v("u"), v("one")))
		bad(kernel.RuleQuo, kernel.CondOperand)(ctx.Quo(v("u"), v("one")))
		bad(kernel.RuleNeg, kernel.CondOperand)(ctx.Neg(v("u")))
		bad(kernel.RuleClamp, kernel.CondOperand)(ctx.Clamp(q, m, v("u")))
		bad(kernel.RuleRound, kernel.CondOperand)(ctx.Round(0, v("u")))

		weak, err := ctx.Weaken(real.Interval{Lo: real.Dyadic{}, Hi: one.Add(eps)}, v("one"))
		good(weak, err)
		assert.True(t, weak.Interval().Hi.Equal(one.Add(eps)))
		bad(kernel.RuleWeaken, kernel.CondWider)(ctx.Weaken(real.Interval{Lo: one.Add(eps), Hi: m}, v("one")))
		bad(kernel.RuleWeaken, kernel.CondWider)(ctx.Weaken(real.Interval{Lo: q, Hi: one.Sub(real.Pow2(-p))}, v("one")))
		bad(kernel.RuleWeaken, kernel.CondReadable)(ctx.Weaken(real.Interval{Lo: real.Pow2(-1 << 40), Hi: m}, v("one")))
		asDraw, err := ctx.Weaken(real.Interval{Lo: u, Hi: one}, v("u"))
		good(asDraw, err)
		bad(kernel.RuleNeg, kernel.CondOperand)(ctx.Neg(asDraw))

		other := context(t, f, env)
		foreign, err := other.Var("one")
		good(foreign, err)
		bad(kernel.RuleAdd, kernel.CondContext)(ctx.Add(v("one"), foreign))
		bad(kernel.RuleNeg, kernel.CondContext)(ctx.Neg(kernel.Judgment{}))
		bad(kernel.RuleWeaken, kernel.CondContext)(ctx.Weaken(real.Point(one), kernel.Judgment{}))
	}
}

// ln leaves the range only in formats with few exponents, and for far draws.
func TestLnRange(t *testing.T) {
	f := spec.Small(3, -2, 2) // T = 2^3 - 2^-1 = 7.5
	for e, fine := range map[int64]bool{10: true, 11: false} {
		ctx := context(t, f, kernel.Env{"u": {Interval: real.Point(real.Pow2(-e)), Draw: true}})
		u, err := ctx.Var("u")
		require.NoError(t, err)
		_, err = ctx.Ln(u) // 10 ln 2 = 6.93, 11 ln 2 = 7.62
		if fine {
			assert.NoError(t, err)
		} else {
			requireRefusal(t, err, kernel.RuleLn, kernel.CondRange)
		}
	}
}

// A nil context refuses everything and does not panic.
func TestNilContext(t *testing.T) {
	var c *kernel.Context
	one := lang.FromInt(1)
	for _, f := range []func() (kernel.Judgment, error){
		func() (kernel.Judgment, error) { return c.Const(one) },
		func() (kernel.Judgment, error) { return c.ConstExact(one) },
		func() (kernel.Judgment, error) { return c.Var("x") },
		func() (kernel.Judgment, error) { return c.Apply("f", "x") },
		func() (kernel.Judgment, error) { return c.Sample("x", lang.Unif) },
		func() (kernel.Judgment, error) { return c.Add(kernel.Judgment{}, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Sub(kernel.Judgment{}, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Mul(kernel.Judgment{}, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Quo(kernel.Judgment{}, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Ln(kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Neg(kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Clamp(real.One(), real.One(), kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Round(0, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return c.Weaken(real.Interval{}, kernel.Judgment{}) },
		func() (kernel.Judgment, error) { return kernel.Derive(c, lang.Float{}) },
	} {
		j, err := f()
		assert.Error(t, err)
		assert.False(t, j.Valid())
	}
}

// No way in: Judgment and what it points to have no exported field, the zero value
// says that it is none, and conversions from look-alikes do not compile (the
// unexported field is another package's).
func TestJudgmentsComeFromRulesOnly(t *testing.T) {
	typ := reflect.TypeFor[kernel.Judgment]()
	require.Equal(t, 1, typ.NumField())
	assert.False(t, typ.Field(0).IsExported())
	inner := typ.Field(0).Type.Elem()
	for i := range inner.NumField() {
		assert.False(t, inner.Field(i).IsExported())
	}
	assert.False(t, reflect.New(typ).Elem().Field(0).CanSet())

	for _, j := range []kernel.Judgment{{}, *new(kernel.Judgment), reflect.Zero(typ).Interface().(kernel.Judgment)} {
		assert.False(t, j.Valid())
		assert.ErrorIs(t, j.Err(), kernel.ErrInvalid)
		assert.Contains(t, j.String(), "no rule made it")
		assert.Contains(t, j.Tree(kernel.Exact())+j.Outline(j.Readable())+j.Markdown(kernel.Exact())+j.TeX(0), "no rule made it")
		_, err := j.MarshalJSON()
		assert.ErrorIs(t, err, kernel.ErrInvalid)
		assert.Error(t, j.Float().Err())
		assert.Error(t, j.Real().Err())
		assert.Nil(t, j.Context())
		assert.Empty(t, j.Premises())
	}

	// What is returned is a copy: changing it changes no judgment.
	ctx := context(t, spec.Binary64, kernel.Env{"x": kernel.Exactly(real.One())})
	x, err := ctx.Var("x")
	require.NoError(t, err)
	y, err := ctx.Neg(x)
	require.NoError(t, err)
	y.Premises()[0] = y
	x.Conditions()[0].Left = real.Pow2(9)
	ctx.Env()["x"] = kernel.Exactly(real.Pow2(9))
	assert.Equal(t, x, y.Premises()[0])
	assert.True(t, x.Conditions()[0].Left.Equal(real.One()))
	again, err := ctx.Var("x")
	require.NoError(t, err)
	assert.True(t, again.Interval().Lo.Equal(real.One()))
}

func TestContexts(t *testing.T) {
	one := real.One()
	for name, c := range map[string]struct {
		f   spec.Format
		env kernel.Env
	}{
		"format":       {spec.Small(1, 0, 0), nil},
		"key":          {spec.Binary64, kernel.Env{"x + y": kernel.Exactly(one)}},
		"real key":     {spec.Binary64, kernel.Env{"X": kernel.Exactly(one)}},
		"empty key":    {spec.Binary64, kernel.Env{"": kernel.Exactly(one)}},
		"sample key":   {spec.Binary64, kernel.Env{"(x <-$ unif)": kernel.Exactly(one)}},
		"not a datum":  {spec.Binary64, kernel.Env{"x": kernel.Exactly(one.Add(real.Pow2(-60)))}},
		"order":        {spec.Binary64, kernel.Env{"x": kernel.Between(one, real.Dyadic{})}},
		"draw of 1":    {spec.Binary64, kernel.Env{"x": {Interval: real.Point(one), Draw: true}}},
		"draw of 0":    {spec.Binary64, kernel.Env{"x": {Draw: true}}},
		"long draw":    {spec.Binary64, kernel.Env{"x": {Interval: real.Point(real.Pow2(-1).Add(real.Pow2(-54))), Draw: true}}},
		"draw too far": {spec.Binary64, kernel.Env{"x": {Interval: real.Point(real.Pow2(-1<<62 - 100)), Draw: true}}},
	} {
		_, err := kernel.NewContext(c.f, c.env)
		var bad *kernel.ContextError
		assert.ErrorAs(t, err, &bad, name)
	}
	env := kernel.Env{"f(x)": kernel.Exactly(one), "x": {Interval: real.Point(real.Pow2(-1 << 61)), Draw: true}}
	ctx := context(t, spec.Binary64, env)
	env["x"] = kernel.Exactly(one) // the context has its own copy
	x, err := ctx.Var("x")
	require.NoError(t, err)
	l, err := ctx.Ln(x)
	require.NoError(t, err)
	assert.Equal(t, int64(60), l.Interval().Hi.Top()) // 2^61 ln 2
	checkAgain(t, l)
}
