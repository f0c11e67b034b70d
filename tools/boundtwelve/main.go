// Command boundtwelve redoes the finite enumeration of proofs/bound-twelve.md: every
// class of configurations of the thresholds of a cell on one side of both inputs,
// with an upper bound of the excess privacy loss in units of kappa = B eta/lambda.
// It fails unless the largest is at most -limit. With -witness it constructs inputs
// whose excess approaches that bound, and has the oracle compute their exact loss.
// No decision rests on a floating-point number. It is no second proof: what it takes
// from the text is listed there.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/boundtwelve"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("boundtwelve", flag.ContinueOnError)
	fs.SetOutput(stderr)
	limit := fs.String("limit", "12", "the constant c to be confirmed, a rational")
	omit := fs.String("omit", "", "leave out one argument of the proof: "+strings.Join(boundtwelve.Omissions(), ", "))
	witness := fs.Bool("witness", false, "construct witnesses instead")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	c, ok := new(big.Rat).SetString(*limit)
	if fs.NArg() > 0 || !ok || *omit != "" && !slices.Contains(boundtwelve.Omissions(), *omit) {
		fmt.Fprintln(stderr, "boundtwelve: no arguments; -limit takes a rational, -omit one of", boundtwelve.Omissions())
		return 2
	}
	if *witness {
		return boundtwelve.Witnesses(stdout, stderr)
	}
	if !boundtwelve.Report(stdout, *omit, c) {
		fmt.Fprintln(stderr, "boundtwelve: the enumeration does not confirm the constant")
		return 1
	}
	return 0
}
