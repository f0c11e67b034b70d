package real

import (
	"fmt"
	"testing"
)

// The goal for an enclosure of ln at 128 bits is about 2 microseconds.

func BenchmarkLn(b *testing.B) {
	for _, prec := range []uint{69, 128, 256, 1000} {
		for _, c := range []struct {
			name string
			x    Dyadic
		}{
			{"generic", FromUint64(0x1abcdef1234567, -60)},
			{"binade", FromUint64(0x1abcdef1234567, -52)},
			{"near-one", FromUint64(1<<52+3, -52)},
			{"far", FromUint64(0x1abcdef1234567, -1<<40)},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, prec), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Ln(c.x, prec); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkExp(b *testing.B) {
	for _, prec := range []uint{69, 128, 256, 1000} {
		x := FromUint64(0x1abcdef1234567, -50)
		b.Run(fmt.Sprint(prec), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Exp(x, prec); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkQuo(b *testing.B) {
	x, y := Point(FromUint64(0x1abcdef1234567, -50)), Point(FromUint64(0x1fedcba9876543, -50))
	for b.Loop() {
		if _, err := x.Quo(y, 128); err != nil {
			b.Fatal(err)
		}
	}
}
