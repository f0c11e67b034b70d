package mutants

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl/wide/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// wideStages is the mechanism at p bits as a chain of replaceable functions of
// numbers of p bits. m has p - 1 bits.
type wideStages struct {
	draw   func(m *big.Int, p uint) *big.Int
	ln     func(p uint, m *big.Int, e int64) *big.Float
	y      func(p uint, value, ln *big.Float, inverse bool) *big.Float
	add    func(p uint, x, z *big.Float) *big.Float
	halt   func(w *big.Float, k int) *big.Float // the nearest multiple of 2^k
	lambda func(x *big.Float) *big.Float        // the scale of a calibration, changed
	eta    func(p uint) uint                    // -log2 of the eta charged
}

func number(p uint) *big.Float { return new(big.Float).SetPrec(p) }

func rightWide() *wideStages {
	return &wideStages{
		draw: func(m *big.Int, _ uint) *big.Int { return m },
		ln: func(p uint, m *big.Int, e int64) *big.Float {
			y, _ := derand.Ln(p, m, e)
			return y
		},
		y: func(p uint, value, ln *big.Float, inverse bool) *big.Float {
			if inverse {
				return number(p).Quo(ln, value)
			}
			return number(p).Mul(ln, value)
		},
		add:    func(p uint, x, z *big.Float) *big.Float { return number(p).Add(x, z) },
		halt:   halvesUp,
		lambda: func(x *big.Float) *big.Float { return x },
		eta:    func(p uint) uint { return p },
	}
}

// halvesUp rounds w to a multiple of 2^k in rationals, ties toward +inf.
func halvesUp(w *big.Float, k int) *big.Float {
	q, _ := new(big.Float).SetMantExp(w, -k).Rat(nil)
	q.Add(q, big.NewRat(1, 2))
	return multiple(new(big.Int).Div(q.Num(), q.Denom()), w.Prec(), k) // Euclidean: the floor
}

func multiple(n *big.Int, p uint, k int) *big.Float {
	y := number(p).SetInt(n)
	return y.SetMantExp(y, k)
}

// snap answers snap_wide with what the right voter refuses refused, and its unit
// and x kept.
func (g *wideStages) snap(in wire.Values) wire.Result {
	r := ops.Impl().Answer(wire.Case{Op: "snap_wide", In: in})
	if r.Reject != "" {
		return r
	}
	p := uint(in["precision"].Big().Uint64())
	exact := func(r *big.Rat) *big.Float { return number(p).SetRat(r) }
	m := g.draw(in["m"].Big(), p)
	ln := g.ln(p, m, in["e"].Big().Int64())
	y := g.y(p, exact(in["value"].Rat()), ln, in["scale"].Text == "epsilon")
	z := number(p).Set(y)
	if in["s"].Text == "-1" {
		z.Neg(z)
	}
	w := g.add(p, exact(r.Out["x"].Rat()), z)
	rounded := g.halt(w, exact(r.Out["unit"].Rat()).MantExp(nil)-1)
	out := rounded
	lo, hi := number(p).SetFloat64(in["lo"].Float()), number(p).SetFloat64(in["hi"].Float())
	if out.Cmp(lo) < 0 {
		out = lo
	}
	if out.Cmp(hi) > 0 {
		out = hi
	}
	values := wire.Values{"unit": r.Out["unit"], "x": r.Out["x"]}
	for name, v := range map[string]*big.Float{"ln": ln, "y": y, "z": z, "w": w, "rounded": rounded, "r": out} {
		exact, _ := v.Rat(nil)
		values[name] = wire.NewRat(exact)
	}
	return wire.Result{Out: values}
}

// calibrate answers wide_calibrate by the right formulas at another eta, or with
// another lambda.
func (g *wideStages) calibrate(in wire.Values) wire.Result {
	r := ops.Impl().Answer(wire.Case{Op: "wide_calibrate", In: in})
	if r.Reject != "" {
		return r
	}
	p := uint(in["precision"].Big().Uint64())
	n := func(name string) int64 { return in[name].Big().Int64() }
	at := g.eta(p)
	c, err := derand.Calibrate(at, in["epsilon"].Float(), in["sensitivity"].Float(), in["lo"].Float(), in["hi"].Float(), n("constant"), n("additive"), n("floor"))
	if err != nil {
		return failure(err)
	}
	out := wire.Values{}
	for name, v := range map[string]*big.Float{"lambda": g.lambda(c.Lambda), "epsilon_prime": c.EpsilonPrime, "achieved": c.Achieved, "unit": c.Unit} {
		exact, _ := v.Rat(nil)
		out[name] = wire.NewRat(exact)
	}
	return wire.Result{Out: out}
}

// inBinary64 rounds x to 53 bits.
func inBinary64(x *big.Float) *big.Float {
	return number(x.Prec()).Set(new(big.Float).SetPrec(53).Set(x))
}

func wideMutant(id, fault, source, property, vector string, spoil func(g *wideStages)) Mutant {
	g := rightWide()
	spoil(g)
	return Mutant{id, fault, source, property, vector, g.voter("mutant " + id)}
}

func (g *wideStages) voter(name string) wire.Voter {
	return ops.NewVoter(name, map[string]ops.Func{
		"snap_wide": g.snap, "wide_calibrate": g.calibrate,
		"snap": func(in wire.Values) wire.Result { return ops.Impl().Answer(wire.Case{Op: "snap", In: in}) },
	})
}

const (
	multiprecision = "a multiprecision logarithm in a binary64 mechanism (" + libraries + ")"
	nearTie        = "snap_wide/near-tie-118-001"
	plain118       = "snap_wide/plain-lambda-118-001"
)

// The faults of a mechanism at p bits: operations left at 53, and the logarithm.
var wideMutants = []Mutant{
	wideMutant("wide-sum-in-binary64", "the noise has p bits and is added in binary64", multiprecision, "wide-snap-agrees", plain118,
		func(g *wideStages) {
			g.add = func(p uint, x, z *big.Float) *big.Float {
				a, _ := x.Float64()
				b, _ := z.Float64()
				if math.IsInf(a+b, 0) { // beyond doubles, where nobody adds in binary64
					return number(p).Add(x, z)
				}
				return number(p).SetFloat64(a + b)
			}
		}),
	wideMutant("wide-sum-rounded-last", "the sum has p bits and is rounded to a double before it is rounded to a multiple", multiprecision, "wide-snap-agrees", nearTie,
		func(g *wideStages) {
			g.halt = func(w *big.Float, k int) *big.Float { return halvesUp(inBinary64(w), k) }
		}),
	wideMutant("wide-product-in-binary64", "lambda ln u is rounded to 53 bits", multiprecision, "wide-snap-agrees", plain118,
		func(g *wideStages) {
			right := g.y
			g.y = func(p uint, value, ln *big.Float, inverse bool) *big.Float {
				return inBinary64(right(p, value, ln, inverse))
			}
		}),
	wideMutant("wide-ln-at-53-bits", "ln u is a double", "eta = 2^-118 charged for an ordinary library", "wide-ln-correctly-rounded", plain118,
		func(g *wideStages) {
			right := g.ln
			g.ln = func(p uint, m *big.Int, e int64) *big.Float { return inBinary64(right(p, m, e)) }
		}),
	wideMutant("wide-draw-of-53-bits", "u has 52 bits after the leading 1, the rest are zeros", multiprecision, "wide-ln-correctly-rounded", plain118,
		func(g *wideStages) {
			g.draw = func(m *big.Int, p uint) *big.Int {
				low := p - 53
				m = new(big.Int).Rsh(m, low)
				return m.Lsh(m, low)
			}
		}),
	wideMutant("wide-ln-guessed-tie", "ln u at p + 20 bits, rounded again to p: some midpoints are invented", "a fixed number of guard digits", "wide-ln-correctly-rounded", "snap_wide/hard-118-001",
		func(g *wideStages) {
			right := g.ln
			g.ln = func(p uint, m *big.Int, e int64) *big.Float {
				more := min(20, 4096-p)
				return number(p).Set(right(p+more, new(big.Int).Lsh(m, more), e)) // of the same u
			}
		}),
	wideMutant("wide-ln-truncated", "ln u is rounded toward zero", "a faithful logarithm", "wide-53-is-snap", "snap_wide/hard-53-001",
		func(g *wideStages) {
			right := g.ln
			g.ln = func(p uint, m *big.Int, e int64) *big.Float {
				more := min(60, 4096-p)
				return number(p).SetMode(big.ToZero).Set(right(p+more, new(big.Int).Lsh(m, more), e)).SetMode(big.ToNearestEven)
			}
		}),
	wideMutant("wide-ties-away", "a tie goes away from zero", covington+", eq. (4.2)", "wide-snap-agrees", "snap_wide/as-snap-tie-minus-half",
		func(g *wideStages) {
			g.halt = func(w *big.Float, k int) *big.Float {
				if w.Sign() >= 0 {
					return halvesUp(w, k)
				}
				y := halvesUp(number(w.Prec()).Neg(w), k)
				return y.Neg(y)
			}
		}),
	wideMutant("wide-lambda-rounded-down", "lambda is the greatest number of p bits at or below the exact scale", "a direction not thought about", "wide-calibrate-minimal", "wide_calibrate/lambda-third-118",
		func(g *wideStages) {
			g.lambda = func(x *big.Float) *big.Float {
				below := number(x.Prec()).SetMode(big.ToZero)
				tiny := new(big.Float).SetMantExp(big.NewFloat(1), x.MantExp(nil)-int(x.Prec())-8)
				return below.Sub(x, tiny)
			}
		}),
	wideMutant("wide-lambda-in-binary64", "lambda is rounded up to a double", multiprecision, "wide-calibrate-minimal", "wide_calibrate/plain-proved-118",
		func(g *wideStages) {
			g.lambda = func(x *big.Float) *big.Float {
				y := new(big.Float).SetPrec(53).SetMode(big.ToPositiveInf).Set(x)
				return number(x.Prec()).Set(y)
			}
		}),
	wideMutant("wide-eta-of-118-bits", "eta is 2^-118 whatever the precision", "a constant taken from a paper", "wide-calibrate-minimal", "wide_calibrate/plain-proved-119",
		func(g *wideStages) { g.eta = func(uint) uint { return 118 } }),
}
