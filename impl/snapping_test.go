package impl

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	inf  = math.Inf(1)
	nan  = math.NaN()
	neg0 = math.Copysign(0, -1)
	up   = func(x float64) float64 { return math.Nextafter(x, inf) }
	down = func(x float64) float64 { return math.Nextafter(x, -inf) }
)

func requireDomain(t *testing.T, err error, argument string) {
	t.Helper()
	var e *DomainError
	require.ErrorAs(t, err, &e)
	require.Equal(t, argument, e.Argument, err.Error())
}

func requireHypothesis(t *testing.T, err error, name string) {
	t.Helper()
	var e *HypothesisError
	require.ErrorAs(t, err, &e)
	require.Equal(t, name, e.Hypothesis, err.Error())
	require.Contains(t, err.Error(), name)
}

func requireOverflow(t *testing.T, err error, quantity string) {
	t.Helper()
	var e *OverflowError
	require.ErrorAs(t, err, &e)
	require.Equal(t, quantity, e.Quantity, err.Error())
	require.Contains(t, err.Error(), quantity)
}

func TestCalibrateDomain(t *testing.T) {
	for _, x := range []float64{nan, inf, -inf, 0, neg0, -1} {
		_, err := Calibrate(x, 1, 0, 1, Proved())
		requireDomain(t, err, "Epsilon")
		_, err = Calibrate(1, x, 0, 1, Proved())
		requireDomain(t, err, "Sensitivity")
		_, err = NewSnappingScale(ScaleParams{Lambda, x, 1, 0, 1, Proved()})
		requireDomain(t, err, "Value")
		_, err = NewSnappingScale(ScaleParams{Lambda, 1, x, 0, 1, Proved()})
		requireDomain(t, err, "Sensitivity")
	}
	for _, c := range []struct {
		lo, hi float64
		arg    string
	}{{nan, 1, "Lo"}, {0, nan, "Hi"}, {-inf, 1, "Lo"}, {0, inf, "Hi"}, {2, 1, "Lo"}} {
		_, err := Calibrate(1, 1, c.lo, c.hi, Proved())
		requireDomain(t, err, c.arg)
		_, err = NewSnappingScale(ScaleParams{Lambda, 1, 1, c.lo, c.hi, Proved()})
		requireDomain(t, err, c.arg)
	}
	_, err := Calibrate(1, 1, 0, 1, Constant{})
	requireDomain(t, err, "Constant")
	_, err = NewSnapping(Params{1, 1, 0, 1, Constant{}})
	requireDomain(t, err, "Constant")
	_, err = NewSnappingScale(ScaleParams{Lambda, 1, 1, 0, 1, Constant{}})
	requireDomain(t, err, "Constant")
	_, err = NewSnappingScale(ScaleParams{0, 1, 1, 0, 1, Proved()})
	requireDomain(t, err, "Scale")
	// Domain before hypothesis: both fail here.
	_, err = Calibrate(0x1p-60, 1, 2, 1, Proved())
	requireDomain(t, err, "Lo")
}

// Each hypothesis just inside and just outside.
func TestHypotheses(t *testing.T) {
	for _, c := range []Constant{Published(), Proved()} {
		floor := float64(c.Additive()+c.Floor()*c.C()) * 0x1p-53
		_, err := Calibrate(floor, 1, 0, 1, c)
		requireHypothesis(t, err, HypothesisEpsilonAboveFloor)
		_, err = Calibrate(down(floor), 1, 0, 1, c)
		requireHypothesis(t, err, HypothesisEpsilonAboveFloor)
		_, err = Calibrate(up(floor), 0x1p-60, 0, 1, c)
		var h *HypothesisError
		require.False(t, errors.As(err, &h) && h.Hypothesis == HypothesisEpsilonAboveFloor)
	}
	type row struct {
		c       Constant
		kind    ScaleKind
		in, out float64 // values just inside and just outside
		b       float64
		name    string
	}
	for i, r := range []row{
		{Published(), Lambda, up(1), 1, 0x1p46, HypothesisBoundBelow46Scale},
		{Published(), InverseEpsilon, down(1), 1, 0x1p46, HypothesisBoundBelow46Scale},
		{Published(), Lambda, down(1), 1, 1, HypothesisBoundAboveScale},
		{Published(), InverseEpsilon, up(1), 1, 1, HypothesisBoundAboveScale},
		{Proved(), Lambda, 1, down(1), 0x1p38, HypothesisBoundAtMost38Scale},
		{Proved(), InverseEpsilon, 1, up(1), 0x1p38, HypothesisBoundAtMost38Scale},
		{Proved(), Lambda, 0x1p-960, down(0x1p-960), 0, HypothesisScaleAtLeast},
		{Proved(), InverseEpsilon, 0x1p960, up(0x1p960), 0, HypothesisScaleAtLeast},
		{Proved(), Lambda, 0x1p1021, up(0x1p1021), 1, HypothesisRange},
		{Proved(), InverseEpsilon, 0x1p-1021, down(0x1p-1021), 1, HypothesisRange},
	} {
		d := 1.0
		if r.name == HypothesisScaleAtLeast {
			d = 0x1p-900
		}
		p := ScaleParams{r.kind, r.in, d, -r.b, r.b / 2, r.c}
		s, err := NewSnappingScale(p)
		require.NoError(t, err, "row %d", i)
		require.Equal(t, r.kind, s.Scale())
		p.Value = r.out
		_, err = NewSnappingScale(p)
		requireHypothesis(t, err, r.name)
	}
	// 1/epsilon is compared exactly: it is no double here, and B is just above
	// and just below it.
	v := 3.0
	third := 1.0 / 3 // below 1/3
	_, err := NewSnappingScale(ScaleParams{InverseEpsilon, v, 1, 0, third, Published()})
	requireHypothesis(t, err, HypothesisBoundAboveScale)
	_, err = NewSnappingScale(ScaleParams{InverseEpsilon, v, 1, 0, up(third), Published()})
	require.NoError(t, err)
	// The bound's side of "range".
	_, err = NewSnappingScale(ScaleParams{Lambda, 0x1p1000, 1, 0, 0x1p1021, Proved()})
	require.NoError(t, err)
	_, err = NewSnappingScale(ScaleParams{Lambda, 0x1p1000, 1, 0, up(0x1p1021), Proved()})
	requireHypothesis(t, err, HypothesisRange)
	// By calibration: B = 2^46 lambda needs epsilon of about 2^46 D/B.
	_, err = Calibrate(10, 1, 0, 0x1p42, Published())
	require.NoError(t, err)
	_, err = Calibrate(100, 1, 0, 0x1p42, Published())
	requireHypothesis(t, err, HypothesisBoundBelow46Scale)
	_, err = NewSnapping(Params{1, 1, 0, 0.5, Published()})
	requireHypothesis(t, err, HypothesisBoundAboveScale)
}

func TestOverflow(t *testing.T) {
	// A unit that is no double, or a scale beyond all doubles, is out of range
	// before anything overflows.
	_, err := NewSnappingScale(ScaleParams{Lambda, up(0x1p1023), 1, 0, math.MaxFloat64, Published()})
	requireHypothesis(t, err, HypothesisRange)
	_, err = NewSnappingScale(ScaleParams{Lambda, 1, down(math.MaxFloat64), 0, 100, Published()})
	require.NoError(t, err)
	_, err = NewSnappingScale(ScaleParams{Lambda, 1, math.MaxFloat64, 0, 100, Published()})
	requireOverflow(t, err, "achieved")
	_, err = Calibrate(1, 0x1.8p1023, 0, math.MaxFloat64, Published())
	requireHypothesis(t, err, HypothesisRange)
	_, err = Calibrate(0.5, math.MaxFloat64, 0, 1, Published())
	requireHypothesis(t, err, HypothesisBoundAboveScale)
	_, err = Calibrate(0.5, math.MaxFloat64, 0, 1, Proved())
	requireHypothesis(t, err, HypothesisRange)
}

func TestConstants(t *testing.T) {
	require.Equal(t, []int64{12, 2, 0}, []int64{Published().C(), Published().Additive(), Published().Floor()})
	require.Equal(t, []int64{15, 5, 1}, []int64{Proved().C(), Proved().Additive(), Proved().Floor()})
	require.Equal(t, []int64{0, 0, 0}, []int64{Constant{}.C(), Constant{}.Additive(), Constant{}.Floor()})
	require.Equal(t, "", Constant{}.Name())
	require.Equal(t, "no constant", Constant{}.String())
	require.Equal(t, "published (c = 12, a = 2, b = 0)", Published().String())
	require.Equal(t, Proved(), Constant{&proved})
	require.False(t, Proved() == Published())
	for _, c := range []Constant{Published(), Proved()} {
		b, err := c.MarshalText()
		require.NoError(t, err)
		require.Equal(t, c.Name(), string(b))
		var d Constant
		require.NoError(t, d.UnmarshalText(b))
		require.Equal(t, c, d)
		requireDomain(t, d.UnmarshalText([]byte("Proved")), "Constant")
		require.Equal(t, c, d)
	}
	_, err := Constant{}.MarshalText()
	requireDomain(t, err, "Constant")
}

func TestScaleKindText(t *testing.T) {
	for _, k := range []ScaleKind{Lambda, InverseEpsilon} {
		b, err := k.MarshalText()
		require.NoError(t, err)
		var l ScaleKind
		require.NoError(t, l.UnmarshalText(b))
		require.Equal(t, k, l)
		requireDomain(t, l.UnmarshalText(nil), "Scale")
		require.Equal(t, k, l)
	}
	require.Equal(t, "lambda", Lambda.String())
	require.Equal(t, "epsilon", InverseEpsilon.String())
	require.Equal(t, "ScaleKind(0)", ScaleKind(0).String())
	_, err := ScaleKind(7).MarshalText()
	requireDomain(t, err, "Scale")
}

func ratOf(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// The calibrated scale achieves epsilon and the next smaller one does not, by
// the bound of the theorem evaluated exactly.
func TestCalibrateIsMinimal(t *testing.T) {
	loss := func(c Calibration, lambda float64) *big.Rat {
		eta, l := ratOf(0x1p-53), ratOf(lambda)
		b := ratOf(max(math.Abs(c.Lo), math.Abs(c.Hi)))
		if f := new(big.Rat).Mul(new(big.Rat).SetInt64(c.Constant.Floor()), l); f.Cmp(b) > 0 {
			b = f
		}
		b.Mul(b, new(big.Rat).SetInt64(c.Constant.C())).Mul(b, eta)
		b.Add(b, ratOf(c.Sensitivity)).Quo(b, l)
		return b.Add(b, eta.Mul(eta, new(big.Rat).SetInt64(c.Constant.Additive())))
	}
	n := 0
	for _, eps := range []float64{1e-9, 0.1, 0.5, math.Ln2, 1, 3, 10} {
		for _, d := range []float64{0x1p-30, 0.1, 1, 7} {
			for _, b := range []float64{0, 1e-9, 1, 1000, 1e9, 1e12} {
				for _, k := range []Constant{Published(), Proved()} {
					c, err := Calibrate(eps, d, -b, b/3, k)
					if err != nil {
						continue
					}
					n++
					require.LessOrEqual(t, c.Achieved, eps)
					require.LessOrEqual(t, loss(c, c.Lambda).Cmp(ratOf(eps)), 0)
					require.Positive(t, loss(c, down(c.Lambda)).Cmp(ratOf(eps)))
					require.True(t, c.Unit >= c.Lambda && c.Unit/2 < c.Lambda)
					s, err := NewSnapping(Params{eps, d, -b, b / 3, k})
					require.NoError(t, err)
					require.Equal(t, []float64{c.Lambda, c.Unit, c.Achieved, eps, c.Lo, c.Hi, d},
						[]float64{s.Value(), s.Unit(), s.Achieved(), s.Epsilon(), s.Lo(), s.Hi(), s.Sensitivity()})
					require.Equal(t, k, s.Constant())
					u, err := NewSnappingScale(ScaleParams{Lambda, c.Lambda, d, -b, b / 3, k})
					require.NoError(t, err)
					require.Equal(t, c.Achieved, u.Achieved())
				}
			}
		}
	}
	require.Greater(t, n, 150)
}

// With the scale 1/epsilon the bound is D epsilon + c max(B epsilon, b) eta + a eta,
// exactly, rounded up.
func TestAchievedInverse(t *testing.T) {
	n := 0
	for _, v := range []float64{0.3, 1, 3, 0x1.fffffffffffffp-2, 1e-8} {
		for _, b := range []float64{0.1, 1000, 1e9} {
			for _, c := range []Constant{Published(), Proved()} {
				s, err := NewSnappingScale(ScaleParams{InverseEpsilon, v, 0.7, -b, b / 2, c})
				if err != nil {
					continue
				}
				n++
				bv := new(big.Rat).Mul(ratOf(b), ratOf(v))
				if f := new(big.Rat).SetInt64(c.Floor()); f.Cmp(bv) > 0 {
					bv = f
				}
				bv.Mul(bv, new(big.Rat).SetInt64(c.C())).Add(bv, new(big.Rat).SetInt64(c.Additive()))
				bv.Mul(bv, ratOf(0x1p-53))
				bv.Add(bv, new(big.Rat).Mul(ratOf(0.7), ratOf(v)))
				require.True(t, ratOf(s.Achieved()).Cmp(bv) >= 0 && ratOf(down(s.Achieved())).Cmp(bv) < 0)
				require.Zero(t, s.Epsilon())
			}
		}
	}
	require.Greater(t, n, 15)
}

func TestMinusZeroBounds(t *testing.T) {
	s, err := NewSnapping(Params{1, 1, neg0, neg0, Proved()})
	require.NoError(t, err)
	require.Zero(t, math.Float64bits(s.Lo())|math.Float64bits(s.Hi()))
	c, err := Calibrate(1, 1, neg0, 4, Proved())
	require.NoError(t, err)
	require.Zero(t, math.Float64bits(c.Lo))
}

func TestZeroSnapping(t *testing.T) {
	for _, s := range []*Snapping{nil, {}} {
		r, err := s.Release(1)
		requireDomain(t, err, "Snapping")
		require.True(t, math.IsNaN(r))
		requireDomain(t, s.ReleaseTo(make([]float64, 1), make([]float64, 1)), "Snapping")
		require.Zero(t, s.Value()+s.Unit()+s.Lo()+s.Hi()+s.Sensitivity()+s.Achieved()+s.Epsilon())
		require.Equal(t, Constant{}, s.Constant())
		require.Zero(t, s.Scale())
		require.Contains(t, s.String(), "not initialised")
	}
	_, err := json.Marshal(&Snapping{})
	requireDomain(t, err, "Snapping")
	_, err = json.Marshal(Calibration{})
	requireDomain(t, err, "Constant")
}

func mechanisms(t *testing.T) []*Snapping {
	a, err := NewSnapping(Params{0.5, 1, -10.25, 1000, Proved()})
	require.NoError(t, err)
	b, err := NewSnappingScale(ScaleParams{InverseEpsilon, 0.3, 2, 0, 50, Published()})
	require.NoError(t, err)
	c, err := NewSnappingScale(ScaleParams{Lambda, 0.7, 2, neg0, 50, Published()})
	require.NoError(t, err)
	return []*Snapping{a, b, c}
}

func TestJSON(t *testing.T) {
	for _, s := range mechanisms(t) {
		require.Contains(t, s.String(), hex(s.Value()))
		for _, v := range []any{s, *s} {
			b, err := json.Marshal(v)
			require.NoError(t, err)
			var u Snapping
			require.NoError(t, json.Unmarshal(b, &u))
			require.Equal(t, *s, u)
		}
		b, err := json.Marshal(s)
		require.NoError(t, err)
		// Any field changed, dropped or added is refused, and the receiver kept.
		var m map[string]any
		require.NoError(t, json.Unmarshal(b, &m))
		other := mechanisms(t)[1]
		for key := range m {
			for _, to := range []any{nil, "", "0x1p+02", "epsilon", "lambda", "x", "NaN", 3, "0x1p+2"} {
				if m[key] == to {
					continue // the same text
				}
				if key == "lo" && to == "0x1p+02" || key == "epsilon" && to == "" {
					continue // another mechanism, of the same derived values
				}
				k := map[string]any{}
				for a, v := range m {
					k[a] = v
				}
				k[key] = to
				bad, err := json.Marshal(k)
				require.NoError(t, err)
				u := *other
				require.Error(t, json.Unmarshal(bad, &u), "%s = %v", key, to)
				require.Equal(t, *other, u)
			}
		}
		for _, bad := range []string{"null", "3", "{}", "[]", string(b[:len(b)-1]) + `,"more":"1"}`, strings.Replace(string(b), `"c":"1`, `"c":"2`, 1),
			strings.Replace(string(b), `"hi"`, `"HI"`, 1), strings.Replace(string(b), `"mechanism":"snapping",`, "", 1)} {
			u := *other
			require.Error(t, json.Unmarshal([]byte(bad), &u), bad)
			require.Equal(t, *other, u)
		}
		require.Error(t, new(Snapping).UnmarshalJSON(append(b, b...)))
		require.Error(t, (*Snapping)(nil).UnmarshalJSON(b))
	}
}

func TestCalibrationJSON(t *testing.T) {
	c, err := Calibrate(0.5, 1, -3, 1000, Proved())
	require.NoError(t, err)
	b, err := json.Marshal(c)
	require.NoError(t, err)
	var d Calibration
	require.NoError(t, json.Unmarshal(b, &d))
	require.Equal(t, c, d)
	for _, key := range []string{"epsilon", "sensitivity", "lo", "hi", "lambda", "epsilon_prime", "achieved", "unit"} {
		var m map[string]any
		require.NoError(t, json.Unmarshal(b, &m))
		for _, to := range []any{"0x1.8p+40", "", "inf", nil} {
			m[key] = to
			bad, err := json.Marshal(m)
			require.NoError(t, err)
			u := c
			require.Error(t, json.Unmarshal(bad, &u), key)
			require.Equal(t, c, u)
		}
	}
	require.Error(t, json.Unmarshal([]byte(`{}`), &d))
	require.Error(t, json.Unmarshal([]byte(`[]`), &d))
	require.Error(t, (*Calibration)(nil).UnmarshalJSON(b))
	// A hand-made record does not survive the round trip.
	d.Achieved = 0.1
	b, err = json.Marshal(d)
	require.NoError(t, err)
	requireDomain(t, json.Unmarshal(b, &d), "Calibration")
}

func FuzzUnmarshal(f *testing.F) {
	s, err := NewSnapping(Params{0.5, 1, -10.25, 1000, Proved()})
	if err != nil {
		f.Fatal(err)
	}
	b, _ := json.Marshal(s)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		var u Snapping
		if u.UnmarshalJSON(b) != nil {
			require.Equal(t, Snapping{}, u)
			return
		}
		out, err := json.Marshal(u)
		require.NoError(t, err)
		var v Snapping
		require.NoError(t, v.UnmarshalJSON(out))
		require.Equal(t, u, v)
	})
}

func FuzzConstructors(f *testing.F) {
	f.Add(0.5, 1.0, -1.0, 3.0, true, true)
	f.Fuzz(func(t *testing.T, v, d, lo, hi float64, proved, inverse bool) {
		c, kind := Published(), Lambda
		if proved {
			c = Proved()
		}
		if inverse {
			kind = InverseEpsilon
		}
		a, err := NewSnapping(Params{v, d, lo, hi, c})
		b, err2 := NewSnappingScale(ScaleParams{kind, v, d, lo, hi, c})
		if err == nil {
			require.LessOrEqual(t, a.Achieved(), v)
		}
		for _, err := range []error{err, err2} {
			var x *DomainError
			var y *HypothesisError
			var z *OverflowError
			require.True(t, err == nil || errors.As(err, &x) || errors.As(err, &y) || errors.As(err, &z))
		}
		if err2 == nil {
			r, err := b.Release(d)
			require.NoError(t, err)
			require.True(t, r >= b.Lo() && r <= b.Hi())
			require.NotEmpty(t, fmt.Sprint(b))
		}
	})
}

// An error says once what was given, and what helps.
func TestErrorsForPeople(t *testing.T) {
	for _, c := range []struct {
		p    ScaleParams
		want string
	}{
		{ScaleParams{Lambda, 1, 1, nan, 1, Proved()}, "impl: Lo: is NaN; it must be finite"},
		{ScaleParams{Lambda, inf, 1, 0, 1, Proved()}, "impl: Value: is +Inf; it must be positive and finite"},
		{ScaleParams{Lambda, 1, 1, 3, 1, Proved()}, "impl: Lo: is 0x1.8p+01 (3), above Hi = 0x1p+00 (1); Lo <= Hi is required"},
		{ScaleParams{Lambda, 1, 1, 0, 0x1p39, Proved()}, "impl: privacy hypothesis bound-at-most-2^38-scale fails: B = 0x1p+39 (5.49756e+11), " +
			"scale 0x1p+00 (1), unit 2^0: proved requires B <= 2^38 scale; narrow the bounds or raise the scale (a smaller epsilon)"},
	} {
		_, err := NewSnappingScale(c.p)
		require.EqualError(t, err, c.want)
	}
	for _, h := range []string{HypothesisEpsilonAboveFloor, HypothesisBoundBelow46Scale, HypothesisBoundAboveScale,
		HypothesisBoundAtMost38Scale, HypothesisScaleAtLeast, HypothesisRange} {
		require.NotEmpty(t, remedies[h], h)
	}
	require.Len(t, remedies, 6)
	require.EqualError(t, &HypothesisError{"other", "x"}, "impl: privacy hypothesis other fails: x")
}
