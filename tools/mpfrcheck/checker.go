package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed c/check.c
var checkSource []byte

// errSetup marks failures to get the C program running, as opposed to
// differences.
var errSetup = errors.New("cannot check")

// build compiles the C program into dir and returns its path.
func build(dir string) (string, error) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		return "", fmt.Errorf("%w: no C compiler \"cc\"; on Debian: apt-get update && apt-get install -y gcc libc6-dev libmpfr-dev", errSetup)
	}
	src, exe := filepath.Join(dir, "check.c"), filepath.Join(dir, "check")
	if err := os.WriteFile(src, checkSource, 0o600); err != nil {
		return "", fmt.Errorf("%w: %w", errSetup, err)
	}
	out, err := exec.Command(cc, "-O2", "-o", exe, src, "-lmpfr", "-lgmp").CombinedOutput()
	if err == nil {
		return exe, nil
	}
	for _, sign := range []string{"mpfr.h", "gmp.h", "-lmpfr", "-lgmp"} {
		if bytes.Contains(out, []byte(sign+": No such file")) || bytes.Contains(out, []byte("cannot find "+sign)) || bytes.Contains(out, []byte("'"+sign+"' file not found")) {
			return "", fmt.Errorf("%w: the MPFR library or header is missing; on Debian: apt-get update && apt-get install -y libmpfr-dev", errSetup)
		}
	}
	return "", fmt.Errorf("%w: cc: %w\n%s", errSetup, err, out)
}

// tally is the outcome of a set.
type tally struct {
	records, differences uint64
	lines                []string // some differences in full
}

// check sends a set to procs C processes, a chunk in turn to each.
func check(exe string, f *function, s *inputSet, procs int) (tally, error) {
	procs = max(1, min(procs, s.chunks()))
	res := make([]tally, procs)
	errs := make([]error, procs)
	var wg sync.WaitGroup
	for p := range procs {
		wg.Go(func() { res[p], errs[p] = checkPart(exe, f, s, p, procs) })
	}
	wg.Wait()
	var sum tally
	for _, r := range res {
		sum.records += r.records
		sum.differences += r.differences
		sum.lines = append(sum.lines, r.lines...)
	}
	err := errors.Join(errs...)
	if err == nil && sum.records != uint64(s.total) {
		err = fmt.Errorf("%w: %s: %d records sent, %d checked", errSetup, s.name, s.total, sum.records)
	}
	return sum, err
}

// checkPart sends the chunks first, first+stride, ... to one process.
func checkPart(exe string, f *function, s *inputSet, first, stride int) (tally, error) {
	mode := "x"
	if s.pair {
		mode = "pair"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, mode)
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return tally{}, fmt.Errorf("%w: %w", errSetup, err)
	}
	buf := make([]byte, 0, chunkLen*24)
	var werr error
	for c := first; c < s.chunks() && werr == nil; c += stride {
		werr = f.write(in, buf, s, s.chunk(c))
	}
	if err := in.Close(); werr == nil {
		werr = err
	}
	err = cmd.Wait()
	// Status 1 reports differences, which are counted below.
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err = errors.Join(werr, err); err != nil {
		return tally{}, fmt.Errorf("%w: %s: %w %s", errSetup, s.name, err, strings.TrimSpace(msg.String()))
	}
	return parse(out.String())
}

// parse reads the output of the C program.
func parse(out string) (t tally, err error) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	if _, err := fmt.Sscanf(last, "records %d differences %d", &t.records, &t.differences); err != nil {
		return tally{}, fmt.Errorf("%w: unexpected output %q", errSetup, last)
	}
	t.lines = lines[:len(lines)-1]
	return t, nil
}
