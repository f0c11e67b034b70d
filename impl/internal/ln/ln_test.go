package ln

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The judge inverts: y = LN(x) iff x lies strictly between the exponentials of
// the half-way points below and above y. It shares nothing with the code under
// test: exp by its Taylor series, ln 2 = sum 1/(k 2^k), in fixed point.
const prec = 420

var (
	one     = new(big.Int).Lsh(big.NewInt(1), prec)
	ln2High = func() *big.Int { // less than 2^-prec * 500 too small
		sum := new(big.Int)
		for k := int64(1); k <= prec; k++ {
			d := new(big.Int).Lsh(big.NewInt(k), uint(k))
			sum.Add(sum, d.Quo(one, d))
		}
		return sum
	}()
)

// expFixed returns exp(t) within 300 units of 2^-prec, |t| < 1: 150 terms, each
// within two units (floor divisions; the powers' errors shrink), and a
// remainder below one.
func expFixed(t *big.Int) *big.Int {
	sum, term := new(big.Int), new(big.Int).Set(one)
	for k := int64(1); k <= 150; k++ {
		sum.Add(sum, term)
		term.Mul(term, t).Rsh(term, prec).Div(term, big.NewInt(k))
	}
	return sum
}

// fixed returns x exactly in units of 2^-prec; x must be a multiple.
func fixed(t *testing.T, x *big.Float) *big.Int {
	n, acc := new(big.Float).SetMantExp(x, prec).Int(nil)
	require.Equal(t, big.Exact, acc)
	return n
}

// compareExp returns the sign of exp(y) - M 2^(E-52), refusing to guess.
func compareExp(t *testing.T, y *big.Float, m uint64, e int64) int {
	z := fixed(t, y)
	z.Sub(z, new(big.Int).Mul(ln2High, big.NewInt(e))) // within 500 |E| units
	if z.CmpAbs(one) >= 0 {
		return z.Sign() // v = M/2^52 is in [1, 2), its logarithm in [0, 0.7)
	}
	v := new(big.Int).Lsh(new(big.Int).SetUint64(m), prec-52)
	d := v.Sub(expFixed(z), v)
	slack := new(big.Int).Mul(big.NewInt(2000), new(big.Int).Abs(big.NewInt(e))) // exp(z) < e
	slack.Add(slack, big.NewInt(300))
	require.Positive(t, d.CmpAbs(slack), "undecided")
	return d.Sign()
}

func half2(a, b float64) *big.Float {
	x := new(big.Float).SetPrec(200).SetFloat64(a)
	x.Add(x, big.NewFloat(b))
	return x.Quo(x, big.NewFloat(2))
}

func judge(t *testing.T, y float64, m uint64, e int64) {
	t.Helper()
	below := compareExp(t, half2(y, math.Nextafter(y, math.Inf(-1))), m, e)
	above := compareExp(t, half2(y, math.Nextafter(y, math.Inf(1))), m, e)
	require.Truef(t, below < 0 && above > 0, "ln(%#x 2^(%d-52)) = %x is not the nearest", m, e, y)
}

func cases() (ms []uint64, es []int64) {
	ms = []uint64{1 << 52, 1<<52 + 1, 1<<52 + 2, 1<<53 - 1, 1<<53 - 2, 3 << 51, 0x16a09e667f3bcd, 0x16a09e667f3bcc}
	for i := uint64(0); i < 128; i++ { // both ends of every row
		ms = append(ms, 1<<52|i<<45, 1<<52|i<<45|(1<<45-1))
	}
	es = []int64{0, -1, 1, -2, 2, -3, -53, 1023, -1074, -1 << 20, -1 << 40, -1<<62 + 1}
	return ms, es
}

func TestEdgesAgainstExp(t *testing.T) {
	ms, es := cases()
	for _, e := range es {
		for _, m := range ms {
			if m == 1<<52 && e == 0 {
				require.Zero(t, math.Float64bits(rounded(m, e)))
				continue
			}
			judge(t, rounded(m, e), m, e)
		}
	}
}

func TestRandomAgainstExp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 5000
	if testing.Short() {
		n = 500
	}
	for range n {
		m, e := 1<<52|r.Uint64()>>12, r.Int64N(2100)-1074
		if r.IntN(4) == 0 {
			e = -int64(r.Uint64() >> (2 + r.IntN(62)))
		}
		judge(t, rounded(m, e), m, e)
	}
}

func TestNearOneAgainstExp(t *testing.T) {
	for d := uint64(1); d < 1<<52; d = d*2 + d/7 {
		judge(t, rounded(1<<52+d, 0), 1<<52+d, 0)
		judge(t, rounded(1<<53-d, -1), 1<<53-d, -1)
	}
}

// The two series agree, and the last resort gives the same as the fast path.
func TestExactAgrees(t *testing.T) {
	ms, es := cases()
	for _, e := range es {
		for _, m := range ms {
			if m == 1<<52 && e == 0 {
				continue
			}
			require.Equal(t, exact(m, e), rounded(m, e))
		}
	}
}

// A wide tolerance sends one case in a thousand or so to the last resort, and
// changes no result.
func TestLastResort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	before := Resorts()
	for range 40000 {
		m, e := 1<<52|r.Uint64()>>12, -r.Int64N(1<<10)-1
		require.Equal(t, rounded(m, e), within(m, e, 1<<63))
	}
	taken := Resorts() - before
	require.Greater(t, taken, uint64(5)) // expected 20 of 40000 (2^-11)
	require.Less(t, taken, uint64(100))
}

// The fixed-point sum is within the bound of the error budget of the true value.
func TestErrorBudget(t *testing.T) {
	ms, es := cases()
	// Row ends have round reciprocal products, which rarely carry from word to
	// word; random significands do.
	r := rand.New(rand.NewPCG(9, 9))
	for range 1500 {
		ms = append(ms, 1<<52|r.Uint64()>>12)
	}
	for range 500 { // near 1 on both sides, at all distances
		ms = append(ms, 1<<52+1+r.Uint64()>>(12+r.IntN(52)), 1<<53-1-r.Uint64()>>(12+r.IntN(52)))
	}
	worst := 0.0
	for _, e := range es {
		for _, m := range ms {
			if m == 1<<52 && e == 0 {
				continue
			}
			w3, w2, w1, w0, neg := sum(m, e)
			got := new(big.Int)
			for _, w := range []uint64{w3, w2, w1, w0} {
				got.Lsh(got, 64).Or(got, new(big.Int).SetUint64(w))
			}
			if neg {
				got.Neg(got)
			}
			lo, hi := enclose(m, e, 400)
			d := new(big.Int).Lsh(got, 400-192)
			if d.Cmp(lo) < 0 {
				d.Sub(hi, d)
			} else {
				d.Sub(d, lo)
			}
			rel, _ := new(big.Float).Quo(new(big.Float).SetInt(d), new(big.Float).SetInt(lo.Abs(lo))).Float64()
			worst = max(worst, rel)
		}
	}
	t.Logf("worst relative error 2^%.2f", math.Log2(worst))
	require.Less(t, worst, math.Exp2(-125.5))
}

func TestMonotoneOverRows(t *testing.T) {
	for i := uint64(1); i < 128; i++ {
		m := uint64(1<<52 | i<<45)
		require.Less(t, rounded(m-1, 0), rounded(m, 0))
	}
}

func FuzzLn(f *testing.F) {
	f.Add(uint64(1)<<52+1, int64(0))
	f.Add(uint64(1)<<53-1, int64(-1))
	f.Add(uint64(0), int64(-1)<<61)
	f.Fuzz(func(t *testing.T, m uint64, e int64) {
		m, e = m>>12|1<<52, e>>1
		if e == math.MinInt64>>1 || m == 1<<52 && e == 0 {
			return
		}
		judge(t, rounded(m, e), m, e)
	})
}

// round refuses exactly the sums within the tolerance of a half-way point: the
// leading 53 bits, then 2^74 + d in units of 2^-127.
func TestRoundRefusesNearHalfway(t *testing.T) {
	for _, shift := range []uint{0, 1, 12, 63} { // positions of the leading bit
		for d := int64(-40); d <= 40; d++ {
			z := new(big.Int).Lsh(big.NewInt(1<<52|5), 75)
			z.Add(z, new(big.Int).Lsh(big.NewInt(1), 74)).Add(z, big.NewInt(d)).Lsh(z, shift)
			w := make([]uint64, 4)
			for i := range w {
				w[i] = new(big.Int).And(new(big.Int).Rsh(z, uint(64*i)), new(big.Int).SetUint64(math.MaxUint64)).Uint64()
			}
			y, ok := round(w[3], w[2], w[1], w[0], true, slop)
			require.Equal(t, d < -32 || d > 32, ok, "d = %d", d)
			if ok {
				sig := int64(1<<52 | 5)
				if d > 0 {
					sig++
				}
				require.Equal(t, -math.Ldexp(float64(sig), 75+int(shift)-192), y)
			}
		}
	}
}
