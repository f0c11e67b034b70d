package gen

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// SplitMix64 from state 1234567: the published reference outputs of the algorithm.
func TestSplitMix64(t *testing.T) {
	s := &SplitMix64{State: 1234567}
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		assert.Equal(t, want, s.Uint64())
	}
}

func TestWordsEndInZeros(t *testing.T) {
	w := &Words{List: []uint64{7, 8}}
	assert.Equal(t, []uint64{7, 8, 0, 0}, []uint64{w.Uint64(), w.Uint64(), w.Uint64(), w.Uint64()})
}

// All zeros is the simplest case an engine can shrink to; it must be legal.
func TestTheSimplestCaseIsPlain(t *testing.T) {
	assert.Equal(t, 1.0, math.Float64frombits(Positive(&Words{})))
	in := RoundMultiple(&Words{})
	assert.Equal(t, 0.0, in["x"].Float())
	assert.True(t, in["unit"].Float() > 0)
	m, e := Draw(&Words{})
	assert.Equal(t, []int64{0, 1}, []int64{int64(m), e})
}

// Every kind of number that matters must be common, not possible.
func TestCoverage(t *testing.T) {
	const n = 20000
	src := &SplitMix64{State: 1}
	count := map[string]int{}
	for range n {
		b := Positive(src)
		x := math.Float64frombits(b)
		assert.True(t, x > 0 && !math.IsInf(x, 0))
		switch frac := b & fracMask; {
		case b < bitsMinNorm:
			count["subnormal"]++
		case frac == 0:
			count["power of two"]++
		case frac <= 3 || frac >= fracMask-3:
			count["next to a power of two"]++
		}
		if math.Abs(x-1) < 0x1p-20 {
			count["near 1"]++
		}
		if b >= bitsMax-3 {
			count["largest"]++
		}
		s := math.Float64frombits(Special(src))
		assert.False(t, s > 0 && !math.IsInf(s, 0), "Special is never legal")
		if math.IsNaN(s) {
			count["NaN"]++
		}
		in := RoundMultiple(src)
		if q := math.Remainder(in["x"].Float(), in["unit"].Float()); q != 0 && math.Abs(q) == in["unit"].Float()/2 {
			count["tie"]++
		}
		_, e := Draw(src)
		if e > 1074 {
			count["beyond doubles"]++
		}
	}
	for what, min := range map[string]int{
		"subnormal": n / 8, "power of two": n / 20, "next to a power of two": n / 20, "near 1": n / 50, "largest": n / 200,
		"NaN": n / 4, "tie": n / 8, "beyond doubles": n / 10,
	} {
		assert.GreaterOrEqual(t, count[what], min, what)
	}
	t.Log(count)
}
