package third

import (
	"math"
	"testing"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// snapCase asks with the parameters of snap in the order of the signature.
func snapCase(t *testing.T, scale word, v, lo, hi, f float64, m, e int, s word) wire.Result {
	t.Helper()
	return ask(t, "snap", "scale", scale, "value", v, "lo", lo, "hi", hi, "f", f, "m", m, "e", e, "s", s)
}

const (
	half   = 0         // m of u = 1/2 with e = 1
	almost = 1<<52 - 1 // m of u = 1 - 2^-53 with e = 1, where ln u is -2^-53
)

// all checks every stage.
func all(t *testing.T, r wire.Result, unit, ln, y, z, x, w, rounded, final float64) {
	t.Helper()
	gives(t, r, "unit", unit, "ln", ln, "y", y, "z", z, "x", x, "w", w, "rounded", rounded, "r", final)
}

func TestSnap(t *testing.T) {
	const l = lnTwo
	all(t, snapCase(t, "lambda", 1, -4, 4, 0.25, half, 1, "+1"), 1, -l, -l, -l, 0.25, 0.25-l, 0, 0)
	all(t, snapCase(t, "lambda", 1, -4, 4, 0.25, half, 1, "-1"), 1, -l, -l, l, 0.25, 0.25+l, 1, 1)
	// 3 x ln 2: 0x1.62e42fefa39efp-1 x 3 needs 55 bits, and is a tie to even.
	const l3 = 3.0
	y := -l3 * float64(l)
	all(t, snapCase(t, "lambda", 3, -4, 4, 9, half, 1, "+1"), 4, -l, y, y, 4, 4+y, 0, 0)
	all(t, snapCase(t, "lambda", 3, -4, 5, 9, half, 1, "-1"), 4, -l, y, -y, 5, 5-y, 8, 5)
	// By epsilon: the unit is the power of two from 1/epsilon, and ln is divided.
	all(t, snapCase(t, "epsilon", 0.5, -4, 4, 9, half, 1, "+1"), 2, -l, -2*l, -2*l, 4, 4-2*l, 2, 2)
	v := 3.0
	y = -float64(l) / v
	all(t, snapCase(t, "epsilon", v, -4, 4, 1, half, 1, "+1"), 0.5, -l, y, y, 1, 1+y, 1, 1)
	// The tie goes up: w = -1/2 exactly.
	r := snapCase(t, "lambda", 1, -4, 4, l-0.5, half, 1, "+1")
	all(t, r, 1, -l, -l, -l, l-0.5, -0.5, 0, 0)
	// An infinite f clamps.
	all(t, snapCase(t, "lambda", 1, -4, 4, inf, half, 1, "+1"), 1, -l, -l, -l, 4, 4-l, 3, 3)
	all(t, snapCase(t, "lambda", 1, -4, 4, -inf, half, 1, "+1"), 1, -l, -l, -l, -4, -4-l, -5, -4)
}

func TestSnapZeros(t *testing.T) {
	h := 0x1p-53
	// 2^-53 2^-1074 underflows: y is +0, z is s y, and x + z is +0 with x = +0.
	all(t, snapCase(t, "lambda", tiny, -1, 1, negZero(), almost, 1, "+1"), tiny, -h, 0, 0, 0, 0, 0, 0)
	all(t, snapCase(t, "lambda", tiny, -1, 1, negZero(), almost, 1, "-1"), tiny, -h, 0, negZero(), 0, 0, 0, 0)
	// The same by a quotient.
	all(t, snapCase(t, "epsilon", maxDouble, -1, 1, 0, almost, 1, "-1"), 0x1p-1023, -h, 0, negZero(), 0, 0, 0, 0)
	// Bounds that are zeros, and a rounding to zero from below.
	all(t, snapCase(t, "lambda", 1, negZero(), negZero(), -7, almost, 1, "+1"), 1, -h, -h, -h, 0, -h, 0, 0)
	// Equal and opposite: +0.
	all(t, snapCase(t, "lambda", 1, -1, 1, lnTwo, half, 1, "+1"), 1, -lnTwo, -lnTwo, -lnTwo, lnTwo, 0, 0, 0)
}

func TestSnapOverflows(t *testing.T) {
	far := -0x1p40 * lnTwo
	all(t, snapCase(t, "lambda", 0x1p1023, -4, 8, 1, 0, 1<<40, "+1"), 0x1p1023, far, -inf, -inf, 1, -inf, -inf, -4)
	all(t, snapCase(t, "lambda", 0x1p1023, -4, 8, 1, 0, 1<<40, "-1"), 0x1p1023, far, -inf, inf, 1, inf, inf, 8)
	// Only the sum overflows: max + 2^970 is a tie, to the even 2^1024.
	y := -0x1p970
	all(t, snapCase(t, "lambda", 0x1p1023, -1, maxDouble, inf, almost, 1, "-1"),
		0x1p1023, -0x1p-53, y, -y, maxDouble, inf, inf, maxDouble)
	// Only the rounding overflows.
	all(t, snapCase(t, "lambda", 0x1p1023, -1, maxDouble, inf, almost, 1, "+1"),
		0x1p1023, -0x1p-53, y, y, maxDouble, 0x1.ffffffffffffep1023, inf, maxDouble)
}

func TestSnapRefuses(t *testing.T) {
	for _, c := range []struct {
		v, lo, hi, f float64
		m, e         int
	}{
		{0, -1, 1, 0, 0, 1}, {-1, -1, 1, 0, 0, 1}, {inf, -1, 1, 0, 0, 1}, {nan, -1, 1, 0, 0, 1},
		{1, nan, 1, 0, 0, 1}, {1, -inf, 1, 0, 0, 1}, {1, -1, nan, 0, 0, 1}, {1, -1, inf, 0, 0, 1},
		{1, 2, 1, 0, 0, 1}, {1, -1, 1, nan, 0, 1},
		{1, -1, 1, 0, -1, 1}, {1, -1, 1, 0, 1 << 52, 1}, {1, -1, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1 << 62},
		{maxDouble, 1, -1, 0, 0, 1}, {maxDouble, -1, 1, 0, 0, 0}, // before the overflow
	} {
		refuses(t, domain, snapCase(t, "lambda", c.v, c.lo, c.hi, c.f, c.m, c.e, "+1"))
	}
	refuses(t, overflow, snapCase(t, "lambda", 0x1.0000000000001p1023, -1, 1, 0, 0, 1, "+1"))
	refuses(t, overflow, snapCase(t, "epsilon", tiny, -1, 1, 0, 0, 1, "+1"))
}

func TestRelease(t *testing.T) {
	release := func(v, lo, hi, f float64, tape string, kind word) wire.Result {
		return ask(t, "snap_release", "scale", word("lambda"), "value", v, "lo", lo, "hi", hi,
			"f", f, "tape", bits(tape), "kind", kind)
	}
	// The sign first, 0 for s = +1; then u = 1/2.
	gives(t, release(1, -4, 4, 2, "01"+zeros(52), "unbounded"), "r", 1.0, "consumed", 54)
	gives(t, release(1, -4, 4, 2, "11"+zeros(52), "unbounded"), "r", 3.0, "consumed", 54)
	gives(t, release(1, -4, 4, 0.25, "01"+zeros(52), "binary64"), "r", 0.0, "consumed", 54)
	// A restart draws u again and keeps the sign: 4 + ln 2 and not 4 - ln 2.
	gives(t, release(1, -9, 9, 4, "1"+zeros(1074)+"1"+zeros(52), "binary64"), "r", 5.0, "consumed", 1128)
	// 2^-2000 is a draw of the unbounded kind: 2000 ln 2 = 1386.29….
	far := "0" + zeros(1999) + "1" + zeros(52)
	gives(t, release(1, -5000, 0, 0, far, "unbounded"), "r", -1386.0, "consumed", 2053)

	refuses(t, noTape, release(1, -4, 4, 2, "", "unbounded"))
	refuses(t, noTape, release(1, -4, 4, 2, "1"+zeros(47), "unbounded"))
	refuses(t, noTape, release(1, -4, 4, 2, "01"+zeros(46), "binary64"))
	// What is refused does not depend on the tape.
	refuses(t, domain, release(1, -4, 4, nan, "", "unbounded"))
	refuses(t, domain, release(math.MaxFloat64, 4, -4, 0, "", "unbounded"))
	refuses(t, overflow, release(math.MaxFloat64, -4, 4, 0, "", "unbounded"))
}
