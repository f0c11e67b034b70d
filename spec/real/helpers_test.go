package real

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// newRand is a fixed source: a failure repeats.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// scaled returns full, or short under -short.
func scaled(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// ratOf expands d, whose exponent must be moderate, without Dyadic.Rat.
func ratOf(d Dyadic) *big.Rat {
	m, e := d.Parts()
	r := new(big.Rat).SetInt(m)
	p := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return r.Quo(r, new(big.Rat).SetInt(p))
	}
	return r.Mul(r, new(big.Rat).SetInt(p))
}

// randBits returns an integer of exactly n bits, often with long runs of equal bits.
func randBits(r *rand.Rand, n int) *big.Int {
	m := new(big.Int)
	if n == 0 {
		return m
	}
	runs := r.IntN(2) == 0
	bit := uint(1)
	for i := n - 1; i >= 0; i-- {
		m.SetBit(m, i, bit)
		if !runs || r.IntN(max(2, n/4)) == 0 {
			bit = uint(r.IntN(2))
		}
	}
	return m
}

// randDyadic returns ±m·2^e with up to maxBits bits and |e| <= maxExp; sometimes 0.
func randDyadic(r *rand.Rand, maxBits int, maxExp int64) Dyadic {
	m := randBits(r, r.IntN(maxBits+1))
	if r.IntN(2) == 0 {
		m.Neg(m)
	}
	return NewDyadic(m, r.Int64N(2*maxExp+1)-maxExp)
}

// requireNormal checks the representation: m odd, or the unique zero.
func requireNormal(t *testing.T, d Dyadic) {
	t.Helper()
	if d.IsZero() {
		require.Equal(t, Dyadic{}, d)
		return
	}
	require.Equal(t, uint(1), d.m.Bit(0), "%v is not in lowest terms", d)
}

// ball is a positive number known to lie in [lo, hi]·2^e, carried with about n
// bits. The judges of ln and exp compute with it: plain integers, rounded
// outward at each step, no constants, no table, no fixed point shared with the
// code under test.
type ball struct {
	lo, hi *big.Int
	e      int64
}

// trim drops bits beyond n, outward.
func (b ball) trim(n int) ball {
	s := b.lo.BitLen() - n
	if s <= 0 {
		return b
	}
	lo := new(big.Int).Rsh(b.lo, uint(s))
	hi := new(big.Int).Rsh(b.hi, uint(s))
	return ball{lo, hi.Add(hi, big.NewInt(1)), b.e + int64(s)}
}

func (b ball) mul(c ball, n int) ball {
	return ball{new(big.Int).Mul(b.lo, c.lo), new(big.Int).Mul(b.hi, c.hi), b.e + c.e}.trim(n)
}

// inv returns 1/b.
func (b ball) inv(n int) ball {
	s := uint(n + b.hi.BitLen())
	one := new(big.Int).Lsh(big.NewInt(1), s)
	lo := new(big.Int).Quo(one, b.hi)
	hi := new(big.Int).Quo(one, b.lo)
	return ball{lo, hi.Add(hi, big.NewInt(1)), -int64(s) - b.e}
}

// interval gives the ball its ends as dyadics.
func (b ball) interval() Interval { return Interval{NewDyadic(b.lo, b.e), NewDyadic(b.hi, b.e)} }

// fixed is an interval of multiples of 2^-n.
type fixed struct{ lo, hi *big.Int }

// fixRat encloses r·2^n.
func fixRat(r *big.Rat, n uint) fixed {
	num := new(big.Int).Lsh(r.Num(), n)
	lo, m := new(big.Int).DivMod(num, r.Denom(), new(big.Int))
	hi := new(big.Int).Set(lo)
	if m.Sign() != 0 {
		hi.Add(hi, big.NewInt(1))
	}
	return fixed{lo, hi}
}

// judgeLog1p encloses ln(1 + d), |d| <= 1/2, times 2^n: d - d^2/2 + d^3/3 - ...
// summed on |d| with the sign of each term, and the first term left out (twice
// it for d < 0, where the terms all have one sign) added on both sides.
func judgeLog1p(d *big.Rat, n uint) fixed {
	a := fixRat(new(big.Rat).Abs(d), n) // |d|
	lo, hi := new(big.Int), new(big.Int)
	plo, phi := new(big.Int).Set(a.lo), new(big.Int).Set(a.hi) // |d|^k
	one := big.NewInt(1)
	for k := int64(1); ; k++ {
		kb := big.NewInt(k)
		tlo := new(big.Int).Quo(plo, kb)
		thi := new(big.Int).Quo(phi, kb)
		thi.Add(thi, one)
		if d.Sign() < 0 || k%2 == 0 { // this term is subtracted
			lo.Sub(lo, thi)
			hi.Sub(hi, tlo)
		} else {
			lo.Add(lo, tlo)
			hi.Add(hi, thi)
		}
		if thi.Cmp(big.NewInt(2)) <= 0 { // later terms: each at most |d| <= 1/2 of the one before
			rest := big.NewInt(4)
			return fixed{lo.Sub(lo, rest), hi.Add(hi, rest)}
		}
		plo.Mul(plo, a.lo).Rsh(plo, n)
		phi.Mul(phi, a.hi).Rsh(phi, n)
		phi.Add(phi, one)
	}
}

// judgeLn2 is -ln(1 - 1/2), the series of 1/(k 2^k).
func judgeLn2(n uint) fixed {
	f := judgeLog1p(big.NewRat(-1, 2), n)
	return fixed{new(big.Int).Neg(f.hi), new(big.Int).Neg(f.lo)}
}

// judgeLn encloses ln x within about k 2^-n absolutely: x = v 2^k, v in [3/4, 3/2).
func judgeLn(x Dyadic, n uint) Interval {
	k := x.Top()
	v := x.Shift(-k)
	if v.Cmp(FromUint64(3, -1)) >= 0 {
		k, v = k+1, v.Shift(-1)
	}
	f := judgeLog1p(new(big.Rat).Sub(ratOf(v), big.NewRat(1, 1)), n)
	l2 := judgeLn2(n)
	kb := big.NewInt(k)
	a, b := new(big.Int).Mul(kb, l2.lo), new(big.Int).Mul(kb, l2.hi)
	if k < 0 {
		a, b = b, a
	}
	return Interval{NewDyadic(f.lo.Add(f.lo, a), -int64(n)), NewDyadic(f.hi.Add(f.hi, b), -int64(n))}
}

// judgeTaylor encloses e^x for 0 <= x < 1 times 2^n: the plain series, whose
// rest is at most twice the first term left out.
func judgeTaylor(x *big.Rat, n uint) ball {
	a := fixRat(x, n)
	one := big.NewInt(1)
	tlo := new(big.Int).Lsh(one, n)
	thi := new(big.Int).Set(tlo)
	lo, hi := new(big.Int).Set(tlo), new(big.Int).Set(tlo)
	for k := int64(1); ; k++ {
		kb := big.NewInt(k)
		tlo.Mul(tlo, a.lo).Rsh(tlo, n).Quo(tlo, kb)
		thi.Mul(thi, a.hi).Rsh(thi, n)
		thi.Add(thi, one).Quo(thi, kb).Add(thi, one)
		lo.Add(lo, tlo)
		hi.Add(hi, thi)
		if thi.Cmp(big.NewInt(2)) <= 0 && k >= 2 {
			return ball{lo, hi.Add(hi, big.NewInt(8)), -int64(n)}
		}
	}
}

// judgeExp encloses e^x: e^floor(x) by repeated multiplication of the series for
// e (squarings for a large exponent), times the series at the fraction. It never
// reduces by ln 2.
func judgeExp(x Dyadic, bits uint) Interval {
	n := bits + 160
	i := x.Floor(0)
	frac := new(big.Rat).Sub(ratOf(x), new(big.Rat).SetInt(i))
	r := judgeTaylor(frac, n)
	e := judgeTaylor(big.NewRat(1, 2), n)
	e = e.mul(e, int(n)) // e = (e^(1/2))^2: judgeTaylor wants x < 1
	p := ball{big.NewInt(1), big.NewInt(1), 0}
	abs := new(big.Int).Abs(i)
	for b := abs.BitLen() - 1; b >= 0; b-- {
		p = p.mul(p, int(n))
		if abs.Bit(b) == 1 {
			p = p.mul(e, int(n))
		}
	}
	if i.Sign() < 0 {
		p = p.inv(int(n))
	}
	return p.mul(r, int(n)).interval()
}

// requireEncloses checks that got contains the number that judge encloses; the
// caller asks the judge for many more bits, so the whole of judge lies inside got.
func requireEncloses(t *testing.T, judge, got Interval, msg string, args ...any) {
	t.Helper()
	if got.Lo.Cmp(got.Hi) > 0 || judge.Lo.Cmp(judge.Hi) > 0 || !judge.Within(got) {
		require.Failf(t, "not enclosed", msg+": judge [%v, %v], got [%v, %v]",
			append(args, judge.Lo, judge.Hi, got.Lo, got.Hi)...)
	}
}

// requireNarrow checks hi - lo <= 2^-prec·least, least a lower bound of the magnitude.
func requireNarrow(t *testing.T, got Interval, prec uint, least Dyadic, msg string, args ...any) {
	t.Helper()
	if got.Width().Cmp(least.Shift(-int64(prec))) > 0 {
		require.Failf(t, "too wide", msg+": width %v, allowed 2^-%d of %v",
			append(args, got.Width(), prec, least)...)
	}
}

// leastMagnitude is the least |a| in x, which must not contain 0.
func leastMagnitude(t *testing.T, x Interval) Dyadic {
	t.Helper()
	require.Equal(t, x.Lo.Sign(), x.Hi.Sign(), "[%v, %v] contains 0", x.Lo, x.Hi)
	return Min(x.Lo.Abs(), x.Hi.Abs())
}
