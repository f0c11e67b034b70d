package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestTableConfirmsTwelve(t *testing.T) {
	var out bytes.Buffer
	if code := run(nil, &out, &out); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out.String())
	}
}

// TestFaultsAreSeen: a smaller constant fails, and so does the enumeration with any one
// of its arguments left out.
func TestFaultsAreSeen(t *testing.T) {
	for _, args := range [][]string{
		{"-limit", "11.9"}, {"-limit", "11.98"}, {"-limit", "11.99"},
		{"-omit", "grid"}, {"-omit", "half-grid"}, {"-omit", "lattice"}, {"-omit", "spacing"},
	} {
		var out bytes.Buffer
		if code := run(args, &out, &out); code != 1 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
	for _, args := range [][]string{{"-limit", "x"}, {"-omit", "nothing"}, {"more"}} {
		var out bytes.Buffer
		if code := run(args, &out, &out); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}

func TestNoPairHoldsBelow(t *testing.T) {
	var out bytes.Buffer
	if code := run([]string{"-limit", "11.9"}, &out, &out); code != 1 || strings.Contains(out.String(), "(119/10, 5, 1): true") {
		t.Errorf("exit %d:\n%s", code, out.String())
	}
}
