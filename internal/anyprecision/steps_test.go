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
	Chain
	x, c int64
	a    iv // A/lambda
	Mass real.Dyadic
	H, E iv
}

func (m Mech) side(x, c int64) side {
	s := side{Chain: m.Chain(x, c), x: x, c: c}
	s.a = m.over(s.Chain.a)
	s.Mass = Mass(m.Format, s.w)
	s.H = ln(pt(s.Mass)).Neg()
	s.E = sub(s.H, s.a)
	return s
}

func Magnitude(n int64) int64 { return max(n, -n) }

// one evaluates (A.2)-(A.12) for an input and an edge, with the least B they allow.
func (y *tally) one(m Mech, s side, B int64) {
	p := m.Format.Precision
	b, ok := m.Bound(B)
	require.True(y.t, ok)
	c, t, A := s.c, m.T(s.c), s.Chain.a
	g := Magnitude(c)
	y.holds("A.2", m.Unit <= 2*g && 2*g <= 2*B+m.Unit && 4*g < m.Unit<<p)
	y.holds("A.2", g%(2*Spacing(g, 2, p)) == 0 && m.Format.Contains(Dyadic(m.Format, c)) && g >= 1<<(m.Format.EMin+int64(p)+1-u(m.Format)))
	y.holds("A.3", g <= (c-t)<<(p+1) && (c-t)<<p <= g && 2*(c-t)<<p <= 2*B+m.Unit)
	for _, v := range []real.Dyadic{Dyadic(m.Format, t), Dyadic(m.Format, t).Add(real.Pow2(u(m.Format) - 40)), Dyadic(m.Format, t).Sub(real.Pow2(u(m.Format) - 40)), Dyadic(m.Format, s.x)} {
		w := oracle.Round(m.Format, v)
		y.holds("A.4", (w.Cmp(spec.FromDyadic(Dyadic(m.Format, c))) < 0) == (v.Cmp(Dyadic(m.Format, t)) < 0))
	}
	y.noise(m, s)
	y.holds("A.7", Dyadic(m.Format, A).Cmp(real.Pow2(m.Format.EMin)) >= 0 && g <= A<<(p+1) &&
		2*A<<p <= (4*B+m.Unit)<<p+2*B+m.Unit && Dyadic(m.Format, A).Cmp(real.Pow2(m.Format.EMax+1)) < 0)
	y.holds("A.7", le(mul(num(4), b.Eta1, s.a), b.R()))
	d := 2 * (s.m - A)
	y.holds("A.8", s.Chain.g<<p <= 2*A && 2*s.m%s.Chain.g == 0 && 2*s.m/s.Chain.g%2 == 1)
	y.holds("A.8", s.strict && -s.Chain.g < d && d <= s.Chain.g || !s.strict && -s.Chain.g <= d && d < s.Chain.g)
	// v = M/lambda and v° as fractions over num, in logarithm units.
	v := new(big.Int).Lsh(big.NewInt(s.m), p+uint(-m.Format.EMin))
	v.Mul(v, big.NewInt(m.Den))
	vo := new(big.Int).Mul(big.NewInt(s.w), big.NewInt(m.Num))
	one := new(big.Int).Lsh(big.NewInt(m.Num), p) // 2^emin
	y.holds("A.9", v.Cmp(one) > 0 && v.Cmp(new(big.Int).Lsh(one, uint(int64(p)-1-m.Format.EMin))) < 0)
	off := new(big.Int).Sub(vo, v)
	y.holds("A.9", off.Abs(off).Lsh(off, p).Cmp(v) <= 0)
	V := pt(Logarithm(m.Format, s.w))
	T := exp(V.Neg())
	y.holds("A.10", lt(T, pt(s.Mass)) && le(pt(s.Mass), mul(T, add(num(1), times(2, b.Eta)))))
	Em, Eg := m.over(s.m-A), sub(s.H, V)
	El := sub(V, m.over(s.m))
	y.holds("A.11", Magnitude(s.m-A)<<p <= A && le(abs(El), mul(b.Eta, add(num(1), b.Eta), s.a)))
	y.holds("A.11", Eg.Lo.Cmp(b.Eta.Hi.Neg().Shift(1)) >= 0 && lt(Eg, num(0)) && lt(abs(sub(s.E, Em, El, Eg)), pt(real.Pow2(-90))))
	two := mul(num(2), b.Eta1, s.a)
	y.holds("A.12", le(s.E, two) && le(sub(two.Neg(), times(2, b.Eta)), s.E) && s.H.Hi.Sign() >= 0)
}

// noise evaluates (A.5): of the numbers Y, those from the first past A on cross.
func (y *tally) noise(m Mech, s side) {
	_, up, _ := Passing(s.Chain.a, true, s.strict, 2, m.Format.Precision)
	x, c := spec.FromDyadic(Dyadic(m.Format, s.x)), spec.FromDyadic(Dyadic(m.Format, s.c))
	for _, Y := range []int64{up, m.Pred(up)} {
		z := spec.FromDyadic(Dyadic(m.Format, Y))
		if s.strict {
			z = z.Neg()
		}
		w := oracle.Add(m.Format, x, z)
		y.holds("A.5", (w.Cmp(c) < 0) == (s.strict == (Y == up)))
	}
}

// sameSide evaluates (A.6) and (A.13)-(A.16), (A.24) for two inputs on one side of an
// interior cell: f is the far edge, n the near one, of x and of x2.
func (y *tally) sameSide(m Mech, f, n, f2, n2 side, B int64) {
	p := m.Format.Precision
	b, _ := m.Bound(B)
	tau := Magnitude(m.T(f.c) - m.T(n.c))
	y.holds("A.6", 2*Magnitude(tau-m.Unit)<<p < 2*B+m.Unit)
	ell, one := m.over(m.Unit), num(1)
	s, s2 := sub(f.H, n.H), sub(f2.H, n2.H)
	q := quo(pt(f.Mass), pt(n.Mass))
	cap := mul(b.Q, exp(sub(one, ell)))
	low := maxIv(one, add(q, pt(real.Pow2(-1))))
	y.holds("A.13", le(sub(ell, b.Sigma), s) && le(s, add(ell, b.Sigma)) && le(q, cap) && lt(q, one))
	y.holds("A.13", le(mul(ell, sub(add(low, q), one)), sub(add(b.L, b.Q), one)))
	G := max(f.g, n.g, f2.g, n2.g)
	d1, d2 := (f2.m-f2.Chain.a)-(f.m-f.Chain.a), (n2.m-n2.Chain.a)-(n.m-n.Chain.a)
	// At q = 0, 1/2 and 1: both sides are linear or convex between.
	y.holds("A.14", Magnitude(d2) <= G && Magnitude(2*d2-d1) <= 2*G && 2*Magnitude(d2-d1) <= 3*G)
	y.holds("A.14", 2*Magnitude(d1) < f.g+f2.g && 2*Magnitude(d2) < n.g+n2.g)
	moved := sub(f2.a, f.a)
	D1, D2 := sub(f2.H, f.H, moved), sub(n2.H, n.H, moved)
	gain := sub(mul(q, D1), D2)
	if n1 := pt(f.Mass.Mul(n2.Mass)); !n1.Lo.Equal(n.Mass.Mul(f2.Mass)) { // else s' = s: the sides are equal
		log := ln(quo(pt(n2.Mass.Sub(f2.Mass)), pt(n.Mass.Sub(f.Mass))))
		y.holds("A.15", le(add(log, moved), quo(gain, sub(one, q))))
		y.holds("A.16", le(add(log, moved), b.Least()))
	}
	y.holds("A.16", le(gain, mul(b.X(), sub(one, q))))
	y.holds("A.24", le(D2.Neg(), b.near()) && le(s2, add(ell, b.Sigma)))
	y.holds("A.24", le(ln(quo(sub(one, exp(s2.Neg())), sub(one, exp(s.Neg())))), b.F))
}

// other evaluates the excess of the remaining cases, both ways round.
func (y *tally) other(m Mech, id string, x, x2 int64, c Cell, B int64) {
	b, _ := m.Bound(B)
	N, N2 := m.Prob(x, c), m.Prob(x2, c)
	y.holds("positive", N.Sign() > 0 && N2.Sign() > 0)
	e := sub(ln(quo(pt(N2), pt(N))), m.over(Magnitude(x-x2)))
	allow := b.cases()
	ex := allow[id]
	if id == "A.22" && (x < c.From || x >= c.To) { // from outside to inside
		ex = allow["A.23"]
	}
	if id == "A.21" {
		sum := []int64{x, x2}
		for _, z := range sum {
			s := add(m.side(z, c.From).H, m.side(z, c.To).H)
			y.holds("A.20", le(sub(m.over(m.Unit), b.Sigma), s))
		}
	}
	y.holds(id, le(e, ex.ofX) && le(e, ex.ofZ))
	y.holds("T", le(e, b.Least()))
}

// instance evaluates everything that applies to two inputs and a cell.
func (y *tally) instance(m Mech, x, x2 int64, c Cell) {
	y.where = fmt.Sprintf("%v x=%v x'=%v %+v", m, Dyadic(m.Format, x), Dyadic(m.Format, x2), c)
	B := max(Magnitude(x), Magnitude(x2))
	for _, e := range c.edges() {
		B = max(B, Magnitude(e)-m.Unit/2)
	}
	if _, ok := m.Bound(B); !ok || x == x2 {
		return
	}
	y.holds("A.1", m.Num <= m.Den*m.Unit && m.Den*m.Unit < 2*m.Num && m.Format.Precision >= 4)
	for _, z := range [2]int64{x, x2} {
		for _, e := range c.edges() {
			y.one(m, m.side(z, e), B)
		}
	}
	if !c.Interior() {
		e := c.edges()[0]
		switch in, in2 := (x < e) == c.NoFrom, (x2 < e) == c.NoFrom; {
		case in != in2:
			y.other(m, "A.18", x, x2, c, B)
		default:
			y.other(m, "A.17", x, x2, c, B)
		}
		return
	}
	at := func(z int64) int {
		switch {
		case z < c.From:
			return -1
		case z >= c.To:
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
		far, near := c.From, c.To
		if a < 0 {
			far, near = near, far
		}
		y.sameSide(m, m.side(x, far), m.side(x, near), m.side(x2, far), m.side(x2, near), B)
	}
}

func (c Cell) edges() []int64 {
	switch {
	case c.NoFrom:
		return []int64{c.To}
	case c.NoTo:
		return []int64{c.From}
	}
	return []int64{c.From, c.To}
}

// pick returns an input up to B: a number next to an edge or to a power of two as often
// as any other.
func (m Mech) pick(rng *rand.Rand, B int64) int64 {
	x := rng.Int64N(B + 1)
	switch rng.IntN(4) {
	case 0:
		x = m.Unit/2 + x/m.Unit*m.Unit
	case 1:
		x = 1 << rng.IntN(63-leading(B+1))
	case 2:
		x >>= rng.IntN(40)
	}
	x = min(x, B)
	x -= x % Spacing(x, 2, m.Format.Precision)
	for range rng.IntN(3) {
		x = m.Pred(x)
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
		f := Tiny(p)
		ms := Mechs(f, f.EMin+int64(p)+2)
		rng := rand.New(rand.NewPCG(1, uint64(p)))
		for i := 0; i < len(ms); i += 1 + len(ms)/16 {
			m := ms[(i+rng.IntN(1+len(ms)/16))%len(ms)]
			reach := m.Reach()
			for range rounds {
				B := max(reach>>rng.IntN(4), m.Unit/4) // kappa of all sizes
				x, x2 := m.pick(rng, B), m.pick(rng, B)
				if rng.IntN(2) == 0 { // near each other, so that no rounding is lost in D
					x2 = x
					for range 1 + rng.IntN(6) {
						x2 = m.Succ(x2)
					}
				}
				n := rng.Int64N(2*(B/m.Unit)+3) - B/m.Unit - 1
				r := n * m.Unit
				for _, c := range []Cell{
					{From: r - m.Unit/2, To: r + m.Unit/2, output: r},
					{NoFrom: true, To: r + m.Unit/2}, {NoTo: true, From: r - m.Unit/2},
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
