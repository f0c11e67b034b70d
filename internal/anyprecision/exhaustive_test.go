package anyprecision

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// cells lists what any bounds up to maxB cut the line into: the interior cell of each
// multiple, and for each edge the end cell on either side. The least B with which an
// interior cell exists is that of the neighbours of r; of an end cell, see nearLo.
func (m Mech) cells(maxB int64) []Cell {
	var all []Cell
	n := maxB/m.Unit + 1
	for i := -n; i <= n; i++ {
		r := i * m.Unit
		all = append(all,
			Cell{From: r - m.Unit/2, To: r + m.Unit/2, Output: r},
			Cell{NoFrom: true, To: r + m.Unit/2, nearLo: r, nearHi: m.Pred(r + m.Unit)},
			Cell{NoTo: true, From: r - m.Unit/2, nearLo: m.Succ(r - m.Unit), nearHi: r})
	}
	return all
}

// leastB is the part of the least B with which a cell exists that is not |x| or |x'|.
// An interior cell needs lo < r < hi. The lower end cell with edge c needs lo in
// [nearLo, nearHi] and lo <= x, x'; when that range is negative, the best lo is its
// upper end, or the lesser of x and x'; otherwise lo = nearLo is at most both.
func (m Mech) leastB(c Cell) int64 {
	switch {
	case c.Interior():
		return max(m.Succ(c.Output), -m.Pred(c.Output))
	case c.NoFrom && c.nearHi < 0:
		return -c.nearHi
	case c.NoTo && c.nearLo > 0:
		return c.nearLo
	}
	return 0
}

func (c Cell) allows(x int64) bool {
	return c.Interior() || c.NoFrom && x >= c.nearLo || c.NoTo && x <= c.nearHi
}

// fix is 2^44: logarithms are enclosed by integers over it.
const fix = 44

type fixed struct{ lo, hi int64 }

func toFixed(a iv) fixed {
	f := fixed{a.Lo.Floor(-fix).Int64(), a.Hi.Floor(-fix).Int64() + 1}
	return f
}

const none = int64(-1) << 61 // the logarithm of a probability 0

// A worst is the tightest instance met: excess/allowed, and where.
type worst struct {
	excess, allowed int64 // over 2^fix
	where           string
	pairs, cells    int64
	failures        int64
	infinite        int64 // least B with a probability 0
}

// tighter orders by excess/allowed, both positive.
func (w *worst) tighter(excess, allowed int64) bool {
	hi, lo := bits.Mul64(uint64(excess), uint64(w.allowed))
	hi2, lo2 := bits.Mul64(uint64(w.excess), uint64(allowed))
	return w.allowed == 0 || hi > hi2 || hi == hi2 && lo > lo2
}

func (w *worst) ratio() float64 { return float64(w.excess) / float64(w.allowed) }

func (w *worst) merge(o worst) {
	if o.allowed != 0 && w.tighter(o.excess, o.allowed) {
		w.excess, w.allowed, w.where = o.excess, o.allowed, o.where
	}
	w.pairs, w.cells, w.failures = w.pairs+o.pairs, w.cells+o.cells, w.failures+o.failures
}

// exhaust tries all pairs of inputs up to maxB, all bounds that hold them and all
// outputs, against allowed(B), a lower bound of what the loss may exceed
// |x - x'|/lambda by (none: the theorem says nothing there).
//
// Bounds enter by the cell and by B only, and allowed grows with B: so for each pair
// and cell the least B stands for all bounds. It is the greatest of leastB, |x| and
// |x'|. Among the pairs with |x'| <= |x| the distance is |x| - sgn(x) x', so a running
// maximum over x' in the order of magnitude replaces the loop over them.
func (m Mech) exhaust(maxB int64, allowed func(B int64) int64) worst {
	xs := Numbers(m.Format, maxB)
	slices.SortFunc(xs, func(a, b int64) int { return int(max(a, -a) - max(b, -b)) })
	over := make([]fixed, len(xs)) // x/lambda
	cap := make([]int64, len(xs))
	for i, x := range xs {
		over[i] = toFixed(m.over(x))
		cap[i] = allowed(max(x, -x))
	}
	w := worst{infinite: -1}
	for _, c := range m.cells(maxB) {
		b0 := m.leastB(c)
		if b0 > maxB {
			continue
		}
		cap0 := allowed(b0)
		w.cells++
		// best[sign of x][which probability is on top], over the x' so far
		type champ struct {
			v int64
			x int64
		}
		var best [2][2]champ
		for i := range best {
			best[i] = [2]champ{{none, 0}, {none, 0}}
		}
		seen := int64(0)
		for i, x := range xs {
			if !c.allows(x) {
				continue
			}
			l, zero := m.logProb(x, c)
			if B := max(b0, x, -x); zero && (w.infinite < 0 || B < w.infinite) {
				w.infinite = B
			}
			limit := cap[i]
			if b0 > max(x, -x) {
				limit = cap0
			}
			side, mag := 0, over[i].lo
			if x < 0 {
				side, mag = 1, -over[i].hi
			}
			if limit != none && zero {
				w.failures++
			}
			if limit != none && !zero {
				for k, own := range [2]int64{l.hi, -l.lo} {
					if best[side][k].v == none {
						continue
					}
					excess := own + best[side][k].v - mag
					if excess > limit {
						w.failures++
					}
					if excess > 0 && w.tighter(excess, limit) {
						w.excess, w.allowed = excess, limit
						w.where = fmt.Sprintf("%v x=%v x'=%v Cell=%+v B=%v", m, Dyadic(m.Format, x), Dyadic(m.Format, best[side][k].x), c, Dyadic(m.Format, max(b0, x, -x)))
					}
				}
				w.pairs += 2 * seen
			}
			if !zero {
				seen++
				for s, shift := range [2]int64{over[i].hi, -over[i].lo} {
					for k, other := range [2]int64{-l.lo, l.hi} {
						if v := other + shift; v > best[s][k].v {
							best[s][k] = champ{v, x}
						}
					}
				}
			}
		}
	}
	return w
}

type twoLogs struct {
	p    uint
	a, b int64
}

var logs [3]sync.Map // twoLogs: fixed, by shape of the cell

// logProb encloses the logarithm of the probability of a cell. It depends on the
// two thresholds and on where x lies, which few values share.
func (m Mech) logProb(x int64, c Cell) (l fixed, zero bool) {
	inside := (c.NoTo || x < c.To) && (c.NoFrom || x >= c.From)
	key := twoLogs{m.Format.Precision, -1, -1}
	shape := 0
	if !c.NoFrom {
		key.a = m.Chain(x, c.From).W
	}
	if !c.NoTo {
		key.b = m.Chain(x, c.To).W
	}
	if inside {
		shape = 1
	} else if !c.NoTo && x >= c.To {
		shape = 2
	}
	got, ok := logs[shape].Load(key)
	if !ok {
		l = fixed{none, none}
		if n := m.Prob(x, c); n.Sign() > 0 {
			l = toFixed(must(real.Ln(n, 80)))
		}
		logs[shape].Store(key, l)
		got = l
	}
	l = got.(fixed)
	return l, l.lo == none
}

// theorem is allowed for the theorem; scaled multiplies it by num/den.
func (m Mech) theorem(num, den int64) func(B int64) int64 {
	memo := map[int64]int64{}
	return func(B int64) int64 {
		v, ok := memo[B]
		if !ok {
			v = none
			if b, room := m.Bound(B); room {
				v = toFixed(b.Least()).lo * num / den
			}
			memo[B] = v
		}
		return v
	}
}

func run(ms []Mech, each func(m Mech) worst) worst {
	var total worst
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan Mech)
	for range 2 {
		wg.Go(func() {
			for m := range work {
				w := each(m)
				mu.Lock()
				total.merge(w)
				mu.Unlock()
			}
		})
	}
	for _, m := range ms {
		work <- m
	}
	close(work)
	wg.Wait()
	return total
}

// upTo is the greatest precision to try exhaustively: def, or ANYPRECISION_P if that is
// more. Each bit multiplies the time by 8; 7 takes half a minute on one core, 8 some minutes.
func upTo(def uint) uint {
	p, err := strconv.ParseUint(os.Getenv("ANYPRECISION_P"), 10, 6)
	if err != nil {
		return def
	}
	return max(def, uint(p))
}

// The theorem, for every scale of a binade, both variants, all bounds, inputs and
// outputs within its hypotheses: at the least Lambda they allow, and at the greatest.
func TestTheoremExhaustively(t *testing.T) {
	for p := uint(4); p <= upTo(6); p++ {
		f := Tiny(p)
		least := run(Mechs(f, f.EMin+int64(p)+2), func(m Mech) worst { return m.exhaust(m.Reach(), m.theorem(1, 1)) })
		assert.Zero(t, least.failures, "p = %d", p)
		t.Logf("p = %d, least Lambda: %d pairs and outputs, excess/allowed %.4f: %s", p, least.pairs, least.ratio(), least.where)
		limit := int64(1) << (f.EMax - 1 - u(f)) // B <= 2^(emax-1) = Lambda
		most := run(Mechs(f, f.EMax-1), func(m Mech) worst { return m.exhaust(min(limit, m.Reach()), m.theorem(1, 1)) })
		assert.Zero(t, most.failures, "p = %d", p)
		t.Logf("p = %d, greatest Lambda: %d, %.4f: %s", p, most.pairs, most.ratio(), most.where)
		require.NotZero(t, least.pairs)
		require.NotZero(t, most.pairs)
	}
}

// The reduction over bounds, against a plain loop over all bounds, pairs and outputs.
func TestReductionOverBounds(t *testing.T) {
	all := Mechs(Tiny(4), -1)
	for _, m := range []Mech{all[1], all[6], all[len(all)-2]} {
		limit, allowed := m.Reach(), m.theorem(1, 1)
		want := m.exhaust(limit, allowed)
		xs := Numbers(m.Format, limit)
		over, rows := make([]fixed, len(xs)), map[Cell][]fixed{}
		for i, x := range xs {
			over[i] = toFixed(m.over(x))
		}
		got := worst{}
		for i, lo := range xs {
			for j := i + 1; j < len(xs); j++ {
				cap := allowed(max(Magnitude(lo), Magnitude(xs[j])))
				for _, c := range m.outputs(lo, xs[j]) {
					row, ok := rows[c]
					if !ok {
						for _, x := range xs {
							l, _ := m.logProb(x, c)
							row = append(row, l)
						}
						rows[c] = row
					}
					for a := i; a <= j; a++ {
						for b := i; b <= j; b++ {
							e := row[a].hi - row[b].lo - over[max(a, b)].lo + over[min(a, b)].hi
							if a != b && e > 0 && got.tighter(e, cap) {
								got.excess, got.allowed = e, cap
							}
						}
					}
				}
			}
		}
		assert.InDelta(t, want.ratio(), got.ratio(), 1e-6, "%v", m)
		assert.NotZero(t, got.excess)
	}
}

// outputs lists the cells of the outputs for given bounds, in a form that equal cells share.
func (m Mech) outputs(lo, hi int64) []Cell {
	share := func(c Cell) Cell {
		c.Output = 0
		if c.NoFrom {
			c.From = 0
		}
		if c.NoTo {
			c.To = 0
		}
		return c
	}
	cs := []Cell{share(m.CellOf(lo, lo, hi)), share(m.CellOf(hi, lo, hi))}
	for r := lo&^(m.Unit-1) + m.Unit; r < hi; r += m.Unit {
		cs = append(cs, share(m.CellOf(r, lo, hi)))
	}
	return cs
}

// The chain of one threshold gives the probabilities that the oracle finds by search.
func TestChainAgreesWithOracle(t *testing.T) {
	for p := uint(4); p <= 12; p++ {
		f := Tiny(p)
		ms := Mechs(f, -1)
		n := 0
		for i := 0; i < len(ms); i += 1 + len(ms)/7 {
			m := ms[i]
			xs := Numbers(f, m.Reach())
			for j := 0; j < len(xs); j += 1 + len(xs)/9 {
				lo, hi := xs[j/3], xs[len(xs)-1-(len(xs)-j)/4]
				x := min(max(xs[j], lo), hi)
				val := func(n int64) spec.Value { return spec.FromDyadic(Dyadic(f, n)) }
				d, err := oracle.NewDistribution(spec.SnapParams{Format: f, Scale: m.Scale, Value: m.Value, Lo: val(lo), Hi: val(hi)}, spec.Unbounded, val(x))
				require.NoError(t, err)
				for r, pr := range d.All() {
					c := m.CellOf(Length(f, r), lo, hi)
					require.True(t, pr.Num.Equal(m.Prob(x, c)), "%v lo=%v hi=%v x=%v r=%v", m, Dyadic(f, lo), Dyadic(f, hi), Dyadic(f, x), r)
					n++
				}
			}
		}
		assert.Greater(t, n, 100)
	}
}

// cellOf is the cell of the output r (docs/theory.md 4).
func (m Mech) CellOf(r, lo, hi int64) Cell {
	floor := func(a int64) int64 { return a &^ (m.Unit - 1) }
	half := m.Unit / 2
	c := Cell{NoFrom: r == lo, NoTo: r == hi, Output: r, From: r - half, To: r + half}
	if c.NoFrom {
		c.To = floor(lo) + half
	}
	if c.NoTo {
		c.From = -floor(-hi) - half
	}
	return c
}
