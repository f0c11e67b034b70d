package oracle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

type operation struct {
	name string
	do   func(spec.Format, spec.Value, spec.Value) spec.Value
	f64  func(a, b float64) float64
	f32  func(a, b float32) float32
	rat  func(a, b *big.Rat) *big.Rat
}

var operations = []operation{
	{"add", Add, func(a, b float64) float64 { return a + b }, func(a, b float32) float32 { return a + b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }},
	{"sub", Sub, func(a, b float64) float64 { return a - b }, func(a, b float32) float32 { return a - b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }},
	{"mul", Mul, func(a, b float64) float64 { return a * b }, func(a, b float32) float32 { return a * b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }},
	{"quo", Quo, func(a, b float64) float64 { return a / b }, func(a, b float32) float32 { return a / b },
		func(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }},
}

// specials64 meet each other in all pairs.
var specials64 = []float64{
	0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 1.5, 3, -3, 0x1p-1074, -0x1p-1074, 0x3p-1074,
	0x1p-1022, -0x1p-1022, 0x1.fffffffffffffp-1023, 0x1p-537, 0x1.8p-537, 0x1.0000000000001p-538, 0x1p-538, 0x1p511, 0x1p512,
	0x1p1023, math.MaxFloat64, -math.MaxFloat64, 0x1p970, 0x1.fffffffffffffp969, 1 + 0x1p-52, 1 - 0x1p-53, 0x1p53, 0x1p-53, 0x1p-54,
}

// randFloat64 mixes uniform bits, subnormals, few-bit significands (which make
// ties) and exponents near those of other.
func randFloat64(r *rand.Rand, other float64) float64 {
	b := r.Uint64()
	switch r.IntN(6) {
	case 0:
		b &^= 0x7ff << 52
	case 1: // few bits
		b &= 0xfff<<52 | 0x7<<49 | 0x3
	case 2, 3: // an exponent within 60 of other's
		e := int64(math.Float64bits(other)>>52&0x7ff) + r.Int64N(120) - 60
		b = b&^(0x7ff<<52) | uint64(min(max(e, 0), 2046))<<52
	case 4:
		return specials64[r.IntN(len(specials64))]
	}
	return math.Float64frombits(b)
}

func sameBits64(t *testing.T, want float64, got spec.Value, msg string, args ...any) {
	t.Helper()
	requireSame(t, dbl(want), got, msg, args...)
}

func TestArithmeticAgainstFloat64(t *testing.T) {
	for _, op := range operations {
		for _, a := range specials64 {
			for _, b := range specials64 {
				sameBits64(t, op.f64(a, b), op.do(spec.Binary64, dbl(a), dbl(b)), "%s(%x, %x)", op.name, a, b)
			}
		}
		r := newRand(10)
		for range scaled(40000, 4000) {
			a := randFloat64(r, 1)
			b := randFloat64(r, a)
			sameBits64(t, op.f64(a, b), op.do(spec.Binary64, dbl(a), dbl(b)), "%s(%x, %x)", op.name, a, b)
		}
	}
}

func TestArithmeticAgainstFloat32(t *testing.T) {
	r := newRand(11)
	decode := func(x float32) spec.Value {
		v, err := spec.Binary32.Decode(uint64(math.Float32bits(x)))
		require.NoError(t, err)
		return v
	}
	draw := func() float32 {
		b := r.Uint32()
		switch r.IntN(5) {
		case 0:
			b &^= 0xff << 23
		case 1:
			b &= 0x1ff<<23 | 7<<20 | 3
		case 2:
			b = b&^(0xff<<23) | uint32(100+r.IntN(56))<<23
		}
		return math.Float32frombits(b)
	}
	for range scaled(40000, 4000) {
		a, b := draw(), draw()
		for _, op := range operations {
			requireSame(t, decode(op.f32(a, b)), op.do(spec.Binary32, decode(a), decode(b)), "%s(%x, %x)", op.name, a, b)
		}
	}
}

// All pairs of finite numbers of tiny formats: the rational result, rounded by listing.
func TestArithmeticByListing(t *testing.T) {
	formats := tinyFormats
	if testing.Short() {
		formats = formats[:4]
	}
	for _, f := range formats {
		l := listFormat(f)
		data := l.values()
		for _, a := range data {
			for _, b := range data {
				if !a.IsFinite() || !b.IsFinite() {
					continue
				}
				for _, op := range operations {
					if op.name == "quo" && b.IsZero() {
						continue
					}
					exact := op.rat(ratOf(a.Dyadic()), ratOf(b.Dyadic()))
					got := op.do(f, a, b)
					if exact.Sign() == 0 { // the sign of a zero is the hardware's business, above
						require.True(t, got.IsZero())
						continue
					}
					requireSame(t, l.nearest(exact), got, "%s: %s(%v, %v)", f.Name, op.name, a, b)
				}
			}
		}
	}
}
