package twin

import "math/big"

// dyadic is m 2^e; a nil m is 0. Nothing is normalised.
type dyadic struct {
	m *big.Int
	e int64
}

var one = dyadic{big.NewInt(1), 0}

func (a dyadic) zero() bool { return a.m == nil || a.m.Sign() == 0 }

// align returns the significands of a and b at the lower of their exponents.
func align(a, b dyadic) (x, y *big.Int, e int64) {
	switch {
	case a.zero() && b.zero():
		return new(big.Int), new(big.Int), 0
	case a.zero():
		return new(big.Int), b.m, b.e
	case b.zero():
		return a.m, new(big.Int), a.e
	case a.e > b.e:
		return new(big.Int).Lsh(a.m, uint(a.e-b.e)), b.m, b.e
	}
	return a.m, new(big.Int).Lsh(b.m, uint(b.e-a.e)), a.e
}

func (a dyadic) add(b dyadic) dyadic {
	x, y, e := align(a, b)
	return dyadic{new(big.Int).Add(x, y), e}
}

func (a dyadic) sub(b dyadic) dyadic {
	x, y, e := align(a, b)
	return dyadic{new(big.Int).Sub(x, y), e}
}

func (a dyadic) cmp(b dyadic) int {
	x, y, _ := align(a, b)
	return x.Cmp(y)
}

func (a dyadic) mul(b dyadic) dyadic {
	if a.zero() || b.zero() {
		return dyadic{}
	}
	return dyadic{new(big.Int).Mul(a.m, b.m), a.e + b.e}
}

func (a dyadic) half() dyadic { return dyadic{a.m, a.e - 1} }

func (a dyadic) rat() *big.Rat {
	if a.zero() {
		return new(big.Rat)
	}
	if a.e >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(a.m, uint(a.e)))
	}
	return new(big.Rat).SetFrac(a.m, new(big.Int).Lsh(big.NewInt(1), uint(-a.e)))
}

// fixed is the number of bits after the point in absLogRatio. A logarithm there is
// below 2^21, k below 2^21, so its width is below (2^22 + 2) 140 2^-160 < 2^-129.
const fixed = 160

// absLogRatio encloses |ln(p/q)| for p, q > 0: with 2^k <= p/q < 2^(k+1) for p >= q
// and y the ratio over 2^k,
//
//	ln(p/q) = k ln 2 + ln y,  ln y = 2 artanh((y-1)/(y+1)),  ln 2 = 2 artanh(1/3).
func absLogRatio(p, q *big.Rat) (lo, hi *big.Rat) {
	if p.Cmp(q) < 0 {
		p, q = q, p
	}
	num := new(big.Int).Mul(p.Num(), q.Denom())
	den := new(big.Int).Mul(p.Denom(), q.Num())
	if num.Cmp(den) == 0 {
		return new(big.Rat), new(big.Rat)
	}
	k := num.BitLen() - den.BitLen()
	if new(big.Int).Lsh(den, uint(k)).Cmp(num) > 0 {
		k--
	}
	den.Lsh(den, uint(k))
	aLo, aHi := artanh(new(big.Int).Sub(num, den), new(big.Int).Add(num, den))
	bLo, bHi := artanh(big.NewInt(1), big.NewInt(3))
	bLo.Mul(bLo, big.NewInt(int64(k)))
	bHi.Mul(bHi, big.NewInt(int64(k)))
	end := func(a, b *big.Int) *big.Rat { // twice their sum
		return dyadic{a.Add(a, b), 1 - fixed}.rat()
	}
	return end(aLo, bLo), end(aHi, bHi)
}

// artanh encloses artanh(a/b) = z + z^3/3 + z^5/5 + ..., 0 <= z = a/b <= 1/3, in
// units of 2^-fixed: the lower end with everything rounded down, the upper with
// everything rounded up, and what is left out, at most z^n/n (1 + z^2 + z^4 + ...)
// <= 9/8 z^n, where z^n has become at most one unit (rounded up it stays there): 2.
func artanh(a, b *big.Int) (lo, hi *big.Int) {
	lo = series(floorDiv(new(big.Int).Lsh(a, fixed), b), floorDiv)
	hi = series(ceilDiv(new(big.Int).Lsh(a, fixed), b), ceilDiv)
	return lo, hi.Add(hi, big.NewInt(2))
}

func series(z *big.Int, div func(a, b *big.Int) *big.Int) *big.Int {
	scale := new(big.Int).Lsh(big.NewInt(1), fixed)
	square := div(new(big.Int).Mul(z, z), scale)
	sum, power := new(big.Int), z
	for n := int64(1); power.Cmp(big.NewInt(1)) > 0; n += 2 {
		sum.Add(sum, div(power, big.NewInt(n)))
		power = div(new(big.Int).Mul(power, square), scale)
	}
	return sum
}

func floorDiv(a, b *big.Int) *big.Int { return new(big.Int).Div(a, b) } // b > 0: Euclidean is floor

func ceilDiv(a, b *big.Int) *big.Int {
	q, r := new(big.Int).DivMod(a, b, new(big.Int))
	if r.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}
