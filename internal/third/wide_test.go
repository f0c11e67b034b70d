package third

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// ratCeil by its definition, at and beside powers of two and far from doubles.
func TestRatCeil(t *testing.T) {
	for _, k := range []int{-3000, -1074, -1, 0, 1, 1023, 3000} {
		p, _ := new(big.Float).SetMantExp(float(1), k).Rat(nil)
		tiny := quo(p, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 500)))
		assert.Zero(t, p.Cmp(ratCeil(p)), "2^%d", k)
		assert.Zero(t, p.Cmp(ratCeil(minus(p, tiny))), "below 2^%d", k)
		assert.Zero(t, times(p, big.NewRat(2, 1)).Cmp(ratCeil(sum(p, tiny))), "above 2^%d", k)
	}
}

// It answers where bigfloat is fit, and abstains near 1 and at long precisions.
func TestWideAbstains(t *testing.T) {
	for _, c := range []struct {
		p       uint
		nearOne uint // u = 1 - 2^-n
		e       int64
		answers bool
	}{
		{118, 3, 1, true}, {118, 50, 1, true}, {118, 70, 1, false}, {118, 3, 1 << 61, true}, {237, 3, 5, true}, {1024, 3, 1, false},
	} {
		m := new(big.Int).Lsh(big.NewInt(1), c.p-1)
		m.Sub(m, new(big.Int).Lsh(big.NewInt(1), c.p-c.nearOne))
		r := answerSnapWide(wire.Values{
			"precision": wire.NewInt(int64(c.p)), "scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": wire.NewRat(big.NewRat(1, 1)),
			"lo": wire.NewFloat(-9), "hi": wire.NewFloat(9), "f": wire.NewFloat(1), "m": wire.NewBig(m), "e": wire.NewInt(c.e), "s": wire.NewWord(wire.Sign, "-1"),
		})
		require.Empty(t, r.Reject)
		assert.Equal(t, c.answers, r.Skip == "", "%+v: %s", c, r.Skip)
	}
}
