package impl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
)

// fake hands out the bytes of a seeded generator and fails after some calls.
type fake struct {
	r     *rand.Rand
	calls int // left before failure; negative: never
	log   []byte
}

var errBroken = errors.New("broken")

func (s *fake) Fill(p []byte) error {
	if s.calls == 0 {
		return errBroken
	}
	s.calls--
	for i := range p {
		p[i] = byte(s.r.Uint32())
	}
	s.log = append(s.log, p...)
	return nil
}

func newFake(calls int) *fake { return &fake{r: rand.New(rand.NewPCG(8, 8)), calls: calls} }

// What is released is the core evaluated on the source's bits in tape order, for
// one value and for slices.
func TestReleaseFollowsTheTape(t *testing.T) {
	for _, s := range mechanisms(t) {
		for _, n := range []int{1, 2, 60, 64, 65, 1000} {
			src := newFake(-1)
			in, dst := make([]float64, n), make([]float64, n)
			for i := range in {
				in[i] = float64(i)
			}
			require.NoError(t, s.releaseTo(src, dst, in))
			r := tape.NewReader(src.log)
			for i := range in {
				minus, err := tape.Sign(&r)
				require.NoError(t, err)
				m, e, err := tape.Unbounded(&r)
				require.NoError(t, err)
				require.Equal(t, s.core.Evaluate(in[i], m, e, minus).R, dst[i])
			}
			one := newFake(-1)
			got, err := s.release(one, 0)
			require.NoError(t, err)
			r = tape.NewReader(one.log)
			minus, _ := tape.Sign(&r)
			m, e, err := tape.Unbounded(&r)
			require.NoError(t, err)
			require.Equal(t, s.core.Evaluate(0, m, e, minus).R, got)
		}
	}
}

// scripted gives the bits of a text of '0' and '1', then ones.
type scripted struct{ bits string }

func (s *scripted) Fill(p []byte) error {
	for i := range p {
		for range 8 {
			bit := byte('1')
			if len(s.bits) > 0 {
				bit, s.bits = s.bits[0], s.bits[1:]
			}
			p[i] = p[i]<<1 | bit&1
		}
	}
	return nil
}

// Production draws the U* without a lower end: where the published one turns
// subnormal (1022 zeros), is zero and starts again (1074), and where the buffer
// is refilled on the way (16 and 512 bytes).
func TestReleaseDrawsTheUnboundedUniform(t *testing.T) {
	s, err := NewSnappingScale(ScaleParams{Lambda, 1, 1, -0x1p37, 0x1p37, Proved()})
	require.NoError(t, err)
	for _, zeros := range []int{0, 1, 100, 127, 128, 1020, 1021, 1022, 1023, 1050, 1073, 1074, 1075, 1100, 4095, 4096, 9000} {
		for _, sign := range []string{"0", "1"} {
			m := uint64(0xa5a5a5a5a5a5a)
			bits := sign + strings.Repeat("0", zeros) + "1" + fmt.Sprintf("%052b", m)
			want := s.core.Evaluate(3, m, int64(zeros)+1, sign == "1").R
			got, err := s.release(&scripted{bits}, 3)
			require.NoError(t, err)
			require.Equal(t, want, got, "%d zeros", zeros)
			// In a slice, the next release begins right after.
			dst := make([]float64, 3)
			require.NoError(t, s.releaseTo(&scripted{bits + bits + bits}, dst, []float64{3, 3, 3}))
			require.Equal(t, []float64{want, want, want}, dst, "%d zeros", zeros)
			// Lambda = 1, so -ln u is the noise, to half a unit: with the published
			// U* it would never pass 745.
			noise := math.Abs(got - 3)
			require.InDelta(t, (float64(zeros)+1)*math.Ln2, noise, 1.2)
		}
	}
}

func TestReleaseBounds(t *testing.T) {
	for _, s := range mechanisms(t) {
		seen := map[float64]bool{}
		for range 400 {
			for _, f := range []float64{0, 7.3, math.Inf(1), math.Inf(-1), math.MaxFloat64, neg0} {
				r, err := s.Release(f)
				require.NoError(t, err)
				require.True(t, r >= s.Lo() && r <= s.Hi())
				require.False(t, r == 0 && math.Signbit(r))
				require.True(t, r == s.Lo() || r == s.Hi() || math.Mod(r, s.Unit()) == 0)
				seen[r] = true
			}
		}
		require.Greater(t, len(seen), 5)
	}
}

func TestReleaseRefusesNaN(t *testing.T) {
	s := mechanisms(t)[0]
	src := newFake(-1)
	r, err := s.release(src, nan)
	requireDomain(t, err, "f")
	require.True(t, math.IsNaN(r))
	require.Empty(t, src.log, "refused before randomness is drawn")
}

func TestReleaseToLeavesDst(t *testing.T) {
	s := mechanisms(t)[0]
	fill := func(n int) []float64 {
		d := make([]float64, n)
		for i := range d {
			d[i] = 1234.5 + float64(i)
		}
		return d
	}
	dst := fill(3)
	requireDomain(t, s.ReleaseTo(dst, make([]float64, 4)), "dst")
	require.Equal(t, fill(3), dst)
	requireDomain(t, s.ReleaseTo(dst, []float64{1, 2, nan}), "src[2]")
	require.Equal(t, fill(3), dst)
	for _, n := range []int{1, 64, 65, 500} {
		for calls := range 3 {
			dst := fill(n)
			if err := s.releaseTo(newFake(calls), dst, dst); err != nil {
				require.ErrorIs(t, err, errBroken)
				require.Equal(t, fill(n), dst)
			} else {
				require.NotEqual(t, fill(n), dst)
			}
		}
	}
	r, err := s.release(newFake(0), 1)
	require.ErrorIs(t, err, errBroken)
	require.True(t, math.IsNaN(r))
	require.NoError(t, s.ReleaseTo(nil, []float64{}))
}

// Overlapping slices: the result is that of disjoint ones.
func TestReleaseToOverlap(t *testing.T) {
	s := mechanisms(t)[0]
	for _, n := range []int{5, 200} {
		for _, shift := range []int{0, 1, 3} {
			for _, forward := range []bool{true, false} {
				buf := make([]float64, n+shift)
				for i := range buf {
					buf[i] = float64(10 * i)
				}
				dst, src := buf[shift:], buf[:n]
				if !forward {
					dst, src = buf[:n], buf[shift:]
				}
				want := make([]float64, n)
				require.NoError(t, s.releaseTo(newFake(-1), want, append([]float64(nil), src...)))
				require.NoError(t, s.releaseTo(newFake(-1), dst, src))
				require.Equal(t, want, dst)
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	s := mechanisms(t)[0]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := make([]float64, 100)
			for range 50 {
				if err := s.ReleaseTo(d, d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// The sign is fair and the noise has the scale it should: two statistics with
// six standard deviations of room each; by the normal approximation, a correct
// program fails with probability below 1e-8.
func TestReleaseStatistics(t *testing.T) {
	const n = 40000
	s, err := NewSnappingScale(ScaleParams{Lambda, 1, 1, -0x1p20, 0x1p20, Proved()})
	require.NoError(t, err)
	d := make([]float64, n)
	for i := range d {
		d[i] = 0.5 // the two outputs 0 and 1 are equally likely
	}
	require.NoError(t, s.ReleaseTo(d, d))
	sum, abs := 0.0, 0.0
	for _, r := range d {
		sum += math.Copysign(1, r-0.5)
		abs += math.Abs(r - 0.5)
	}
	require.Less(t, math.Abs(sum), 6*math.Sqrt(n))
	// |r - 1/2| = 1/2 + k with probability (1 - 1/e) e^-k.
	mean := 0.5 + 1/(math.E-1)
	deviation := math.Sqrt(math.E) / (math.E - 1)
	require.Less(t, math.Abs(abs-mean*n), 6*deviation*math.Sqrt(n))
}

func TestLnDomain(t *testing.T) {
	for _, x := range []float64{0, neg0, -1, -inf, inf, nan, -math.SmallestNonzeroFloat64} {
		require.True(t, math.IsNaN(Ln(x)), "%v", x)
	}
	require.Zero(t, math.Float64bits(Ln(1)))
	for _, c := range []struct {
		m uint64
		e int64
	}{{1 << 52, 1}, {math.MaxUint64, 1}, {0, 0}, {0, -1}, {0, 1 << 62}, {0, math.MaxInt64}, {0, math.MinInt64}} {
		require.True(t, math.IsNaN(LnPair(c.m, c.e)), "%v", c)
	}
	require.False(t, math.IsNaN(LnPair(1<<52-1, 1<<62-1)))
	// Where the pair is a double, both agree; subnormals included.
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		m, e := r.Uint64()>>12, int64(1+r.IntN(1074))
		if e > 1022 {
			m &^= 1<<(e-1022) - 1
		}
		x := math.Ldexp(1+math.Ldexp(float64(m), -52), int(-e))
		require.Equal(t, LnPair(m, e), Ln(x), "%x", x)
	}
	// Never far from the platform's logarithm, where that is good (normal x).
	for range 20000 {
		if x := math.Float64frombits(r.Uint64() >> 1); x >= 0x1p-1022 && x < inf {
			require.InEpsilon(t, math.Log(x), Ln(x), 1e-15)
		}
	}
}

func ExampleNewSnapping() {
	s, err := NewSnapping(Params{
		Epsilon:     0.5,
		Sensitivity: 1,
		Lo:          0, Hi: 1000,
		Constant: Proved(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Release(123)
	fmt.Println(s.Unit(), s.Achieved() <= 0.5)
	fmt.Println(err, 0 <= r && r <= 1000)
	// Output:
	// 4 true
	// <nil> true
}

func ExampleNewSnapping_hypothesis() {
	_, err := NewSnapping(Params{Epsilon: 1, Sensitivity: 1, Lo: 0, Hi: 0.5, Constant: Published()})
	var h *HypothesisError
	if errors.As(err, &h) {
		fmt.Println(h.Hypothesis == HypothesisBoundAboveScale)
	}
	// Output: true
}

func ExampleCalibrate() {
	c, err := Calibrate(1, 1, -1000, 1000, Proved())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("lambda %x\nunit %v\nachieved %v\n", c.Lambda, c.Unit, c.Achieved)
	// Output:
	// lambda 0x1.0000000001d4fp+00
	// unit 2
	// achieved 1
}

var sink float64

func BenchmarkLn(b *testing.B) {
	xs := make([]float64, 1024)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range xs {
		xs[i] = r.ExpFloat64() * 10
	}
	for i := 0; b.Loop(); i++ {
		sink = Ln(xs[i&1023])
	}
}

func BenchmarkMathLog(b *testing.B) {
	xs := make([]float64, 1024)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range xs {
		xs[i] = r.ExpFloat64() * 10
	}
	for i := 0; b.Loop(); i++ {
		sink = math.Log(xs[i&1023])
	}
}

func BenchmarkLnPair(b *testing.B) {
	ms := make([]uint64, 1024)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range ms {
		ms[i] = r.Uint64() >> 12
	}
	for i := 0; b.Loop(); i++ {
		sink = LnPair(ms[i&1023], int64(i&3+1))
	}
}

func BenchmarkRelease(b *testing.B) {
	s, err := NewSnapping(Params{0.5, 1, 0, 1000, Proved()})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		sink, _ = s.Release(500)
	}
}

func BenchmarkReleaseTo(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := NewSnapping(Params{0.5, 1, 0, 1000, Proved()})
			require.NoError(b, err)
			d := make([]float64, n)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.ReleaseTo(d, d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/value")
		})
	}
}

func BenchmarkCalibrate(b *testing.B) {
	for b.Loop() {
		c, _ := Calibrate(0.5, 1, 0, 1000, Proved())
		sink = c.Lambda
	}
}
