package cases

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func params(scale spec.ScaleKind, value, lo, hi float64) spec.SnapParams {
	return spec.SnapParams{Format: spec.Binary64, Scale: scale, Value: dbl(value), Lo: dbl(lo), Hi: dbl(hi)}
}

func dbl(x float64) spec.Value { return spec.FromFloat64(x) }

// inside returns what is wrong with an end point: its proofs must be judgments of the
// right draws on the right sides, and the threshold between them.
func inside(r *Report, s Side, e EndPoint) error {
	f := r.Params.Format
	us := draws{f, r.Kind}
	exact := us.number(e.Exact)
	for _, p := range []struct {
		Proof
		past bool
	}{{e.Crossing, true}, {e.Staying, false}} {
		if !p.Valid {
			continue
		}
		w, ok := p.Snap.Stage("w")
		u, ok2 := p.Snap.Stage("u")
		switch {
		case !ok || !ok2 || w != p.Judgment:
			return errors.New("the judgment is not of w")
		case !u.Interval().IsPoint() || !u.Interval().Lo.Equal(p.Draw.Value(f)) || p.Snap.Sign != e.Sign:
			return errors.New("the judgment is about another draw")
		}
		ends := w.Interval()
		if low, high := ends.Hi.Cmp(e.Edge) < 0, ends.Lo.Cmp(e.Edge) >= 0; p.past == (e.Sign > 0) && !low || p.past == (e.Sign < 0) && !high {
			return fmt.Errorf("w in [%v, %v] is not on the side of %v that is said", ends.Lo, ends.Hi, e.Edge)
		}
		// A right mechanism is where the judgment says, so the threshold is on this side.
		if n := us.number(p.Draw); p.past != (n.Cmp(exact) < 0) {
			return fmt.Errorf("%s: the threshold %v is on the wrong side of %v", e.Name, exact, n)
		}
		// No tighter draw is proved.
		next := new(big.Int).Add(us.number(p.Draw), big.NewInt(map[bool]int64{true: 1, false: -1}[p.past]))
		if next.Sign() < 0 && next.Cmp(us.low()) >= 0 {
			v, _ := newQuestion(r.Params, r.Kind, s.Input, s.X, e.Edge).judge(next)
			if p.past && v == crossing || !p.past && v == staying {
				return fmt.Errorf("%s: the next draw is proved too", e.Name)
			}
		}
	}
	if v := e.Exact.Value(f); !e.Derived.Contains(v) {
		return fmt.Errorf("%s: %v is not in [%v, %v]", e.Name, v, e.Derived.Lo, e.Derived.Hi)
	}
	return nil
}

// within returns what is wrong with the bound of a report: it must bound the loss.
func within(r *Report) error {
	p := [2]real.Dyadic{r.Sides[0].P.Num, r.Sides[1].P.Num}
	for i, q := range r.Largest {
		if !q.Infinite() && p[i].Mul(q.Den).Cmp(p[1-i].Mul(q.Num)) > 0 {
			return fmt.Errorf("the ratio %d exceeds %v/%v", i, q.Num, q.Den)
		}
	}
	if !r.InfiniteDerived && (r.InfiniteLoss || r.Loss.Lo.Cmp(r.Derived.Hi) > 0) {
		return errors.New("the loss exceeds the derived bound")
	}
	for _, c := range r.Claims {
		if c.Reached && c.Exceeded {
			return fmt.Errorf("%s is derived, and exceeded", c.Name)
		}
	}
	return nil
}

func verify(r *Report) error {
	for _, s := range r.Sides {
		for _, e := range s.Ends {
			if err := inside(r, s, e); err != nil {
				return fmt.Errorf("%s: %w", r.Case, err)
			}
		}
	}
	return within(r)
}

// draw makes a question: both scales and kinds, B/lambda from 1/8 to 2^9, bounds of all
// sorts, inputs near and far apart, and an output of each case as often as there is one.
func draw(r *rand.Rand) (p spec.SnapParams, k spec.Kind, f, f2, x spec.Value) {
	value := math.Ldexp(1+r.Float64(), r.IntN(9)-4)
	if r.IntN(3) == 0 {
		value = math.Ldexp(1, r.IntN(5)-2)
	}
	scale, lambda := spec.ScaleLambda, value
	if r.IntN(2) == 0 {
		scale, lambda = spec.ScaleEpsilon, 1/value
	}
	b := lambda * math.Ldexp(1+r.Float64(), r.IntN(13)-3)
	lo, hi := -b, b
	switch r.IntN(6) {
	case 0:
		lo = b / 4
	case 1:
		hi = -b / 2
	case 2:
		lo = 0
	case 3:
		lo, hi = -math.Ceil(b), math.Ceil(b)
	}
	at := func() float64 { return lo + (hi-lo)*r.Float64() }
	a := at()
	if r.IntN(4) == 0 {
		a = []float64{lo, hi, hi + 1, math.Inf(-1), math.Round(a) + 0.5}[r.IntN(5)]
	}
	c := a + lambda*(4*r.Float64()-2)
	if r.IntN(3) == 0 {
		c = at()
	}
	p, k = params(scale, value, lo, hi), []spec.Kind{spec.Unbounded, spec.FloatRange}[r.IntN(2)]
	f, f2 = dbl(a), dbl(c)
	unit, err := oracle.Unit(p)
	if err != nil {
		panic(err)
	}
	list := []float64{lo, hi}
	for _, v := range []float64{a, c, at(), at(), (a + c) / 2} {
		u := float(unit)
		if v = math.Round(v/u) * u; v > lo && v < hi {
			list = append(list, v)
		}
	}
	return p, k, f, f2, dbl(list[r.IntN(len(list))])
}

func float(v spec.Value) float64 {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		panic(err)
	}
	return math.Float64frombits(b)
}

// In every case, for both kinds and scales, the threshold is inside what is derived, the
// proofs are what they claim and as tight as they can be, and the bound holds.
func TestThresholdsInsideDerivations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20200210, 5))
	n, ends, infinite := map[Case]map[spec.Kind]int{}, map[string]int{}, 0
	for range map[bool]int{false: 1500, true: 300}[testing.Short()] {
		p, k, f, f2, x := draw(r)
		rep, err := New(p, k, f, f2, x)
		require.NoError(t, err, "%v %v %v %v %v", p, k, f, f2, x)
		require.NoError(t, verify(rep), "%v %v %v %v %v", p, k, f, f2, x)
		if n[rep.Case] == nil {
			n[rep.Case] = map[spec.Kind]int{}
		}
		n[rep.Case][k]++
		for _, s := range rep.Sides {
			for _, e := range s.Ends {
				ends[e.Name]++
			}
		}
		if rep.InfiniteLoss {
			infinite++
		}
	}
	for _, c := range All() {
		t.Logf("%d %-18s %v", int(c), c, n[c])
		assert.Greater(t, n[c][spec.Unbounded], 10, "%s", c)
		assert.Greater(t, n[c][spec.FloatRange], 10, "%s", c)
	}
	t.Logf("end points %v; %d infinite losses", ends, infinite)
	for _, name := range []string{"L", "R", "R1", "R2", "L'", "R'", "R1'", "R2'"} {
		assert.Positive(t, ends[name], name)
	}
}

// The same for the tiny format, where every refusal of the kernel occurs.
func TestThresholdsInTinyFormat(t *testing.T) {
	t.Parallel()
	all := data(tiny)
	r := rand.New(rand.NewPCG(1, 2))
	n, refused, kinds := map[Case]int{}, 0, map[kernel.ConditionID]int{}
	for range map[bool]int{false: 3000, true: 1000}[testing.Short()] {
		i, j := r.IntN(15), r.IntN(15)
		p := spec.SnapParams{
			Format: tiny, Scale: []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon}[r.IntN(2)],
			Value: all[8+r.IntN(7)], Lo: all[min(i, j)], Hi: all[max(i, j)],
		}
		k := []spec.Kind{spec.Unbounded, spec.FloatRange}[r.IntN(2)]
		unit, err := oracle.Unit(p)
		if err != nil {
			continue
		}
		list := outputs(all, p.Lo, p.Hi, unit.Dyadic())
		f, f2, x := all[r.IntN(15)], all[r.IntN(15)], list[r.IntN(len(list))]
		rep, err := New(p, k, f, f2, x)
		require.NoError(t, err, "%v %v %v %v %v", p, k, f, f2, x)
		require.NoError(t, verify(rep), "%v %v %v %v %v", p, k, f, f2, x)
		n[rep.Case]++
		for _, s := range rep.Sides {
			for _, e := range s.Ends {
				var no *kernel.Refusal
				if errors.As(e.Crossing.Why, &no) {
					refused++
					kinds[no.Condition]++
				}
			}
		}
	}
	t.Logf("%v; %d ends refused: %v", n, refused, kinds)
	assert.Len(t, n, 7)
	assert.Positive(t, refused)
}

// Every wrong report is told: the checks above can fail.
func TestWrongReportsAreTold(t *testing.T) {
	fresh := func() *Report {
		r, err := New(params(spec.ScaleEpsilon, 1, -300, 300), spec.Unbounded, dbl(299), dbl(300), dbl(-299))
		require.NoError(t, err)
		return r
	}
	require.NoError(t, verify(fresh()))
	us := draws{spec.Binary64, spec.Unbounded}
	shift := func(d Draw, n int64) Draw { return us.at(addInt(us.number(d), n)) }
	for what, spoil := range map[string]func(r *Report){
		"a threshold below its interval": func(r *Report) { r.Sides[0].Ends[0].Exact = r.Sides[0].Ends[0].Crossing.Draw },
		"a threshold above its interval": func(r *Report) { r.Sides[1].Ends[1].Exact = shift(r.Sides[1].Ends[1].Staying.Draw, 1) },
		"proofs exchanged": func(r *Report) {
			e := &r.Sides[0].Ends[1]
			e.Crossing, e.Staying = e.Staying, e.Crossing
		},
		"another draw than that of the proof": func(r *Report) { e := &r.Sides[0].Ends[1].Crossing; e.Draw = shift(e.Draw, 1) },
		"a judgment of another stage":         func(r *Report) { e := &r.Sides[0].Ends[1].Crossing; e.Judgment, _ = e.Snap.Stage("z") },
		"the proof of a farther draw": func(r *Report) {
			s, e := r.Sides[0], &r.Sides[0].Ends[0]
			n := addInt(us.number(e.Crossing.Draw), -1)
			_, e.Crossing = newQuestion(r.Params, r.Kind, s.Input, s.X, e.Edge).judge(n)
		},
		"the other sign":     func(r *Report) { r.Sides[0].Ends[0].Sign = -1 },
		"the bound inverted": func(r *Report) { r.Largest[0] = Ratio{r.Largest[0].Den, r.Largest[0].Num} },
		"a bound of 0":       func(r *Report) { r.Derived = real.Interval{} },
		"a loss that is not": func(r *Report) { r.InfiniteLoss = true },
		"a claim reached and exceeded": func(r *Report) {
			r.Claims[1].Reached, r.Claims[1].Exceeded = true, true
		},
	} {
		r := fresh()
		spoil(r)
		assert.Error(t, verify(r), what)
	}
}

// Near the largest number the noise overflows before w passes the edge: the mechanism
// carries the infinity, the kernel refuses, and the end says which rule and why.
func TestOverflowIsATypedRefusal(t *testing.T) {
	max := math.MaxFloat64
	r, err := New(params(spec.ScaleLambda, 0x1p1020, -max, max), spec.Unbounded, dbl(max), dbl(max), dbl(-max))
	require.NoError(t, err)
	require.NoError(t, verify(r))
	e := r.Sides[0].Ends[0]
	var no *NoProofError
	require.ErrorAs(t, e.Crossing.Why, &no)
	assert.Equal(t, "R", no.Name)
	var by *kernel.Refusal
	require.ErrorAs(t, e.Crossing.Why, &by)
	assert.Equal(t, kernel.CondRange, by.Condition)
	t.Log(e.Crossing.Why)
	assert.True(t, r.InfiniteDerived && !r.Claims[0].Reached)
	assert.False(t, e.Crossing.Valid)
	assert.True(t, e.Staying.Valid)
	assert.False(t, e.Exact.One)
}

// The draws of the published kind end: a cell beyond them has no draw proved to cross.
func TestEndOfTheDraws(t *testing.T) {
	r, err := New(params(spec.ScaleLambda, 1, -1000, 1000), spec.FloatRange, dbl(0), dbl(1), dbl(-744))
	require.NoError(t, err)
	require.NoError(t, verify(r))
	assert.True(t, r.InfiniteLoss && r.InfiniteDerived)
	e := r.Sides[1].Ends[0]
	assert.False(t, e.Crossing.Valid)
	var no *NoProofError
	require.ErrorAs(t, e.Crossing.Why, &no)
	assert.Nil(t, no.Kernel)
	assert.EqualError(t, no, "no draw of this kind is proved to lie on that side of L'")
	r, err = New(params(spec.ScaleLambda, 1, -0x1p70, 0x1p70), spec.FloatRange, dbl(0), dbl(1), dbl(-0x1p69))
	require.NoError(t, err)
	require.NoError(t, verify(r))
}
