package main

import (
	"bytes"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func TestTableConfirmsTwelve(t *testing.T) {
	var out bytes.Buffer
	if code := run(nil, &out, &out); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out.String())
	}
}

// TestFaultsAreSeen: a smaller constant fails, and so does the enumeration with any one
// of its arguments left out.
func TestFaultsAreSeen(t *testing.T) {
	for _, args := range [][]string{
		{"-limit", "11.9"}, {"-limit", "11.98"}, {"-limit", "11.99"},
		{"-omit", "grid"}, {"-omit", "half-grid"}, {"-omit", "lattice"}, {"-omit", "spacing"},
	} {
		var out bytes.Buffer
		if code := run(args, &out, &out); code != 1 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
	for _, args := range [][]string{{"-limit", "x"}, {"-omit", "nothing"}, {"more"}} {
		var out bytes.Buffer
		if code := run(args, &out, &out); code != 2 {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}

func TestWitnessesApproachTheSupremum(t *testing.T) {
	for _, w := range constructed(t) {
		if !w.ratio.atMost(supremum()) || !w.ratio.above(frac(11983, 1000)) {
			t.Errorf("%v: %s", w.p, w.ratio.upper(10))
		}
	}
}

// classOf names the class of a quartet as the document does, from the exact
// thresholds, and evaluates the bound of its row of the table.
type found struct {
	class string
	kind  string // whole, broken, or of the coarse classes the row
}

func pow2Floor(r *big.Rat) int64 { // floor(log2 r)
	k := int64(r.Num().BitLen() - r.Denom().BitLen())
	if r.Cmp(pow2(k)) < 0 {
		k--
	}
	return k
}

func pow2(k int64) *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(1), uint(max(k, -k)))
	if k < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), n)
	}
	return new(big.Rat).SetInt(n)
}

// levels returns J, K, I: G = 2 eta 2^J, 2^K = 2^J/Lambda, h = 2 eta 2^I.
func (q quartet) levels() (J, K, I int64) {
	p1 := int64(q.p.Format.Precision) - 1
	J = pow2Floor(q.t1b.g) + p1
	return J, J - pow2Floor(q.unit), pow2Floor(q.t1b.h) + p1
}

// classify follows the case distinctions of the document; critical is 8/5 or 3/2.
func (q quartet) classify(critical *big.Rat) found {
	J, K, I := q.levels()
	brokenFar := q.t2b.h.Cmp(q.t1b.h) < 0
	switch {
	case I == K+1 && !brokenFar:
		return found{"F", "I = K+1, h_2' = h"}
	case I == K+1:
		return found{"F", "I = K+1, h_2' <= h/2"}
	case K <= 0:
		return found{"G", ""}
	case pow2(J).Cmp(ratMul(critical, q.B)) <= 0:
		return found{"H", ""}
	case K == 1 && brokenFar:
		return found{"I", "2^J = 2 Lambda, h_2' <= h/2"}
	case K == 1:
		return found{"I", "2^J = 2 Lambda, h_2' = h"}
	}
	kind := "whole"
	if q.t2.h.Cmp(q.t1b.h) < 0 {
		kind = "broken"
	}
	full, fullB := ratQuo(q.t2.g, q.t1b.g), ratQuo(q.t2b.g, q.t1b.g)
	one := rat(1, 1)
	switch {
	case fullB.Cmp(one) == 0 && full.Cmp(one) == 0:
		return found{"A", kind}
	case fullB.Cmp(one) == 0 && q.t1.g.Cmp(q.t1b.g) == 0:
		return found{"B", kind}
	case fullB.Cmp(one) == 0:
		return found{"C", kind}
	case q.t1.g.Cmp(q.t1b.g) == 0:
		return found{"D", kind}
	}
	return found{"E", kind}
}

// rowBound is the largest value of the table for a class and kind.
func rowBound(rows []row, k found) (num, bool) {
	var best num
	ok := false
	for _, r := range rows {
		if r.class != k.class || k.kind != "" && !strings.HasPrefix(r.where, k.kind) {
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
	seen := map[found]int{}
	worst := map[string]num{}
	instances(t, 6000, func(q quartet) {
		_, K, _ := q.levels()
		critical, table := rat(8, 5), rows
		if K >= 4 { // where 2^J >= 16 Lambda both distinctions are proved
			critical, table = rat(3, 2), rowsLate
		}
		k := q.classify(critical)
		seen[k]++
		bound, ok := rowBound(table, k)
		if !ok {
			t.Fatalf("no row for %v: %v", k, q)
		}
		_, _, a1, a2 := q.errors()
		h := rational(q.t1b.h)
		for _, r := range []num{ratioOf(q.t1, q.t2), ratioOf(q.t1b, q.t2b)} {
			v := r.times(rational(a1)).minus(rational(a2)).abs().times(h).over(whole(1).minus(r))
			v = v.over(rational(q.kappa()))
			if !v.atMost(bound) {
				t.Errorf("class %v: %s > %s: %v", k, v.upper(5), bound.upper(5), q)
			}
			key := k.class + " " + k.kind
			if w, ok := worst[key]; !ok || v.above(w) {
				worst[key] = v
			}
		}
	})
	for _, k := range []found{{"A", "whole"}, {"B", "whole"}, {"B", "broken"}, {"C", "whole"}, {"C", "broken"}, {"D", "whole"}, {"D", "broken"}, {"E", "whole"}, {"E", "broken"}, {"G", ""}, {"H", ""}} {
		if seen[k] == 0 {
			t.Errorf("class %v: no instance", k)
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
