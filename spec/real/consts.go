package real

import (
	"math/big"
	"sync"
	"sync/atomic"
)

// Constants in fixed point are cached per working precision, always a multiple
// of 64 bits. Each cached integer c approximates its constant x with
// |c - x·2^wp| <= 1: one unit in the last place, "1 ulp" in this package.
type constants struct {
	wp  uint
	ln2 atomic.Pointer[big.Int]
	lnC [lnTableHi - lnTableLo + 1]atomic.Pointer[big.Int]
}

var constantsAt sync.Map // wp -> *constants

func constantsFor(wp uint) *constants {
	if c, ok := constantsAt.Load(wp); ok {
		return c.(*constants)
	}
	c, _ := constantsAt.LoadOrStore(wp, &constants{wp: wp})
	return c.(*constants)
}

// roundUp64 is the least multiple of 64 that is >= n.
func roundUp64(n uint) uint { return (n + 63) &^ 63 }

// ln2At returns ln 2·2^wp within 1 ulp; wp is a multiple of 64.
func ln2At(wp uint) *big.Int {
	c := constantsFor(wp)
	if v := c.ln2.Load(); v != nil {
		return v
	}
	v := atanhRational(1, 3, wp) // ln 2 = 2 atanh(1/3)
	c.ln2.Store(v)
	return v
}

// lnTable returns ln(j/128)·2^wp within 1 ulp, lnTableLo <= j <= lnTableHi.
func lnTable(j int, wp uint) *big.Int {
	slot := &constantsFor(wp).lnC[j-lnTableLo]
	if v := slot.Load(); v != nil {
		return v
	}
	v := atanhRational(int64(j)-128, int64(j)+128, wp) // ln c = 2 atanh((c-1)/(c+1))
	slot.Store(v)
	return v
}

// atanhRational returns 2·atanh(p/q)·2^wp within 1 ulp, for |p/q| <= 1/3.
//
// The series sum 2 (p/q)^i / i over odd i is summed with g extra bits. Each
// power carries an error of at most 9/8 ulp (truncation 1, plus 1/9 of the one
// before), each quotient at most 1 + 9/8 more, so n terms give at most 4n ulps
// at wp+g bits, doubling included; the rest of the series, after a power that
// is 0, is below 1. n <= (wp+g)/3.16 + 1, and g = 16 + bitlen(wp) bits make
// 4n + 1 less than half of 2^g; the last rounding to nearest adds the other half.
func atanhRational(p, q int64, wp uint) *big.Int {
	neg := p < 0
	if neg {
		p = -p
	}
	g := 16 + bitLen64(int64(wp))
	pow := big.NewInt(p)
	pow.Lsh(pow, wp+g+1).Quo(pow, big.NewInt(q)) // 2 (p/q)
	p2, q2 := big.NewInt(p*p), big.NewInt(q*q)
	sum, term := new(big.Int), new(big.Int)
	for i := int64(1); pow.Sign() != 0; i += 2 {
		sum.Add(sum, term.Quo(pow, big.NewInt(i)))
		pow.Mul(pow, p2).Quo(pow, q2)
	}
	half := new(big.Int).Lsh(big.NewInt(1), g-1)
	sum.Add(sum, half).Rsh(sum, g)
	if neg {
		sum.Neg(sum)
	}
	return sum
}
