package main

import (
	"fmt"
	"math"
)

// group is a search with one result exponent: blocks at pseudo-random places
// of a range of significands, and along each of them every exponent whose
// results have that exponent.
type group struct {
	w      uint
	k      int
	blocks int
	runs   int // per block
	from   float64
	to     float64 // range of m/2^w, [from, to)
	exps   []int64 // candidates, filtered per block
	dbl    int     // search for doubles too in every dbl-th block; 0: never
}

// span lists the exponents from a to b.
func span(a, b int64) []int64 {
	var s []int64
	for e := a; e <= b; e++ {
		s = append(s, e)
	}
	return s
}

// planGroups returns the searches. scale 1 is the checked-in list; smaller
// values divide the number of blocks.
func planGroups(scale float64) []group {
	blocks := func(n int) int { return max(1, int(math.Round(float64(n)*scale))) }
	var gs []group
	// Near 1, on either side: |ln x| in [2^k, 2^(k+1)).
	for _, k := range []int{-20, -16, -12, -8, -6, -4, -3, -2} {
		lo, hi := math.Ldexp(1, k), math.Ldexp(1, k+1)
		gs = append(gs,
			group{52, k, blocks(16), 1 << 19, 2 * math.Exp(-hi), 2 * math.Exp(-lo), []int64{-1}, 4},
			group{52, k, blocks(16), 1 << 19, math.Exp(lo), math.Exp(hi), []int64{0}, 4})
	}
	// Every exponent of binary64.
	for k := -1; k <= 8; k++ {
		// Few exponents share a small k; give those more blocks.
		n := []int{600, 300, 250, 200, 150, 150, 120, 100, 60, 40}[k+1]
		gs = append(gs, group{52, k, blocks(n), 1 << 17, 1, 2, span(-1022, 1023), 5})
	}
	// The largest result exponent, with one exponent below binary64.
	gs = append(gs, group{52, 9, blocks(1450), 1 << 17, 1, 2, append(span(-1022, 1023), -1075), 50})
	// Subnormals have fewer bits, so fewer of them can be hard.
	for _, w := range []uint{51, 50, 48, 46, 44, 42, 40} {
		gs = append(gs, group{w, 9, blocks(12), 1 << 18, 1, 2, []int64{int64(w) - 1074}, 3})
	}
	// Exponents of pairs.
	return append(gs,
		group{52, 10, blocks(60), 1 << 17, 1, 2, span(-2031, -2000), 0},
		group{52, 19, blocks(24), 1 << 17, 1, 2, span(-1<<20-63, -1<<20), 0})
}

// span of |ln x| over a block, with a margin for float64 errors.
func (b *block) results(e int64) (lo, hi float64) {
	at := func(m uint64) float64 {
		return math.Abs(math.Log(math.Ldexp(float64(m), -int(b.w))) + float64(e)*math.Ln2)
	}
	lo, hi = at(b.start), at(b.last())
	lo, hi = min(lo, hi), max(lo, hi)
	return lo * (1 - 0x1p-40), hi * (1 + 0x1p-40)
}

// fits reports whether all results of the block with exponent e lie in
// [2^k, 2^(k+1)). ln has no zero inside a block for e = 0 or -1 unless the
// block touches 1, which the lower bound excludes.
func (b *block) fits(e int64) bool {
	lo, hi := b.results(e)
	return lo >= math.Ldexp(1, b.k) && hi < math.Ldexp(1, b.k+1)
}

// collectors maps inputs to the regions of the list.
type collectors map[string]*top

func (c collectors) get(name string, keep int) *top {
	t := c[name]
	if t == nil {
		t = newTop(name, keep)
		c[name] = t
	}
	return t
}

// region returns the collector for exponent e of a group.
func (c collectors) region(g *group, e int64, t Target) *top {
	switch {
	case g.k >= 10 || e < -1074:
		switch {
		case e == -1075, e == -2000, e == -1<<20:
			return c.get(fmt.Sprintf("pair-e%d", -e), 16)
		case g.k == 19:
			return c.get("pair-e2^20+1..63", 16)
		default:
			return c.get("pair-e2001-2031", 16)
		}
	case t == Double:
		switch {
		case e < -1022:
			return c.get("double-subnormal", 6)
		case e < -64:
			return c.get("double-u-e65-1022", 10)
		case e < -8:
			return c.get("double-u-e9-64", 12)
		case e < 0:
			return c.get("double-u-e1-8", 12)
		default:
			return c.get("double-above-1", 12)
		}
	case g.k < -1 && e < 0:
		return c.get(fmt.Sprintf("u-near1-k%d", g.k), 5)
	case g.k < -1:
		return c.get(fmt.Sprintf("above1-near1-k%d", g.k), 4)
	case e < -1022:
		return c.get(fmt.Sprintf("subnormal-%dbits", g.w+1), 5)
	case e < -64:
		return c.get("u-"+bucket(-e, []int64{65, 129, 256, 512, 739, 1015, 1023}), 14)
	case e < 0:
		return c.get(fmt.Sprintf("u-e%02d", -e), 5)
	case e < 8:
		return c.get(fmt.Sprintf("above1-e%d", e), 4)
	default:
		return c.get("above1-"+bucket(e, []int64{8, 16, 32, 64, 128, 256, 512, 739, 1024}), 9)
	}
}

// bucket names the interval between successive bounds that holds e.
func bucket(e int64, bounds []int64) string {
	for i := 1; i < len(bounds); i++ {
		if e < bounds[i] {
			return fmt.Sprintf("e%d-%d", bounds[i-1], bounds[i]-1)
		}
	}
	return "other"
}

// splitMix64 is Steele, Lea and Flood's generator.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// place returns a block of the group at a pseudo-random place.
func (g *group) place(rng *splitMix64) block {
	lo := uint64(math.Ldexp(g.from, int(g.w))) + 1
	hi := uint64(math.Ldexp(g.to, int(g.w)))
	h := halfRun(lo, g.k, runFill(g.k))
	runs := uint64(g.runs)
	if fit := (hi - lo) / uint64(2*h); runs > fit/2 {
		runs = max(1, fit/2)
	}
	room := hi - lo - runs*uint64(2*h)
	return block{w: g.w, k: g.k, start: lo + rng.next()%(room+1), runs: int(runs), h: h}
}

// runFill returns the expected number of lattice points per box that is
// fastest, as measured by BenchmarkFill: a few if the basis serves one
// exponent, less if it serves many, for those are sifted cheaply.
func runFill(k int) float64 {
	switch {
	case k < 0:
		return 2
	case k < 3:
		return 0.5
	default:
		return 0.05
	}
}

// run searches the group.
func (g *group) run(x *exactLn, c collectors, rng *splitMix64) (inputs float64, err error) {
	for n := range g.blocks {
		b := g.place(rng)
		var offs []offset
		for _, e := range g.exps {
			if !b.fits(e) {
				continue
			}
			for _, t := range []Target{Midpoint, Double} {
				if t == Double && (g.dbl == 0 || n%g.dbl != 0 || e < -1074) {
					continue
				}
				offs = append(offs, offset{e: e, target: t, pair: g.k >= 10 || e < -1074,
					add: addOf(x, e, g.k, t), top: c.region(g, e, t)})
			}
		}
		if len(offs) == 0 {
			continue
		}
		inputs += float64(b.last()-b.start) * float64(len(offs))
		err = b.search(x, offs, theta, func(m uint64, o *offset) {
			en := entry{pair: o.pair, target: o.target}
			en.log2, _ = x.log2Dist(m, b.w, o.e, o.target)
			if en.log2 > math.Log2(theta) {
				return
			}
			if o.pair {
				en.m, en.e = m&(1<<52-1), -o.e
			} else {
				var err error
				if en.bits, err = joinDouble(m, b.w, o.e); err != nil {
					return
				}
				if math.Abs(math.Float64frombits(en.bits)-1) < 0x1p-20 {
					return
				}
			}
			o.top.add(en)
		})
		if err != nil {
			return inputs, err
		}
	}
	return inputs, nil
}

// theta is the distance, in ulps, an input must not exceed to be listed.
const theta = 0x1p-40
