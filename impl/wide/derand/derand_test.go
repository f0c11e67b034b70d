package derand

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/impl/wide"
)

func randomTape(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	clear(b[:r.IntN(n/4)])
	return b
}

// The draw against its definition on a string of bits.
func TestUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		p := uint(53 + r.IntN(200))
		b := randomTape(r, 20+r.IntN(40))
		bits := new(big.Int).SetBytes(b)
		first := len(b)*8 - bits.BitLen() // zeros before the first 1
		m, e, consumed, err := Uniform(p, b)
		left := len(b)*8 - first - 1 - int(p-1)
		if left < 0 {
			var end *derand.TapeError
			require.ErrorAs(t, err, &end)
			continue
		}
		require.NoError(t, err)
		bits.Rsh(bits, uint(left))
		bits.And(bits, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), p-1), big.NewInt(1)))
		require.Zero(t, bits.Cmp(m))
		require.Equal(t, []int{first + 1, first + int(p)}, []int{int(e), consumed})
	}
	_, _, _, err := Uniform(52, nil)
	require.Error(t, err)
}

// A release is the sign, the draw and the stages; at 53 bits it is the release of
// package impl.
func TestRelease(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		p := []uint{53, 64, 118, 237}[r.IntN(4)]
		value := new(big.Float).SetPrec(p).SetFloat64(math.Exp(r.NormFloat64()))
		kind := []impl.ScaleKind{impl.Lambda, impl.InverseEpsilon}[r.IntN(2)]
		b := math.Exp(6 * r.Float64())
		f := b * r.NormFloat64()
		s, err := wide.NewScale(wide.ScaleParams{Precision: p, Scale: kind, Value: value, Sensitivity: 1, Lo: -b, Hi: b, Constant: impl.Proved()})
		require.NoError(t, err)
		tape := randomTape(r, 80)
		got, consumed, err := Release(s, f, tape)
		require.NoError(t, err)
		sign, shifted := 1, new(big.Int).SetBytes(tape)
		if tape[0]>>7 == 1 {
			sign = -1
		}
		shifted.Lsh(shifted, 1).SetBit(shifted, 8*len(tape), 0)
		m, e, used, err := Uniform(p, shifted.FillBytes(make([]byte, len(tape))))
		require.NoError(t, err)
		require.Equal(t, used+1, consumed)
		tr, err := Snap(Params{p, kind, value, -b, b}, f, m, e, sign)
		require.NoError(t, err)
		require.Zero(t, tr.R.Cmp(got))
		if p == 53 {
			v, _ := value.Float64()
			plain, n, err := derand.SnapRelease(derand.SnapParams{Scale: kind, Value: v, Lo: -b, Hi: b}, f, tape, derand.Unbounded)
			require.NoError(t, err)
			x, acc := got.Float64()
			require.Equal(t, big.Exact, acc)
			require.Equal(t, []any{plain, n}, []any{x, consumed})
		}
	}
	var d *impl.DomainError
	_, _, err := Release(nil, 1, nil)
	require.ErrorAs(t, err, &d)
	s, err := wide.New(wide.Params{Precision: 118, Epsilon: 1, Sensitivity: 1, Lo: 0, Hi: 1, Constant: impl.Proved()})
	require.NoError(t, err)
	_, _, err = Release(s, math.NaN(), make([]byte, 99))
	require.ErrorAs(t, err, &d)
	_, _, err = Release(s, 0, make([]byte, 9))
	var end *derand.TapeError
	require.ErrorAs(t, err, &end)
}

func TestNilIsRefused(t *testing.T) {
	_, err := Ln(118, nil, 1)
	require.Error(t, err)
	_, err = Snap(Params{Precision: 118, Scale: impl.Lambda}, 0, big.NewInt(0), 1, 1)
	require.Error(t, err)
}
