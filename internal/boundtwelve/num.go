package boundtwelve

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// prec is the relative precision of every enclosure, in bits.
const prec = 160

// num is a real number known by an enclosure. Comparisons are decided by the ends
// or not at all.
type num struct{ iv real.Interval }

func dyadic(d real.Dyadic) num { return num{real.Point(d)} }
func whole(n int64) num        { return dyadic(real.FromInt64(n)) }

func frac(n, d int64) num { return whole(n).over(whole(d)) }

func rational(r *big.Rat) num {
	return dyadic(real.NewDyadic(r.Num(), 0)).over(dyadic(real.NewDyadic(r.Denom(), 0)))
}

func (a num) plus(b num) num  { return num{a.iv.Add(b.iv, prec)} }
func (a num) minus(b num) num { return num{a.iv.Sub(b.iv, prec)} }
func (a num) times(b num) num { return num{a.iv.Mul(b.iv, prec)} }

// over panics when b may be 0: no divisor here is near it.
func (a num) over(b num) num { return must(a.iv.Quo(b.iv, prec)) }

func (a num) exp() num { return must(real.ExpInterval(a.iv, prec)) }
func (a num) ln() num  { return must(real.LnInterval(a.iv, prec)) }

func must(x real.Interval, err error) num {
	if err != nil {
		panic(err)
	}
	return num{x}
}

func (a num) abs() num {
	switch {
	case a.iv.Lo.Sign() >= 0:
		return a
	case a.iv.Hi.Sign() <= 0:
		return num{a.iv.Neg()}
	}
	return num{real.Interval{Hi: real.Max(a.iv.Lo.Neg(), a.iv.Hi)}}
}

// atMost reports that a <= b is certain, above that a > b is.
func (a num) atMost(b num) bool { return a.iv.Hi.Cmp(b.iv.Lo) <= 0 }
func (a num) above(b num) bool  { return a.iv.Lo.Cmp(b.iv.Hi) > 0 }

func larger(a, b num) num {
	return num{real.Interval{Lo: real.Max(a.iv.Lo, b.iv.Lo), Hi: real.Max(a.iv.Hi, b.iv.Hi)}}
}

func smaller(a, b num) num {
	return num{real.Interval{Lo: real.Min(a.iv.Lo, b.iv.Lo), Hi: real.Min(a.iv.Hi, b.iv.Hi)}}
}

// upper and lower write the ends in decimal, rounded up and down.
func (a num) upper(digits int) string { return decimal(a.iv.Hi, digits, true) }
func (a num) lower(digits int) string { return decimal(a.iv.Lo, digits, false) }

func decimal(d real.Dyadic, digits int, up bool) string {
	r := ratOf(d)
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	n := new(big.Int).Mul(r.Num(), ten)
	q, rest := n.DivMod(n, r.Denom(), new(big.Int)) // toward -inf
	if up && rest.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return new(big.Rat).SetFrac(q, ten).FloatString(digits)
}

// ratOf is for numbers of ordinary size.
func ratOf(d real.Dyadic) *big.Rat {
	r, ok := d.Rat()
	if !ok {
		panic("boundtwelve: a dyadic too long for a rational")
	}
	return r
}

func rat(n, d int64) *big.Rat { return big.NewRat(n, d) }

func ratAbs(a *big.Rat) *big.Rat    { return new(big.Rat).Abs(a) }
func ratAdd(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func ratSub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func ratMul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func ratQuo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// ratFloor is the greatest integer <= a.
func ratFloor(a *big.Rat) int64 { return new(big.Int).Div(a.Num(), a.Denom()).Int64() }

// residue is a modulo m, in [0, m).
func residue(a, m *big.Rat) *big.Rat {
	return ratSub(a, ratMul(m, rat(ratFloor(ratQuo(a, m)), 1)))
}
