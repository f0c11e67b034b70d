package boundtwelve

import (
	"fmt"
	"io"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The construction of class D, with Lambda = 1 and r = -2^(J-1), whose edges have
// different spacings (proofs/bound-twelve.md, "From below"). With N = 2^(52-J) = 1/G
// and x = 2^(J-1) - nG/4, the far threshold is beyond 2^J and the near one before
// it. In units of G
//
//	n = 4m + 1 (phase 3/4):  M_1 = 2^52 + N/2 - m + 1/2,  M_2 = 2^52 - N/2 - m - 1/4,
//	n = 4m + 2 (phase 1/2):  M_1 = 2^52 + N/2 - m - 1/2,  M_2 = 2^52 - N/2 - m - 1/4,
//
// and v = M/lambda is ell M in units of h. The logarithms reach +h and -h when the
// fractional part of ell M_2 is just below 1 for x and just above 0 for x', that
// of ell M_1 the other way round. With ell = 1 + s that is possible only if
// theta = frac(ell (N + 3/4)) lies in (0, s): s is about (k + 1/4)/N.
type witness struct {
	p        spec.SnapParams
	f, f2, r spec.Value
	ratio    num   // (loss - |f - f2|/lambda)/kappa
	allowed  num   // an upper bound of it by (6.2.17), for B >= 2^5 lambda
	J        int64 // 2^J lies between the thresholds
}

// construct returns the best pair for J and k, ok = false if the scale nearest to
// the one wanted misses the window.
func construct(scale spec.ScaleKind, J, k int64) (w witness, ok bool) {
	f := spec.Binary64
	N := rat(1<<(52-J), 1)
	s := ratQuo(ratAdd(rat(k, 1), rat(1, 4)), ratAdd(N, rat(1, 4))) // theta = s/2
	ell := ratAdd(rat(1, 1), s)
	value := ell
	if scale == spec.ScaleLambda {
		value = ratQuo(rat(1, 1), ell)
	}
	v := oracle.RoundRat(f, value, oracle.Down)
	ell = ratOf(v.Dyadic())
	if scale == spec.ScaleLambda {
		ell.Inv(ell)
	}
	s = ratSub(ell, rat(1, 1))
	one := rat(1, 1)
	theta := residue(ratMul(ell, ratAdd(N, rat(3, 4))), one)
	if s.Sign() <= 0 || theta.Sign() == 0 || theta.Cmp(s) >= 0 {
		return w, false
	}
	m, okHigh := seek(ell, s, N, ratSub(one, theta), one)
	m2, okLow := seek(ell, s, N, new(big.Rat), ratSub(s, theta))
	if !okHigh || !okLow {
		return w, false
	}
	top := real.Pow2(J - 1)
	quarter := real.Pow2(J - 54) // G/4
	at := func(n int64) spec.Value {
		return spec.FromDyadic(top.Sub(quarter.Mul(real.FromInt64(n))))
	}
	b := f.NextUp(spec.FromDyadic(top))
	w = witness{
		p: spec.SnapParams{Format: f, Scale: scale, Value: v, Lo: b.Neg(), Hi: b},
		f: at(4*m + 1), f2: at(4*m2 + 2), r: spec.FromDyadic(top.Neg()), J: J,
	}
	return w, w.measure() == nil
}

// seek returns the m in [0, N/2 - 2] with frac(ell (2^52 - N/2 - m - 1/4)) in
// [lo, hi) and, if hi = 1, greatest, otherwise least. The fraction falls by s = ell - 1
// from one m to the next, so each time round there is at most one try.
func seek(ell, s, N, lo, hi *big.Rat) (best int64, found bool) {
	one := rat(1, 1)
	last := ratFloor(ratMul(N, rat(1, 2))) - 2
	phase := func(m int64) *big.Rat {
		base := ratSub(rat(1<<52-m, 1), rat(1, 4))
		return residue(ratMul(ell, ratSub(base, ratMul(N, rat(1, 2)))), one)
	}
	var bestPhase *big.Rat
	for m := int64(0); m <= last; {
		ph := phase(m)
		if ph.Cmp(lo) >= 0 && ph.Cmp(hi) < 0 {
			better := !found || (hi.Cmp(one) == 0) == (ph.Cmp(bestPhase) > 0)
			if better {
				best, bestPhase, found = m, ph, true
			}
			m++
			continue
		}
		// Down to the top of the window, possibly once round.
		way := ratSub(ph, hi)
		if way.Sign() < 0 {
			way = ratAdd(way, one)
		}
		m += max(1, ratFloor(ratQuo(way, s)))
	}
	return best, found
}

// measure asks the oracle for both probabilities and encloses the loss.
func (w *witness) measure() error {
	p, err := oracle.Probability(w.p, spec.Unbounded, w.f, w.r)
	if err != nil {
		return err
	}
	p2, err := oracle.Probability(w.p, spec.Unbounded, w.f2, w.r)
	if err != nil {
		return err
	}
	loss, infinite, err := oracle.LossOf(p, p2, prec)
	if err != nil || infinite {
		return fmt.Errorf("no finite loss: %v", err)
	}
	unit, err := oracle.Unit(w.p)
	if err != nil {
		return err
	}
	q := spec.NewQuantities(w.p, unit)
	lambda := dyadic(q.LambdaNum).over(dyadic(q.LambdaDen))
	kappa := dyadic(q.B).times(dyadic(w.p.Format.Eta())).over(lambda)
	dist := dyadic(w.f.Dyadic().Sub(w.f2.Dyadic()).Abs()).over(lambda)
	w.ratio = num{loss}.minus(dist).over(kappa)
	at := corner{kappa.times(whole(13))}
	ratio := at.q(whole(1))
	grid := at.gridPart().times(dyadic(w.p.Format.Eta())).over(kappa)
	w.allowed = whole(5).plus(whole(7).times(ratio)).over(whole(1).minus(ratio)).plus(grid)
	return nil
}

// search tries every k up to most for J and returns the best pair.
func search(scale spec.ScaleKind, J, most int64) (best witness, found bool) {
	for k := int64(4); k <= most; k++ {
		if w, ok := construct(scale, J, k); ok && (!found || w.ratio.iv.Lo.Cmp(best.ratio.iv.Lo) > 0) {
			best, found = w, true
		}
	}
	return best, found
}

// The binades tried. Below J = 24 the near logarithm falls out of the binade, s being
// too small; from J = 37 on s is no longer small.
const firstJ, lastJ, mostK = 24, 36, 40

// Witnesses prints the pairs found, with their exact excess.
func Witnesses(stdout, stderr io.Writer) int {
	fmt.Fprintf(stdout, "upper bound of the limit, (5e+7)/(e-1) = %s; (loss - |f-f'|/lambda)/kappa is in\n", supremum().upper(12))
	for _, scale := range []spec.ScaleKind{spec.ScaleEpsilon, spec.ScaleLambda} {
		var best witness
		for J := int64(firstJ); J <= lastJ; J++ {
			w, ok := search(scale, J, mostK)
			if !ok {
				continue
			}
			if best.J == 0 || w.ratio.above(best.ratio) {
				best = w
			}
			fmt.Fprintf(stdout, "[%s, %s]  %s %v, f = %v, f' = %v, B = %v, output %v\n",
				w.ratio.lower(10), w.ratio.upper(10), scale, w.p.Value, w.f, w.f2, w.p.Hi, w.r)
		}
		if best.J == 0 {
			fmt.Fprintln(stderr, "boundtwelve: no witness found for the scale", scale)
			return 1
		}
		fmt.Fprintf(stdout, "best, %s: J = %d, [%s, %s], at most %s by (6.2.17)\n", scale, best.J, best.ratio.lower(12), best.ratio.upper(12), best.allowed.upper(10))
	}
	return 0
}
