package spec

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func good() SnapParams { return SnapParams{Binary64, ScaleLambda, num(1, 0), num(-8, 0), num(8, 0)} }

func TestSnapParamsValidate(t *testing.T) {
	set := func(change func(*SnapParams)) SnapParams { p := good(); change(&p); return p }
	for _, p := range []SnapParams{
		good(),
		set(func(p *SnapParams) { p.Scale = ScaleEpsilon }),
		set(func(p *SnapParams) { p.Value = num(1, -1074) }),
		set(func(p *SnapParams) { p.Value = FromDyadic(Binary64.MaxFinite()) }),
		set(func(p *SnapParams) { p.Lo = p.Hi }),
		set(func(p *SnapParams) { p.Lo, p.Hi = Zero(false), Zero(true) }), // equal as numbers
		set(func(p *SnapParams) { p.Format = Small(3, -2, 3) }),
	} {
		assert.NoError(t, p.Validate(), p.String())
	}
	notDatum := num(1<<53+1, 0)
	for _, c := range []struct {
		subject string
		p       SnapParams
	}{
		{"format", set(func(p *SnapParams) { p.Format.Precision = 1 })},
		{"scale", set(func(p *SnapParams) { p.Scale = "sigma" })},
		{"scale", set(func(p *SnapParams) { p.Scale = "" })},
		{"value", set(func(p *SnapParams) { p.Value = Zero(false) })},
		{"value", set(func(p *SnapParams) { p.Value = Zero(true) })},
		{"value", set(func(p *SnapParams) { p.Value = num(-1, 0) })},
		{"value", set(func(p *SnapParams) { p.Value = Inf(false) })},
		{"value", set(func(p *SnapParams) { p.Value = NaN() })},
		{"value", set(func(p *SnapParams) { p.Value = notDatum })},
		{"value", set(func(p *SnapParams) { p.Value = num(1, -1075) })},
		{"lo", set(func(p *SnapParams) { p.Lo = Inf(true) })},
		{"lo", set(func(p *SnapParams) { p.Lo = NaN() })},
		{"lo", set(func(p *SnapParams) { p.Lo = notDatum.Neg() })},
		{"hi", set(func(p *SnapParams) { p.Hi = Inf(false) })},
		{"hi", set(func(p *SnapParams) { p.Hi = NaN() })},
		{"hi", set(func(p *SnapParams) { p.Hi = notDatum })},
		{"lo", set(func(p *SnapParams) { p.Lo = num(9, 0) })},
		{"hi", set(func(p *SnapParams) { p.Format = Small(3, -2, 3); p.Hi = num(16, 0) })},
		// Several faults: the first of format, scale, value, lo, hi, order.
		{"format", set(func(p *SnapParams) { p.Format, p.Scale, p.Value = Format{}, "", NaN() })},
		{"scale", set(func(p *SnapParams) { p.Scale, p.Value = "", NaN() })},
		{"value", set(func(p *SnapParams) { p.Value, p.Lo = NaN(), NaN() })},
		{"lo", set(func(p *SnapParams) { p.Lo, p.Hi = NaN(), NaN() })},
	} {
		requireReject(t, c.p.Validate(), Domain, c.subject)
	}
}

func TestBound(t *testing.T) {
	for _, c := range [][3]int64{{-8, 5, 8}, {-5, 8, 8}, {3, 8, 8}, {-8, -3, 8}, {0, 0, 0}} {
		assert.True(t, Bound(num(c[0], 0), num(c[1], 0)).Equal(dy(c[2], 0)), c)
	}
}

// The order in which kinds are tested is the protocol's, and part of it.
func TestRejectionOrder(t *testing.T) {
	assert.Equal(t, []Rejection{"domain", "size", "hypothesis", "overflow", "tape"}, Rejections)
	err := Reject(Overflow, "unit", "2^%d is too large", 1024)
	assert.EqualError(t, err, "overflow (unit): 2^1024 is too large")
	requireReject(t, err, Overflow, "unit")
}

func TestKindsOnTheWire(t *testing.T) {
	assert.Equal(t, []string{"lambda", "epsilon", "unbounded", "binary64", "up", "down"},
		[]string{string(ScaleLambda), string(ScaleEpsilon), string(Unbounded), string(FloatRange), string(TiesUp), string(TiesDown)})
}

// Stages and FirstDifference follow the order of the definition.
func TestTraceStages(t *testing.T) {
	var ids []string
	for _, s := range SnapStages {
		ids = append(ids, s.ID)
	}
	assert.Equal(t, []string{"unit", "ln", "y", "z", "x", "w", "rounded", "r"}, ids)
	tr := Trace{Unit: num(1, 0), Ln: num(-2, 0), Y: num(-3, 0), Z: num(4, 0), X: num(5, 0), W: num(6, 0), Rounded: num(7, 0), R: Zero(false)}
	_, differ := FirstDifference(tr, tr)
	assert.False(t, differ)
	fields := func(tr *Trace) []*Value {
		return []*Value{&tr.Unit, &tr.Ln, &tr.Y, &tr.Z, &tr.X, &tr.W, &tr.Rounded, &tr.R}
	}
	for i, id := range ids {
		other := tr
		for _, v := range fields(&other)[i:] { // this stage and all after it differ
			*v = num(99, 0)
		}
		got, ok := FirstDifference(tr, other)
		assert.True(t, ok)
		assert.Equal(t, id, got)
		assert.True(t, slices.EqualFunc(tr.Stages()[:i], other.Stages()[:i], Value.Same))
	}
	zero := tr
	zero.R = Zero(true)
	got, ok := FirstDifference(tr, zero)
	assert.True(t, ok, "the sign of a zero is a difference")
	assert.Equal(t, "r", got)
	assert.Equal(t, "binary64: lambda = 0x1p+0 on [-0x1p+3, 0x1p+3]", good().String())
	assert.True(t, Bound(good().Lo, good().Hi).Equal(real.Pow2(3)))
}
