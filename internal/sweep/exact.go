package sweep

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Fixed-point numbers are the floors of multiples of 2^-fracBits, at most maxFixed,
// which exceeds every finite loss of a world (maxReach). Sums of four of them with
// the one rounded logarithm are off by less than 5 units: a comparison that is
// decided by margin or more is right, and the others are decided exactly.
const (
	fracBits = 40
	maxFixed = 1 << 61
	margin   = 8
)

// fixed is floor(num/den·2^fracBits), at most maxFixed; den > 0.
func fixed(num, den real.Dyadic) int64 {
	m, e := num.Shift(fracBits).Parts()
	d, g := den.Parts()
	if k := e - g; k >= 0 {
		m.Lsh(m, uint(k))
	} else {
		d.Lsh(d, uint(-k))
	}
	m.Div(m, d) // d > 0: the floor
	if !m.IsInt64() || m.Int64() > maxFixed {
		return maxFixed
	}
	return m.Int64()
}

// lnFixed is ln d as a fixed-point number, off by less than 1 + 2^-20 units.
func lnFixed(d real.Dyadic) (int64, error) {
	x, err := real.Ln(d, 100)
	if err != nil {
		return 0, err
	}
	return x.Lo.Floor(-fracBits).Int64(), nil
}

// exact is everything about one case that its loss and the bounds depend on:
//
//	loss = |ln(p/p2)|, D/lambda = dist/num, kappa = floored·eta/num
//
// where lambda = num/den, dist = D·den and floored = max(B, b lambda)·den for the b
// of some claim. p and p2 are over one denominator, and not both 0.
type exact struct {
	p, p2         oracle.Prob
	dist, floored real.Dyadic
	num, gain     real.Dyadic // gain: A eta num, what a claim allows beside kappa, or 0
}

func (x exact) infinite() bool { return x.p.IsZero() != x.p2.IsZero() }

// lnTimes encloses loss·k to about width bits after the point.
func (x exact) lnTimes(k real.Dyadic, width uint) (real.Interval, error) {
	extra := uint(max(0, k.Top()+1))
	l, _, err := oracle.LossOf(x.p, x.p2, width+extra)
	if err != nil {
		return real.Interval{}, err
	}
	return real.Interval{Lo: l.Lo.Mul(k), Hi: l.Hi.Mul(k)}, nil
}

// signOf is the sign of loss·k - t. Finite losses only. It ends: e^t for a rational
// t != 0 is transcendental, so that the two are equal only if p = p2 and t = 0.
func (x exact) signOf(k, t real.Dyadic) (int, error) {
	if x.p.Cmp(x.p2) == 0 {
		return -t.Sign(), nil
	}
	for width := uint(64); ; width *= 2 {
		l, err := x.lnTimes(k, width)
		if err != nil {
			return 0, err
		}
		switch {
		case l.Lo.Cmp(t) > 0:
			return 1, nil
		case l.Hi.Cmp(t) < 0:
			return -1, nil
		}
	}
}

// exceeds reports loss > D/lambda + slack/num.
func (x exact) exceeds(slack real.Dyadic) (bool, error) {
	if x.infinite() {
		return true, nil
	}
	s, err := x.signOf(x.num, x.dist.Add(slack))
	return s > 0, err
}

// compareOver compares loss - bound of two cases, slack and slack2 as in exceeds.
func compareOver(x, y exact, slack, slack2 real.Dyadic) (int, error) {
	// ln r/r2 = t/num - t2/num2, multiplied by num·num2; equal just when r = r2
	// and both sides are 0.
	t, t2 := x.dist.Add(slack), y.dist.Add(slack2)
	if x.samePair(y) && t.Equal(t2) && x.num.Equal(y.num) {
		return 0, nil
	}
	k := x.num.Mul(y.num)
	right := t.Mul(y.num).Sub(t2.Mul(x.num))
	if right.IsZero() && sameRatio(x, y) {
		return 0, nil
	}
	return compareLogs(x, y, k, k, right)
}

// compareRatio compares (loss - D/lambda - gain/num)/kappa of two cases.
func compareRatio(x, y exact) (int, error) {
	if x.samePair(y) && x.dist.Equal(y.dist) && x.floored.Equal(y.floored) && x.num.Equal(y.num) && x.gain.Equal(y.gain) {
		return 0, nil
	}
	// (num ln r - dist - gain)/floored = the same of y, crosswise.
	k, k2 := x.num.Mul(y.floored), y.num.Mul(x.floored)
	right := x.dist.Add(x.gain).Mul(y.floored).Sub(y.dist.Add(y.gain).Mul(x.floored))
	if right.IsZero() && samePower(x, y, k, k2) {
		return 0, nil
	}
	return compareLogs(x, y, k, k2, right)
}

// compareLogs is the sign of k ln r - k2 ln r2 - right, which must not be 0.
func compareLogs(x, y exact, k, k2, right real.Dyadic) (int, error) {
	for width := uint(64); ; width *= 2 {
		l, err := x.lnTimes(k, width)
		if err != nil {
			return 0, err
		}
		l2, err := y.lnTimes(k2, width)
		if err != nil {
			return 0, err
		}
		switch {
		case l.Lo.Sub(l2.Hi).Cmp(right) > 0:
			return 1, nil
		case l.Hi.Sub(l2.Lo).Cmp(right) < 0:
			return -1, nil
		}
	}
}

// samePair is a cheap sufficient test for the same loss.
func (x exact) samePair(y exact) bool {
	same := func(a, b oracle.Prob) bool { return a.Num.Equal(b.Num) && a.Den.Equal(b.Den) }
	return same(x.p, y.p) && same(x.p2, y.p2) || same(x.p, y.p2) && same(x.p2, y.p)
}

// ratio is the greater of p and p2 over the lesser, at least 1, in lowest terms.
func (x exact) ratio() *big.Rat {
	m, e := real.Max(x.p.Num, x.p2.Num).Parts()
	n, g := real.Min(x.p.Num, x.p2.Num).Parts()
	if e >= g {
		m.Lsh(m, uint(e-g))
	} else {
		n.Lsh(n, uint(g-e))
	}
	return new(big.Rat).SetFrac(m, n)
}

func sameRatio(x, y exact) bool { return x.ratio().Cmp(y.ratio()) == 0 }

// samePower reports whether r^k = r2^k2 for positive k and k2, of which only the
// proportion counts. With k/k2 = m/n in lowest terms r^m = r2^n makes r an n-th and
// r2 an m-th power, so that neither exponent exceeds the bits of the other number.
func samePower(x, y exact, k, k2 real.Dyadic) bool {
	r, r2 := x.ratio(), y.ratio()
	if one := big.NewRat(1, 1); r.Cmp(one) == 0 || r2.Cmp(one) == 0 {
		return r.Cmp(r2) == 0
	}
	q, g := k.Parts()
	q2, g2 := k2.Parts()
	if g >= g2 {
		q.Lsh(q, uint(g-g2))
	} else {
		q2.Lsh(q2, uint(g2-g))
	}
	f := new(big.Rat).SetFrac(q, q2)
	m, n := f.Num(), f.Denom()
	if m.Cmp(big.NewInt(int64(r2.Num().BitLen()))) > 0 || n.Cmp(big.NewInt(int64(r.Num().BitLen()))) > 0 {
		return false
	}
	prime := big.NewInt(1<<61 - 1) // a remainder that differs settles it cheaply
	same := func(a, b, mod *big.Int) bool {
		return new(big.Int).Exp(a, m, mod).Cmp(new(big.Int).Exp(b, n, mod)) == 0
	}
	return same(r.Num(), r2.Num(), prime) && same(r.Denom(), r2.Denom(), prime) &&
		same(r.Num(), r2.Num(), nil) && same(r.Denom(), r2.Denom(), nil)
}
