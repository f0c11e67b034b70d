package published_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel/published"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// value evaluates a single operation by the oracle.
func value(t *testing.T, f spec.Format, e lang.Float, at map[string]spec.Value) spec.Value {
	t.Helper()
	arg := func(i int) spec.Value { return at[e.Args()[i].Key()] }
	switch e.Op() {
	case lang.Const:
		d, ok := e.Number().Dyadic()
		require.True(t, ok)
		return oracle.Round(f, d)
	case lang.Add:
		return oracle.Add(f, arg(0), arg(1))
	case lang.Sub:
		return oracle.Sub(f, arg(0), arg(1))
	case lang.Mul:
		return oracle.Mul(f, arg(0), arg(1))
	case lang.Quo:
		return oracle.Quo(f, arg(0), arg(1))
	case lang.Ln:
		v, err := oracle.Ln(f, arg(0))
		require.NoError(t, err)
		return v
	}
	t.Fatalf("%v", e.Op())
	return spec.Value{}
}

func TestWitnessesRefuteThePublishedRules(t *testing.T) {
	ids := map[string]bool{}
	for _, w := range published.Witnesses {
		require.False(t, ids[w.ID], w.ID)
		ids[w.ID] = true
		p, err := w.Parse()
		require.NoError(t, err, w.ID)
		j, err := published.UnsoundDerive(w.Format, p.Expr, p.Env)
		require.NoError(t, err, w.ID)
		got := value(t, w.Format, p.Expr, p.At)
		require.True(t, got.IsFinite() && got.Dyadic().Equal(p.Value), "%s: %v", w.ID, got)
		for k, v := range p.At {
			require.True(t, w.Format.Has(v) && p.Env[k].Contains(v.Dyadic()) &&
				w.Format.Contains(p.Env[k].Lo) && w.Format.Contains(p.Env[k].Hi), "%s: %s", w.ID, k)
		}
		assert.True(t, j.RefutedBy(p.Value), w.ID)
		lo, hi := j.Ends()
		t.Logf("%-20s %-7s %s = %v outside (%v, %v)", w.ID, w.Format.Name, w.Expr, got, lo.Outward(12).Lo, hi.Outward(12).Hi)
	}
	assert.Len(t, ids, 20)
}

// The numbers of the smallest format, in the order of the search.
var points = []real.Dyadic{
	{}, real.Pow2(-1), real.Pow2(-1).Neg(), real.One(), real.One().Neg(), real.FromUint64(3, -1), real.FromUint64(3, -1).Neg(),
}

// box is a candidate: leaf intervals as indices of points, and the values taken.
type box struct{ xl, xh, x, yl, yh, y int }

// cost orders candidates: intervals that are no points first, then how far down
// the list their numbers are.
func (b box) cost() int {
	c := b.xl + b.xh + b.x + b.yl + b.yh + b.y
	if b.xl != b.xh {
		c += 100
	}
	if b.yl != b.yh {
		c += 100
	}
	return c
}

func boxes(visit func(b box)) {
	order := func(l, v, h int) bool { return points[l].Cmp(points[v]) <= 0 && points[v].Cmp(points[h]) <= 0 }
	n := len(points)
	for i := range n * n * n * n * n * n {
		b := box{i % n, i / n % n, i / n / n % n, i / n / n / n % n, i / n / n / n / n % n, i / n / n / n / n / n}
		if order(b.xl, b.x, b.xh) && order(b.yl, b.y, b.yh) {
			visit(b)
		}
	}
}

// The witnesses in the smallest format are the first of their faults: no candidate
// that shows the same fault costs less.
func TestWitnessesAreSmallest(t *testing.T) {
	f := published.Smallest
	one := real.One()
	sign := func(i int) int { return points[i].Sign() }
	point := func(b box) bool { return b.xl == b.xh && b.yl == b.yh }
	faults := map[string]struct {
		op   lang.Op
		only func(b box) bool // what makes it this fault and no other
	}{
		"add-negative": {lang.Add, func(b box) bool { return point(b) && sign(b.x) <= 0 && sign(b.y) <= 0 }},
		"sub-pairing":  {lang.Sub, func(b box) bool { return points[b.xl].Cmp(points[b.yh]) >= 0 }},
		"mul-signs": {lang.Mul, func(b box) bool {
			return point(b) && sign(b.x)*sign(b.y) < 0 && points[b.x].Mul(points[b.y]).Abs().Cmp(one) >= 0
		}},
		"mul-underflow": {lang.Mul, func(b box) bool {
			return point(b) && sign(b.x) > 0 && sign(b.y) > 0 && points[b.x].Mul(points[b.y]).Cmp(one) < 0
		}},
		"quo-signs": {lang.Quo, func(b box) bool {
			return point(b) && sign(b.x)*sign(b.y) < 0 && points[b.x].Abs().Cmp(points[b.y].Abs()) >= 0
		}},
		"quo-pairing": {lang.Quo, func(b box) bool {
			overflow := points[b.yl].Mul(real.FromUint64(7, -2)) // (2 - 2^-2) y: no quotient of the box overflows
			return sign(b.xl) > 0 && sign(b.yl) > 0 && points[b.xl].Cmp(points[b.yh]) >= 0 && points[b.xh].Cmp(overflow) < 0
		}},
		"quo-underflow": {lang.Quo, func(b box) bool {
			return point(b) && sign(b.x) > 0 && sign(b.y) > 0 && points[b.x].Cmp(points[b.y]) < 0
		}},
	}
	exprs := map[lang.Op]string{lang.Add: "x + y", lang.Sub: "x - y", lang.Mul: "x * y", lang.Quo: "x / y"}
	best := map[string]box{}
	for id, fault := range faults {
		e, err := lang.Parse[lang.Floats](exprs[fault.op])
		require.NoError(t, err)
		least := 1 << 20
		boxes(func(b box) {
			if b.cost() >= least || !fault.only(b) {
				return
			}
			env := map[string]real.Interval{"x": {Lo: points[b.xl], Hi: points[b.xh]}, "y": {Lo: points[b.yl], Hi: points[b.yh]}}
			j, err := published.UnsoundDerive(f, e, env)
			if err != nil {
				return
			}
			v := value(t, f, e, map[string]spec.Value{"x": spec.FromDyadic(points[b.x]), "y": spec.FromDyadic(points[b.y])})
			if v.IsFinite() && j.RefutedBy(v.Dyadic()) {
				least, best[id] = b.cost(), b
			}
		})
	}
	index := func(s string) int {
		d, err := lang.ParseDyadic(s)
		require.NoError(t, err)
		for i, p := range points {
			if p.Equal(d) {
				return i
			}
		}
		t.Fatalf("%s is not in the format", s)
		return 0
	}
	checked := 0
	for _, w := range published.Witnesses {
		if b, ok := best[w.ID]; ok {
			x, y := w.Env[0], w.Env[1]
			got := box{index(x.Lo), index(x.Hi), index(x.At), index(y.Lo), index(y.Hi), index(y.At)}
			assert.Equal(t, b.cost(), got.cost(), "%s: the search finds %+v, kept is %+v", w.ID, b, got)
			assert.True(t, faults[w.ID].only(got), w.ID)
			checked++
		}
	}
	assert.Equal(t, len(faults), checked)

	// Constants and ln: powers of two in order of magnitude from 1 down; -1 and 1/4 are
	// the first that fail, ln's first argument below 1 fails.
	for _, c := range []struct {
		r       real.Dyadic
		refuted bool
	}{{one, false}, {real.Pow2(-1), false}, {one.Neg(), true}, {real.Pow2(-2), true}} {
		j, err := published.UnsoundConst(f, lang.FromDyadic(c.r))
		require.NoError(t, err)
		assert.Equal(t, c.refuted, j.RefutedBy(oracle.Round(f, c.r).Dyadic()), "%v", c.r)
	}
}

func TestPublishedConcludesNothing(t *testing.T) {
	f := spec.Binary64
	for _, src := range []string{"neg(x)", "round[1](x)", "clamp[0, 1](x)", "1 / 0", "ln(0)", "ln(-1)", "q"} {
		e, err := lang.Parse[lang.Floats](src)
		require.NoError(t, err)
		_, err = published.UnsoundDerive(f, e, map[string]real.Interval{"x": real.Point(real.One())})
		assert.ErrorIs(t, err, published.ErrNotInFigure, src)
	}
	_, err := published.UnsoundDerive(f, lang.Float{}, nil)
	assert.Error(t, err)
	var none published.UnsoundJudgment
	assert.False(t, none.RefutedBy(real.One()) || none.Reversed())
	_, err = published.UnsoundOp(f, lang.Add, none, none)
	assert.Error(t, err)
	_, err = published.Witness{Expr: strings.Repeat("(", 9)}.Parse()
	assert.Error(t, err)
}
