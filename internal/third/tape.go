package third

import (
	"fmt"
	"strconv"
	"strings"
)

// tape is the bits not yet read, as characters '0' and '1'.
type tape struct {
	bits     string
	consumed int
}

func newTape(b []byte) *tape {
	var s strings.Builder
	for _, c := range b {
		fmt.Fprintf(&s, "%08b", c)
	}
	return &tape{bits: s.String()}
}

// take cuts off the next n bits, or reports that there are not so many.
func (t *tape) take(n int) (string, bool) {
	if n > len(t.bits) {
		return "", false
	}
	head := t.bits[:n]
	t.bits = t.bits[n:]
	t.consumed += n
	return head, true
}

// draw reads U* of the given kind.
func (t *tape) draw(kind string) (draw, bool) {
	if kind == "binary64" {
		return t.drawBinary64()
	}
	zeros := strings.IndexByte(t.bits, '1')
	if zeros < 0 {
		return draw{}, false
	}
	return t.significand(zeros)
}

// significand reads past the zeros and the first 1, then the 52 bits of m.
func (t *tape) significand(zeros int) (draw, bool) {
	if _, ok := t.take(zeros + 1); !ok {
		return draw{}, false
	}
	m, ok := t.take(52)
	if !ok {
		return draw{}, false
	}
	return draw{m: binary(m), e: uint64(zeros + 1)}, true
}

// drawBinary64 looks for the first 1 among 1022 bits. Without one the next 52
// bits are u in units of 2^-1074, and a zero starts over.
func (t *tape) drawBinary64() (draw, bool) {
	for {
		if zeros := strings.IndexByte(t.bits, '1'); zeros >= 0 && zeros < 1022 {
			return t.significand(zeros)
		}
		if _, ok := t.take(1022); !ok {
			return draw{}, false
		}
		low, ok := t.take(52)
		if !ok {
			return draw{}, false
		}
		if s := strings.TrimLeft(low, "0"); s != "" {
			// 1 s_1 s_2 … in units of 2^-1074: the leading 1 has the weight
			// 2^(len-1-1074), the others are the upper bits of m.
			m := s[1:] + strings.Repeat("0", 53-len(s))
			return draw{m: binary(m), e: uint64(1074 - (len(s) - 1))}, true
		}
	}
}

// binary reads at most 64 characters; take gives no others than 0 and 1.
func binary(s string) uint64 {
	n, _ := strconv.ParseUint(s, 2, 64)
	return n
}
