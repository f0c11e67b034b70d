package sweep

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Claim is a bound on the loss, (D + C max(B, Floor lambda) eta)/lambda + A eta with
// the eta of the format, and the cases it is about.
type Claim struct {
	Name       string
	C, A       int64
	Floor      int64
	Hypothesis string // an id of hypotheses; "" for every case
}

// hypotheses are windows of B. Each function gives the condition in exact terms.
var hypotheses = map[string]struct {
	text  string
	holds func(f spec.Format, s scale, b real.Dyadic) bool
}{
	"": {"every case", func(spec.Format, scale, real.Dyadic) bool { return true }},
	"lambda < B < 2^46 lambda": {"the hypothesis of Mironov 2012, read literally",
		func(_ spec.Format, s scale, b real.Dyadic) bool {
			v := b.Mul(s.den)
			return v.Cmp(s.num) > 0 && v.Cmp(s.num.Shift(46)) < 0
		}},
	"B <= 2^(p-15) lambda": {"bound-at-most-2^38-scale of docs/theory.md 6.1 in a format of precision p",
		func(f spec.Format, s scale, b real.Dyadic) bool {
			return b.Mul(s.den).Cmp(s.num.Shift(int64(f.Precision)-15)) <= 0
		}},
}

func of(c spec.Claim, name, hypothesis string) Claim {
	return Claim{name, c.C, c.A, c.Floor, hypothesis}
}

// Named are the claims with a name, those of package spec with and without their
// hypothesis on B, in the order of the default list.
var Named = []Claim{
	of(spec.Published, "published", ""),
	of(spec.Published, "published-hyp", "lambda < B < 2^46 lambda"),
	of(spec.Proved, "proved", ""),
	of(spec.Proved, "proved-hyp", "B <= 2^(p-15) lambda"),
}

// ParseClaim reads the name of a claim or its constants "c,a,b".
func ParseClaim(s string) (Claim, error) {
	var names []string
	for _, c := range Named {
		if c.Name == s {
			return c, nil
		}
		names = append(names, c.Name)
	}
	var v [3]int64
	parts := strings.Split(s, ",")
	if len(parts) != len(v) {
		return Claim{}, fmt.Errorf("claim %q is neither c,a,b nor one of %s", s, strings.Join(names, ", "))
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 64)
		if err != nil {
			return Claim{}, fmt.Errorf("claim %q: %q is no integer", s, p)
		}
		v[i] = n
	}
	c := Claim{fmt.Sprintf("%d,%d,%d", v[0], v[1], v[2]), v[0], v[1], v[2], ""}
	return c, c.validate()
}

func (c Claim) validate() error {
	for _, v := range [3]int64{c.C, c.A, c.Floor} {
		if v < 0 || v >= 1<<31 {
			return fmt.Errorf("claim %s: %d is not in [0, 2^31)", c.Name, v)
		}
	}
	if _, ok := hypotheses[c.Hypothesis]; !ok {
		return fmt.Errorf("claim %s: unknown hypothesis %q", c.Name, c.Hypothesis)
	}
	return nil
}

// floored is max(B, Floor lambda)·den, which is kappa·num/eta.
func (c Claim) floored(s scale, b real.Dyadic) real.Dyadic {
	return real.Max(b.Mul(s.den), real.FromInt64(c.Floor).Mul(s.num))
}

// slack is (C max(B, Floor lambda) eta/lambda + A eta)·num.
func (c Claim) slack(f spec.Format, s scale, b real.Dyadic) real.Dyadic {
	return real.FromInt64(c.C).Mul(c.floored(s, b)).Mul(f.Eta()).Add(c.gained(f, s))
}

// gained is A eta·num.
func (c Claim) gained(f spec.Format, s scale) real.Dyadic {
	return real.FromInt64(c.A).Mul(s.num).Mul(f.Eta())
}

// kappaOctave is the e with 2^(e-1) < kappa <= 2^e.
func (c Claim) kappaOctave(f spec.Format, s scale, b real.Dyadic) int {
	v := c.floored(s, b).Mul(f.Eta()) // kappa = v/num
	e := v.Top() - s.num.Top()        // within 1 of it
	for v.Cmp(s.num.Shift(e)) > 0 {
		e++
	}
	for v.Cmp(s.num.Shift(e-1)) <= 0 {
		e--
	}
	return int(e)
}

// kappaZero is the octave of kappa = 0, which only lo = hi = 0 has.
const kappaZero = -1 << 20

// admits reports whether a case of bound b is one of the claim's under the parameters.
func (p Params) admits(c Claim, s scale, unit, b real.Dyadic) bool {
	if !hypotheses[c.Hypothesis].holds(p.Format, s, b) {
		return false
	}
	if p.MaxKappa != nil {
		// kappa <= N/M is floored·eta·M <= N·num.
		m, n := real.NewDyadic(p.MaxKappa.Denom(), 0), real.NewDyadic(p.MaxKappa.Num(), 0)
		if c.floored(s, b).Mul(p.Format.Eta()).Mul(m).Cmp(n.Mul(s.num)) > 0 {
			return false
		}
	}
	return !p.InRange || inRange(p.Format, s, unit, b)
}

// inRange reports whether the inequalities of docs/theory.md 6.1 keep every threshold
// a normal number's size, by (6.1.7) and what follows (6.1.8): A and v at least
// 2^emin and less than 2^emax. emin <= -p-3 is asked of the format.
func inRange(f spec.Format, s scale, unit, b real.Dyadic) bool {
	p := int64(f.Precision)
	if unit.Cmp(real.Pow2(f.EMin+p+2)) < 0 { // A >= eta Lambda/4
		return false
	}
	bar := real.Max(b.Mul(s.den), s.num) // den·max(B, lambda)
	one := real.One()
	grow := one.Add(f.Eta())
	// A <= 2B + Lambda/2 + 2 eta max(B, lambda), with 2B enlarged to 2 max(B, lambda)
	a := bar.Shift(1).Mul(grow).Add(unit.Mul(s.den).Shift(-1))
	if a.Mul(grow).Cmp(s.den.Shift(f.EMax)) >= 0 {
		return false
	}
	return a.Mul(grow).Mul(grow).Cmp(s.num.Shift(f.EMax)) < 0 // v <= (1 + eta) A/lambda, rounded
}

// segment is a range of ranks of B, from <= beta < to, that is counted as one.
type segment struct {
	from, to int
	octave   int
	below    bool // B < lambda
}

// window is what a claim needs of one unit.
type window struct {
	Claim
	from, to int // ranks of B admitted
	segments []segment
	slack    []int64 // fixed-point, of each rank of B
	floored  []real.Dyadic
	inverse  []float64 // of floored
	gain     int64     // fixed-point A eta
	gained   real.Dyadic
}

func (w *World) window(c Claim, s scale, unit real.Dyadic) *window {
	v := &window{Claim: c, from: w.n + 1, gained: c.gained(w.Format, s)}
	v.gain = fixed(v.gained, s.num)
	for beta := 0; beta <= w.n; beta++ {
		b := w.bound(beta)
		v.slack = append(v.slack, fixed(c.slack(w.Format, s, b), s.num))
		fl := c.floored(s, b)
		v.floored = append(v.floored, fl)
		v.inverse = append(v.inverse, reciprocal(fl))
		if !w.admits(c, s, unit, b) { // a condition on B alone, true on an interval
			continue
		}
		v.from, v.to = min(v.from, beta), beta+1
		seg := segment{beta, beta + 1, kappaZero, b.Mul(s.den).Cmp(s.num) < 0}
		if !fl.IsZero() {
			seg.octave = c.kappaOctave(w.Format, s, b)
		}
		if k := len(v.segments); k > 0 && v.segments[k-1].octave == seg.octave && v.segments[k-1].below == seg.below {
			v.segments[k-1].to++
		} else {
			v.segments = append(v.segments, seg)
		}
	}
	return v
}

// reciprocal is 1/d with a relative error below 2^-50, 0 for 0.
func reciprocal(d real.Dyadic) float64 {
	if d.IsZero() {
		return 0
	}
	m, e := d.Parts()
	x := new(big.Float).SetPrec(64).SetInt(m)
	x.SetMantExp(x, int(e))
	f, _ := x.Quo(big.NewFloat(1).SetPrec(64), x).Float64()
	return f
}
