package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// writeList writes the header and one line per entry.
func writeList(w io.Writer, seed uint64, scale float64, es []entry) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `# Inputs for which ln lies very near a midpoint between two adjacent binary64
# numbers (or very near a binary64 number).
#
# Found by search, by:  go run ./tools/lnsearch -seed %d -scale %g -o internal/gen/hardln.txt
# The same flags give the same file. Method: tools/lnsearch/README.md.
#
# Columns, separated by single spaces:
#   x <bits> <log2> <target> <region>     x is the binary64 with these bits
#   pair <m> <e> <log2> <target> <region> u = (1 + m 2^-52) 2^-e, m in hexadecimal, e in decimal
# log2: log2 of the distance from the exact ln to the nearest point of the kind
# target, in ulps of the result: 2^(k-52) for a result in [2^k, 2^(k+1)).
# target: midpoint (halfway between adjacent binary64 numbers) or double.
# region: which search found the line. Lines are sorted by kind, region,
# distance, value.
`, seed, scale)
	for _, e := range es {
		if e.pair {
			fmt.Fprintf(b, "pair 0x%013x %d", e.m, e.e)
		} else {
			fmt.Fprintf(b, "x 0x%016x", e.bits)
		}
		fmt.Fprintf(b, " %.2f %s %s\n", e.log2, e.target, e.region)
	}
	return b.Flush()
}

// readList parses a list.
func readList(r io.Reader) ([]entry, error) {
	var es []entry
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		if s := sc.Text(); s != "" && s[0] != '#' {
			e, err := parseLine(s)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			es = append(es, e)
		}
	}
	return es, sc.Err()
}

func parseLine(s string) (e entry, err error) {
	f := strings.Split(s, " ")
	switch {
	case f[0] == "x" && len(f) == 5:
		e.bits, err = strconv.ParseUint(f[1], 0, 64)
		f = f[2:]
	case f[0] == "pair" && len(f) == 6:
		e.pair = true
		if e.m, err = strconv.ParseUint(f[1], 0, 52); err == nil {
			e.e, err = strconv.ParseInt(f[2], 10, 64)
		}
		f = f[3:]
	default:
		return e, fmt.Errorf("want \"x bits log2 target region\" or \"pair m e log2 target region\", have %q", s)
	}
	if err != nil {
		return e, err
	}
	if e.log2, err = strconv.ParseFloat(f[0], 64); err != nil {
		return e, err
	}
	switch f[1] {
	case Midpoint.String():
	case Double.String():
		e.target = Double
	default:
		return e, fmt.Errorf("unknown target %q", f[1])
	}
	e.region = f[2]
	return e, nil
}

// verify recomputes the distance of an entry, which must agree to the two
// decimals of the list.
func verify(x *exactLn, e entry) error {
	var d float64
	var err error
	if e.pair {
		d, err = x.log2Dist(e.m|1<<52, 52, -e.e, e.target)
	} else {
		var m uint64
		var w uint
		var exp int64
		if m, w, exp, err = splitDouble(e.bits); err == nil {
			d, err = x.log2Dist(m, w, exp, e.target)
		}
	}
	if err != nil {
		return err
	}
	if !(math.Abs(d-e.log2) < 0.0051) {
		return fmt.Errorf("distance 2^%.4f, listed as 2^%.2f", d, e.log2)
	}
	return nil
}
