package sweep

import (
	"errors"
	"sort"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// cellKind says which output a cell belongs to.
type cellKind uint8

const (
	interior cellKind = iota // a multiple of Lambda strictly between lo and hi
	endLo                    // r = lo
	endHi                    // r = hi
)

// cell is a set of w that gives one output, for all bounds with
// loFrom <= lo < loTo and hiFrom <= hi < hiTo that have room for it.
type cell struct {
	kind     cellKind
	output   int // of an interior cell
	loFrom   int
	loTo     int
	hiFrom   int
	hiTo     int
	from, to int     // w is in the cell when from <= w < to, as indices
	mass     []int32 // of each input, an index of unit.masses
}

// mass is a probability of an output, and its logarithm.
type mass struct {
	num real.Dyadic // over unit.whole
	ln  int64       // fixed-point ln num, unless num = 0
}

// unit is one scale with everything that does not depend on bounds or inputs.
type unit struct {
	*World
	index  int
	lambda scale
	lam    real.Dyadic   // Lambda
	whole  real.Dyadic   // the denominator of all probabilities
	tail   []real.Dyadic // of rank i: Pr[Y >= y]·whole; 0 for the rank n+2
	masses []mass
	cells  []cell
	over   []int64 // fixed-point f/lambda of each number
}

// newUnit computes the tails and from them the probability of every cell for every
// input. It returns nil for a scale that is refused: Lambda is not in the format.
func newUnit(w *World, index int) (*unit, error) {
	noise, err := oracle.NewNoise(w.params(index), w.Kind)
	var reject *spec.RejectError
	if errors.As(err, &reject) && reject.Kind == spec.Overflow {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u := &unit{World: w, index: index, lambda: w.scale(index), lam: noise.Unit().Dyadic(), whole: noise.TailOfZero().Den}
	u.tail = []real.Dyadic{u.whole}
	for i := 1; i <= w.n+1; i++ {
		t, err := noise.Tail(w.magnitude(i))
		if err != nil {
			return nil, err
		}
		u.tail = append(u.tail, t.Num)
	}
	u.tail = append(u.tail, real.Dyadic{})
	for f := range w.numbers {
		u.over = append(u.over, fixed(w.numbers[f].Dyadic().Mul(u.lambda.den), u.lambda.num))
	}
	u.layOut()
	return u, u.fill()
}

// layOut lists the cells. With m_1 < ... < m_k the multiples of Lambda in the format
// and c_j = m_j - Lambda/2, c_(k+1) = m_k + Lambda/2, the output lo has w < c_j for
// the least m_j > lo, hi has w >= c_j for the least m_j >= hi (k+1 where there is
// none), and the multiple m_j between them c_j <= w < c_(j+1): docs/theory.md 4. An
// edge is kept as the least index of a number at or above it.
func (u *unit) layOut() {
	var mult, edge []int
	add := func(c real.Dyadic) {
		edge = append(edge, sort.Search(u.size(), func(i int) bool { return u.numbers[i].Dyadic().Cmp(c) >= 0 }))
	}
	half := u.lam.Shift(-1)
	for i, v := range u.numbers {
		if v.IsZero() || v.Dyadic().Low() >= u.lam.Top() {
			mult = append(mult, i)
			add(v.Dyadic().Sub(half))
		}
	}
	k, size := len(mult), u.size()
	add(u.numbers[mult[k-1]].Dyadic().Add(half))
	for j, m := range mult {
		u.cells = append(u.cells, cell{kind: interior, output: m, loTo: m, hiFrom: m + 1, hiTo: size, from: edge[j], to: edge[j+1]})
	}
	for j := 0; j <= k; j++ {
		before, at := -1, size // m_(j-1) and m_j in numbers
		if j > 0 {
			before = mult[j-1]
		}
		if j < k {
			at = mult[j]
		}
		if lo := max(before, 0); lo < at {
			u.cells = append(u.cells, cell{kind: endLo, loFrom: lo, loTo: at, hiTo: size, from: -1, to: edge[j]})
		}
		if hi := min(at, size-1); before < hi {
			u.cells = append(u.cells, cell{kind: endHi, loTo: size, hiFrom: before + 1, hiTo: hi + 1, from: edge[j], to: size + 1})
		}
	}
}

// crossing is the rank of the least Y that takes w from x across the edge e: below
// it for e <= x, to it or above for e > x.
func (u *unit) crossing(x, e int) int {
	return 1 + sort.Search(u.n+1, func(i int) bool {
		if e <= x {
			return int(u.down[x][i+1]) < e
		}
		return int(u.up[x][i+1]) >= e
	})
}

// fill computes the masses. They are keyed by the ranks at the two edges, since few
// of these differ; the rank n+2, of tail 0, stands for an edge that is not there.
func (u *unit) fill() error {
	type key struct {
		around bool // the cell contains x
		a, b   int
	}
	seen := map[key]int32{}
	none := u.n + 2
	for c := range u.cells {
		z := &u.cells[c]
		for x := range u.numbers {
			lower, upper := none, none
			if z.kind != endLo {
				lower = u.crossing(x, z.from)
			}
			if z.kind != endHi {
				upper = u.crossing(x, z.to)
			}
			k := key{z.from <= x && x < z.to, min(lower, upper), max(lower, upper)}
			id, ok := seen[k]
			if !ok {
				id = int32(len(u.masses))
				seen[k] = id
				// Half from each sign; around x what neither edge takes away.
				p := u.tail[k.a].Sub(u.tail[k.b])
				if k.around {
					p = u.whole.Shift(1).Sub(u.tail[k.a]).Sub(u.tail[k.b])
				}
				m := mass{num: p.Shift(-1)}
				if !p.IsZero() {
					var err error
					if m.ln, err = lnFixed(m.num); err != nil {
						return err
					}
				}
				u.masses = append(u.masses, m)
			}
			z.mass = append(z.mass, id)
		}
	}
	return nil
}

// prob is the probability of a cell for an input.
func (u *unit) prob(c *cell, x int) oracle.Prob {
	return oracle.Prob{Num: u.masses[c.mass[x]].num, Den: u.whole}
}

// outputOf is the output of a cell under bounds.
func (c *cell) outputOf(lo, hi int) int {
	switch c.kind {
	case endLo:
		return lo
	case endHi:
		return hi
	}
	return c.output
}
