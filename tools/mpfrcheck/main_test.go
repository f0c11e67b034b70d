package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// runOrSkip runs the program and skips the test where MPFR is missing.
func runOrSkip(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	exe, err := build(t.TempDir())
	if errors.Is(err, errSetup) {
		t.Skip(err)
	}
	if err != nil || exe == "" {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return code, o.String() + e.String()
}

func TestLnAgrees(t *testing.T) {
	code, out := runOrSkip(t, "-n", "50000", "-wide", "50000", "-pairs", "5000")
	if code != 0 {
		t.Errorf("exit %d\n%s", code, out)
	}
}

// TestControlFails shows that the check finds the known errors of math.Log.
func TestControlFails(t *testing.T) {
	code, out := runOrSkip(t, "-n", "50000", "-fn", "mathlog")
	if code != 1 {
		t.Fatalf("exit %d, want 1\n%s", code, out)
	}
	m := regexp.MustCompile(`u: 50000 records, (\d+) differences`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no count in\n%s", out)
	}
	if n, _ := strconv.Atoi(m[1]); n < 50000*2/100 || n > 50000*15/100 {
		t.Errorf("%d differences of 50000, want about 7 %%", n)
	}
	if n := strings.Count(out, "difference: "); n != shown {
		t.Errorf("%d differences shown, want %d", n, shown)
	}
}

// TestProcesses shows that the inputs do not depend on the number of
// processes.
func TestProcesses(t *testing.T) {
	count := regexp.MustCompile(`\d+ records, \d+ differences`)
	_, a := runOrSkip(t, "-n", "40000", "-fn", "mathlog", "-procs", "1")
	_, b := runOrSkip(t, "-n", "40000", "-fn", "mathlog", "-procs", "3")
	if x, y := count.FindString(a), count.FindString(b); x != y || x == "" {
		t.Errorf("1 process: %q, 3 processes: %q", x, y)
	}
}

func TestDraws(t *testing.T) {
	var rng splitMix64
	sub, near := 0, 0
	for range 100000 {
		if u := drawUnit(&rng).x; !(u > 0 && u < 1) {
			t.Fatalf("u = %v", u)
		}
		x := drawWide(&rng).x
		if !(x > 0 && x <= math.MaxFloat64) {
			t.Fatalf("x = %v", x)
		}
		if x < 0x1p-1022 {
			sub++
		}
		if math.Abs(x-1) < 0x1p-20 {
			near++
		}
		if p := drawLongPair(&rng); p.m >= 1<<52 || p.e < 1 || p.e >= 1<<62 {
			t.Fatalf("pair %v", p)
		}
	}
	if sub < 3000 || near < 1500 {
		t.Errorf("%d subnormals and %d neighbours of 1 in 100000", sub, near)
	}
}

func TestBadUse(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "list")
	for _, content := range []string{"", "x", "x 0x0", "x 0x7ff0000000000000", "pair 1", "pair 0x10000000000000 1", "pair 1 z", "y 1 2"} {
		if err := os.WriteFile(bad, []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var o, e bytes.Buffer
		if code := run([]string{"-n", "0", "-list", bad}, &o, &e); code != 2 || e.Len() == 0 {
			t.Errorf("list %q: exit %d, %q", content, code, e.String())
		}
	}
	for _, args := range [][]string{{"-n", "-1"}, {"-fn", "x"}, {"y"}, {"-list", bad + "missing"}, {"-procs", "0"}} {
		var o, e bytes.Buffer
		if code := run(args, &o, &e); code != 2 || e.Len() == 0 {
			t.Errorf("%v: exit %d, %q", args, code, e.String())
		}
	}
}

// TestMissingLibrary runs a compiler that complains as cc does without MPFR.
func TestMissingLibrary(t *testing.T) {
	for _, msg := range []string{
		"check.c:20:10: fatal error: mpfr.h: No such file or directory",
		"/usr/bin/ld: cannot find -lmpfr: No such file or directory",
		"check.c:20:10: fatal error: 'mpfr.h' file not found",
	} {
		dir := t.TempDir()
		script := "#!/bin/sh\necho \"" + msg + "\" >&2\nexit 1\n"
		if err := os.WriteFile(filepath.Join(dir, "cc"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		var o, e bytes.Buffer
		if code := run([]string{"-n", "1"}, &o, &e); code != 2 || !strings.Contains(e.String(), "apt-get install -y libmpfr-dev") {
			t.Errorf("%s: exit %d, %q", msg, code, e.String())
		}
	}
	t.Setenv("PATH", t.TempDir())
	var o, e bytes.Buffer
	if code := run([]string{"-n", "1"}, &o, &e); code != 2 || !strings.Contains(e.String(), "gcc") {
		t.Errorf("no compiler: exit %d, %q", code, e.String())
	}
}
