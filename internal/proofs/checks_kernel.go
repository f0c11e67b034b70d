package proofs

import (
	"errors"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// application is one use of a rule: members of the operands' intervals, what the
// rule is expected to ask for, its conclusion, and the value it is about.
type application struct {
	rule    string
	asked   bool // the side conditions hold, by the text
	decided bool // asked is known
	j       kernel.Judgment
	err     error
	v       spec.Value
}

// boxes are two operands: a member of each, their ends as rationals, and T.
type boxes struct {
	f      spec.Format
	a, b   spec.Value
	X, Y   [2]real.Dyadic
	x, y   kernel.Judgment
	beyond Num
}

func (t *Trial) boxes() (b boxes, c *kernel.Context, ok bool) {
	b.f = t.format()
	var v [4]spec.Value
	for i := range v {
		if v[i] = t.datum(b.f); !v[i].IsFinite() {
			return b, nil, false
		}
	}
	b.a, b.b = v[0], v[1]
	b.X = [2]real.Dyadic{real.Min(v[0].Dyadic(), v[2].Dyadic()), real.Max(v[0].Dyadic(), v[2].Dyadic())}
	b.Y = [2]real.Dyadic{real.Min(v[1].Dyadic(), v[3].Dyadic()), real.Max(v[1].Dyadic(), v[3].Dyadic())}
	if t.coin() {
		b.X = [2]real.Dyadic{b.a.Dyadic(), b.a.Dyadic()}
	}
	// T = (2 - 2^-p) 2^emax
	b.beyond = intNum(2).sub(dyNum(b.f.Eta())).mul(pow2Num(b.f.EMax))
	c, err := kernel.NewContext(b.f, kernel.Env{"x": kernel.Between(b.X[0], b.X[1]), "y": kernel.Between(b.Y[0], b.Y[1])})
	var err1, err2 error
	if err == nil {
		b.x, err1 = c.Var("x")
		b.y, err2 = c.Var("y")
	}
	if err = errors.Join(err, err1, err2); err != nil {
		t.fail("%v", err)
		return b, nil, false
	}
	return b, c, true
}

// inRange reports whether all numbers are below T in magnitude.
func (b boxes) inRange(all ...Num) bool {
	for _, v := range all {
		if v.abs().exact.Cmp(b.beyond.exact) >= 0 {
			return false
		}
	}
	return true
}

// apply uses one of the rules on the boxes.
func (t *Trial) apply(c *kernel.Context, b boxes) application {
	r, f := t.subject.reference, b.f
	lo, hi, lo2, hi2 := dyNum(b.X[0]), dyNum(b.X[1]), dyNum(b.Y[0]), dyNum(b.Y[1])
	u := application{decided: true}
	switch t.below(10) {
	case 0:
		u.rule, u.asked = "+", b.inRange(lo.add(lo2), hi.add(hi2))
		u.j, u.err = c.Add(b.x, b.y)
		u.v = r.add(f, b.a, b.b)
	case 1:
		u.rule, u.asked = "-", b.inRange(lo.sub(hi2), hi.sub(lo2))
		u.j, u.err = c.Sub(b.x, b.y)
		u.v = r.add(f, b.a, b.b.Neg())
	case 2:
		u.rule, u.asked = "x", b.inRange(lo.mul(lo2), lo.mul(hi2), hi.mul(lo2), hi.mul(hi2))
		u.j, u.err = c.Mul(b.x, b.y)
		u.v = r.mul(f, b.a, b.b)
	case 3:
		u.rule = "/"
		u.asked = b.Y[0].Sign()*b.Y[1].Sign() > 0 && b.inRange(lo.quo(lo2), lo.quo(hi2), hi.quo(lo2), hi.quo(hi2))
		if u.j, u.err = c.Quo(b.x, b.y); u.err == nil {
			u.v = r.quo(f, b.a, b.b)
		}
	case 4:
		u.rule, u.asked = "LN", b.X[0].Sign() > 0 // a logarithm is in the range of these formats
		if u.j, u.err = c.Ln(b.x); u.err == nil {
			u.v, u.err = r.lnOf(f, b.a)
		}
	case 5:
		u.rule, u.asked = "negation", true
		u.j, u.err = c.Neg(b.x)
		u.v = b.a.Neg()
	case 6:
		t.clampRule(c, b, &u)
	case 7:
		t.roundRule(c, b, &u)
	case 8:
		t.constRule(c, b, &u)
	default:
		by := t.realNear(f).Abs()
		to := real.Interval{Lo: b.X[0].Sub(by), Hi: b.X[1].Add(by)}
		u.rule, u.asked, u.v = "weakening", true, b.a
		if t.coin() && by.Sign() > 0 {
			to.Hi, u.asked = b.X[1].Sub(by), false
		}
		short := func(d real.Dyadic) bool { return d.IsZero() || d.Top()-d.Low() < int64(f.Precision)+64 }
		u.decided = to.Lo.Cmp(to.Hi) <= 0 && short(to.Lo) && short(to.Hi) // else refused for that
		u.j, u.err = c.Weaken(to, b.x)
	}
	return u
}

func (t *Trial) clampRule(c *kernel.Context, b boxes, u *application) {
	lo, hi := b.Y[0], b.Y[1]
	u.rule, u.asked = "clamp", true
	switch t.below(4) {
	case 0:
		lo, hi, u.asked = hi, lo, lo.Equal(hi)
	case 1: // a bound that is no number of the format
		hi = b.Y[1].Add(b.f.MinPositive().Shift(-1))
		u.asked = false
	}
	u.j, u.err = c.Clamp(lo, hi, b.x)
	if u.err == nil {
		u.v, u.err = t.subject.clampTo(b.a, spec.FromDyadic(lo), spec.FromDyadic(hi))
	}
}

// roundRule: the multiples of the ends, by the definition in rationals, are at most
// the largest number of the format.
func (t *Trial) roundRule(c *kernel.Context, b boxes, u *application) {
	k := t.between(b.f.Quantum()-1, b.f.EMax+1)
	u.rule, u.asked = "round", k >= b.f.Quantum() && k <= b.f.EMax
	for _, end := range b.X {
		y := intNum(0)
		if u.asked {
			y = ratNum(floorRat(dyNum(end).quo(pow2Num(k)).add(fracNum(1, 2)))).mul(pow2Num(k))
		}
		u.asked = u.asked && y.abs().exact.Cmp(dyNum(b.f.MaxFinite()).exact) <= 0
	}
	u.j, u.err = c.Round(k, b.x)
	if u.err == nil {
		u.v, u.err = t.subject.roundMultiple(b.f, b.a, spec.FromDyadic(real.Pow2(k)), spec.TiesUp)
	}
}

// constRule: a number over 3 is rounded, one of the format is not.
func (t *Trial) constRule(c *kernel.Context, b boxes, u *application) {
	d := t.realNear(b.f).Shift(t.between(0, 2))
	if t.coin() {
		u.rule, u.asked = "CONST, exact", b.f.Contains(d)
		u.j, u.err = c.ConstExact(lang.FromDyadic(d))
		u.v = spec.FromDyadic(d)
		return
	}
	r := dyNum(d).quo(intNum(3))
	u.rule, u.asked = "CONST", b.inRange(r)
	n, err := lang.Fraction(d, real.FromInt64(3))
	if err != nil {
		u.decided, u.err = false, err
		return
	}
	if u.j, u.err = c.Const(n); u.err == nil {
		// the nearer of the two neighbours of r, not the rounding under test
		u.v = nearestTo(b.f, r)
	}
}

// nearestTo rounds a rational to nearest with ties to even, by its two neighbours.
func nearestTo(f spec.Format, r Num) spec.Value {
	down, up := oracle.RoundRat(f, r.exact, oracle.Down), oracle.RoundRat(f, r.exact, oracle.Up)
	if !up.IsFinite() {
		return down
	}
	if !down.IsFinite() {
		return up
	}
	c := r.sub(dyNum(down.Dyadic())).exact.Cmp(dyNum(up.Dyadic()).sub(r).exact)
	if c < 0 || c == 0 && down.Dyadic().Floor(f.UlpExponent(down.Dyadic())).Bit(0) == 0 {
		return down
	}
	return up
}

// checkKernel: each rule concludes exactly where its side conditions hold, and the
// conclusion contains the value computed from members of the operands' intervals.
func checkKernel(t *Trial) {
	for t.Result.Instances < t.size {
		b, c, ok := t.boxes()
		if !ok {
			continue
		}
		u := t.apply(c, b)
		t.instance()
		var no *kernel.Refusal
		refused := errors.As(u.err, &no)
		if u.err != nil && !refused {
			t.fail("%s: %v at x = %v, y = %v in %s", u.rule, u.err, b.X, b.Y, b.f.Name)
			continue
		}
		if u.decided {
			t.True(refused != u.asked, "%s: side conditions %v, refused %v (%v) at x = %v, y = %v in %s", u.rule, u.asked, refused, u.err, b.X, b.Y, b.f.Name)
		}
		if !refused {
			i := t.subject.concluded(u.j)
			t.True(u.v.IsFinite() && i.Contains(u.v.Dyadic()), "%s: %v is not in %v, x = %v, y = %v in %s", u.rule, u.v, i, b.a, b.b, b.f.Name)
		}
	}
}
