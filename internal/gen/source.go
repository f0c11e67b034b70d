// Package gen makes cases: inputs built at the level of bits, weighted toward
// the places where implementations go wrong. Every generator reads one Source of
// words, so the same generator runs under a seeded stream, under either property
// testing engine, and shrinks: a smaller word means a simpler choice.
package gen

// Source is a stream of 64-bit words.
type Source interface{ Uint64() uint64 }

// SplitMix64 is the generator of Steele, Lea and Flood (OOPSLA 2014, figure 14).
// Its state is the only thing a port needs to repeat a stream.
type SplitMix64 struct{ State uint64 }

// Uint64 advances the stream.
func (s *SplitMix64) Uint64() uint64 {
	s.State += 0x9e3779b97f4a7c15
	z := s.State
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Words is a Source over a list; after its end it gives zeros.
type Words struct {
	List []uint64
	next int
}

// Uint64 returns the next word of the list.
func (w *Words) Uint64() uint64 {
	if w.next >= len(w.List) {
		return 0
	}
	w.next++
	return w.List[w.next-1]
}

// pick returns an index below n.
func pick(src Source, n int) int { return int(src.Uint64() % uint64(n)) }

// choose calls one of the alternatives; the first is the simplest.
func choose[T any](src Source, alternatives ...func(Source) T) T {
	return alternatives[pick(src, len(alternatives))](src)
}

// between returns an integer in [lo, hi].
func between(src Source, lo, hi int64) int64 {
	return lo + int64(src.Uint64()%uint64(hi-lo+1))
}
