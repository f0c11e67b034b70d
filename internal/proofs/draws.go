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
type draws struct {
	kind spec.Kind
	f    spec.Format
}

func draws64(kind spec.Kind) draws { return draws{kind, spec.Binary64} }

// bits is the number of significand bits of a draw after the first.
func (d draws) bits() int64 { return int64(d.f.Precision) - 1 }

// binade is the number of draws of one exponent.
func (d draws) binade() *big.Int { return new(big.Int).Lsh(one, uint(d.bits())) }

// at returns the draw with number n. unbounded: n = m - e 2^(p-1), up to -1.
// binary64: n is the encoding of u in the format, 1 up to that of 1, exclusive.
func (d draws) at(n *big.Int) spec.U {
	if d.kind == spec.FloatRange {
		x, err := d.f.Decode(n.Uint64())
		if err != nil || x.Sign() <= 0 {
			return spec.U{} // n is out of range: no draw
		}
		v := x.Dyadic()
		m := v.Shift(d.bits() - v.Top()).Floor(0).Uint64()
		return spec.U{M: m &^ (1 << d.bits()), E: -v.Top()}
	}
	q, m := new(big.Int).DivMod(n, d.binade(), new(big.Int))
	return spec.U{M: m.Uint64(), E: -q.Int64()}
}

// end is the number that stands for 1.
func (d draws) end() *big.Int {
	if d.kind == spec.FloatRange {
		b, err := d.f.Encode(spec.FromDyadic(real.One()))
		if err != nil {
			b = math.MaxUint64 // a format without encodings: nothing is below its 1
		}
		return new(big.Int).SetUint64(b)
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
		return real.One()
	}
	return d.at(n).Value(d.f)
}

// near is the number of a draw next to t > 0.
func (d draws) near(t real.Dyadic) *big.Int {
	if t.Cmp(real.One()) >= 0 {
		return d.end()
	}
	if d.kind == spec.FloatRange {
		b, err := d.f.Encode(oracle.Round(d.f, t))
		if err != nil || b == 0 {
			b = 1
		}
		return new(big.Int).SetUint64(b)
	}
	e := -t.Top()
	n := t.Floor(-d.bits() - e) // 2^(p-1) + m
	n.Sub(n, d.binade())
	return n.Sub(n, new(big.Int).Mul(big.NewInt(e), d.binade()))
}

// low is the mass that the kind leaves out at 0: Pr[u < t] = (t - low)/(1 - low).
func (d draws) low() real.Dyadic {
	if d.kind == spec.FloatRange {
		return real.Pow2(d.f.Quantum())
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
	for step := big.NewInt(1); step.BitLen() < reach && !inside(lo); step.Lsh(step, 2) {
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

// reach bounds the search for a draw in the set: exponents are below 2^62. Only a
// mechanism that is wrong has none.
const reach = 110

var one = big.NewInt(1)
