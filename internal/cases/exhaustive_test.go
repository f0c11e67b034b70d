package cases

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// tiny has 15 numbers; its logarithm overflows below 2^-6, so 16 draws say everything.
var tiny = spec.Small(2, -1, 1)

const tinyE = 8

// data lists the numbers of a format, negative ones and one zero included, ascending.
func data(f spec.Format) (all []spec.Value) {
	for v := f.NextUp(spec.Inf(true)); v.IsFinite(); v = f.NextUp(v) {
		if v.IsZero() && len(all) > 0 && all[len(all)-1].IsZero() {
			continue
		}
		all = append(all, v.PlusZero())
	}
	return all
}

// allDraws lists the draws of the tiny format, ascending.
func allDraws(f spec.Format, k spec.Kind) (all []spec.U) {
	for e := int64(tinyE); e >= 1; e-- {
		for m := range uint64(1) << (f.Precision - 1) {
			u := spec.U{M: m, E: e}
			if k == spec.Unbounded || f.Contains(u.Value(f)) {
				all = append(all, u)
			}
		}
	}
	return all
}

// world is a tiny mechanism without bounds, evaluated at every draw: what a draw gives
// depends on the scale, x, u and s, and the bounds only clamp it.
type world struct {
	f      spec.Format
	us     []spec.U
	unit   real.Dyadic
	traces map[string][]spec.Trace // by x and s, one for each draw
}

func newWorld(t *testing.T, f spec.Format, k spec.Kind, scale spec.ScaleKind, value spec.Value) (world, bool) {
	max := spec.FromDyadic(f.MaxFinite())
	p := spec.SnapParams{Format: f, Scale: scale, Value: value, Lo: max.Neg(), Hi: max}
	unit, err := oracle.Unit(p)
	if err != nil {
		return world{}, false
	}
	w := world{f: f, us: allDraws(f, k), unit: unit.Dyadic(), traces: map[string][]spec.Trace{}}
	for _, x := range data(f) {
		for _, s := range []spec.Sign{1, -1} {
			for _, u := range w.us {
				tr, err := oracle.SnapF(p, x, u, s)
				require.NoError(t, err)
				w.traces[key(x, s)] = append(w.traces[key(x, s)], tr)
			}
		}
	}
	return w, true
}

func key(x spec.Value, s spec.Sign) string { return fmt.Sprint(x.Dyadic(), s) }

// gives lists, draw by draw, whether the output is r.
func (w world) gives(x, lo, hi, r spec.Value, s spec.Sign) (set []bool) {
	for _, tr := range w.traces[key(x, s)] {
		out := tr.Rounded
		if out.Cmp(lo) < 0 {
			out = lo
		}
		if out.Cmp(hi) > 0 {
			out = hi
		}
		set = append(set, out.Cmp(r) == 0)
	}
	return set
}

// run is a set of consecutive draws: the numbers of its first and of the one after its
// last. ok is false for a set with a hole.
func run(set []bool) (from, to int, ok bool) {
	from = slices.Index(set, true)
	if from < 0 {
		return 0, 0, true
	}
	for to = from; to < len(set) && set[to]; to++ {
	}
	return from, to, !slices.Contains(set[to:], true)
}

// outputs lists the outputs by their definition: the bounds and the multiples between.
func outputs(all []spec.Value, lo, hi spec.Value, unit real.Dyadic) (list []spec.Value) {
	for _, v := range all {
		if v.Cmp(lo) == 0 || v.Cmp(hi) == 0 || v.Cmp(lo) > 0 && v.Cmp(hi) < 0 && (v.IsZero() || v.Dyadic().Low() >= unit.Top()) {
			list = append(list, v)
		}
	}
	return list
}

// table is the table of docs/theory.md 5, row by row: when the case holds, with a = [f] <=
// b = [f'], and the shape of the draws for f and for f'. "0R" is (0, R) of s = +1, "LR"
// [L, R) of s = +1, "own" [R2, 1) of s = +1 and [R1, 1) of s = -1; "R0", "RL" are those
// of s = -1.
var table = []struct {
	Case
	holds   func(x, a, b, lo, hi spec.Value) bool
	of, of2 string
}{
	{AtLo, func(x, a, b, lo, hi spec.Value) bool { return eq(x, lo) && lt(lo, a) }, "0R", "0R"},
	{BelowF, func(x, a, b, lo, hi spec.Value) bool { return lt(lo, x) && lt(x, a) }, "LR", "LR"},
	{OwnF, func(x, a, b, lo, hi spec.Value) bool { return eq(x, a) }, "own", "LR, 0R or own"},
	{Between, func(x, a, b, lo, hi spec.Value) bool { return lt(a, x) && lt(x, b) }, "RL", "LR"},
	{OwnF2, func(x, a, b, lo, hi spec.Value) bool { return lt(a, x) && eq(x, b) }, "RL or R0", "own"},
	{AboveF2, func(x, a, b, lo, hi spec.Value) bool { return lt(b, x) && lt(x, hi) }, "RL", "RL"},
	{AtHi, func(x, a, b, lo, hi spec.Value) bool { return lt(b, x) && eq(x, hi) }, "R0", "R0"},
}

func eq(a, b spec.Value) bool { return a.Cmp(b) == 0 }
func lt(a, b spec.Value) bool { return a.Cmp(b) < 0 }

// shape is what the draws of an output look like, from the draws alone.
func (w world) shape(x, lo, hi, r spec.Value) (string, error) {
	plus, minus := w.gives(x, lo, hi, r, 1), w.gives(x, lo, hi, r, -1)
	a, b, ok := run(plus)
	c, d, ok2 := run(minus)
	if !ok || !ok2 {
		return "", errors.New("the draws are not consecutive")
	}
	n := len(w.us)
	switch own := w.own(x, lo, hi); {
	case eq(r, own):
		if b != n && a != b || d != n && c != d {
			return "", errors.New("the draws of the own cell do not go up to 1")
		}
		return "own", nil
	case lt(r, own) && c == d:
		return word(a == 0 && eq(r, lo), "0R", "LR"), nil
	case lt(own, r) && a == b:
		return word(c == 0 && eq(r, hi), "R0", "RL"), nil
	}
	return "", errors.New("the draws have the wrong sign")
}

func word(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// own is the output without noise, by the operations of the mechanism.
func (w world) own(x, lo, hi spec.Value) spec.Value {
	r, err := oracle.RoundMultiple(w.f, x, spec.FromDyadic(w.unit), spec.TiesUp)
	if err != nil { // beyond the largest number: a bound
		if r = hi; x.Sign() < 0 {
			r = lo
		}
	}
	r, _ = oracle.Clamp(r, lo, hi)
	return r
}

// count is what the exhaustion saw.
type count struct {
	of                                          map[Case]int
	both, end, swapped, oneSided, narrow, equal int
	questions, refused                          int
}

// seen is what the draws of one mechanism say: of each x the output without noise, and of
// each x and output the shape of the draws.
type seen struct {
	lo, hi spec.Value
	own    map[string]spec.Value
	shape  map[string]string
}

func (w world) look(p spec.SnapParams, all, outputs []spec.Value) (seen, error) {
	s := seen{p.Lo, p.Hi, map[string]spec.Value{}, map[string]string{}}
	for _, x := range all {
		if lt(x, p.Lo) || lt(p.Hi, x) {
			continue
		}
		s.own[x.Dyadic().String()] = w.own(x, p.Lo, p.Hi)
		for _, r := range outputs {
			shape, err := w.shape(x, p.Lo, p.Hi, r)
			if err != nil {
				return s, fmt.Errorf("x = %v, r = %v: %w", x, r, err)
			}
			s.shape[x.Dyadic().String()+" "+r.Dyadic().String()] = shape
		}
	}
	return s, nil
}

// check compares one class with the table and with the draws.
func (s seen) check(c Class, f, f2, x spec.Value) error {
	ordered := [2]spec.Value{f, f2}
	if lt(f2, f) {
		ordered = [2]spec.Value{f2, f}
	}
	var own [2]spec.Value
	var shapes [2]string
	for i, v := range ordered {
		v, _ := oracle.Clamp(v, s.lo, s.hi)
		own[i] = s.own[v.Dyadic().String()]
		shapes[i] = s.shape[v.Dyadic().String()+" "+x.Dyadic().String()]
		if !own[i].Dyadic().Equal(c.Own[i]) {
			return fmt.Errorf("[f] is %v, not %v", own[i], c.Own[i])
		}
	}
	holds := 0
	for _, row := range table {
		if !row.holds(x, own[0], own[1], s.lo, s.hi) {
			continue
		}
		holds++
		if c.Case != row.Case {
			return fmt.Errorf("it is called %q and is %q", c.Case, row.Case)
		}
		for i, want := range []string{row.of, row.of2} {
			at := map[string]Position{"0R": Below, "LR": Below, "own": Own, "RL": Above, "R0": Above}[shapes[i]]
			if !strings.Contains(want, shapes[i]) || c.Position(i) != at {
				return fmt.Errorf("case %q: the draws of input %d are %s and not %s; its position is %v", c.Case, i, shapes[i], want, c.Position(i))
			}
		}
	}
	if holds != 1 {
		return fmt.Errorf("%d cases hold", holds)
	}
	return nil
}

// Every scale, lo <= hi, f, f' (infinite ones too) and output of the tiny format: exactly
// one case, that of the table, and the draws of each input have the shape it says.
func TestCasesExhaustively(t *testing.T) {
	t.Parallel()
	all := data(tiny)
	require.Len(t, all, 15)
	inputs := append(append([]spec.Value{spec.Inf(true)}, all...), spec.Inf(false))
	n := count{of: map[Case]int{}}
	for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
		for _, value := range all[8:] {
			w, ok := newWorld(t, tiny, spec.Unbounded, scale, value)
			if !ok {
				continue
			}
			for i, lo := range all {
				for _, hi := range all[i:] {
					n.mechanism(t, w, spec.SnapParams{Format: tiny, Scale: scale, Value: value, Lo: lo, Hi: hi}, all, inputs)
				}
			}
		}
	}
	for _, c := range All() {
		t.Logf("%d %-18s %8d", int(c), c, n.of[c])
		assert.Positive(t, n.of[c], "%s", c)
	}
	t.Logf("%+v", n)
	for _, k := range []int{n.both, n.end, n.swapped, n.oneSided, n.narrow, n.equal, n.refused} {
		assert.Positive(t, k)
	}
}

func (n *count) mechanism(t *testing.T, w world, p spec.SnapParams, all, inputs []spec.Value) {
	legal := outputs(all, p.Lo, p.Hi, w.unit)
	s, err := w.look(p, all, legal)
	require.NoError(t, err, "%v", p)
	for i, f := range inputs {
		for j, f2 := range inputs {
			if testing.Short() && (i+2*j)%5 > 0 {
				continue
			}
			for _, x := range legal {
				c, err := Of(p, f, f2, x)
				if err == nil {
					err = s.check(c, f, f2, x)
				}
				if err != nil {
					require.NoError(t, err, "%v, f = %v, f' = %v, x = %v", p, f, f2, x)
				}
				n.questions++
				n.of[c.Case]++
				add(&n.both, c.Both)
				add(&n.end, c.End)
				add(&n.swapped, c.Swapped)
				add(&n.oneSided, p.Lo.Sign() == p.Hi.Sign())
				add(&n.narrow, p.Hi.Dyadic().Sub(p.Lo.Dyadic()).Cmp(w.unit) < 0)
				add(&n.equal, p.Lo.Cmp(p.Hi) == 0)
			}
		}
	}
	for _, x := range all { // what no draw can give is refused
		if !slices.ContainsFunc(legal, func(r spec.Value) bool { return eq(r, x) }) {
			_, err := Of(p, p.Lo, p.Hi, x)
			var no *spec.RejectError
			require.True(t, errors.As(err, &no) && no.Kind == spec.Domain && no.Subject == "x", "%v, x = %v: %v", p, x, err)
			n.refused++
		}
	}
}

func add(n *int, when bool) {
	if when {
		*n++
	}
}

// The exhaustion tells every wrong class: another case, another [f], one cell said to hold
// both inputs, and the bounds taken before the own cells.
func TestWrongClassesAreTold(t *testing.T) {
	all := data(tiny)
	w, ok := newWorld(t, tiny, spec.Unbounded, spec.ScaleLambda, all[9]) // lambda = Lambda = 1/2
	require.True(t, ok)
	lo, hi := all[0], all[14]
	p := spec.SnapParams{Format: tiny, Scale: spec.ScaleLambda, Value: all[9], Lo: lo, Hi: hi}
	s, err := w.look(p, all, outputs(all, lo, hi, w.unit))
	require.NoError(t, err)
	n := 0
	for _, q := range [][3]spec.Value{{all[3], all[9], all[0]}, {all[3], all[9], all[3]}, {all[0], all[3], all[0]}, {all[3], all[11], all[7]}, {all[11], all[14], all[14]}} {
		c, err := Of(p, q[0], q[1], q[2])
		require.NoError(t, err)
		require.NoError(t, s.check(c, q[0], q[1], q[2]))
		for _, other := range All() {
			if other != c.Case {
				wrong := c
				wrong.Case = other
				assert.Error(t, s.check(wrong, q[0], q[1], q[2]), "%s called %s", c.Case, other)
				n++
			}
		}
		wrong := c
		wrong.Own[1] = wrong.Own[1].Add(w.unit)
		assert.Error(t, s.check(wrong, q[0], q[1], q[2]))
		if wrong = c; c.Case == OwnF {
			wrong.Both = !c.Both
			assert.Error(t, s.check(wrong, q[0], q[1], q[2]))
		}
	}
	assert.Equal(t, 30, n)
	_, err = w.shape(all[7], lo, hi, all[9])
	require.NoError(t, err)
	w.traces[key(all[7], 1)][3].Rounded = all[14] // a hole in the draws
	_, err = w.look(p, all, outputs(all, lo, hi, w.unit))
	assert.ErrorContains(t, err, "x = +0")
}
