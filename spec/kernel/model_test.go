package kernel_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// model is a second writing of the rules, with a fault that can be planted. Its
// faultless form gives the kernel's intervals to the last bit (TestModelIsTheKernel),
// so a planted fault is a broken rule of the kernel, with no hook in the kernel.
type model struct {
	f     spec.Format
	env   kernel.Env
	fault string
}

// faults are the mutants, each a rule broken in one way.
var faults = []string{
	"widen without eta", "widen with eta/2", "widen without alpha", "widen with alpha/2",
	"reversed factors for negative ends", "ends rounded inward to p-1 bits",
	"ends rounded inward to p bits", "no clip of the sign at 0",
	"CONST not widened", "CONST without alpha", "CONST range unchecked",
	"OP- pairs like ends", "OPx only lo·lo and hi·hi", "OPx without alpha", "OPx range unchecked",
	"OP+ range against 2^(emax+1)",
	"OP/ only lo/lo and hi/hi", "OP/ without alpha", "OP/ divisor may contain 0",
	"LN never with alpha", "LN not widened", "LN of the upper end at both",
	"NEG keeps the order of ends", "CLAMP leaves the interval", "CLAMP clamps the low end only",
	"ROUND leaves the interval", "ROUND ties down", "ROUND overflow unchecked", "WEAKEN narrows",
}

// equivalent are planted to show that the hunt does not cry wolf. The first only
// widens. The second keeps Theorem 1, because values have p bits themselves, and
// breaks Theorem 2, which speaks of reals.
var equivalent = map[string]bool{"no clip of the sign at 0": true, "ends rounded inward to p bits": true}

func (m model) is(fault string) bool { return m.fault == fault }

func (m model) bits() uint { return m.f.Precision + 64 }

func (m model) up(b real.Dyadic, underflow bool) real.Dyadic {
	eta, alpha := -int64(m.f.Precision), real.Pow2(m.f.EMin-int64(m.f.Precision))
	if m.is("widen with eta/2") {
		eta--
	}
	if m.is("widen with alpha/2") {
		alpha = alpha.Shift(-1)
	}
	bits, out := m.bits(), true
	if m.is("ends rounded inward to p bits") {
		bits, out = m.f.Precision, false
	}
	if m.is("ends rounded inward to p-1 bits") {
		bits, out = m.f.Precision-1, false
	}
	normal := b.Abs().Cmp(real.Pow2(m.f.EMin)) >= 0
	var r real.Dyadic
	switch {
	case b.IsZero() || !normal && (!underflow || m.is("widen without alpha")):
		return b.Truncated(bits, out)
	case !normal:
		r = real.Point(b).Add(real.Point(alpha), m.bits()).Hi
		if b.Sign() < 0 && r.Sign() > 0 && !m.is("no clip of the sign at 0") {
			r = real.Dyadic{}
		}
		return r.Truncated(bits, out)
	case m.is("widen without eta"):
		return b.Truncated(bits, out)
	case b.Sign() > 0 || m.is("reversed factors for negative ends"):
		r = b.Add(b.Shift(eta))
	default:
		q, _ := real.Point(b).Quo(real.Point(real.One().Add(real.Pow2(eta))), m.bits())
		r = q.Hi
	}
	return real.Min(r.Truncated(bits, out), real.Max(b.Truncated(bits, out), m.f.MaxFinite()))
}

func (m model) widen(x real.Interval, underflow bool) real.Interval {
	return real.Interval{Lo: m.up(x.Lo.Neg(), underflow).Neg(), Hi: m.up(x.Hi, underflow)}
}

// threshold is (2 - 2^-p) 2^emax.
func (m model) threshold() real.Dyadic {
	return real.Pow2(m.f.EMax + 1).Sub(real.Pow2(m.f.EMax - int64(m.f.Precision)))
}

func (m model) finite(x real.Interval, limit real.Dyadic) bool {
	return x.Lo.Abs().Cmp(limit) < 0 && x.Hi.Abs().Cmp(limit) < 0
}

// interval gives the interval of e, or false for a refusal.
func (m model) interval(e lang.Float) (real.Interval, bool) {
	var a []real.Interval
	for _, k := range e.Args() {
		x, ok := m.interval(k)
		if !ok {
			return x, false
		}
		a = append(a, x)
	}
	none := real.Interval{}
	switch e.Op() {
	case lang.Const:
		x := e.Number().Enclose(m.bits())
		d, dyadic := e.Number().Dyadic()
		switch {
		case dyadic && m.f.Contains(d) || m.is("CONST not widened"):
			return x, true
		case e.Number().CmpAbs(m.threshold()) >= 0 && !m.is("CONST range unchecked"):
			return none, false
		}
		return m.widen(x, !m.is("CONST without alpha")), true
	case lang.Add:
		x := real.Interval{Lo: a[0].Lo.Add(a[1].Lo), Hi: a[0].Hi.Add(a[1].Hi)}
		limit := m.threshold()
		if m.is("OP+ range against 2^(emax+1)") {
			limit = real.Pow2(m.f.EMax + 1)
		}
		return m.widen(x, false), m.finite(x, limit)
	case lang.Sub:
		x := real.Interval{Lo: a[0].Lo.Sub(a[1].Hi), Hi: a[0].Hi.Sub(a[1].Lo)}
		if m.is("OP- pairs like ends") {
			x = real.Interval{Lo: a[0].Lo.Sub(a[1].Lo), Hi: a[0].Hi.Sub(a[1].Hi)}
		}
		return m.widen(x, false), m.finite(x, m.threshold())
	case lang.Mul:
		x := real.Interval{Lo: a[0].Lo.Mul(a[1].Lo), Hi: a[0].Hi.Mul(a[1].Hi)}
		if !m.is("OPx only lo·lo and hi·hi") {
			x = a[0].Mul(a[1], 1<<20)
		}
		return m.widen(x, !m.is("OPx without alpha")), m.finite(x, m.threshold()) || m.is("OPx range unchecked")
	case lang.Quo:
		return m.quotient(a[0], a[1])
	case lang.Ln:
		return m.ln(a[0])
	case lang.Neg:
		if m.is("NEG keeps the order of ends") {
			return real.Interval{Lo: a[0].Lo.Neg(), Hi: a[0].Hi.Neg()}, true
		}
		return a[0].Neg(), true
	case lang.Clamp:
		lo, hi := e.Bounds()
		x := real.Interval{Lo: lang.ClampDyadic(a[0].Lo, lo, hi), Hi: lang.ClampDyadic(a[0].Hi, lo, hi)}
		switch {
		case m.is("CLAMP leaves the interval"):
			x = a[0]
		case m.is("CLAMP clamps the low end only"):
			x.Hi = a[0].Hi
			x.Lo = real.Max(lo, a[0].Lo)
		}
		return x, m.f.Contains(lo) && m.f.Contains(hi)
	case lang.Round:
		return m.round(a[0], e.Unit())
	}
	b, ok := m.env[e.Key()]
	return b.Interval, ok
}

func (m model) quotient(x, y real.Interval) (real.Interval, bool) {
	if y.Lo.Sign() <= 0 && y.Hi.Sign() >= 0 {
		if !m.is("OP/ divisor may contain 0") || y.Lo.IsZero() || y.Hi.IsZero() {
			return real.Interval{}, false
		}
	}
	big := real.Max(x.Lo.Abs(), x.Hi.Abs())
	if small := real.Min(y.Lo.Abs(), y.Hi.Abs()); big.Cmp(small.Mul(m.threshold())) >= 0 {
		return real.Interval{}, false
	}
	corner := func(a, b real.Dyadic) real.Interval {
		q, _ := real.Point(a).Quo(real.Point(b), m.bits())
		return q
	}
	q := corner(x.Lo, y.Lo)
	corners := []real.Interval{corner(x.Lo, y.Hi), corner(x.Hi, y.Lo), corner(x.Hi, y.Hi)}
	if m.is("OP/ only lo/lo and hi/hi") {
		q.Hi, corners = corner(x.Hi, y.Hi).Hi, nil
	}
	for _, c := range corners {
		q = real.Interval{Lo: real.Min(q.Lo, c.Lo), Hi: real.Max(q.Hi, c.Hi)}
	}
	return m.widen(q, !m.is("OP/ without alpha")), true
}

func (m model) ln(x real.Interval) (real.Interval, bool) {
	if x.Lo.Sign() <= 0 {
		return x, false
	}
	if m.is("LN of the upper end at both") {
		x.Lo = x.Hi
	}
	l, err := real.LnInterval(x, m.bits())
	if err != nil {
		return l, false
	}
	l = l.Outward(m.bits())
	if m.is("LN not widened") {
		return l, true
	}
	alpha := m.f.EMin > -int64(m.f.Precision) && !m.is("LN never with alpha")
	return m.widen(l, alpha), m.finite(l, m.threshold())
}

func (m model) round(x real.Interval, unit int64) (real.Interval, bool) {
	near := func(d real.Dyadic) real.Dyadic {
		if m.is("ROUND ties down") {
			return lang.NearestMultiple(d.Neg(), unit).Neg()
		}
		return lang.NearestMultiple(d, unit)
	}
	big := m.f.MaxFinite()
	top, bottom := lang.NearestMultiple(real.Min(x.Hi, big), unit), lang.NearestMultiple(real.Max(x.Lo, big.Neg()), unit)
	if !m.is("ROUND overflow unchecked") && (top.Cmp(big) > 0 || bottom.Cmp(big.Neg()) < 0) {
		return x, false
	}
	if m.is("ROUND leaves the interval") {
		return x, true
	}
	return real.Interval{Lo: near(x.Lo), Hi: near(x.Hi)}, true
}

// conclude is the model's whole derivation; WEAKEN is applied to its conclusion.
func (m model) conclude(e lang.Float) (real.Interval, bool) {
	x, ok := m.interval(e)
	if ok && m.is("WEAKEN narrows") {
		x.Lo = x.Lo.Add(x.Width().Shift(-1))
	}
	return x, ok
}

func TestModelIsTheKernel(t *testing.T) {
	same := 0
	for i, f := range formats {
		r := newRand(uint64(300 + i))
		for n := range scaled(400, 100) {
			c := draw(r, f, 2+n%6, n%2 == 0)
			x, ok := model{f: f, env: c.env}.conclude(c.e)
			j, err := kernel.Derive(context(t, f, c.env), c.e)
			require.Equal(t, ok, err == nil, "%v in %s: %v", c.e, f.Name, err)
			if ok {
				require.True(t, x.Lo.Equal(j.Interval().Lo) && x.Hi.Equal(j.Interval().Hi), "%v in %s: %v, %v", j, f.Name, x.Lo, x.Hi)
				same++
			}
		}
	}
	t.Logf("%d intervals equal to the last bit", same)
}

// Each planted fault is caught by Theorem 1 as a property; the faultless model and
// the equivalent faults pass it on all cases.
func TestMutantsAreCaught(t *testing.T) {
	caught := map[string]int{}
	harmless := append([]string{""}, slices.Sorted(maps.Keys(equivalent))...)
	cases := scaled(1000, 700)
	for i, f := range formats {
		r := newRand(uint64(500 + i))
		for n := range cases {
			c := draw(r, f, 2+n%3, true)
			if n%16 == 15 { // draw gives no expression without a value: one that may overflow
				d := model{f: f}.threshold().Add(datum(r, f).Shift(-3 * int64(f.Precision)))
				c = sampleCase{f: f, e: lang.NewConst[lang.Floats](lang.FromDyadic(d)), at: []map[string]spec.Value{nil}}
			}
			for _, fault := range append(harmless, faults...) {
				if _, done := caught[fault]; done {
					continue
				}
				x, ok := model{f, c.env, fault}.conclude(c.e)
				if !ok {
					continue
				}
				if what := c.violated(x); what != "" {
					require.NotContains(t, harmless, fault, "%v in %s: %s", c.e, f.Name, what)
					caught[fault] = i*cases + n + 1
					t.Logf("%-36s caught at case %5d, %-10s %.60s: %.90s", fault, i*cases+n+1, f.Name, c.e.String(), what)
				}
			}
		}
	}
	for _, fault := range faults {
		_, ok := caught[fault]
		assert.Equal(t, !equivalent[fault], ok, fault)
	}
	t.Logf("%d mutants, %d caught; equivalent, as they must be: %v", len(faults), len(caught), harmless[1:])
}
