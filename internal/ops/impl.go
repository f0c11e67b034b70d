package ops

import (
	"errors"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Impl is the voter of package impl. It answers snap_release with the production
// type's own code, through derand.
func Impl() wire.Voter {
	return table{"impl", map[string]Func{
		"ln": func(in wire.Values) wire.Result { return implLn(impl.Ln(in["x"].Float())) },
		"ln_pair": func(in wire.Values) wire.Result {
			m, e, ok := pair(in)
			if !ok {
				return wire.Rejected(rejectDomain)
			}
			return implLn(impl.LnPair(m, e))
		},
		"pow2_ceil":     func(in wire.Values) wire.Result { return implY(derand.Pow2Ceil(in["x"].Float())) },
		"pow2_ceil_inv": func(in wire.Values) wire.Result { return implY(derand.Pow2CeilInv(in["x"].Float())) },
		"round_multiple": func(in wire.Values) wire.Result {
			var t derand.Ties
			if err := t.UnmarshalText([]byte(in["ties"].Text)); err != nil {
				return implError(err)
			}
			return implY(derand.RoundMultiple(in["x"].Float(), in["unit"].Float(), t))
		},
		"clamp": func(in wire.Values) wire.Result {
			return implY(derand.Clamp(in["x"].Float(), in["lo"].Float(), in["hi"].Float()))
		},
		"uniform":        implUniform,
		"snap":           implSnap,
		"snap_calibrate": implCalibrate,
		"snap_release":   implRelease,
		"snap_prob":      implProb,
		"snap_loss":      implLoss,
		"snap_wide":      implSnapWide,
		"wide_calibrate": implWideCalibrate,
	}}
}

func implError(err error) wire.Result {
	var (
		domain     *impl.DomainError
		hypothesis *impl.HypothesisError
		overflow   *impl.OverflowError
		tape       *derand.TapeError
	)
	switch {
	case errors.As(err, &domain):
		return wire.Rejected(rejectDomain)
	case errors.As(err, &hypothesis):
		return wire.Rejected(rejectHypothesis)
	case errors.As(err, &overflow):
		return wire.Rejected(rejectOverflow)
	case errors.As(err, &tape):
		return wire.Rejected(rejectTape)
	}
	return wire.Result{Err: err.Error()}
}

func implY(y float64, err error) wire.Result {
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{"y": wire.NewFloat(y)}}
}

// implLn reads the NaN that Ln and LnPair give outside their domain.
func implLn(y float64) wire.Result {
	if math.IsNaN(y) {
		return wire.Rejected(rejectDomain)
	}
	return implY(y, nil)
}

// pair reads (m, e) as far as their Go types go.
func pair(in wire.Values) (m uint64, e int64, ok bool) {
	e, ok = integer(in["e"])
	return in["m"].Big().Uint64(), e, ok && in["m"].Big().IsUint64()
}

func implUniform(in wire.Values) wire.Result {
	k, err := kind(in)
	if err != nil {
		return implError(err)
	}
	m, e, consumed, err := derand.Uniform(in["tape"].Bytes(), k)
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{
		"m": wire.NewUint(m), "e": wire.NewInt(e), "consumed": wire.NewInt(int64(consumed)),
	}}
}

func kind(in wire.Values) (k derand.Kind, err error) {
	return k, k.UnmarshalText([]byte(in["kind"].Text))
}

func implParams(in wire.Values) (p derand.SnapParams, err error) {
	p = derand.SnapParams{Value: in["value"].Float(), Lo: in["lo"].Float(), Hi: in["hi"].Float()}
	return p, p.Scale.UnmarshalText([]byte(in["scale"].Text))
}

func implSnap(in wire.Values) wire.Result {
	p, err := implParams(in)
	if err != nil {
		return implError(err)
	}
	m, e, ok := pair(in)
	if !ok {
		return wire.Rejected(rejectDomain)
	}
	s := 1
	if in["s"].Text == "-1" {
		s = -1
	}
	t, err := derand.Snap(p, in["f"].Float(), m, e, s)
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{
		"unit": wire.NewFloat(t.Unit), "ln": wire.NewFloat(t.Ln), "y": wire.NewFloat(t.Y), "z": wire.NewFloat(t.Z),
		"x": wire.NewFloat(t.X), "w": wire.NewFloat(t.W), "rounded": wire.NewFloat(t.Rounded), "r": wire.NewFloat(t.R),
	}}
}

func implRelease(in wire.Values) wire.Result {
	p, err := implParams(in)
	if err != nil {
		return implError(err)
	}
	k, err := kind(in)
	if err != nil {
		return implError(err)
	}
	r, consumed, err := derand.SnapRelease(p, in["f"].Float(), in["tape"].Bytes(), k)
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{"r": wire.NewFloat(r), "consumed": wire.NewInt(int64(consumed))}}
}

func implCalibrate(in wire.Values) wire.Result {
	var n [3]int64
	for i, name := range []string{"constant", "additive", "floor"} {
		v, ok := integer(in[name])
		if !ok {
			return wire.Rejected(rejectDomain)
		}
		n[i] = v
	}
	lambda, prime, achieved, unit, err := derand.Calibrate(
		in["epsilon"].Float(), in["sensitivity"].Float(), in["lo"].Float(), in["hi"].Float(), n[0], n[1], n[2])
	if err != nil {
		return implError(err)
	}
	return wire.Result{Out: wire.Values{
		"lambda": wire.NewFloat(lambda), "epsilon_prime": wire.NewFloat(prime),
		"achieved": wire.NewFloat(achieved), "unit": wire.NewFloat(unit),
	}}
}
