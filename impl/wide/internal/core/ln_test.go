package core

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// random returns m below 2^(p-1) and e, weighted toward u near 1 and long e.
func random(r *rand.Rand, p uint) (*big.Int, int64) {
	m := new(big.Int)
	for range p/64 + 1 {
		m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(r.Uint64()))
	}
	top := new(big.Int).Lsh(big.NewInt(1), p-1)
	m.Mod(m, top)
	switch r.IntN(4) {
	case 0: // a run of leading ones: near 1 for e = 1
		m.Rsh(m, uint(r.IntN(int(p-1))))
		m.Sub(top, m)
		m.Sub(m, big.NewInt(1))
	case 1: // few bits
		m.Rsh(m, uint(r.IntN(int(p-1))))
	}
	e := int64(1 + r.IntN(3))
	if r.IntN(3) == 0 {
		e = 1 + int64(r.Uint64()>>(2+r.IntN(61)))
	}
	return m, min(e, 1<<62-1)
}

// The bounds that the error analysis rests on: |v| < 2^-7, the range of q, and the
// lower bounds of |ln u|.
func TestReduction(t *testing.T) {
	for top := int64(512); top < 1024; top++ {
		one := int64(512)
		if top >= 768 {
			one = 1024
		}
		q := (2*128*2*one/(2*top+1) + 1) / 2
		require.True(t, q >= firstQ && q <= lastQ, "%d: %d", top, q)
		// s in [top, top+1)/one; |s q - 128| < 1 at both ends.
		for _, s := range []int64{top, top + 1} {
			v := big.NewRat(s*q, one)
			v.Sub(v, big.NewRat(128, 1))
			require.True(t, v.Abs(v).Cmp(big.NewRat(1, 1)) < 0, "%d: %v", top, v)
		}
		if one == 1024 && q != 128 { // k may be 0
			require.LessOrEqual(t, top+1, int64(1020), "s < 1 - 2^-8")
		}
		if one == 512 {
			require.Less(t, top+1, int64(769), "ln s <= ln 3/2")
		}
	}
}

// The radius is honest: an attempt at w bits contains the value of one at many more.
func TestEnclosure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	far := uint(4096)
	for range 3000 {
		w := uint(64 * (2 + r.IntN(12)))
		scale := uint(20 + r.IntN(int(w)))
		v := new(big.Int).Rsh(new(big.Int).SetUint64(r.Uint64()), uint(r.IntN(64)))
		if excess := v.BitLen() - int(scale) + 7; excess > 0 {
			v.Rsh(v, uint(excess))
		}
		if r.IntN(2) == 0 {
			v.Neg(v)
		}
		k, q := int64(r.Uint64()>>(2+r.IntN(62))), firstQ+r.IntN(lastQ-firstQ+1)
		a, radius := enclose(v, scale, k, q, w)
		b, _ := enclose(v, scale, k, q, far)
		b.Rsh(b, far-w)
		b.Sub(b, a)
		require.True(t, b.Abs(b).Cmp(radius) < 0, "off by %v, radius %v", b, radius)
	}
}

// The constants against each other: ln(85/128) + ln(171/128) and so on by one
// series for the whole quotient; ln 2 by 2 artanh(1/3) written out.
func TestConstants(t *testing.T) {
	for _, w := range []uint{64, 192, 1024, 4096} {
		c := constantsAt(w)
		at := w + 64
		third := new(big.Int).Lsh(big.NewInt(1), at)
		third.Quo(third, big.NewInt(3))
		sum := new(big.Int)
		for i := int64(1); third.Sign() != 0; i += 2 {
			sum.Add(sum, new(big.Int).Quo(third, big.NewInt(i)))
			third.Quo(third, big.NewInt(9))
		}
		sum.Lsh(sum, 1)
		diff := new(big.Int).Sub(sum, c.ln2)
		require.Less(t, diff.Abs(diff).BitLen(), 16, "ln 2 at %d: off by %v", at, diff)
		for q := firstQ; q <= lastQ; q++ {
			// ln(q/128) = 2 artanh((q-128)/(q+128)), in rationals rounded at the end.
			x := big.NewRat(int64(q-128), int64(q+128))
			one := new(big.Int).Lsh(big.NewInt(1), w+64)
			p := new(big.Int).Quo(new(big.Int).Mul(x.Num(), one), x.Denom())
			want := new(big.Int)
			for i := int64(1); p.Sign() != 0; i += 2 {
				want.Add(want, new(big.Int).Quo(p, big.NewInt(i)))
				p.Mul(p, new(big.Int).Mul(x.Num(), x.Num()))
				p.Quo(p, new(big.Int).Mul(x.Denom(), x.Denom()))
			}
			want.Rsh(want, 63)
			want.Sub(want, c.lnq[q-firstQ])
			require.LessOrEqual(t, want.Abs(want).Cmp(big.NewInt(1)), 0, "ln(%d/128) at %d", q, w)
		}
	}
}

// By a different route: exp of the midpoints around the result encloses u, with a
// Taylor series of its own on big.Float at 3p + 200 bits.
func TestNearestByExp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, p := range []uint{10, 24, 53, 64, 118, 237} {
		for range 120 {
			m, e := random(r, p)
			e = 1 + e%40
			require.True(t, nearest(Ln(m, e, p), m, e, p, 3*p+200), "p %d m %v e %d", p, m, e)
			wrong := Ln(m, e, p)
			wrong.SetMantExp(big.NewFloat(1).Quo(wrong, wrong), wrong.MantExp(nil)-int(p))
			require.False(t, nearest(wrong.Add(wrong, Ln(m, e, p)), m, e, p, 3*p+200), "one ulp away is not the nearest")
		}
	}
}

func nearest(y *big.Float, m *big.Int, e int64, p, wp uint) bool {
	u := new(big.Float).SetPrec(wp).SetInt(new(big.Int).SetBit(m, int(p-1), 1))
	u.SetMantExp(u, -int(p-1)-int(e))
	// The halves of the spacings on both sides; below a power of two it is half.
	mant := new(big.Float)
	exp := y.MantExp(mant)
	half := new(big.Float).SetMantExp(big.NewFloat(1), exp-int(p)-1)
	inner := half
	if mant.Abs(mant).Cmp(big.NewFloat(0.5)) == 0 {
		inner = new(big.Float).SetMantExp(big.NewFloat(1), exp-int(p)-2)
	}
	wide := func() *big.Float { return new(big.Float).SetPrec(wp) }
	return expOf(wide().Sub(y, half), wp).Cmp(u) < 0 && expOf(wide().Add(y, inner), wp).Cmp(u) > 0
}

// expOf is exp(x), x < 0 moderate: exp(x 2^-20) by Taylor, squared 20 times.
func expOf(x *big.Float, wp uint) *big.Float {
	z := new(big.Float).SetPrec(wp+64).SetMantExp(x, -20)
	sum, term := new(big.Float).SetPrec(wp+64).SetInt64(1), new(big.Float).SetPrec(wp+64).SetInt64(1)
	for i := int64(1); i < int64(wp)/15+20; i++ {
		term.Mul(term, z)
		term.Quo(term, new(big.Float).SetInt64(i))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	return sum
}

// Inputs whose logarithm is d + d^2/2 + d^3/3 + ... with d + d^2/2 exactly a
// midpoint: u = 1 - d, d = o 4^i 2^-p... so that only d^3/3, about 2^-2p of the
// result, decides. The loop must go on until it sees it.
func TestHardest(t *testing.T) {
	for _, p := range []uint{53, 64, 118, 119, 237, 1024} {
		for a := uint(1); a <= min(p/4, 12); a++ {
			odd := uint64(1)<<a - 1
			d := new(big.Int).Lsh(new(big.Int).SetUint64(odd), a) // 2a bits
			require.Equal(t, int(2*a), d.BitLen())
			m := new(big.Int).Lsh(big.NewInt(1), p-1)
			m.Sub(m, d) // u = (2^p - d)/2^p = (1 + m 2^-(p-1))/2
			y := Ln(m, 1, p)
			// -y must be d (1 + d/2) rounded up: the midpoint is below -ln u.
			exact := new(big.Float).SetPrec(4 * p).SetInt(d)
			exact.SetMantExp(exact, -int(p))
			sq := new(big.Float).SetPrec(4*p).Mul(exact, exact)
			mid := exact.Add(exact, sq.SetMantExp(sq, -1))
			require.Equal(t, p+1, mid.MinPrec(), "a midpoint of numbers of p bits")
			up := new(big.Float).SetPrec(p).SetMode(big.ToPositiveInf).Set(mid)
			require.Zero(t, y.Neg(y).Cmp(up), "p %d a %d", p, a)
		}
	}
}

func TestArgumentsSurvive(t *testing.T) {
	m := big.NewInt(12345)
	Ln(m, 3, 118)
	require.Equal(t, int64(12345), m.Int64())
}

func BenchmarkLn(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, p := range []uint{53, 118, 237, 1024, 4096} {
		b.Run(big.NewInt(int64(p)).String(), func(b *testing.B) {
			m, _ := random(r, p)
			Ln(m, 2, p)
			for b.Loop() {
				Ln(m, 2, p)
			}
		})
	}
}
