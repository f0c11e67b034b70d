package core

import (
	"math/big"
	"sync"
)

// The table of ln(q/128): the reduction of ln.go multiplies by q/128.
const (
	firstQ = 85
	lastQ  = 171
)

// constants are logarithms in fixed point with w fraction bits, each within 1.01
// units, ln2 with 64 bits more. They are written once and then only read.
type constants struct {
	ln2 *big.Int
	lnq [lastQ - firstQ + 1]*big.Int
}

// slot computes the constants of one working precision once, however many
// goroutines ask.
type slot struct {
	once sync.Once
	c    constants
}

var slots sync.Map // w to *slot; w is a multiple of 64, so there are few

func constantsAt(w uint) *constants {
	s, ok := slots.Load(w)
	if !ok {
		s, _ = slots.LoadOrStore(w, new(slot))
	}
	it := s.(*slot)
	it.once.Do(func() { it.c.compute(w) })
	return &it.c
}

// guard is how many bits more the constants are summed with. For w <= 2^17 an
// inverse sum of n <= w/9.4 terms is off by less than 2.1 n + 2 < 2^15 units, and
// at most 2·43 of them are added (ln2: 28), which leaves less than 2^-8 of one
// unit of the result, besides the unit lost by the last truncation.
const guard = 32

// compute uses ln 2 = 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749) and
// ln(q/(q-1)) = 2 artanh(1/(2q-1)), from ln(128/128) = 0 in both directions.
func (c *constants) compute(w uint) {
	at := w + 64 + guard
	sum := artanhInverse(26, at)
	sum.Mul(sum, big.NewInt(18))
	b := artanhInverse(4801, at)
	sum.Sub(sum, b.Lsh(b, 1))
	b = artanhInverse(8749, at)
	sum.Add(sum, b.Lsh(b, 3))
	c.ln2 = sum.Rsh(sum, guard)

	at = w + guard
	up, down := new(big.Int), new(big.Int)
	c.lnq[128-firstQ] = new(big.Int)
	for q := int64(129); q <= lastQ; q++ {
		step := artanhInverse(2*q-1, at)
		up.Add(up, step.Lsh(step, 1))
		c.lnq[q-firstQ] = new(big.Int).Rsh(up, guard)
	}
	for q := int64(128); q > firstQ; q-- {
		step := artanhInverse(2*q-1, at)
		down.Sub(down, step.Lsh(step, 1))
		c.lnq[q-1-firstQ] = new(big.Int).Rsh(down, guard)
	}
}

// artanhInverse returns artanh(1/d) = 1/d + 1/(3 d^3) + ... for d >= 26 in fixed
// point with w bits, too small by less than 2.1 n + 2 units after n terms: a power
// is off by less than 1.01 (the error before is divided by d^2), a term by less
// than 2.01, and the terms left out sum to less than 1.02.
func artanhInverse(d int64, w uint) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), w)
	power.Quo(power, big.NewInt(d))
	sum, term, square := new(big.Int).Set(power), new(big.Int), big.NewInt(d*d)
	for i := int64(3); ; i += 2 {
		if power.Quo(power, square); power.Sign() == 0 {
			return sum
		}
		sum.Add(sum, term.Quo(power, term.SetInt64(i)))
	}
}
