package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// snapCase draws parameters, f, u and s of a format.
func snapCase(r *rand.Rand, f spec.Format) (spec.SnapParams, spec.Value, spec.U, spec.Sign) {
	positive := func() spec.Value {
		for {
			d := datum(r, f).Abs()
			if r.IntN(4) > 0 { // a usual scale
				d = oracle.Round(f, real.FromUint64(1+r.Uint64N(1<<10), -5)).Dyadic()
			}
			if d.Sign() > 0 {
				return spec.FromDyadic(d)
			}
		}
	}
	a, b := datum(r, f), datum(r, f)
	if r.IntN(2) == 0 {
		b = oracle.Round(f, real.FromInt64(r.Int64N(2000)-1000)).PlusZero().Dyadic()
		a = b.Neg()
	}
	p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: positive(),
		Lo: spec.FromDyadic(real.Min(a, b)), Hi: spec.FromDyadic(real.Max(a, b))}
	if r.IntN(2) == 0 {
		p.Scale = spec.ScaleEpsilon
	}
	q := spec.FromDyadic(datum(r, f))
	if r.IntN(20) == 0 {
		q = spec.Inf(r.IntN(2) == 0)
	}
	u := spec.U{M: r.Uint64() >> (65 - f.Precision), E: 1 + r.Int64N(4)}
	switch r.IntN(6) {
	case 0:
		u.E += r.Int64N(2000)
	case 1:
		u = spec.U{M: 1<<(f.Precision-1) - 1 - r.Uint64N(2), E: 1} // next to 1
	case 2:
		u.M = 0
	}
	return p, q, u, spec.Sign(1 - 2*r.IntN(2))
}

// The oracle's trace lies within the interval of every stage.
func TestTracesLieInEveryStage(t *testing.T) {
	for i, f := range formats {
		r := newRand(uint64(1000 + i))
		derived, refused, rejected := map[spec.ScaleKind]int{}, map[string]int{}, 0
		for range scaled(700, 150) {
			p, q, u, s := snapCase(r, f)
			trace, err := oracle.SnapF(p, q, u, s)
			if err != nil { // Lambda overflows, or the bounds are no bounds
				_, own := kernel.SnapDerivation(p, q, u, s)
				require.Error(t, own, "%v", err)
				rejected++
				continue
			}
			d, err := kernel.SnapDerivation(p, q, u, s)
			values := map[string]spec.Value{"ln": trace.Ln, "y": trace.Y, "z": trace.Z, "x": trace.X, "w": trace.W,
				"rounded": trace.Rounded, "r": trace.R}
			require.Len(t, d.Stages, 10)
			for _, stage := range d.Stages {
				requireReason(t, d, stage)
				if v, ok := values[stage.ID]; ok && stage.Err == nil {
					require.True(t, v.IsFinite() && stage.Judgment.Interval().Contains(v.Dyadic()),
						"%v, f = %v, u = %v, s = %d, stage %s: %v, %v", p, q, u, s, stage.ID, v, stage.Judgment)
				}
			}
			if err != nil {
				var at *kernel.SnapError
				require.ErrorAs(t, err, &at)
				var no *kernel.Refusal
				require.ErrorAs(t, err, &no)
				refused[at.Stage]++
				require.Same(t, at, d.Refused(at.Stage))
				continue
			}
			derived[p.Scale]++
		}
		t.Logf("%-10s derived %v, refused at %v, rejected by the mechanism %d", f.Name, derived, refused, rejected)
		assert.Positive(t, derived[spec.ScaleLambda])
		assert.Positive(t, derived[spec.ScaleEpsilon])
	}
}

// premises is what each stage is concluded from, in the words of docs/theory.md 2.
var premises = map[string][]string{"ln": {"u"}, "y": {"scale", "ln"}, "z": {"y"}, "x": {"f"}, "w": {"x", "z"}, "rounded": {"w"}, "r": {"rounded"}}

// requireReason requires a judgment exactly where all premises have one and the
// rule did not refuse, and otherwise the right reason.
func requireReason(t *testing.T, d kernel.Snap, stage kernel.SnapStage) {
	t.Helper()
	_, derived := d.Stage(stage.ID)
	require.Equal(t, derived, stage.Err == nil)
	var missing []string
	for _, p := range premises[stage.ID] {
		if _, ok := d.Stage(p); !ok {
			missing = append(missing, p)
		}
	}
	if derived {
		require.Empty(t, missing, "%s was derived without its premises", stage.ID)
		return
	}
	require.Equal(t, stage.ID, stage.Err.Stage)
	var root *kernel.Refusal
	require.ErrorAs(t, stage.Err, &root)
	if len(missing) == 0 {
		require.Same(t, root, stage.Err.Err, "%s has its premises", stage.ID)
		return
	}
	var want *kernel.PremiseError
	require.ErrorAs(t, stage.Err.Err, &want)
	require.Equal(t, missing[0], want.Premise)
	require.Same(t, d.Refused(want.Premise), want.Err)
}

// After a refusal, what does not need the refused stage is derived all the same.
func TestStagesAfterARefusal(t *testing.T) {
	top := spec.FromDyadic(spec.Binary64.MaxFinite())
	small := spec.FromFloat64(8)
	for _, c := range []struct {
		name   string
		p      spec.SnapParams
		f      spec.Value
		u      spec.U
		errors map[string]string
	}{
		{"y overflows", spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: spec.FromDyadic(real.Pow2(1023)), Lo: small.Neg(), Hi: small},
			spec.FromFloat64(3), spec.U{M: 0, E: 40}, map[string]string{"y": "OPx refused (range)", "z": "premise y is missing",
				"w": "premise z is missing", "rounded": "premise w is missing", "r": "premise rounded is missing"}},
		{"the quotient overflows", spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleEpsilon, Value: spec.FromDyadic(real.Pow2(-1023)), Lo: small.Neg(), Hi: small},
			spec.FromFloat64(3), spec.U{M: 0, E: 40}, map[string]string{"y": "OP/ refused (range)", "z": "premise y is missing",
				"w": "premise z is missing", "rounded": "premise w is missing", "r": "premise rounded is missing"}},
		{"w overflows", spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: spec.FromDyadic(real.Pow2(1023)), Lo: top.Neg(), Hi: top},
			top.Neg(), spec.U{M: 0, E: 2}, map[string]string{"w": "OP+ refused (range)", "rounded": "premise w is missing", "r": "premise rounded is missing"}},
		{"no multiple", spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: spec.FromDyadic(real.Pow2(1023)), Lo: top.Neg(), Hi: top},
			top, spec.U{M: 1<<52 - 1, E: 1}, map[string]string{"rounded": "ROUND refused (finite)", "r": "premise rounded is missing"}},
	} {
		d, err := kernel.SnapDerivation(c.p, c.f, c.u, 1)
		var first *kernel.SnapError
		require.ErrorAs(t, err, &first, c.name)
		var ids []string
		for _, s := range d.Stages {
			ids = append(ids, s.ID)
			requireReason(t, d, s)
			want, refused := c.errors[s.ID]
			require.Equal(t, refused, s.Err != nil, "%s: stage %s", c.name, s.ID)
			if refused {
				require.Contains(t, s.Err.Error(), want, c.name)
				require.Contains(t, d.Tree(s.ID, kernel.Style{}), "<kernel: stage "+s.ID, c.name)
				require.Contains(t, d.Outline(kernel.Style{}), s.ID+strings.Repeat(" ", 9-len(s.ID))+"none: "+s.Err.Err.Error())
			} else {
				checkAgain(t, s.Judgment)
			}
		}
		require.Equal(t, []string{"u", "scale", "f", "ln", "y", "z", "x", "w", "rounded", "r"}, ids, "the published order")
		require.Contains(t, c.errors[first.Stage], "refused", "%s: the error is the refusal, not what followed", c.name)
	}
}

// A refusal in binary64 is the mechanism's own overflow: the stage's value is
// infinite, or so near to it that the interval reaches T.
func TestSnapRefusalsAreOverflows(t *testing.T) {
	f := spec.Binary64
	r := newRand(1100)
	seen := 0
	for range scaled(2000, 400) {
		p, q, u, s := snapCase(r, f)
		// At the edge of the range: f and the bounds of up to M, lambda of up to 2^1023.
		top := spec.FromDyadic(f.MaxFinite())
		p.Scale, p.Value = spec.ScaleLambda, spec.FromDyadic(real.FromUint64(1+r.Uint64N(7), 1000+r.Int64N(21)))
		p.Lo, p.Hi = top.Neg(), top
		trace, err := oracle.SnapF(p, q, u, s)
		if err != nil {
			continue
		}
		if _, err := kernel.SnapDerivation(p, q, u, s); err != nil {
			seen++
			near := trace.W.IsInf() || trace.Y.IsInf() || trace.Rounded.IsInf() ||
				trace.W.Dyadic().Abs().Cmp(f.MaxFinite().Sub(real.Pow2(f.EMax-50))) >= 0
			assert.True(t, near, "%v, f = %v, u = %v, s = %d: %v", p, q, u, s, err)
		}
	}
	t.Logf("%d refusals", seen)
	assert.Greater(t, seen, 20)
}

func example(t *testing.T, scale spec.ScaleKind, s spec.Sign) kernel.Snap {
	t.Helper()
	p := spec.SnapParams{Format: spec.Binary64, Scale: scale, Value: spec.FromFloat64(0.75), Lo: spec.FromFloat64(-100), Hi: spec.FromFloat64(100)}
	d, err := kernel.SnapDerivation(p, spec.FromFloat64(3), spec.U{M: 12345, E: 3}, s)
	require.NoError(t, err)
	return d
}

func TestSnapDerivations(t *testing.T) {
	for _, c := range []struct {
		scale spec.ScaleKind
		s     spec.Sign
		want  string
	}{
		{spec.ScaleLambda, 1, "clamp[-100, 100](round[1](clamp[-100, 100](f(a)) + 0x1.8p-1 * ln(u)))"},
		{spec.ScaleLambda, -1, "clamp[-100, 100](round[1](clamp[-100, 100](f(a)) + neg(0x1.8p-1 * ln(u))))"},
		{spec.ScaleEpsilon, 1, "clamp[-100, 100](round[2](clamp[-100, 100](f(a)) + ln(u) / 0x1.8p-1))"},
		{spec.ScaleEpsilon, -1, "clamp[-100, 100](round[2](clamp[-100, 100](f(a)) + neg(ln(u) / 0x1.8p-1)))"},
	} {
		d := example(t, c.scale, c.s)
		r, ok := d.Stage("r")
		require.True(t, ok)
		assert.Equal(t, c.want, r.Float().String())
		checkAgain(t, r)
		w, ok := d.Stage("w")
		require.True(t, ok)
		// Four roundings of numbers below 8 or so: a few units of 2^-51.
		assert.Negative(t, w.Interval().Width().Cmp(real.Pow2(-48)))
		_, ok = d.Stage("v")
		assert.False(t, ok)
		assert.Equal(t, 10, strings.Count(d.Outline(r.Readable()), "\n"))
		tree := d.Tree("w", r.Readable())
		assert.Contains(t, tree, fmt.Sprintf("Snap'_R(a, U, %d) ⇓ Snap'_F(a, u, %d), [", c.s, c.s))
		assert.Contains(t, tree, "- ID\n")
		assert.Contains(t, d.TeX("r", 61), `\mathrm{Snap}_{\mathbb{R}}(a, U, `)
		assert.Contains(t, d.TeX("v", 61)+d.Tree("v", r.Readable()), "no stage v")
	}
}

func TestSnapDomain(t *testing.T) {
	one := spec.FromFloat64(1)
	good := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: one, Lo: spec.Zero(true), Hi: one}
	ok := spec.U{M: 0, E: 1}
	for name, err := range map[string]error{
		"f NaN":  second(kernel.SnapDerivation(good, spec.NaN(), ok, 1)),
		"f long": second(kernel.SnapDerivation(good, spec.FromDyadic(real.One().Add(real.Pow2(-60))), ok, 1)),
		"s":      second(kernel.SnapDerivation(good, one, ok, 0)),
		"u":      second(kernel.SnapDerivation(good, one, spec.U{M: 0, E: 0}, 1)),
		"params": second(kernel.SnapDerivation(spec.SnapParams{}, one, ok, 1)),
		"unit": second(kernel.SnapDerivation(spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda,
			Value: spec.FromDyadic(spec.Binary64.MaxFinite()), Lo: one, Hi: one}, one, ok, 1)),
	} {
		var no *spec.RejectError
		assert.ErrorAs(t, err, &no, name)
	}
	for _, f := range []spec.Value{spec.Inf(false), spec.Inf(true), spec.Zero(true)} {
		d, err := kernel.SnapDerivation(good, f, ok, -1)
		require.NoError(t, err)
		x, _ := d.Stage("x")
		want, err := oracle.Clamp(f, good.Lo, good.Hi)
		require.NoError(t, err)
		assert.True(t, x.Interval().IsPoint() && x.Interval().Lo.Equal(want.Dyadic()))
	}
	// A draw beyond the format, and one beyond every double.
	for _, e := range []int64{1 << 20, spec.MaxE} {
		d, err := kernel.SnapDerivation(good, one, spec.U{M: 5, E: e}, 1)
		require.NoError(t, err)
		r, _ := d.Stage("r")
		checkAgain(t, r)
	}
}

func second[T any](_ T, err error) error { return err }
