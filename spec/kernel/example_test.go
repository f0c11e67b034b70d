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
	fmt.Print(d.Tree("w", kernel.Style{Notation: lang.Unicode, Bits: 20}))
	// Output:
}
