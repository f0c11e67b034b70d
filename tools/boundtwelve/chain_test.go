package main

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// threshold is the chain of docs/theory.md 6.1, "One threshold", computed exactly
// from its definition: nothing is taken from the oracle but correct rounding.
type threshold struct {
	A, M, g   *big.Rat
	v, v0, h  *big.Rat
	P         real.Dyadic
	closedFar bool // the condition is Y >= A
}

// instance is a pair of inputs on one side of an interior cell.
type instance struct {
	p            spec.SnapParams
	x, x2, r     spec.Value
	unit, lambda *big.Rat
	B            *big.Rat
}

func (in instance) String() string {
	return in.p.String() + ", x = " + in.x.String() + ", x' = " + in.x2.String() + ", r = " + in.r.String()
}

func newInstance(p spec.SnapParams, x, x2, r spec.Value) (instance, error) {
	unit, err := oracle.Unit(p)
	if err != nil {
		return instance{}, err
	}
	q := spec.NewQuantities(p, unit)
	lambda := ratQuo(ratOf(q.LambdaNum), ratOf(q.LambdaDen))
	return instance{p, x, x2, r, ratOf(unit.Dyadic()), lambda, ratOf(q.B)}, nil
}

// edges are the far and the near edge of the cell of r.
func (in instance) edges() (far, near real.Dyadic) {
	half := real.NewDyadic(in.unit.Num(), 0) // Lambda is a power of two
	if in.unit.Denom().BitLen() > 1 {
		half = real.Pow2(1 - int64(in.unit.Denom().BitLen()))
	}
	half = half.Shift(-1)
	lo, hi := in.r.Dyadic().Sub(half), in.r.Dyadic().Add(half)
	if in.right() {
		return lo, hi
	}
	return hi, lo
}

func (in instance) right() bool { return in.x.Cmp(in.r) > 0 }

// cross follows one input and one edge.
func (in instance) cross(x spec.Value, c real.Dyadic) threshold {
	f := in.p.Format
	cv := spec.FromDyadic(c)
	t := c.Add(f.NextDown(cv).Dyadic()).Shift(-1)
	k := threshold{closedFar: !in.right()}
	A := x.Dyadic().Sub(t).Abs()
	k.A = ratOf(A)
	down, up := around(f, k.A, k.closedFar)
	k.M = ratMul(ratAdd(ratOf(down.Dyadic()), ratOf(up.Dyadic())), rat(1, 2))
	k.g = ratSub(ratOf(up.Dyadic()), ratOf(down.Dyadic()))
	even := up.Dyadic().Floor(f.UlpExponent(up.Dyadic())).Bit(0) == 0
	k.v = ratQuo(k.M, in.lambda)
	vDown, vUp := around(f, k.v, even)
	v0 := vDown.Dyadic().Add(vUp.Dyadic()).Shift(-1)
	k.v0, k.h = ratOf(v0), ratSub(ratOf(vUp.Dyadic()), ratOf(vDown.Dyadic()))
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

// quartet is an instance with its four thresholds; 1 far, 2 near. It is oriented
// so that x' (t1b, t2b) is the farther input.
type quartet struct {
	instance
	t1, t2, t1b, t2b threshold
}

func (in instance) quartet() quartet {
	if in.x2.Dyadic().Sub(in.r.Dyadic()).Abs().Cmp(in.x.Dyadic().Sub(in.r.Dyadic()).Abs()) < 0 {
		in.x, in.x2 = in.x2, in.x
	}
	far, near := in.edges()
	return quartet{in, in.cross(in.x, far), in.cross(in.x, near), in.cross(in.x2, far), in.cross(in.x2, near)}
}

// kappa is max(B, lambda) eta/lambda.
func (in instance) kappa() *big.Rat {
	b := ratQuo(in.B, in.lambda)
	if b.Cmp(rat(1, 1)) < 0 {
		b = rat(1, 1)
	}
	return ratMul(b, in.eta())
}

func (in instance) eta() *big.Rat { return ratOf(in.p.Format.Eta()) }

func (in instance) ell() *big.Rat { return ratQuo(in.unit, in.lambda) }

// errors are Delta_i in units of G, alpha_i in units of the largest h, for x -> x'.
func (q quartet) errors() (d1, d2, a1, a2 *big.Rat) {
	G, h := q.t1b.g, q.t1b.h
	d := ratQuo(ratSub(q.t1b.A, q.t1.A), q.lambda)
	product := func(t, tb threshold) *big.Rat {
		return ratQuo(ratSub(ratSub(tb.M, tb.A), ratSub(t.M, t.A)), G)
	}
	total := func(t, tb threshold) *big.Rat {
		return ratQuo(ratSub(ratSub(tb.v0, t.v0), d), h)
	}
	return product(q.t1, q.t1b), product(q.t2, q.t2b), total(q.t1, q.t1b), total(q.t2, q.t2b)
}

// ratioOf is q = P_1/P_2.
func ratioOf(far, near threshold) num { return dyadic(far.P).over(dyadic(near.P)) }
