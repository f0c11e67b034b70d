package impl

import (
	"crypto/rand"
	"fmt"
	"math"
	"sync"

	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
)

// Release returns the private release of f.
//
// It draws from the operating system's secure generator: a sign, then the
// uniform number without a lower end (docs/theory.md 2.1 and 8).
//
// # Special cases
//
//	an infinite f is clamped like any number outside [Lo, Hi]
//	a NaN f is refused, *DomainError
//	the zero Snapping is refused, *DomainError
//	a failing system generator ends the program: crypto/rand never returns an
//	error since Go 1.24, and nothing is released
//
// With an error the result is NaN. Note that the refusal of NaN tells the
// observer that f was NaN: it is outside the privacy guarantee, so make f total
// (decide what NaN stands for) before calling.
func (s *Snapping) Release(f float64) (float64, error) {
	return s.release(secure{}, f)
}

// ReleaseTo writes independent releases of src[i] to dst[i]. The privacy losses
// of coordinates that one individual can influence add up.
//
// dst and src must have the same length. They may be the same slice and they
// may overlap in any way: all of src is read before dst is written. An error
// (lengths that differ, a NaN in src, the zero Snapping) leaves dst as it was. As with Release, a refusal reveals a NaN.
func (s *Snapping) ReleaseTo(dst, src []float64) error {
	return s.releaseTo(secure{}, dst, src)
}

// secure is the operating system's generator. Since Go 1.24 crypto/rand.Read
// does not return errors: it crashes the program instead. Its error is
// handled all the same, because that is what its signature says and because
// the tests put failing sources in its place.
type secure struct{}

func (secure) Fill(p []byte) error {
	_, err := rand.Read(p)
	return err
}

// sampler is a reader with its buffer, pooled so that a release does not
// allocate. It is wiped before it goes back: no bit serves twice.
type sampler struct {
	r   tape.Reader
	buf [512]byte
}

var samplers = sync.Pool{New: func() any { return new(sampler) }}

// acquire returns a sampler for about n releases, 55 bits each on average.
func acquire(src tape.Source, n int) *sampler {
	p := samplers.Get().(*sampler)
	size := len(p.buf)
	if n < size/8 {
		size = 8*n + 8
	}
	p.r.Reset(src, p.buf[:size])
	return p
}

func (p *sampler) free() {
	p.r.Wipe()
	samplers.Put(p)
}

func (s *Snapping) release(src tape.Source, f float64) (float64, error) {
	if !s.valid() {
		return math.NaN(), errZeroSnapping()
	}
	if math.IsNaN(f) {
		return math.NaN(), errNaN("f")
	}
	p := acquire(src, 1)
	defer p.free()
	r, err := s.core.Release(&p.r, f)
	if err != nil {
		return math.NaN(), errEntropy(err)
	}
	return r, nil
}

func (s *Snapping) releaseTo(src tape.Source, dst, in []float64) error {
	if !s.valid() {
		return errZeroSnapping()
	}
	if len(dst) != len(in) {
		return &DomainError{"dst", fmt.Sprintf("has length %d and src has length %d; they must be equal", len(dst), len(in))}
	}
	for i, f := range in {
		if math.IsNaN(f) {
			return errNaN(fmt.Sprintf("src[%d]", i))
		}
	}
	if len(in) == 0 {
		return nil
	}
	p := acquire(src, len(in))
	defer p.free()
	// The results wait here until all are drawn.
	var small [64]float64
	out := small[:]
	if len(in) > len(small) {
		out = make([]float64, len(in))
	}
	out = out[:len(in)]
	for i, f := range in {
		r, err := s.core.Release(&p.r, f)
		if err != nil {
			return errEntropy(err)
		}
		out[i] = r
	}
	copy(dst, out)
	return nil
}

func errNaN(name string) error {
	return &DomainError{name, "is NaN; decide what NaN stands for before releasing, since this refusal reveals it"}
}

func errEntropy(err error) error { return fmt.Errorf("impl: secure random source: %w", err) }
