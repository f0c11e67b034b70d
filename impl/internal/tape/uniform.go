package tape

import (
	"math/bits"

	"github.com/dp-crosscheck/crosscheck/impl/internal/layout"
)

// Unbounded draws U* with no lower end (docs/theory.md 2.1): e >= 1 is the
// position of the first 1 bit and m the next 52 bits; u = (1 + m 2^-52) 2^-e.
// It takes e + 52 bits.
func Unbounded(r *Reader) (m uint64, e int64, err error) {
	zeros, _, err := r.Zeros(0)
	if err != nil {
		return 0, 0, err
	}
	if m, err = r.Take(layout.FracBits); err != nil {
		return 0, 0, err
	}
	return m, zeros + 1, nil
}

// Binary64 draws U* as published (Mironov 2012, section 5.2), over the positive
// doubles below 1: as Unbounded while the first 1 is among the first 1022 bits,
// otherwise u = k 2^-1074 with k the next 52 bits, and k = 0 draws again. The
// subnormal u is returned as its normalised pair, e from 1023 to 1074.
func Binary64(r *Reader) (m uint64, e int64, err error) {
	for {
		zeros, one, err := r.Zeros(1022)
		if err != nil {
			return 0, 0, err
		}
		k, err := r.Take(layout.FracBits)
		if err != nil {
			return 0, 0, err
		}
		if one {
			return k, zeros + 1, nil
		}
		if k != 0 {
			n := bits.Len64(k) // k 2^-1074 = (k 2^(1-n)) 2^(n-1075)
			return k << (layout.FracBits + 1 - n) & layout.FracMask, int64(1075 - n), nil
		}
	}
}

// Sign draws the sign of the mechanism: one bit, and 1 means s = -1.
func Sign(r *Reader) (minus bool, err error) {
	b, err := r.Take(1)
	return b != 0, err
}
