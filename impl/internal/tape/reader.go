// Package tape reads fair bits in the order of docs/theory.md section 8, most
// significant bit of each byte first, a machine word at a time, and draws the
// uniform number of the snapping mechanism from them.
package tape

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// ErrEnd is returned by a Reader over a fixed tape that has too few bits left.
var ErrEnd = errors.New("tape: out of bits")

// Source supplies further bytes. Fill must fill all of p or return an error.
type Source interface {
	Fill(p []byte) error
}

// Reader hands out bits from a fixed byte slice or, when a Source is set, from a
// buffer that is refilled. Each bit is handed out once; nothing is padded.
type Reader struct {
	acc  uint64 // the next n bits, left-justified, zeros below
	n    int    // 0 <= n <= 64
	data []byte // bytes after those in acc
	buf  []byte // refilled from src, when src is not nil
	src  Source
	used int // bits handed out
}

// NewReader returns a Reader over a fixed tape, which it does not modify.
func NewReader(tape []byte) Reader { return Reader{data: tape} }

// Reset makes r read from src by way of buf, which must not be empty. Bits
// held before are dropped.
func (r *Reader) Reset(src Source, buf []byte) {
	*r = Reader{buf: buf, src: src}
}

// Wipe overwrites the buffer and the bits not yet handed out, and detaches r
// from its source and tape.
func (r *Reader) Wipe() {
	clear(r.buf)
	*r = Reader{}
}

// Used returns how many bits were handed out.
func (r *Reader) Used() int { return r.used }

// fill loads acc, which is empty, with up to 64 bits.
func (r *Reader) fill() error {
	if len(r.data) == 0 {
		if r.src == nil {
			return ErrEnd
		}
		if err := r.src.Fill(r.buf); err != nil {
			return err
		}
		r.data = r.buf
	}
	if len(r.data) >= 8 {
		r.acc, r.n = binary.BigEndian.Uint64(r.data), 64
		r.data = r.data[8:]
		return nil
	}
	r.acc, r.n = 0, 8*len(r.data)
	for i, b := range r.data {
		r.acc |= uint64(b) << (56 - 8*i)
	}
	r.data = nil
	return nil
}

// Take returns the next n <= 64 bits as an unsigned integer, first bit most
// significant. When it fails the Reader is no longer usable.
func (r *Reader) Take(n int) (uint64, error) {
	var v uint64
	for want := n; want > 0; {
		if r.n == 0 {
			if err := r.fill(); err != nil {
				return 0, err
			}
		}
		k := min(want, r.n)
		v = v<<k | r.acc>>(64-k) // for k = 64 the shifts give 0 and acc
		r.drop(k)
		want -= k
	}
	return v, nil
}

// Zeros consumes zero bits up to and including the first 1 bit, and at most
// limit zeros when limit > 0. It returns the number of zeros and whether the 1
// was reached (and consumed).
func (r *Reader) Zeros(limit int64) (zeros int64, one bool, err error) {
	for limit <= 0 || zeros < limit {
		if r.n == 0 {
			if err := r.fill(); err != nil {
				return 0, false, err
			}
		}
		k := min(bits.LeadingZeros64(r.acc), r.n)
		if limit > 0 && int64(k) >= limit-zeros {
			r.drop(int(limit - zeros))
			return limit, false, nil
		}
		zeros += int64(k)
		if k < r.n {
			r.drop(k + 1)
			return zeros, true, nil
		}
		r.drop(k)
	}
	return zeros, false, nil
}

func (r *Reader) drop(k int) {
	r.acc <<= k
	r.n -= k
	r.used += k
}
