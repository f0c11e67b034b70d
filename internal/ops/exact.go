package ops

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/twin"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// publishedWidth is -log2 of the width of the enclosures that the oracle gives:
// narrow enough to tell most wrong ones without refining.
const publishedWidth = 100

func oracleProb(in wire.Values) wire.Result {
	p, x := snapParams(in), datum(in["x"])
	if !x.IsFinite() {
		return wire.Rejected(rejectDomain)
	}
	d, err := oracle.NewDistribution(p, spec.Kind(in["kind"].Text), datum(in["f"]))
	if r := unreachable(in, err); r != nil {
		return *r
	}
	pr, err := d.At(x)
	if err != nil {
		return oracleError(err)
	}
	return rational(pr, "p", wire.Values{})
}

func oracleLoss(in wire.Values) wire.Result {
	p, f, f2 := snapParams(in), datum(in["f"]), datum(in["f2"])
	if f2.IsNaN() {
		return wire.Rejected(rejectDomain)
	}
	_, err := oracle.NewDistribution(p, spec.Kind(in["kind"].Text), f)
	if r := unreachable(in, err); r != nil {
		return *r
	}
	l, err := oracle.WorstLoss(p, spec.Kind(in["kind"].Text), f, f2, publishedWidth)
	if err != nil {
		return oracleError(err)
	}
	out := wire.Values{"worst": encode(l.Worst), "loss_lo": wire.NewRatInf(nil), "loss_hi": wire.NewRatInf(nil)}
	if !l.Infinite {
		out["loss_lo"], out["loss_hi"] = wire.NewRatInf(ratOf(l.Interval.Lo)), wire.NewRatInf(ratOf(l.Interval.Hi))
	}
	if r := rational(l.P, "p", out); r.Err != "" {
		return r
	}
	return rational(l.P2, "p2", out)
}

// unreachable returns the refusal for an error of the parameters, with the limit of
// the wire in its place: a domain, so before overflow.
func unreachable(in wire.Values, err error) *wire.Result {
	r := wire.Result{Reject: rejectDomain, Detail: "bounds: (hi - lo)/lambda exceeds 2^14"}
	if err == nil && reachable(in) {
		return nil
	}
	if err != nil {
		if given := oracleError(err); given.Reject != rejectOverflow || reachable(in) {
			r = given
		}
	}
	return &r
}

// rational adds a probability to the outputs.
func rational(p oracle.Prob, name string, out wire.Values) wire.Result {
	r, ok := p.Rat()
	if !ok { // within the limit no threshold is below 2^-(2^18)
		return wire.Result{Err: "a probability too small to write"}
	}
	out[name] = wire.NewRat(r)
	return wire.Result{Out: out}
}

// mechanism fixes everything but the draw of impl's Snap_F. Every refusal depends
// on the parameters and f alone, so that one draw tells.
func mechanism(in wire.Values, f float64) (twin.Mechanism, *wire.Result) {
	p, err := implParams(in)
	if err == nil {
		_, err = derand.Snap(p, f, 0, 1, 1)
	}
	var r wire.Result
	if err != nil {
		if r = implError(err); r.Reject == rejectDomain || r.Err != "" {
			return nil, &r
		}
	}
	if !reachable(in) {
		r = wire.Rejected(rejectDomain)
		return nil, &r
	}
	if err != nil {
		return nil, &r
	}
	return func(m uint64, e int64, s int) float64 {
		t, err := derand.Snap(p, f, m, e, s)
		if err != nil {
			return math.NaN() // shows as a disagreement
		}
		return t.R
	}, nil
}

func twinKind(in wire.Values) twin.Kind {
	if in["kind"].Text == string(spec.FloatRange) {
		return twin.Binary64
	}
	return twin.Unbounded
}

func implProb(in wire.Values) wire.Result {
	x := in["x"].Float()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return wire.Rejected(rejectDomain)
	}
	f, refused := mechanism(in, in["f"].Float())
	if refused != nil {
		return *refused
	}
	return wire.Result{Out: wire.Values{"p": wire.NewRat(twinKind(in).Probability(f, x))}}
}

func implLoss(in wire.Values) wire.Result {
	if math.IsNaN(in["f2"].Float()) {
		return wire.Rejected(rejectDomain)
	}
	f, refused := mechanism(in, in["f"].Float())
	if refused != nil {
		return *refused
	}
	f2, refused := mechanism(in, in["f2"].Float())
	if refused != nil {
		return *refused
	}
	l := twinKind(in).WorstLoss(f, f2)
	return wire.Result{Out: wire.Values{
		"worst": wire.NewFloat(l.Worst), "p": wire.NewRat(l.P), "p2": wire.NewRat(l.P2),
		"loss_lo": wire.NewRatInf(l.Lo), "loss_hi": wire.NewRatInf(l.Hi),
	}}
}
