package lang_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func parse[K lang.Lang](t *testing.T, src string) lang.Expr[K] {
	t.Helper()
	e, err := lang.Parse[K](src)
	require.NoError(t, err, src)
	return e
}

func TestConstructionRefuses(t *testing.T) {
	x := lang.NewVar[lang.Floats]("x")
	for name, c := range map[string]struct {
		e    lang.Float
		want error
	}{
		"zero value":  {lang.Float{}, lang.ErrNone},
		"over none":   {lang.NewAdd(x, lang.Float{}), lang.ErrNone},
		"empty name":  {lang.NewVar[lang.Floats](""), lang.ErrName},
		"capital":     {lang.NewVar[lang.Floats]("X"), lang.ErrName},
		"digit":       {lang.NewVar[lang.Floats]("1x"), lang.ErrName},
		"not ASCII":   {lang.NewVar[lang.Floats]("λ"), lang.ErrName},
		"long":        {lang.NewVar[lang.Floats](strings.Repeat("x", lang.MaxName+1)), lang.ErrName},
		"reserved":    {lang.NewVar[lang.Floats]("ln"), lang.ErrReserved},
		"reserved fn": {lang.NewApply[lang.Floats]("clamp", "x"), lang.ErrReserved},
		"fn arg":      {lang.NewApply[lang.Floats]("f", "unif"), lang.ErrReserved},
		"dist":        {lang.NewSample[lang.Floats]("x", "normal"), lang.ErrDist},
		"sample name": {lang.NewSample[lang.Floats]("", lang.Unif), lang.ErrName},
		"bounds":      {lang.NewClamp(real.One(), real.Dyadic{}, x), lang.ErrBounds},
		"unit":        {lang.NewRound(lang.MaxExponent+1, x), lang.ErrUnit},
	} {
		assert.ErrorIs(t, c.e.Err(), c.want, name)
		assert.Equal(t, lang.None, c.e.Op(), name)
		assert.Contains(t, c.e.String(), "<lang: ", name)
		assert.ErrorIs(t, lang.NewLn(lang.NewMul(c.e, x)).Err(), c.want, name)
		assert.False(t, c.e.Equal(c.e), name)
		assert.Empty(t, c.e.Free(), name)
	}
	assert.ErrorIs(t, lang.NewVar[lang.Reals]("x").Err(), lang.ErrName)
	assert.ErrorIs(t, lang.NewVar[lang.Reals]("Ln").Err(), lang.ErrReserved)
	assert.Error(t, lang.NewConst[lang.Reals](lang.FromDyadic(real.Pow2(lang.MaxExponent+1))).Err())
	assert.Error(t, lang.NewConst[lang.Reals](lang.FromDyadic(real.One().Add(real.Pow2(-lang.MaxBits)))).Err())
	assert.NoError(t, lang.NewConst[lang.Reals](lang.FromDyadic(real.Pow2(-lang.MaxExponent))).Err())
	assert.Error(t, lang.NewClamp(real.Pow2(-lang.MaxExponent-1), real.One(), x).Err())
}

func TestLimits(t *testing.T) {
	e := lang.NewVar[lang.Floats]("x")
	for range lang.MaxDepth - 1 {
		e = lang.NewNeg(e)
	}
	require.NoError(t, e.Err())
	assert.Equal(t, lang.MaxDepth, e.Depth())
	assert.ErrorIs(t, lang.NewNeg(e).Err(), lang.ErrTooLarge)

	e = lang.NewVar[lang.Floats]("x")
	for e.Err() == nil {
		e = lang.NewAdd(e, e)
	}
	assert.ErrorIs(t, e.Err(), lang.ErrTooLarge)
}

func TestInspection(t *testing.T) {
	e := parse[lang.Reals](t, "clamp[-1, 2](F(A) + ln(U)) / round[8]({1/3} * X) - (S <-$ bernoulli) - X")
	assert.Equal(t, []string{"F(A)", "S", "U", "X"}, e.Free())
	assert.Equal(t, []string{"f(a)", "s", "u", "x"}, lang.ToFloat(e).Free())
	assert.Equal(t, lang.Sub, e.Op())
	assert.Equal(t, 14, e.Size())
	quo := e.Args()[0].Args()[0]
	lo, hi := quo.Args()[0].Bounds()
	assert.True(t, lo.Equal(real.One().Neg()) && hi.Equal(real.FromInt64(2)))
	assert.Equal(t, int64(3), quo.Args()[1].Unit())
	sample := e.Args()[0].Args()[1]
	assert.Equal(t, lang.Bernoulli, sample.Dist())
	assert.Equal(t, "S", sample.Name())
	apply := quo.Args()[0].Args()[0].Args()[0]
	assert.Equal(t, "F", apply.Name())
	assert.Equal(t, "A", apply.Argument())
	assert.Equal(t, "", e.Key())
	assert.Equal(t, "clamp", quo.Args()[0].Op().String())
	assert.Equal(t, "Op(99)", lang.Op(99).String())
}

// The languages are two types; translation is a bijection that keeps the tree.
func TestTranslation(t *testing.T) {
	r := newRand(1)
	for range 500 {
		e := randExpr[lang.Reals](r, 6)
		require.NoError(t, e.Err())
		f := lang.ToFloat(e)
		require.True(t, lang.ToReal(f).Equal(e))
		g := randExpr[lang.Floats](r, 6)
		require.True(t, lang.ToFloat(lang.ToReal(g)).Equal(g))
		require.Equal(t, e.Size(), f.Size())
		require.True(t, parse[lang.Floats](t, f.String()).Equal(f))
	}
}

// Equality is that of trees: two draws are equal iff they print alike.
func TestEquality(t *testing.T) {
	r := newRand(2)
	same := 0
	for range 3000 {
		a, b := randExpr[lang.Floats](r, 2), randExpr[lang.Floats](r, 2)
		require.Equal(t, a.String() == b.String(), a.Equal(b), "%v, %v", a, b)
		if a.Equal(b) {
			same++
		}
	}
	assert.Positive(t, same)
	ab, ba := parse[lang.Floats](t, "a + b"), parse[lang.Floats](t, "b + a")
	assert.False(t, ab.Equal(ba))
}

func TestNumbers(t *testing.T) {
	r := newRand(3)
	for range 2000 {
		p, q := r.Int64N(4000)-2000, 1+r.Int64N(300)
		n, err := lang.Fraction(real.FromInt64(p), real.FromInt64(q))
		require.NoError(t, err)
		minus, err := lang.Fraction(real.FromInt64(-p), real.FromInt64(-q))
		require.NoError(t, err)
		require.True(t, n.Equal(minus))
		want := big.NewRat(p, q)
		x := n.Enclose(50)
		lo, _ := x.Lo.Rat()
		hi, _ := x.Hi.Rat()
		require.True(t, lo.Cmp(want) <= 0 && want.Cmp(hi) <= 0)
		_, dyadic := n.Dyadic()
		require.Equal(t, new(big.Int).And(want.Denom(), new(big.Int).Sub(want.Denom(), big.NewInt(1))).Sign() == 0, dyadic)
		require.Equal(t, want.Sign(), n.Sign())
		d := real.FromInt64(r.Int64N(20))
		dr, _ := d.Rat()
		require.Equal(t, new(big.Rat).Abs(want).Cmp(dr), n.CmpAbs(d))
		require.True(t, n.Neg().Neg().Equal(n))
	}
	_, err := lang.Fraction(real.One(), real.Dyadic{})
	assert.ErrorIs(t, err, lang.ErrZeroDenominator)
	_, err = lang.Fraction(real.One(), real.Pow2(lang.MaxExponent+1))
	assert.Error(t, err)
}
