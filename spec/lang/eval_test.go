package lang_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Floating point against the machine's: one rounding per operation.
func TestEvalFloat(t *testing.T) {
	a := arith{spec.Binary64}
	x, y := 1.1, -0.3
	env := map[string]spec.Value{"x": spec.FromFloat64(x), "y": spec.FromFloat64(y), "f(x)": spec.FromFloat64(7)}
	product, sum := float64(x*y), float64(x+y)
	for src, want := range map[string]float64{
		"x + y": sum, "x - y": x - y, "x * y": product, "x / y": x / y, "{1/10}": 0.1, "neg(x)": -1.1, "f(x)": 7,
		"(x + y) * y": float64(sum * y), "x * y - x": product - x, "clamp[0, 1](x)": 1, "clamp[0, 1](y)": 0,
		"round[2](x)": 2, "round[2](1)": 2, "round[2](-1)": 0, "ln(1)": 0, "ln(2)": math.Ln2, "(x <-$ unif)": 1.1, "1 / 0": math.Inf(1),
	} {
		v, err := lang.EvalFloat(parse[lang.Floats](t, src), a, env)
		require.NoError(t, err, src)
		assert.True(t, v.Same(spec.FromFloat64(want)), "%s = %v, want %v", src, v, spec.FromFloat64(want))
	}
	for _, src := range []string{"z", "f(y)", "ln(0)", "1 + ln(y)", "round[2](1 / 0)"} {
		_, err := lang.EvalFloat(parse[lang.Floats](t, src), a, env)
		var at *lang.EvalError
		assert.ErrorAs(t, err, &at, src)
	}
	_, err := lang.EvalFloat(lang.Float{}, a, env)
	assert.ErrorIs(t, err, lang.ErrNone)
	_, err = lang.EvalFloat(parse[lang.Floats](t, "z"), a, env)
	assert.ErrorIs(t, err, lang.ErrUnbound)
}

// The mechanism written in the language gives the oracle's trace of it.
func TestSnapInTheLanguage(t *testing.T) {
	r := newRand(30)
	f := spec.Binary64
	e := parse[lang.Floats](t, "clamp[-50, 50](round[4](clamp[-50, 50](q) + neg(0x1.8p+1 * ln(u))))")
	p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: spec.FromFloat64(3), Lo: spec.FromFloat64(-50), Hi: spec.FromFloat64(50)}
	for range 300 {
		u := spec.U{M: r.Uint64() >> 12, E: 1 + r.Int64N(30)}
		q := spec.FromFloat64(100 * (r.Float64() - 0.5))
		trace, err := oracle.SnapF(p, q, u, -1)
		require.NoError(t, err)
		v, err := lang.EvalFloat(e, arith{f}, map[string]spec.Value{"q": q, "u": spec.FromDyadic(u.Value(f))})
		require.NoError(t, err)
		require.True(t, v.Same(trace.R), "%v, %v", v, trace.R)
	}
}

func TestEvalReal(t *testing.T) {
	env := map[string]real.Interval{"X": {Lo: real.One(), Hi: real.FromInt64(2)}, "F(X)": real.Point(real.FromInt64(3))}
	for src, want := range map[string]string{
		"X + 1": "2 3", "X - X": "-1 1", "X * -2": "-4 -2", "F(X) / X": "0x1.8p+0 3", "neg(X)": "-2 -1",
		"clamp[0, 0x1.8p+0](X)": "1 0x1.8p+0", "round[2](X)": "2 2", "ln(1)": "0 0", "round[4](X)": "0 4", "(X <-$ unif)": "1 2",
	} {
		x, err := lang.EvalReal(parse[lang.Reals](t, src), env, 60)
		require.NoError(t, err, src)
		assert.Equal(t, want, lang.DyadicString(x.Lo)+" "+lang.DyadicString(x.Hi), src)
	}
	l, err := lang.EvalReal(parse[lang.Reals](t, "ln({1/3})"), nil, 100)
	require.NoError(t, err)
	third, err := real.Ln(real.FromInt64(3), 120)
	require.NoError(t, err)
	assert.True(t, third.Neg().Within(l))
	assert.Negative(t, l.Width().Cmp(real.Pow2(-95)))
	for src, want := range map[string]error{"ln(X - 1)": real.ErrLnDomain, "1 / (X - 1)": real.ErrDivideByZero, "Y": lang.ErrUnbound} {
		_, err := lang.EvalReal(parse[lang.Reals](t, src), env, 60)
		assert.ErrorIs(t, err, want, src)
	}
	_, err = lang.EvalReal(lang.Real{}, nil, 60)
	assert.ErrorIs(t, err, lang.ErrNone)
	_, err = lang.EvalReal(parse[lang.Reals](t, "Y * Y"), map[string]real.Interval{"Y": real.Point(real.Pow2(1 << 62))}, 60)
	assert.Error(t, err, "an exponent that would leave int64")

	// Exponents at the limit, multiplied as often as the limits on trees allow.
	e := parse[lang.Reals](t, "0x1p1125899906842624")
	for lang.NewMul(e, e).Err() == nil {
		e = lang.NewMul(e, e)
	}
	x, err := lang.EvalReal(e, nil, 60)
	require.NoError(t, err)
	assert.Equal(t, int64(1)<<61, x.Lo.Top())
}

// A wider environment gives a wider enclosure, and members give members.
func TestEvalRealEncloses(t *testing.T) {
	r := newRand(31)
	done := 0
	for range 3000 {
		e := randExpr[lang.Reals](r, 5)
		point, box := map[string]real.Interval{}, map[string]real.Interval{}
		for _, k := range e.Free() {
			d := real.FromInt64(r.Int64N(2000) - 200).Shift(-6)
			w := real.FromInt64(r.Int64N(3)).Shift(-5)
			point[k], box[k] = real.Point(d), real.Interval{Lo: d.Sub(w), Hi: d.Add(w)}
		}
		outer, err := lang.EvalReal(e, box, 80)
		if err != nil {
			continue
		}
		inner, err := lang.EvalReal(e, point, 120)
		require.NoError(t, err, e.String())
		require.True(t, outer.Lo.Cmp(inner.Hi) <= 0 && inner.Lo.Cmp(outer.Hi) <= 0, e.String())
		done++
	}
	assert.Greater(t, done, 500)
}

func TestNearestMultipleAgreesWithTheOracle(t *testing.T) {
	r := newRand(32)
	for range 3000 {
		d := real.FromInt64(r.Int64N(4001) - 2000).Shift(r.Int64N(8) - 6)
		k := r.Int64N(10) - 5
		require.True(t, lang.NearestMultiple(d, k).Equal(real.NewDyadic(oracle.NearestMultiple(d, k, spec.TiesUp), k)), "%v, %d", d, k)
	}
	huge := real.Pow2(1 << 60)
	assert.True(t, lang.NearestMultiple(huge, -1<<60).Equal(huge))
	assert.True(t, lang.NearestMultiple(real.Pow2(-1<<60), 1<<40).IsZero())
}
