package proofs

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// crossing is one threshold of docs/theory.md 6.1: how far into the noise the
// edge c lies from x, followed through product, logarithm and grid.
type crossing struct {
	strict     bool // the condition is Y > A (x right of c), else Y >= A
	c, t       real.Dyadic
	A, M       Num
	a, v, vo   Num // A/lambda, M/lambda, v°
	g          Num // spacing in the binade of A
	P          real.Dyadic
	H          Num // -ln P
	Em, El, Eg Num
}

// midBelow is t(c), half-way between c and the double below it.
func midBelow(c real.Dyadic) real.Dyadic {
	below := spec.Binary64.NextDown(spec.FromDyadic(c)).Dyadic()
	return c.Add(below).Shift(-1)
}

// cross follows x and the edge c. P comes from the oracle's stages, not from the chain.
func (m mech) cross(x spec.Value, c real.Dyadic) (crossing, error) {
	k := crossing{c: c, t: m.sub.below(c)}
	k.strict = x.Dyadic().Cmp(c) >= 0
	A := x.Dyadic().Sub(k.t).Abs()
	plus, q := m.sub.above(A, k.strict)
	M := plus.Sub(real.Pow2(q - 1))
	k.A, k.M, k.g = dyNum(A), dyNum(M), pow2Num(q)
	k.a, k.v = k.A.quo(m.lam), k.M.quo(m.lam)
	// Y >= A+ iff lambda V > M, or = M when the tie goes to A+, whose significand is then even.
	tieUp := plus.Floor(q).Bit(0) == 0
	k.vo = dyNum(m.sub.midAbove(k.v.exact, !tieUp))
	T, err := k.vo.neg().exp().enclose(80)
	if err != nil {
		return k, err
	}
	s := spec.Sign(1)
	if !k.strict {
		s = -1
	}
	if k.P, err = m.crosses(x, s, c, m.us.near(T.Lo)); err != nil {
		return k, err
	}
	if k.P.Sign() <= 0 {
		return k, fmt.Errorf("probability 0 at %v, %v", x, c)
	}
	k.H = ptNum(k.P).ln().neg()
	k.Em = k.M.sub(k.A).quo(m.lam)
	k.El = k.vo.sub(k.v)
	k.Eg = k.H.sub(k.vo)
	return k, nil
}

// above returns the least double > A (or >= A) and the exponent of the spacing of
// the binade of A, [2^j, 2^(j+1)) for > and (2^j, 2^(j+1)] for >=.
func above(A real.Dyadic, strict bool) (real.Dyadic, int64) {
	q := spec.Binary64.UlpExponent(A)
	if !strict && A.IsPow2() {
		return A, q - 1
	}
	n := A.Floor(q)
	if strict || !real.NewDyadic(n, q).Equal(A) {
		n.Add(n, big.NewInt(1))
	}
	return real.NewDyadic(n, q), q
}

// midAbove is half-way between the least double > v (strict; else >= v) and the
// double before it.
func midAbove(v *big.Rat, strict bool) real.Dyadic {
	up := oracle.RoundRat(spec.Binary64, v, oracle.Up)
	if r, ok := up.Dyadic().Rat(); strict && ok && r.Cmp(v) == 0 {
		up = spec.Binary64.NextUp(up)
	}
	return up.Dyadic().Add(spec.Binary64.NextDown(up).Dyadic()).Shift(-1)
}
