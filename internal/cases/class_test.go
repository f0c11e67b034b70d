package cases

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The seven of the notes, and what they leave out.
func TestCases(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		what             string
		lambda, lo, hi   float64
		f, f2, x         float64
		want             Case
		both, end, swaps bool
	}{
		{"case 1", 1, -10, 10, 0, 1, -10, AtLo, false, true, false},
		{"case 2", 1, -10, 10, 0, 1, -3, BelowF, false, false, false},
		{"case 3", 1, -10, 10, 0, 1, 0, OwnF, false, false, false},
		{"case 4", 1, -10, 10, 0, 3, 2, Between, false, false, false},
		{"case 5", 1, -10, 10, 0, 1, 1, OwnF2, false, false, false},
		{"case 6", 1, -10, 10, 0, 1, 5, AboveF2, false, false, false},
		{"case 7", 1, -10, 10, 0, 1, 10, AtHi, false, true, false},
		{"f and f' exchanged", 1, -10, 10, 1, 0, -3, BelowF, false, false, true},
		{"one cell for both", 4, -10, 10, 0, 1, 0, OwnF, true, false, false},
		{"an output below it", 4, -10, 10, 0, 1, -4, BelowF, false, false, false},
		{"f in the end cell", 1, -10, 10, -10, -9, -10, OwnF, false, true, false},
		{"f' in the end cell", 1, -10, 10, 9, 10, 10, OwnF2, false, true, false},
		{"lo in the cell of f, one Lambda above it", 1, -10, 10, -9, -8, -10, AtLo, false, true, false},
		{"a tie goes up", 1, -10, 10, 0.5, 2, 1, OwnF, false, false, false},
		{"a negative tie goes up", 1, -10, 10, -1.5, 2, -1, OwnF, false, false, false},
		{"below the tie", 1, -10, 10, math.Nextafter(0.5, 0), 2, 0, OwnF, false, false, false},
		{"clamped", 1, -10, 10, -99, 99, -10, OwnF, false, true, false},
		{"clamped to the same", 1, -10, 10, 50, inf, 10, OwnF, true, true, false},
		{"infinite", 1, -10, 10, -inf, inf, 0, Between, false, false, false},
		{"the bounds are no multiples", 1, -2.25, 2.75, -2, 2, -2.25, AtLo, false, true, false},
		{"clamped to hi = 2.75, which rounds beyond it", 1, -2.25, 2.75, 0, 9, 2.75, OwnF2, false, true, false},
		{"hi = 2.25 rounds to 2", 1, -2, 2.25, 0, 9, 2, OwnF2, false, false, false},
		{"so that hi is above every cell", 1, -2, 2.25, 0, 9, 2.25, AtHi, false, true, false},
		{"one-sided", 1, 3, 7, 4, 5, 7, AtHi, false, true, false},
		{"bounds within half a Lambda: lo holds all", 1, 0.125, 0.375, 0.125, 0.375, 0.125, OwnF, true, true, false},
		{"and hi none", 1, 0.125, 0.375, 0.125, 0.375, 0.375, AtHi, false, true, false},
		{"negative bounds within half a Lambda: hi holds all", 1, -0.375, -0.125, -0.375, -0.125, -0.125, OwnF, true, true, false},
		{"lo = hi", 1, 2, 2, 0, 9, 2, OwnF, true, true, false},
		{"the numbers are wider apart than Lambda", 0.5, 0x1p60, 0x1.1p60, 0x1.001p60, 0x1.002p60, 0x1.0010000000001p60, Between, false, false, false},
	} {
		for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
			value := c.lambda
			if scale == spec.ScaleEpsilon {
				value = 1 / value
			}
			p := params(scale, value, c.lo, c.hi)
			got, err := Of(p, dbl(c.f), dbl(c.f2), dbl(c.x))
			require.NoError(t, err, c.what)
			assert.Equal(t, c.want, got.Case, c.what)
			assert.Equal(t, [3]bool{c.both, c.end, c.swaps}, [3]bool{got.Both, got.End, got.Swapped}, c.what)
			back, err := Of(p, dbl(c.f2), dbl(c.f), dbl(c.x))
			require.NoError(t, err)
			assert.Equal(t, got.Case, back.Case, "%s, exchanged", c.what)
			r, err := New(p, spec.Unbounded, dbl(c.f), dbl(c.f2), dbl(c.x))
			if c.hi < 0x1p60 {
				require.NoError(t, err, c.what)
				assert.NoError(t, verify(r), c.what)
			}
		}
	}
}

func TestCaseNames(t *testing.T) {
	seen := map[string]bool{}
	for i, c := range All() {
		assert.Equal(t, i+1, int(c))
		seen[c.String()] = true
	}
	assert.Len(t, seen, 7)
	assert.Equal(t, "no case 8", Case(8).String())
	assert.Equal(t, "below own above", Below.String()+" "+Own.String()+" "+Above.String())
}

func TestRejections(t *testing.T) {
	ok := params(spec.ScaleLambda, 1, -10, 10)
	for what, c := range map[string]struct {
		p        spec.SnapParams
		f, f2, x spec.Value
		subject  string
	}{
		"bounds exchanged":     {params(spec.ScaleLambda, 1, 10, -10), dbl(0), dbl(1), dbl(0), "lo"},
		"lambda = 0":           {params(spec.ScaleLambda, 0, -10, 10), dbl(0), dbl(1), dbl(0), "value"},
		"f NaN":                {ok, spec.NaN(), dbl(1), dbl(0), "f"},
		"f2 NaN":               {ok, dbl(1), spec.NaN(), dbl(0), "f2"},
		"f2 of another format": {ok, dbl(1), spec.FromDyadic(real.Pow2(-1080)), dbl(0), "f2"},
		"x NaN":                {ok, dbl(0), dbl(1), spec.NaN(), "x"},
		"x infinite":           {ok, dbl(0), dbl(1), spec.Inf(false), "x"},
		"x beyond hi":          {ok, dbl(0), dbl(1), dbl(11), "x"},
		"x no multiple":        {ok, dbl(0), dbl(1), dbl(0.5), "x"},
		"Lambda overflows":     {params(spec.ScaleLambda, 0x1.8p1023, -10, 10), dbl(0), dbl(1), dbl(0), "unit"},
	} {
		_, err := Of(c.p, c.f, c.f2, c.x)
		var no *spec.RejectError
		require.True(t, errors.As(err, &no), what)
		if what != "Lambda overflows" {
			assert.Equal(t, c.subject, no.Subject, what)
			assert.Equal(t, spec.Domain, no.Kind, what)
		} else {
			assert.Equal(t, spec.Overflow, no.Kind, what)
		}
		_, err = New(c.p, spec.Unbounded, c.f, c.f2, c.x)
		assert.Error(t, err, what)
	}
	_, err := New(ok, "uniform", dbl(0), dbl(1), dbl(0))
	assert.Error(t, err)
}

// at and floor are inverse to each other, in every kind and at the subnormal end.
func TestDraws(t *testing.T) {
	for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
		us := draws{spec.Binary64, k}
		list := []*big.Int{us.low(), addInt(us.low(), 1), addInt(us.low(), 1<<40), big.NewInt(0), big.NewInt(-1), big.NewInt(-1 << 52), big.NewInt(-1<<52 - 1)}
		if k == spec.FloatRange {
			end := us.binade(spec.Binary64.EMin)
			list = append(list, end, addInt(end, -1), addInt(end, 1))
		}
		for _, n := range list {
			u := us.at(n)
			assert.Zero(t, n.Cmp(us.number(u)), "%s %v", k, n)
			if !u.One {
				assert.NoError(t, u.U.Validate(spec.Binary64))
				assert.Negative(t, us.at(n).Value(us.f).Cmp(us.at(addInt(n, 1)).Value(us.f)), "%s %v", k, n)
			}
		}
		assert.Zero(t, us.floor(real.Dyadic{}).Cmp(us.low()))
		assert.Zero(t, us.floor(real.Pow2(-1<<62-9)).Cmp(us.low()))
		assert.Zero(t, us.floor(real.One()).Sign())
	}
	us := draws{spec.Binary64, spec.FloatRange}
	assert.True(t, us.at(us.low()).Value(us.f).Equal(spec.Binary64.MinPositive()))
	for n := range int64(40) { // whatever the guess
		holds := func(m *big.Int) bool { return m.Cmp(big.NewInt(-20)) < 0 }
		assert.Equal(t, int64(-20), us.first(big.NewInt(-n), holds).Int64())
	}
	assert.Zero(t, us.first(big.NewInt(-5), func(*big.Int) bool { return false }).Cmp(us.low()))
	assert.Zero(t, us.first(big.NewInt(-5), func(*big.Int) bool { return true }).Sign())
}
