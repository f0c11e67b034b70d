package explain

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
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
