package main

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestBlockMatchesBruteForce compares the lattice search with a visit to
// every input of small regions.
func TestBlockMatchesBruteForce(t *testing.T) {
	x := newExactLn()
	for _, c := range []struct {
		w      uint
		k      int
		e      []int64
		start  uint64
		inputs uint64
		log2   float64
		fill   float64
	}{
		{52, -1, []int64{-1}, 0x11a2b3c4d5e6f7, 1 << 18, -18, 1e-6},
		{52, -1, []int64{-1}, 0x11234567890abc, 1 << 16, -12, 1e-9},
		{52, 5, []int64{-60, -61, 70}, 0x19876543210fed, 1 << 16, -12, 1e-9},
		{52, 9, []int64{-900, 1000, -1022, -1075}, 0x1fffffff000000, 1 << 15, -11, 1e-9},
		{52, 9, []int64{-900}, 1 << 52, 1 << 16, -12, 1e-5},
		{48, 9, []int64{-1026}, 0x1abcdef012345, 1 << 16, -12, 1e-6},
		{52, -20, []int64{-1}, 0x1ffffd80000000, 1 << 16, -12, 1e-3},
		{52, 19, []int64{-1 << 20}, 0x15555555555555, 1 << 16, -12, 1e-12},
	} {
		for _, tgt := range []Target{Midpoint, Double} {
			b := block{w: c.w, k: c.k, start: c.start, h: halfRun(c.start, c.k, c.fill)}
			b.runs = int(c.inputs / uint64(2*b.h))
			var want, got []string
			for m := b.start; m < b.last(); m++ {
				for _, e := range c.e {
					d, err := x.log2Dist(m, c.w, e, tgt)
					if err != nil {
						t.Fatal(err)
					}
					if d <= c.log2 {
						want = append(want, fmt.Sprintf("%x %d", m, e))
					}
				}
			}
			tp := newTop("all", 1<<30)
			var offs []offset
			for _, e := range c.e {
				offs = append(offs, offset{e: e, target: tgt, add: addOf(x, e, c.k, tgt), top: tp})
			}
			calls := 0
			err := b.search(x, offs, math.Exp2(c.log2), func(m uint64, o *offset) {
				calls++
				if d, _ := x.log2Dist(m, c.w, o.e, tgt); d <= c.log2 {
					got = append(got, fmt.Sprintf("%x %d", m, o.e))
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("w=%d k=%d e=%v %v: search found %d, brute force %d inputs", c.w, c.k, c.e, tgt, len(got), len(want))
			}
			if calls > len(got)+len(got)/4+2 {
				t.Errorf("w=%d k=%d e=%v %v: %d candidates for %d inputs", c.w, c.k, c.e, tgt, calls, len(got))
			}
			t.Logf("w=%d k=%d e=%v %v: %d runs of %d: %d inputs found", c.w, c.k, c.e, tgt, b.runs, 2*b.h, len(got))
		}
	}
}

// TestStep checks the stepped logarithm against the exact one.
func TestStep(t *testing.T) {
	x := newExactLn()
	m, n := uint64(0x14000000000001), uint64(3000001)
	l := anchor(x, m, 52)
	for range anchorEvery {
		l.step(m, n)
		m += n
	}
	want := anchor(x, m, 52)
	if d := int64(l.lo - want.lo); l.hi != want.hi || d > 4*anchorEvery || d < -4*anchorEvery {
		t.Errorf("after %d steps %x, want %x", anchorEvery, l, want)
	}
}
