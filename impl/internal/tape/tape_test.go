package tape

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// plain reads bits one at a time: the definition.
type plain struct {
	data []byte
	pos  int
}

func (p *plain) bit() (uint64, bool) {
	if p.pos >= 8*len(p.data) {
		return 0, false
	}
	b := p.data[p.pos/8] >> (7 - p.pos%8) & 1
	p.pos++
	return uint64(b), true
}

func (p *plain) take(n int) (v uint64, ok bool) {
	for range n {
		b, ok := p.bit()
		if !ok {
			return 0, false
		}
		v = v<<1 | b
	}
	return v, true
}

// unbounded and binary64 transcribe docs/theory.md 2.1.
func (p *plain) unbounded() (m uint64, e int64, ok bool) {
	for e = 1; ; e++ {
		b, ok := p.bit()
		if !ok {
			return 0, 0, false
		}
		if b == 1 {
			m, ok := p.take(52)
			return m, e, ok
		}
	}
}

func (p *plain) binary64() (m uint64, e int64, ok bool) {
	for {
		e = 1
		for ; e <= 1022; e++ {
			b, ok := p.bit()
			if !ok {
				return 0, 0, false
			}
			if b == 1 {
				m, ok := p.take(52)
				return m, e, ok
			}
		}
		k, ok := p.take(52)
		if !ok {
			return 0, 0, false
		}
		if k != 0 { // k 2^-1074 as (1 + m 2^-52) 2^-e
			e = 1022
			for k < 1<<52 {
				k, e = 2*k, e+1
			}
			return k - 1<<52, e, true
		}
	}
}

type refill struct{ data []byte }

var errDry = errors.New("dry")

func (s *refill) Fill(p []byte) error {
	if len(s.data) < len(p) {
		return errDry
	}
	copy(p, s.data)
	s.data = s.data[len(p):]
	return nil
}

// tapes returns random tapes, most of them with long runs of zeros.
func tapes(r *rand.Rand, n int) [][]byte {
	var out [][]byte
	for range n {
		t := make([]byte, r.IntN(300))
		for i := range t {
			t[i] = byte(r.Uint32())
		}
		if len(t) > 0 && r.IntN(2) == 0 {
			a := r.IntN(len(t))
			clear(t[a:min(len(t), a+r.IntN(160))])
		}
		out = append(out, t)
	}
	// Around the 1022 zeros of binary64: 0..300 zero bytes, then ones, with the
	// first 1 at every bit position, and k = 0 in between.
	for z := 120; z <= 145; z++ {
		for b := range 9 {
			t := append(make([]byte, z), byte(0xff>>b))
			out = append(out, t, append(t[:len(t):len(t)], 0xa5, 0x5a, 0xff, 0, 1, 2, 3, 4, 5, 6))
		}
	}
	return append(out, nil, []byte{0}, make([]byte, 134), append(make([]byte, 268), 0x80), append(make([]byte, 400), 0xff, 1, 2, 3, 4, 5, 6, 7))
}

func TestUniformAgainstDefinition(t *testing.T) {
	for i, tape := range tapes(rand.New(rand.NewPCG(1, 1)), 4000) {
		for _, kind := range []string{"unbounded", "binary64"} {
			msg := fmt.Sprintf("tape %d, %s", i, kind)
			p := plain{data: tape}
			r := NewReader(tape)
			_, ok := p.take(i % 3) // unaligned starts
			if _, err := r.Take(i % 3); !ok {
				require.ErrorIs(t, err, ErrEnd, msg)
				continue
			}
			var m, m2 uint64
			var e, e2 int64
			var err error
			if kind == "unbounded" {
				m, e, ok = p.unbounded()
				m2, e2, err = Unbounded(&r)
			} else {
				m, e, ok = p.binary64()
				m2, e2, err = Binary64(&r)
			}
			if !ok {
				require.ErrorIs(t, err, ErrEnd, msg)
				continue
			}
			require.NoError(t, err, msg)
			require.Equal(t, []any{m, e, p.pos}, []any{m2, e2, r.Used()}, msg)
		}
	}
}

// Any sequence of Take and Zeros equals the bit-by-bit reader, from a slice and
// from a source with any buffer length.
func TestReaderAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i, tape := range tapes(r, 1000) {
		size := 1 + i%19
		whole := tape[:len(tape)/size*size]
		fixed := NewReader(whole)
		var src Reader
		src.Reset(&refill{whole}, make([]byte, size))
		p := plain{data: whole}
		for {
			n := r.IntN(65)
			want, ok := p.take(n)
			a, errA := fixed.Take(n)
			b, errB := src.Take(n)
			if !ok {
				require.ErrorIs(t, errA, ErrEnd)
				require.ErrorIs(t, errB, errDry)
				break
			}
			require.NoError(t, errA)
			require.NoError(t, errB)
			require.Equal(t, []uint64{want, want}, []uint64{a, b})
			require.Equal(t, p.pos, src.Used())
		}
	}
}

func TestZerosLimit(t *testing.T) {
	for _, limit := range []int64{1, 7, 8, 63, 64, 65, 200} {
		r := NewReader(make([]byte, 40))
		n, one, err := r.Zeros(limit)
		require.NoError(t, err)
		require.Equal(t, []any{limit, false, int(limit)}, []any{n, one, r.Used()})
	}
	r := NewReader([]byte{0x01})
	n, one, err := r.Zeros(8)
	require.NoError(t, err)
	require.Equal(t, []any{int64(7), true, 8}, []any{n, one, r.Used()})
}

func TestWipe(t *testing.T) {
	var r Reader
	buf := make([]byte, 16)
	r.Reset(&refill{[]byte("0123456789abcdef")}, buf)
	_, err := r.Take(3)
	require.NoError(t, err)
	r.Wipe()
	require.Equal(t, make([]byte, 16), buf)
	require.Equal(t, Reader{}, r)
	_, err = r.Take(1)
	require.ErrorIs(t, err, ErrEnd)
}

func TestSign(t *testing.T) {
	for b, want := range map[byte]bool{0x7f: false, 0x80: true} {
		r := NewReader([]byte{b})
		minus, err := Sign(&r)
		require.NoError(t, err)
		require.Equal(t, want, minus)
	}
}

func FuzzUniform(f *testing.F) {
	f.Add([]byte{0x80, 1, 2, 3, 4, 5, 6, 7}, false)
	f.Add(append(make([]byte, 130), 1, 2, 3, 4, 5, 6), true)
	f.Fuzz(func(t *testing.T, tape []byte, binary bool) {
		p, r := plain{data: tape}, NewReader(tape)
		m, e, ok := uint64(0), int64(0), false
		var m2 uint64
		var e2 int64
		var err error
		if binary {
			m, e, ok = p.binary64()
			m2, e2, err = Binary64(&r)
		} else {
			m, e, ok = p.unbounded()
			m2, e2, err = Unbounded(&r)
		}
		require.Equal(t, ok, err == nil)
		if ok {
			require.Equal(t, []any{m, e, p.pos}, []any{m2, e2, r.Used()})
		}
	})
}
