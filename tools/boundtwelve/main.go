// Command boundtwelve redoes the finite enumeration of docs/bound-twelve.md: every
// class of configurations of the thresholds of a cell on one side of both inputs,
// with an upper bound of the excess privacy loss in units of kappa = B eta/lambda.
// It fails unless the largest is at most -limit. With -witness it constructs inputs
// whose excess approaches that bound, and has the oracle compute their exact loss.
// No decision rests on a floating-point number.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("boundtwelve", flag.ContinueOnError)
	fs.SetOutput(stderr)
	limit := fs.String("limit", "12", "the constant c to be confirmed, a rational")
	omit := fs.String("omit", "", "leave out one argument of the proof: "+strings.Join(omissions, ", "))
	witness := fs.Bool("witness", false, "construct witnesses instead")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	c, ok := new(big.Rat).SetString(*limit)
	if fs.NArg() > 0 || !ok || *omit != "" && !slices.Contains(omissions, *omit) {
		fmt.Fprintln(stderr, "boundtwelve: no arguments; -limit takes a rational, -omit one of", omissions)
		return 2
	}
	if *witness {
		return witnesses(stdout, stderr)
	}
	if !report(stdout, rules{*omit}, c) {
		fmt.Fprintln(stderr, "boundtwelve: the enumeration does not confirm the constant")
		return 1
	}
	return 0
}

// triples are the bounds (D + c max(B, b lambda) eta)/lambda + a eta read off the
// table: c kappa + a eta covers max kappa + grid eta for kappa >= b eta.
var triples = []struct{ a, b int64 }{{5, 1}, {4, 36}, {3, 142}, {2, 1 << 8}}

func report(w io.Writer, r rules, c *big.Rat) bool {
	rows := allKappa.table(r, rat(8, 5))
	limits := zeroKappa.table(r, rat(8, 5))
	fmt.Fprintln(w, "Upper bounds of the excess over kappa (B <= 2^38 lambda; in brackets the limit kappa -> 0):")
	for i, row := range rows {
		fmt.Fprintf(w, "%s %9s (%8s)  %s  [%s]\n", row.class, row.value.upper(5), limits[i].value.upper(5), row.where, row.at)
	}
	top, grid := maximum(rows), allKappa.gridPart()
	fmt.Fprintf(w, "maximum %s in class %s, grid of U* %s eta\n", top.value.upper(5), top.class, grid.upper(5))
	ok := top.value.atMost(rational(c))
	fmt.Fprintf(w, "maximum <= %s: %v\n", c.RatString(), ok)
	for _, t := range triples {
		room := rational(c).minus(top.value).times(whole(t.b))
		holds := grid.minus(whole(t.a)).atMost(room)
		ok = ok && holds
		fmt.Fprintf(w, "(c, a, b) = (%s, %d, %d): %v\n", c.RatString(), t.a, t.b, holds)
	}
	// Where 2^J >= 16 Lambda the coarse bound is needed for 2^J <= 3B/2 only, and
	// class D alone remains at the top.
	sharp := maximum(zeroKappa.table(r, rat(3, 2)))
	diff := sharp.value.minus(supremum()).abs()
	same := diff.atMost(frac(1, 1<<62))
	fmt.Fprintf(w, "B >= 2^5 lambda, kappa -> 0: %s in class %s; equal to (5e+7)/(e-1): %v\n", sharp.value.upper(10), sharp.class, same)
	return ok && same
}
