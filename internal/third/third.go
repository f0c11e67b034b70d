// Package third is a voter written from the definitions alone (docs/theory.md 1,
// 2 and 8, and the port protocol), by other means than the oracle and the
// implementation: arithmetic exact in math/big and rounded once at the end, tapes
// read as text, rounding directions found by bisection, and the logarithm by the
// arithmetic-geometric mean of github.com/ALTree/bigfloat. It breaks ties and
// raises alarms; it is never the judge, and where it is unfit it abstains.
package third

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// The refusals of the port protocol that these operations know.
const (
	domain     = "domain"
	hypothesis = "hypothesis"
	overflow   = "overflow"
	noTape     = "tape"
)

var operations = map[string]func(wire.Values) wire.Result{
	"ln":             answerLn,
	"ln_pair":        answerLnPair,
	"pow2_ceil":      answerPow2Ceil,
	"pow2_ceil_inv":  answerPow2CeilInv,
	"round_multiple": answerRoundMultiple,
	"clamp":          answerClamp,
	"uniform":        answerUniform,
	"snap":           answerSnap,
	"snap_calibrate": answerCalibrate,
	"snap_release":   answerRelease,
	"snap_wide":      answerSnapWide,
	"wide_calibrate": answerWideCalibrate,
}

type voter struct{}

// New returns the voter. It keeps no state, so one serves any number of callers.
func New() wire.Voter { return voter{} }

func (voter) Name() string { return "bigfloat" }

func (voter) Answer(c wire.Case) (r wire.Result) {
	answer, ok := operations[c.Op]
	if !ok {
		return wire.Skipped("no operation %q", c.Op)
	}
	// math/big and bigfloat panic on what they cannot do. A vote is not worth a
	// crash, and the reason stays visible.
	defer func() {
		if p := recover(); p != nil {
			r = wire.Skipped("internal failure: %v", p)
		}
	}()
	return answer(c.In)
}

// value is a result with a single output.
func value(name string, x float64) wire.Result {
	return wire.Result{Out: wire.Values{name: wire.NewFloat(x)}}
}

func answerLn(in wire.Values) wire.Result {
	x := in["x"].Float()
	if !positive(x) {
		return wire.Rejected(domain)
	}
	y, why := lnDouble(x)
	if why != "" {
		return wire.Skipped("%s", why)
	}
	return value("y", y)
}

func answerLnPair(in wire.Values) wire.Result {
	u, ok := readDraw(in["m"].Big(), in["e"].Big())
	if !ok {
		return wire.Rejected(domain)
	}
	y, why := lnDraw(u)
	if why != "" {
		return wire.Skipped("%s", why)
	}
	return value("y", y)
}

func answerPow2Ceil(in wire.Values) wire.Result {
	return answerPower(in["x"].Float(), pow2Ceil)
}

func answerPow2CeilInv(in wire.Values) wire.Result {
	return answerPower(in["x"].Float(), pow2CeilInv)
}

func answerPower(x float64, power func(float64) (float64, bool)) wire.Result {
	if !positive(x) {
		return wire.Rejected(domain)
	}
	y, ok := power(x)
	if !ok {
		return wire.Rejected(overflow)
	}
	return value("y", y)
}

func answerRoundMultiple(in wire.Values) wire.Result {
	x, unit := in["x"].Float(), in["unit"].Float()
	if !finite(x) || !powerOfTwo(unit) {
		return wire.Rejected(domain)
	}
	y := roundMultiple(x, unit, in["ties"].Text == "down")
	if !finite(y) {
		return wire.Rejected(overflow)
	}
	return value("y", y)
}

func answerClamp(in wire.Values) wire.Result {
	x, lo, hi := in["x"].Float(), in["lo"].Float(), in["hi"].Float()
	if x != x || !bounds(lo, hi) {
		return wire.Rejected(domain)
	}
	return value("y", clamp(x, lo, hi))
}

func answerUniform(in wire.Values) wire.Result {
	t := newTape(in["tape"].Bytes())
	u, ok := t.draw(in["kind"].Text)
	if !ok {
		return wire.Rejected(noTape)
	}
	return wire.Result{Out: wire.Values{
		"m":        wire.NewUint(u.m),
		"e":        wire.NewUint(u.e),
		"consumed": wire.NewInt(int64(t.consumed)),
	}}
}

// draw is u = (1 + m 2^-52) 2^-e.
type draw struct{ m, e uint64 }

var (
	limitM = new(big.Int).Lsh(big.NewInt(1), 52)
	limitE = new(big.Int).Lsh(big.NewInt(1), 62)
)

// readDraw reports whether m is in [0, 2^52) and e in [1, 2^62).
func readDraw(m, e *big.Int) (draw, bool) {
	if m.Sign() < 0 || m.Cmp(limitM) >= 0 || e.Sign() <= 0 || e.Cmp(limitE) >= 0 {
		return draw{}, false
	}
	return draw{m.Uint64(), e.Uint64()}, true
}
