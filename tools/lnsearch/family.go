package main

import "math/bits"

// familySize is the number of neighbours of 1 looked at on either side.
const familySize = 1 << 20

// searchFamilies visits 1 - k 2^-53 and 1 + k 2^-52 for k = 1..familySize and
// keeps the hardest and the first few of each. With z = |x-1| the second-order
// term z^2/2 can be an odd number of half-ulps and is otherwise, often, a
// whole number of them, so the third-order term alone, near 2^(2f-54)/3 ulp
// for k near 2^f, decides.
func searchFamilies(x *exactLn, c collectors) error {
	for _, fam := range []struct {
		name string
		keep int
	}{{"family-below-1", 30}, {"family-above-1", 20}} {
		hard, first := c.get(fam.name, fam.keep), c.get(fam.name+"-first", 8)
		for k := uint64(1); k <= familySize; k++ {
			m, e := uint64(1)<<53-k, int64(-1)
			if fam.name == "family-above-1" {
				m, e = uint64(1)<<52+k, 0
			}
			if k > 8 && !promising(k, e) {
				continue
			}
			d, err := x.log2Dist(m, 52, e, Midpoint)
			if err != nil {
				return err
			}
			b, err := joinDouble(m, 52, e)
			if err != nil {
				return err
			}
			en := entry{bits: b, log2: d}
			if k <= 8 {
				first.add(en)
			}
			hard.add(en)
		}
	}
	return nil
}

// promising reports whether the first two terms of ln leave 1 - k 2^-53
// (e = -1) or 1 + k 2^-52 (e = 0) within 2^-4 ulp of a midpoint; the rest,
// below z^3 with z <= 2^-32, is less than 2^-10 ulp.
func promising(k uint64, e int64) bool {
	s := uint(53) // z = k 2^-s
	if e == 0 {
		s = 52
	}
	// y = z +- z^2/2 = (k 2^(s+1) +- k^2) 2^-(2s+1), exactly, in 128 bits.
	hi, lo := k>>(63-s), k<<(s+1)
	var c uint64
	if e < 0 {
		lo, c = bits.Add64(lo, k*k, 0)
		hi += c
	} else {
		lo, c = bits.Sub64(lo, k*k, 0)
		hi -= c
	}
	n := bits.Len64(lo)
	if hi != 0 {
		n = 64 + bits.Len64(hi)
	}
	if n < 60 {
		return true
	}
	shift := n - 53 // ulp in units of lo, at most 2^22
	f := lo & (1<<shift - 1)
	half := uint64(1) << (shift - 1)
	d := max(f, half) - min(f, half)
	return d <= half>>3
}
