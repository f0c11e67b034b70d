package published

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Binding is a leaf's interval and the value it takes in a witness.
type Binding struct {
	Key    string
	Lo, Hi string // lang.ParseDyadic reads these
	At     string
}

// Witness is a case in which the printed rules conclude a pair that the value of
// e_F lies outside of.
type Witness struct {
	ID     string
	Rule   string // of figure 1
	Fault  string
	Format spec.Format
	Expr   string // e_F in the plain notation
	Env    []Binding
	Value  string // of e_F
	Note   string // the printed pair, in decimal, for a reader
}

func at(key, v string) Binding { return Binding{key, v, v, v} }

func bind(bs ...Binding) []Binding { return bs }

// Smallest is the smallest format there is: 0, ±1/2 (subnormal), ±1, ±3/2;
// eta = 1/4, alpha = 1/4.
var Smallest = spec.Small(2, 0, 0)

// Witnesses holds one witness of each fault in Smallest, with the operands that
// come first among those that show the fault (witness_test.go searches all), and
// one in binary64.
var Witnesses = []Witness{
	{"const-negative", "CONST", "the pair is reversed for r < 0", Smallest, "-1", nil, "-1", "(-0.8, -1.25)"},
	{"const-subnormal", "CONST", "no term for underflow", Smallest, "0x1p-2", nil, "0", "(0.2, 0.3125); a tie, to even"},
	{"add-negative", "OP +", "the pair is reversed for a negative sum", Smallest, "x + y",
		bind(at("x", "-0x1p-1"), at("y", "0")), "-0x1p-1", "(-0.4, -0.625)"},
	{"sub-pairing", "OP -", "low minus low is not the least difference", Smallest, "x - y",
		bind(at("x", "0"), Binding{"y", "-0x1p-1", "0", "0"}), "0", "(0.4, 0)"},
	{"mul-signs", "OP x", "the pair is reversed for a negative product", Smallest, "x * y",
		bind(at("x", "1"), at("y", "-1")), "-1", "(-0.8, -1.25)"},
	{"mul-underflow", "OP x", "no term for underflow", Smallest, "x * y",
		bind(at("x", "0x1p-1"), at("y", "0x1p-1")), "0", "(0.2, 0.3125)"},
	{"quo-signs", "OP /", "the pair is reversed for a negative quotient", Smallest, "x / y",
		bind(at("x", "0x1p-1"), at("y", "-0x1p-1")), "-1", "(-0.8, -1.25)"},
	{"quo-pairing", "OP /", "low by low is not the least quotient", Smallest, "x / y",
		bind(at("x", "0x1.8p+0"), Binding{"y", "1", "0x1.8p+0", "1"}), "0x1.8p+0", "(1.2, 1.25)"},
	{"quo-underflow", "OP /", "no term for underflow", Smallest, "x / y",
		bind(at("x", "0x1p-1"), at("y", "0x1.8p+0")), "0x1p-1", "(0.267, 0.417)"},
	{"ln-below-one", "LN", "the pair is reversed where ln is negative", Smallest, "ln(x)",
		bind(at("x", "0x1p-1")), "-0x1p-1", "(-0.55, -0.87)"},

	{"const-negative-64", "CONST", "the pair is reversed for r < 0", spec.Binary64, "-1", nil, "-1", "(-1 + eta, -1 - eta)"},
	{"const-subnormal-64", "CONST", "no term for underflow", spec.Binary64, "0x1p-1075", nil, "0", "about 2^-1075"},
	{"add-negative-64", "OP +", "the pair is reversed for a negative sum", spec.Binary64, "x + y",
		bind(at("x", "-1"), at("y", "-1")), "-2", "(-2 + 2 eta, -2 - 2 eta)"},
	{"sub-pairing-64", "OP -", "low minus low is not the least difference", spec.Binary64, "x - y",
		bind(Binding{"x", "1", "2", "2"}, Binding{"y", "1", "2", "1"}), "1", "(0, 0)"},
	{"mul-signs-64", "OP x", "the least product is at a mixed corner", spec.Binary64, "x * y",
		bind(Binding{"x", "-1", "1", "-1"}, Binding{"y", "-1", "1", "1"}), "-1", "(1 - eta, 1 + eta)"},
	{"mul-underflow-64", "OP x", "no term for underflow", spec.Binary64, "x * y",
		bind(at("x", "0x1p-1074"), at("y", "0x1p-1")), "0", "about 2^-1075"},
	{"quo-signs-64", "OP /", "the pair is reversed for a negative quotient", spec.Binary64, "x / y",
		bind(at("x", "-1"), at("y", "1")), "-1", "(-1 + eta, -1 - eta)"},
	{"quo-pairing-64", "OP /", "low by low is not the least quotient", spec.Binary64, "x / y",
		bind(Binding{"x", "1", "2", "2"}, Binding{"y", "1", "2", "1"}), "2", "(1 - eta, 1 + eta)"},
	{"quo-underflow-64", "OP /", "no term for underflow", spec.Binary64, "x / y",
		bind(at("x", "0x1p-1074"), at("y", "2")), "0", "about 2^-1075"},
	{"ln-below-one-64", "LN", "the pair is reversed where ln is negative", spec.Binary64, "ln(x)",
		bind(at("x", "0x1p-1")), "-0x1.62e42fefa39efp-1", "(-0.6931.. + 0.69 eta, -0.6931.. - 0.69 eta)"},
}

// Parsed is a Witness as expressions and numbers.
type Parsed struct {
	Expr  lang.Float
	Env   map[string]real.Interval
	At    map[string]spec.Value
	Value real.Dyadic
}

// Parse reads the texts of a witness.
func (w Witness) Parse() (p Parsed, err error) {
	if p.Expr, err = lang.Parse[lang.Floats](w.Expr); err != nil {
		return p, err
	}
	if p.Value, err = lang.ParseDyadic(w.Value); err != nil {
		return p, err
	}
	p.Env, p.At = map[string]real.Interval{}, map[string]spec.Value{}
	for _, b := range w.Env {
		var d [3]real.Dyadic
		for i, s := range []string{b.Lo, b.Hi, b.At} {
			if d[i], err = lang.ParseDyadic(s); err != nil {
				return p, err
			}
		}
		p.Env[b.Key], p.At[b.Key] = real.Interval{Lo: d[0], Hi: d[1]}, spec.FromDyadic(d[2])
	}
	return p, nil
}
