package main

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
)

// anchorEvery is the number of runs between two exact logarithms; in between
// the logarithm of the run's centre is stepped in 128-bit fixed point.
const anchorEvery = 256

// offset is one exponent and target searched along a block: all of them share
// slope and curvature and differ by a constant modulo 1 ulp.
type offset struct {
	e      int64
	target Target
	pair   bool
	add    uint64 // fraction of e ln2/ulp, minus 1/2 for a midpoint
	top    *top
}

// block is a stretch of runs of 2h consecutive significands m (of w+1 bits),
// all of whose results have ulp 2^(k-52).
type block struct {
	w     uint
	k     int
	start uint64
	runs  int
	h     int64
}

// last returns the first significand after the block.
func (b *block) last() uint64 { return b.start + uint64(b.runs)*uint64(2*b.h) }

// halfRun returns the run half-length for significands near m: the linear
// model leaves a band of half-height c h^2/2 with c = 2^(52-k)/(2 m^2), and a
// box of area 4 h (c h^2/2) = fill contains about fill lattice points.
func halfRun(m uint64, k int, fill float64) int64 {
	h := math.Cbrt(fill * float64(m) * float64(m) * math.Exp2(float64(k-52)))
	// z = h/m must stay small for the two-term step of ln (see step).
	return int64(math.Max(8, math.Min(h, float64(m)*0x1p-25)))
}

// slack bounds, in ulps, all that the model of a block leaves out.
func (b *block) slack() float64 {
	s := float64(52 - b.k)
	m, h := float64(b.start), float64(b.h)
	z := h / m
	return math.Exp2(s)*anchorEvery*(0x1p-126+z*z*z*z*z) + // stepping ln
		h*0x1p-64 + // slope cut to 64 bits
		math.Exp2(s)*1.1*z*z*z/3 + // cubic term
		0x1p-56 // cut to 64 bits, float64 quadratic term
}

// mul2k returns v 2^s modulo 1 as a 64-bit fraction, v a fixed-point number.
func mul2k(v *big.Int, s int) uint64 {
	t := new(big.Int).Rsh(v, uint(fracBits-64-s)) // floor, also for v < 0
	return t.And(t, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
}

// addOf returns the constant of an offset for results of ulp 2^(k-52).
func addOf(x *exactLn, e int64, k int, t Target) uint64 {
	a := mul2k(new(big.Int).Mul(x.ln2, big.NewInt(e)), 52-k)
	if t == Midpoint {
		a -= 1 << 63
	}
	return a
}

// slopeOf returns 2^s/m modulo 1 as a 64-bit fraction, 0 <= s <= 74, m < 2^53.
func slopeOf(m uint64, s int) uint64 {
	r := uint64(1)
	for s > 0 {
		n := min(s, 10)
		r = r << n % m
		s -= n
	}
	q, _ := bits.Div64(r, 0, m)
	return q
}

// ln128 is ln(m/2^w) as a 128-bit fraction.
type ln128 struct{ hi, lo uint64 }

func anchor(x *exactLn, m uint64, w uint) ln128 {
	v := x.lnSig(m, w)
	return ln128{mul2k(v, 0), mul2k(v, 64)}
}

// step adds ln((m+n)/m) = 2 atanh z, z = n/(2m+n): 2z from two divisions,
// 2z^3/3 in float64, the rest (below z^5) dropped. The error is below
// 2^-126 + z^5, z <= 2^-25.
func (l *ln128) step(m, n uint64) {
	d := 2*m + n
	q1, r := bits.Div64(n, 0, d)
	q2, _ := bits.Div64(r, 0, d)
	z := float64(n) / float64(d)
	cub := uint64(z * z * z * (2.0 / 3) * 0x1p128)
	lo, c := bits.Add64(q2<<1, cub, 0)
	hi := q1<<1 | q2>>63
	hi += c
	l.lo, c = bits.Add64(l.lo, lo, 0)
	l.hi, _ = bits.Add64(l.hi, hi, c)
}

// shl returns the value times 2^s modulo 1, as a 64-bit fraction.
func (l ln128) shl(s int) uint64 {
	if s >= 64 {
		return l.lo << (s - 64)
	}
	return l.hi<<s | l.lo>>(64-s)
}

// search calls found for every significand of the block and every offset
// whose distance is at most theta ulps, and for a few slightly further away
// (up to theta plus twice the slack). The limit of an offset's collector, if
// lower, replaces theta.
func (b *block) search(x *exactLn, offs []offset, theta float64, found func(m uint64, o *offset)) error {
	s := 52 - b.k
	switch {
	case s < 0 || s > 72:
		return errors.New("block: result exponent out of range")
	case b.start>>b.w != 1 || (b.last()-1)>>b.w != 1:
		return errors.New("block: significands out of range")
	case float64(b.h)/float64(b.start) > 0x1p-24:
		return errors.New("block: runs too long")
	}
	var (
		h     = float64(b.h)
		n     = uint64(2 * b.h)
		slack = b.slack()
		near  = uint64((theta + slack) * two64)
		slk   = uint64(slack*two64) + 1
		v     basis
		l     ln128
		is    []int64
		adds  = make([]uint64, len(offs))
		pass  = make([]int32, len(offs))
	)
	for j := range offs {
		adds[j] = offs[j].add
	}
	for r := range b.runs {
		m0 := b.start + uint64(b.h) + uint64(r)*n
		if r%anchorEvery == 0 {
			l = anchor(x, m0, b.w)
		} else {
			l.step(m0-n, n)
		}
		fm := float64(m0)
		slope := slopeOf(m0, s)
		curv := math.Ldexp(0.5/(fm*fm), s+64) // units of 2^-64
		mid := curv * h * h / 2
		q := mid + (theta+slack)*two64
		// b i must be within q of -(a + add) + mid.
		base := uint64(mid) - l.shl(s)
		ok := v.reduce(slope, h, q)
		var bx box
		cnt := len(offs)
		if ok {
			bx = newBox(v, h, q)
			cnt = bx.sift(pass, base, adds)
		} else {
			for j := range pass {
				pass[j] = int32(j)
			}
		}
		for _, j := range pass[:cnt] {
			o := &offs[j]
			y0 := base - o.add
			if ok {
				is = bx.find(is[:0], y0)
			} else {
				is = scan(is[:0], slope, y0, b.h, q)
			}
			for _, i := range is {
				if i < -b.h || i >= b.h {
					continue
				}
				fi := float64(i)
				d := int64(slope*uint64(i) - y0 + uint64(mid) - uint64(curv*fi*fi))
				if d < 0 {
					d = -d
				}
				if uint64(d) <= near && uint64(d) <= o.top.limit+slk {
					found(m0+uint64(i), o)
				}
			}
		}
	}
	return nil
}

// scan is find by visiting every i, for the rare slope without a 64-bit basis.
func scan(dst []int64, slope, y0 uint64, h int64, q float64) []int64 {
	lim := int64(math.Min(q, 1<<62)) + 1
	for i := -h; i < h; i++ {
		if d := int64(slope*uint64(i) - y0); d <= lim && d >= -lim {
			dst = append(dst, i)
		}
	}
	return dst
}
