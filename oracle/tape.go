package oracle

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// tape reads fair bits from bytes, most significant bit of each byte first
// (docs/theory.md 8). It sees the tape as one long integer.
type tape struct {
	all  *big.Int
	left int // bits not yet taken
	size int
}

func newTape(b []byte) *tape {
	return &tape{all: new(big.Int).SetBytes(b), left: 8 * len(b), size: 8 * len(b)}
}

func (t *tape) consumed() int { return t.size - t.left }

// take returns the next n bits as an unsigned integer, first bit most significant.
func (t *tape) take(n int) (*big.Int, error) {
	if n > t.left {
		return nil, spec.Reject(spec.Tape, "tape", "%d bits wanted after %d of %d", n, t.consumed(), t.size)
	}
	v := new(big.Int)
	for range n { // bit by bit: shifting the whole tape would make long ones quadratic
		t.left--
		v.Lsh(v, 1).SetBit(v, 0, t.all.Bit(t.left))
	}
	return v, nil
}

// Uniform draws U* of the given kind from a tape and says how many bits that
// took (docs/theory.md 2.1).
func Uniform(f spec.Format, k spec.Kind, bits []byte) (u spec.U, consumed int, err error) {
	t := newTape(bits)
	u, err = uniform(f, k, t)
	return u, t.consumed(), err
}

// checkDraw tests the domain of a draw, the kind.
func checkDraw(k spec.Kind) error {
	if k != spec.Unbounded && k != spec.FloatRange {
		return spec.Reject(spec.Domain, "kind", "%q is neither %q nor %q", k, spec.Unbounded, spec.FloatRange)
	}
	return nil
}

func uniform(f spec.Format, k spec.Kind, t *tape) (spec.U, error) {
	if err := checkDraw(k); err != nil {
		return spec.U{}, err
	}
	width := int(f.Precision) - 1
	for e := int64(1); ; e++ {
		if k == spec.FloatRange && e > -f.EMin {
			// The first -emin bits were 0: u is k times the smallest positive number.
			n, err := t.take(width)
			if err != nil {
				return spec.U{}, err
			}
			if n.Sign() == 0 {
				e = 0 // a zero restarts the draw; the loop makes this 1
				continue
			}
			top := n.BitLen() - 1 // n = (1 + rest 2^-top) 2^top
			n.SetBit(n, top, 0)
			return spec.NewU(n.Lsh(n, uint(width-top)), -f.Quantum()-int64(top)), nil
		}
		bit, err := t.take(1)
		if err != nil {
			return spec.U{}, err
		}
		if bit.Sign() != 0 {
			m, err := t.take(width)
			if err != nil {
				return spec.U{}, err
			}
			return spec.NewU(m, e), nil
		}
	}
}

// Release runs Snap_F on the bits of a tape: the sign (0 means +1), then U*. It
// returns the whole trace, its random inputs, and the bits consumed.
func Release(p spec.SnapParams, k spec.Kind, f spec.Value, bits []byte) (tr spec.Trace, u spec.U, s spec.Sign, consumed int, err error) {
	// Domain and overflow come before the tape.
	if err = checkSnap(p, f, 1); err != nil {
		return
	}
	if err = checkDraw(k); err != nil {
		return
	}
	if _, err = Unit(p); err != nil {
		return
	}
	t := newTape(bits)
	b, err := t.take(1)
	if err != nil {
		return
	}
	s = 1
	if b.Sign() != 0 {
		s = -1
	}
	if u, err = uniform(p.Format, k, t); err != nil {
		return
	}
	tr, err = SnapF(p, f, u, s)
	return tr, u, s, t.consumed(), err
}
