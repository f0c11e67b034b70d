package oracle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// newRand is a fixed source: a failure repeats.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x04ac1e)) }

// scaled returns full, or short under -short.
func scaled(full, short int) int {
	if testing.Short() {
		return short
	}
	return full
}

func dy(m, e int64) real.Dyadic { return real.NewDyadic(big.NewInt(m), e) }

func num(m, e int64) spec.Value { return spec.FromDyadic(dy(m, e)) }

func dbl(x float64) spec.Value { return spec.FromFloat64(x) }

// toFloat is the float64 with the datum's encoding.
func toFloat(t *testing.T, v spec.Value) float64 {
	t.Helper()
	b, err := spec.Binary64.Encode(v)
	require.NoError(t, err)
	return math.Float64frombits(b)
}

// ratOf expands a dyadic of moderate exponent.
func ratOf(d real.Dyadic) *big.Rat {
	m, e := d.Parts()
	r := new(big.Rat).SetInt(m)
	if e < 0 {
		return r.Quo(r, pow2Rat(-e))
	}
	return r.Mul(r, pow2Rat(e))
}

// pow2Rat is 2^e.
func pow2Rat(e int64) *big.Rat {
	r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		return r.Inv(r)
	}
	return r
}

// lineup is a tiny format as the plain list of its non-negative finite numbers
// in ascending order, with the number after the largest, 2^(emax+1), appended:
// the i-th significand is even iff i is, because each binade holds an even number.
type lineup struct {
	f    spec.Format
	nums []*big.Rat
	keys map[string]int
}

func listFormat(f spec.Format) *lineup {
	l := &lineup{f: f, nums: []*big.Rat{new(big.Rat)}, keys: map[string]int{}}
	p := int64(f.Precision)
	for m := int64(1); m < 1<<(p-1); m++ { // subnormals
		l.nums = append(l.nums, ratOf(dy(m, f.EMin-p+1)))
	}
	for e := f.EMin; e <= f.EMax; e++ {
		for m := int64(1) << (p - 1); m < 1<<p; m++ {
			l.nums = append(l.nums, ratOf(dy(m, e-p+1)))
		}
	}
	l.nums = append(l.nums, ratOf(dy(1, f.EMax+1)))
	for i, r := range l.nums {
		l.keys[r.RatString()] = i
	}
	return l
}

// values gives every datum but NaN, both zeros included, ascending.
func (l *lineup) values() []spec.Value {
	out := []spec.Value{spec.Inf(true)}
	n := len(l.nums) - 1
	for i := n - 1; i > 0; i-- {
		out = append(out, l.at(i).Neg())
	}
	out = append(out, spec.Zero(true), spec.Zero(false))
	for i := 1; i < n; i++ {
		out = append(out, l.at(i))
	}
	return append(out, spec.Inf(false))
}

// at is the i-th non-negative number, +Inf for the one after the largest.
func (l *lineup) at(i int) spec.Value {
	switch {
	case i == 0:
		return spec.Zero(false)
	case i >= len(l.nums)-1:
		return spec.Inf(false)
	}
	r := l.nums[i]
	return spec.FromDyadic(real.NewDyadic(r.Num(), -int64(r.Denom().BitLen()-1)))
}

// nearest is fl(r) by the definition: the nearest of the list, the even one of
// two, infinity from (2 - 2^-p) 2^emax on; the sign of r on a zero.
func (l *lineup) nearest(r *big.Rat) spec.Value {
	if r.Sign() < 0 {
		return l.nearest(new(big.Rat).Neg(r)).Neg()
	}
	threshold := new(big.Rat).Sub(big.NewRat(2, 1), pow2Rat(-int64(l.f.Precision)))
	if r.Cmp(threshold.Mul(threshold, pow2Rat(l.f.EMax))) >= 0 {
		return spec.Inf(false)
	}
	i := sort.Search(len(l.nums), func(i int) bool { return l.nums[i].Cmp(r) >= 0 }) // first >= r
	if l.nums[i].Cmp(r) == 0 {
		return l.at(i)
	}
	below, above := new(big.Rat).Sub(r, l.nums[i-1]), new(big.Rat).Sub(l.nums[i], r)
	switch c := below.Cmp(above); {
	case c < 0 || c == 0 && (i-1)%2 == 0:
		return l.at(i - 1)
	}
	return l.at(i)
}

// directed is the greatest datum <= r (down) or the least >= r.
func (l *lineup) directed(r *big.Rat, dir Direction) spec.Value {
	if r.Sign() < 0 {
		return l.directed(new(big.Rat).Neg(r), -dir).Neg()
	}
	n := len(l.nums) - 1 // without the sentinel
	i := sort.Search(n, func(i int) bool { return l.nums[i].Cmp(r) >= 0 })
	if i < n && l.nums[i].Cmp(r) == 0 || dir == Up {
		return l.at(i) // at(n) is +Inf
	}
	return l.at(i - 1)
}

// tinyFormats is a spread of formats small enough to list, with few exponents too.
var tinyFormats = []spec.Format{
	spec.Small(2, 0, 0), spec.Small(2, -1, 2), spec.Small(3, 0, 1), spec.Small(3, -2, 3),
	spec.Small(4, -3, 4), spec.Small(5, -3, 0), spec.Small(4, 0, 3),
}

func requireSame(t *testing.T, want, got spec.Value, msg string, args ...any) {
	t.Helper()
	if !want.Same(got) {
		require.Failf(t, "differs", msg+": want %v, got %v", append(args, want, got)...)
	}
}

func requireReject(t *testing.T, err error, kind spec.Rejection, subject string) {
	t.Helper()
	var r *spec.RejectError
	require.ErrorAs(t, err, &r)
	require.Equal(t, kind, r.Kind, err)
	if subject != "" {
		require.Equal(t, subject, r.Subject, err)
	}
}

// judgeLn encloses ln x, for a rational x > 0, within about 2^-100·(1 + |log2 x|),
// as rationals: x = v 2^k, 3/4 <= v < 3/2, ln 2 = sum 1/(i 2^i), and
// ln(1 + d) = d - d^2/2 + ..., on integers scaled by 2^judgeBits. It shares
// nothing with spec/real.
const judgeBits = 128

func judgeLn(x *big.Rat) (lo, hi *big.Rat) {
	v := new(big.Rat).Set(x)
	k := int64(x.Num().BitLen() - x.Denom().BitLen())
	v.Mul(v, pow2Rat(-k)) // in (1/2, 2)
	if v.Cmp(big.NewRat(3, 2)) >= 0 {
		k++
		v.Mul(v, pow2Rat(-1))
	} else if v.Cmp(big.NewRat(3, 4)) < 0 {
		k--
		v.Mul(v, pow2Rat(1))
	}
	a, b := judgeLog1p(v.Sub(v, big.NewRat(1, 1)))
	c, d := judgeLn2()
	kb := big.NewInt(k)
	c, d = new(big.Int).Mul(kb, c), new(big.Int).Mul(kb, d)
	if k < 0 {
		c, d = d, c
	}
	unit := pow2Rat(-judgeBits)
	lo, hi = new(big.Rat).SetInt(a.Add(a, c)), new(big.Rat).SetInt(b.Add(b, d))
	return lo.Mul(lo, unit), hi.Mul(hi, unit)
}

var ln2Cache [2]*big.Int

func judgeLn2() (lo, hi *big.Int) {
	if ln2Cache[0] == nil {
		a, b := judgeLog1p(big.NewRat(-1, 2))
		ln2Cache = [2]*big.Int{new(big.Int).Neg(b), new(big.Int).Neg(a)}
	}
	return ln2Cache[0], ln2Cache[1]
}

// judgeLog1p encloses ln(1 + d)·2^judgeBits for |d| <= 1/2.
func judgeLog1p(d *big.Rat) (lo, hi *big.Int) {
	one := big.NewInt(1)
	num := new(big.Int).Lsh(d.Num(), judgeBits)
	plo := new(big.Int).Quo(num.Abs(num), d.Denom())
	phi := new(big.Int).Add(plo, one)
	alo, ahi := new(big.Int).Set(plo), new(big.Int).Set(phi)
	lo, hi = new(big.Int), new(big.Int)
	for k := int64(1); ; k++ {
		tlo := new(big.Int).Quo(plo, big.NewInt(k))
		thi := new(big.Int).Quo(phi, big.NewInt(k))
		thi.Add(thi, one)
		if d.Sign() < 0 || k%2 == 0 {
			lo.Sub(lo, thi)
			hi.Sub(hi, tlo)
		} else {
			lo.Add(lo, tlo)
			hi.Add(hi, thi)
		}
		if thi.BitLen() <= 2 { // the rest is at most this term again: each is half the one before
			return lo.Sub(lo, big.NewInt(4)), hi.Add(hi, big.NewInt(4))
		}
		plo.Mul(plo, alo).Rsh(plo, judgeBits)
		phi.Mul(phi, ahi).Rsh(phi, judgeBits)
		phi.Add(phi, one)
	}
}
