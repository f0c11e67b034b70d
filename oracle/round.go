package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Round returns fl(d): the number of the format nearest to d, ties to even, with
// gradual underflow; a d that rounds to 0 keeps its sign, one that rounds beyond
// the largest finite number gives an infinity. 0 gives +0.
func Round(f spec.Format, d real.Dyadic) spec.Value {
	if d.IsZero() {
		return spec.Zero(false)
	}
	neg := d.Sign() < 0
	d = d.Abs()
	// The grid around d has spacing 2^q. d = (n + rest)·2^q with 0 <= rest < 1.
	q := f.UlpExponent(d)
	n := d.Floor(q)
	rest := d.Sub(real.NewDyadic(n, q))
	if c := rest.Cmp(real.Pow2(q - 1)); c > 0 || c == 0 && n.Bit(0) == 1 {
		n.Add(n, big.NewInt(1)) // may reach the next power of two, which is on the grid
	}
	return finish(f, neg, real.NewDyadic(n, q))
}

// finish gives a magnitude on the grid its sign, and overflow to infinity. With
// an unbounded exponent range the largest number that does not round to 2^(emax+1)
// is below it, so comparing the rounded magnitude is IEEE 754's rule.
func finish(f spec.Format, neg bool, d real.Dyadic) spec.Value {
	switch {
	case d.IsZero():
		return spec.Zero(neg)
	case d.Top() > f.EMax:
		return spec.Inf(neg)
	case neg:
		d = d.Neg()
	}
	return spec.FromDyadic(d)
}

// Direction of a directed rounding.
type Direction int

const (
	Down Direction = -1 // toward -inf
	Up   Direction = +1 // toward +inf
)

// RoundRat returns the rational r rounded in the given direction: the greatest
// datum <= r, or the least datum >= r. Infinities are data here; a positive r
// below the smallest positive number rounds down to +0.
func RoundRat(f spec.Format, r *big.Rat, dir Direction) spec.Value {
	if r.Sign() == 0 {
		return spec.Zero(false)
	}
	if r.Sign() < 0 {
		return RoundRat(f, new(big.Rat).Neg(r), -dir).Neg()
	}
	num, den := r.Num(), r.Denom()
	// floor(log2 r) is e or e-1.
	e := int64(num.BitLen() - den.BitLen())
	if cmpScaled(num, den, e) < 0 {
		e--
	}
	q := max(e-int64(f.Precision)+1, f.Quantum())
	a, b := scale(num, -q), scale(den, q) // r/2^q = a/b
	n, rest := new(big.Int).QuoRem(a, b, new(big.Int))
	if dir == Up && rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	d := real.NewDyadic(n, q)
	if dir == Down && !d.IsZero() && d.Top() > f.EMax {
		return spec.FromDyadic(f.MaxFinite())
	}
	return finish(f, false, d)
}

// cmpScaled compares num/den with 2^e.
func cmpScaled(num, den *big.Int, e int64) int { return scale(num, -e).Cmp(scale(den, e)) }

// scale returns n·2^k for k > 0 and n for k <= 0.
func scale(n *big.Int, k int64) *big.Int {
	if k <= 0 {
		return n
	}
	return new(big.Int).Lsh(n, uint(k))
}

// refine asks enclose for ever narrower intervals, at relative precision p + 16,
// twice that and so on, until both ends round to the same datum: then the
// enclosed number does too, rounding being monotone.
func refine(f spec.Format, enclose func(prec uint) (real.Interval, error)) (spec.Value, error) {
	for prec := f.Precision + 16; ; prec *= 2 {
		x, err := enclose(prec)
		if err != nil {
			return spec.Value{}, err
		}
		if lo := Round(f, x.Lo); lo.Same(Round(f, x.Hi)) {
			return lo, nil
		}
	}
}
