package props

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// uniform-mass-is-ulp for whole small formats, on the oracle's general draw: over
// all tapes of a length, every u has exactly the mass up to its successor, and
// what is undecided is exactly the rest.
func TestUniformMassExhaustively(t *testing.T) {
	for _, f := range []spec.Format{spec.Small(3, -6, 3), spec.Small(4, -5, 4), spec.Small(2, -7, 2), spec.Small(5, -12, 3)} {
		size := int(-f.EMin) + int(f.Precision) - 1 // the longest single draw of the published kind
		require.Zero(t, size%8, f.Name)
		for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
			mass := map[spec.U]int64{}
			undecided := int64(0)
			for n := range int64(1) << size {
				tape := make([]byte, size/8)
				for i := range tape {
					tape[i] = byte(n >> (size - 8 - 8*i))
				}
				u, _, err := oracle.Uniform(f, k, tape)
				if err != nil {
					undecided++
				} else {
					mass[u]++
				}
			}
			total := undecided
			for u, n := range mass {
				assert.True(t, real.FromUint64(uint64(n), -int64(size)).Equal(gap(f, k, u)), "%s %s %v: %d of 2^%d", f.Name, k, u, n, size)
				total += n
			}
			assert.Equal(t, int64(1)<<size, total)
			want := int64(1) // the tape of zeros, which restarts
			if k == spec.Unbounded {
				want = 1 << (f.Precision - 1) // no 1 before the last p - 1 bits
			}
			assert.Equal(t, want, undecided, "%s %s", f.Name, k)
			t.Logf("%s %s: %d values of u", f.Name, k, len(mass))
		}
	}
}

// gap is the distance from u to the next value of its kind: an ulp.
func gap(f spec.Format, k spec.Kind, u spec.U) real.Dyadic {
	if k == spec.FloatRange {
		v := spec.FromDyadic(u.Value(f))
		return f.NextUp(v).Dyadic().Sub(v.Dyadic())
	}
	return real.Pow2(-u.E - int64(f.Precision) + 1)
}

// pow2-ceil-inv-of-quotient has just the four exceptions that it names among the
// doubles next to every power of two. Between, 1/x is not next to one either.
func TestInverseExceptions(t *testing.T) {
	one := spec.FromDyadic(real.One())
	var found []uint64
	check := func(x uint64) {
		v := spec.FromBits64(x)
		exact, err1 := oracle.Pow2CeilInv(b64, v)
		rounded, err2 := oracle.Pow2Ceil(b64, oracle.Quo(b64, one, v))
		require.Equal(t, err1 == nil, err2 == nil, "%v", v)
		if err1 == nil && !exact.Same(rounded) {
			found = append(found, x)
			require.True(t, exact.Dyadic().Equal(rounded.Dyadic().Shift(1)))
		}
		require.Equal(t, err1 == nil && !exact.Same(rounded), differs(x), "%v", v)
	}
	for e := uint64(1); e <= 2047; e++ {
		reach := uint64(40)
		if e >= 2044 {
			reach = 3000
		}
		for i := range 2 * reach {
			if x := e<<52 - reach + i; x < math.Float64bits(math.Inf(1)) {
				check(x)
			}
		}
	}
	for x := uint64(1); x < 1<<13; x++ {
		check(x)
	}
	top := math.Float64bits(math.MaxFloat64)
	assert.Equal(t, []uint64{math.Float64bits(0x1p1023) - 1, top - 2, top - 1, top}, found)
}
