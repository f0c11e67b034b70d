package oracle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var bothKinds = []spec.Kind{spec.Unbounded, spec.FloatRange}

// tallyOutputs is a distribution by enumeration: SnapF on every draw and both signs.
// In the unbounded kind the draws go down to 2^-depth, by when the output must be
// lo for s = +1 and hi for s = -1; by monotonicity the rest of the mass, 2^-depth,
// goes there too. Keys are the outputs' exact names.
func tallyOutputs(t *testing.T, p spec.SnapParams, k spec.Kind, f spec.Value) map[string]*big.Rat {
	t.Helper()
	out := map[string]*big.Rat{}
	add := func(u spec.U, mass *big.Rat) (ends [2]spec.Value) {
		half := new(big.Rat).Mul(mass, big.NewRat(1, 2))
		for i, s := range []spec.Sign{1, -1} {
			tr, err := SnapF(p, f, u, s)
			require.NoError(t, err)
			key := tr.R.String()
			if out[key] == nil {
				out[key] = new(big.Rat)
			}
			out[key].Add(out[key], half)
			ends[i] = tr.R
		}
		return ends
	}
	width := int64(p.Format.Precision) - 1
	if k == spec.FloatRange {
		// Mass of each number of the format in (0,1): the distance to the next, over 1 - t_min.
		l := listFormat(p.Format)
		rest := new(big.Rat).Sub(big.NewRat(1, 1), l.nums[1])
		for i := 1; l.nums[i].Cmp(big.NewRat(1, 1)) < 0; i++ {
			mass := new(big.Rat).Sub(l.nums[i+1], l.nums[i])
			d := dyadicOf(l.nums[i])
			m := new(big.Int).Sub(d.Floor(d.Top()-width), new(big.Int).Lsh(big.NewInt(1), uint(width)))
			add(spec.U{M: m.Uint64(), E: -d.Top()}, mass.Quo(mass, rest))
		}
		return out
	}
	for e := int64(1); ; e++ {
		require.Less(t, e, int64(4000))
		var ends [2]spec.Value
		for m := int64(1)<<width - 1; m >= 0; m-- {
			ends = add(spec.U{M: uint64(m), E: e}, pow2Rat(-e-width))
		}
		if ends[0].Cmp(p.Lo) == 0 && ends[1].Cmp(p.Hi) == 0 {
			add(spec.U{M: 0, E: e}, pow2Rat(-e))
			return out
		}
	}
}

// requireDistribution compares All, At and Distribution with an enumeration.
func requireDistribution(t *testing.T, p spec.SnapParams, k spec.Kind, f spec.Value) (outputs int) {
	t.Helper()
	want := tallyOutputs(t, p, k, f)
	d, err := NewDistribution(p, k, f)
	require.NoError(t, err)
	var last *spec.Value
	for r, pr := range d.All() {
		require.True(t, last == nil || last.Cmp(r) < 0, "%v: outputs out of order", p)
		last = &r
		got, ok := pr.Rat()
		require.True(t, ok)
		w := want[r.String()]
		if w == nil || w.Cmp(got) != 0 {
			require.Failf(t, "probability", "%v, %s, f = %v: Pr[%v] = %v, want %v", p, k, f, r, got, w)
		}
		at, err := d.At(r)
		require.NoError(t, err)
		require.Zero(t, at.Cmp(pr))
		outputs++
	}
	require.Len(t, want, outputs, "%v, %s, f = %v: missing outputs", p, k, f)
	return outputs
}

// Scales, bounds and f of the smallest formats, both kinds: all of the first, and
// every n-th case of the others in order.
func TestDistributionExhaustive(t *testing.T) {
	cases, compared, outputs := 0, 0, 0
	for _, c := range []struct {
		fm     spec.Format
		stride int // of the cases compared
	}{{spec.Small(2, 0, 0), 1}, {spec.Small(2, -1, 1), scaled(4, 29)}, {spec.Small(3, 0, 1), scaled(37, 397)}} {
		fm, stride := c.fm, c.stride
		var finite []spec.Value
		for _, v := range listFormat(fm).values() {
			if v.IsFinite() {
				finite = append(finite, v)
			}
		}
		for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
			for _, value := range finite {
				if value.Sign() <= 0 {
					continue
				}
				for _, lo := range finite {
					for _, hi := range finite {
						p := spec.SnapParams{Format: fm, Scale: scale, Value: value, Lo: lo, Hi: hi}
						if _, err := Unit(p); err != nil || lo.Cmp(hi) > 0 {
							continue
						}
						for _, f := range finite {
							if f.Cmp(lo) < 0 || f.Cmp(hi) > 0 {
								continue // clamped: the same as lo or hi
							}
							cases++
							if cases%stride == 0 {
								compared++
								outputs += requireDistribution(t, p, bothKinds[compared%2], f)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d of %d cases compared, %d outputs", compared, cases, outputs)
}

// Random cases of formats with more numbers: grainy logarithms, coarse products,
// units below the spacing at the bounds, infinite f, overflow of every stage.
func TestDistributionRandomTiny(t *testing.T) {
	r := newRand(70)
	formats := []spec.Format{spec.Small(3, -2, 3), spec.Small(4, -4, 5), spec.Small(5, -3, 0), spec.Small(2, -3, 4), spec.Small(4, -1, 2)}
	outputs := 0
	n := scaled(900, 90)
	for i := range n {
		fm := formats[i%len(formats)]
		vs := listFormat(fm).values()
		pick := func() spec.Value { return vs[1+r.IntN(len(vs)-2)] }
		p := spec.SnapParams{Format: fm, Scale: []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon}[r.IntN(2)], Lo: pick(), Hi: pick()}
		if p.Lo.Cmp(p.Hi) > 0 {
			p.Lo, p.Hi = p.Hi, p.Lo
		}
		for p.Value = pick(); p.Value.Sign() <= 0; p.Value = pick() {
		}
		if _, err := Unit(p); err != nil {
			continue
		}
		outputs += requireDistribution(t, p, bothKinds[r.IntN(2)], vs[r.IntN(len(vs))])
	}
	t.Logf("%d outputs", outputs)
}

// randDist draws binary64 parameters with at most about 60 outputs.
func randDist(r *rand.Rand) (p spec.SnapParams, f spec.Value) {
	value := math.Ldexp(1+r.Float64(), r.IntN(40)-20)
	if r.IntN(4) == 0 {
		value = math.Ldexp(1, r.IntN(40)-20)
	}
	p = spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(value)}
	lambda := value
	if r.IntN(2) == 0 {
		p.Scale, lambda = spec.ScaleEpsilon, 1/value
	}
	unit, _ := Unit(p)
	lo := lambda * (r.Float64() - 0.7) * 40
	width := lambda * math.Ldexp(1+r.Float64(), r.IntN(10)-5)
	switch r.IntN(8) {
	case 0:
		width = 0
	case 1, 2: // multiples of the unit
		lo = math.Floor(lo/lambda) * toFloat64(unit)
		width = math.Ceil(width/lambda) * toFloat64(unit)
	case 3: // within one unit of 0
		lo, width = lambda*(r.Float64()-0.5)/4, lambda*r.Float64()/3
	}
	hi := lo + width
	if r.IntN(4) == 0 {
		lo, hi = -hi, -lo
	}
	p.Lo, p.Hi = dbl(lo), dbl(hi)
	x := lo + (hi-lo)*r.Float64()
	switch r.IntN(7) {
	case 0:
		x = math.Inf(1 - 2*r.IntN(2))
	case 1:
		x = lo
	case 2:
		x = hi
	case 3: // a tie
		u := toFloat64(unit)
		x = (math.Floor(x/u) + 0.5) * u
	}
	return p, dbl(x)
}

func toFloat64(v spec.Value) float64 {
	b, _ := spec.Binary64.Encode(v)
	return math.Float64frombits(b)
}

// The numerators sum to exactly the denominator, every output is one that SnapF
// can give, and its neighbours on the grid have probability 0.
func TestDistributionSumsToOne(t *testing.T) {
	r := newRand(71)
	outputs := 0
	for i := range scaled(500, 40) {
		p, f := randDist(r)
		k := bothKinds[i%2]
		sum := real.Dyadic{}
		d, err := NewDistribution(p, k, f)
		require.NoError(t, err)
		unit, err := Unit(p)
		require.NoError(t, err)
		for x, pr := range d.All() {
			require.Positive(t, pr.Num.Sign())
			sum = sum.Add(pr.Num)
			rounded := roundMultiple(p.Format, x, unit.Dyadic().Top(), spec.TiesUp)
			require.True(t, x.Same(rounded) || x.Cmp(p.Lo) == 0 || x.Cmp(p.Hi) == 0)
			outputs++
		}
		require.True(t, sum.Equal(d.q.g.den), "%v, %s, f = %v: %v", p, k, f, sum)
		for _, x := range []spec.Value{p.Format.NextUp(p.Hi), p.Format.NextDown(p.Lo), spec.FromDyadic(unit.Dyadic().Shift(-1)), num(1, 1100)} {
			if x.Cmp(p.Lo) == 0 || x.Cmp(p.Hi) == 0 {
				continue
			}
			pr, err := Probability(p, k, f, x)
			require.NoError(t, err)
			require.True(t, pr.IsZero())
		}
		num := real.Dyadic{}
		for _, q := range Distribution(p, k, f) {
			num = num.Add(q)
		}
		require.True(t, num.Equal(sum))
	}
	t.Logf("%d outputs", outputs)
}

// Mirrored bounds and -f: w is mirrored exactly, so Pr[r | f] and Pr[-r | -f]
// differ just by the draws that land on an edge, where ties go up on both sides.
func TestDistributionMirror(t *testing.T) {
	r := newRand(72)
	same, differ := 0, 0
	for range scaled(60, 10) {
		p, f := randDist(r)
		m := p
		m.Lo, m.Hi = p.Hi.Neg(), p.Lo.Neg()
		d, err := NewDistribution(p, spec.Unbounded, f)
		require.NoError(t, err)
		e, err := NewDistribution(m, spec.Unbounded, f.Neg())
		require.NoError(t, err)
		for x, pr := range d.All() {
			q, err := e.At(x.Neg())
			require.NoError(t, err)
			// The mirrored cell is (c1, c2] instead of [c1, c2): move the draws with w on an edge.
			if x.Cmp(p.Hi) < 0 {
				c := d.edgeAbove(x)
				pr.Num = pr.Num.Add(d.q.massAt(c))
			}
			if x.Cmp(p.Lo) > 0 {
				pr.Num = pr.Num.Sub(d.q.massAt(d.edgeBelow(x)))
			}
			if got, _ := d.At(x); got.Cmp(q) == 0 {
				same++
			} else {
				differ++
			}
			require.Zero(t, pr.Cmp(q), "%v, f = %v: output %v", p, f, x)
		}
	}
	assert.Positive(t, differ)
	t.Logf("%d outputs the same, %d different", same, differ)
}

// massAt is Pr[w = c] of the unbounded kind: Pr[w < c'] - Pr[w < c], c' next above c.
func (q crossing) massAt(c real.Dyadic) real.Dyadic {
	if !q.p.Format.Contains(c) {
		return real.Dyadic{}
	}
	up := q.p.Format.NextUp(spec.FromDyadic(c)).Dyadic()
	a, b := q.g.below(q.threshold(c)), q.g.below(q.threshold(up))
	two := real.FromInt64(2)
	switch {
	case q.down(up):
		return b.Sub(a).Shift(-1)
	case q.down(c):
		return two.Sub(a).Sub(b).Shift(-1)
	}
	return a.Sub(b).Shift(-1)
}

func TestDistributionRejections(t *testing.T) {
	good := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-8, 0), Hi: num(8, 0)}
	with := func(change func(*spec.SnapParams)) spec.SnapParams { p := good; change(&p); return p }
	for _, c := range []struct {
		p       spec.SnapParams
		k       spec.Kind
		f       spec.Value
		kind    spec.Rejection
		subject string
	}{
		{with(func(p *spec.SnapParams) { p.Value = spec.NaN() }), spec.Unbounded, num(0, 0), spec.Domain, "value"},
		{with(func(p *spec.SnapParams) { p.Lo = num(9, 0) }), spec.Unbounded, num(0, 0), spec.Domain, "lo"},
		{good, spec.Unbounded, spec.NaN(), spec.Domain, "f"},
		{good, "gauss", num(0, 0), spec.Domain, "kind"},
		{with(func(p *spec.SnapParams) { p.Format = spec.Small(1, -9, 9) }), spec.Unbounded, num(0, 0), spec.Domain, "format"},
		{with(func(p *spec.SnapParams) { p.Hi = num(1<<51+1, 7) }), spec.Unbounded, num(0, 0), spec.Domain, "bounds"},
		{with(func(p *spec.SnapParams) { p.Lo, p.Hi = num(1, 69), num(1<<52+1, 17) }), spec.Unbounded, num(0, 0), spec.Domain, "bounds"},
		{with(func(p *spec.SnapParams) { p.Value = dbl(0x1.8p1023) }), spec.Unbounded, num(0, 0), spec.Overflow, "unit"},
		{spec.SnapParams{Format: spec.Small(5, -3, 40), Scale: spec.ScaleEpsilon, Value: num(1, 40), Lo: num(0, 0), Hi: num(0, 0)},
			spec.Unbounded, num(0, 0), spec.Domain, "unit"},
	} {
		_, err := NewDistribution(c.p, c.k, c.f)
		requireReject(t, err, c.kind, c.subject)
		_, err = Probability(c.p, c.k, c.f, num(0, 0))
		requireReject(t, err, c.kind, c.subject)
		_, err = WorstLoss(c.p, c.k, c.f, c.f, 10)
		requireReject(t, err, c.kind, c.subject)
		for range Distribution(c.p, c.k, c.f) {
			require.Fail(t, "an output of nothing")
		}
	}
	// What limits is the width of the bounds and the spacing there, not their size.
	for _, c := range [][2]spec.Value{{num(1<<52-1, 17), num(1, 69)}, {dbl(1e300), dbl(1e300)}, {num(-1, 57), num(1, 57)}} {
		d, err := NewDistribution(with(func(p *spec.SnapParams) { p.Lo, p.Hi = c[0], c[1] }), spec.Unbounded, num(0, 0))
		require.NoError(t, err)
		if c[0].Sign() > 0 { // else 2^58 outputs
			sum := real.Dyadic{}
			for _, pr := range d.All() {
				sum = sum.Add(pr.Num)
			}
			require.True(t, sum.Equal(d.q.g.den))
		}
	}
	for _, x := range []spec.Value{spec.NaN(), spec.Inf(false), spec.Inf(true)} {
		_, err := Probability(good, spec.Unbounded, num(0, 0), x)
		requireReject(t, err, spec.Domain, "x")
	}
	_, err := WorstLoss(good, spec.Unbounded, num(0, 0), num(1, 0), MaxWidth+1)
	requireReject(t, err, spec.Domain, "width")
	_, err = WorstLoss(with(func(p *spec.SnapParams) { p.Hi = num(1, 25) }), spec.Unbounded, num(0, 0), num(1, 0), 10)
	requireReject(t, err, spec.Domain, "bounds")
	_, err = Prob{Den: real.One()}.Ln(10)
	requireReject(t, err, spec.Domain, "probability")
}
