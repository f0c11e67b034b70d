package boundtwelve

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Definitions are what a Threshold is made of; tests put a wrong one in.
type Definitions struct {
	Below    func(f spec.Format, c real.Dyadic) real.Dyadic                              // t(c)
	Above    func(f spec.Format, a real.Dyadic, strict bool) (up real.Dyadic, exp int64) // A+ and the exponent of g
	MidAbove func(f spec.Format, v *big.Rat, strict bool) real.Dyadic                    // the midpoint below v+
	Eta      func(f spec.Format) real.Dyadic
}

// Right are the definitions of docs/theory.md 6.1.
func Right() Definitions {
	return Definitions{
		Below: func(f spec.Format, c real.Dyadic) real.Dyadic {
			return c.Add(f.NextDown(spec.FromDyadic(c)).Dyadic()).Shift(-1)
		},
		Above: func(f spec.Format, a real.Dyadic, strict bool) (real.Dyadic, int64) {
			down, up := around(f, ratOf(a), !strict)
			return up.Dyadic(), up.Dyadic().Sub(down.Dyadic()).Top()
		},
		MidAbove: func(f spec.Format, v *big.Rat, strict bool) real.Dyadic {
			down, up := around(f, v, !strict)
			return down.Dyadic().Add(up.Dyadic()).Shift(-1)
		},
		Eta: spec.Format.Eta,
	}
}

// Threshold is the chain of docs/theory.md 6.1, "One threshold", from its definition:
// nothing is taken from the oracle but correct rounding.
type Threshold struct {
	A, M, G   *big.Rat
	V, V0, H  *big.Rat // H is the spacing just below v+
	P         real.Dyadic
	closedFar bool // the condition is Y >= A
}

// Instance is a pair of inputs on one side of an interior cell.
type Instance struct {
	Params       spec.SnapParams
	X, X2, R     spec.Value
	Unit, Lambda *big.Rat
	B            *big.Rat
	def          Definitions
}

// New fails when the parameters are not those of a mechanism.
func New(p spec.SnapParams, x, x2, r spec.Value, def Definitions) (Instance, error) {
	unit, err := oracle.Unit(p)
	if err != nil {
		return Instance{}, err
	}
	q := spec.NewQuantities(p, unit)
	lambda := ratQuo(ratOf(q.LambdaNum), ratOf(q.LambdaDen))
	return Instance{p, x, x2, r, ratOf(unit.Dyadic()), lambda, ratOf(q.B), def}, nil
}

func (in Instance) String() string {
	return in.Params.String() + ", x = " + in.X.String() + ", x' = " + in.X2.String() + ", r = " + in.R.String()
}

// Edges are the far and the near edge of the cell of r.
func (in Instance) Edges() (far, near real.Dyadic) {
	half := real.NewDyadic(in.Unit.Num(), 0) // Lambda is a power of two
	if in.Unit.Denom().BitLen() > 1 {
		half = real.Pow2(1 - int64(in.Unit.Denom().BitLen()))
	}
	half = half.Shift(-1)
	lo, hi := in.R.Dyadic().Sub(half), in.R.Dyadic().Add(half)
	if in.right() {
		return lo, hi
	}
	return hi, lo
}

func (in Instance) right() bool { return in.X.Cmp(in.R) > 0 }

// cross follows one input and one edge.
func (in Instance) cross(x spec.Value, c real.Dyadic) Threshold {
	f, d := in.Params.Format, in.def
	A := x.Dyadic().Sub(d.Below(f, c)).Abs()
	k := Threshold{A: ratOf(A), closedFar: !in.right()}
	up, exp := d.Above(f, A, !k.closedFar)
	k.G = ratOf(real.Pow2(exp))
	k.M = ratSub(ratOf(up), ratMul(k.G, rat(1, 2)))
	k.V = ratQuo(k.M, in.Lambda)
	even := up.Floor(f.UlpExponent(up)).Bit(0) == 0
	v0 := d.MidAbove(f, k.V, !even)
	k.V0, k.H = ratOf(v0), ratOf(real.Pow2(f.UlpExponent(v0)))
	k.P = drawsBelow(f, v0)
	return k
}

// around returns the least datum > r, or >= r if closed, and the one before it.
func around(f spec.Format, r *big.Rat, closed bool) (down, up spec.Value) {
	if closed {
		up = oracle.RoundRat(f, r, oracle.Up)
		return f.NextDown(up), up
	}
	down = oracle.RoundRat(f, r, oracle.Down)
	return down, f.NextUp(down)
}

// drawsBelow is the least value of U*, or 1, that is at least exp(-v).
func drawsBelow(f spec.Format, v real.Dyadic) real.Dyadic {
	for bits := uint(128); ; bits *= 2 {
		t, err := real.Exp(v.Neg(), bits)
		if err != nil {
			panic(err)
		}
		lo, hi := gridAbove(f, t.Lo), gridAbove(f, t.Hi)
		if lo.Equal(hi) {
			return lo
		}
	}
}

func gridAbove(f spec.Format, t real.Dyadic) real.Dyadic {
	k := t.Top() - int64(f.Precision) + 1
	n := t.Floor(k)
	return real.NewDyadic(n.Add(n, big.NewInt(1)), k)
}

// Quartet is an instance with its four thresholds; 1 far, 2 near. It is oriented
// so that x' (T1b, T2b) is the farther input.
type Quartet struct {
	Instance
	T1, T2, T1b, T2b Threshold
}

// Quartet computes the thresholds.
func (in Instance) Quartet() Quartet {
	if in.X2.Dyadic().Sub(in.R.Dyadic()).Abs().Cmp(in.X.Dyadic().Sub(in.R.Dyadic()).Abs()) < 0 {
		in.X, in.X2 = in.X2, in.X
	}
	far, near := in.Edges()
	return Quartet{in, in.cross(in.X, far), in.cross(in.X, near), in.cross(in.X2, far), in.cross(in.X2, near)}
}

// Kappa is max(B, lambda) eta/lambda.
func (in Instance) Kappa() *big.Rat {
	b := ratQuo(in.B, in.Lambda)
	if b.Cmp(rat(1, 1)) < 0 {
		b = rat(1, 1)
	}
	return ratMul(b, in.Eta())
}

func (in Instance) Eta() *big.Rat { return ratOf(in.def.Eta(in.Params.Format)) }

// Ell is Lambda/lambda.
func (in Instance) Ell() *big.Rat { return ratQuo(in.Unit, in.Lambda) }

// Distance is |x - x'|/lambda.
func (q Quartet) Distance() *big.Rat {
	return ratQuo(ratAbs(ratSub(ratOf(q.X.Dyadic()), ratOf(q.X2.Dyadic()))), q.Lambda)
}

// Errors are Delta_i in units of G, alpha_i and L_i in units of the largest h, from x to x'.
type Errors struct{ D1, D2, A1, A2, L1, L2 *big.Rat }

// Errors computes them.
func (q Quartet) Errors() Errors {
	g, h, d := q.T1b.G, q.T1b.H, q.Distance()
	product := func(t, tb Threshold) *big.Rat {
		return ratQuo(ratSub(ratSub(tb.M, tb.A), ratSub(t.M, t.A)), g)
	}
	total := func(t, tb Threshold) *big.Rat { return ratQuo(ratSub(ratSub(tb.V0, t.V0), d), h) }
	ln := func(t, tb Threshold) *big.Rat {
		return ratQuo(ratSub(ratSub(tb.V0, tb.V), ratSub(t.V0, t.V)), h)
	}
	return Errors{
		product(q.T1, q.T1b), product(q.T2, q.T2b), total(q.T1, q.T1b), total(q.T2, q.T2b),
		ln(q.T1, q.T1b), ln(q.T2, q.T2b),
	}
}
