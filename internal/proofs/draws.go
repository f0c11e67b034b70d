package proofs

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// draws is the ordered set of the values of U*, numbered by integers; the
// successor of the last is 1.
type draws struct{ kind spec.Kind }

var two52 = new(big.Int).Lsh(big.NewInt(1), 52)

// at returns the draw with number n. unbounded: n = m - e 2^52, up to -1.
// binary64: n is the encoding of u as a double, 1 up to that of 1, exclusive.
func (d draws) at(n *big.Int) spec.U {
	if d.kind == spec.FloatRange {
		v := spec.FromBits64(n.Uint64()).Dyadic()
		m := v.Shift(52 - v.Top()).Floor(0).Uint64()
		return spec.U{M: m &^ (1 << 52), E: -v.Top()}
	}
	q, m := new(big.Int).DivMod(n, two52, new(big.Int))
	return spec.U{M: m.Uint64(), E: -q.Int64()}
}

// end is the number that stands for 1.
func (d draws) end() *big.Int {
	if d.kind == spec.FloatRange {
		return new(big.Int).SetUint64(math.Float64bits(1))
	}
	return new(big.Int)
}

// start is the least number, or nil.
func (d draws) start() *big.Int {
	if d.kind == spec.FloatRange {
		return big.NewInt(1)
	}
	return nil
}

// value is the draw as a number, 1 for the end.
func (d draws) value(n *big.Int) real.Dyadic {
	if n.Cmp(d.end()) >= 0 {
		return real.One
	}
	return d.at(n).Value(spec.Binary64)
}

// near is the number of a draw next to t > 0.
func (d draws) near(t real.Dyadic) *big.Int {
	if t.Cmp(real.One) >= 0 {
		return d.end()
	}
	if d.kind == spec.FloatRange {
		b, err := spec.Binary64.Encode(oracle.Round(spec.Binary64, t))
		if err != nil || b == 0 {
			b = 1
		}
		return new(big.Int).SetUint64(b)
	}
	e := -t.Top()
	n := t.Floor(-52 - e) // 2^52 + m
	n.Sub(n, two52)
	return n.Sub(n, new(big.Int).Mul(big.NewInt(e), two52))
}

// low is the mass that the kind leaves out at 0: Pr[u < t] = (t - low)/(1 - low).
func (d draws) low() real.Dyadic {
	if d.kind == spec.FloatRange {
		return real.Pow2(spec.Binary64.Quantum())
	}
	return real.Dyadic{}
}

// firstOutside returns the least number n whose draw is not in the set, which is
// an initial segment of the draws: a bracket is found by growing steps from hint,
// and halved. The answer is the end if all draws are in the set.
func (d draws) firstOutside(in func(spec.U) bool, hint *big.Int) *big.Int {
	inside := func(n *big.Int) bool {
		if s := d.start(); s != nil && n.Cmp(s) < 0 {
			return true
		}
		return n.Cmp(d.end()) < 0 && in(d.at(n))
	}
	lo, hi := new(big.Int).Sub(hint, one), new(big.Int).Set(hint)
	for step := big.NewInt(1); !inside(lo); step.Lsh(step, 2) {
		hi.Set(lo)
		lo.Sub(lo, step)
	}
	for step := big.NewInt(1); inside(hi); step.Lsh(step, 2) {
		lo.Set(hi)
		hi.Add(hi, step)
	}
	for mid := new(big.Int); ; {
		if mid.Sub(hi, lo); mid.Cmp(one) == 0 {
			break
		}
		if mid.Add(lo, hi).Rsh(mid, 1); inside(mid) {
			lo.Set(mid)
		} else {
			hi.Set(mid)
		}
	}
	if hi.Cmp(d.end()) > 0 {
		return d.end()
	}
	if s := d.start(); s != nil && hi.Cmp(s) < 0 {
		return s
	}
	return hi
}

var one = big.NewInt(1)
