// Command lnsearch finds binary64 inputs whose logarithm is hard to round:
// within a tiny part of an ulp of a midpoint between two adjacent binary64
// numbers. It writes the list internal/gen/hardln.txt; with -verify it
// recomputes every distance of an existing list instead. See README.md for
// the method.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/pprof"
	"slices"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stderr))
}

func run(args []string, stderr io.Writer) int {
	fs := flag.NewFlagSet("lnsearch", flag.ContinueOnError)
	fs.SetOutput(stderr)
	seed := fs.Uint64("seed", 1, "seed of the places searched")
	scale := fs.Float64("scale", 1, "amount of work, in units of the checked-in list's")
	out := fs.String("o", "", "file to write (default standard output)")
	check := fs.String("verify", "", "list to verify instead of searching")
	prof := fs.String("cpuprofile", "", "file to write a CPU profile to")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if fs.NArg() > 0 || !(*scale > 0 && *scale <= 1000) {
		fmt.Fprintln(stderr, "lnsearch: no arguments are taken, and -scale must be in (0, 1000]")
		return 2
	}
	if *prof != "" {
		f, err := os.Create(*prof)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(stderr, "lnsearch:", err)
			return 2
		}
		defer pprof.StopCPUProfile()
	}
	var err error
	if *check != "" {
		err = verifyFile(*check, stderr)
	} else {
		err = searchAll(*seed, *scale, *out, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "lnsearch:", err)
		return 1
	}
	return 0
}

func searchAll(seed uint64, scale float64, out string, stderr io.Writer) error {
	es, err := search(seed, scale, stderr)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	if err := writeList(&buf, seed, scale, es); err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(buf.Bytes())
		return err
	}
	return os.WriteFile(out, buf.Bytes(), 0o644)
}

// search runs every part of the plan and returns the sorted list.
func search(seed uint64, scale float64, log io.Writer) ([]entry, error) {
	x := newExactLn()
	c := collectors{}
	rng := splitMix64(seed)
	begin := time.Now()
	var total float64
	for _, g := range planGroups(scale) {
		t0 := time.Now()
		n, err := g.run(x, c, &rng)
		if err != nil {
			return nil, err
		}
		total += n
		dt := time.Since(t0).Seconds()
		fmt.Fprintf(log, "result exponent %3d, %d bits, [%.6g, %.6g): 2^%.1f inputs in %.1f s, 2^%.1f/s\n",
			g.k, g.w+1, g.from, g.to, math.Log2(n), dt, math.Log2(n/dt))
	}
	fmt.Fprintf(log, "blocks: 2^%.1f inputs in %.0f s\n", math.Log2(total), time.Since(begin).Seconds())
	if err := searchFamilies(x, c); err != nil {
		return nil, err
	}
	n, err := searchWalks(x, c, scale)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "walks: %d midpoints; all done after %.0f s\n", n, time.Since(begin).Seconds())
	return collect(c), nil
}

// collect merges the regions; an input of several appears once.
func collect(c collectors) []entry {
	var es []entry
	for _, t := range c {
		es = append(es, t.list...)
	}
	slices.SortFunc(es, compareEntries)
	type key struct {
		bits, m uint64
		e       int64
		target  Target
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(es, func(e entry) bool {
		k := key{e.bits, e.m, e.e, e.target}
		dup := seen[k]
		seen[k] = true
		return dup
	})
}

func verifyFile(name string, stderr io.Writer) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	es, err := readList(bytes.NewReader(b))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	x := newExactLn()
	bad := 0
	for _, e := range es {
		if err := verify(x, e); err != nil {
			bad++
			fmt.Fprintf(stderr, "x=%#016x m=%#x e=%d: %v\n", e.bits, e.m, e.e, err)
		}
	}
	fmt.Fprintf(stderr, "%d lines, %d wrong\n", len(es), bad)
	if bad > 0 {
		return fmt.Errorf("%s: %d distances are wrong", name, bad)
	}
	return nil
}
