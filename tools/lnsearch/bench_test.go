package main

import (
	"fmt"
	"math"
	"testing"
)

// BenchmarkFill measures inputs per second against the run length.
func BenchmarkFill(b *testing.B) {
	x := newExactLn()
	for _, k := range []int{-20, -4, 1, 3, 5, 9} {
		for _, fill := range []float64{0.03, 0.06, 0.12, 0.25, 0.5, 1, 2, 4} {
			b.Run(fmt.Sprintf("k=%d/fill=%g", k, fill), func(b *testing.B) {
				bl := block{w: 52, k: k, start: 0x16123456789abc, runs: 2048}
				exps := span(-1022, 1023)
				if k == -4 {
					bl.start, exps = 0x1d000000000000, span(-1, -1)
				} else if k == -20 {
					bl.start, exps = 0x1ffffd80000000, span(-1, -1)
				}
				bl.h = halfRun(bl.start, k, fill)
				var offs []offset
				for _, e := range exps {
					if bl.fits(e) {
						offs = append(offs, offset{e: e, add: addOf(x, e, k, Midpoint), top: newTop("", 1)})
					}
				}
				for range b.N {
					if err := bl.search(x, offs, theta, func(uint64, *offset) {}); err != nil {
						b.Fatal(err)
					}
				}
				n := float64(b.N) * float64(bl.last()-bl.start) * float64(len(offs))
				b.ReportMetric(math.Log2(n/b.Elapsed().Seconds()), "log2-inputs/s")
			})
		}
	}
}
