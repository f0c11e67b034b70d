package props

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Draws that several properties share. As in internal/gen, a smaller word means
// a simpler choice, so that points shrink.

const signBit = 1 << 63

func f64(bits uint64) wire.Value { return wire.NewF64(bits) }

func pick(src gen.Source, n int) int { return int(src.Uint64() % uint64(n)) }

func word(src gen.Source, t wire.Type) wire.Value {
	return wire.NewWord(t, t.Words()[pick(src, len(t.Words()))])
}

// near moves the bits of a positive finite double by a few places, mostly one.
func near(src gen.Source, bits uint64) uint64 {
	n := []int64{1, -1, 0, 2, -2, 3, 5}[pick(src, 7)]
	return uint64(min(max(int64(bits)+n, 1), int64(math.Float64bits(math.MaxFloat64))))
}

// above draws a second double for comparison with the first: a neighbour, the
// negative, or any. Both may have either sign.
func above(src gen.Source, bits uint64) uint64 {
	switch pick(src, 4) {
	case 0, 1:
		return bits&signBit | near(src, bits&^uint64(signBit))
	case 2:
		return bits ^ signBit
	}
	return gen.Finite(src)
}

// orderedPair returns both with the lesser first.
func orderedPair(a, b wire.Value) (wire.Value, wire.Value) {
	if a.Float() > b.Float() {
		return b, a
	}
	return a, b
}

// drawAfter is a draw u' to compare with (m, e): one of its neighbours, one a
// power of two away, or any.
func drawAfter(src gen.Source, m uint64, e int64) (uint64, int64) {
	const top = 1<<52 - 1
	switch pick(src, 4) {
	case 0:
		if m < top {
			return m + 1, e
		}
		return 0, max(e-1, 1)
	case 1:
		if m > 0 {
			return m - 1, e
		}
		return top, min(e+1, 1<<62-1)
	case 2:
		return m, min(e+1, 1<<62-1)
	}
	return gen.Draw(src)
}

// ordered sorts two draws by m - e 2^52.
func ordered(m uint64, e int64, m2 uint64, e2 int64) (p Point) {
	if e2 > e || e2 == e && m2 < m {
		m, e, m2, e2 = m2, e2, m, e
	}
	return Point{"m": wire.NewUint(m), "e": wire.NewInt(e), "m2": wire.NewUint(m2), "e2": wire.NewInt(e2)}
}

// legal is gen.Finite or an infinity: what clamps.
func legal(src gen.Source) uint64 {
	if pick(src, 8) == 7 {
		return math.Float64bits(math.Inf(1)) | src.Uint64()&1<<63
	}
	return gen.Finite(src)
}

// merge adds the fields of b to a.
func merge(a, b Point) Point {
	for k, v := range b {
		a[k] = v
	}
	return a
}
