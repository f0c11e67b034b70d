package spec

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ScaleKind says which parameter the noise is computed from. The two published
// forms of the mechanism differ in it and round differently.
type ScaleKind string

const (
	// ScaleLambda: y = lambda (x) LN(u) (Covington 2019, section 3; Mironov 2012, section 5.2).
	ScaleLambda ScaleKind = "lambda"
	// ScaleEpsilon: y = LN(u) (/) epsilon (Liu 2020, definitions 2 and 3).
	ScaleEpsilon ScaleKind = "epsilon"
)

// Kind is a distribution of U*, the uniform draw. See docs/theory.md 2.1.
type Kind string

const (
	// Unbounded has no smallest value: P(u < t) = t for every value t of u.
	Unbounded Kind = "unbounded"
	// FloatRange is the published draw, over the positive numbers of the format
	// below 1; its wire name is "binary64".
	FloatRange Kind = "binary64"
)

// Sign is +1 or -1. +1 is the side where y <= 0 pushes the output at or below f.
type Sign int8

// Ties says which of two equally near multiples rounding takes.
type Ties string

const (
	TiesUp   Ties = "up"   // toward +inf
	TiesDown Ties = "down" // toward -inf
)

// U is the uniform draw u = (1 + m·2^-(p-1))·2^-E of a format with precision p,
// 0 <= m < 2^(p-1), E >= 1, with m = M + 2^64·Upper. A subnormal number of the
// format is written the same way. For p <= 65 Upper is nil, and draws can be
// compared with ==.
type U struct {
	M     uint64
	Upper *big.Int // not changed by anyone; nil for 0
	E     int64
}

// NewU returns the draw with significand bits m >= 0, which it copies.
func NewU(m *big.Int, e int64) U {
	u := U{M: new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64(), E: e}
	if m.BitLen() > 64 {
		u.Upper = new(big.Int).Rsh(m, 64)
	}
	return u
}

// Significand returns a copy of m.
func (u U) Significand() *big.Int {
	m := new(big.Int).SetUint64(u.M)
	if u.Upper != nil {
		m.Add(m, new(big.Int).Lsh(u.Upper, 64))
	}
	return m
}

// MaxE bounds U.E: E < 2^62.
const MaxE = int64(1)<<62 - 1

// Validate returns a domain rejection unless (M, E) is a draw of the format.
func (u U) Validate(f Format) error {
	if u.Upper != nil && u.Upper.Sign() < 0 || u.Significand().BitLen() >= int(f.Precision) {
		return Reject(Domain, "m", "%v is not in [0, 2^%d)", u.Significand(), f.Precision-1)
	}
	if u.E < 1 || u.E > MaxE {
		return Reject(Domain, "e", "%d is not in [1, 2^62)", u.E)
	}
	return nil
}

// Value returns u exactly.
func (u U) Value(f Format) real.Dyadic {
	p1 := f.Precision - 1
	if p1 < 64 && u.Upper == nil {
		return real.FromUint64(1<<p1|u.M, -int64(p1)-u.E)
	}
	m := u.Significand()
	return real.NewDyadic(m.SetBit(m, int(p1), 1), -int64(p1)-u.E)
}

// SnapParams are the parameters of the snapping mechanism in Format: the scale
// (lambda > 0, or epsilon > 0) and the bounds Lo <= Hi, all finite data of the
// format. There is no rescaling by the sensitivity and no shift of the bounds.
type SnapParams struct {
	Format Format
	Scale  ScaleKind
	Value  Value // lambda or epsilon
	Lo, Hi Value
}

// Validate returns a domain rejection for parameters that define no mechanism.
// Whether a privacy theorem covers them is the Hypotheses' question.
func (p SnapParams) Validate() error {
	if err := p.Format.Validate(); err != nil {
		return Reject(Domain, "format", "%v", err)
	}
	if p.Scale != ScaleLambda && p.Scale != ScaleEpsilon {
		return Reject(Domain, "scale", "%q is neither %q nor %q", p.Scale, ScaleLambda, ScaleEpsilon)
	}
	if err := p.Format.positive("value", p.Value); err != nil {
		return err
	}
	return p.Format.bounds(p.Lo, p.Hi)
}

func (f Format) positive(name string, v Value) error {
	if !v.IsFinite() || v.Sign() <= 0 || !f.Has(v) {
		return Reject(Domain, name, "%v is not a finite positive number of %s", v, f.Name)
	}
	return nil
}

func (f Format) bounds(lo, hi Value) error {
	for _, b := range []struct {
		name string
		v    Value
	}{{"lo", lo}, {"hi", hi}} {
		if !b.v.IsFinite() || !f.Has(b.v) {
			return Reject(Domain, b.name, "%v is not a finite number of %s", b.v, f.Name)
		}
	}
	if lo.Cmp(hi) > 0 {
		return Reject(Domain, "lo", "lo = %v exceeds hi = %v", lo, hi)
	}
	return nil
}

// Bound returns B = max(|Lo|, |Hi|).
func Bound(lo, hi Value) real.Dyadic { return real.Max(lo.Dyadic().Abs(), hi.Dyadic().Abs()) }

// Trace is everything one evaluation of Snap_F computes, in the order of the stages.
type Trace struct {
	Unit    Value // Lambda
	Ln      Value // LN(u)
	Y       Value // lambda (x) LN(u), or LN(u) (/) epsilon
	Z       Value // s·y
	X       Value // clamp(f)
	W       Value // x (+) z
	Rounded Value // nearest multiple of Lambda
	R       Value // clamp of that: the output
}

// TraceR is the same for Snap_R, on the reals: enclosures, and the rounded
// output, which they decide.
type TraceR struct {
	Unit       real.Dyadic
	Ln, Y, Z   real.Interval
	X          real.Dyadic
	W          real.Interval
	Rounded, R real.Dyadic
}

// Stage is one line of the definition of the mechanism.
type Stage struct {
	ID      string // the name of the output on the wire
	Float   string // Snap_F
	Real    string // Snap_R
	Remark  string
	Section string
}

// SnapStages is the definition of Snap_F and Snap_R (Mironov 2012, section 5.2;
// Liu 2020, definitions 2 and 3), in the order in which outputs are compared.
var SnapStages = []Stage{
	{"unit", "Lambda = min{2^k >= lambda}", "the same", "from the bits of lambda, or of epsilon, exactly", "2.2"},
	{"ln", "ell = LN(u)", "ln u", "correctly rounded, to nearest even", "2"},
	{"y", "y = lambda (x) ell  or  ell (/) epsilon", "lambda ln u  or  ln u / epsilon", "a zero is +0", "2"},
	{"z", "z = s y", "s lambda ln u", "exact", "2"},
	{"x", "x = clamp_[lo,hi](f)", "the same", "exact; a zero is +0", "2"},
	{"w", "w = x (+) z", "x + z", "may overflow to an infinity, which is carried", "2"},
	{"rounded", "w' = round_Lambda(w)", "the same", "exact; ties toward +inf; a zero is +0", "2.3"},
	{"r", "r = clamp_[lo,hi](w')", "the same", "exact; a zero is +0", "2"},
}

// Stages returns the values of t in the order of SnapStages.
func (t Trace) Stages() []Value {
	return []Value{t.Unit, t.Ln, t.Y, t.Z, t.X, t.W, t.Rounded, t.R}
}

// FirstDifference returns the stage at which two traces first differ, or ok = false.
func FirstDifference(a, b Trace) (stage string, ok bool) {
	bs := b.Stages()
	for i, v := range a.Stages() {
		if !v.Same(bs[i]) {
			return SnapStages[i].ID, true
		}
	}
	return "", false
}

// String names the parameters.
func (p SnapParams) String() string {
	return fmt.Sprintf("%s: %s = %v on [%v, %v]", p.Format.Name, p.Scale, p.Value, p.Lo, p.Hi)
}
