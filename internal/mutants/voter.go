package mutants

import (
	"errors"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// voter makes the stages answer every operation they take part in.
func (g *stages) voter(name string) wire.Voter {
	funcs := g.funcs()
	for _, op := range []string{"snap_prob", "snap_loss"} {
		funcs[op] = func(in wire.Values) wire.Result { return masses(in, g.mechanism) }
	}
	return ops.NewVoter(name, funcs)
}

// funcs answers the operations that run the stages once. A voter with a slow
// logarithm has no more: a distribution takes thousands of runs.
func (g *stages) funcs() map[string]ops.Func {
	logarithm := func(in wire.Values) wire.Result {
		x := in["x"].Float()
		if math.IsNaN(impl.Ln(x)) {
			return wire.Rejected("domain")
		}
		return single(g.ln(x), nil)
	}
	return map[string]ops.Func{
		"ln": logarithm,
		"ln_pair": func(in wire.Values) wire.Result {
			u, ok := drawOf(in)
			if !ok {
				return wire.Rejected("domain")
			}
			return single(g.lnPair(u.m, u.e), nil)
		},
		"pow2_ceil":      func(in wire.Values) wire.Result { return single(g.ceil(in["x"].Float())) },
		"pow2_ceil_inv":  func(in wire.Values) wire.Result { return single(g.ceilOf(in["x"].Float())) },
		"round_multiple": g.answerRound,
		"clamp": func(in wire.Values) wire.Result {
			if _, err := derand.Clamp(in["x"].Float(), in["lo"].Float(), in["hi"].Float()); err != nil {
				return failure(err)
			}
			return single(g.plusZero(g.clampOut(in["x"].Float(), in["lo"].Float(), in["hi"].Float())), nil)
		},
		"uniform":        g.answerUniform,
		"snap":           g.answerSnap,
		"snap_release":   g.answerRelease,
		"snap_calibrate": g.answerCalibrate,
	}
}

func failure(err error) wire.Result {
	var (
		hypothesis *impl.HypothesisError
		overflow   *impl.OverflowError
		tape       *derand.TapeError
	)
	switch {
	case isDomain(err):
		return wire.Rejected("domain")
	case errors.As(err, &hypothesis):
		return wire.Rejected("hypothesis")
	case errors.As(err, &overflow):
		return wire.Rejected("overflow")
	case errors.As(err, &tape):
		return wire.Rejected("tape")
	}
	return wire.Result{Err: err.Error()}
}

func single(y float64, err error) wire.Result {
	if err != nil {
		return failure(err)
	}
	return wire.Result{Out: wire.Values{"y": wire.NewFloat(y)}}
}

// drawOf reads (m, e) and reports whether it is a draw.
func drawOf(in wire.Values) (u draw, ok bool) {
	m, e := in["m"].Big(), in["e"].Big()
	if !m.IsUint64() || !e.IsInt64() {
		return u, false
	}
	u = draw{m.Uint64(), e.Int64()}
	return u, !math.IsNaN(impl.LnPair(u.m, u.e))
}

func (g *stages) answerRound(in wire.Values) wire.Result {
	var t derand.Ties
	if err := t.UnmarshalText([]byte(in["ties"].Text)); err != nil {
		return failure(err)
	}
	x, unit := in["x"].Float(), in["unit"].Float()
	if _, err := derand.RoundMultiple(x, unit, t); err != nil && isDomain(err) {
		return failure(err)
	}
	y := g.round(x, unit, t)
	if math.IsInf(y, 0) {
		return wire.Rejected("overflow")
	}
	return single(g.plusZero(y), nil)
}

func (g *stages) answerUniform(in wire.Values) wire.Result {
	kind, err := kindOf(in)
	if err != nil {
		return failure(err)
	}
	t := &tape{bytes: in["tape"].Bytes(), bit: g.bit}
	for {
		u, again, err := g.draw(t, kind)
		if err != nil {
			return failure(err)
		}
		if !again {
			return wire.Result{Out: wire.Values{
				"m": wire.NewUint(u.m), "e": wire.NewInt(u.e), "consumed": wire.NewInt(int64(t.used)),
			}}
		}
	}
}

func kindOf(in wire.Values) (k derand.Kind, err error) {
	return k, k.UnmarshalText([]byte(in["kind"].Text))
}

func paramsOf(in wire.Values) (p derand.SnapParams, err error) {
	p = derand.SnapParams{Value: in["value"].Float(), Lo: in["lo"].Float(), Hi: in["hi"].Float()}
	return p, p.Scale.UnmarshalText([]byte(in["scale"].Text))
}

func (g *stages) answerSnap(in wire.Values) wire.Result {
	p, err := paramsOf(in)
	if err == nil {
		err = g.check(p, in["f"].Float())
	}
	if err != nil {
		return failure(err)
	}
	u, ok := drawOf(in)
	if !ok {
		return wire.Rejected("domain")
	}
	s := 1
	if in["s"].Text == "-1" {
		s = -1
	}
	t, err := g.snap(p, in["f"].Float(), u, s)
	if err != nil {
		return failure(err)
	}
	return wire.Result{Out: wire.Values{
		"unit": wire.NewFloat(t.Unit), "ln": wire.NewFloat(t.Ln), "y": wire.NewFloat(t.Y), "z": wire.NewFloat(t.Z),
		"x": wire.NewFloat(t.X), "w": wire.NewFloat(t.W), "rounded": wire.NewFloat(t.Rounded), "r": wire.NewFloat(t.R),
	}}
}

func (g *stages) answerRelease(in wire.Values) wire.Result {
	p, err := paramsOf(in)
	if err != nil {
		return failure(err)
	}
	kind, err := kindOf(in)
	if err != nil {
		return failure(err)
	}
	r, consumed, err := g.release(p, in["f"].Float(), in["tape"].Bytes(), kind)
	if err != nil {
		return failure(err)
	}
	return wire.Result{Out: wire.Values{"r": wire.NewFloat(r), "consumed": wire.NewInt(int64(consumed))}}
}

func (g *stages) answerCalibrate(in wire.Values) wire.Result {
	var n [3]int64
	for i, name := range []string{"constant", "additive", "floor"} {
		if !in[name].Big().IsInt64() {
			return wire.Rejected("domain")
		}
		n[i] = in[name].Big().Int64()
	}
	calibrate := g.calibrate
	if calibrate == nil {
		calibrate = func(epsilon, d, lo, hi float64, c, a, b int64) (calibration, error) {
			return g.calibrator.run(epsilon, d, lo, hi, c, a, b, g.ceil)
		}
	}
	c, err := calibrate(in["epsilon"].Float(), in["sensitivity"].Float(), in["lo"].Float(), in["hi"].Float(), n[0], n[1], n[2])
	if err != nil {
		return failure(err)
	}
	return wire.Result{Out: wire.Values{
		"lambda": wire.NewFloat(c.lambda), "epsilon_prime": wire.NewFloat(c.prime),
		"achieved": wire.NewFloat(c.achieved), "unit": wire.NewFloat(c.unit),
	}}
}
