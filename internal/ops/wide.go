package ops

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/wide/derand"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The operations at p bits of precision. Their numbers are exact rationals.

var fieldP = field("precision", wire.Int, "p, the bits of every operation, 53 <= p <= 4096")

var (
	sigSnapWide = wire.Signature{
		Op: "snap_wide", Doc: "Snap_F(f; u, s) at p bits, every stage",
		In: []wire.Field{
			fieldP,
			field("scale", wire.ScaleOf, "what value is"),
			field("value", wire.Rat, "lambda or epsilon: of p significant bits, 2^-1074 <= value < 2^1024"),
			field("lo", wire.F64, "lower bound, finite"),
			field("hi", wire.F64, "upper bound, finite, >= lo"),
			fieldF,
			field("m", wire.Int, "significand bits of u, 0 <= m < 2^(p-1)"),
			field("e", wire.Int, "u = (1 + m 2^-(p-1)) 2^-e, 1 <= e < 2^62"),
			field("s", wire.Sign, "+1 puts the output at or below f"),
		},
		Out: []wire.Field{
			field("unit", wire.Rat, "Lambda"),
			field("ln", wire.Rat, "LN(u)"),
			field("y", wire.Rat, "lambda (x) ln, or ln (/) epsilon"),
			field("z", wire.Rat, "s y"),
			field("x", wire.Rat, "clamp(f)"),
			field("w", wire.Rat, "x (+) z"),
			field("rounded", wire.Rat, "nearest multiple of Lambda, ties toward +inf"),
			field("r", wire.Rat, "clamp of that"),
		},
	}
	sigWideCalibrate = wire.Signature{
		Op: "wide_calibrate", Doc: "the scale of p bits for a privacy budget",
		In: append([]wire.Field{fieldP}, sigSnapCalibrate.In...),
		Out: []wire.Field{
			field("lambda", wire.Rat, "smallest sufficient scale of p bits"),
			field("epsilon_prime", wire.Rat, "the ideal mechanism's budget, rounded down"),
			field("achieved", wire.Rat, "the accounted loss with that lambda, rounded up"),
			field("unit", wire.Rat, "Lambda"),
		},
	}
)

// Scales of the wide operations are in [2^-1074, 2^1024).
const (
	minWideScale = -1074
	maxWideScale = 1024
)

// triple reads c, a and b as far as int64 goes.
func triple(in wire.Values) (n [3]int64, ok bool) {
	for i, name := range []string{"constant", "additive", "floor"} {
		if n[i], ok = integer(in[name]); !ok {
			return n, false
		}
	}
	return n, true
}

// The oracle's side.

// wideFormat reads the precision.
func wideFormat(in wire.Values) (spec.Format, error) {
	p, ok := integer(in["precision"])
	if !ok || p < spec.MinWide || p > spec.MaxWide {
		return spec.Format{}, spec.Reject(spec.Domain, "precision", "%v is not in [%d, %d]", in["precision"].Text, spec.MinWide, spec.MaxWide)
	}
	return spec.Wide(uint(p)), nil
}

func inWideRange(d real.Dyadic) bool {
	return d.Sign() > 0 && d.Top() >= minWideScale && d.Top() < maxWideScale
}

// wideScale reads a rational as a scale of the format.
func wideScale(f spec.Format, v wire.Value) (spec.Value, error) {
	r := v.Rat()
	places := r.Denom().BitLen() - 1
	d := real.NewDyadic(r.Num(), -int64(places))
	if r.Denom().TrailingZeroBits() != uint(places) || !inWideRange(d) || !f.Contains(d) {
		return spec.Value{}, spec.Reject(spec.Domain, "value", "%s is not a number of %d bits in [2^-1074, 2^1024)", v.Text, f.Precision)
	}
	return spec.FromDyadic(d), nil
}

func oracleSnapWide(in wire.Values) wire.Result {
	f, err := wideFormat(in)
	if err != nil {
		return oracleError(err)
	}
	value, err := wideScale(f, in["value"])
	if err != nil {
		return oracleError(err)
	}
	e, ok := integer(in["e"])
	if !ok || in["m"].Big().Sign() < 0 {
		return wire.Rejected(rejectDomain)
	}
	s := spec.Sign(1)
	if in["s"].Text == "-1" {
		s = -1
	}
	t, err := oracle.SnapF(spec.SnapParams{
		Format: f, Scale: spec.ScaleKind(in["scale"].Text), Value: value, Lo: datum(in["lo"]), Hi: datum(in["hi"]),
	}, datum(in["f"]), spec.NewU(in["m"].Big(), e), s)
	if err != nil {
		return oracleError(err)
	}
	out := wire.Values{}
	for i, v := range t.Stages() {
		if !v.IsFinite() {
			return wire.Result{Err: "a stage of snap_wide is infinite"} // excluded by the ranges
		}
		out[spec.SnapStages[i].ID] = wire.NewRat(ratOf(v.Dyadic()))
	}
	return wire.Result{Out: out}
}

func oracleWideCalibrate(in wire.Values) wire.Result {
	f, err := wideFormat(in)
	if err != nil {
		return oracleError(err)
	}
	n, ok := triple(in)
	if !ok {
		return wire.Rejected(rejectDomain)
	}
	c, err := oracle.Calibrate(oracle.Budget{
		Format: f, Epsilon: datum(in["epsilon"]), Sensitivity: datum(in["sensitivity"]),
		Lo: datum(in["lo"]), Hi: datum(in["hi"]),
	}, spec.Claim{C: n[0], A: n[1], Floor: n[2]})
	if err == nil && !inWideRange(c.Lambda.Dyadic()) {
		err = spec.Reject(spec.Overflow, "lambda", "%v is not in [2^-1074, 2^1024)", c.Lambda)
	}
	if err != nil {
		return oracleError(err)
	}
	return wire.Result{Out: wire.Values{
		"lambda": wire.NewRat(ratOf(c.Lambda.Dyadic())), "epsilon_prime": wire.NewRat(ratOf(c.EpsilonPrime.Dyadic())),
		"achieved": wire.NewRat(ratOf(c.Achieved.Dyadic())), "unit": wire.NewRat(ratOf(c.Unit.Dyadic())),
	}}
}

// The implementation's side.

// precision reads p as far as its Go type goes; out of range it is 0, which the
// implementation refuses.
func precision(in wire.Values) uint {
	if p := in["precision"].Big(); p.IsUint64() && p.Uint64() <= 1<<16 {
		return uint(p.Uint64())
	}
	return 0
}

// bigFloat is a rational as a big.Float, exactly, or nil when it is none of any
// precision or beyond what an argument may be.
func bigFloat(r *big.Rat) *big.Float {
	d := r.Denom()
	if d.TrailingZeroBits() != uint(d.BitLen()-1) {
		return nil
	}
	x := new(big.Float).SetInt(r.Num()) // as many bits as the numerator has
	return x.SetMantExp(x, 1-d.BitLen())
}

func ratFloat(x *big.Float) wire.Value {
	r, _ := x.Rat(nil)
	if r == nil { // an infinity: let it show
		return wire.NewRatInf(nil)
	}
	return wire.NewRat(r)
}

func implSnapWide(in wire.Values) wire.Result {
	p := derand.Params{
		Precision: precision(in), Value: bigFloat(in["value"].Rat()), Lo: in["lo"].Float(), Hi: in["hi"].Float(),
	}
	if err := p.Scale.UnmarshalText([]byte(in["scale"].Text)); err != nil {
		return implError(err)
	}
	e, ok := integer(in["e"])
	if !ok {
		return wire.Rejected(rejectDomain)
	}
	s := 1
	if in["s"].Text == "-1" {
		s = -1
	}
	t, err := derand.Snap(p, in["f"].Float(), in["m"].Big(), e, s)
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{
		"unit": ratFloat(t.Unit), "ln": ratFloat(t.Ln), "y": ratFloat(t.Y), "z": ratFloat(t.Z),
		"x": ratFloat(t.X), "w": ratFloat(t.W), "rounded": ratFloat(t.Rounded), "r": ratFloat(t.R),
	}}
}

func implWideCalibrate(in wire.Values) wire.Result {
	n, ok := triple(in)
	if !ok {
		return wire.Rejected(rejectDomain)
	}
	c, err := derand.Calibrate(precision(in), in["epsilon"].Float(), in["sensitivity"].Float(),
		in["lo"].Float(), in["hi"].Float(), n[0], n[1], n[2])
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{
		"lambda": ratFloat(c.Lambda), "epsilon_prime": ratFloat(c.EpsilonPrime),
		"achieved": ratFloat(c.Achieved), "unit": ratFloat(c.Unit),
	}}
}
