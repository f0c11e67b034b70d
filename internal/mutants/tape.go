package mutants

import (
	"math/bits"

	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// tape reads bits one at a time in the order bit gives them.
type tape struct {
	bytes  []byte
	bit    func(tape []byte, i int) int
	used   int
	padded bool // zeros after the end
}

func (t *tape) take(n int) (v uint64, err error) {
	for range n {
		b := 0
		switch {
		case t.used < 8*len(t.bytes):
			b = t.bit(t.bytes, t.used)
		case !t.padded:
			return 0, &derand.TapeError{Bits: 8 * len(t.bytes)}
		}
		t.used++
		v = v<<1 | uint64(b)
	}
	return v, nil
}

// zeros counts zero bits up to the first 1, which it consumes, and at most
// limit of them when limit > 0.
func (t *tape) zeros(limit int64) (n int64, one bool, err error) {
	for limit <= 0 || n < limit {
		b, err := t.take(1)
		if err != nil || b == 1 {
			return n, true, err
		}
		n++
	}
	return n, false, nil
}

// uniform is one attempt to draw U*; again says that it gave zero.
func uniform(t *tape, kind derand.Kind) (u draw, again bool, err error) {
	limit := int64(0)
	if kind == derand.Binary64 {
		limit = 1022
	}
	zeros, one, err := t.zeros(limit)
	if err != nil {
		return u, false, err
	}
	k, err := t.take(52)
	if one || err != nil {
		return draw{k, zeros + 1}, false, err
	}
	if k == 0 {
		return u, true, nil
	}
	return subnormal(k), false, nil
}

// subnormal is k 2^-1074 as a draw.
func subnormal(k uint64) draw {
	n := bits.Len64(k)
	return draw{k << (53 - n) & (1<<52 - 1), int64(1075 - n)}
}
