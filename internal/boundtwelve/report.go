// Package boundtwelve is the arithmetic behind proofs/bound-twelve.md: the finite
// enumeration of its classes with an upper bound for each, exact thresholds of
// instances, and inputs whose excess loss approaches the bound. No decision rests on
// a floating-point number.
package boundtwelve

import (
	"fmt"
	"io"
	"math/big"
)

// Omissions are the arguments that Report can leave out.
func Omissions() []string { return omissions }

// triples are the bounds (D + c max(B, b lambda) eta)/lambda + a eta read off the
// table: c kappa + a eta covers max kappa + grid eta for kappa >= b eta.
var triples = []struct{ a, b int64 }{{5, 1}, {4, 36}, {3, 142}, {2, 1 << 8}}

// holds reports that c kappa + a eta covers top kappa + grid eta for all kappa >= b
// eta: without top <= c a negative room would pass for one.
func holds(c, top, grid num, a, b int64) bool {
	return top.atMost(c) && grid.minus(whole(a)).atMost(c.minus(top).times(whole(b)))
}

// others are the excesses x kappa + y eta of the cases of 6.1 and of (6.2.16). Their
// values are taken from the text.
var others = []struct {
	label string
	x, y  *big.Rat
}{
	{"6.1.17", rat(8001, 1000), rat(6001, 1000)}, {"6.1.18", rat(4001, 1000), rat(0, 1)}, {"6.1.19", rat(0, 1), rat(0, 1)},
	{"6.1.21", rat(0, 1), rat(1017, 100)}, {"6.1.22", rat(867, 100), rat(7, 2)}, {"6.2.16", rat(0, 1), rat(154, 10)},
}

// sameCell is the last bound in the proof of (6.2.16), in units of eta.
func sameCell() *big.Rat {
	top := ratAdd(rat(14721, 10000), ratMul(rat(136803, 100000), rat(60002, 10000)))
	return ratQuo(top, ratSub(rat(1, 1), rat(36803, 100000)))
}

// margins reports what the text needs of its constants: the slack 0.0004 covers 13
// kappa, the factor 1 + 2^-48 of class F covers (1+eta)(4+ell+4eta)/(4+ell) for
// ell >= 1, and (6.2.16) is the 15.4 eta its proof gives.
func margins() bool {
	eta := pow2(-53)
	f := ratMul(ratAdd(rat(1, 1), eta), ratAdd(rat(5, 1), ratMul(rat(4, 1), eta)))
	return rat(13, 1<<15).Cmp(rat(4, 10000)) <= 0 &&
		f.Cmp(ratMul(rat(5, 1), ratAdd(rat(1, 1), pow2(-48)))) <= 0 &&
		sameCell().Cmp(rat(154, 10)) < 0
}

// covered reports x k + y eta <= c K + a eta whenever k <= K and K >= b eta: linear
// in K, so that K = k = b eta and K -> infinity decide.
func covered(c, x, y *big.Rat, a, b int64) bool {
	room := ratAdd(ratMul(ratSub(c, x), rat(b, 1)), rat(a, 1))
	return x.Cmp(c) <= 0 && y.Cmp(room) <= 0
}

// Report prints the table and reports that it confirms the constant c. One argument
// of the proof is left out; "" leaves out none.
func Report(w io.Writer, omit string, c *big.Rat) bool {
	r := rules{omit}
	rows := allKappa.table(r, rat(8, 5))
	limits := zeroKappa.table(r, rat(8, 5))
	fmt.Fprintln(w, "Upper bounds of the excess over kappa (B <= 2^38 lambda; in brackets the limit kappa -> 0):")
	for i, row := range rows {
		fmt.Fprintf(w, "%s %9s (%8s)  %s  [%s]\n", row.class, row.value.upper(5), limits[i].value.upper(5), row.where, row.at)
	}
	top, grid := maximum(rows), allKappa.gridPart()
	fmt.Fprintf(w, "maximum %s in class %s, grid of U* %s eta\n", top.value.upper(5), top.class, grid.upper(5))
	ok := top.value.atMost(rational(c))
	fmt.Fprintf(w, "maximum <= %s: %v\n", c.RatString(), ok)
	for _, t := range triples {
		fits := holds(rational(c), top.value, grid, t.a, t.b)
		for _, o := range others {
			fits = fits && covered(c, o.x, o.y, t.a, t.b)
		}
		ok = ok && fits
		fmt.Fprintf(w, "(c, a, b) = (%s, %d, %d): %v\n", c.RatString(), t.a, t.b, fits)
	}
	fine := margins()
	fmt.Fprintf(w, "0.0004 >= 13*2^-15, the factor 1 + 2^-48 of F, 15.4 eta in one cell: %v\n", fine)
	// Where 2^J >= 16 Lambda the coarse bound is needed for 2^J <= 3B/2 only, and
	// class D alone remains at the top.
	sharp := maximum(zeroKappa.table(r, rat(3, 2)))
	diff := sharp.value.minus(supremum()).abs()
	same := diff.atMost(frac(1, 1<<62))
	fmt.Fprintf(w, "B >= 2^5 lambda, kappa -> 0: %s in class %s; equal to (5e+7)/(e-1): %v\n", sharp.value.upper(10), sharp.class, same)
	return ok && same && fine
}
