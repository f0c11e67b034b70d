package boundtwelve

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Class is a class of proofs/bound-twelve.md.
type Class struct {
	Letter string
	Kind   string // whole, broken, or of the coarse classes the row
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

// Levels returns J, K, I: G = 2 eta 2^J, 2^K = 2^J/Lambda, h = 2 eta 2^I.
func (q Quartet) Levels() (J, K, I int64) {
	p1 := int64(q.Params.Format.Precision) - 1
	J = pow2Floor(q.T1b.G) + p1
	return J, J - pow2Floor(q.Unit), pow2Floor(q.T1b.H) + p1
}

// Classify follows the case distinctions of the document; critical is 8/5 or 3/2.
func (q Quartet) Classify(critical *big.Rat) Class {
	J, K, I := q.Levels()
	brokenFar := q.T2b.H.Cmp(q.T1b.H) < 0
	switch {
	case I == K+1 && !brokenFar:
		return Class{"F", "I = K+1, h_2' = h"}
	case I == K+1:
		return Class{"F", "I = K+1, h_2' <= h/2"}
	case K <= 0:
		return Class{"G", ""}
	case pow2(J).Cmp(ratMul(critical, q.B)) <= 0:
		return Class{"H", ""}
	case K == 1 && brokenFar:
		return Class{"I", "2^J = 2 Lambda, h_2' <= h/2"}
	case K == 1:
		return Class{"I", "2^J = 2 Lambda, h_2' = h"}
	}
	kind := "whole"
	if q.T2.H.Cmp(q.T1b.H) < 0 {
		kind = "broken"
	}
	full, fullB := ratQuo(q.T2.G, q.T1b.G), ratQuo(q.T2b.G, q.T1b.G)
	one := rat(1, 1)
	switch {
	case fullB.Cmp(one) == 0 && full.Cmp(one) == 0:
		return Class{"A", kind}
	case fullB.Cmp(one) == 0 && q.T1.G.Cmp(q.T1b.G) == 0:
		return Class{"B", kind}
	case fullB.Cmp(one) == 0:
		return Class{"C", kind}
	case q.T1.G.Cmp(q.T1b.G) == 0:
		return Class{"D", kind}
	}
	return Class{"E", kind}
}

// side is s, +1 if the inputs are right of the cell.
func (q Quartet) side() int64 {
	if q.right() {
		return 1
	}
	return -1
}

// Geometry tests (6.2.10) for the inputs whose far spacing is G and returns the
// kind of the cell.
func (q Quartet) Geometry() (name string, ok bool) {
	c, ok := q.geometry()
	return c.name, ok
}

func (q Quartet) geometry() (c cell, ok bool) {
	G, side := q.T1b.G, q.side()
	J, _, _ := q.Levels()
	far, near := q.Edges()
	mid := pow2(J - 1)
	size := func(d real.Dyadic) *big.Rat { return ratAbs(ratOf(d)) }
	high := func(d real.Dyadic) bool { return size(d).Cmp(mid) > 0 }
	switch {
	case high(far) && high(near):
		c = cells[1]
	case high(far):
		c = cells[2]
	case !high(near):
		c = cells[0]
	default:
		return c, false
	}
	within := func(r *big.Rat) bool { return r.Cmp(pow2(J-2)) > 0 && r.Cmp(pow2(J)) < 0 }
	ok = within(size(far)) && within(size(near)) && size(far).Cmp(mid) != 0 && size(near).Cmp(mid) != 0
	ok = ok && size(far).Cmp(size(near)) > 0 && (c.name == "middle") == (size(q.R.Dyadic()).Cmp(mid) == 0)
	for _, k := range []struct {
		x      spec.Value
		t1, t2 Threshold
	}{{q.X, q.T1, q.T2}, {q.X2, q.T1b, q.T2b}} {
		if k.t1.G.Cmp(G) != 0 {
			continue
		}
		x := size(k.x.Dyadic())
		ok = ok && k.x.Sign()*q.R.Sign() < 0 && within(x)
		A := func(c real.Dyadic, o *big.Rat) *big.Rat {
			return ratAdd(ratAdd(x, size(c)), ratMul(rat(side, 1), ratMul(o, G)))
		}
		ok = ok && A(far, c.far).Cmp(k.t1.A) == 0 && A(near, c.near).Cmp(k.t2.A) == 0
		step := rat(1, 4)
		if x.Cmp(mid) >= 0 {
			step = rat(1, 2)
		}
		ok = ok && ratQuo(x, ratMul(step, G)).IsInt()
	}
	return c, ok
}

// Sigmas are M_1 - M_2 - Lambda for x and x' in units of G. ok reports that the
// enumeration has both roundings (6.2.11).
func (q Quartet) Sigmas() (s, s2 *big.Rat, ok bool) {
	c, ok := q.geometry()
	s, listed := q.sigma(c, q.T1, q.T2)
	s2, listed2 := q.sigma(c, q.T1b, q.T2b)
	return s, s2, ok && listed && listed2
}

func (q Quartet) sigma(c cell, t1, t2 Threshold) (*big.Rat, bool) {
	g := q.T1b.G
	s := ratQuo(ratSub(ratSub(t1.M, t2.M), q.Unit), g)
	near := ratQuo(ratSub(t2.M, t2.A), g)
	far1, near1 := ratQuo(t1.G, g), ratQuo(t2.G, g)
	ok := ratAbs(s).Cmp(ratAdd(ratMul(ratAdd(far1, near1), rat(1, 2)), rat(1, 8))) < 0
	for _, known := range []state{above, astride, below} {
		if known.far.Cmp(far1) != 0 || known.near.Cmp(near1) != 0 {
			continue
		}
		listed := false
		for _, p := range (rules{}).positions(q.side(), c, known) {
			listed = listed || p.sigma.Cmp(s) == 0 && (p.s2 == nil || p.s2.Cmp(near) == 0)
		}
		ok = ok && listed
	}
	return s, ok
}
