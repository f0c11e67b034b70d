package ops

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

var b64 = spec.Binary64

// Oracle is the voter of package oracle, on binary64.
func Oracle() wire.Voter {
	return table{"oracle", map[string]Func{
		"ln": func(in wire.Values) wire.Result {
			return oracleY(oracle.Ln(b64, datum(in["x"])))
		},
		"ln_pair": func(in wire.Values) wire.Result {
			u, err := drawOf(in)
			if err != nil {
				return oracleError(err)
			}
			return oracleY(oracle.LnU(b64, u))
		},
		"pow2_ceil": func(in wire.Values) wire.Result {
			return oracleY(oracle.Pow2Ceil(b64, datum(in["x"])))
		},
		"pow2_ceil_inv": func(in wire.Values) wire.Result {
			return oracleY(oracle.Pow2CeilInv(b64, datum(in["x"])))
		},
		"round_multiple": func(in wire.Values) wire.Result {
			return oracleY(oracle.RoundMultiple(b64, datum(in["x"]), datum(in["unit"]), spec.Ties(in["ties"].Text)))
		},
		"clamp": func(in wire.Values) wire.Result {
			return oracleY(oracle.Clamp(datum(in["x"]), datum(in["lo"]), datum(in["hi"])))
		},
		"uniform":        oracleUniform,
		"snap":           oracleSnap,
		"snap_calibrate": oracleCalibrate,
		"snap_release":   oracleRelease,
		"snap_prob":      oracleProb,
		"snap_loss":      oracleLoss,
		"snap_wide":      oracleSnapWide,
		"wide_calibrate": oracleWideCalibrate,
	}}
}

func datum(v wire.Value) spec.Value { return spec.FromBits64(v.Bits()) }

func encode(v spec.Value) wire.Value {
	b, err := b64.Encode(v)
	if err != nil { // the oracle gave something that is no double: let it show
		return wire.Value{Type: wire.F64, Text: fmt.Sprintf("not binary64: %v", v)}
	}
	return wire.NewF64(b)
}

func oracleError(err error) wire.Result {
	var r *spec.RejectError
	if errors.As(err, &r) {
		return wire.Result{Reject: string(r.Kind), Detail: r.Subject + ": " + r.Detail}
	}
	return wire.Result{Err: err.Error()}
}

func oracleY(v spec.Value, err error) wire.Result {
	if err != nil {
		return oracleError(err)
	}
	return wire.Result{Out: wire.Values{"y": encode(v)}}
}

// drawOf reads the pair (m, e).
func drawOf(in wire.Values) (spec.U, error) {
	e, ok := integer(in["e"])
	if m := in["m"].Big(); !ok || !m.IsUint64() {
		return spec.U{}, spec.Reject(spec.Domain, "u", "m or e is out of range")
	}
	u := spec.U{M: in["m"].Big().Uint64(), E: e}
	return u, u.Validate(b64)
}

func oracleUniform(in wire.Values) wire.Result {
	u, consumed, err := oracle.Uniform(b64, spec.Kind(in["kind"].Text), in["tape"].Bytes())
	if err != nil {
		return oracleError(err)
	}
	return wire.Result{Out: wire.Values{
		"m": wire.NewUint(u.M), "e": wire.NewInt(u.E), "consumed": wire.NewInt(int64(consumed)),
	}}
}

func snapParams(in wire.Values) spec.SnapParams {
	return spec.SnapParams{
		Format: b64, Scale: spec.ScaleKind(in["scale"].Text),
		Value: datum(in["value"]), Lo: datum(in["lo"]), Hi: datum(in["hi"]),
	}
}

func oracleSnap(in wire.Values) wire.Result {
	u, err := drawOf(in)
	if err != nil {
		return oracleError(err)
	}
	s := spec.Sign(1)
	if in["s"].Text == "-1" {
		s = -1
	}
	t, err := oracle.SnapF(snapParams(in), datum(in["f"]), u, s)
	if err != nil {
		return oracleError(err)
	}
	out := wire.Values{}
	for i, v := range t.Stages() {
		out[spec.SnapStages[i].ID] = encode(v)
	}
	return wire.Result{Out: out}
}

func oracleRelease(in wire.Values) wire.Result {
	t, _, _, consumed, err := oracle.Release(snapParams(in), spec.Kind(in["kind"].Text), datum(in["f"]), in["tape"].Bytes())
	if err != nil {
		return oracleError(err)
	}
	return wire.Result{Out: wire.Values{"r": encode(t.R), "consumed": wire.NewInt(int64(consumed))}}
}

func oracleCalibrate(in wire.Values) wire.Result {
	var n [3]int64
	for i, name := range []string{"constant", "additive", "floor"} {
		v, ok := integer(in[name])
		if !ok {
			return wire.Rejected(rejectDomain)
		}
		n[i] = v
	}
	c, err := oracle.Calibrate(oracle.Budget{
		Format: b64, Epsilon: datum(in["epsilon"]), Sensitivity: datum(in["sensitivity"]),
		Lo: datum(in["lo"]), Hi: datum(in["hi"]),
	}, spec.Claim{C: n[0], A: n[1], Floor: n[2]})
	if err != nil {
		return oracleError(err)
	}
	return wire.Result{Out: wire.Values{
		"lambda": encode(c.Lambda), "epsilon_prime": encode(c.EpsilonPrime),
		"achieved": encode(c.Achieved), "unit": encode(c.Unit),
	}}
}
