package boundtwelve

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// row is one line of the table: a class of configurations and its bound, in units
// of kappa, of (q delta_1 - delta_2)/(1 - q) without the part of the grid of U*.
type row struct {
	class, where string
	value        num
	at           string // where the continuous parameters attain it
}

// corner evaluates bounds. slack is 13 kappa: q <= exp(-ell + slack) (6.1.13).
type corner struct{ slack num }

// The two uses: everything kappa <= 2^-15 allows, with 0.0004 >= 13/2^15 as in
// (6.1.13), and the limit kappa -> 0.
var (
	allKappa  = corner{frac(4, 10000)}
	zeroKappa = corner{whole(0)}
)

func (c corner) q(ell num) num { return c.slack.minus(ell).exp() }

// wholeLog bounds a class with all four logarithm spacings equal (6.2.13). Between
// two values of ell at which T jumps the bound falls, so it is enough to look at
// ell = 1 and just where T reaches its next value.
func (c corner) wholeLog(k pairing) (num, string) {
	var best num
	var at string
	for t := ratFloor(ratAdd(rat(2, 1), k.gap)); ; t++ {
		ell := rat(1, 1)
		if t > ratFloor(ratAdd(rat(2, 1), k.gap)) {
			if k.gap.Sign() == 0 {
				break
			}
			ell = ratQuo(rat(t-2, 1), k.gap)
			if ell.Cmp(rat(2, 1)) >= 0 { // ell < 2
				break
			}
		}
		l := rational(ell)
		q := c.q(l)
		v := whole(t).times(q).over(whole(1).minus(q)).plus(whole(1)).over(l).plus(rational(k.near)).times(whole(4))
		if at == "" || best.iv.Hi.Cmp(v.iv.Hi) < 0 {
			best, at = v, fmt.Sprintf("T = %d, ell = %s", t, ell.RatString())
		}
	}
	return best, at
}

// brokenLog bounds a class in which the near logarithm spacing of x or x' is at
// most half the largest (6.2.12). Everything falls as ell grows: ell = 1.
func (c corner) brokenLog(r rules, k pairing) (num, string) {
	q := c.q(whole(1))
	near := frac(3, 4)
	if !r.has("spacing") {
		near = whole(1)
	}
	return c.product(k, q).plus(near).plus(q).over(whole(1).minus(q)).times(whole(4)), "ell = 1"
}

// product bounds |Delta_2 - q' Delta_1| for all q' <= q.
func (c corner) product(k pairing, q num) num {
	if k.d1 != nil { // convex in q': the ends decide
		d1, d2 := rational(k.d1), rational(k.d2)
		return larger(d2.abs(), d2.minus(q.times(d1)).abs())
	}
	near, far, gap := rational(k.near), rational(k.far), rational(k.gap)
	apart := near.plus(q.times(far))
	opposite := whole(1).minus(q).times(smaller(near, gap)).plus(q.times(gap))
	return smaller(apart, larger(opposite, larger(near, q.times(far))))
}

// coarse are the configurations that need no phases (6.2.5) to (6.2.9). critical is
// the value of 2^J/B up to which the coarse bound is used.
func (c corner) coarse(critical *big.Rat) []row {
	one, half := whole(1), frac(1, 2)
	q := c.q(one)
	free := one.minus(q)
	rows := []row{}
	add := func(class, where, at string, v num) { rows = append(rows, row{class, where, v, at}) }

	// I = K+1, near spacing of x' the largest: convex enough that the ends decide.
	for _, l := range []int64{1, 2} {
		q := c.q(whole(l))
		add("F", "I = K+1, h_2' = h", fmt.Sprintf("ell = %d", l),
			frac(l, 2).plus(one).plus(q).over(one.minus(q)).times(whole(4)))
	}
	// I = K+1, near spacings at most half: (4 + ell) at the right end, the rest at
	// the worse end, on two pieces.
	for _, p := range [][2]*big.Rat{{rat(1, 1), rat(3, 2)}, {rat(3, 2), rat(2, 1)}} {
		ends := make([]num, 2)
		for i, l := range p {
			q := c.q(rational(l))
			ends[i] = rational(l).times(half).plus(half).plus(q).over(one.minus(q))
		}
		v := rational(p[1]).plus(whole(4)).times(larger(ends[0], ends[1])).times(rational(ratAdd(rat(1, 1), pow2(-48))))
		add("F", "I = K+1, h_2' <= h/2", fmt.Sprintf("ell in [%s, %s]", p[0].RatString(), p[1].RatString()), v)
	}
	add("G", "2^J <= Lambda", "ell = 2, q at ell = 1", whole(3).plus(q).times(whole(2)).over(free))
	add("H", "2^J <= "+critical.FloatString(1)+" B", "ell = 1", whole(2).plus(q).times(whole(2)).times(rational(critical)).over(free))
	add("I", "2^J = 2 Lambda, h_2' <= h/2", "ell = 1", one.plus(q).plus(q).times(whole(4)).over(free))
	l := frac(8, 7).minus(frac(1, 1<<20)) // ell > 8/7 but for roundings
	q = c.q(l)
	add("I", "2^J = 2 Lambda, h_2' = h", "ell = 8/7", half.plus(q).plus(one.plus(q).over(l)).times(whole(4)).over(one.minus(q)))
	return rows
}

// table evaluates every class and keeps, for each letter and kind, the worst.
func (c corner) table(r rules, critical *big.Rat) []row {
	rows := c.coarse(critical)
	worst := map[string]int{}
	keep := func(k pairing, kind string, v num, at string) {
		key := k.class + kind
		i, ok := worst[key]
		if !ok {
			worst[key] = len(rows)
			rows = append(rows, row{})
			i = len(rows) - 1
		}
		if !ok || rows[i].value.iv.Hi.Cmp(v.iv.Hi) < 0 {
			rows[i] = row{k.class, kind + ": " + k.String(), v, at}
		}
	}
	for _, k := range r.pairings() {
		if k.whole {
			v, at := c.wholeLog(k)
			keep(k, "whole", v, at)
		}
		if k.class != "A" { // there every logarithm spacing is the largest
			v, at := c.brokenLog(r, k)
			keep(k, "broken", v, at)
		}
	}
	return rows
}

func maximum(rows []row) row {
	best := rows[0]
	for _, r := range rows[1:] {
		if best.value.iv.Hi.Cmp(r.value.iv.Hi) < 0 {
			best = r
		}
	}
	return best
}

// gridPart bounds what the grid of U* adds, in units of eta: 2(1 + q)/(1 - q).
func (c corner) gridPart() num {
	q := c.q(whole(1))
	return whole(1).plus(q).times(whole(2)).over(whole(1).minus(q))
}

// supremum is (5e + 7)/(e - 1).
func supremum() num {
	e := whole(1).exp()
	return e.times(whole(5)).plus(whole(7)).over(e.minus(whole(1)))
}

// Value is the bound of a class by the enumeration, in units of kappa.
type Value struct {
	Class string
	iv    real.Interval
}

// At is the enclosure, whatever the precision asked for.
func (v Value) At(uint) (real.Interval, error) { return v.iv, nil }

// Values are the bounds of all classes for kappa <= 2^-15.
var Values = sync.OnceValue(func() []Value {
	var all []Value
	for _, r := range allKappa.table(rules{}, rat(8, 5)) {
		all = append(all, Value{r.class + ", " + r.where, r.value.iv})
	}
	return all
})
