package oracle

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// bitString writes a tape as its bits, the most significant of each byte first.
func bitString(tape []byte) string {
	var b strings.Builder
	for _, x := range tape {
		for i := 7; i >= 0; i-- {
			b.WriteByte('0' + x>>i&1)
		}
	}
	return b.String()
}

// binary reads a string of 0 and 1.
func binary(s string) uint64 {
	v := uint64(0)
	for _, c := range s {
		v = 2*v + uint64(c-'0')
	}
	return v
}

// readUniform is U* by the words of docs/theory.md 2.1, on a string of bits: the
// value as a rational and the bits read, or ok = false when the string ends early.
func readUniform(f spec.Format, k spec.Kind, bits string) (u *big.Rat, consumed int, ok bool) {
	width := int(f.Precision) - 1
	zeros := strings.IndexByte(bits, '1')
	if k == spec.FloatRange {
		lead := int(-f.EMin)
		head := bits[:min(lead, len(bits))]
		if !strings.Contains(head, "1") {
			if len(bits) < lead+width {
				return nil, 0, false
			}
			n := binary(bits[lead : lead+width])
			if n == 0 {
				u, consumed, ok = readUniform(f, k, bits[lead+width:])
				return u, consumed + lead + width, ok
			}
			return new(big.Rat).Mul(new(big.Rat).SetInt64(int64(n)), pow2Rat(f.Quantum())), lead + width, true
		}
	}
	if zeros < 0 || len(bits) < zeros+1+width {
		return nil, 0, false
	}
	m := binary(bits[zeros+1 : zeros+1+width])
	u = new(big.Rat).SetInt64(int64(m) + 1<<width)
	return u.Mul(u, pow2Rat(-int64(zeros)-1-int64(width))), zeros + 1 + width, true
}

// Every tape of 16 bits: value, bits consumed, and what running out says.
func TestUniformOnAllTapes(t *testing.T) {
	formats := []spec.Format{spec.Small(6, -1, 1), spec.Small(3, -2, 3), spec.Small(2, 0, 0), spec.Small(5, -3, 0)}
	for _, f := range formats[:scaled(len(formats), 2)] {
		for _, k := range []spec.Kind{spec.Unbounded, spec.FloatRange} {
			for n := range 1 << 16 {
				tape := []byte{byte(n >> 8), byte(n)}
				want, bits, ok := readUniform(f, k, bitString(tape))
				u, consumed, err := Uniform(f, k, tape)
				if !ok {
					requireReject(t, err, spec.Tape, "tape")
					continue
				}
				require.NoError(t, err)
				require.NoError(t, u.Validate(f))
				require.Zero(t, want.Cmp(ratOf(u.Value(f))), "%s %s %016b: want %v, got %+v", f.Name, k, n, want, u)
				require.Equal(t, bits, consumed)
			}
		}
	}
}

// tally runs Uniform over all tapes of n bits, n a multiple of 8: how many give each value.
func tally(t *testing.T, f spec.Format, k spec.Kind, n int) (count map[string]int64, value map[string]*big.Rat, undecided int64) {
	t.Helper()
	count, value = map[string]int64{}, map[string]*big.Rat{}
	tape := make([]byte, n/8)
	for i := range int64(1) << n {
		for j := range tape {
			tape[j] = byte(i >> (n - 8 - 8*j))
		}
		u, _, err := Uniform(f, k, tape)
		if err != nil {
			undecided++
			continue
		}
		d := u.Value(f)
		s := d.String()
		if count[s]++; value[s] == nil {
			value[s] = ratOf(d)
		}
	}
	return count, value, undecided
}

// Unbounded: each value of u carries the mass up to its successor, P(u < t) = t
// for every decided t, and what is left undecided is the mass below the least of them.
func TestUniformUnboundedMass(t *testing.T) {
	const n = 16
	for _, f := range []spec.Format{spec.Small(2, -1, 2), spec.Small(3, -2, 3), spec.Small(5, -3, 0)} {
		count, value, undecided := tally(t, f, spec.Unbounded, n)
		width := int64(f.Precision) - 1
		decided := 0
		least := big.NewRat(1, 1)
		for e := int64(1); e+width <= n; e++ {
			for m := int64(0); m < 1<<width; m++ {
				u := new(big.Rat).Mul(new(big.Rat).SetInt64(m+int64(1)<<width), pow2Rat(-e-width))
				gap := pow2Rat(-e - width) // to the successor, the next m or the next binade
				key := dy(m+int64(1)<<width, -e-width).String()
				require.NotNil(t, value[key])
				require.Zero(t, value[key].Cmp(u))
				require.Zero(t, big.NewRat(count[key], 1<<n).Cmp(gap), "%s: mass of %v", f.Name, u)
				decided++
				if u.Cmp(least) < 0 {
					least = u
				}
			}
		}
		require.Len(t, count, decided, "a value of u that is none")
		require.Zero(t, big.NewRat(undecided, 1<<n).Cmp(least), "P(u < least) = least")
		for _, x := range value { // P(u < t) = t
			below := big.NewRat(undecided, 1<<n)
			for key, y := range value {
				if y.Cmp(x) < 0 {
					below.Add(below, big.NewRat(count[key], 1<<n))
				}
			}
			require.Zero(t, below.Cmp(x))
		}
	}
}

// FloatRange over r whole rounds of bits: a zero, of probability z = 2^-n = t_min,
// restarts, so each positive number of the format below 1 has its ulp times
// 1 + z + ... + z^(r-1), the zeros of every round are undecided, and
// P(u < t | decided) = (t - t_min)/(1 - t_min) with t_min the smallest positive number.
func TestUniformFloatRangeMass(t *testing.T) {
	for _, c := range []struct {
		f      spec.Format
		rounds int
	}{{spec.Small(3, -2, 3), 4}, {spec.Small(2, -3, 0), 4}, {spec.Small(5, 0, 3), 4}, {spec.Small(5, -4, 0), 2}, {spec.Small(9, -8, 8), 1}} {
		l := listFormat(c.f)
		round := int(-c.f.EMin) + int(c.f.Precision) - 1
		n := round * c.rounds
		require.Equal(t, 16, n)
		count, value, undecided := tally(t, c.f, spec.FloatRange, n)
		tmin := l.nums[1]
		require.Zero(t, tmin.Cmp(pow2Rat(int64(-round))))
		all := new(big.Rat).Sub(big.NewRat(1, 1), pow2Rat(int64(-n)))
		require.Zero(t, big.NewRat(undecided, 1<<n).Cmp(pow2Rat(int64(-n))), "only zeros throughout are undecided")
		rest := new(big.Rat).Sub(big.NewRat(1, 1), tmin)
		below := new(big.Rat)
		seen := 0
		for i := 1; l.nums[i].Cmp(big.NewRat(1, 1)) < 0; i++ {
			x := l.nums[i]
			// P(u < x) = (x - t_min)/(1 - t_min) of what is decided.
			want := new(big.Rat).Sub(x, tmin)
			want.Quo(want, rest).Mul(want, all)
			require.Zero(t, below.Cmp(want), "%s: P(u < %v)", c.f.Name, x)
			key := dyadicOf(x).String()
			require.NotNil(t, value[key], "%s: %v is never drawn", c.f.Name, x)
			mass := big.NewRat(count[key], 1<<n)
			ulp := new(big.Rat).Sub(l.nums[i+1], x)
			require.Zero(t, mass.Cmp(ulp.Quo(ulp, rest).Mul(ulp, all)), "%s: mass of %v", c.f.Name, x)
			below.Add(below, mass)
			seen++
		}
		require.Len(t, count, seen)
	}
}

// Only the bits consumed matter, and with fewer whole bytes than they need the
// tape runs out, wherever that is.
func TestTapeEndsEverywhere(t *testing.T) {
	r := newRand(40)
	for range scaled(300, 30) {
		k := []spec.Kind{spec.Unbounded, spec.FloatRange}[r.IntN(2)]
		tape := make([]byte, 300)
		for i := r.IntN(150); i < len(tape); i++ {
			tape[i] = byte(r.Uint32())
		}
		u, consumed, err := Uniform(spec.Binary64, k, tape)
		require.NoError(t, err)
		whole := (consumed + 7) / 8
		for n := 0; n < whole; n += 1 + r.IntN(9) {
			_, _, err := Uniform(spec.Binary64, k, tape[:n])
			requireReject(t, err, spec.Tape, "tape")
		}
		_, _, err = Uniform(spec.Binary64, k, tape[:whole-1])
		requireReject(t, err, spec.Tape, "tape")
		cut := append([]byte(nil), tape[:whole]...)
		if rest := 8*whole - consumed; rest > 0 {
			cut[whole-1] ^= byte(1<<rest - 1)
		}
		again, c2, err := Uniform(spec.Binary64, k, cut)
		require.NoError(t, err)
		require.Equal(t, u, again)
		require.Equal(t, consumed, c2)
	}
}

// The published draw of binary64 by hand: the least subnormal, a zero that
// restarts, the last normal binade.
func TestUniformBinary64Literals(t *testing.T) {
	set := func(n int, ones ...int) []byte {
		tape := make([]byte, (n+7)/8)
		for _, i := range ones {
			tape[i/8] |= 0x80 >> (i % 8)
		}
		return tape
	}
	for _, c := range []struct {
		kind     spec.Kind
		tape     []byte
		u        spec.U
		consumed int
	}{
		{spec.Unbounded, set(53, 0), spec.U{M: 0, E: 1}, 53},
		{spec.Unbounded, set(53, 0, 52), spec.U{M: 1, E: 1}, 53},
		{spec.Unbounded, set(53, 0, 1), spec.U{M: 1 << 51, E: 1}, 53},
		{spec.Unbounded, set(1153, 1100), spec.U{M: 0, E: 1101}, 1153},
		{spec.FloatRange, set(1074, 1021), spec.U{M: 0, E: 1022}, 1074},
		{spec.FloatRange, set(1074, 1073), spec.U{M: 0, E: 1074}, 1074},
		{spec.FloatRange, set(1074, 1022), spec.U{M: 0, E: 1023}, 1074},
		{spec.FloatRange, set(1074, 1022, 1073), spec.U{M: 2, E: 1023}, 1074}, // (2^51 + 1) 2^-1074
		{spec.FloatRange, set(1074, 1072, 1073), spec.U{M: 1 << 51, E: 1073}, 1074},
		{spec.FloatRange, set(1074+53, 1074), spec.U{M: 0, E: 1}, 1074 + 53},
	} {
		u, consumed, err := Uniform(spec.Binary64, c.kind, c.tape)
		require.NoError(t, err)
		assert.Equal(t, c.u, u)
		assert.Equal(t, c.consumed, consumed)
	}
	_, _, err := Uniform(spec.Binary64, spec.FloatRange, set(1074))
	requireReject(t, err, spec.Tape, "tape")
	_, _, err = Uniform(spec.Binary64, "gauss", nil)
	requireReject(t, err, spec.Domain, "kind")
	// 117 bits of significand, those above the low 64 in Upper.
	tape := make([]byte, 16)
	tape[0], tape[1], tape[15] = 0x40, 0x80, 0xff // 01, then 0 x6, 1, ...
	u, consumed, err := Uniform(spec.Small(118, -200, 200), spec.Unbounded, tape)
	require.NoError(t, err)
	want := new(big.Int).SetBytes(tape) // 128 bits: take the 117 after the first two
	want.Rsh(want, 128-2-117).SetBit(want, 117, 0)
	require.Zero(t, want.Cmp(u.Significand()))
	require.Equal(t, int64(2), u.E)
	require.Equal(t, 119, consumed)
}
