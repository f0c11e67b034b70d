package main

import "math"

// two64 converts between reals and 64-bit fractions.
const two64 = 1 << 64

// basis is a reduced basis (p1,d1), (p2,d2) of the plane lattice
// {(i, b i + n) : i, n integers}, second coordinates in units of 2^-64, with
// p1 d2 - p2 d1 = +1 (that is, 2^64 units).
type basis struct {
	p1, p2 int64
	d1, d2 int64
}

// det returns p1 d2 - p2 d1 in lattice units, approximately.
func (v *basis) det() float64 {
	return (float64(v.p1)*float64(v.d2) - float64(v.p2)*float64(v.d1)) / two64
}

// reduce makes v a basis for slope b, short in the norm (p/h)^2 + (d/q)^2. If
// v already holds a basis for a neighbouring slope, its integer coefficients
// are the starting point, which saves most of the Gauss steps. It reports
// false when b is so close to an integer that (0,1) belongs to the reduced
// basis, which 64 bits cannot hold.
func (v *basis) reduce(b uint64, h, q float64) bool {
	v.d1 = int64(uint64(v.p1) * b)
	v.d2 = int64(uint64(v.p2) * b)
	if d := math.Abs(v.det()); !(math.Abs(d-1) < 1e-6) {
		// Start afresh from (1,b), (0,1); the first step, written out, brings
		// the 1 = 2^64 into range.
		f := float64(int64(b))
		n := math.RoundToEven(two64 * f / q / q / (1/h/h + f/q*f/q) / two64 * two64)
		if n == 0 || math.Abs(n) > 1<<40 {
			*v = basis{}
			return false
		}
		*v = basis{p1: 1, d1: int64(b), p2: int64(-n), d2: int64(uint64(int64(-n)) * b)}
	}
	ih, iq := 1/h, 1/q
	for range 200 {
		x1, y1 := float64(v.p1)*ih, float64(v.d1)*iq
		x2, y2 := float64(v.p2)*ih, float64(v.d2)*iq
		n1, n2 := x1*x1+y1*y1, x2*x2+y2*y2
		if n1 > n2 {
			v.p1, v.p2, v.d1, v.d2 = v.p2, v.p1, v.d2, v.d1
			n1 = n2
		}
		mu := math.RoundToEven((x1*x2 + y1*y2) / n1)
		if mu == 0 {
			break
		}
		k := int64(mu)
		v.p2 -= k * v.p1
		v.d2 -= k * v.d1
	}
	d := v.det()
	if d < 0 {
		v.p2, v.d2, d = -v.p2, -v.d2, -d
	}
	if !(math.Abs(d-1) < 1e-6) {
		*v = basis{}
		return false
	}
	return true
}

// box describes the search for lattice points (i, y) with |i| <= h and
// |y - y0| <= q, for many y0 and one basis. Writing the point minus (0, y0) as
// da v1 + db v2, the unit determinant gives
//
//	da = p2 y0 mod 1,  |da| <= |p2| q + |d2| h,
//	db = -p1 y0 mod 1, |db| <= |p1| q + |d1| h,
//
// so both are had by one wrapping multiplication each and most y0 are
// rejected by a comparison of each.
type box struct {
	v      basis
	h, q   float64 // half-width; half-height in units of 2^-64
	ra, rb float64 // bounds on |da|, |db|, in units of 2^-64
}

func newBox(v basis, h, q float64) box {
	// The factor covers the rounding errors of these few float operations.
	const up = 1 + 1e-9
	return box{v: v, h: h * up, q: q * up,
		ra: (math.Abs(float64(v.p2))*q + math.Abs(float64(v.d2))*h) * up,
		rb: (math.Abs(float64(v.p1))*q + math.Abs(float64(v.d1))*h) * up}
}

// window turns a bound |d| <= r into d + lo <= width, in wrapping arithmetic.
func window(r float64) (lo, width uint64) {
	if r >= 1<<63-1<<11 {
		return 0, math.MaxUint64
	}
	lo = uint64(r) + 1
	return lo, 2 * lo
}

// sift writes to dst the indices j of those y0 = base - adds[j] which both
// bounds let pass, and returns their number; dst must be as long as adds. It
// is free of branches, for most indices fail and which ones is unpredictable.
func (s *box) sift(dst []int32, base uint64, adds []uint64) int {
	la, wa := window(s.ra)
	lb, wb := window(s.rb)
	pa, pb := uint64(s.v.p2), -uint64(s.v.p1)
	n := 0
	dst = dst[:len(adds)]
	for j, add := range adds {
		y0 := base - add
		dst[n] = int32(j)
		pass := 0
		if pa*y0+la <= wa {
			pass = 1
		}
		also := 0
		if pb*y0+lb <= wb {
			also = 1
		}
		n += pass & also
	}
	return n
}

// find appends to dst the i of every point of the box around y0.
func (s *box) find(dst []int64, y0 uint64) []int64 {
	const inv = 1.0 / two64
	da0 := float64(int64(uint64(s.v.p2) * y0))
	db0 := float64(int64(-uint64(s.v.p1) * y0))
	p1, p2 := float64(s.v.p1)*inv, float64(s.v.p2)*inv
	d1, d2 := float64(s.v.d1)*inv, float64(s.v.d2)*inv
	for db := first(db0, s.rb); db <= s.rb; db += two64 {
		for da := first(da0, s.ra); da <= s.ra; da += two64 {
			i := p1*da + p2*db
			if math.Abs(i) <= s.h+0.5 && math.Abs(d1*da+d2*db) <= s.q {
				dst = append(dst, int64(math.RoundToEven(i)))
			}
		}
	}
	return dst
}

// first returns the least number >= -r that differs from d by an integer,
// |d| <= 1/2, in units of 2^-64.
func first(d, r float64) float64 {
	if r < 1<<63 {
		if d < -r {
			d += two64
		}
		return d
	}
	return d + math.Ceil((-r-d)/two64)*two64
}
