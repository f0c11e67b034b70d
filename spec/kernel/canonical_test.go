package kernel_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// derived serialises the derivation of src in a format, x lying in [1, 2].
func derived(t *testing.T, f spec.Format, src string) string {
	t.Helper()
	e, err := lang.Parse[lang.Floats](src)
	require.NoError(t, err)
	env := kernel.Env{}
	for _, k := range e.Free() {
		env[k] = kernel.Between(real.One(), real.FromInt64(2))
	}
	j, err := kernel.Derive(context(t, f, env), e)
	require.NoError(t, err)
	return checkAgain(t, j)
}

// Files that say what a derivation says, in other words: encoding/json and
// lang.ParseDyadic read them all, and the rules give what they state.
func TestCheckAcceptsCanonicalFilesOnly(t *testing.T) {
	binary64 := derived(t, spec.Binary64, "x + ln(y)")
	tiny := derived(t, spec.Small(6, 0, 3), "x - neg(2)")
	constant := derived(t, spec.Binary64, "2")
	for name, c := range map[string]struct{ text, old, new string }{
		"duplicate key, first other":    {binary64, `"rule":"LN"`, `"rule":"VAR","rule":"LN"`},
		"duplicate key, same":           {binary64, `"rule":"LN"`, `"rule":"LN","rule":"LN"`},
		"duplicate format":              {binary64, `{"format":`, `{"format":{"name":"binary16","p":11},"format":`},
		"duplicate binding":             {binary64, `"lo":"1"`, `"lo":"0","lo":"1"`},
		"case-folded key":               {binary64, `"premises"`, `"Premises"`},
		"case-folded header":            {binary64, `"format"`, `"FORMAT"`},
		"long s for s":                  {binary64, `"steps"`, `"ſteps"`},
		"leading zero":                  {binary64, `"lo":"1"`, `"lo":"01"`},
		"hexadecimal integer":           {binary64, `"hi":"2"`, `"hi":"0x1p+1"`},
		"short hexadecimal":             {binary64, `"hi":"2"`, `"hi":"0x2"`},
		"padded fraction":               {binary64, `"hi":"2"`, `"hi":"0x1.0p+1"`},
		"negative zero in JSON":         {tiny, `"emin":0`, `"emin":-0`},
		"escaped letter":                {binary64, `"LN"`, `"\u004cN"`},
		"unescaped sign":                {binary64, `\u003c`, `<`},
		"escape in capitals":            {binary64, `\u003c`, `\u003C`},
		"explicit default":              {binary64, `"hi":"2"},`, `"hi":"2","draw":false},`},
		"explicit null":                 {tiny, `{"rule":"VAR",`, `{"rule":"VAR","premises":null,`},
		"explicit empty list":           {tiny, `{"rule":"VAR",`, `{"rule":"VAR","premises":[],`},
		"empty environment":             {constant, `"env":null`, `"env":[]`},
		"no environment":                {constant, `"env":null,`, ``},
		"null for a list of conditions": {tiny, `"hi":"-2"}`, `"hi":"-2","conditions":null}`},
		"keys in another order":         {binary64, `"lo":"1","hi":"2"`, `"hi":"2","lo":"1"`},
		"bindings in another order": {binary64, `{"key":"x","lo":"1","hi":"2"},{"key":"y","lo":"1","hi":"2"}`,
			`{"key":"y","lo":"1","hi":"2"},{"key":"x","lo":"1","hi":"2"}`},
	} {
		changed := strings.Replace(c.text, c.old, c.new, 1)
		require.NotEqual(t, c.text, changed, name)
		_, err := kernel.Check([]byte(changed))
		var bad *kernel.CheckError
		if assert.ErrorAs(t, err, &bad, name) {
			assert.Contains(t, bad.Detail, "canonical", name)
		}
	}

	// A leaf after the one that MarshalJSON writes first.
	var steps []json.RawMessage
	head, tail, _ := strings.Cut(binary64, `"steps":`)
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(tail, "}")), &steps))
	require.Len(t, steps, 4) // x, y, ln(y), x + ln(y)
	steps[0], steps[1] = steps[1], steps[0]
	steps[2] = json.RawMessage(strings.Replace(string(steps[2]), `"premises":[1]`, `"premises":[0]`, 1))
	steps[3] = json.RawMessage(strings.Replace(string(steps[3]), `"premises":[0,2]`, `"premises":[1,2]`, 1))
	data := head + `"steps":[`
	for i, s := range steps {
		if i > 0 {
			data += ","
		}
		data += string(s)
	}
	_, err := kernel.Check([]byte(data + "]}"))
	assert.ErrorContains(t, err, "canonical", "steps in another order")

	// White space is free.
	indented, err := json.MarshalIndent(json.RawMessage(binary64), " ", "\t")
	require.NoError(t, err)
	j, err := kernel.Check(append(indented, " \n"...))
	require.NoError(t, err)
	again, err := json.Marshal(j)
	require.NoError(t, err)
	assert.Equal(t, binary64, string(again))
}

// Numbers that no decoder takes for what they look like.
func TestCheckRefusesOtherNumbers(t *testing.T) {
	text := derived(t, spec.Small(6, 0, 3), "x - neg(2)")
	for _, n := range []string{"00", "-0", "0x0", "0x0p+0", "-0x0p+0", "+0", " 0", "0 ", "0.0", "0p0", "٠", ""} {
		_, err := kernel.Check([]byte(strings.Replace(strings.ReplaceAll(text, `"lo":"1"`, `"lo":"0"`), `"lo":"0"`, `"lo":"`+n+`"`, 1)))
		assert.Error(t, err, "%q", n)
	}
	for _, n := range []string{"03", "3.0", "3e0", `"3"`, "+3", "-3", "3 3", "null"} {
		_, err := kernel.Check([]byte(strings.Replace(text, `"emax":3`, `"emax":`+n, 1)))
		assert.Error(t, err, n)
	}
}

// A judgment in binary16 under the name of another format, or of none.
func TestFormatNames(t *testing.T) {
	for _, f := range []spec.Format{spec.Binary64, spec.Binary32, spec.Binary16, spec.BFloat16} {
		derived(t, f, "2") // the table in names.go is that of package spec
	}
	text := derived(t, spec.Binary16, "x + 2")
	for name, fine := range map[string]bool{
		"binary64": false, "binary32": false, "bfloat16": false, "Binary64": false, "BINARY16": false, "F(11,-14,14)": false,
		"F(53,-1022,1023)": false, "f(11,-14,15)": false, "F(11, -14, 15)": false, "": false, "binary16 ": false, "binary\u00a016": false,
		"bіnary16": false, "binary\u200b64": false, "half\\nprecision": false, strings.Repeat("x", 65): false,
		"F(11,-14,15)": true, "half": true, "HALF-precision_1.0": true, strings.Repeat("x", 64): true,
	} {
		_, err := kernel.Check([]byte(strings.Replace(text, `"binary16"`, `"`+name+`"`, 1)))
		if fine {
			assert.NoError(t, err, name)
			continue
		}
		var bad *kernel.ContextError
		assert.ErrorAs(t, err, &bad, name)
		f := spec.Binary16
		f.Name = name
		_, err = kernel.NewContext(f, nil)
		assert.ErrorAs(t, err, &bad, name)
	}
	_, err := kernel.Check([]byte(strings.Replace(text, `"binary16"`, "\"half\xff\"", 1)))
	assert.Error(t, err, "not UTF-8")
}

// Parameters that define no format, or that wrap around when computed with.
func TestWeirdFormats(t *testing.T) {
	f := func(p uint, emin, emax int64) spec.Format {
		return spec.Format{Name: "f", Precision: p, EMin: emin, EMax: emax}
	}
	for _, bad := range []spec.Format{
		{}, f(0, -2, 3), f(1, -2, 3), f(spec.MaxPrecision+1, -2, 3), f(math.MaxUint, -2, 3), f(math.MaxUint>>1+1, -2, 3), f(math.MaxUint>>1+3, -2, 3),
		f(3, 1, 3), f(3, -2, -1), f(3, 3, -2), f(3, math.MinInt64, 3), f(3, -2, math.MaxInt64), f(3, math.MaxInt64, math.MinInt64),
		f(3, -spec.MaxExponent-1, 3), f(3, -2, spec.MaxExponent+1),
	} {
		_, err := kernel.NewContext(bad, nil)
		var no *kernel.ContextError
		assert.ErrorAs(t, err, &no, "%+v", bad)
	}
	for _, good := range []spec.Format{f(2, 0, 0), f(spec.MaxPrecision, -spec.MaxExponent, spec.MaxExponent), f(2, -spec.MaxExponent, 0)} {
		c := context(t, good, kernel.Env{"x": kernel.Exactly(good.MaxFinite()), "y": kernel.Exactly(good.MinPositive())})
		x, err := c.Var("x")
		require.NoError(t, err)
		y, err := c.Var("y")
		require.NoError(t, err)
		for _, rule := range []func() (kernel.Judgment, error){
			func() (kernel.Judgment, error) { return c.Sub(x, y) },
			func() (kernel.Judgment, error) { return c.Mul(x, y) },
			func() (kernel.Judgment, error) { return c.Quo(y, x) },
		} {
			j, err := rule()
			require.NoError(t, err, "%+v", good)
			checkAgain(t, j)
		}
		_, err = c.Add(x, x)
		requireRefusal(t, err, kernel.RuleAdd, kernel.CondRange)
	}
}
