package props

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var latticeProperties = []Property{
	{"pow2-ceil-minimal", []string{"pow2_ceil"}, genEdge, func(v wire.Voter, p Point) error {
		x := dyadic(p["x"])
		r, err := power(v, "pow2_ceil", p)
		if err != nil || r == nil {
			return overflowIff(err, r, x.Cmp(real.Pow2(1023)) > 0)
		}
		if r.Cmp(x) < 0 || halfStillServes(*r, func(h real.Dyadic) bool { return h.Cmp(x) >= 0 }) {
			return fmt.Errorf("2^%d is not the smallest power of two >= %v", r.Top(), x)
		}
		return overflowIff(nil, r, x.Cmp(real.Pow2(1023)) > 0)
	}},
	{"pow2-ceil-inv-minimal", []string{"pow2_ceil_inv"}, genEdge, func(v wire.Voter, p Point) error {
		x := dyadic(p["x"])
		r, err := power(v, "pow2_ceil_inv", p)
		if err != nil || r == nil {
			return overflowIff(err, r, x.Cmp(real.Pow2(-1023)) < 0)
		}
		if r.Mul(x).Cmp(real.One()) < 0 || halfStillServes(*r, func(h real.Dyadic) bool { return h.Mul(x).Cmp(real.One()) >= 0 }) {
			return fmt.Errorf("2^%d is not the smallest power of two >= 1/%v", r.Top(), x)
		}
		return overflowIff(nil, r, x.Cmp(real.Pow2(-1023)) < 0)
	}},
	{"pow2-ceil-inv-of-quotient", []string{"pow2_ceil_inv", "pow2_ceil"}, genEdge, inverseOfQuotient},
}

// genEdge is a positive double, one time in four next to a power of two at an
// end of the range, where reciprocals become subnormal or overflow.
func genEdge(src gen.Source) Point {
	x := gen.Positive(src)
	if pick(src, 4) == 3 {
		ends := []float64{math.MaxFloat64, 0x1p1023, 0x1p1022, 0x1p-1022, 0x1p-1023, 0x1p-1074}
		x = near(src, math.Float64bits(ends[pick(src, len(ends))]))
	}
	return Point{"x": f64(x)}
}

// power asks for a power of two; nil stands for an overflow.
func power(v wire.Voter, op string, p Point) (*real.Dyadic, error) {
	r, err := ask(v, op, question(op, p, nil))
	if err != nil || r.Reject == "overflow" {
		return nil, err
	}
	d := datum(r.Out["y"]).Dyadic()
	if r.Reject != "" || !datum(r.Out["y"]).IsFinite() || d.Sign() <= 0 || !d.IsPow2() {
		return nil, fmt.Errorf("%s gives %s%s: no power of two", op, r.Reject, r.Out["y"].Text)
	}
	return &d, nil
}

func overflowIff(err error, r *real.Dyadic, overflows bool) error {
	if err == nil && (r == nil) != overflows {
		return fmt.Errorf("overflow is %v, must be %v", r == nil, overflows)
	}
	return err
}

// halfStillServes reports whether r is not minimal: half of it is a double, and serves.
func halfStillServes(r real.Dyadic, serves func(real.Dyadic) bool) bool {
	half := r.Shift(-1)
	return half.Cmp(b64.MinPositive()) >= 0 && serves(half)
}

// differs are the x for which the power of two above fl(1/x) is not that above
// 1/x. For x = 2^(j+1) (1 - d), 1/x = 2^-(j+1) (1 + d + …) rounds down to the power
// of two when d + … is below half the spacing there: never when 1/x is normal
// (d is at least 2^-53, which with the further terms is above the half spacing
// 2^-53), for d = 1, 2, 3 times 2^-53 when it is next to 2^-1024 (half spacing
// 2^-51), and for d = 2^-53 when it is next to 2^-1023 (half spacing 2^-52).
func differs(x uint64) bool {
	largest := math.Float64bits(math.MaxFloat64)
	return x >= largest-2 || x == math.Float64bits(0x1p1023)-1
}

func inverseOfQuotient(v wire.Voter, p Point) error {
	r, err := power(v, "pow2_ceil_inv", p)
	if err != nil {
		return err
	}
	q := oracle.Quo(b64, spec.FromDyadic(real.One()), datum(p["x"]))
	if q.IsInf() {
		return overflowIff(nil, r, true)
	}
	of, err := power(v, "pow2_ceil", Point{"x": encode(q)})
	switch {
	case err != nil:
		return err
	case r == nil || of == nil:
		if r != of {
			return fmt.Errorf("only one of 1/x and fl(1/x) = %v overflows", q)
		}
		return nil
	}
	if differs(p["x"].Bits()) {
		if !r.Equal(of.Shift(1)) {
			return fmt.Errorf("2^%d is not twice that of fl(1/x), 2^%d", r.Top(), of.Top())
		}
		return nil
	}
	if !r.Equal(*of) {
		return fmt.Errorf("2^%d is not that of fl(1/x), 2^%d", r.Top(), of.Top())
	}
	return nil
}

var clampProperties = []Property{
	{"clamp-bounded", []string{"clamp"}, genClamp, func(v wire.Voter, p Point) error {
		r, err := y(v, "clamp", question("clamp", p, nil))
		if err == nil && (!r.IsFinite() || r.Cmp(datum(p["lo"])) < 0 || r.Cmp(datum(p["hi"])) > 0) {
			err = fmt.Errorf("%v is outside the bounds", r)
		}
		return err
	}},
	{"clamp-identity", []string{"clamp"}, genClamp, func(v wire.Voter, p Point) error {
		r, err := y(v, "clamp", question("clamp", p, nil))
		x := datum(p["x"])
		inside := datum(p["lo"]).Cmp(x) <= 0 && x.Cmp(datum(p["hi"])) <= 0
		if err == nil && inside && !r.Same(x.PlusZero()) {
			err = fmt.Errorf("%v is inside the bounds, and becomes %v", x, r)
		}
		return err
	}},
	{"clamp-idempotent", []string{"clamp"}, genClamp, func(v wire.Voter, p Point) error {
		once, err := value(v, "clamp", question("clamp", p, nil))
		if err != nil {
			return err
		}
		twice, err := value(v, "clamp", question("clamp", p, wire.Values{"x": once["y"]}))
		if err == nil && once["y"].Text != twice["y"].Text {
			err = fmt.Errorf("once %s, twice %s", once["y"].Text, twice["y"].Text)
		}
		return err
	}},
	{"clamp-monotone", []string{"clamp"}, genClampPair, func(v wire.Voter, p Point) error {
		return monotone(v, "clamp", p, wire.Values{"x": p["x2"]})
	}},
	{"clamp-lipschitz", []string{"clamp"}, genClampPair, func(v wire.Voter, p Point) error {
		a, err := y(v, "clamp", question("clamp", p, nil))
		if err != nil {
			return err
		}
		b, err := y(v, "clamp", question("clamp", p, wire.Values{"x": p["x2"]}))
		if err != nil {
			return err
		}
		x, x2 := datum(p["x"]), datum(p["x2"])
		if !x.IsFinite() || !x2.IsFinite() {
			return nil // an infinite distance bounds everything
		}
		if moved, by := b.Dyadic().Sub(a.Dyadic()).Abs(), x2.Dyadic().Sub(x.Dyadic()).Abs(); moved.Cmp(by) > 0 {
			return fmt.Errorf("moving x by %v moves the result by %v", by, moved)
		}
		return nil
	}},
}

func genClamp(src gen.Source) Point {
	lo, hi := gen.Bounds(src, gen.Positive)
	x := legal(src)
	switch pick(src, 8) {
	case 5:
		x = lo
	case 6:
		x = hi
	case 7:
		x = above(src, hi)
	}
	switch pick(src, 8) {
	case 6:
		lo = signBit | lo // -0 stays -0, other bounds are at or below it
		hi = hi &^ uint64(signBit)
	case 7:
		lo, hi = lo|signBit, signBit // hi = -0
	}
	return Point{"x": f64(x), "lo": f64(lo), "hi": f64(hi)}
}

func genClampPair(src gen.Source) Point {
	p := genClamp(src)
	x2 := legal(src)
	if x := p["x"]; datum(x).IsFinite() && pick(src, 2) == 0 {
		x2 = above(src, x.Bits())
	}
	p["x"], p["x2"] = orderedPair(p["x"], f64(x2))
	return p
}
