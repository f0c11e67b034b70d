package main

import (
	"io"
	"slices"
	"testing"
)

// TestWalk checks that every midpoint walked yields an input, that the input
// is nearer to it than its neighbours and that no midpoint is skipped.
func TestWalk(t *testing.T) {
	x := newExactLn()
	for _, c := range []struct {
		e     int64
		j     int
		steps int
		log2  float64
	}{
		{1 << 40, 39 - 52, 300, -40},
		{1 << 61, 60 - 52, 300, -61},
	} {
		tp := newTop("", 1<<20)
		n, err := x.walk(c.e, 1<<62, c.j, c.steps, func(int64) *top { return tp })
		if err != nil || n != c.steps || len(tp.list) != n {
			t.Fatalf("e=%d: %d midpoints, %d inputs, %v", c.e, n, len(tp.list), err)
		}
		for _, e := range tp.list {
			if e.log2 > c.log2 {
				t.Errorf("%+v: distance above 2^%g", e, c.log2)
			}
			for _, d := range []uint64{e.m - 1, e.m + 1} {
				if l, err := x.log2Dist(d|1<<52, 52, -e.e, Midpoint); err != nil || l < e.log2 {
					t.Errorf("%+v: m=%#x lies nearer, 2^%.2f (%v)", e, d, l, err)
				}
			}
		}
	}
}

// TestFamilies checks the shortcut and the known hardest case near 1.
func TestFamilies(t *testing.T) {
	x := newExactLn()
	for k := uint64(9); k < 3000; k++ {
		for _, e := range []int64{-1, 0} {
			m := uint64(1)<<53 - k
			if e == 0 {
				m = 1<<52 + k
			}
			d, err := x.log2Dist(m, 52, e, Midpoint)
			if err != nil || d < -8 && !promising(k, e) {
				t.Errorf("k=%d e=%d: 2^%.2f passed over (%v)", k, e, d, err)
			}
		}
	}
	c := collectors{}
	if err := searchFamilies(x, c); err != nil {
		t.Fatal(err)
	}
	if h := c["family-below-1"].list[0]; h.bits != 0x3feffffffffffffe || h.log2 > -53.5 {
		t.Errorf("hardest below 1: %+v", h)
	}
}

// TestRepeatable runs a group twice.
func TestRepeatable(t *testing.T) {
	x := newExactLn()
	g := group{52, 4, 3, 1 << 13, 1, 2, span(-1022, 1023), 2}
	var last []entry
	for i := range 2 {
		c, rng := collectors{}, splitMix64(7)
		if _, err := g.run(x, c, &rng); err != nil {
			t.Fatal(err)
		}
		es := collect(c)
		if len(es) == 0 || i > 0 && !slices.Equal(es, last) {
			t.Errorf("%d entries, then %d or others", len(last), len(es))
		}
		last = es
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-scale", "0"}, {"-scale", "NaN"}, {"x"}, {"-seed", "z"}} {
		if code := run(args, io.Discard); code != 2 {
			t.Errorf("%v: exit %d, want 2", args, code)
		}
	}
	if code := run([]string{"-verify", "missing"}, io.Discard); code != 1 {
		t.Errorf("missing list: exit %d, want 1", code)
	}
}
