package wire

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var sig = Signature{
	Op: "op", Doc: "a test operation",
	In:  []Field{{Name: "x", Type: F64}, {Name: "k", Type: Int, Optional: true}},
	Out: []Field{{Name: "a", Type: F64}, {Name: "b", Type: Int}},
}

func lookup(op string) (Signature, bool) { return sig, op == "op" }

func TestParseIsTheInverseOfText(t *testing.T) {
	for _, v := range []Value{
		NewFloat(1), NewFloat(math.Copysign(0, -1)), NewFloat(math.Inf(-1)), NewF64(0x7ff8000000000001),
		NewInt(0), NewInt(-1), NewInt(math.MinInt64), NewUint(math.MaxUint64),
		NewRat(big.NewRat(-3, 4)), NewRat(big.NewRat(5, 1)), NewRatInf(big.NewRat(1, 3)), NewRatInf(nil),
		NewTape(nil), NewTape([]byte{0, 0xa5, 0xff}), NewWord(Sign, "-1"), NewWord(Ties, "up"),
	} {
		back, err := Parse(v.Type, v.Text)
		require.NoError(t, err, v.Text)
		assert.Equal(t, v.Text, back.Text)
		assert.Equal(t, v.Bits(), back.Bits())
		assert.Equal(t, v.Big(), back.Big())
		assert.Equal(t, v.Rat(), back.Rat())
		assert.Equal(t, string(v.Bytes()), string(back.Bytes()))
	}
	assert.Equal(t, "0xbca0000000000000", NewFloat(-0x1p-53).Text)
	assert.Equal(t, 1.5, NewF64(0x3ff8000000000000).Float())
}

func TestParseRefusesOtherSpellings(t *testing.T) {
	for typ, texts := range map[Type][]string{
		F64:    {"", "0x", "3ff0000000000000", "0X3ff0000000000000", "0x3FF0000000000000", "0x3ff000000000000", "0x3ff00000000000000", "0x3ff000000000000g", "0x+ff0000000000000"},
		Int:    {"", "-", "+1", "01", "-0", "-01", "1.0", "1e3", " 1", "1 ", "0x1", "١"},
		Rat:    {"", "2/4", "1/1", "0/1", "-0", "1/0", "1/-2", "+1/2", "01/2", "1/02", "1.5", "1e2", "inf", "-1/3 ", "1//2", "1/2/3", "0x1/2"},
		RatInf: {"", "Inf", "+inf", "-inf", "2/2"},
		Tape:   {"a", "A5", "0x00", "a5 ", "zz"},
		Sign:   {"1", "+", "-", "+1 ", "+2"},
		Ties:   {"", "Up", "even"},
		Kind:   {"float"},
	} {
		for _, s := range texts {
			_, err := Parse(typ, s)
			assert.Error(t, err, "%s %q", typ, s)
		}
	}
	_, err := Parse(Int, strings.Repeat("1", MaxIntDigits+1))
	assert.Error(t, err)
	_, err = Parse(Int, strings.Repeat("1", MaxIntDigits))
	assert.NoError(t, err)
	_, err = Parse(Rat, "1/"+strings.Repeat("1", MaxRatDigits-1))
	assert.Error(t, err)
}

// The number enclosed is sqrt(r), so the truth can be refined; 1/r is exact.
func TestEnclosures(t *testing.T) {
	sig := Signature{
		Op:  "sqrt",
		Out: []Field{{Name: "r", Type: Rat}, {Name: "lo", Type: RatInf}, {Name: "hi", Type: RatInf}},
		Enclosures: []Enclosure{{
			Lo: "lo", Hi: "hi", Width: "1/8",
			Narrow: func(lo, hi *big.Rat) bool { return new(big.Rat).Sub(hi, lo).Cmp(big.NewRat(1, 8)) <= 0 },
			Truth: func(out Values, n uint) (lo, hi *big.Rat) {
				r := out["r"].Rat()
				if r.Sign() == 0 {
					return nil, nil
				}
				root := new(big.Int).Lsh(r.Num(), 2*n) // r an integer here
				root.Sqrt(root)
				one := new(big.Int).Lsh(big.NewInt(1), n)
				lo = new(big.Rat).SetFrac(root, one)
				if new(big.Rat).Mul(lo, lo).Cmp(r) == 0 {
					return lo, lo
				}
				return lo, new(big.Rat).SetFrac(new(big.Int).Add(root, big.NewInt(1)), one)
			},
		}},
	}
	answer := func(r, lo, hi string) Result {
		out := Values{}
		for name, text := range map[string]string{"r": r, "lo": lo, "hi": hi} {
			typ := RatInf
			if name == "r" {
				typ = Rat
			}
			v, err := Parse(typ, text)
			require.NoError(t, err)
			out[name] = v
		}
		return Result{Out: out}
	}
	// An end within 2^-1000 of sqrt 2, which only refinement tells apart.
	near := new(big.Int).Sqrt(new(big.Int).Lsh(big.NewInt(2), 2000))
	below := new(big.Rat).SetFrac(near, new(big.Int).Lsh(big.NewInt(1), 1000))
	above := new(big.Rat).SetFrac(new(big.Int).Add(near, big.NewInt(1)), new(big.Int).Lsh(big.NewInt(1), 1000))
	for _, c := range []struct{ r, lo, hi, diff string }{
		{"2", "7/5", "3/2", ""},
		{"2", below.RatString(), above.RatString(), ""},
		{"2", below.RatString(), "3/2", ""},
		{"2", above.RatString(), "3/2", "does not lie in"},
		{"2", "7/5", below.RatString(), "does not lie in"},
		{"2", "1", "3/2", "wider than 1/8"},
		{"2", "3/2", "7/5", "wrong order"},
		{"2", "inf", "inf", "infinite"},
		{"2", "7/5", "inf", "infinite"},
		{"0", "inf", "inf", ""},
		{"0", "0", "0", "infinite"},
		{"4", "2", "2", ""},
		{"4", "2", "17/8", ""},
		{"4", "33/16", "17/8", "does not lie in"},
	} {
		d := Compare(sig, answer(c.r, "0", "100"), answer(c.r, c.lo, c.hi))
		if c.diff == "" {
			assert.Nil(t, d, "%+v", c)
		} else if assert.NotNil(t, d, "%+v", c) {
			assert.Contains(t, d.Got, c.diff)
			assert.Equal(t, "lo, hi", d.Field)
		}
	}
	assert.Equal(t, "r", Compare(sig, answer("2", "7/5", "3/2"), answer("3", "7/5", "3/2")).Field)
	assert.Nil(t, Compare(sig, Rejected("domain"), Rejected("domain")))
}

func TestRequestRoundTrip(t *testing.T) {
	c := Case{ID: "op/quote\"<&>-\u2028", Op: "op", In: Values{"x": NewFloat(2), "k": NewInt(-3)}}
	line := EncodeRequest(c, sig)
	back, id, err := DecodeRequest([]byte(line), lookup)
	require.NoError(t, err)
	assert.Equal(t, c, back)
	assert.Equal(t, c.ID, *id)
	delete(c.In, "k")
	back, _, err = DecodeRequest([]byte(EncodeRequest(c, sig)), lookup)
	require.NoError(t, err)
	assert.NotContains(t, back.In, "k")
}

func TestResponseRoundTrip(t *testing.T) {
	id := "op/1"
	for _, r := range []Result{
		{Out: Values{"a": NewFloat(1), "b": NewInt(2)}}, Rejected("domain"), Skipped("no %s", "op"), {Err: "what?"},
	} {
		back, back1, err := DecodeResponse([]byte(EncodeResponse(&id, r, sig)), sig)
		require.NoError(t, err)
		assert.Equal(t, id, back)
		assert.Equal(t, r, back1)
		assert.Nil(t, Compare(sig, r, back1))
	}
	_, r, err := DecodeResponse([]byte(EncodeResponse(nil, Result{Err: "x"}, sig)), sig)
	require.NoError(t, err)
	assert.Equal(t, "x", r.Err)
	assert.Equal(t, `{"out":{"a":"0x3ff0000000000000","b":"2"}}`, EncodeAnswer(Result{Out: Values{"b": NewInt(2), "a": NewFloat(1)}}, sig))
}

func TestBadResponses(t *testing.T) {
	for _, line := range []string{
		``, `{}`, `{"id":"1"}`, `{"id":"1","out":{"a":"0x3ff0000000000000"}}`, `{"id":"1","out":{},"reject":"domain"}`,
		`{"id":"1","reject":"domain","skip":"x"}`, `{"id":"1","result":"x"}`, `{"id":1,"reject":"domain"}`, `{"id":"1","reject":null}`,
		`{"id":"1","out":{"a":"0x3ff0000000000000","b":"2","c":"3"}}`,
	} {
		_, _, err := DecodeResponse([]byte(line), sig)
		assert.Error(t, err, line)
	}
}

func TestHello(t *testing.T) {
	ok, err := DecodeHello([]byte(` { "protocol" : 1, "op":"hello"} `))
	assert.True(t, ok)
	assert.NoError(t, err)
	for _, line := range []string{`{"op":"hello"}`, `{"op":"hello","protocol":1.0}`, `{"op":"hello","protocol":1,"id":"1"}`} {
		_, err = DecodeHello([]byte(line))
		assert.Error(t, err, line)
	}
}

func TestCompareNamesTheFirstStage(t *testing.T) {
	r := func(a float64, b int64) Result { return Result{Out: Values{"a": NewFloat(a), "b": NewInt(b)}} }
	assert.Nil(t, Compare(sig, r(1, 2), r(1, 2)))
	assert.Equal(t, "a", Compare(sig, r(1, 2), r(3, 4)).Field)
	assert.Equal(t, &Difference{"b", "2", "4"}, Compare(sig, r(1, 2), r(1, 4)))
	assert.Equal(t, &Difference{"outcome", "value", "reject: domain"}, Compare(sig, r(1, 2), Rejected("domain")))
	assert.NotNil(t, Compare(sig, Rejected("tape"), Rejected("domain")))
	assert.NotNil(t, Compare(sig, r(0, 0), r(math.Copysign(0, -1), 0)), "the sign of zero counts")
	assert.NotNil(t, Compare(sig, r(1, 2), Result{Out: Values{"a": NewFloat(1)}}), "a missing output differs")
}
