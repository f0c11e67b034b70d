package kernel_test

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// newRand is a fixed source: a failure repeats.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x7e57)) }

// scaled returns full, or short under -short.
func scaled(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

// arith is the oracle's floating point as lang.EvalFloat wants it.
type arith struct{ f spec.Format }

func (a arith) Const(r lang.Number) (spec.Value, error) {
	if d, ok := r.Dyadic(); ok {
		return oracle.Round(a.f, d), nil
	}
	// Not dyadic, so no midpoint: an enclosure decides in the end.
	for bits := a.f.Precision + 8; ; bits *= 2 {
		x := r.Enclose(bits)
		if v := oracle.Round(a.f, x.Lo); v.Same(oracle.Round(a.f, x.Hi)) {
			return v, nil
		}
	}
}
func (a arith) Add(x, y spec.Value) spec.Value { return oracle.Add(a.f, x, y) }
func (a arith) Sub(x, y spec.Value) spec.Value { return oracle.Sub(a.f, x, y) }
func (a arith) Mul(x, y spec.Value) spec.Value { return oracle.Mul(a.f, x, y) }
func (a arith) Quo(x, y spec.Value) spec.Value { return oracle.Quo(a.f, x, y) }
func (a arith) Ln(x spec.Value) (spec.Value, error) {
	if !x.IsFinite() || x.Sign() <= 0 || a.f.Has(x) {
		return oracle.Ln(a.f, x)
	}
	u := spec.U{E: -x.Dyadic().Top()} // a draw below the format's range
	p1 := int64(a.f.Precision) - 1
	u.M = x.Dyadic().Sub(real.Pow2(-u.E)).Shift(u.E + p1).Floor(0).Uint64()
	return oracle.LnU(a.f, u)
}
func (a arith) Clamp(x, lo, hi spec.Value) (spec.Value, error) { return oracle.Clamp(x, lo, hi) }
func (a arith) Round(x, unit spec.Value) (spec.Value, error) {
	return oracle.RoundMultiple(a.f, x, unit, spec.TiesUp)
}

var formats = []spec.Format{
	spec.Binary64, spec.Binary32, spec.Binary16, spec.BFloat16,
	spec.Small(8, -6, 7), spec.Small(5, -3, 4), spec.Small(4, -6, 7), spec.Small(3, -2, 3), spec.Small(6, 0, 3),
}

// datum draws a finite number: often near 1, or at an edge of the range.
func datum(r *rand.Rand, f spec.Format) real.Dyadic {
	p := int64(f.Precision)
	m := new(big.Int).SetUint64(r.Uint64() >> (64 - f.Precision))
	var d real.Dyadic
	switch r.IntN(12) {
	case 0:
		d = real.FromInt64(r.Int64N(4)).Shift(f.Quantum())
	case 1:
		d = real.NewDyadic(m, f.Quantum()) // subnormal or just above
	case 2:
		d = f.MaxFinite().Sub(real.FromInt64(r.Int64N(3)).Shift(f.EMax - p + 1))
	case 3:
		d = real.Pow2(f.EMin + r.Int64N(f.EMax-f.EMin+1))
	case 4:
		d = real.NewDyadic(m, f.EMin-p+1+r.Int64N(f.EMax-f.EMin+1)) // any exponent
	case 5:
		d = real.One().Add(real.FromInt64(r.Int64N(5) - 2).Shift(1 - p))
	case 6:
		d = real.FromInt64(r.Int64N(3))
	default:
		d = real.NewDyadic(m, -p+r.Int64N(3))
	}
	if r.IntN(3) == 0 {
		d = d.Neg()
	}
	v := oracle.Round(f, d)
	if !v.IsFinite() {
		return f.MaxFinite()
	}
	return v.Dyadic()
}

// step moves d by n units in the last place, within the finite numbers.
func step(f spec.Format, d real.Dyadic, n int) real.Dyadic {
	v := spec.FromDyadic(d)
	for ; n > 0 && f.NextUp(v).IsFinite(); n-- {
		v = f.NextUp(v)
	}
	for ; n < 0 && f.NextDown(v).IsFinite(); n++ {
		v = f.NextDown(v)
	}
	return v.Dyadic()
}

// sampleCase is an expression, its environment and assignments that respect it;
// the expression evaluates to finite numbers throughout at the first assignment.
type sampleCase struct {
	f    spec.Format
	e    lang.Float
	env  kernel.Env
	at   []map[string]spec.Value
	wide bool // some leaf is bound to more than one number
}

type generator struct {
	r    *rand.Rand
	f    spec.Format
	env  kernel.Env
	base map[string]spec.Value
	wide bool
}

// draw returns a case of depth at most depth.
func draw(r *rand.Rand, f spec.Format, depth int, wide bool) sampleCase {
	g := &generator{r, f, kernel.Env{}, map[string]spec.Value{}, wide}
	e, _ := g.expr(depth)
	c := sampleCase{f: f, e: e, env: g.env, at: []map[string]spec.Value{g.base}, wide: wide}
	if wide {
		for range 6 {
			at := map[string]spec.Value{}
			for _, k := range slices.Sorted(maps.Keys(g.env)) { // sorted: a failure repeats
				at[k] = g.member(g.env[k])
			}
			c.at = append(c.at, at)
		}
	}
	return c
}

// member draws a number within a binding: an end, or one near an end, or zero.
func (g *generator) member(b kernel.Binding) spec.Value {
	d := b.Lo
	if !b.Draw {
		switch g.r.IntN(4) {
		case 0:
			d = b.Hi
		case 1:
			d = step(g.f, b.Lo, g.r.IntN(4))
		case 2:
			d = step(g.f, b.Hi, -g.r.IntN(4))
		case 3:
			d = real.Dyadic{}
		}
		if !b.Contains(d) {
			d = b.Lo
		}
	}
	return spec.FromDyadic(d)
}

func (g *generator) leaf() (lang.Float, spec.Value) {
	switch g.r.IntN(8) {
	case 0: // a constant of the format
		d := datum(g.r, g.f)
		return lang.NewConst[lang.Floats](lang.FromDyadic(d)), spec.FromDyadic(d)
	case 1: // a rational constant
		n, _ := lang.Fraction(real.FromInt64(g.r.Int64N(41)-20), real.FromInt64(1+g.r.Int64N(20)))
		return g.constant(n)
	case 2: // a dyadic with more bits than the format, or below its range
		d := datum(g.r, g.f).Add(real.FromInt64(g.r.Int64N(7) - 3).Shift(g.f.Quantum() - 1 - g.r.Int64N(3)))
		return g.constant(lang.FromDyadic(d))
	}
	name := string(rune('b' + g.r.IntN(4)))
	e := lang.NewVar[lang.Floats](name)
	switch g.r.IntN(8) {
	case 0:
		e = lang.NewApply[lang.Floats]("f", name)
	case 1:
		e = lang.NewSample[lang.Floats](name, lang.Bernoulli)
	}
	if v, ok := g.base[e.Key()]; ok {
		return e, v
	}
	d := datum(g.r, g.f)
	b := kernel.Exactly(d)
	if g.wide {
		b = kernel.Between(step(g.f, d, -g.r.IntN(4)), step(g.f, d, g.r.IntN(4)))
		if g.r.IntN(6) == 0 {
			o := datum(g.r, g.f)
			b = kernel.Between(real.Min(d, o), real.Max(d, o))
		}
	}
	g.env[e.Key()], g.base[e.Key()] = b, spec.FromDyadic(d)
	return e, spec.FromDyadic(d)
}

func (g *generator) constant(n lang.Number) (lang.Float, spec.Value) {
	v, _ := arith{g.f}.Const(n)
	if !v.IsFinite() {
		return g.leaf()
	}
	return lang.NewConst[lang.Floats](n), v
}

// expr draws an expression and its value; it retries an operation that has no
// finite value, and gives up to a leaf.
func (g *generator) expr(depth int) (lang.Float, spec.Value) {
	if depth <= 1 || g.r.IntN(20) == 0 {
		return g.leaf()
	}
	if g.r.IntN(12) == 0 { // ln of a draw
		m := g.r.Uint64() >> (65 - g.f.Precision)
		u := spec.U{M: m, E: 1 + g.r.Int64N(-g.f.EMin+4)}
		d := u.Value(g.f)
		g.env["u"] = kernel.Binding{Interval: real.Point(d), Draw: true}
		g.base["u"] = spec.FromDyadic(d)
		if v, err := (arith{g.f}).Ln(g.base["u"]); err == nil && v.IsFinite() {
			// The draw is bound once and the value it had goes with it, so use a fresh name.
			name := "u" + string(rune('0'+len(g.env)%10)) + string(rune('0'+len(g.env)/10))
			g.env[name], g.base[name] = g.env["u"], g.base["u"]
			delete(g.env, "u")
			delete(g.base, "u")
			return lang.NewLn(lang.NewVar[lang.Floats](name)), v
		}
		delete(g.env, "u")
		delete(g.base, "u")
	}
	x, xv := g.expr(depth - 1)
	y, yv := g.expr(depth - 1 - g.r.IntN(2))
	a := arith{g.f}
	for range 8 {
		var e lang.Float
		var v spec.Value
		var err error
		switch g.r.IntN(9) {
		case 0:
			e, v = lang.NewAdd(x, y), a.Add(xv, yv)
		case 1:
			e, v = lang.NewSub(x, y), a.Sub(xv, yv)
		case 2:
			e, v = lang.NewMul(x, y), a.Mul(xv, yv)
		case 3:
			e, v = lang.NewQuo(x, y), a.Quo(xv, yv)
		case 4:
			e = lang.NewLn(x)
			v, err = a.Ln(xv)
		case 5:
			e, v = lang.NewNeg(x), xv.Neg()
		case 6:
			lo, hi := datum(g.r, g.f), datum(g.r, g.f)
			lo, hi = real.Min(lo, hi), real.Max(lo, hi)
			e = lang.NewClamp(lo, hi, x)
			v, err = a.Clamp(xv, spec.FromDyadic(lo), spec.FromDyadic(hi))
		case 7:
			k := g.f.Quantum() + g.r.Int64N(g.f.EMax-g.f.Quantum()+1)
			if !xv.IsZero() && g.r.IntN(4) > 0 {
				k = min(g.f.EMax, max(g.f.Quantum(), xv.Dyadic().Top()-g.r.Int64N(4)+1))
			}
			e = lang.NewRound(k, x)
			v, err = a.Round(xv, spec.FromDyadic(real.Pow2(k)))
		case 8:
			e, v = lang.NewSub(x, y), a.Sub(xv, yv)
		}
		if err == nil && v.IsFinite() && !v.IsNaN() {
			return e, v
		}
	}
	return x, xv
}

func context(t *testing.T, f spec.Format, env kernel.Env) *kernel.Context {
	t.Helper()
	c, err := kernel.NewContext(f, env)
	require.NoError(t, err)
	return c
}
