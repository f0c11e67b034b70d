package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// grid is the set of values of U* of one kind, numbered in increasing order so
// that the number 0 stands for u = 1, which is no draw but the successor of the
// largest one. With P = 2^(p-1):
//
//	u = (1 + m/P)·2^-e, 0 <= m < P, e >= 1   has the number m - eP
//	u = k·2^q, 0 < k < P (FloatRange only)   has the number (emin - 1)P + k
//
// where 2^q is the smallest positive number. The second continues the first,
// which for FloatRange stops at e = -emin. See docs/theory.md 2.1.
type grid struct {
	f    spec.Format
	kind spec.Kind
	low  *big.Int    // number of the least draw; for Unbounded of the least spec.U
	den  real.Dyadic // of the probabilities: 1, or 1 - 2^q
}

func newGrid(f spec.Format, k spec.Kind) grid {
	g := grid{f: f, kind: k, den: real.One()}
	if k == spec.FloatRange {
		g.low = g.binade(f.EMin - 1)
		g.low.Add(g.low, big.NewInt(1))
		g.den = real.One().Sub(f.MinPositive())
		return g
	}
	g.low = g.binade(-spec.MaxE)
	return g
}

// binade returns the number of 2^top, for FloatRange top >= emin.
func (g grid) binade(top int64) *big.Int {
	n := big.NewInt(top)
	return n.Lsh(n, g.f.Precision-1)
}

// value returns the draw with number n, low <= n <= 0.
func (g grid) value(n *big.Int) real.Dyadic {
	p1 := g.f.Precision - 1
	top := new(big.Int).Rsh(n, p1) // floor
	k := new(big.Int).Sub(n, new(big.Int).Lsh(top, p1))
	e := top.Int64() // above -2^62 by low
	if g.kind == spec.FloatRange && e < g.f.EMin {
		return real.NewDyadic(k, g.f.Quantum()) // a subnormal number
	}
	return real.NewDyadic(k.SetBit(k, int(p1), 1), e-int64(p1))
}

// above returns the number of the least draw that is greater than d > 0, or 0 if
// there is none, at least low.
func (g grid) above(d real.Dyadic) *big.Int {
	top := d.Top()
	switch {
	case top >= 0:
		return new(big.Int)
	case g.kind == spec.Unbounded && top < -spec.MaxE:
		return new(big.Int).Set(g.low)
	case g.kind == spec.FloatRange && top < g.f.EMin:
		n := g.binade(g.f.EMin - 1)
		n.Add(n, d.Floor(g.f.Quantum()))
		return n.Add(n, big.NewInt(1))
	}
	p1 := int64(g.f.Precision) - 1
	n := g.binade(top - 1) // the significand below still has its leading bit P
	n.Add(n, d.Floor(top-p1))
	return n.Add(n, big.NewInt(1))
}

// below returns Pr[u < t]·den for the value t with number n: t for the unbounded
// kind, t - 2^q for FloatRange (docs/theory.md 2.1).
func (g grid) below(n *big.Int) real.Dyadic {
	t := g.value(n)
	if g.kind == spec.FloatRange {
		return t.Sub(g.f.MinPositive())
	}
	return t
}

// least returns the least draw of FloatRange, the smallest positive number, as a
// pair. For emin = 0 and the precisions allowed, q <= -1: there always is one.
func (g grid) least() spec.U { return spec.U{M: 0, E: -g.f.Quantum()} }
