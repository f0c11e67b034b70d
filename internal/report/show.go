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

// values writes named values, one to a line, in the order of the fields. Those
// that differ from other get a mark; a nil other marks nothing.
func values(w io.Writer, indent string, vs, other wire.Values, fields []wire.Field) {
	width := 0
	for _, f := range fields {
		width = max(width, len(f.Name))
	}
	for _, f := range fields {
		v, ok := vs[f.Name]
		if !ok {
			continue
		}
		mark := ""
		if other != nil && other[f.Name].Text != v.Text {
			mark = "   <- differs"
		}
		fmt.Fprintf(w, "%s%-*s  %s%s\n", indent, width, f.Name, Show(v), mark)
	}
}

// result writes an answer, marking the outputs that differ from other.
func result(w io.Writer, indent string, r wire.Result, other wire.Values, fields []wire.Field) {
	switch {
	case r.Err != "":
		fmt.Fprintf(w, "%serror: %s\n", indent, r.Err)
	case r.Skip != "":
		fmt.Fprintf(w, "%sabstains: %s\n", indent, r.Skip)
	case r.Reject != "":
		fmt.Fprintf(w, "%srejects: %s\n", indent, r.Reject)
	default:
		values(w, indent, r.Out, other, fields)
	}
}
