package anyprecision

import "github.com/dp-crosscheck/crosscheck/spec/real"

// Enclosures at a fixed precision; a comparison holds when it holds for all members.
const prec = 128

type iv = real.Interval

func pt(d real.Dyadic) iv    { return real.Point(d) }
func num(n int64) iv         { return pt(real.FromInt64(n)) }
func lt(a, b iv) bool        { return a.Hi.Cmp(b.Lo) < 0 }
func maxIv(a, b iv) iv       { return iv{Lo: real.Max(a.Lo, b.Lo), Hi: real.Max(a.Hi, b.Hi)} }
func add(a iv, bs ...iv) iv  { return fold(iv.Add, a, bs) }
func sub(a iv, bs ...iv) iv  { return fold(iv.Sub, a, bs) }
func mul(a iv, bs ...iv) iv  { return fold(iv.Mul, a, bs) }
func times(n int64, a iv) iv { return mul(num(n), a) }

func fold(op func(a, b iv, prec uint) iv, a iv, bs []iv) iv {
	for _, b := range bs {
		a = op(a, b, prec)
	}
	return a
}

func quo(a, b iv) iv { return must(a.Quo(b, prec)) }
func ln(a iv) iv     { return must(real.LnInterval(a, prec)) }
func exp(a iv) iv    { return must(real.ExpInterval(a, prec)) }

func must(a iv, err error) iv {
	if err != nil {
		panic(err)
	}
	return a
}

// Bound is what the theorem lets the loss exceed D/lambda by: the lesser of X and Z.
// It is defined when room (sigma < 1) is left.
type Bound struct {
	Kappa, Eta    iv
	Sigma, Q      iv
	C, K, F, Near iv // X = C kappa + K eta, Z = Near + F
}

// NewBound computes (T.1) and (T.2); ok is hypothesis room.
func NewBound(kappa, eta real.Interval) (b Bound, ok bool) {
	half, one := pt(real.Pow2(-1)), num(1)
	b = Bound{Kappa: kappa, Eta: eta}
	eta1 := mul(eta, add(one, mul(half, eta)))
	b.Sigma = add(times(2, eta), mul(num(8), add(one, mul(half, eta)), kappa),
		mul(add(one, times(6, eta1)), add(kappa, eta)))
	if !lt(b.Sigma, one) {
		return b, false
	}
	b.Q = exp(sub(b.Sigma, one))
	rest := sub(one, b.Q)
	L := maxIv(one, add(half, b.Q))
	W := add(times(2, L), mul(num(2), add(one, eta), add(num(2), b.Q)))
	b.C = quo(add(times(4, L), mul(num(4), add(one, eta), add(one, b.Q)), mul(W, eta)), rest)
	b.K = quo(add(one, L, times(3, b.Q), mul(W, eta)), rest)
	b.F = ln(quo(sub(one, exp(add(one, b.Sigma).Neg())), rest))
	b.Near = add(times(8, kappa), mul(num(12), eta, kappa), mul(num(7), eta, eta), mul(num(4), eta, eta, add(kappa, eta)))
	return b, true
}

// X is the first bound.
func (b Bound) X() real.Interval { return add(mul(b.C, b.Kappa), mul(b.K, b.Eta)) }

// Z is the second.
func (b Bound) Z() real.Interval { return add(b.Near, b.F) }

// Least encloses the lesser of them.
func (b Bound) Least() real.Interval {
	x, z := b.X(), b.Z()
	return iv{Lo: real.Min(x.Lo, z.Lo), Hi: real.Min(x.Hi, z.Hi)}
}

// kappaOf is max(B, lambda) eta/lambda for a B in units of length.
func (m Mech) kappaOf(B int64) iv {
	k := num(1)
	if B*m.Den >= m.Num {
		k = m.over(B)
	}
	return k.Shift(-int64(m.Format.Precision))
}

// over is n/lambda for a length n.
func (m Mech) over(n int64) iv { return quo(times(m.Den, num(n)), num(m.Num)) }

// Bound is that of mechanisms whose greatest bound is B units.
func (m Mech) Bound(B int64) (b Bound, room bool) {
	return NewBound(m.kappaOf(B), pt(m.Format.Eta()))
}

// Reach is the largest B with room.
func (m Mech) Reach() int64 {
	lo, hi := int64(0), 8*m.Unit<<m.Format.Precision
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if _, ok := m.Bound(mid); ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
