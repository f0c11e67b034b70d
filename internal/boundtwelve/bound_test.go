package boundtwelve

import (
	"math/big"
	"slices"
	"strings"
	"testing"
)

// TestReport: a constant below the maximum is denied in every line, one argument less
// in some.
func TestReport(t *testing.T) {
	var out strings.Builder
	if !Report(&out, "", rat(12, 1)) {
		t.Fatal(out.String())
	}
	for _, limit := range []*big.Rat{rat(119, 10), rat(1198, 100), rat(1199, 100)} {
		out.Reset()
		if Report(&out, "", limit) || strings.Contains(out.String(), "maximum <= "+limit.RatString()+": true") || strings.Contains(out.String(), ", 1): true") {
			t.Errorf("%s:\n%s", limit.RatString(), out.String())
		}
	}
	for _, omit := range Omissions() {
		if Report(&out, omit, rat(12, 1)) {
			t.Errorf("without %s it holds", omit)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, k := range []struct {
		c, top, grid *big.Rat
		a, b         int64
		want         bool
	}{
		{rat(12, 1), rat(119906, 10000), rat(43294, 10000), 5, 1, true},
		{rat(119, 10), rat(119906, 10000), rat(43294, 10000), 5, 1, false}, // room -0.09, above grid - a
		{rat(12, 1), rat(119906, 10000), rat(43294, 10000), 4, 35, false},
		{rat(12, 1), rat(119906, 10000), rat(43294, 10000), 4, 36, true},
	} {
		if got := holds(rational(k.c), rational(k.top), rational(k.grid), k.a, k.b); got != k.want {
			t.Errorf("%v", k)
		}
	}
	if covered(rat(12, 1), rat(0, 1), rat(19, 1), 5, 1) || !covered(rat(12, 1), rat(0, 1), rat(154, 10), 5, 1) {
		t.Error("19 eta is too much for (12, 5, 1), 15.4 eta is not")
	}
}

func TestWitnessesApproachTheSupremum(t *testing.T) {
	for _, w := range constructed(t) {
		if !w.ratio.atMost(supremum()) || !w.ratio.above(frac(11983, 1000)) {
			t.Errorf("%v: %s", w.p, w.ratio.upper(10))
		}
	}
}

// rowBound is the largest value of the table for a class and kind.
func rowBound(rows []row, k Class) (num, bool) {
	var best num
	ok := false
	for _, r := range rows {
		if r.class != k.Letter || k.Kind != "" && !strings.HasPrefix(r.where, k.Kind) {
			continue
		}
		if !ok {
			best, ok = r.value, true
		}
		best = larger(best, r.value)
	}
	return best, ok
}

func TestClassBounds(t *testing.T) {
	rows := allKappa.table(rules{}, rat(8, 5))
	rowsLate := allKappa.table(rules{}, rat(3, 2))
	seen := map[Class]int{}
	worst := map[string]num{}
	instances(t, 6000, func(q Quartet) {
		_, K, _ := q.Levels()
		critical, table := rat(8, 5), rows
		if K >= 4 { // where 2^J >= 16 Lambda both distinctions are proved
			critical, table = rat(3, 2), rowsLate
		}
		k := q.Classify(critical)
		seen[k]++
		bound, ok := rowBound(table, k)
		if !ok {
			t.Fatalf("no row for %v: %v", k, q)
		}
		e := q.Errors()
		h := rational(q.T1b.H)
		for _, r := range []num{ratioOf(q.T1, q.T2), ratioOf(q.T1b, q.T2b)} {
			v := r.times(rational(e.A1)).minus(rational(e.A2)).abs().times(h).over(whole(1).minus(r))
			v = v.over(rational(q.Kappa()))
			if !v.atMost(bound) {
				t.Errorf("class %v: %s > %s: %v", k, v.upper(5), bound.upper(5), q)
			}
			key := k.Letter + " " + k.Kind
			if w, ok := worst[key]; !ok || v.above(w) {
				worst[key] = v
			}
		}
	})
	for _, k := range []Class{{"A", "whole"}, {"B", "whole"}, {"B", "broken"}, {"C", "whole"}, {"C", "broken"}, {"D", "whole"}, {"D", "broken"}, {"E", "whole"}, {"E", "broken"}, {"G", ""}, {"H", ""}} {
		if seen[k] == 0 {
			t.Errorf("class %v: no Instance", k)
		}
	}
	keys := []string{}
	for k := range worst {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t.Logf("%-30s up to %s", k, worst[k].lower(4))
	}
	t.Log(seen)
}

// ratioOf is q = P_1/P_2.
func ratioOf(far, near Threshold) num { return dyadic(far.P).over(dyadic(near.P)) }
