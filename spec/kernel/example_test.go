package kernel_test

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
)

// Snap' with lambda = 3/4, f(a) = 3, u = 1/4 and s = 1, in binary16.
func ExampleSnapDerivation() {
	f := spec.Binary16
	three := spec.FromFloat64(3)
	d, err := kernel.SnapDerivation(spec.SnapParams{
		Format: f, Scale: spec.ScaleLambda, Value: spec.FromFloat64(0.75),
		Lo: spec.FromFloat64(-8), Hi: spec.FromFloat64(8),
	}, three, spec.U{M: 0, E: 2}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(d.Outline(kernel.Style{Notation: lang.Unicode, Bits: 20}))
	// Output:
	// u        [0x1p-2, 0x1p-2]  u
	// scale    [0x1.8p-1, 0x1.8p-1]  0x1.8p-1
	// f        [3, 3]  f(a)
	// ln       [-0x1.6310ap+0, -0x1.62b7cp+0]  Ⓛ(u)
	// y        [-0x1.0a6dcp+0, -0x1.09e8ap+0]  0x1.8p-1 ⊗ Ⓛ(u)
	// z        [-0x1.0a6dcp+0, -0x1.09e8ap+0]  0x1.8p-1 ⊗ Ⓛ(u)
	// x        [3, 3]  clamp_[-8, 8](f(a))
	// w        [0x1.f553ap+0, 0x1.f6562p+0]  clamp_[-8, 8](f(a)) ⊕ 0x1.8p-1 ⊗ Ⓛ(u)
	// rounded  [2, 2]  ⌊clamp_[-8, 8](f(a)) ⊕ 0x1.8p-1 ⊗ Ⓛ(u)⌉_1
	// r        [2, 2]  clamp_[-8, 8](⌊clamp_[-8, 8](f(a)) ⊕ 0x1.8p-1 ⊗ Ⓛ(u)⌉_1)
}
