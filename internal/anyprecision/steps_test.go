package anyprecision

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// A tally counts the evaluations of each numbered inequality and fails on a false one.
type tally struct {
	t     *testing.T
	count map[string]int
	where string
}

func (y *tally) holds(id string, ok bool) {
	y.count[id]++
	if !ok {
		assert.Fail(y.t, id, y.where)
	}
}

// A side is one input and one edge of an instance, with everything (A.3)-(A.12) name.
type side struct {
	chain
	x, c int64
	a    iv // A/lambda
	mass real.Dyadic
	H, E iv
}

func (m mech) side(x, c int64) side {
	s := side{chain: m.chain(x, c), x: x, c: c}
	s.a = m.over(s.chain.a)
	s.mass = mass(m.f, s.w)
	s.H = ln(pt(s.mass)).Neg()
	s.E = sub(s.H, s.a)
	return s
}

func magnitude(n int64) int64 { return max(n, -n) }

// one evaluates (A.2)-(A.12) for an input and an edge, with the least B they allow.
func (y *tally) one(m mech, s side, B int64) {
	p := m.f.Precision
	b, ok := m.bound(B)
	require.True(y.t, ok)
	c, t, A := s.c, m.t(s.c), s.chain.a
	g := magnitude(c)
	y.holds("A.2", m.unit <= 2*g && 2*g <= 2*B+m.unit && 4*g < m.unit<<p)
	y.holds("A.2", g%(2*spacing(g, 2, p)) == 0 && m.f.Contains(dyadic(m.f, c)) && g >= 1<<(m.f.EMin+int64(p)+1-u(m.f)))
	y.holds("A.3", g <= (c-t)<<(p+1) && (c-t)<<p <= g && 2*(c-t)<<p <= 2*B+m.unit)
	for _, v := range []real.Dyadic{dyadic(m.f, t), dyadic(m.f, t).Add(real.Pow2(u(m.f) - 40)), dyadic(m.f, t).Sub(real.Pow2(u(m.f) - 40)), dyadic(m.f, s.x)} {
		w := oracle.Round(m.f, v)
		y.holds("A.4", (w.Cmp(spec.FromDyadic(dyadic(m.f, c))) < 0) == (v.Cmp(dyadic(m.f, t)) < 0))
	}
	y.noise(m, s)
	y.holds("A.7", dyadic(m.f, A).Cmp(real.Pow2(m.f.EMin)) >= 0 && g <= A<<(p+1) &&
		2*A<<p <= (4*B+m.unit)<<p+2*B+m.unit && dyadic(m.f, A).Cmp(real.Pow2(m.f.EMax+1)) < 0)
	y.holds("A.7", le(mul(num(4), b.eta1, s.a), b.R()))
	d := 2 * (s.m - A)
	y.holds("A.8", s.chain.g<<p <= 2*A && 2*s.m%s.chain.g == 0 && 2*s.m/s.chain.g%2 == 1)
	y.holds("A.8", s.strict && -s.chain.g < d && d <= s.chain.g || !s.strict && -s.chain.g <= d && d < s.chain.g)
	// v = M/lambda and v° as fractions over num, in logarithm units.
	v := new(big.Int).Lsh(big.NewInt(s.m), p+uint(-m.f.EMin))
	v.Mul(v, big.NewInt(m.den))
	vo := new(big.Int).Mul(big.NewInt(s.w), big.NewInt(m.num))
	one := new(big.Int).Lsh(big.NewInt(m.num), p) // 2^emin
	y.holds("A.9", v.Cmp(one) > 0 && v.Cmp(new(big.Int).Lsh(one, uint(int64(p)-1-m.f.EMin))) < 0)
	off := new(big.Int).Sub(vo, v)
	y.holds("A.9", off.Abs(off).Lsh(off, p).Cmp(v) <= 0)
	V := pt(logarithm(m.f, s.w))
	T := exp(V.Neg())
	y.holds("A.10", lt(T, pt(s.mass)) && le(pt(s.mass), mul(T, add(num(1), times(2, b.eta)))))
	Em, Eg := m.over(s.m-A), sub(s.H, V)
	El := sub(V, m.over(s.m))
	y.holds("A.11", magnitude(s.m-A)<<p <= A && le(abs(El), mul(b.eta, add(num(1), b.eta), s.a)))
	y.holds("A.11", Eg.Lo.Cmp(b.eta.Hi.Neg().Shift(1)) >= 0 && lt(Eg, num(0)) && lt(abs(sub(s.E, Em, El, Eg)), pt(real.Pow2(-90))))
	two := mul(num(2), b.eta1, s.a)
	y.holds("A.12", le(s.E, two) && le(sub(two.Neg(), times(2, b.eta)), s.E) && s.H.Hi.Sign() >= 0)
}

// noise evaluates (A.5): of the numbers Y, those from the first past A on cross.
func (y *tally) noise(m mech, s side) {
	_, up, _ := passing(s.chain.a, true, s.strict, 2, m.f.Precision)
	x, c := spec.FromDyadic(dyadic(m.f, s.x)), spec.FromDyadic(dyadic(m.f, s.c))
	for _, Y := range []int64{up, m.pred(up)} {
		z := spec.FromDyadic(dyadic(m.f, Y))
		if s.strict {
			z = z.Neg()
		}
		w := oracle.Add(m.f, x, z)
		y.holds("A.5", (w.Cmp(c) < 0) == (s.strict == (Y == up)))
	}
}

// sameSide evaluates (A.6) and (A.13)-(A.16), (A.24) for two inputs on one side of an
// interior cell: f is the far edge, n the near one, of x and of x2.
func (y *tally) sameSide(m mech, f, n, f2, n2 side, B int64) {
	p := m.f.Precision
	b, _ := m.bound(B)
	tau := magnitude(m.t(f.c) - m.t(n.c))
	y.holds("A.6", 2*magnitude(tau-m.unit)<<p < 2*B+m.unit)
	ell, one := m.over(m.unit), num(1)
	s, s2 := sub(f.H, n.H), sub(f2.H, n2.H)
	q := quo(pt(f.mass), pt(n.mass))
	cap := mul(b.Q, exp(sub(one, ell)))
	low := maxIv(one, add(q, pt(real.Pow2(-1))))
	y.holds("A.13", le(sub(ell, b.sigma), s) && le(s, add(ell, b.sigma)) && le(q, cap) && lt(q, one))
	y.holds("A.13", le(mul(ell, sub(add(low, q), one)), sub(add(b.L, b.Q), one)))
	G := max(f.g, n.g, f2.g, n2.g)
	d1, d2 := (f2.m-f2.chain.a)-(f.m-f.chain.a), (n2.m-n2.chain.a)-(n.m-n.chain.a)
	// At q = 0, 1/2 and 1: both sides are linear or convex between.
	y.holds("A.14", magnitude(d2) <= G && magnitude(2*d2-d1) <= 2*G && 2*magnitude(d2-d1) <= 3*G)
	y.holds("A.14", 2*magnitude(d1) < f.g+f2.g && 2*magnitude(d2) < n.g+n2.g)
	moved := sub(f2.a, f.a)
	D1, D2 := sub(f2.H, f.H, moved), sub(n2.H, n.H, moved)
	gain := sub(mul(q, D1), D2)
	if n1 := pt(f.mass.Mul(n2.mass)); !n1.Lo.Equal(n.mass.Mul(f2.mass)) { // else s' = s: the sides are equal
		log := ln(quo(pt(n2.mass.Sub(f2.mass)), pt(n.mass.Sub(f.mass))))
		y.holds("A.15", le(add(log, moved), quo(gain, sub(one, q))))
		y.holds("A.16", le(add(log, moved), b.least()))
	}
	y.holds("A.16", le(gain, mul(b.X(), sub(one, q))))
	y.holds("A.24", le(D2.Neg(), b.near()) && le(s2, add(ell, b.sigma)))
	y.holds("A.24", le(ln(quo(sub(one, exp(s2.Neg())), sub(one, exp(s.Neg())))), b.F))
}

// other evaluates the excess of the remaining cases, both ways round.
func (y *tally) other(m mech, id string, x, x2 int64, c cell, B int64) {
	b, _ := m.bound(B)
	N, N2 := m.prob(x, c), m.prob(x2, c)
	y.holds("positive", N.Sign() > 0 && N2.Sign() > 0)
	e := sub(ln(quo(pt(N2), pt(N))), m.over(magnitude(x-x2)))
	allow := b.cases()
	ex := allow[id]
	if id == "A.22" && (x < c.from || x >= c.to) { // from outside to inside
		ex = allow["A.23"]
	}
	if id == "A.21" {
		sum := []int64{x, x2}
		for _, z := range sum {
			s := add(m.side(z, c.from).H, m.side(z, c.to).H)
			y.holds("A.20", le(sub(m.over(m.unit), b.sigma), s))
		}
	}
	y.holds(id, le(e, ex.ofX) && le(e, ex.ofZ))
	y.holds("T", le(e, b.least()))
}

// instance evaluates everything that applies to two inputs and a cell.
func (y *tally) instance(m mech, x, x2 int64, c cell) {
	y.where = fmt.Sprintf("%v x=%v x'=%v %+v", m, dyadic(m.f, x), dyadic(m.f, x2), c)
	B := max(magnitude(x), magnitude(x2))
	for _, e := range c.edges() {
		B = max(B, magnitude(e)-m.unit/2)
	}
	if _, ok := m.bound(B); !ok || x == x2 {
		return
	}
	y.holds("A.1", m.num <= m.den*m.unit && m.den*m.unit < 2*m.num && m.f.Precision >= 4)
	for _, z := range [2]int64{x, x2} {
		for _, e := range c.edges() {
			y.one(m, m.side(z, e), B)
		}
	}
	if !c.interior() {
		e := c.edges()[0]
		switch in, in2 := (x < e) == c.noFrom, (x2 < e) == c.noFrom; {
		case in != in2:
			y.other(m, "A.18", x, x2, c, B)
		default:
			y.other(m, "A.17", x, x2, c, B)
		}
		return
	}
	at := func(z int64) int {
		switch {
		case z < c.from:
			return -1
		case z >= c.to:
			return 1
		}
		return 0
	}
	switch a, a2 := at(x), at(x2); {
	case a == 0 && a2 == 0:
		y.other(m, "A.21", x, x2, c, B)
	case a == 0 || a2 == 0:
		y.other(m, "A.22", x, x2, c, B)
	case a != a2:
		y.other(m, "A.19", x, x2, c, B)
	default:
		far, near := c.from, c.to
		if a < 0 {
			far, near = near, far
		}
		y.sameSide(m, m.side(x, far), m.side(x, near), m.side(x2, far), m.side(x2, near), B)
	}
}

func (c cell) edges() []int64 {
	switch {
	case c.noFrom:
		return []int64{c.to}
	case c.noTo:
		return []int64{c.from}
	}
	return []int64{c.from, c.to}
}

// pick returns an input up to B: a number next to an edge or to a power of two as often
// as any other.
func (m mech) pick(rng *rand.Rand, B int64) int64 {
	x := rng.Int64N(B + 1)
	switch rng.IntN(4) {
	case 0:
		x = m.unit/2 + x/m.unit*m.unit
	case 1:
		x = 1 << rng.IntN(63-leading(B+1))
	case 2:
		x >>= rng.IntN(40)
	}
	x = min(x, B)
	x -= x % spacing(x, 2, m.f.Precision)
	for range rng.IntN(3) {
		x = m.pred(x)
	}
	if rng.IntN(2) == 0 {
		x = -x
	}
	return x
}

func leading(n int64) int { return 64 - big.NewInt(n).BitLen() }

// Every numbered inequality, at the precisions where there is room, for every scale of
// small precisions and a sample of the others.
func TestNumberedInequalities(t *testing.T) {
	rounds := 8
	if upTo(6) > 6 {
		rounds = 60
	}
	y := &tally{t: t, count: map[string]int{}}
	for p := uint(4); p <= 12; p++ {
		f := tiny(p)
		ms := mechs(f, f.EMin+int64(p)+2)
		rng := rand.New(rand.NewPCG(1, uint64(p)))
		for i := 0; i < len(ms); i += 1 + len(ms)/16 {
			m := ms[(i+rng.IntN(1+len(ms)/16))%len(ms)]
			reach := m.reach()
			for range rounds {
				B := max(reach>>rng.IntN(4), m.unit/4) // kappa of all sizes
				x, x2 := m.pick(rng, B), m.pick(rng, B)
				if rng.IntN(2) == 0 { // near each other, so that no rounding is lost in D
					x2 = x
					for range 1 + rng.IntN(6) {
						x2 = m.succ(x2)
					}
				}
				n := rng.Int64N(2*(B/m.unit)+3) - B/m.unit - 1
				r := n * m.unit
				for _, c := range []cell{
					{from: r - m.unit/2, to: r + m.unit/2, output: r},
					{noFrom: true, to: r + m.unit/2}, {noTo: true, from: r - m.unit/2},
				} {
					y.instance(m, x, x2, c)
				}
			}
		}
	}
	for _, id := range []string{"A.1", "A.2", "A.3", "A.4", "A.5", "A.6", "A.7", "A.8", "A.9", "A.10", "A.11", "A.12", "A.13", "A.14",
		"A.15", "A.16", "A.17", "A.18", "A.19", "A.20", "A.21", "A.22", "A.24", "T"} {
		assert.Greater(t, y.count[id], 20, id)
	}
	t.Log(y.count)
}
