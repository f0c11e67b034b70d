package boundtwelve

import (
	"fmt"
	"math/big"
)

// The unit is G, the spacing of the product at the largest threshold.
//
// A cell is one of three kinds, by where its two edges lie with respect to 2^(J-1):
// an edge c has t(c) = c - o with o = 1/8 below 2^(J-1) in magnitude, 1/4 above
// (proofs/bound-twelve.md, 6.2.10).
type cell struct {
	name      string
	far, near *big.Rat // o at the far and at the near edge
}

var cells = []cell{
	{"low", rat(1, 8), rat(1, 8)},
	{"high", rat(1, 4), rat(1, 4)},
	{"middle", rat(1, 4), rat(1, 8)}, // r = 2^(J-1): the edges on either side of it
}

// state is the pair of product spacings of one input; each stands for itself or,
// where it says so in the table of the document, for anything smaller.
type state struct {
	name      string
	far, near *big.Rat
}

var (
	above    = state{"1,1", rat(1, 1), rat(1, 1)}
	astride  = state{"1,1/2", rat(1, 1), rat(1, 2)}
	below    = state{"1/2,1/2", rat(1, 2), rat(1, 2)}
	below4   = state{"1/2,<=1/4", rat(1, 2), rat(1, 4)}
	farBelow = state{"<=1/4,<=1/4", rat(1, 4), rat(1, 4)}
)

// rules are the arguments that can be left out, to see that each is needed.
type rules struct{ omit string }

var omissions = []string{"grid", "half-grid", "lattice", "spacing"}

func (r rules) has(name string) bool { return r.omit != name }

// position is what is known of the product rounding of one input: sigma = M_1 -
// M_2 - Lambda and the near error s2 = M_2 - A_2. nil: nothing but the bounds.
type position struct {
	state
	phase     string // |x| modulo 1
	sigma, s2 *big.Rat
}

// sawtooth is M - A for a threshold A modulo the spacing g: in (-g/2, g/2] for
// Y > A (side +1), in [-g/2, g/2) for Y >= A (side -1).
func sawtooth(side int64, a, g *big.Rat) *big.Rat {
	s := rat(side, 1)
	return ratMul(s, ratSub(ratMul(g, rat(1, 2)), residue(ratMul(s, a), g)))
}

// shift is tau - Lambda.
func (c cell) shift(side int64) *big.Rat { return ratMul(rat(side, 1), ratSub(c.far, c.near)) }

// positions enumerates an input in a state: by its phase where the input is known
// to lie on the grid Z/4, otherwise by the lattice of M_1 - M_2.
func (r rules) positions(side int64, c cell, st state) []position {
	onGrid := st.far.Cmp(rat(1, 1)) == 0 && r.has("grid")
	switch {
	case onGrid:
		step := int64(1)
		if c.name == "middle" && st.name == above.name && r.has("half-grid") {
			step = 2 // |x| > 2^(J-1)
		}
		var ps []position
		for k := int64(0); k < 4; k += step {
			ps = append(ps, c.at(side, st, rat(k, 4)))
		}
		return ps
	case r.has("lattice") && st.near.Cmp(rat(1, 2)) >= 0:
		return c.lattice(side, st)
	}
	return []position{{state: st, phase: "any"}}
}

// at computes both roundings for |x| = phase modulo 1; |c_i| is a whole number.
func (c cell) at(side int64, st state, phase *big.Rat) position {
	s := rat(side, 1)
	s1 := sawtooth(side, ratAdd(phase, ratMul(s, c.far)), st.far)
	s2 := sawtooth(side, ratAdd(phase, ratMul(s, c.near)), st.near)
	return position{st, phase.RatString(), ratAdd(ratSub(s1, s2), c.shift(side)), s2}
}

// lattice lists the values of sigma without any knowledge of x: M_1 - M_2 lies in
// a coset of g_2 Z, and sigma within (g_1 + g_2)/2, exclusive, of the shift.
func (c cell) lattice(side int64, st state) []position {
	start := new(big.Rat) // equal spacings: sigma in g_2 Z
	if st.far.Cmp(st.near) != 0 {
		start = ratMul(st.near, rat(1, 2)) // g_1 = 2 g_2
	}
	var ps []position
	reach := ratMul(ratAdd(st.far, st.near), rat(1, 2))
	for k := int64(-8); k <= 8; k++ {
		sigma := ratAdd(start, ratMul(st.near, rat(k, 1)))
		if ratAbs(ratSub(sigma, c.shift(side))).Cmp(reach) < 0 {
			ps = append(ps, position{st, "any", sigma, nil})
		}
	}
	return ps
}

// spread bounds |sigma|.
func (p position) spread(c cell) *big.Rat {
	if p.sigma != nil {
		return ratAbs(p.sigma)
	}
	return ratAdd(ratMul(ratAdd(p.far, p.near), rat(1, 2)), ratSub(c.far, c.near))
}

// pairing is what the bound of a class depends on, for x' (beyond) and x.
type pairing struct {
	class    string
	cell     string
	side     int64
	from, to string   // phases of x and x'
	near     *big.Rat // bounds |Delta_2|
	far      *big.Rat // bounds |Delta_1|
	gap      *big.Rat // bounds |Delta_1 - Delta_2|
	d1, d2   *big.Rat // the exact values, if known
	whole    bool     // the near logarithm spacing of x can be the largest
}

// pairings is the finite enumeration (proofs/bound-twelve.md, table 6.2.14).
func (r rules) pairings() []pairing {
	var all []pairing
	for _, side := range []int64{1, -1} {
		for _, c := range cells {
			for _, k := range []struct {
				name  string
				x2, x state
			}{
				{"A", above, above}, {"B", above, astride},
				{"C", above, below}, {"C", above, below4}, {"C", above, farBelow},
				{"D", astride, astride},
				{"E", astride, below}, {"E", astride, below4}, {"E", astride, farBelow},
			} {
				for _, p2 := range r.positions(side, c, k.x2) {
					for _, p := range r.positions(side, c, k.x) {
						all = append(all, pair(k.name, side, c, p2, p))
					}
				}
			}
		}
	}
	return all
}

func pair(class string, side int64, c cell, p2, p position) pairing {
	k := pairing{class: class, cell: c.name, side: side, from: p.phase, to: p2.phase}
	k.whole = p.state.near.Cmp(rat(1, 2)) >= 0
	k.near = ratMul(ratAdd(p2.near, p.state.near), rat(1, 2))
	k.far = ratMul(ratAdd(p2.far, p.state.far), rat(1, 2))
	k.gap = ratAdd(p2.spread(c), p.spread(c))
	if p.sigma != nil && p2.sigma != nil {
		k.gap = ratAbs(ratSub(p2.sigma, p.sigma))
	}
	if p.s2 != nil && p2.s2 != nil {
		k.d2 = ratSub(p2.s2, p.s2)
		k.d1 = ratAdd(k.d2, ratSub(p2.sigma, p.sigma))
		k.near, k.far = ratAbs(k.d2), ratAbs(k.d1)
	}
	return k
}

func (k pairing) String() string {
	return fmt.Sprintf("%-6s phase %s -> %s, |D2| <= %s, |D1 - D2| <= %s", k.cell, k.from, k.to, k.near.RatString(), k.gap.RatString())
}
