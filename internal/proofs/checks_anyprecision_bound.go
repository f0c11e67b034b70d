package proofs

import (
	"maps"
	"math/big"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/wide"
	"github.com/dp-crosscheck/crosscheck/internal/anyprecision"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// anyBound are the quantities of the theorem of proofs/any-precision.md, for exact
// kappa and eta with room.
type anyBound struct {
	kappa, eta, eta1, sigma Num
	Q, rest                 Num // rest is 1 - Q
	L, W, C, K, X           Num
	F, near, Z              Num // Z = near + F
	R                       Num
}

func newAnyBound(kappa, eta Num) anyBound {
	b := anyBound{kappa: kappa, eta: eta}
	n := intNum
	b.eta1 = eta.mul(n(1).add(eta.quo(n(2))))
	b.sigma = sumOf(n(2).mul(eta), n(8).mul(n(1).add(eta.quo(n(2)))).mul(kappa), n(1).add(n(6).mul(b.eta1)).mul(kappa.add(eta)))
	b.Q = memo(b.sigma.sub(n(1)).exp())
	b.rest = n(1).sub(b.Q)
	b.L = atLeast(n(1), fracNum(1, 2).add(b.Q))
	b.W = n(2).mul(b.L).add(n(2).mul(n(1).add(eta)).mul(n(2).add(b.Q)))
	b.C = memo(sumOf(n(4).mul(b.L), n(4).mul(n(1).add(eta)).mul(n(1).add(b.Q)), b.W.mul(eta)).quo(b.rest))
	b.K = memo(sumOf(b.L, n(1), n(3).mul(b.Q), b.W.mul(eta)).quo(b.rest))
	b.X = memo(b.C.mul(kappa).add(b.K.mul(eta)))
	b.F = memo(n(1).sub(n(1).add(b.sigma).neg().exp()).quo(b.rest).ln())
	square := eta.mul(eta)
	b.near = sumOf(n(8).mul(kappa), n(12).mul(eta).mul(kappa), n(7).mul(square), n(4).mul(square).mul(kappa.add(eta)))
	b.Z = memo(b.near.add(b.F))
	b.R = n(4).mul(n(1).add(eta.quo(n(2)))).mul(sumOf(n(2).mul(kappa), eta, eta.mul(kappa.add(eta))))
	return b
}

func sumOf(list ...Num) Num {
	total := list[0]
	for _, a := range list[1:] {
		total = total.add(a)
	}
	return total
}

// memo keeps the enclosures of a number that is used often.
func memo(a Num) Num {
	if a.exact != nil {
		return a
	}
	known := map[uint]real.Interval{}
	return Num{at: func(prec uint) (real.Interval, error) {
		if i, ok := known[prec]; ok {
			return i, nil
		}
		i, err := a.enclose(prec)
		if err == nil {
			known[prec] = i
		}
		return i, err
	}}
}

// atLeast is the greater of two numbers, which need not be decided.
func atLeast(a, b Num) Num {
	return lift(a, b, func(x, y *big.Rat) *big.Rat {
		if x.Cmp(y) < 0 {
			return y
		}
		return x
	}, func(x, y real.Interval, _ uint) (real.Interval, error) {
		return real.Interval{Lo: real.Max(x.Lo, y.Lo), Hi: real.Max(x.Hi, y.Hi)}, nil
	})
}

// grid calls f with bounds all over the part of the plane where there is room: kappa up
// to its limit, its least value eta, and the corners of the corollaries.
func (t *Trial) grid(f func(b anyBound, at string)) {
	for _, p := range []int64{4, 5, 6, 8, 11, 24, 53} {
		eta := dyNum(t.subject.eta(spec.Small(uint(p), -p-3, p)))
		const n = 10
		for i := int64(0); i <= n; i++ {
			kappa := fracNum(2*i+1, 9*(2*n+1))
			switch i {
			case 0:
				kappa = eta
			case n: // just below the limit of room
				kappa = roomLimit(p).sub(fracNum(1, 1<<20))
			}
			sigma := newAnyBound(kappa, eta).sigma
			if kappa.exact.Cmp(eta.exact) < 0 || sigma.exact.Cmp(big.NewRat(1, 1)) >= 0 {
				continue
			}
			t.instance()
			f(newAnyBound(kappa, eta), "kappa = "+kappa.exact.FloatString(6)+", eta = 2^-"+strconv.FormatInt(p, 10))
		}
	}
}

// roomLimit is the kappa at which sigma = 1: sigma is linear in kappa.
func roomLimit(p int64) Num {
	eta := pow2Num(-p)
	at := func(k int64) Num { return newAnyBound(intNum(k), eta).sigma }
	return intNum(1).sub(at(0)).quo(at(1).sub(at(0)))
}

// checkFirstBound: what is evaluated here is what internal/anyprecision tries
// exhaustively, with the constants of the text.
func checkFirstBound(t *Trial) {
	n := intNum
	t.grid(func(b anyBound, at string) {
		k, e := b.kappa, b.eta
		long := sumOf(t.num("9").mul(k), t.num("3").mul(e), n(10).mul(e).mul(k), n(6).mul(e).mul(e), n(3).mul(e).mul(e).mul(k.add(e)))
		t.Eq(b.sigma, long, "sigma = 9 kappa + 3 eta + ..., %s", at)
		same, ok := anyprecision.NewBound(pointOf(k), pointOf(e))
		t.True(ok, "internal/anyprecision has room, %s", at)
		C := sumOf(t.num("4 L", "4").mul(b.L), n(4).mul(n(1).add(e)).mul(n(1).add(b.Q)), b.W.mul(e))
		K := sumOf(b.L, t.num("1 of K", "1"), n(3).mul(b.Q), b.W.mul(e))
		t.equals(C.quo(b.rest), same.C, "C, %s", at)
		t.equals(K.quo(b.rest), same.K, "K, %s", at)
		t.equals(b.X, same.X(), "X, %s", at)
	})
	// The limits, as kappa and eta vanish.
	b := newAnyBound(pow2Num(-200), pow2Num(-200))
	e := n(1).exp()
	C, K := t.num("4(2e+1)", "4").mul(n(2).mul(e).add(n(1))).quo(e.sub(n(1))), n(2).mul(e).add(n(3)).quo(e.sub(n(1)))
	for _, c := range [][3]Num{{C, b.C, parseNum("14.983")}, {K, b.K, parseNum("4.909")}} {
		t.Lt(c[0].sub(c[1]).abs(), pow2Num(-190), "the limit")
		t.True(lessThan(c[2], c[0]) && lessThan(c[0], c[2].add(parseNum("0.001"))), "the digits of the limit")
	}
	for p, limit := range map[int64]string{4: "0.0818", 5: "0.0966", 8: "0.1093"} {
		l, at := roomLimit(p), t.num(limit)
		t.True(lessThan(at, l) && lessThan(l, at.add(parseNum("0.0001"))), "room at p = %d ends at %s", p, limit)
	}
	t.Lt(roomLimit(200), fracNum(1, 9), "room ends below 1/9")
	t.True(roomLimit(3).exact.Cmp(big.NewRat(1, 8)) < 0, "p = 3 has no room")
}

func checkSecondBound(t *Trial) {
	n := intNum
	t.grid(func(b anyBound, at string) {
		k, e := b.kappa, b.eta
		same, _ := anyprecision.NewBound(pointOf(k), pointOf(e))
		near := sumOf(t.num("8").mul(k), n(12).mul(e).mul(k), t.num("7").mul(e).mul(e), n(4).mul(e).mul(e).mul(k.add(e)))
		t.equals(near.add(b.F), same.Z(), "Z, %s", at)
	})
	// Which bound is the smaller, with eta far below kappa.
	small, large := newAnyBound(t.num("1/37"), pow2Num(-100)), newAnyBound(t.num("1/35"), pow2Num(-100))
	t.Lt(small.X, small.Z, "X < Z at kappa = 1/37")
	t.Lt(large.Z, large.X, "Z < X at kappa = 1/35")
}

// lessThan reports a < b where that is decided.
func lessThan(a, b Num) bool {
	c, err := a.cmp(b)
	return err == nil && c < 0
}

func pointOf(a Num) real.Interval {
	i, _ := a.enclose(minPrec) // rational: no error
	return i
}

// equals compares with an enclosure computed elsewhere.
func (t *Trial) equals(a Num, b real.Interval, format string, args ...any) {
	i, err := a.enclose(2 * minPrec)
	t.True(err == nil && i.Hi.Cmp(b.Lo) >= 0 && i.Lo.Cmp(b.Hi) <= 0 && b.Width().Cmp(real.Pow2(-60)) < 0, format, args...)
}

// An integer corollary: c and a do for kappa <= 2^-k from precision k on.
type integers struct{ c, a, k int64 }

var (
	ofZ = []integers{{21, 14, 4}, {20, 5, 5}}
	ofX = []integers{{18, 7, 6}, {16, 6, 8}, {15, 5, 13}}
)

// checkIntegers follows the proof of corollary 1: Z by its values at the corners of a
// triangle, on whose sides it is convex; X by C and K at the greatest kappa and eta.
func checkIntegers(t *Trial) {
	number := func(what string, k, n int64) Num {
		return t.num(what+" for 2^-"+strconv.FormatInt(k, 10), strconv.FormatInt(n, 10))
	}
	for _, i := range ofZ {
		t.instance()
		c, a, top := number("c", i.k, i.c), number("a", i.k, i.a), pow2Num(-i.k)
		flat, corner := newAnyBound(top, intNum(0)), newAnyBound(top, top)
		t.Le(flat.Z, c.mul(top), "Z <= c kappa at eta = 0, 2^-%d", i.k)
		t.Le(corner.Z, c.add(a).mul(top), "Z <= (c + a) kappa at eta = kappa, 2^-%d", i.k)
		t.Lt(c.add(a).sub(intNum(1)).mul(top), corner.Z, "a - 1 would not do, 2^-%d", i.k)
	}
	for _, i := range ofX {
		t.instance()
		c, a := number("c", i.k, i.c), number("a", i.k, i.a)
		b := newAnyBound(pow2Num(-i.k), pow2Num(-i.k))
		if !lessThan(b.C, c) || !lessThan(b.K, a) { // then at eta = kappa together, and apart from the next precision on
			t.Le(b.C.add(b.K), c.add(a), "C + K <= c + a at eta = kappa, 2^-%d", i.k)
			b = newAnyBound(pow2Num(-i.k), pow2Num(-i.k-1))
		}
		t.Le(b.C, c, "C <= c, 2^-%d", i.k)
		t.Le(b.K, a, "K <= a, 2^-%d", i.k)
	}
	// The convexity and the monotony that carry this over the whole range, on the grid.
	t.grid(func(b anyBound, at string) {
		for _, i := range append(append([]integers{}, ofZ...), ofX...) {
			if b.kappa.exact.Cmp(pow2Num(-i.k).exact) <= 0 {
				allowed := number("c", i.k, i.c).mul(b.kappa).add(number("a", i.k, i.a).mul(b.eta))
				t.True(!lessThan(allowed, b.X) || !lessThan(allowed, b.Z), "(%d, %d) suffices, %s", i.c, i.a, at)
			}
		}
	})
}

// checkWideCode: what impl/wide and spec charge is corollary 2. The values of scales
// of impl/wide are in [2^-1074, 2^1024), either variant, and its bounds are doubles.
func checkWideCode(t *Trial) {
	for _, p := range []uint{53, 54, 64, 118, 119, 256, 1076, spec.MaxWide} {
		t.instance()
		f, n := spec.Wide(p), int64(p)
		t.True(f.EMin <= -n-3 && f.EMax >= n-2, "format, p = %d", p)
		t.True(f.EMin+n+2 <= -1074 && 1074 <= f.EMax-1, "unit and range, p = %d", p)
		cost := t.integer("p - 15", "15")
		if k := n - cost; k < 1000 {
			one, most := big.NewFloat(1).SetPrec(p), pow2Float(k)
			build := func(hi float64) error {
				_, err := wide.NewScale(wide.ScaleParams{Precision: p, Scale: impl.Lambda, Value: one, Sensitivity: 1, Lo: 0, Hi: hi, Constant: impl.Proved()})
				return err
			}
			t.True(build(most) == nil, "impl/wide accepts B = 2^(p-15) lambda, p = %d", p)
			t.True(build(most*(1+0x1p-52)) != nil, "impl/wide refuses more, p = %d", p)
		}
		// kappa = 2^(p - 15) eta is at most the limit of (15, 5), at every precision.
		last := ofX[len(ofX)-1]
		t.True(cost >= last.k && n >= last.k, "2^-15 is within corollary 1, p = %d", p)
		t.True(spec.Proved.C == last.c && spec.Proved.A == last.a && spec.Proved.Floor == 1, "spec.Proved is (15, 5), p = %d", p)
		t.True(int64(impl.Proved().C()) == last.c && int64(impl.Proved().Additive()) == last.a, "impl.Proved is (15, 5), p = %d", p)
	}
	t.True(spec.Binary64.EMin+55 == -967 && spec.Binary64.EMax-1 == 1022, "the range of binary64")
	h := spec.Binary16
	t.True(h.EMin == -int64(h.Precision)-3 && h.EMin+int64(h.Precision)+2 == -1, "binary16: Lambda >= 1/2")
}

func pow2Float(k int64) float64 {
	r, _ := real.Pow2(k).Rat()
	x, _ := r.Float64()
	return x
}

// checkNothingAbove: an output of probability 0 at kappa = (1 + 2^(1-p))^2/4.
func checkNothingAbove(t *Trial) {
	for p := int64(4); p <= 12; p++ {
		t.instance()
		f := anyprecision.Tiny(uint(p))
		eps := real.One().Add(real.Pow2(1 - p)).Shift(t.integer("log epsilon", "1"))
		r := real.Pow2(p - 3)
		hi := r.Add(real.Pow2(-2))
		x := r.Sub(real.Pow2(-3)).Neg()
		par := spec.SnapParams{Format: f, Scale: spec.ScaleEpsilon, Value: spec.FromDyadic(eps), Lo: spec.FromDyadic(hi.Neg()), Hi: spec.FromDyadic(hi)}
		m, err := newMechIn(par, spec.Unbounded, t.subject.at(f))
		if err != nil || !f.Has(spec.FromDyadic(x)) || !f.Has(par.Hi) {
			t.fail("p = %d: %v", p, err)
			continue
		}
		// Left of the cell of r only s = -1 counts: it is hit when both thresholds differ.
		hits := func(x real.Dyadic, s spec.Sign) bool {
			var at [2]real.Dyadic
			for i, c := range []real.Dyadic{r.Sub(real.Pow2(m.k - 1)), r.Add(real.Pow2(m.k - 1))} {
				h, err := m.hint(spec.FromDyadic(x), c)
				if err == nil {
					at[i], err = m.crosses(spec.FromDyadic(x), s, c, h)
				}
				t.True(err == nil, "p = %d: %v", p, err)
			}
			return !at[0].Equal(at[1])
		}
		t.True(!hits(x, -1), "Pr = 0 under f, p = %d", p)
		t.True(hits(r, -1) && hits(r, 1), "Pr > 0 under f', p = %d", p)
		root := intNum(1).add(pow2Num(1 - p))
		t.Eq(m.kappa(), root.mul(root).mul(t.num("1/4")), "kappa, p = %d", p)
	}
}

// anyBlocks are the generators of proofs/any-precision.md.
var anyBlocks = map[string]func() (string, error){
	"any-precision-integers": integersBlock,
	"any-precision-room":     roomBlock,
}

// withAnyBlocks adds them to others.
func withAnyBlocks(b map[string]func() (string, error)) map[string]func() (string, error) {
	all := maps.Clone(b)
	maps.Copy(all, anyBlocks)
	return all
}

func integersBlock() (string, error) {
	rows := [][]any{{"kappa <=", "c", "a", "c + a", "", "eta = 0", "eta = kappa"}}
	power := func(k int64) string { return "2^-" + strconv.FormatInt(k, 10) }
	for _, i := range ofZ {
		top := pow2Num(-i.k)
		rows = append(rows, []any{power(i.k), i.c, i.a, i.c + i.a, "Z/kappa", newAnyBound(top, intNum(0)).Z.quo(top), newAnyBound(top, top).Z.quo(top)})
	}
	rows = append(rows, []any{"", "", "", "", "", "eta = kappa/2", "eta = kappa"})
	for _, i := range ofX {
		half, full := newAnyBound(pow2Num(-i.k), pow2Num(-i.k-1)), newAnyBound(pow2Num(-i.k), pow2Num(-i.k))
		rows = append(rows,
			[]any{power(i.k), i.c, i.a, i.c + i.a, "C", half.C, full.C},
			[]any{"", "", "", "", "K", half.K, full.K},
			[]any{"", "", "", "", "C + K", half.C.add(half.K), full.C.add(full.K)})
	}
	return tableText(rows)
}

func roomBlock() (string, error) {
	rows := [][]any{{"p", "kappa <"}}
	for _, p := range []int64{4, 5, 8, 11, 24, 53} {
		rows = append(rows, []any{p, roomLimit(p)})
	}
	e := intNum(1).exp()
	d := e.sub(intNum(1))
	rows = append(rows, []any{""},
		[]any{"C at 0, 4(2e+1)/(e-1)", intNum(4).mul(e.add(e).add(intNum(1))).quo(d)},
		[]any{"K at 0, (2e+3)/(e-1)", e.add(e).add(intNum(3)).quo(d)})
	return tableText(rows)
}
