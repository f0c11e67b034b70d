package main

import (
	"math"
	"math/big"
)

// For large e the ulp of ln u is so large that neighbouring inputs are a tiny
// part of it apart (2^-52-12 ulp at e = 2^40, say): midpoints are rarer than
// inputs, so it is the midpoints that are walked, and the input nearest to
// each is computed.

// expFixed returns exp(r) for 0 <= r < 1, in fixed point. With r reduced by
// 2^-16, at most 20 truncated terms and 16 truncated squarings, each of which
// doubles the relative error, the error is below 2^(6+16+2) units.
func expFixed(r *big.Int) *big.Int {
	const halvings = 16
	t := new(big.Int).Rsh(r, halvings)
	one := new(big.Int).Lsh(big.NewInt(1), fracBits)
	sum, term := new(big.Int).Set(one), new(big.Int).Set(one)
	d := new(big.Int)
	for j := int64(1); term.Sign() != 0; j++ {
		term.Mul(term, t)
		term.Rsh(term, fracBits)
		term.Quo(term, d.SetInt64(j))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
		sum.Rsh(sum, fracBits)
	}
	return sum
}

// expNeg returns f in [1, 2) and e with exp(-y) = f 2^-e, y > 0 in fixed point.
func (x *exactLn) expNeg(y *big.Int) (f *big.Int, e int64) {
	q, r := new(big.Int).QuoRem(y, x.ln2, new(big.Int))
	r.Sub(x.ln2, r) // in (0, ln 2]
	return expFixed(r), q.Int64() + 1
}

// walk visits steps midpoints, downwards in u, from the first one below
// u = 2^-(e-1), stopping after u = 2^-last; ulp is 2^j, that of ln(2^-e) and
// of every result visited. Errors: the factor is within 2^-294 relative, so
// after 2^23 steps the position is within 2^-270, far below the distances
// found, and these are recomputed anyway.
func (x *exactLn) walk(e, last int64, j int, steps int, c func(e int64) *top) (midpoints int, err error) {
	unit := big.NewInt(1)
	unit.Lsh(unit, uint(fracBits+j))
	y := new(big.Int).Mul(x.ln2, big.NewInt(e-1))
	y.Quo(y, unit)
	y.Mul(y, unit)
	y.Add(y, new(big.Int).Rsh(unit, 1))
	if y.Cmp(new(big.Int).Mul(x.ln2, big.NewInt(e-1))) <= 0 {
		y.Add(y, unit)
	}
	w, we := x.expNeg(y)
	g, ge := x.expNeg(unit)
	half := new(big.Int).Lsh(big.NewInt(1), fracBits-53)
	mask := new(big.Int).Lsh(big.NewInt(1), fracBits-52)
	mask.Sub(mask, big.NewInt(1))
	t, r := new(big.Int), new(big.Int)
	for midpoints < steps && we <= last {
		midpoints++
		// w 2^52 rounded to the nearest integer, and its distance.
		t.Add(w, half)
		r.And(t, mask)
		m := t.Rsh(t, fracBits-52).Uint64()
		d, _ := r.Sub(r, half).Abs(r).Float64()
		// Distance in ulps: d/w 2^-j, d in units of 2^-fracBits.
		approx := math.Log2(d) - fracBits - float64(j)
		tp := c(we)
		if approx-1.01+64 < math.Log2(float64(tp.limit)) && m>>52 == 1 {
			l, err := x.log2Dist(m, 52, -we, Midpoint)
			if err != nil {
				return midpoints, err
			}
			tp.add(entry{pair: true, m: m & (1<<52 - 1), e: we, log2: l})
		}
		w.Mul(w, g)
		w.Rsh(w, fracBits)
		we += ge
		if w.BitLen() > fracBits+1 {
			w.Rsh(w, 1)
			we--
		}
	}
	return midpoints, nil
}

// searchWalks covers the exponents of pairs too large for blocks.
func searchWalks(x *exactLn, c collectors, scale float64) (midpoints int, err error) {
	steps := func(n float64) int { return max(1, int(n*scale)) }
	for _, w := range []struct {
		e, last int64
		j       int
		steps   int
		name    string
	}{
		{1 << 40, 1 << 40, 39 - 52, 1 << 20, "pair-e2^40"},
		{1<<40 + 1, 1 << 41, 39 - 52, steps(1 << 22), "pair-e2^40+1.."},
		{1 << 61, 1<<61 + 4095, 60 - 52, 1 << 20, "pair-e2^61..+4095"},
		{1<<61 + 4096, 1 << 62, 60 - 52, steps(1 << 21), "pair-e2^61+4096.."},
	} {
		tp := c.get(w.name, 16)
		n, err := x.walk(w.e, w.last, w.j, w.steps, func(int64) *top { return tp })
		if err != nil {
			return midpoints, err
		}
		midpoints += n
	}
	return midpoints, nil
}
