package derand

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl"
)

var (
	inf  = math.Inf(1)
	nan  = math.NaN()
	neg0 = math.Copysign(0, -1)
	ok   = SnapParams{impl.Lambda, 1, -10, 10}
	long = []byte(strings.Repeat("\xa5\x3c", 40))
)

func requireDomain(t *testing.T, err error, argument string) {
	t.Helper()
	var e *impl.DomainError
	require.ErrorAs(t, err, &e)
	require.Equal(t, argument, e.Argument)
}

func requireOverflow(t *testing.T, err error, quantity string) {
	t.Helper()
	var e *impl.OverflowError
	require.ErrorAs(t, err, &e)
	require.Equal(t, quantity, e.Quantity)
}

func requireTape(t *testing.T, err error, bits int) {
	t.Helper()
	var e *TapeError
	require.ErrorAs(t, err, &e)
	require.Equal(t, bits, e.Bits)
	require.Contains(t, err.Error(), fmt.Sprint(bits))
}

func TestPow2(t *testing.T) {
	for _, c := range []struct{ x, ceil, inv float64 }{
		{1, 1, 1}, {3, 4, 0.5}, {0.75, 1, 2}, {0x1p-1023, 0x1p-1023, 0x1p1023}, {0x1.8p-1023, 0x1p-1022, 0x1p1023},
		{0x1p1023, 0x1p1023, 0x1p-1023}, {10, 16, 0.125},
	} {
		y, err := Pow2Ceil(c.x)
		require.NoError(t, err)
		require.Equal(t, c.ceil, y)
		y, err = Pow2CeilInv(c.x)
		require.NoError(t, err)
		require.Equal(t, c.inv, y)
	}
	y, err := Pow2Ceil(3 * math.SmallestNonzeroFloat64)
	require.NoError(t, err)
	require.Equal(t, 4*math.SmallestNonzeroFloat64, y)
	y, err = Pow2CeilInv(math.MaxFloat64)
	require.NoError(t, err)
	require.Equal(t, 0x1p-1023, y)
	_, err = Pow2Ceil(math.MaxFloat64)
	requireOverflow(t, err, "unit")
	_, err = Pow2Ceil(math.Nextafter(0x1p1023, inf))
	requireOverflow(t, err, "unit")
	_, err = Pow2CeilInv(math.Nextafter(0x1p-1023, 0))
	requireOverflow(t, err, "unit")
	for _, x := range []float64{0, neg0, -1, inf, -inf, nan} {
		_, err = Pow2Ceil(x)
		requireDomain(t, err, "x")
		_, err = Pow2CeilInv(x)
		requireDomain(t, err, "x")
	}
}

func TestRoundMultiple(t *testing.T) {
	for _, c := range []struct{ x, unit, up, down float64 }{
		{2.5, 1, 3, 2}, {-2.5, 1, -2, -3}, {-0.5, 1, 0, -1}, {0.5, 1, 1, 0}, {neg0, 4, 0, 0},
		{0x1p-1074, 0x1p-1073, 0x1p-1073, 0}, {-0x1p-1074, 0x1p-1073, 0, -0x1p-1073}, {0x1.8p1022, 0x1p1023, 0x1p1023, 0x1p1023},
		{0x1p-1074, 0x1p1023, 0, 0}, {1e300, 0x1p-1074, 1e300, 1e300}, {0x1p1022, 0x1p1023, 0x1p1023, 0},
	} {
		y, err := RoundMultiple(c.x, c.unit, TiesUp)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(c.up), math.Float64bits(y), "%v", c)
		y, err = RoundMultiple(c.x, c.unit, TiesDown)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(c.down), math.Float64bits(y), "%v", c)
	}
	for _, x := range []float64{inf, -inf, nan} {
		_, err := RoundMultiple(x, 1, TiesUp)
		requireDomain(t, err, "x")
	}
	for _, u := range []float64{0, -1, 3, 1.5, inf, nan, 3 * math.SmallestNonzeroFloat64} {
		_, err := RoundMultiple(1, u, TiesUp)
		requireDomain(t, err, "unit")
	}
	_, err := RoundMultiple(1, 1, 0)
	requireDomain(t, err, "Ties")
	_, err = RoundMultiple(-math.MaxFloat64, 0x1p1023, TiesUp)
	requireOverflow(t, err, "multiple")
	// Halfway to 2^1024 = 2 units: ties up overflow on the positive side only.
	_, err = RoundMultiple(0x1.8p1023, 0x1p1023, TiesUp)
	requireOverflow(t, err, "multiple")
	y, err := RoundMultiple(-0x1.8p1023, 0x1p1023, TiesUp)
	require.NoError(t, err)
	require.Equal(t, -0x1p1023, y)
	y, err = RoundMultiple(0x1.8p1023, 0x1p1023, TiesDown)
	require.NoError(t, err)
	require.Equal(t, 0x1p1023, y)
}

func TestClamp(t *testing.T) {
	y, err := Clamp(inf, -1, 3)
	require.NoError(t, err)
	require.Equal(t, 3.0, y)
	y, err = Clamp(neg0, -1, 3)
	require.NoError(t, err)
	require.Zero(t, math.Float64bits(y))
	_, err = Clamp(nan, 0, 1)
	requireDomain(t, err, "x")
	for _, b := range [][2]float64{{nan, 1}, {0, nan}, {-inf, 0}, {0, inf}, {1, 0}} {
		_, err = Clamp(0, b[0], b[1])
		requireDomain(t, err, "bounds")
	}
}

func TestSnapRejections(t *testing.T) {
	try := func(p SnapParams, f float64, m uint64, e int64, s int) error {
		_, err := Snap(p, f, m, e, s)
		return err
	}
	requireDomain(t, try(SnapParams{0, 1, 0, 1}, 0, 0, 1, 1), "Scale")
	requireDomain(t, try(SnapParams{impl.Lambda, -1, 0, 1}, 0, 0, 1, 1), "Value")
	requireDomain(t, try(SnapParams{impl.Lambda, 1, 2, 1}, 0, 0, 1, 1), "bounds")
	requireDomain(t, try(ok, nan, 0, 1, 1), "f")
	requireDomain(t, try(ok, 0, 1<<52, 1, 1), "m")
	requireDomain(t, try(ok, 0, 0, 0, 1), "e")
	requireDomain(t, try(ok, 0, 0, 1<<62, 1), "e")
	requireDomain(t, try(ok, 0, 0, 1, 0), "sign")
	huge := SnapParams{impl.InverseEpsilon, 0x1p-1024, 0, 1}
	requireOverflow(t, try(huge, 0, 0, 1, 1), "unit")
	requireDomain(t, try(huge, nan, 0, 1, 1), "f") // domain before overflow
	require.NoError(t, try(ok, inf, 1<<52-1, 1<<62-1, -1))
	_, _, err := SnapRelease(SnapParams{}, 0, nil, Unbounded)
	requireDomain(t, err, "Scale")
	_, _, err = SnapRelease(huge, nan, nil, Unbounded)
	requireDomain(t, err, "f")
	_, _, err = SnapRelease(huge, 0, nil, 0)
	requireDomain(t, err, "Kind")
	_, _, err = SnapRelease(huge, 0, nil, Binary64) // overflow before tape
	requireOverflow(t, err, "unit")
	_, _, err = SnapRelease(ok, 0, nil, Binary64)
	requireTape(t, err, 0)
	_, _, err = SnapRelease(ok, 0, []byte{0x80}, Unbounded)
	requireTape(t, err, 8)
}

// The stages chain: each output of Snap is the stage function of the one before.
func TestSnapIsItsStages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 5000 {
		p := SnapParams{impl.Lambda, math.Exp(4 * r.NormFloat64()), -100 * r.Float64(), 100 * r.Float64()}
		if r.IntN(2) == 0 {
			p.Scale = impl.InverseEpsilon
		}
		f, m, e := 60*r.NormFloat64(), r.Uint64()>>12, int64(1+r.IntN(60))
		sign := 1 - 2*r.IntN(2)
		tr, err := Snap(p, f, m, e, sign)
		require.NoError(t, err)
		require.Equal(t, impl.LnPair(m, e), tr.Ln)
		unit, err := Pow2Ceil(p.Value)
		y := float64(p.Value * tr.Ln)
		if p.Scale == impl.InverseEpsilon {
			unit, err = Pow2CeilInv(p.Value)
			y = tr.Ln / p.Value
		}
		require.NoError(t, err)
		x, err := Clamp(f, p.Lo, p.Hi)
		require.NoError(t, err)
		rounded, err := RoundMultiple(tr.W, unit, TiesUp)
		require.NoError(t, err)
		out, err := Clamp(rounded, p.Lo, p.Hi)
		require.NoError(t, err)
		z := float64(sign) * y
		require.Equal(t, Trace{unit, impl.LnPair(m, e), y, z, x, float64(x + z), rounded, out}, tr)
		if sign == 1 {
			require.LessOrEqual(t, tr.W, x)
		}
	}
}

func TestOverflowIsCarried(t *testing.T) {
	p := SnapParams{impl.Lambda, 0x1p1023, -1, 1}
	tr, err := Snap(p, 0, 0, 100, -1)
	require.NoError(t, err)
	require.Equal(t, Trace{0x1p1023, impl.LnPair(0, 100), -inf, inf, 0, inf, inf, 1}, tr)
}

// The production object and the unrestricted path give the same.
func TestReleaseAgrees(t *testing.T) {
	s, err := impl.NewSnapping(impl.Params{Epsilon: 0.7, Sensitivity: 1, Lo: -40, Hi: 300, Constant: impl.Proved()})
	require.NoError(t, err)
	p := SnapParams{s.Scale(), s.Value(), s.Lo(), s.Hi()}
	r := rand.New(rand.NewPCG(6, 6))
	for range 3000 {
		tp := make([]byte, 4+r.IntN(10))
		for i := range tp {
			tp[i] = byte(r.Uint32()) >> r.IntN(9)
		}
		f := 300 * r.NormFloat64()
		a, n, err := Release(s, f, tp)
		b, n2, err2 := SnapRelease(p, f, tp, Unbounded)
		require.Equal(t, err, err2)
		require.Equal(t, []any{a, n}, []any{b, n2})
		// By hand: the sign bit, then Uniform on the rest.
		if err == nil {
			rest := make([]byte, len(tp))
			for i := range tp {
				rest[i] = tp[i] << 1
				if i+1 < len(tp) {
					rest[i] |= tp[i+1] >> 7
				}
			}
			m, e, used, err := Uniform(rest, Unbounded)
			require.NoError(t, err)
			require.Equal(t, n, used+1)
			tr, err := Snap(p, f, m, e, 1-2*int(tp[0]>>7))
			require.NoError(t, err)
			require.Equal(t, tr.R, a)
		}
	}
	_, _, err = Release(nil, 0, long)
	requireDomain(t, err, "s")
	_, _, err = Release(&impl.Snapping{}, 0, long)
	requireDomain(t, err, "s")
	_, _, err = Release(s, nan, nil)
	requireDomain(t, err, "f")
	_, _, err = Release(s, 0, long[:3])
	requireTape(t, err, 24)
}

func TestUniform(t *testing.T) {
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		require.NoError(t, err)
		return b
	}
	zeros := func(n int) string { return strings.Repeat("00", n) }
	for _, c := range []struct {
		tape string
		kind Kind
		m    uint64
		e    int64
		used int
	}{
		{"80000000000000", Unbounded, 0, 1, 53},
		{"ffffffffffffff", Unbounded, 1<<52 - 1, 1, 53},
		{"00800000000000" + "04", Unbounded, 0, 9, 61},
		{"00800000000000" + "08", Unbounded, 1, 9, 61},
		// 1021 zeros and a 1: the last normal binade.
		{zeros(127) + "04" + "000000000000ff", Binary64, 3, 1022, 1074},
		// 1022 zeros, then k = 1: 2^-1074; and k = 2^51 + 1.
		{zeros(127) + "00" + "00000000000040", Binary64, 0, 1074, 1074},
		{zeros(127) + "02" + "00000000000040", Binary64, 2, 1023, 1074},
		// k = 0 restarts: 1074 zeros, then a draw from the next bit.
		{zeros(134) + "30000000000000" + "00", Binary64, 1 << 51, 1, 1127},
		// The same zeros are just a small number for the unbounded kind.
		{zeros(134) + "30000000000000" + "00", Unbounded, 1 << 51, 1075, 1127},
	} {
		m, e, used, err := Uniform(unhex(c.tape), c.kind)
		require.NoError(t, err, c.tape)
		require.Equal(t, []any{c.m, c.e, c.used}, []any{m, e, used}, "%s %v", c.tape, c.kind)
		short := unhex(c.tape)[:(c.used-1)/8]
		_, _, _, err = Uniform(short, c.kind)
		requireTape(t, err, 8*len(short))
	}
	_, _, _, err := Uniform(long, 0)
	requireDomain(t, err, "Kind")
}

func TestCalibrate(t *testing.T) {
	c, err := impl.Calibrate(0.5, 1, -7, 1000, impl.Proved())
	require.NoError(t, err)
	k := impl.Proved()
	lambda, prime, achieved, unit, err := Calibrate(0.5, 1, -7, 1000, k.C(), k.Additive(), k.Floor())
	require.NoError(t, err)
	require.Equal(t, []float64{c.Lambda, c.EpsilonPrime, c.Achieved, c.Unit}, []float64{lambda, prime, achieved, unit})

	fails := func(eps, d, lo, hi float64, c, a, b int64) error {
		_, _, _, _, err := Calibrate(eps, d, lo, hi, c, a, b)
		return err
	}
	requireDomain(t, fails(nan, 1, 0, 1, 12, 2, 0), "epsilon")
	requireDomain(t, fails(1, 0, 0, 1, 12, 2, 0), "sensitivity")
	requireDomain(t, fails(1, 1, 0, inf, 12, 2, 0), "bounds")
	requireDomain(t, fails(1, 1, 0, 1, -1, 2, 0), "c")
	requireDomain(t, fails(1, 1, 0, 1, 12, 1<<31, 0), "a")
	requireDomain(t, fails(1, 1, 0, 1, 12, 2, -5), "b")
	hypothesis := func(err error, name string) {
		t.Helper()
		var h *impl.HypothesisError
		require.ErrorAs(t, err, &h)
		require.Equal(t, name, h.Hypothesis)
	}
	hypothesis(fails(0x1p-52, 1, 0, 1, 12, 2, 0), impl.HypothesisEpsilonAboveFloor)
	require.NoError(t, fails(math.Nextafter(0x1p-52, 1), 0x1p-80, 0, 0x1p-70, 12, 2, 0))
	// c = a = b = 0 and epsilon = D = 1: lambda = 1 exactly.
	hypothesis(fails(1, 1, 0, 0x1p46, 0, 0, 0), impl.HypothesisBoundBelow46Scale)
	require.NoError(t, fails(1, 1, 0, math.Nextafter(0x1p46, 0), 0, 0, 0))
	requireOverflow(t, fails(0.5, math.MaxFloat64, 0, 1, 12, 2, 0), "lambda")
	requireOverflow(t, fails(1, math.MaxFloat64, 0, 1, 0, 0, 0), "unit")
}

func TestText(t *testing.T) {
	for _, k := range []Kind{Unbounded, Binary64} {
		b, err := k.MarshalText()
		require.NoError(t, err)
		var l Kind
		require.NoError(t, l.UnmarshalText(b))
		require.Equal(t, k, l)
	}
	for _, k := range []Ties{TiesUp, TiesDown} {
		b, err := k.MarshalText()
		require.NoError(t, err)
		var l Ties
		require.NoError(t, l.UnmarshalText(b))
		require.Equal(t, k, l)
	}
	_, err := Kind(9).MarshalText()
	requireDomain(t, err, "Kind")
	_, err = Ties(9).MarshalText()
	requireDomain(t, err, "Ties")
	requireDomain(t, new(Kind).UnmarshalText([]byte("Unbounded")), "Kind")
	requireDomain(t, new(Ties).UnmarshalText([]byte("UP")), "Ties")
	require.Equal(t, "Kind(0) Ties(0)", fmt.Sprint(Kind(0), Ties(0)))
}

func FuzzSnapRelease(f *testing.F) {
	f.Add(1.0, -1.0, 2.0, 0.5, long, true, false)
	f.Fuzz(func(t *testing.T, v, lo, hi, x float64, tp []byte, inverse, binary bool) {
		p, k := SnapParams{impl.Lambda, v, lo, hi}, Unbounded
		if inverse {
			p.Scale = impl.InverseEpsilon
		}
		if binary {
			k = Binary64
		}
		r, n, err := SnapRelease(p, x, tp, k)
		var d *impl.DomainError
		var o *impl.OverflowError
		var e *TapeError
		if err != nil {
			require.True(t, errors.As(err, &d) || errors.As(err, &o) || errors.As(err, &e))
			return
		}
		require.True(t, lo <= r && r <= hi && n >= 54 && n <= 8*len(tp))
		require.False(t, r == 0 && math.Signbit(r))
		// Bits beyond the consumed ones do not matter, fewer are an error.
		r2, n2, err := SnapRelease(p, x, append(tp[:len(tp):len(tp)], 0xff), k)
		require.NoError(t, err)
		require.Equal(t, []any{r, n}, []any{r2, n2})
		_, _, err = SnapRelease(p, x, tp[:(n-1)/8], k)
		require.ErrorAs(t, err, &e)
	})
}

// A fixed tape: the sign bit 0 (s = +1), then 0 1, so e = 2, and m = 0: u = 1/4.
func ExampleSnap() {
	m, e, consumed, _ := Uniform([]byte{0x40, 0, 0, 0, 0, 0, 0}, Unbounded)
	t, err := Snap(SnapParams{Scale: impl.Lambda, Value: 3, Lo: 0, Hi: 100}, 50, m, e, +1)
	fmt.Println(m, e, consumed, err)
	fmt.Printf("unit %v ln %.4f w %.4f r %v\n", t.Unit, t.Ln, t.W, t.R)
	// Output:
	// 0 2 54 <nil>
	// unit 4 ln -1.3863 w 45.8411 r 44
}

func ExampleRelease() {
	s, err := impl.NewSnapping(impl.Params{Epsilon: 0.5, Sensitivity: 1, Lo: 0, Hi: 1000, Constant: impl.Proved()})
	if err != nil {
		fmt.Println(err)
		return
	}
	// s = +1, e = 4, m = 0.1011111111 in binary: u = 0.10931, y = -4.427, w = 118.57.
	tape := []byte{0b0_0001_101, 0xff, 0, 0, 0, 0, 0, 0xab}
	r, consumed, err := Release(s, 123, tape)
	fmt.Println(r, consumed, err)
	_, _, err = Release(s, 123, tape[:4])
	fmt.Println(err)
	// Output:
	// 120 57 <nil>
	// derand: the tape of 32 bits ends before the draw is complete
}
