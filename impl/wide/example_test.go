package wide_test

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/wide"
	"github.com/dp-crosscheck/crosscheck/impl/wide/derand"
)

// Bounds of 2^60 units are out of reach at 53 bits, whose hypothesis is B <= 2^38
// lambda, and cost nothing visible at 118.
func Example() {
	const epsilon, count = 0.5, 123456789
	p, err := wide.Precision(epsilon)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := wide.New(wide.Params{
		Precision: p, Epsilon: epsilon, Sensitivity: 1, Lo: 0, Hi: 0x1p60, Constant: impl.Proved(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Release(count) // secure random bits
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Precision(), "bits, unit", s.Unit(), "and a double:", r == float64(int64(r)))
	fmt.Println("scale", s.Value().Text('g', 25))

	// The same object on bits of our own, as a test would do. Never in production.
	tape := make([]byte, 24)
	tape[0] = 0b0_0001_101 // s = +1, then u = 2^-4 (1.101...)
	out, consumed, err := derand.Release(s, count, tape)
	fmt.Println(out, consumed, err)
	// Output:
	// 118 bits, unit 4 and a double: true
	// scale 2.000000000000000104083409
	// 1.23456784e+08 122 <nil>
}
