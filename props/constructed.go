package props

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/props/library"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// constructed makes the object and compares it, or the refusal, with what the
// definitions give.
func constructed(l library.Library, p Point) error {
	want, refusal := expected(p)
	log := logOf(p, want)
	if tamper := p["tamper"].Text; tamper != "" && refusal == nil {
		change(log, tamper)
		want, refusal = library.Record{}, &impl.DomainError{Argument: tampered(p)}
	}
	got, err := build(l, p, log)
	if err := sameRefusal(refusal, err); err != nil {
		return err
	}
	if a, b := readable(got), readable(want); a != b {
		return fmt.Errorf("the object has %s; the definitions give %s", a, b)
	}
	return nil
}

// build calls the constructor that p names.
func build(l library.Library, p Point, log map[string]any) (library.Record, error) {
	lo, hi, d := p["lo"].Float(), p["hi"].Float(), p["sensitivity"].Float()
	_, constant, _ := claimOf(p) // zero for a point without a claim
	scale := impl.ScaleParams{Scale: kindOf(p), Sensitivity: d, Lo: lo, Hi: hi, Constant: constant}
	budget := impl.Params{Sensitivity: d, Lo: lo, Hi: hi, Constant: constant}
	if fromScale(p) {
		scale.Value = p["value"].Float()
	} else {
		budget.Epsilon = p["epsilon"].Float()
	}
	text, err := json.Marshal(log)
	if err != nil {
		return library.Record{}, err
	}
	switch p["maker"].Text {
	case "scale":
		return l.Scale(scale)
	case "budget":
		return l.Budget(budget)
	case "calibrate":
		return l.Calibrate(budget)
	case "read-scale", "read-budget":
		return l.ReadSnapping(text)
	}
	return l.ReadCalibration(text)
}

// expected is the object, or the refusal: an argument outside its domain, then a
// hypothesis, then an overflow.
func expected(p Point) (r library.Record, refusal error) {
	if arg := outside(p); arg != "" {
		return r, &impl.DomainError{Argument: arg}
	}
	claim, _, err := claimOf(p)
	if err != nil {
		return r, err
	}
	var broken *spec.RejectError
	if errors.As(claimOn(claim, p), &broken) {
		return r, &impl.HypothesisError{Hypothesis: broken.Subject}
	}
	b := accounting(claim, p)
	float := func(v spec.Value) float64 { return encode(v).Float() }
	r = library.Record{
		Scale: impl.Lambda, Sensitivity: p["sensitivity"].Float(), Constant: claim.Name,
		Lo: float(datum(p["lo"]).PlusZero()), Hi: float(datum(p["hi"]).PlusZero()),
	}
	var lambda *big.Rat
	unit := unitOf
	if fromScale(p) {
		r.Scale, r.Value = kindOf(p), p["value"].Float()
		lambda = rat(dyadic(p["value"]))
		if r.Scale == impl.InverseEpsilon {
			lambda.Inv(lambda)
		}
	} else {
		l := b.lambda()
		r.Value, r.Epsilon = float(l), p["epsilon"].Float()
		lambda = rat(l.Dyadic())
		unit = func(Point) real.Dyadic { return unitOf(lambdaPoint(l)) }
		if p["maker"].Text == "calibrate" || p["maker"].Text == "read-calibration" {
			r.EpsilonPrime = float(oracle.RoundRat(b64, b.prime(), oracle.Down))
		}
	}
	achieved := oracle.RoundRat(b64, b.loss(lambda), oracle.Up)
	if achieved.IsInf() {
		return library.Record{}, &impl.OverflowError{Quantity: "achieved"}
	}
	r.Unit, r.Achieved = float(spec.FromDyadic(unit(p))), float(achieved)
	return r, nil
}

// sameRefusal compares the type of a refusal and what it names.
func sameRefusal(want, got error) error {
	if a, b := refusalOf(got), refusalOf(want); a != b {
		return fmt.Errorf("the answer is %s, must be %s: %v", a, b, got)
	}
	return nil
}

func refusalOf(err error) string {
	var (
		domain     *impl.DomainError
		hypothesis *impl.HypothesisError
		overflow   *impl.OverflowError
	)
	switch {
	case err == nil:
		return "an object"
	case errors.As(err, &domain):
		return "a domain error of " + domain.Argument
	case errors.As(err, &hypothesis):
		return "a hypothesis error of " + hypothesis.Hypothesis
	case errors.As(err, &overflow):
		return "an overflow of " + overflow.Quantity
	}
	return fmt.Sprintf("an error of type %T", err)
}

// readable writes a record without loss; %x tells -0 from +0.
func readable(r library.Record) string {
	return fmt.Sprintf("epsilon %x, %v %x, sensitivity %x, [%x, %x], %s, unit %x, epsilon' %x, achieved %x",
		r.Epsilon, r.Scale, r.Value, r.Sensitivity, r.Lo, r.Hi, r.Constant, r.Unit, r.EpsilonPrime, r.Achieved)
}

// derivedFields are the fields of a log that its parameters determine.
var derivedFields = map[string][]string{
	"read-scale":       {"unit", "achieved", "c"},
	"read-budget":      {"unit", "achieved", "c", "value"},
	"read-calibration": {"unit", "achieved", "c", "lambda", "epsilon_prime"},
}

// tampered is the argument a changed log is refused for.
func tampered(p Point) string {
	switch {
	case p["tamper"].Text == "c":
		return "constant"
	case p["maker"].Text == "read-calibration":
		return "Calibration"
	}
	return "Snapping"
}

// change replaces one field of a log by another number that can be read.
func change(log map[string]any, field string) {
	if field == "c" {
		log["constant"].(map[string]string)["c"] = "11"
		return
	}
	to := "0x1p+00"
	if log[field] == to {
		to = "0x1p+01"
	}
	log[field] = to
}

// logOf writes the log of p by hand; what is derived comes from r, which is
// zero when p is refused.
func logOf(p Point, r library.Record) map[string]any {
	hex := func(x float64) string { return strconv.FormatFloat(x, 'x', -1, 64) }
	of := func(name string) string { return hex(p[name].Float()) }
	claim, _, _ := claimOf(p)
	log := map[string]any{
		"sensitivity": of("sensitivity"), "lo": of("lo"), "hi": of("hi"), "unit": hex(r.Unit), "achieved": hex(r.Achieved),
		"constant": map[string]string{
			"name": claim.Name, "c": fmt.Sprint(claim.C), "additive": fmt.Sprint(claim.A), "floor": fmt.Sprint(claim.Floor),
		},
	}
	fields := map[string]any{"mechanism": "snapping", "epsilon": "", "scale": p["scale"].Text, "value": ""}
	switch p["maker"].Text {
	case "read-scale":
		fields["value"] = of("value")
	case "read-budget":
		fields["epsilon"], fields["scale"], fields["value"] = of("epsilon"), "lambda", hex(r.Value)
	case "read-calibration":
		fields = map[string]any{"epsilon": of("epsilon"), "lambda": hex(r.Value), "epsilon_prime": hex(r.EpsilonPrime)}
	default:
		return nil
	}
	for k, v := range fields {
		log[k] = v
	}
	return log
}
