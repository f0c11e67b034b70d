package anyprecision

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Enclosures at a fixed precision; a comparison holds when it holds for all members.
const prec = 128

type iv = real.Interval

func pt(d real.Dyadic) iv    { return real.Point(d) }
func num(n int64) iv         { return pt(real.FromInt64(n)) }
func lt(a, b iv) bool        { return a.Hi.Cmp(b.Lo) < 0 }
func le(a, b iv) bool        { return a.Hi.Cmp(b.Lo) <= 0 }
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

func abs(a iv) iv {
	if a.Lo.Sign() < 0 {
		a = iv{Lo: real.Max(real.Max(a.Lo, a.Hi.Neg()), real.Dyadic{}), Hi: real.Max(a.Lo.Neg(), a.Hi)}
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

// bound is what the theorem lets the loss exceed D/lambda by: the lesser of X and Z.
// It is defined when room (sigma < 1) is left.
type Bound struct {
	kappa, eta, Eta1 iv
	sigma, Q, L, W   iv
	C, K, F          iv
}

// newBound computes (T.1) and (T.2); ok is hypothesis room.
func NewBound(kappa, eta iv) (b Bound, ok bool) {
	half, one := pt(real.Pow2(-1)), num(1)
	b = Bound{kappa: kappa, eta: eta}
	b.Eta1 = mul(eta, add(one, mul(half, eta)))
	b.Sigma = add(times(2, eta), mul(num(8), add(one, mul(half, eta)), kappa),
		mul(add(one, times(6, b.Eta1)), add(kappa, eta)))
	if !lt(b.Sigma, one) {
		return b, false
	}
	b.Q = exp(sub(b.Sigma, one))
	rest := sub(one, b.Q)
	b.L = maxIv(one, add(half, b.Q))
	b.W = add(times(2, b.L), mul(num(2), add(one, eta), add(num(2), b.Q)))
	b.C = quo(add(times(4, b.L), mul(num(4), add(one, eta), add(one, b.Q)), mul(b.W, eta)), rest)
	b.K = quo(add(one, b.L, times(3, b.Q), mul(b.W, eta)), rest)
	b.F = ln(quo(sub(one, exp(add(one, b.Sigma).Neg())), rest))
	return b, true
}

func (b Bound) X() iv { return add(mul(b.C, b.Kappa), mul(b.K, b.Eta)) }

// near is what (A.24) allows the near threshold, Z what it allows both.
func (b Bound) near() iv {
	k, e := b.Kappa, b.Eta
	return add(times(8, k), mul(num(12), e, k), mul(num(7), e, e), mul(num(4), e, e, add(k, e)))
}

func (b Bound) Z() iv { return add(b.near(), b.F) }

func (b Bound) Least() iv {
	x, z := b.X(), b.Z()
	return iv{Lo: real.Min(x.Lo, z.Lo), Hi: real.Min(x.Hi, z.Hi)}
}

// R is twice the largest error of one threshold, (A.7).
func (b Bound) R() iv {
	return mul(num(4), add(num(1), b.Eta.Shift(-1)), add(times(2, b.Kappa), b.Eta, mul(b.Eta, add(b.Kappa, b.Eta))))
}

func boundAt(k, p int64) (Bound, bool) { return NewBound(pt(real.Pow2(-k)), pt(real.Pow2(-p))) }

// A corollary is: for kappa <= 2^-k and precision p or more, the integers c and a do.
type corollary struct{ k, p, c, a int64 }

var (
	byZ = []corollary{{4, 4, 21, 14}, {5, 5, 20, 5}}
	byX = []corollary{{6, 6, 18, 7}, {8, 8, 16, 6}, {13, 13, 15, 5}}
)

// Z is convex in kappa, on kappa = eta, and in eta at the greatest kappa: the ends decide.
func TestCorollariesOfZ(t *testing.T) {
	for _, co := range byZ {
		require.Equal(t, co.k, co.p)
		top := pt(real.Pow2(-co.k))
		flat, ok := NewBound(top, num(0))
		require.True(t, ok)
		corner, ok := NewBound(top, top)
		require.True(t, ok)
		assert.True(t, le(flat.Z(), times(co.c, top)), "%v", co)
		assert.True(t, le(corner.Z(), times(co.c+co.a, top)), "%v", co)
		assert.True(t, lt(times(co.c+co.a-1, top), corner.Z()), "%v: a - 1 would do", co)
	}
}

// C and K grow with kappa and with eta, and kappa >= eta. Where eta = kappa at the
// corner, a surplus of C over c may be paid by K: at that precision kappa = eta.
func TestCorollariesOfX(t *testing.T) {
	for _, co := range byX {
		b, ok := boundAt(co.k, co.p)
		require.True(t, ok)
		if !le(b.C, num(co.c)) {
			require.Equal(t, co.k, co.p)
			assert.True(t, le(add(b.C, b.K), num(co.c+co.a)), "%v at kappa = eta", co)
			b, ok = boundAt(co.k, co.p+1)
			require.True(t, ok)
		}
		assert.True(t, le(b.C, num(co.c)), "%v: C = %v", co, b.C.Hi)
		assert.True(t, le(b.K, num(co.a)), "%v: K = %v", co, b.K.Hi)
	}
	// Twice as far the integers of 6.1 do not follow.
	b, _ := boundAt(12, 53)
	assert.True(t, lt(num(15), b.C))
}

// The limits as kappa and eta vanish, and the ends of hypothesis room.
func TestLimitsOfTheConstants(t *testing.T) {
	b, _ := boundAt(100, 100)
	e := exp(num(1))
	c0 := quo(times(4, add(num(1), times(2, e))), sub(e, num(1)))
	k0 := quo(add(num(3), times(2, e)), sub(e, num(1)))
	small := pt(real.Pow2(-90))
	assert.True(t, lt(abs(sub(b.C, c0)), small))
	assert.True(t, lt(abs(sub(b.K, k0)), small))
	assert.True(t, lt(num(14983), times(1000, c0)) && lt(times(1000, c0), num(14984)))
	assert.True(t, lt(num(4909), times(1000, k0)) && lt(times(1000, k0), num(4910)))
	for _, c := range []struct {
		num, den, p int64
		ok          bool
	}{
		{1, 16, 4, true}, {81, 1000, 4, true}, {82, 1000, 4, false}, {96, 1000, 5, true}, {97, 1000, 5, false},
		{1, 8, 3, false}, {1, 9, 200, false}, {1111, 10000, 53, true},
	} {
		_, ok := NewBound(quo(num(c.num), num(c.den)), pt(real.Pow2(-c.p)))
		assert.Equal(t, c.ok, ok, "%v", c)
	}
}

// The excess of every other case is at most X and at most Z wherever there is room: on
// a grid of the (kappa, eta) plane, what "One bound for all cases" proves on all of it.
func TestOtherCasesAreBelowXAndZ(t *testing.T) {
	n, checked := int64(60), 0
	for p := int64(4); p <= 60; p += 1 + p/12 {
		eta := pt(real.Pow2(-p))
		for i := int64(0); i <= n; i++ {
			kappa := quo(num(i), num(9*n))
			if i == 0 {
				kappa = eta
			}
			b, ok := NewBound(kappa, eta)
			if !ok || !le(eta, kappa) {
				continue
			}
			checked++
			for id, e := range b.cases() {
				assert.True(t, le(e.ofX, b.X()), "%s at kappa = %v, eta = 2^-%d", id, kappa.Lo, p)
				assert.True(t, le(e.ofZ, b.Z()), "%s at kappa = %v, eta = 2^-%d", id, kappa.Lo, p)
			}
		}
	}
	assert.Greater(t, checked, 1000)
}

// An excess is what one case allows, in the form compared with X and in that with Z.
type excess struct{ ofX, ofZ iv }

// cases are the excesses proved for the cases other than (A.16).
func (b Bound) cases() map[string]excess {
	one, k, e := num(1), b.Kappa, b.Eta
	rest := sub(one, b.Q)
	walk := mul(num(4), add(one, e.Shift(-1)), k)
	both := func(a iv) excess { return excess{a, a} }
	return map[string]excess{
		"A.17": both(add(b.R(), times(2, e))),
		"A.18": both(walk),
		"A.19": both(sub(add(times(5, k), times(3, e), mul(num(2), e, k)), one, ln(rest))),
		"A.21": both(maxIv(b.inside(1), b.inside(2))),
		"A.22": {quo(mul(b.Q, add(b.R(), times(6, e))), rest), b.F},
		"A.23": {add(walk, quo(mul(b.Q, add(b.R(), times(2, e))), rest)), add(walk, b.F)},
	}
}

// inside is the right side of (A.21) as a function of ell, at an end of [1, 2].
func (b Bound) inside(ell int64) iv {
	k, e := b.Kappa, b.Eta
	zeta := add(k, times(5, e), times(2*ell, b.Eta1))
	top := add(mul(num(4), b.Eta1, add(num(ell), k, e)), times(4, e))
	return quo(top, sub(num(1), exp(sub(zeta, num(ell)))))
}

// kappaOf is max(B, lambda) eta/lambda for a B in units of length.
func (m Mech) kappaOf(B int64) iv {
	k := iv{}
	if k = quo(num(B*m.Den), num(m.Num)); B*m.Den < m.Num {
		k = num(1)
	}
	return k.Shift(-int64(m.Format.Precision))
}

// over is n/lambda for a length n.
func (m Mech) over(n int64) iv { return quo(times(m.Den, num(n)), num(m.Num)) }

func (m Mech) Bound(B int64) (Bound, bool) {
	return NewBound(m.kappaOf(B), pt(m.Format.Eta()))
}

// tiny is the format of precision p with the least exponent range the theorem allows.
func Tiny(p uint) spec.Format { return spec.Small(p, -int64(p)-3, int64(p)-2) }
