package proofs

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// mech is Snap_F with its parameters, evaluated exactly: stages by the oracle's
// operations, probabilities as differences of values of U* found by bisection
// (docs/theory.md 4).
type mech struct {
	p    spec.SnapParams
	us   draws
	sub  *subject
	k    int64 // Lambda = 2^k
	lam  Num   // lambda, exactly
	eta  Num
	b    Num // B
	bbar Num // max(B, lambda)
}

func newMech(scale spec.ScaleKind, value, lo, hi float64, kind spec.Kind, sub subject) (mech, error) {
	return newMechIn(spec.SnapParams{
		Format: spec.Binary64, Scale: scale, Value: spec.FromFloat64(value),
		Lo: spec.FromFloat64(lo), Hi: spec.FromFloat64(hi),
	}, kind, sub)
}

func newMechIn(p spec.SnapParams, kind spec.Kind, sub subject) (mech, error) {
	if err := p.Validate(); err != nil {
		return mech{}, err
	}
	unit, err := sub.unitOf(p)
	if err != nil {
		return mech{}, err
	}
	m := mech{p: p, us: draws{kind, p.Format}, sub: &sub, k: unit.Dyadic().Top(), eta: dyNum(sub.eta(p.Format))}
	m.lam = dyNum(p.Value.Dyadic())
	if p.Scale == spec.ScaleEpsilon {
		m.lam = intNum(1).quo(m.lam)
	}
	m.b = dyNum(spec.Bound(p.Lo, p.Hi))
	m.bbar = maxNum(m.b, m.lam)
	return m, nil
}

func (m mech) unit() Num  { return pow2Num(m.k) }
func (m mech) ell() Num   { return m.unit().quo(m.lam) }
func (m mech) kappa() Num { return m.bbar.mul(m.eta).quo(m.lam) }
func (m mech) eta1() Num  { return m.eta.mul(intNum(1).add(m.eta.quo(intNum(2)))) }

// covered reports whether the hypotheses of the claim hold.
func (m mech) covered(c spec.Claim) error {
	return c.Check(spec.NewQuantities(m.p, spec.FromDyadic(real.Pow2(m.k))))
}

// w is x + s y, rounded as Snap_F rounds it.
func (m mech) w(x spec.Value, s spec.Sign, u spec.U) (spec.Value, error) {
	f := m.p.Format
	ell, err := m.sub.lnU(f, u)
	if err != nil {
		return spec.Value{}, err
	}
	y := m.sub.mul(f, m.p.Value, ell)
	if m.p.Scale == spec.ScaleEpsilon {
		y = m.sub.quo(f, ell, m.p.Value)
	}
	y = y.PlusZero()
	if s < 0 {
		y = y.Neg()
	}
	return m.sub.add(f, x, y), nil
}

// crosses returns the least t with Pr[u < t] = the probability, given the sign s,
// that w < c (s = +1) or w >= c (s = -1). hint is a number near t.
func (m mech) crosses(x spec.Value, s spec.Sign, c real.Dyadic, hint *big.Int) (real.Dyadic, error) {
	edge := spec.FromDyadic(c)
	var failed error
	n := m.us.firstOutside(func(u spec.U) bool {
		w, err := m.w(x, s, u)
		if err != nil {
			failed = err
			return false
		}
		return (w.Cmp(edge) < 0) == (s > 0)
	}, hint)
	return m.us.value(n), failed
}

// hint is the number of a draw near the threshold of the ideal mechanism.
func (m mech) hint(x spec.Value, c real.Dyadic) (*big.Int, error) {
	a := dyNum(x.Dyadic()).sub(dyNum(c)).abs().quo(m.lam)
	e, err := a.neg().exp().enclose(80)
	if err != nil {
		return nil, err
	}
	if e.Lo.Sign() <= 0 {
		return nil, fmt.Errorf("no hint for %v", e)
	}
	return m.us.near(e.Lo), nil
}

// edges returns the edges of the cell of the output r; an end cell has one.
func (m mech) edges(r real.Dyadic) (lower, upper *real.Dyadic, err error) {
	lo, hi := m.p.Lo.Dyadic(), m.p.Hi.Dyadic()
	half := m.sub.half(m.k)
	clo := real.NewDyadic(lo.Floor(m.k), m.k).Add(half)
	chi := real.NewDyadic(hi.Neg().Floor(m.k), m.k).Neg().Sub(half)
	switch {
	case lo.Cmp(hi) == 0:
		return nil, nil, nil
	case r.Equal(lo):
		return nil, &clo, nil
	case r.Equal(hi):
		return &chi, nil, nil
	case r.Cmp(lo) < 0 || r.Cmp(hi) > 0 || !r.IsZero() && r.Low() < m.k:
		return nil, nil, fmt.Errorf("%v is no output", r)
	}
	l, u := r.Sub(half), r.Add(half)
	return &l, &u, nil
}

// outputs lists every output in increasing order.
func (m mech) outputs() []real.Dyadic {
	lo, hi := m.p.Lo.Dyadic(), m.p.Hi.Dyadic()
	all := []real.Dyadic{lo}
	n := new(big.Int).Add(lo.Floor(m.k), one)
	for ; real.NewDyadic(n, m.k).Cmp(hi) < 0; n.Add(n, one) {
		all = append(all, real.NewDyadic(n, m.k))
	}
	return append(all, hi)
}

// mass returns Pr[r] (1 - low): half the measure of the draws for either sign.
func (m mech) mass(f spec.Value, r real.Dyadic) (Num, error) {
	x, err := m.sub.clampTo(f, m.p.Lo, m.p.Hi)
	if err != nil {
		return Num{}, err
	}
	lower, upper, err := m.edges(r)
	if err != nil {
		return Num{}, err
	}
	low := dyNum(m.us.low())
	sum := intNum(0)
	for _, s := range []spec.Sign{1, -1} {
		// tail(c) is the measure of {w < c} for s = +1, of {w >= c} for s = -1;
		// all says whether an edge that is not there leaves everything or nothing.
		tail := func(c *real.Dyadic, all bool) (Num, error) {
			switch {
			case c == nil && all:
				return intNum(1).sub(low), nil
			case c == nil:
				return intNum(0), nil
			}
			h, err := m.hint(x, *c)
			if err != nil {
				return Num{}, err
			}
			t, err := m.crosses(x, s, *c, h)
			return dyNum(t).sub(low), err
		}
		up, err := tail(upper, s > 0)
		if err != nil {
			return Num{}, err
		}
		down, err := tail(lower, s < 0)
		if err != nil {
			return Num{}, err
		}
		if s < 0 {
			up, down = down, up
		}
		sum = sum.add(up.sub(down))
	}
	return sum.quo(intNum(2)), nil
}

// logRatio returns ln(Pr[r | f]/Pr[r | f']).
func (m mech) logRatio(f, f2 spec.Value, r real.Dyadic) (Num, error) {
	a, err := m.mass(f, r)
	if err != nil {
		return Num{}, err
	}
	b, err := m.mass(f2, r)
	if err != nil {
		return Num{}, err
	}
	return a.quo(b).ln(), nil
}
