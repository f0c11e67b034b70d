package lang_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func roundTrip[K lang.Lang](t *testing.T, e lang.Expr[K]) {
	t.Helper()
	again, err := lang.Parse[K](e.String())
	require.NoError(t, err, e.String())
	require.True(t, again.Equal(e), "%v\n%v", e, again)
	require.Equal(t, e.String(), again.String())
}

func TestParsePrintRoundTrip(t *testing.T) {
	r := newRand(10)
	nodes := 0
	for n := range 3000 {
		e := randExpr[lang.Reals](r, 1+n%9)
		require.NoError(t, e.Err())
		roundTrip(t, e)
		roundTrip(t, randExpr[lang.Floats](r, 1+n%9))
		nodes += e.Size()
	}
	t.Logf("6000 expressions, about %d nodes", 2*nodes)
}

func TestParse(t *testing.T) {
	for src, want := range map[string]string{
		"a+b-c":                     "a + b - c",
		"a-(b-c)":                   "a - (b - c)",
		"(a-b)-c":                   "a - b - c",
		"a+b*c":                     "a + b * c",
		"(a+b)*c":                   "(a + b) * c",
		"a/(b/c)/d":                 "a / (b / c) / d",
		"a/b*c":                     "a / b * c",
		"-3":                        "-3",
		"- 3":                       "-3",
		"-x":                        "neg(x)",
		"--3":                       "neg(-3)",
		"-(3)":                      "neg(3)",
		"a--3":                      "a - -3",
		"1/3":                       "1 / 3",
		"{1/3}":                     "{1/3}",
		"{2/6}":                     "{1/3}",
		"{1/10}":                    "{0x1p-1/5}",
		"-{1/-3}":                   "{1/3}",
		"{4/2}":                     "2",
		"0x1.8p+1":                  "3",
		"0x10":                      "16",
		"0xAp0":                     "10",
		"0x.8p0":                    "",
		"18446744073709551616":      "0x1p+64",
		"clamp[-1,0x1p-1](x)":       "clamp[-1, 0x1p-1](x)",
		"round[0x1p-3](x)":          "round[0x1p-3](x)",
		"x <-$ unif":                "(x <-$ unif)",
		"1 + x<-$laplace":           "1 + (x <-$ laplace)",
		"f(x')":                     "f(x')",
		"neg(ln(x_1))":              "neg(ln(x_1))",
		" \t\n( ( x ) ) ":           "x",
		"lnx * clamped + rounding":  "lnx * clamped + rounding",
		"0x1p-1125899906842624 * x": "0x1p-1125899906842624 * x",
	} {
		e, err := lang.Parse[lang.Floats](src)
		if want == "" {
			assert.Error(t, err, src)
			continue
		}
		require.NoError(t, err, src)
		assert.Equal(t, want, e.String(), src)
		roundTrip(t, e)
	}
}

// Every error is a SyntaxError with the place where reading stopped.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		src string
		at  int
		msg string
	}{
		{"", 0, "expected an expression, found the end"},
		{"a +", 3, "found the end"},
		{"a b", 2, `unexpected "b" after an expression`},
		{"(a", 2, `expected ")"`},
		{"a)", 1, `unexpected ")"`},
		{"a + X", 4, "begins with a capital letter"},
		{"ln", 2, `expected "("`},
		{"ln + 1", 3, `expected "("`},
		{"unif", 0, "reserved"},
		{"f(3)", 2, "a function applies to a variable"},
		{"f(x, y)", 3, `expected ")"`},
		{"0.5", 1, "{1/10}"},
		{"1e5", 1, "hexadecimal floats"},
		{"0x", 2, "must follow 0x"},
		{"0x1.", 4, "must follow the point"},
		{"0x1p", 4, "exponent is missing"},
		{"0x1p99999999999999999999", 4, "beyond 2^62"},
		{"0x1p1125899906842625", 0, "out of range"},
		{"{1/0}", 0, "denominator of a constant is 0"},
		{"{1/x}", 3, "expected an integer or a hexadecimal float"},
		{"{1}", 2, `expected "/"`},
		{"clamp[1, 0](x)", 0, "lo <= hi"},
		{"clamp[1](x)", 7, `expected ","`},
		{"round[3](x)", 6, "not a power of two"},
		{"round[-1](x)", 6, "not a power of two"},
		{"x <-$ normal", 0, "not a distribution"},
		{"x <-$ 3", 6, "expected a distribution"},
		{"a ^ b", 2, `unexpected '^'`},
		{"a ⊕ b", 2, `unexpected '⊕'`},
		{"a \xff", 2, "unexpected"},
		{strings.Repeat("(", 1000) + "x", lang.MaxDepth, "nested more than"},
		{strings.Repeat("-", 1000) + "x", 0, "more than 512 signs"},
		{strings.Repeat("neg(", 1000) + "x", 4 * lang.MaxDepth, "nested more than"},
		{"x" + strings.Repeat("+x", 600), 2*lang.MaxDepth - 1, "too large"},
		{strings.Repeat(" ", lang.MaxSource+1), 0, "over"},
	} {
		_, err := lang.Parse[lang.Floats](c.src)
		var at *lang.SyntaxError
		if assert.ErrorAs(t, err, &at, "%.40q", c.src) {
			assert.Equal(t, c.at, at.Offset, "%.40q: %v", c.src, err)
			assert.Contains(t, at.Msg, c.msg, "%.40q", c.src)
		}
	}
	_, err := lang.Parse[lang.Reals]("A + x")
	assert.ErrorContains(t, err, "at byte 4: not a name of a real expression")
}

func TestParseDyadic(t *testing.T) {
	for _, d := range []real.Dyadic{{}, real.One(), real.FromInt64(-12), real.Pow2(-1074), real.Pow2(1 << 62).Neg(), real.FromUint64(0x1fffffffffffff, -1<<62)} {
		for _, s := range []string{d.String(), lang.DyadicString(d)} {
			got, err := lang.ParseDyadic(s)
			require.NoError(t, err, s)
			assert.True(t, got.Equal(d), s)
		}
	}
	for _, s := range []string{"", "-", "--1", " 1", "1 ", "1e5", "x", "{1/3}", "1+1", "0x1p+9223372036854775807", strings.Repeat("1", lang.MaxSource+1)} {
		_, err := lang.ParseDyadic(s)
		assert.Error(t, err, "%.30q", s)
	}
}

func FuzzParse(f *testing.F) {
	r := newRand(11)
	for range 20 {
		f.Add(randExpr[lang.Floats](r, 5).String())
		f.Add(randExpr[lang.Reals](r, 5).String())
	}
	for _, s := range []string{"", "((((", "{1/3}", "clamp[", "0x1p-99999", "x <-$ unif", "a--b", "\xff", "neg(-{-1/-3})"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if e, err := lang.Parse[lang.Floats](src); err == nil {
			roundTrip(t, e)
			_, _ = e.Format(lang.Unicode), e.Format(lang.LaTeX)
		}
		if e, err := lang.Parse[lang.Reals](src); err == nil {
			roundTrip(t, e)
			_, _ = lang.EvalReal(e, nil, 64)
		}
		_, _ = lang.ParseDyadic(src)
	})
}
