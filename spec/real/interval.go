package real

import "math/big"

// Error is an error of this package; a constant, so that no one can change it.
type Error string

func (e Error) Error() string { return string(e) }

// MaxPrec bounds a precision in bits. Interval operations asked for more keep
// MaxPrec bits, Exp and Ln refuse: nothing computed from a precision wraps around.
const MaxPrec = 1 << 28

// ErrPrec is returned by Exp and Ln for a precision above MaxPrec.
const ErrPrec Error = "real: the precision exceeds 2^28 bits"

// Interval is the closed set of reals [Lo, Hi], Lo <= Hi, that is known to
// contain some number. Operations return an interval that contains every result
// of the operation on members of the operands; prec bounds the bits kept in each
// end, rounded outward.
type Interval struct{ Lo, Hi Dyadic }

// ErrDivideByZero is returned by Quo when the divisor contains 0.
const ErrDivideByZero Error = "real: the divisor's interval contains 0"

// Point returns [a, a].
func Point(a Dyadic) Interval { return Interval{a, a} }

// IsPoint reports Lo = Hi.
func (x Interval) IsPoint() bool { return x.Lo.Equal(x.Hi) }

// Contains reports Lo <= a <= Hi.
func (x Interval) Contains(a Dyadic) bool { return x.Lo.Cmp(a) <= 0 && a.Cmp(x.Hi) <= 0 }

// Within reports whether x lies inside y.
func (x Interval) Within(y Interval) bool { return y.Lo.Cmp(x.Lo) <= 0 && x.Hi.Cmp(y.Hi) <= 0 }

// Width returns Hi - Lo exactly.
func (x Interval) Width() Dyadic { return x.Hi.Sub(x.Lo) }

// Neg returns -x.
func (x Interval) Neg() Interval { return Interval{x.Hi.Neg(), x.Lo.Neg()} }

// Shift returns x·2^k.
func (x Interval) Shift(k int64) Interval { return Interval{x.Lo.Shift(k), x.Hi.Shift(k)} }

// Outward rounds the ends outward to prec bits.
func (x Interval) Outward(prec uint) Interval {
	return Interval{x.Lo.Truncated(prec, false), x.Hi.Truncated(prec, true)}
}

// Add returns an enclosure of x + y.
func (x Interval) Add(y Interval, prec uint) Interval {
	return Interval{addDir(x.Lo, y.Lo, prec, false), addDir(x.Hi, y.Hi, prec, true)}
}

// Sub returns an enclosure of x - y.
func (x Interval) Sub(y Interval, prec uint) Interval { return x.Add(y.Neg(), prec) }

// addDir returns a + b rounded down (up false) or up to prec bits. When the
// smaller number lies wholly below the bits that matter it is replaced by one
// of the same sign that still does, so that huge exponent gaps are not expanded.
func addDir(a, b Dyadic, prec uint, up bool) Dyadic {
	prec = min(prec, MaxPrec)
	if a.IsZero() || b.IsZero() {
		return a.Add(b).Truncated(prec, up)
	}
	if a.Top() < b.Top() {
		a, b = b, a
	}
	// Both a's last bit and the last bit kept lie above floor+1; |b| < 2^floor.
	floor := min(a.Low(), a.Top()-int64(prec)) - 2
	if b.Top() < floor {
		b = FromInt64(int64(b.Sign())).Shift(floor)
	}
	return a.Add(b).Truncated(prec, up)
}

// Mul returns an enclosure of x·y: the least and greatest of the four products.
func (x Interval) Mul(y Interval, prec uint) Interval {
	p := [4]Dyadic{x.Lo.Mul(y.Lo), x.Lo.Mul(y.Hi), x.Hi.Mul(y.Lo), x.Hi.Mul(y.Hi)}
	r := Interval{p[0], p[0]}
	for _, q := range p[1:] {
		r = Interval{Min(r.Lo, q), Max(r.Hi, q)}
	}
	return r.Outward(min(prec, MaxPrec))
}

// Quo returns an enclosure of x / y; y must not contain 0. Its ends may keep more
// than prec bits; see quoDir.
func (x Interval) Quo(y Interval, prec uint) (Interval, error) {
	if y.Lo.Sign() <= 0 && y.Hi.Sign() >= 0 {
		return Interval{}, ErrDivideByZero
	}
	var r Interval
	for i, q := range [4][2]Dyadic{{x.Lo, y.Lo}, {x.Lo, y.Hi}, {x.Hi, y.Lo}, {x.Hi, y.Hi}} {
		lo, hi := quoDir(q[0], q[1], prec, false), quoDir(q[0], q[1], prec, true)
		if i == 0 {
			r = Interval{lo, hi}
		} else {
			r = Interval{Min(r.Lo, lo), Max(r.Hi, hi)}
		}
	}
	return r, nil
}

// quoDir returns a/b rounded down or up to prec+1 or prec+2 bits, or to more when
// the significand of a is longer than that of b by more than prec bits.
func quoDir(a, b Dyadic, prec uint, up bool) Dyadic {
	prec = min(prec, MaxPrec)
	if a.IsZero() {
		return a
	}
	am, ae := a.Parts()
	bm, be := b.Parts()
	if bm.Sign() < 0 {
		am.Neg(am)
		bm.Neg(bm)
	}
	// Scale so that the integer quotient has at least prec bits.
	s := int(prec) + bm.BitLen() - am.BitLen() + 1
	if s > 0 {
		am.Lsh(am, uint(s))
	} else {
		s = 0
	}
	q, r := new(big.Int).DivMod(am, bm, new(big.Int)) // b > 0: rounds toward -inf
	if up && r.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return norm(q, addExp(addExp(ae, -be), -int64(s)))
}
