package proofs

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// record notes how near the sides of one comparison came to each other. A ratio
// says something only where both sides are errors, not numbers near 1 that differ
// by them: comparisons are written so.
func (t *Trial) record(name string, a, b Num) {
	s := t.sites[name]
	if s == nil {
		s = &Comparison{Name: name, signed: math.Inf(-1)}
		t.sites[name] = s
	}
	s.Count++
	// The ratio is taken before it is made a double: the sides may be out of range.
	if i, err := b.enclose(minPrec); err != nil || i.Lo.Sign() <= 0 {
		return
	}
	if r := a.quo(b).approx(); r > s.signed {
		s.signed, s.Tightest = r, max(r, 0)
		t.Result.Tightest = max(t.Result.Tightest, r)
	}
}

// finish requires of each comparison the tightness that is on record for it: a
// right side that grew, or instances that became easy, would pass otherwise.
func (t *Trial) finish() {
	for _, s := range t.sites {
		t.Result.Comparisons = append(t.Result.Comparisons, *s)
	}
	slices.SortFunc(t.Result.Comparisons, func(a, b Comparison) int { return cmp.Compare(a.Name, b.Name) })
	want := tightness[t.Result.Label]
	for _, name := range slices.Sorted(maps.Keys(want)) {
		var got float64
		if s := t.sites[name]; s != nil {
			got = s.Tightest
		}
		if got < want[name] {
			t.fail("%s: the sides come no nearer than %.6g, %.6g is on record", name, got, want[name])
		}
	}
}
