package main

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// listFile is the checked-in list.
const listFile = "../../internal/gen/hardln.txt"

func TestList(t *testing.T) {
	f, err := os.Open(listFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	es, err := readList(f)
	if err != nil {
		t.Fatal(err)
	}
	x := newExactLn()
	var doubles, pairs, near int
	least := 0.0
	for _, e := range es {
		if err := verify(x, e); err != nil {
			t.Errorf("%+v: %v", e, err)
		}
		least = min(least, e.log2)
		switch {
		case e.pair:
			pairs++
		case e.target == Double:
			near++
		default:
			doubles++
		}
		if strings.HasPrefix(e.region, "family-") {
			continue
		}
		if e.log2 > -40 {
			t.Errorf("%+v: further than 2^-40 ulp", e)
		}
		if !e.pair && math.Abs(math.Float64frombits(e.bits)-1) < 0x1p-20 {
			t.Errorf("%+v: closer to 1 than 2^-20", e)
		}
	}
	if doubles < 500 || pairs < 100 || near < 40 || least > -58 {
		t.Errorf("%d doubles, %d pairs, %d near doubles, least 2^%.2f", doubles, pairs, near, least)
	}
	// The two decimals of the list leave ties to the order of the values.
	if !slices.IsSortedFunc(es, func(a, b entry) int {
		if a.pair != b.pair {
			return compareEntries(a, b)
		}
		if c := strings.Compare(a.region, b.region); c != 0 {
			return c
		}
		return int(math.Round(100*a.log2) - math.Round(100*b.log2))
	}) {
		t.Error("not sorted")
	}
	t.Logf("%d doubles near midpoints, %d pairs, %d doubles near doubles, least 2^%.2f", doubles, pairs, near, least)
}

func TestVerifyRejects(t *testing.T) {
	x := newExactLn()
	good := entry{bits: 0x3feffffffffffffe, log2: -53.58}
	if err := verify(x, good); err != nil {
		t.Error(err)
	}
	for _, e := range []entry{
		{bits: 0x3feffffffffffffe, log2: -53.57},
		{bits: 0x3feffffffffffffe, log2: -53.58, target: Double},
		{bits: 0x3feffffffffffffd, log2: -53.58},
		{bits: 0x3ff0000000000000, log2: -53.58},
		{bits: 0, log2: -1},
		{bits: 0x7ff << 52, log2: -1},
		{bits: 1 << 63, log2: -1},
		{pair: true, e: math.MinInt64, log2: -1},
		{pair: true, e: math.MaxInt64, log2: -1},
		{pair: true, m: 1 << 53, e: 1, log2: -1},
		{bits: good.bits, log2: math.NaN()},
	} {
		if verify(x, e) == nil {
			t.Errorf("%+v accepted", e)
		}
	}
	for _, s := range []string{"x", "x 1 2 midpoint", "x z -1 midpoint r", "x 1 z midpoint r", "x 1 -1 z r",
		"pair 1 -1 midpoint r", "pair 0x10000000000000 1 -1 midpoint r", "pair 1 z -1 midpoint r", "y 1 -1 midpoint r"} {
		if _, err := readList(strings.NewReader(s)); err == nil {
			t.Errorf("%q accepted", s)
		}
	}
}

// TestSubnormalDist shows that padding a subnormal changes nothing.
func TestSubnormalDist(t *testing.T) {
	x := newExactLn()
	const b = 0x0000_0abc_def0_1235 // 44 bits
	m, w, e, err := splitDouble(b)
	if err != nil {
		t.Fatal(err)
	}
	d1, err1 := x.log2Dist(m, w, e, Midpoint)
	d2, err2 := x.log2Dist(b, 43, -1074+43, Midpoint)
	if err1 != nil || err2 != nil || math.Abs(d1-d2) > 1e-9 {
		t.Errorf("%v (%v), %v (%v)", d1, err1, d2, err2)
	}
	if r, err := joinDouble(m, w, e); r != b || err != nil {
		t.Errorf("joinDouble: %#x, %v", r, err)
	}
	if _, err := joinDouble(m|1<<52, 52, -1050); err == nil {
		t.Error("joinDouble accepts a value with too many bits")
	}
}
