package main

import (
	"cmp"
	"math"
	"slices"
)

// entry is one line of the list.
type entry struct {
	pair   bool
	bits   uint64 // binary64 pattern, unless pair
	m      uint64 // fraction field of u = (1 + m 2^-52) 2^-e, if pair
	e      int64
	log2   float64
	target Target
	region string
}

// compareEntries orders by kind, region, distance and value.
func compareEntries(a, b entry) int {
	if a.pair != b.pair {
		if a.pair {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(a.region, b.region), cmp.Compare(a.log2, b.log2),
		cmp.Compare(a.bits, b.bits), cmp.Compare(a.e, b.e), cmp.Compare(a.m, b.m))
}

// top collects the hardest entries of a region.
type top struct {
	name  string
	keep  int
	limit uint64 // distance worth looking at, 2^-64 ulp; falls as top fills
	list  []entry
}

func newTop(name string, keep int) *top {
	return &top{name: name, keep: keep, limit: 1 << 62}
}

// add offers an entry; which entries remain does not depend on the order.
func (t *top) add(e entry) {
	e.region = t.name
	i, dup := slices.BinarySearchFunc(t.list, e, compareEntries)
	if dup {
		return
	}
	t.list = slices.Insert(t.list, i, e)
	if len(t.list) > t.keep {
		t.list = t.list[:t.keep]
	}
	if len(t.list) == t.keep {
		worst := t.list[t.keep-1].log2
		t.limit = min(t.limit, uint64(math.Exp2(worst+64)*1.000001)+1)
	}
}
