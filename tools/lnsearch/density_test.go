package main

import (
	"math"
	"testing"
)

// TestDensity checks, with the run lengths of the real search, where brute
// force is out of reach, that as many inputs are found as equidistribution
// lets expect: n inputs have 2 t n within t ulp. A search that loses a part of
// them fails this by many standard deviations.
func TestDensity(t *testing.T) {
	x := newExactLn()
	for _, c := range []struct {
		k     int
		start uint64
		runs  int
		exps  []int64
		log2  float64
	}{
		{9, 0x16123456789abc, 1 << 12, span(-1022, 1023), -29},
		{9, 0x1f0123456789ab, 1 << 12, span(-1022, 1023), -33},
		{5, 0x11bcdef0123456, 1 << 14, span(-1022, 1023), -26},
		{2, 0x1a23456789abcd, 1 << 15, span(-1022, 1023), -24},
		{-1, 0x11bcdef0123456, 1 << 17, span(-1022, 1023), -25},
		{-4, 0x1d000000000000, 1 << 16, span(-1, -1), -23},
		{-20, 0x1ffffd80000000, 1 << 16, span(-1, -1), -18},
		{19, 0x1456789abcdef0, 1 << 10, span(-1<<20-63, -1<<20), -28},
	} {
		b := block{w: 52, k: c.k, start: c.start, runs: c.runs, h: halfRun(c.start, c.k, runFill(c.k))}
		var offs []offset
		for _, e := range c.exps {
			if b.fits(e) {
				offs = append(offs, offset{e: e, add: addOf(x, e, c.k, Midpoint), top: newTop("", 1)})
			}
		}
		n := 0
		err := b.search(x, offs, math.Exp2(c.log2), func(m uint64, o *offset) {
			if d, err := x.log2Dist(m, b.w, o.e, Midpoint); err == nil && d <= c.log2 {
				n++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		want := float64(b.last()-b.start) * float64(len(offs)) * math.Exp2(c.log2+1)
		dev := (float64(n) - want) / math.Sqrt(want)
		t.Logf("k=%d: %d inputs found, %.0f expected (%+.1f standard deviations)", c.k, n, want, dev)
		if !(want > 300) || math.Abs(dev) > 6 {
			t.Errorf("k=%d: %d inputs found, %.0f expected", c.k, n, want)
		}
	}
}
