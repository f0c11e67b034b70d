// Package twin computes the output distribution of the snapping mechanism a second
// way, to be compared with package oracle, with which it shares nothing: it looks
// at the mechanism as a function from draws to outputs and finds by plain bisection
// where the output changes. It knows neither cells nor thresholds, only that the
// output rises with u for s = +1 and falls for s = -1 (docs/theory.md 4).
package twin

import (
	"math"
	"math/big"
)

// Mechanism is a mechanism with everything fixed but its draw: the output for
// u = (1 + m 2^-52) 2^-e and the sign s = +1 or -1.
type Mechanism func(m uint64, e int64, s int) float64

// Kind is a set of draws, numbered in their order by negative integers, so that 0
// stands for u = 1.
type Kind struct {
	low   *big.Int // number of the least draw considered
	draw  func(n *big.Int) (m uint64, e int64)
	start dyadic // Pr[u < t] = (t - start)/(1 - start)
}

const (
	mBits = 52
	// deep is the exponent of the least draw looked at: below 2^-deep no output
	// changes when (hi - lo)/lambda <= 2^14. For then the doubles next to the bounds are
	// at most 2^15 lambda apart, w has passed both when |z| > 2^17 lambda, and |ln u| > 2^18 there.
	deep = 1 << 20
)

// Unbounded numbers the draw (m, e) as m - e 2^52.
var Unbounded = Kind{
	low: new(big.Int).Lsh(big.NewInt(-deep), mBits),
	draw: func(n *big.Int) (uint64, int64) {
		e := new(big.Int).Rsh(n, mBits) // floor
		m := new(big.Int).Sub(n, new(big.Int).Lsh(e, mBits))
		return m.Uint64(), -e.Int64()
	},
}

var bitsOfOne = int64(math.Float64bits(1))

// Binary64 numbers a double in (0, 1) by its bits less those of 1.
var Binary64 = Kind{
	low: big.NewInt(1 - bitsOfOne),
	draw: func(n *big.Int) (uint64, int64) {
		frac, exp := math.Frexp(math.Float64frombits(uint64(n.Int64() + bitsOfOne))) // frac in [1/2, 1)
		return uint64(frac*(1<<53)) - 1<<mBits, int64(1 - exp)
	},
	start: dyadic{big.NewInt(1), -1074},
}

// below is Pr[u < t] times 1 - start, for t the draw with number n.
func (k Kind) below(n *big.Int) dyadic {
	switch {
	case n.Cmp(k.low) <= 0: // not reached by any threshold of Unbounded but those that mean "always"
		return dyadic{}
	case n.Sign() == 0:
		return one.sub(k.start)
	}
	m, e := k.draw(n)
	return dyadic{new(big.Int).SetUint64(1<<mBits + m), -e - mBits}.sub(k.start)
}

// first returns the least number n in [from, 0] with holds(n), which stays true
// once it is; 0 counts as true.
func first(from *big.Int, holds func(n *big.Int) bool) *big.Int {
	lo, hi := new(big.Int).Set(from), new(big.Int)
	for lo.Cmp(hi) < 0 {
		mid := new(big.Int).Add(lo, hi)
		mid.Rsh(mid, 1)
		if holds(mid) {
			hi = mid
		} else {
			lo = mid.Add(mid, big.NewInt(1))
		}
	}
	return lo
}

// at evaluates the mechanism at draw n.
func (k Kind) at(f Mechanism, n *big.Int, s int) float64 {
	m, e := k.draw(n)
	return f(m, e, s)
}

// Probability returns Pr[output = x].
func (k Kind) Probability(f Mechanism, x float64) *big.Rat {
	var sum dyadic
	for _, s := range [2]int{1, -1} {
		side := func(n *big.Int) float64 { return float64(s) * (k.at(f, n, s) - x) }
		a := first(k.low, func(n *big.Int) bool { return side(n) >= 0 })
		b := first(a, func(n *big.Int) bool { return side(n) > 0 })
		sum = sum.add(k.below(b).sub(k.below(a)))
	}
	return k.probability(sum)
}

// probability halves a mass of both signs and scales it.
func (k Kind) probability(mass dyadic) *big.Rat {
	return new(big.Rat).Quo(mass.half().rat(), one.sub(k.start).rat())
}

// Mass is an output with twice its probability, times 1 - start.
type Mass struct {
	Output float64
	mass   dyadic
}

// Outputs returns the outputs of positive probability in increasing order.
func (k Kind) Outputs(f Mechanism) []Mass {
	up, down := k.oneSided(f, 1), k.oneSided(f, -1)
	for i, j := 0, len(down)-1; i < j; i, j = i+1, j-1 {
		down[i], down[j] = down[j], down[i]
	}
	var all []Mass
	for len(up) > 0 || len(down) > 0 {
		switch {
		case len(down) == 0 || len(up) > 0 && up[0].Output < down[0].Output:
			all, up = append(all, up[0]), up[1:]
		case len(up) == 0 || down[0].Output < up[0].Output:
			all, down = append(all, down[0]), down[1:]
		default:
			all = append(all, Mass{up[0].Output, up[0].mass.add(down[0].mass)})
			up, down = up[1:], down[1:]
		}
	}
	return all
}

// maxOutputs ends the walk over a mechanism that is not monotone, as wrong ones can be
// that are to be found out. (hi - lo)/lambda <= 2^14 gives a right one fewer outputs.
const maxOutputs = 1 << 15

// oneSided returns the outputs of one sign in the order of u.
func (k Kind) oneSided(f Mechanism, s int) []Mass {
	var list []Mass
	for n := k.low; n.Sign() < 0 && len(list) < maxOutputs; {
		r := k.at(f, n, s)
		next := first(n, func(n *big.Int) bool { return k.at(f, n, s) != r })
		list = append(list, Mass{r, k.below(next).sub(k.below(n))})
		n = next
	}
	return list
}

// Loss is the privacy loss of the smallest output that attains the largest.
type Loss struct {
	Worst  float64
	P, P2  *big.Rat
	Lo, Hi *big.Rat // an enclosure of |ln(P/P2)|, nil when one of them is 0
}

// WorstLoss compares the outputs of f and f2; the enclosure is below 2^-100 wide.
func (k Kind) WorstLoss(f, f2 Mechanism) Loss {
	a, b := k.Outputs(f), k.Outputs(f2)
	var worst, worst2 Mass
	for i := 0; ; i++ {
		switch {
		case i == len(a) && i == len(b):
			l := Loss{Worst: worst.Output, P: k.probability(worst.mass), P2: k.probability(worst2.mass)}
			l.Lo, l.Hi = absLogRatio(l.P, l.P2)
			return l
		case i == len(b) || i < len(a) && a[i].Output < b[i].Output:
			return Loss{Worst: a[i].Output, P: k.probability(a[i].mass), P2: new(big.Rat)}
		case i == len(a) || b[i].Output < a[i].Output:
			return Loss{Worst: b[i].Output, P: new(big.Rat), P2: k.probability(b[i].mass)}
		}
		if i == 0 || farther(a[i].mass, b[i].mass, worst.mass, worst2.mass) {
			worst, worst2 = a[i], b[i]
		}
	}
}

// farther reports whether max(a/b, b/a) > max(c/d, d/c).
func farther(a, b, c, d dyadic) bool {
	if a.cmp(b) < 0 {
		a, b = b, a
	}
	if c.cmp(d) < 0 {
		c, d = d, c
	}
	return a.mul(d).cmp(b.mul(c)) > 0
}
