// Package report writes what people read: values in every notation, failures in
// full, tables.
package report

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Show writes a value the ways people compare it: a double as bits, hexadecimal
// float and shortest decimal, the others as they are.
func Show(v wire.Value) string {
	if v.Type != wire.F64 {
		if v.Text == "" {
			return "(empty)"
		}
		return v.Text
	}
	x := v.Float()
	return fmt.Sprintf("%s  %-24s %s", v.Text, hexFloat(x), strconv.FormatFloat(x, 'g', -1, 64))
}

func hexFloat(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strconv.FormatFloat(x, 'x', -1, 64)
}

// Values writes named values, one to a line, in the order of the fields.
func Values(w io.Writer, indent string, vs wire.Values, fields []wire.Field) {
	width := 0
	for _, f := range fields {
		width = max(width, len(f.Name))
	}
	for _, f := range fields {
		if v, ok := vs[f.Name]; ok {
			fmt.Fprintf(w, "%s%-*s  %s\n", indent, width, f.Name, Show(v))
		}
	}
}

// Result writes an answer.
func Result(w io.Writer, indent string, r wire.Result, fields []wire.Field) {
	switch {
	case r.Err != "":
		fmt.Fprintf(w, "%serror: %s\n", indent, r.Err)
	case r.Skip != "":
		fmt.Fprintf(w, "%sabstains: %s\n", indent, r.Skip)
	case r.Reject != "":
		fmt.Fprintf(w, "%srejects: %s\n", indent, r.Reject)
	default:
		Values(w, indent, r.Out, fields)
	}
}
