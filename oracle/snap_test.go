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

// plainSnap evaluates docs/theory.md 2 in the hardware's float64, given ell = LN(u).
// Only round_L is not a hardware operation: it is taken from the rationals.
func plainSnap(scale spec.ScaleKind, value, lo, hi, f, ell float64, s spec.Sign) (unit, y, z, x, w, rounded, r float64) {
	frac, exp := math.Frexp(value) // value = frac 2^exp, 1/2 <= frac < 1
	switch {
	case scale == spec.ScaleEpsilon:
		unit = math.Ldexp(1, 1-exp) // 1 < 1/frac <= 2
		y = ell / value
	default:
		unit = math.Ldexp(1, exp)
		if frac == 0.5 {
			unit = value
		}
		y = value * ell
	}
	y += 0 // -0 becomes +0
	z = y
	if s < 0 {
		z = -y
	}
	clip := func(a float64) float64 {
		if a < lo {
			a = lo
		}
		if a > hi {
			a = hi
		}
		return a + 0
	}
	x = clip(f)
	w = x + z
	rounded = w
	if !math.IsInf(w, 0) {
		u := new(big.Rat).SetFloat64(unit)
		q := new(big.Rat).Quo(new(big.Rat).SetFloat64(w), u)
		n := nearestInt(q, spec.TiesUp)
		rounded, _ = u.Mul(u, new(big.Rat).SetInt(n)).Float64()
	}
	return unit, y, z, x, w, rounded, clip(rounded)
}

type snapCase struct {
	p spec.SnapParams
	f spec.Value
	u spec.U
	s spec.Sign
}

// randSnap draws parameters; wild ones reach every exponent.
func randSnap(r *rand.Rand, wild bool) snapCase {
	draw := func(span int) float64 { return math.Ldexp(1+r.Float64(), r.IntN(2*span)-span) }
	span := 12
	if wild && r.IntN(2) == 0 {
		span = 1020
	}
	lo, hi := draw(span), draw(span)
	if r.IntN(3) > 0 {
		lo = -lo
	}
	if r.IntN(4) == 0 {
		hi = -hi
	}
	lo, hi = min(lo, hi), max(lo, hi)
	value := draw(min(span, 1000))
	if r.IntN(4) == 0 {
		value = math.Ldexp(1, r.IntN(20)-10)
	}
	if wild && r.IntN(6) == 0 { // where y over- or underflows
		value = math.Ldexp(1+r.Float64(), []int{1000 + r.IntN(22), -1000 - r.IntN(74)}[r.IntN(2)])
	}
	f := lo + (hi-lo)*r.Float64()
	switch r.IntN(8) {
	case 0:
		f = math.Inf(1 - 2*r.IntN(2))
	case 1:
		f = -draw(span)
	case 2:
		f = math.Copysign(0, -1)
	}
	if math.IsNaN(f) {
		f = lo
	}
	c := snapCase{
		p: spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(value), Lo: dbl(lo), Hi: dbl(hi)},
		f: dbl(f), u: spec.U{M: r.Uint64() >> 12, E: 1 + int64(math.Abs(r.ExpFloat64()))}, s: spec.Sign(1 - 2*r.IntN(2)),
	}
	if r.IntN(2) == 0 {
		c.p.Scale = spec.ScaleEpsilon
	}
	switch r.IntN(10) {
	case 0: // u next to 1: y may underflow
		c.u = spec.U{M: 1<<52 - 1 - uint64(r.IntN(3)), E: 1}
	case 1:
		c.u.E = 1 + r.Int64N(1<<20)
	case 2:
		c.u.E = 1 + r.Int64N(spec.MaxE)
	}
	return c
}

// SnapF against the hardware, both scales, all stages, bit for bit.
func TestSnapFAgainstHardware(t *testing.T) {
	r := newRand(60)
	inf, zero, minusZero := 0, 0, 0
	for i := range scaled(6000, 600) {
		c := randSnap(r, i%2 == 0)
		tr, err := SnapF(c.p, c.f, c.u, c.s)
		if err != nil {
			requireReject(t, err, spec.Overflow, "unit")
			continue
		}
		ell, err := LnU(c.p.Format, c.u)
		require.NoError(t, err)
		unit, y, z, x, w, rounded, out := plainSnap(c.p.Scale, toFloat(t, c.p.Value), toFloat(t, c.p.Lo),
			toFloat(t, c.p.Hi), toFloat(t, c.f), toFloat(t, ell), c.s)
		requireSame(t, ell, tr.Ln, "ln")
		for j, want := range []float64{unit, toFloat(t, ell), y, z, x, w, rounded, out} {
			sameBits64(t, want, tr.Stages()[j], "%s of %v, f = %v, u = %+v, s = %d", spec.SnapStages[j].ID, c.p, c.f, c.u, c.s)
		}
		if math.IsInf(w, 0) || math.IsInf(rounded, 0) {
			inf++
		}
		if out == 0 {
			zero++
		}
		if z == 0 && math.Signbit(z) {
			minusZero++
		}
	}
	assert.Positive(t, inf, "infinities must be met")
	assert.Positive(t, zero)
	if !testing.Short() {
		assert.Positive(t, minusZero)
	}
}

// Zero signs and infinities by hand.
func TestSnapFZerosAndInfinities(t *testing.T) {
	p := func(value, lo, hi float64) spec.SnapParams {
		return spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: dbl(value), Lo: dbl(lo), Hi: dbl(hi)}
	}
	ln2 := math.Ln2                       // a variable: constants would be added exactly
	nearOne := spec.U{M: 1<<52 - 1, E: 1} // ln u = -2^-53
	minus0 := math.Copysign(0, -1)
	for _, c := range []struct {
		p                      spec.SnapParams
		f                      float64
		u                      spec.U
		s                      spec.Sign
		y, z, x, w, rounded, r float64
	}{
		// y underflows: +0 although the product is -0; z = s y is -0 for s = -1; w = 0 + -0 = +0.
		{p(0x1p-1074, -1, 1), minus0, nearOne, 1, 0, 0, 0, 0, 0, 0},
		{p(0x1p-1074, -1, 1), minus0, nearOne, -1, 0, minus0, 0, 0, 0, 0},
		// w = -ln 2 / 4 rounds to +0, not -0.
		{p(0.25, -1, 1), 0, spec.U{M: 0, E: 1}, 1, -ln2 / 4, -ln2 / 4, 0, -ln2 / 4, -0.25, -0.25},
		{p(1, -1, 1), 0.5, spec.U{M: 0, E: 1}, 1, -ln2, -ln2, 0.5, 0.5 - ln2, 0, 0},
		// a bound of -0 releases +0.
		{p(1, minus0, 1), -5, spec.U{M: 0, E: 1}, 1, -ln2, -ln2, 0, -ln2, -1, 0},
		// infinite f clamps.
		{p(1, -8, 8), math.Inf(1), spec.U{M: 0, E: 1}, -1, -ln2, ln2, 8, 8 + ln2, 9, 8},
		{p(1, -8, 8), math.Inf(-1), spec.U{M: 0, E: 1}, 1, -ln2, -ln2, -8, -8 - ln2, -9, -8},
		// y overflows and is carried to the clamp, whatever f.
		{p(0x1p1023, -8, 8), 8, spec.U{M: 0, E: 9}, 1, math.Inf(-1), math.Inf(-1), 8, math.Inf(-1), math.Inf(-1), -8},
		{p(0x1p1023, -8, 8), -8, spec.U{M: 0, E: 9}, -1, math.Inf(-1), math.Inf(1), -8, math.Inf(1), math.Inf(1), 8},
		// only the rounding overflows: w = 0x1.8p1023 or more is a tie or beyond.
		{p(0x1p1023, 0, math.MaxFloat64), 0x1.8p1023, spec.U{M: 1<<52 - 1, E: 1}, -1, -0x1p970, 0x1p970, 0x1.8p1023, 0x1.8p1023, math.Inf(1), math.MaxFloat64},
	} {
		tr, err := SnapF(c.p, dbl(c.f), c.u, c.s)
		require.NoError(t, err)
		for j, want := range []float64{c.y, c.z, c.x, c.w, c.rounded, c.r} {
			sameBits64(t, want, tr.Stages()[j+2], "%s of %v, f = %v", spec.SnapStages[j+2].ID, c.p, c.f)
		}
	}
}

func TestSnapRejections(t *testing.T) {
	good := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(1, 0), Lo: num(-8, 0), Hi: num(8, 0)}
	huge := good
	huge.Value = dbl(0x1.0000000000001p1023) // Lambda = 2^1024
	bad := good
	bad.Value = spec.NaN()
	u := spec.U{M: 0, E: 1}
	for _, c := range []struct {
		p       spec.SnapParams
		f       spec.Value
		u       spec.U
		s       spec.Sign
		kind    spec.Rejection
		subject string
	}{
		{bad, num(0, 0), u, 1, spec.Domain, "value"},
		{good, spec.NaN(), u, 1, spec.Domain, "f"},
		{good, num(1<<53+1, 0), u, 1, spec.Domain, "f"},
		{good, num(1, 0), u, 0, spec.Domain, "s"},
		{good, num(1, 0), u, 2, spec.Domain, "s"},
		{good, num(1, 0), spec.U{M: 1 << 52, E: 1}, 1, spec.Domain, "m"},
		{good, num(1, 0), spec.U{M: 0, E: 0}, 1, spec.Domain, "e"},
		{huge, num(1, 0), u, 1, spec.Overflow, "unit"},
		{huge, spec.NaN(), u, 1, spec.Domain, "f"}, // domain before overflow
		{huge, num(1, 0), spec.U{M: 0, E: 0}, 1, spec.Domain, "e"},
	} {
		_, err := SnapF(c.p, c.f, c.u, c.s)
		requireReject(t, err, c.kind, c.subject)
		if c.subject != "m" && c.subject != "e" {
			_, err = SnapR(c.p, c.f, real.Pow2(-1), c.s, 50)
			requireReject(t, err, c.kind, c.subject)
		}
	}
	for _, x := range []real.Dyadic{{}, real.One(), dy(-1, 0), dy(3, -1)} {
		_, err := SnapR(good, num(1, 0), x, 1, 50)
		requireReject(t, err, spec.Domain, "u")
		_, err = SnapR(huge, num(1, 0), x, 1, 50)
		requireReject(t, err, spec.Domain, "u")
	}
	// Release: the same before a bit is read, then kind, then overflow, then tape.
	release := func(p spec.SnapParams, k spec.Kind, f spec.Value, tape []byte) error {
		_, _, _, _, err := Release(p, k, f, tape)
		return err
	}
	requireReject(t, release(bad, "gauss", spec.NaN(), nil), spec.Domain, "value")
	requireReject(t, release(huge, "gauss", num(1, 0), nil), spec.Domain, "kind")
	requireReject(t, release(huge, spec.Unbounded, num(1, 0), nil), spec.Overflow, "unit")
	requireReject(t, release(good, spec.Unbounded, num(1, 0), nil), spec.Tape, "tape")
	requireReject(t, release(good, spec.Unbounded, num(1, 0), make([]byte, 7)), spec.Tape, "tape")
}

// Release is the sign, then U*, then SnapF.
func TestReleaseReadsSignThenU(t *testing.T) {
	r := newRand(61)
	for range scaled(500, 50) {
		c := randSnap(r, false)
		tape := make([]byte, 200)
		for i := range tape {
			tape[i] = byte(r.Uint32())
		}
		tape[0] &^= 0x70 >> r.IntN(2)
		for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
			tr, u, s, consumed, err := Release(c.p, k, c.f, tape)
			require.NoError(t, err)
			bits := bitString(tape)
			want, n, ok := readUniform(spec.Binary64, k, bits[1:])
			require.True(t, ok)
			require.Zero(t, want.Cmp(ratOf(u.Value(spec.Binary64))))
			require.Equal(t, n+1, consumed)
			require.Equal(t, spec.Sign(1-2*int(bits[0]-'0')), s)
			direct, err := SnapF(c.p, c.f, u, s)
			require.NoError(t, err)
			stage, differ := spec.FirstDifference(direct, tr)
			require.False(t, differ, stage)
		}
	}
}
