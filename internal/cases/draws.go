package cases

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Draw is a value of U*, or 1, the successor of the largest.
type Draw struct {
	One bool
	U   spec.U // meaningless if One
}

// Value returns the number exactly.
func (d Draw) Value(f spec.Format) real.Dyadic {
	if d.One {
		return real.One()
	}
	return d.U.Value(f)
}

// draws is the set of values of U* of a kind, numbered in increasing order so that 0
// stands for 1: with P = 2^(p-1), m - e P is the number of (1 + m/P) 2^-e, and of k 2^q, for
// the subnormal draws of FloatRange, (emin - 1) P + k.
type draws struct {
	f    spec.Format
	kind spec.Kind
}

// start is what Pr[u < t] subtracts from t, before it is divided by 1 - start.
func (d draws) start() real.Dyadic {
	if d.kind == spec.FloatRange {
		return d.f.MinPositive()
	}
	return real.Dyadic{}
}

func (d draws) binade(top int64) *big.Int {
	return new(big.Int).Lsh(big.NewInt(top), d.f.Precision-1)
}

// low is the number of the least draw; of the unbounded kind, of the least spec.U.
func (d draws) low() *big.Int {
	if d.kind == spec.FloatRange {
		return addInt(d.binade(d.f.EMin-1), 1)
	}
	return d.binade(-spec.MaxE)
}

// at returns the draw with number n, low <= n <= 0.
func (d draws) at(n *big.Int) Draw {
	if n.Sign() >= 0 {
		return Draw{One: true}
	}
	p1 := d.f.Precision - 1
	top := new(big.Int).Rsh(n, p1) // floor
	m := new(big.Int).Sub(n, new(big.Int).Lsh(top, p1))
	e := top.Int64()
	if d.kind == spec.FloatRange && e < d.f.EMin { // m 2^q with a leading bit elsewhere
		short := int(p1) + 1 - m.BitLen()
		e = d.f.Quantum() + int64(m.BitLen()) - 1
		m.Lsh(m, uint(short))
		m.SetBit(m, int(p1), 0)
	}
	return Draw{U: spec.NewU(m, -e)}
}

// floor returns the number of the greatest draw at or below v >= 0, or the least draw's;
// 0 for v >= 1.
func (d draws) floor(v real.Dyadic) *big.Int {
	if v.IsZero() {
		return d.low()
	}
	top, p1 := v.Top(), int64(d.f.Precision)-1
	switch {
	case top >= 0:
		return new(big.Int)
	case d.kind == spec.FloatRange && top < d.f.EMin:
		n := v.Floor(d.f.Quantum())
		if n.Sign() == 0 {
			return d.low()
		}
		return n.Add(n, d.binade(d.f.EMin-1))
	case top < -spec.MaxE:
		return d.low()
	}
	n := d.binade(top - 1) // the significand below still has its leading bit
	return n.Add(n, v.Floor(top-p1))
}

// first returns the least number n with !holds(n), for a predicate that is true up to
// some number and 0 counts as false; low where it holds nowhere. guess decides how long
// that takes and nothing else.
func (d draws) first(guess *big.Int, holds func(n *big.Int) bool) *big.Int {
	low := d.low()
	bottom := addInt(low, -1) // counts as true
	lo, hi := new(big.Int), new(big.Int).Set(guess)
	step := big.NewInt(1)
	if hi.Sign() < 0 && hi.Cmp(low) >= 0 && holds(hi) {
		for lo.Set(hi); ; step.Lsh(step, 1) {
			if hi = new(big.Int).Add(lo, step); hi.Sign() >= 0 {
				hi.SetInt64(0)
				break
			}
			if !holds(hi) {
				break
			}
			lo.Set(hi)
		}
	} else {
		for ; ; step.Lsh(step, 1) {
			if lo = new(big.Int).Sub(hi, step); lo.Cmp(low) < 0 {
				lo.Set(bottom)
				break
			}
			if holds(lo) {
				break
			}
			hi.Set(lo)
		}
	}
	for {
		mid := new(big.Int).Sub(hi, lo)
		if mid.Cmp(one) <= 0 {
			return hi
		}
		if mid.Rsh(mid, 1).Add(mid, lo); holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
}

var one = big.NewInt(1)

func addInt(n *big.Int, k int64) *big.Int { return new(big.Int).Add(n, big.NewInt(k)) }

// number is the inverse of at.
func (d draws) number(u Draw) *big.Int {
	if u.One {
		return new(big.Int)
	}
	return d.floor(u.U.Value(d.f))
}
