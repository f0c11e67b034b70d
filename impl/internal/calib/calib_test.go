package calib

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The formulas of docs/theory.md 2.4 once more, over big.Rat, and directed
// rounding by comparing with neighbours instead of by division.

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func mul(xs ...*big.Rat) *big.Rat {
	r := big.NewRat(1, 1)
	for _, x := range xs {
		r.Mul(r, x)
	}
	return r
}
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func integer(n int64) *big.Rat   { return new(big.Rat).SetInt64(n) }

var ratEta = rat(0x1p-53)

func maxRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// isUp reports whether y is the smallest double >= x > 0.
func isUp(x *big.Rat, y float64) bool {
	if math.IsInf(y, 1) {
		return x.Cmp(rat(math.MaxFloat64)) > 0
	}
	return rat(y).Cmp(x) >= 0 && rat(math.Nextafter(y, 0)).Cmp(x) < 0
}

// isDown reports whether y is the largest finite double <= x, x >= 0.
func isDown(x *big.Rat, y float64) bool {
	return rat(y).Cmp(x) <= 0 && (y == math.MaxFloat64 || rat(math.Nextafter(y, math.Inf(1))).Cmp(x) > 0)
}

func boundRat(lo, hi float64) *big.Rat { return rat(max(math.Abs(lo), math.Abs(hi))) }

func check(t *testing.T, eps, d, lo, hi float64, k Triple) {
	t.Helper()
	c, a, full := mul(integer(k.C), ratEta), mul(integer(k.A), ratEta), mul(integer(k.A+k.B*k.C), ratEta)
	b, e, dd := boundRat(lo, hi), rat(eps), rat(d)
	require.Equal(t, e.Cmp(full) > 0, AboveFloor(eps, k))
	if e.Cmp(full) <= 0 {
		return
	}
	lambda := Lambda(eps, d, lo, hi, k)
	exact := maxRat(quo(add(dd, mul(c, b)), sub(e, a)), quo(dd, sub(e, full)))
	require.Truef(t, isUp(exact, lambda), "Lambda(%x, %x, %x, %x, %v) = %x", eps, d, lo, hi, k, lambda)

	first := quo(sub(e, a), add(integer(1), quo(mul(c, b), dd)))
	if second := sub(e, full); second.Cmp(first) < 0 {
		first = second
	}
	prime := EpsilonPrime(eps, d, lo, hi, k)
	require.Truef(t, isDown(first, prime), "EpsilonPrime(%x, %x, %x, %x, %v) = %x", eps, d, lo, hi, k, prime)
	require.Zero(t, math.Float64bits(prime)>>63)
	if math.IsInf(lambda, 1) {
		return
	}

	loss := func(l float64) *big.Rat {
		return add(quo(add(dd, mul(c, maxRat(b, mul(integer(k.B), rat(l))))), rat(l)), a)
	}
	got := Achieved(lambda, false, d, lo, hi, k)
	require.True(t, isUp(loss(lambda), got))
	require.LessOrEqual(t, got, eps)
	// The next smaller scale does not achieve epsilon.
	if l := math.Nextafter(lambda, 0); l > 0 {
		require.Positive(t, loss(l).Cmp(e))
	}

	// The reciprocal form, with the same value as an epsilon.
	v := rat(lambda)
	inv := add(add(mul(dd, v), mul(c, maxRat(mul(b, v), integer(k.B)))), a)
	require.True(t, isUp(inv, Achieved(lambda, true, d, lo, hi, k)))

	for _, p := range []uint{0, 38, 46} {
		scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), p))
		require.Equal(t, b.Cmp(mul(scale, v)), CompareBound(lo, hi, lambda, false, p))
		require.Equal(t, b.Cmp(quo(scale, v)), CompareBound(lo, hi, lambda, true, p))
	}
}

var triples = []Triple{{12, 2, 0}, {15, 5, 1}, {18, 9, 2}, {0, 0, 0}, {1, 0, 0}, {0, 5, 7}, {1<<31 - 1, 1<<31 - 1, 1<<31 - 1}}

func TestEdges(t *testing.T) {
	values := []float64{math.SmallestNonzeroFloat64, 3 * math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-600, 0x1p-53, 1, 1.1, 0x1p600, 0x1p1023, math.MaxFloat64}
	bounds := []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, 0x1p-53, 1, 1000, 0x1p46, 0x1p1000, math.MaxFloat64}
	epsilons := append([]float64{0.5, 1, 2, 0x1p10}, values...)
	for _, k := range triples {
		floor := float64(k.A+k.B*k.C) * 0x1p-53
		for _, eps := range append(epsilons, floor, math.Nextafter(floor, 1), math.Nextafter(floor, 0)) {
			if !(eps > 0) {
				continue
			}
			for _, d := range values {
				for _, b := range bounds {
					check(t, eps, d, -b, b/2, k)
				}
			}
		}
	}
}

func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		k := triples[r.IntN(len(triples))]
		eps, d := math.Exp(r.NormFloat64()*3), math.Exp(r.NormFloat64()*5)
		b := math.Exp(r.NormFloat64() * 10)
		check(t, eps, d, -b*r.Float64(), b, k)
	}
}

func TestInfiniteScaleIsAboveEveryBound(t *testing.T) {
	require.Equal(t, -1, CompareBound(-math.MaxFloat64, math.MaxFloat64, math.Inf(1), false, 0))
}

func TestQuotient(t *testing.T) {
	big3 := big.NewInt(3)
	require.Equal(t, 0.0, quotient(new(big.Int), big3, 0, true))
	require.Equal(t, math.Inf(1), quotient(unit, unit, 1024, true))
	require.Equal(t, math.MaxFloat64, quotient(unit, unit, 1024, false))
	require.Equal(t, 0x1p1023, quotient(unit, unit, 1023, false))
	require.Equal(t, math.SmallestNonzeroFloat64, quotient(unit, big3, -5000, true))
	require.Equal(t, 0.0, quotient(unit, big3, -1074, false))
	require.Equal(t, math.SmallestNonzeroFloat64, quotient(unit, big3, -1074, true))
}

func FuzzQuotient(f *testing.F) {
	f.Add(uint64(1), uint64(3), int16(-1074))
	f.Fuzz(func(t *testing.T, n, d uint64, shift int16) {
		if d == 0 || n == 0 {
			return
		}
		num, den := new(big.Int).SetUint64(n), new(big.Int).SetUint64(d)
		x := new(big.Rat).SetFrac(num, den)
		s := new(big.Rat).SetInt(new(big.Int).Lsh(unit, uint(max(shift, -shift))))
		if shift < 0 {
			s.Inv(s)
		}
		x.Mul(x, s)
		require.True(t, isUp(x, quotient(num, den, int(shift), true)))
		require.True(t, isDown(x, quotient(num, den, int(shift), false)))
	})
}
