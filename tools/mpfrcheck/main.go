// Command mpfrcheck compares the logarithm of package impl with that of MPFR,
// a third opinion beside the exact oracle.
//
//	go run ./tools/mpfrcheck -n 1000000 -wide 100000 -pairs 10000 -list internal/gen/hardln.txt
//
// It generates inputs, computes their logarithms, and pipes both to a small C
// program, compiled at once with cc, that repeats the computation with MPFR
// and counts the differences. Exit status: 0 no difference, 1 differences, 2 the
// check could not be made (among others for want of libmpfr-dev).
//
// The control -fn mathlog checks math.Log instead, which is not correctly
// rounded: about 7 % of the draws must differ, and a run of it that reports
// none shows that this program checks nothing. The control must exit with
// status 1; as go run turns every failure into 1, a script has to go build
// first to tell differences from a missing library.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/dp-crosscheck/crosscheck/impl"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// functions are the values of -fn.
var functions = map[string]*function{
	"ln": {impl.Ln, impl.LnPair},
	"mathlog": {math.Log, func(m uint64, e int64) float64 {
		return math.Log(1+float64(m)*0x1p-52) - float64(e)*math.Ln2
	}},
}

// shown is the number of differences printed per set.
const shown = 20

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("mpfrcheck", flag.ContinueOnError)
	fs.SetOutput(stderr)
	n := fs.Int("n", 1_000_000, "number of u in (0,1) drawn as the mechanism draws them")
	wide := fs.Int("wide", 0, "number of positive binary64 of all exponents, subnormals included")
	pairs := fs.Int("pairs", 0, "number of pairs (m, e), e up to 2^62 at every scale")
	list := fs.String("list", "", "list of hard cases")
	seed := fs.Uint64("seed", 1, "seed of the draws")
	fn := fs.String("fn", "ln", "function to check: ln, or mathlog as the control")
	procs := fs.Int("procs", 2, "number of C processes")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	f := functions[*fn]
	if fs.NArg() > 0 || f == nil || *n < 0 || *wide < 0 || *pairs < 0 || *procs < 1 {
		fmt.Fprintln(stderr, "mpfrcheck: no arguments are taken, counts must not be negative, -fn must be ln or mathlog")
		return 2
	}
	sets := []inputSet{
		drawn("u", "", false, *n, *seed, drawUnit),
		drawn("wide", "", false, *wide, *seed, drawWide),
		drawn("pairs", "", true, *pairs, *seed, drawLongPair),
	}
	if *list != "" {
		xs, ps, err := readList(*list)
		if err != nil {
			fmt.Fprintln(stderr, "mpfrcheck:", err)
			return 2
		}
		sets = append(sets, listed("list x", *list, false, xs), listed("list pair", *list, true, ps))
	}
	bad, err := checkAll(f, sets, *procs, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "mpfrcheck:", err)
		return 2
	case bad > 0:
		fmt.Fprintf(stderr, "mpfrcheck: %s: %d differences from MPFR\n", *fn, bad)
		return 1
	}
	return 0
}

// checkAll compiles the C program in a temporary directory and checks the
// nonempty sets.
func checkAll(f *function, sets []inputSet, procs int, stdout io.Writer) (bad uint64, err error) {
	dir, err := os.MkdirTemp("", "mpfrcheck")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	exe, err := build(dir)
	if err != nil {
		return 0, err
	}
	sum := 0
	for _, s := range sets {
		if s.total == 0 {
			continue
		}
		t0 := time.Now()
		t, err := check(exe, f, &s, procs)
		if err != nil {
			return bad, err
		}
		for _, l := range t.lines[:min(len(t.lines), shown)] {
			fmt.Fprintln(stdout, l)
		}
		fmt.Fprintf(stdout, "%s: %d records, %d differences (%.3f %%), %.1f s\n", s.name, t.records,
			t.differences, 100*float64(t.differences)/float64(t.records), time.Since(t0).Seconds())
		bad += t.differences
		sum += s.total
	}
	if sum == 0 {
		return 0, errors.New("nothing to check: every count is 0")
	}
	return bad, nil
}
