package explain

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// number shows a value of the wire.
func number(name, doc string, v wire.Value) Number {
	n := Number{Name: name, Text: v.Text, Doc: doc}
	if v.Type == wire.F64 {
		x := v.Float()
		n.Decimal = strconv.FormatFloat(x, 'g', -1, 64)
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			n.Hex = strconv.FormatFloat(x, 'x', -1, 64)
		}
	}
	return n
}

// datum shows a datum of binary64.
func datum(name string, v spec.Value) Number {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		return Number{Name: name, Text: v.String()}
	}
	return number(name, "", wire.NewF64(b))
}

// digits is the number of decimal digits of a real value that is shown.
const digits = 21

// exactly writes a dyadic in decimal: exactly when that is short, and otherwise
// to 21 digits with an ellipsis.
func exactly(d real.Dyadic) string {
	if r, ok := d.Rat(); ok && !d.IsZero() && d.Low() >= -40 && d.Top() < 64 {
		if s := r.FloatString(40); true {
			return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
		}
	}
	if d.IsZero() {
		return "0"
	}
	return approx(d) + "…"
}

// enclosed writes a real number known to lie in x, to the digits that are certain.
func enclosed(x real.Interval) string {
	if x.IsPoint() {
		return exactly(x.Lo)
	}
	lo, hi := approx(x.Lo), approx(x.Hi)
	if lo == hi {
		return lo + "…"
	}
	return fmt.Sprintf("[%s, %s]", lo, hi)
}

// approx is d to 21 significant digits, truncated toward zero.
func approx(d real.Dyadic) string {
	m, e := d.Truncated(256, false).Parts()
	f := new(big.Float).SetPrec(512).SetInt(m)
	if e > 1<<30 || e < -1<<30 {
		return d.Truncated(64, false).String()
	}
	f.SetMantExp(f, int(e))
	return truncate(f.Text('e', digits+9))
}

// truncate cuts a decimal in e-notation to the digits shown, and writes it
// without an exponent where that is readable.
func truncate(s string) string {
	mantissa, exp, _ := strings.Cut(s, "e")
	neg := strings.HasPrefix(mantissa, "-")
	mantissa = strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1)[:digits]
	n, err := strconv.Atoi(exp)
	sign := ""
	if neg {
		sign = "-"
	}
	switch {
	case err != nil || n < -6 || n >= digits-1:
		return fmt.Sprintf("%s%s.%se%s", sign, mantissa[:1], mantissa[1:], exp)
	case n < 0:
		return sign + "0." + strings.Repeat("0", -n-1) + mantissa
	}
	return sign + mantissa[:n+1] + "." + mantissa[n+1:]
}

// ParseNumber reads a double as people write it: its bits (0x and 16 hex digits),
// a hexadecimal or decimal float, or an infinity. exact reports whether the
// double is the number written.
func ParseNumber(s string) (v wire.Value, exact bool, err error) {
	if v, err := wire.Parse(wire.F64, s); err == nil {
		return v, true, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return wire.Value{}, false, fmt.Errorf("%q is not a number: write 0.1, 0x1.8p-3, inf, or the bits 0x3fb999999999999a", s)
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return wire.NewFloat(x), true, nil
	}
	r, ok := new(big.Rat).SetString(s)
	back := new(big.Rat).SetFloat64(x)
	return wire.NewFloat(x), ok && back != nil && r.Cmp(back) == 0, nil
}
