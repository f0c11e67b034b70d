package sweep

// box is a set of bounds: lo0 <= lo < lo1, hi0 <= hi < hi1, lo1 <= hi0.
type box struct{ lo0, lo1, hi0, hi1 int }

func (b box) empty() bool { return b.lo0 >= b.lo1 || b.hi0 >= b.hi1 }

// upTo counts the bounds of the box with B of rank at most beta.
func (b box) upTo(n, beta int) uint64 {
	los := b.lo1 - max(b.lo0, n-beta)
	his := min(b.hi1, n+beta+1) - b.hi0
	if los <= 0 || his <= 0 {
		return 0
	}
	return uint64(los) * uint64(his)
}

// ranks is the range of ranks of B in the box; each of them occurs.
func (b box) ranks(n int) (from, to int) {
	return max(n-b.lo1+1, b.hi0-n), max(n-b.lo0, b.hi1-1-n) + 1
}

// first are the first bounds of the box in order of lo, hi with B of a rank it has.
func (b box) first(n, beta int) (lo, hi int) {
	lo, hi = max(b.lo0, n-beta), b.hi0
	if lo != n-beta {
		hi = n + beta
	}
	return lo, hi
}

// cumulative sums upTo over many boxes: of rank beta, sums of polynomials of degree 2
// in beta that apply from some rank on, kept as differences of their coefficients.
type cumulative [3][]int64

func newCumulative(n int) *cumulative {
	var c cumulative
	for i := range c {
		c[i] = make([]int64, n+2)
	}
	return &c
}

// add adds times·upTo of a box that is not empty.
func (c *cumulative) add(n int, b box, times int64) {
	los, his := int64(b.lo1-b.lo0), int64(b.hi1-b.hi0)
	p, q := int64(b.lo1-n), int64(n+1-b.hi0) // beta + p, beta + q until they reach los, his
	from, _ := b.ranks(n)
	fullLo, fullHi := max(from, n-b.lo0), max(from, b.hi1-1-n)
	var now [3]int64
	turn := func(at int, k0, k1, k2 int64) { // the polynomial from at on
		for i, k := range [3]int64{k0, k1, k2} {
			c[i][at] += times * (k - now[i])
			now[i] = k
		}
	}
	turn(from, p*q, p+q, 1)
	if fullLo < fullHi {
		turn(fullLo, los*q, los, 0)
	} else if fullHi < fullLo {
		turn(fullHi, his*p, his, 0)
	}
	turn(max(fullLo, fullHi), los*his, 0, 0)
}

// values are the sums for each rank.
func (c *cumulative) values(n int) []uint64 {
	v := make([]uint64, n+1)
	var k [3]int64
	for beta := range v {
		for i := range k {
			k[i] += c[i][beta]
		}
		x := int64(beta)
		v[beta] = uint64(k[0] + x*(k[1]+x*k[2]))
	}
	return v
}

// counter counts the cases of one unit.
type counter struct {
	*unit
	windows []*window
	tallies []*tally
	totals  [classes]*cumulative
	best    [][2]float64 // of each claim: a lower bound of the steepest, fixed-point/floored
}

// count does a unit: one tally for each claim.
func (u *unit) count() ([]*tally, error) {
	k := &counter{unit: u, best: make([][2]float64, len(u.Claims))}
	for i := range k.totals {
		k.totals[i] = newCumulative(u.n)
	}
	for _, c := range u.Claims {
		k.windows = append(k.windows, u.window(c, u.lambda, u.lam))
		k.tallies = append(k.tallies, newTally())
	}
	for i := range u.cells {
		if err := k.cell(&u.cells[i]); err != nil {
			return nil, err
		}
	}
	k.equal()
	k.finish()
	return k.tallies, nil
}

// finish adds the numbers of cases, which were kept by class and rank of B. Every
// case of an infinite loss exceeds.
func (k *counter) finish() {
	for c, sums := range k.totals {
		v := sums.values(k.n)
		for i, w := range k.windows {
			for _, s := range w.segments {
				p := tri{cases: v[s.to-1]}
				if s.from > 0 {
					p.cases -= v[s.from-1]
				}
				if class(c).infinite() {
					p.exceeds, p.infinite = p.cases, p.cases
				}
				k.tallies[i].count(class(c), s, p)
			}
		}
	}
}

// equal counts the cases with f < f2 clamped to the same number, lo = hi among them:
// an output for every cell that the number can reach.
func (k *counter) equal() {
	size := k.size()
	pairs := func(m int) int64 { return int64(m) * int64(m-1) / 2 }
	// outputs of x for given lo < hi: its end cells and the interior ones between.
	loCell, hiCell := make([]*cell, size), make([]*cell, size)
	for i := range k.cells {
		c := &k.cells[i]
		for b := c.loFrom; c.kind == endLo && b < c.loTo; b++ {
			loCell[b] = c
		}
		for b := c.hiFrom; c.kind == endHi && b < c.hiTo; b++ {
			hiCell[b] = c
		}
	}
	can := func(c *cell, x int) int64 {
		if k.masses[c.mass[x]].num.IsZero() {
			return 0
		}
		return 1
	}
	inner := make([]int64, size+1) // interior outputs of x below a number
	for x := range size {
		clear(inner)
		for i := range k.cells {
			if c := &k.cells[i]; c.kind == interior {
				inner[c.output+1] += can(c, x)
			}
		}
		for i := range size {
			inner[i+1] += inner[i]
		}
		outputs := func(lo, hi int) int64 {
			return can(loCell[lo], x) + can(hiCell[hi], x) + inner[hi] - inner[lo+1]
		}
		total := k.totals[classEqual]
		total.add(k.n, box{x, x + 1, x, x + 1}, pairs(size)) // lo = hi = x
		for hi := x + 1; hi < size && x > 0; hi++ {
			total.add(k.n, box{x, x + 1, hi, hi + 1}, pairs(x+1)*outputs(x, hi))
		}
		for lo := 0; lo < x && x < size-1; lo++ {
			total.add(k.n, box{lo, lo + 1, x, x + 1}, pairs(size-x)*outputs(lo, x))
		}
	}
}

// cell counts all cases of one cell with x < x2.
func (k *counter) cell(c *cell) error {
	size := k.size()
	ln, zero := make([]int64, size), make([]bool, size)
	for x, id := range c.mass {
		ln[x], zero[x] = k.masses[id].ln, k.masses[id].num.IsZero()
	}
	t := &tuple{counter: k, c: c}
	for x := range size {
		for x2 := x + 1; x2 < size; x2++ {
			if zero[x] && zero[x2] {
				continue
			}
			t.x, t.x2 = x, x2
			t.class = classOf(c.kind, c.from, c.to, x, x2, zero[x] != zero[x2])
			t.loss = max(ln[x]-ln[x2], ln[x2]-ln[x])
			if err := t.count(); err != nil {
				return err
			}
		}
	}
	return nil
}
