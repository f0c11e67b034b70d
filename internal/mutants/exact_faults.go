package mutants

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/twin"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// mechanism is the chain as a function of the draw alone.
func (g *stages) mechanism(in wire.Values, f float64) (twin.Mechanism, error) {
	p, err := paramsOf(in)
	if err == nil {
		err = g.check(p, f)
	}
	if err == nil {
		_, err = g.unit(p)
	}
	return func(m uint64, e int64, s int) float64 {
		t, err := g.snap(p, f, draw{m, e}, s)
		if err != nil {
			return math.NaN()
		}
		return t.R
	}, err
}

// masses answers snap_prob and snap_loss for a mechanism by bisection, refusing first
// what the right voter refuses for its reasons.
func masses(in wire.Values, of func(wire.Values, float64) (twin.Mechanism, error)) wire.Result {
	op, f := "snap_prob", in["f"].Float()
	if _, ok := in["f2"]; ok {
		op = "snap_loss"
	}
	if r := ops.Impl().Answer(wire.Case{Op: op, In: in}); r.Reject != "" {
		return r
	}
	a, err := of(in, f)
	if err != nil {
		return failure(err)
	}
	kind := twin.Unbounded
	if in["kind"].Text == "binary64" {
		kind = twin.Binary64
	}
	if op == "snap_prob" {
		return wire.Result{Out: wire.Values{"p": wire.NewRat(kind.Probability(a, in["x"].Float()))}}
	}
	b, err := of(in, in["f2"].Float())
	if err != nil {
		return failure(err)
	}
	l := kind.WorstLoss(a, b)
	return wire.Result{Out: wire.Values{
		"worst": wire.NewFloat(l.Worst), "p": wire.NewRat(l.P), "p2": wire.NewRat(l.P2),
		"loss_lo": wire.NewRatInf(l.Lo), "loss_hi": wire.NewRatInf(l.Hi),
	}}
}

// spoiled is the right voter of exact probabilities with its answers changed.
func spoiled(id, fault, source, property, vector string, spoil func(op string, in wire.Values, r wire.Result) wire.Result) Mutant {
	answer := func(op string) ops.Func {
		return func(in wire.Values) wire.Result {
			r := ops.Impl().Answer(wire.Case{Op: op, In: in})
			if r.Reject != "" {
				return r
			}
			return spoil(op, in, r)
		}
	}
	return Mutant{id, fault, source, property, vector, ops.NewVoter("mutant "+id, map[string]ops.Func{
		"snap_prob": answer("snap_prob"), "snap_loss": answer("snap_loss"),
	})}
}

// each changes the probabilities of an answer.
func each(r wire.Result, change func(p *big.Rat) *big.Rat) wire.Result {
	out := wire.Values{}
	for name, v := range r.Out {
		if v.Type == wire.Rat {
			v = wire.NewRat(change(v.Rat()))
		}
		out[name] = v
	}
	return wire.Result{Out: out}
}

// whole is 1 - 2^-1074.
var whole = func() *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(1), 1074)
	return new(big.Rat).SetFrac(new(big.Int).Sub(n, big.NewInt(1)), n)
}()

// The faults of a computed distribution.
var exactMutants = []Mutant{
	spoiled("probability-in-doubles", "probabilities are doubles: the tail is 0, and the loss infinite or rounded",
		common, "prob-sums-to-one", "snap_prob/far-tail-unbounded-001", func(_ string, _ wire.Values, r wire.Result) wire.Result {
			return each(r, func(p *big.Rat) *big.Rat {
				x, _ := p.Float64()
				return new(big.Rat).SetFloat64(x)
			})
		}),
	spoiled("restart-not-renormalised", "the probability of drawing 0 is lost: the binary64 draw sums to 1 - 2^-1074",
		common, "prob-sums-to-one", "snap_prob/plain-binary64-001", func(_ string, in wire.Values, r wire.Result) wire.Result {
			if in["kind"].Text != "binary64" {
				return r
			}
			return each(r, func(p *big.Rat) *big.Rat { return new(big.Rat).Mul(p, whole) })
		}),
	spoiled("one-sided-noise", "the sign is forgotten in the probability of outputs below f",
		common, "prob-mirrored", "snap_prob/plain-unbounded-001", func(op string, in wire.Values, r wire.Result) wire.Result {
			if op != "snap_prob" || in["x"].Float() >= in["f"].Float() {
				return r
			}
			return each(r, func(p *big.Rat) *big.Rat { return new(big.Rat).Mul(p, big.NewRat(2, 1)) })
		}),
	spoiled("closest-output-only", "an output's probability is taken for that of the output one unit nearer to 0",
		"an index off by one", "prob-monotone-in-f", "snap_prob/negative-unbounded-002", func(op string, in wire.Values, r wire.Result) wire.Result {
			x := in["x"].Float()
			if op != "snap_prob" || x == 0 || x == in["lo"].Float() || x == in["hi"].Float() {
				return r
			}
			unit := ops.Impl().Answer(wire.Case{Op: map[string]string{"lambda": "pow2_ceil", "epsilon": "pow2_ceil_inv"}[in["scale"].Text], In: wire.Values{"x": in["value"]}})
			moved := wire.Values{}
			for k, v := range in {
				moved[k] = v
			}
			moved["x"] = wire.NewFloat(x - math.Copysign(unit.Out["y"].Float(), x))
			return ops.Impl().Answer(wire.Case{Op: op, In: moved})
		}),
	spoiled("last-worst", "of several outputs with the largest loss the last is named",
		common, "loss-is-worst", "snap_loss/equal-after-clamp", func(op string, in wire.Values, r wire.Result) wire.Result {
			if op != "snap_loss" || r.Out["p"].Text != r.Out["p2"].Text {
				return r
			}
			last := wire.Values{}
			for k, v := range r.Out {
				last[k] = v
			}
			last["worst"] = in["hi"]
			return wire.Result{Out: last}
		}),
	spoiled("loss-in-doubles", "the loss is math.Log of a quotient of doubles, given as exact",
		common, "loss-enclosed", "snap_loss/plain-unbounded-001", func(op string, _ wire.Values, r wire.Result) wire.Result {
			if op != "snap_loss" || r.Out["loss_lo"].Rat() == nil {
				return r
			}
			p, _ := r.Out["p"].Rat().Float64()
			p2, _ := r.Out["p2"].Rat().Float64()
			y := new(big.Rat)
			if l := math.Abs(math.Log(p / p2)); !math.IsInf(l, 0) && !math.IsNaN(l) {
				y.SetFloat64(l)
			}
			out := wire.Values{"loss_lo": wire.NewRatInf(y), "loss_hi": wire.NewRatInf(y)}
			for _, k := range []string{"worst", "p", "p2"} {
				out[k] = r.Out[k]
			}
			return wire.Result{Out: out}
		}),
	mutant("coarse-noise-loss", "the logarithm is that of u on the grid 2^-53: the tail ends at 36.7 lambda, and outputs beyond are impossible",
		libraries, "loss-within-proved", "snap_loss/far-tail-unbounded-001", func(g *stages) {
			right := g.lnPair
			g.lnPair = func(m uint64, e int64) float64 {
				if e > 53 {
					m, e = 0, 53
				}
				return right(m, e)
			}
		}),
	mutant("tenth-of-noise-lost", "the noise is multiplied by 1 - 2^-20 to stay inside",
		common, "prob-near-ideal", "snap_prob/far-tail-unbounded-001", func(g *stages) {
			scale := g.scale
			g.scale = func(p derand.SnapParams, ell float64) float64 { return scale(p, ell) * (1 - 0x1p-20) }
		}),
	{"ideal-scale-rounded-down", "Snap_R with lambda a millionth too small: the loss is above |x - x'|/lambda", common, "ideal-within-epsilon", "",
		wrongIdeal{ops.Impl()}},
}

// wrongIdeal is a right voter with a wrong Snap_R: lambda (1 - 2^-20), epsilon (1 + 2^-20).
type wrongIdeal struct{ wire.Voter }

func (wrongIdeal) IdealLoss(p spec.SnapParams, f, f2 spec.Value, r real.Dyadic, width uint) (real.Interval, error) {
	unit, err := oracle.Unit(p)
	if err != nil {
		return real.Interval{}, err
	}
	part := p.Value.Dyadic().Shift(-20)
	if p.Scale == spec.ScaleLambda {
		part = part.Neg()
	}
	q := p
	q.Format = spec.Small(200, -2000, 2000)
	q.Value = spec.FromDyadic(p.Value.Dyadic().Add(part))
	if u, err := oracle.Unit(q); err != nil || u.Cmp(unit) != 0 { // lambda next to a power of two: another lattice
		return oracle.IdealLoss(p, f, f2, r, width)
	}
	return oracle.IdealLoss(q, f, f2, r, width)
}
