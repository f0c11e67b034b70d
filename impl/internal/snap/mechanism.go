package snap

import (
	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
	"github.com/dp-crosscheck/crosscheck/impl/internal/ln"
	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
)

// Mechanism is Snap_F for one set of parameters (Mironov 2012, section 5.2;
// docs/theory.md 2): the clamp to [Lo, Hi], the scale and the unit 2^K.
type Mechanism struct {
	Value   float64 // lambda, or epsilon when Inverse; positive, finite
	Inverse bool    // the scale is 1/Value, and ln u is divided by Value
	Lo, Hi  float64 // finite, Lo <= Hi
	K       int     // the unit is 2^K
}

// New fills in the unit: the smallest power of two at or above the scale. It
// reports false when that is above 2^1023.
func New(value float64, inverse bool, lo, hi float64) (Mechanism, bool) {
	k := 0
	if inverse {
		k = CeilLog2Inv(value)
	} else {
		k = CeilLog2(value)
	}
	m := Mechanism{
		Value: value, Inverse: inverse, K: k,
		Lo: layout.PlusZero(lo), Hi: layout.PlusZero(hi),
	}
	return m, k <= layout.MaxExp
}

// Unit returns 2^K.
func (c *Mechanism) Unit() float64 { return layout.Pow2(c.K) }

// Trace is every stage of one evaluation. Y, Z, W and Rounded may be infinite.
// Every zero is +0 but for Z, which is -0 when s = -1 and Y = 0.
type Trace struct {
	Ln, Y, Z, X, W, Rounded, R float64
}

// Release takes one sign and one U* without a lower end from r, in that order,
// and evaluates on f (not NaN). It is the one place where a release meets its
// random bits: production and the derandomised entry points both call it.
func (c *Mechanism) Release(r *tape.Reader, f float64) (float64, error) {
	minus, err := tape.Sign(r)
	if err != nil {
		return 0, err
	}
	m, e, err := tape.Unbounded(r)
	if err != nil {
		return 0, err
	}
	return c.Evaluate(f, m, e, minus).R, nil
}

// Evaluate runs the mechanism on f (not NaN) with u = (1 + m 2^-52) 2^-e,
// m < 2^52, 1 <= e < 2^62, and the sign s = -1 when minus is set, else +1.
//
// Each stage is one rounded operation. The conversion of the product keeps the
// compiler from fusing it with the addition (the language permits x*y + z to be
// fused unless an explicit conversion intervenes).
func (c *Mechanism) Evaluate(f float64, m uint64, e int64, minus bool) (t Trace) {
	t.X = Clamp(f, c.Lo, c.Hi)
	t.Ln = ln.Pair(m, e)
	if c.Inverse {
		t.Y = float64(t.Ln / c.Value)
	} else {
		t.Y = float64(c.Value * t.Ln)
	}
	t.Y = layout.PlusZero(t.Y) // an underflow of the negative product is -0
	t.Z = t.Y
	if minus {
		t.Z = -t.Y
	}
	t.W = float64(t.X + t.Z) // X is finite, so this is never NaN
	t.Rounded = Round(t.W, c.K, Up)
	t.R = Clamp(t.Rounded, c.Lo, c.Hi)
	return t
}
