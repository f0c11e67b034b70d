package mutants

import (
	"math"
	"math/big"
	"sort"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Reworded are right voters made by other means than the implementation.
var Reworded = []wire.Voter{
	reword("reworded in rationals", func(g *stages) {
		g.ln = func(x float64) float64 { return lnByMidpoints(exactly(x), guessLn(x)) }
		g.lnPair = func(m uint64, e int64) float64 { return lnByMidpoints(drawn(draw{m, e}), guessPair(m, e)) }
		g.ceil, g.ceilOf = ceilByLength, ceilOfByLength
		g.round = roundRational
		g.clampIn, g.clampOut = middle, middle
		g.draw = drawInteger
		g.calibrate = searchCalibration
	}),
	reword("reworded with floor", func(g *stages) {
		g.ln = func(x float64) float64 { return lnByExp(exactly(x), guessLn(x)) }
		g.lnPair = func(m uint64, e int64) float64 { return lnByExp(drawn(draw{m, e}), guessPair(m, e)) }
		g.ceil, g.ceilOf = ceilByFrexp, ceilOfByFrexp
		g.round = roundFloor
		g.clampIn = func(x, lo, hi float64) float64 { return math.Min(hi, math.Max(lo, x)) + 0 }
		g.clampOut = func(x, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, x)) + 0 }
		g.signed = func(y float64, s int) float64 {
			if s < 0 {
				return -y
			}
			return y
		}
	}),
	reword("reworded with remainder", func(g *stages) {
		g.ceil, g.ceilOf = ceilBySearch, ceilOfBySearch
		g.round = roundRemainder
		g.clampOut = middle
		g.add = func(_ derand.SnapParams, t derand.Trace, _ int) float64 { return t.X - (-t.Z) }
	}),
}

func reword(name string, change func(*stages)) wire.Voter {
	g := right()
	change(g)
	return ops.NewVoter(name, g.funcs())
}

// The logarithm.

func exactly(x float64) real.Dyadic {
	frac, exp := math.Frexp(x)
	return real.NewDyadic(big.NewInt(int64(math.Ldexp(frac, 53))), int64(exp)-53)
}

func drawn(u draw) real.Dyadic { return real.FromUint64(1<<52|u.m, -52-u.e) }

// guess is ln of frac 2^exp, 1/2 <= frac < 1, within a few ulps. math.Log alone
// is far off for subnormals on some machines.
func guess(frac float64, exp int64) float64 {
	if exp == 0 || exp == 1 {
		return math.Log(math.Ldexp(frac, int(exp)))
	}
	return float64(float64(exp)*math.Ln2) + math.Log(frac)
}

func guessLn(x float64) float64 {
	frac, exp := math.Frexp(x)
	return guess(frac, int64(exp))
}

func guessPair(m uint64, e int64) float64 { return guess(0.5+float64(m)*0x1p-53, 1-e) }

// walk moves y to the double nearest to a number t; above reports t > a.
func walk(y float64, above func(a real.Dyadic) bool) float64 {
	half := func(a, b float64) real.Dyadic { return exactly(a).Add(exactly(b)).Shift(-1) }
	for {
		up, down := math.Nextafter(y, math.Inf(1)), math.Nextafter(y, math.Inf(-1))
		switch {
		case above(half(y, up)):
			y = up
		case !above(half(y, down)):
			y = down
		default:
			return y
		}
	}
}

// lnByMidpoints compares enclosures of ln x with the midpoints around y.
func lnByMidpoints(x real.Dyadic, y float64) float64 {
	if x.Equal(real.One()) {
		return 0
	}
	return walk(y, func(a real.Dyadic) bool {
		for prec := uint(70); ; prec += 64 {
			l, err := real.Ln(x, prec)
			if err != nil || l.Hi.Cmp(a) < 0 {
				return false
			}
			if l.Lo.Cmp(a) > 0 {
				return true
			}
		}
	})
}

// lnByExp compares x with exp of the midpoints.
func lnByExp(x real.Dyadic, y float64) float64 {
	if x.Equal(real.One()) || y < -0x1p60 { // beyond the range of real.Exp
		return lnByMidpoints(x, y)
	}
	return walk(y, func(a real.Dyadic) bool {
		for prec := uint(130); ; prec *= 2 {
			e, err := real.Exp(a, prec)
			if err != nil || e.Lo.Cmp(x) > 0 {
				return false
			}
			if e.Hi.Cmp(x) < 0 {
				return true
			}
		}
	})
}

// Lambda.

func positive(x float64) error {
	if x > 0 && !math.IsInf(x, 0) {
		return nil
	}
	return &impl.DomainError{Argument: "x"}
}

func finite(p float64) (float64, error) {
	if math.IsInf(p, 0) {
		return 0, &impl.OverflowError{Quantity: "unit"}
	}
	return p, nil
}

// ceilByLength: with x = n 2^-1074, 2^bitlen(n-1) is the power of two.
func ceilByLength(x float64) (float64, error) {
	if err := positive(x); err != nil {
		return 0, err
	}
	n := integerOf(x)
	return finite(math.Ldexp(1, n.Sub(n, big.NewInt(1)).BitLen()-1074))
}

// ceilOfByLength: n has bitlen(n) - 1 - 1074 as exponent, whose negative is it.
func ceilOfByLength(x float64) (float64, error) {
	if err := positive(x); err != nil {
		return 0, err
	}
	return finite(math.Ldexp(1, 1075-integerOf(x).BitLen()))
}

// integerOf is x 2^1074.
func integerOf(x float64) *big.Int {
	r := exact(x)
	n := new(big.Int).Lsh(r.Num(), 1074)
	return n.Quo(n, r.Denom())
}

func ceilByFrexp(x float64) (float64, error) {
	if err := positive(x); err != nil {
		return 0, err
	}
	frac, exp := math.Frexp(x)
	if frac == 0.5 {
		exp--
	}
	return finite(math.Ldexp(1, exp))
}

func ceilOfByFrexp(x float64) (float64, error) {
	if err := positive(x); err != nil {
		return 0, err
	}
	_, exp := math.Frexp(x)
	return finite(math.Ldexp(1, 1-exp))
}

// ceilBySearch doubles and halves, which is exact, until the power is right.
func ceilBySearch(x float64) (float64, error) {
	return search(x, func(p float64) bool { return p >= x })
}

// ceilOfBySearch decides p x >= 1 by the sign of a fused p x - 1.
func ceilOfBySearch(x float64) (float64, error) {
	return search(x, func(p float64) bool { return math.FMA(p, x, -1) >= 0 })
}

func search(x float64, serves func(float64) bool) (float64, error) {
	if err := positive(x); err != nil {
		return 0, err
	}
	p := 1.0
	for !serves(p) {
		p *= 2
	}
	for !math.IsInf(p, 0) && p/2 > 0 && serves(p/2) {
		p /= 2
	}
	return finite(p)
}

// Rounding.

// roundRational is floor(x/unit + 1/2) in exact rationals; ties down is its mirror.
func roundRational(x, unit float64, t derand.Ties) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	if t == derand.TiesDown {
		return -roundRational(-x, unit, derand.TiesUp)
	}
	q := exact(x)
	q.Quo(q, exact(unit))
	q.Add(q, big.NewRat(1, 2))
	n := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean: the floor, as the denominator is positive
	y, _ := new(big.Rat).Mul(new(big.Rat).SetInt(n), exact(unit)).Float64()
	return y
}

// roundFloor scales exactly, takes the floor, and looks at what is left, which
// is exact: both are multiples of the ulp of the quotient, less than 1 apart.
func roundFloor(x, unit float64, t derand.Ties) float64 {
	_, k := math.Frexp(unit)
	_, e := math.Frexp(x)
	switch {
	case math.IsInf(x, 0) || x == 0 || e-k >= 53:
		return x
	case e-k < -1: // |x| < unit/4, and the quotient might underflow
		return 0
	}
	q := math.Ldexp(x, 1-k)
	n := math.Floor(q)
	if left := q - n; left > 0.5 || left == 0.5 && t == derand.TiesUp {
		n++
	}
	return math.Ldexp(n, k-1)
}

// roundRemainder corrects the ties of the exact IEEE remainder.
func roundRemainder(x, unit float64, t derand.Ties) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	rest := math.Remainder(x, unit)
	if rest != 0 && math.Abs(rest) == unit/2 {
		if t == derand.TiesUp {
			return x + unit/2
		}
		return x - unit/2
	}
	return x - rest
}

// Clamping.

// middle is the median of three.
func middle(x, lo, hi float64) float64 {
	three := []float64{x, lo, hi}
	sort.Float64s(three)
	return plusZero(three[1])
}

// The draw.

// drawInteger reads the tape as one integer: the bits not yet used, whose length
// gives the zeros.
func drawInteger(t *tape, kind derand.Kind) (u draw, again bool, err error) {
	size := 8 * len(t.bytes)
	end := &derand.TapeError{Bits: size}
	rest := new(big.Int).SetBytes(t.bytes)
	left := uint(size - t.used)
	rest.And(rest, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), left), big.NewInt(1)))
	zeros := int(left) - rest.BitLen()
	take := func(skip int) (uint64, bool) { // 52 bits behind the first skip
		drop := int(left) - skip - 52
		if drop < 0 {
			return 0, false
		}
		t.used += skip + 52
		n := new(big.Int).Rsh(rest, uint(drop))
		return n.And(n, big.NewInt(1<<52-1)).Uint64(), true
	}
	if kind == derand.Binary64 && zeros >= 1022 {
		k, ok := take(1022)
		switch {
		case !ok:
			return u, false, end
		case k == 0:
			return u, true, nil
		}
		return subnormal(k), false, nil
	}
	m, ok := take(zeros + 1)
	if !ok || rest.Sign() == 0 {
		return u, false, end
	}
	return draw{m, int64(zeros) + 1}, false, nil
}
