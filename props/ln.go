package props

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var lnProperties = []Property{
	{"ln-correctly-rounded", []string{"ln"}, genX, func(v wire.Voter, p Point) error {
		return lnNearest(v, "ln", p, dyadic(p["x"]))
	}},
	{"ln-monotone", []string{"ln"}, func(src gen.Source) Point {
		x := gen.Positive(src)
		x2 := near(src, x)
		if pick(src, 2) == 1 {
			x2 = gen.Positive(src)
		}
		a, b := orderedPair(f64(x), f64(x2))
		return Point{"x": a, "x2": b}
	}, func(v wire.Voter, p Point) error {
		return monotone(v, "ln", p, wire.Values{"x": p["x2"]})
	}},
	{"ln-within-eta", []string{"ln"}, genX, func(v wire.Voter, p Point) error {
		return lnWithin(v, "ln", p, dyadic(p["x"]))
	}},
}

var lnPairProperties = []Property{
	{"ln-pair-correctly-rounded", []string{"ln_pair"}, genU, func(v wire.Voter, p Point) error {
		return lnNearest(v, "ln_pair", p, drawn(p).Value(b64))
	}},
	{"ln-pair-monotone", []string{"ln_pair"}, func(src gen.Source) Point {
		m, e := gen.Draw(src)
		m2, e2 := drawAfter(src, m, e)
		return ordered(m, e, m2, e2)
	}, func(v wire.Voter, p Point) error {
		return monotone(v, "ln_pair", p, wire.Values{"m": p["m2"], "e": p["e2"]})
	}},
	{"ln-pair-within-eta", []string{"ln_pair"}, genU, func(v wire.Voter, p Point) error {
		return lnWithin(v, "ln_pair", p, drawn(p).Value(b64))
	}},
	{"ln-pair-extends-ln", []string{"ln_pair", "ln"}, func(src gen.Source) Point {
		m, e := gen.Draw(src)
		e = 1 + (e-1)%1074
		if e > 1022 { // what a subnormal keeps of its significand
			m &^= 1<<(e-1022) - 1
		}
		return Point{"m": wire.NewUint(m), "e": wire.NewInt(e)}
	}, func(v wire.Voter, p Point) error {
		pair, err := value(v, "ln_pair", question("ln_pair", p, nil))
		if err != nil {
			return err
		}
		x := encode(spec.FromDyadic(drawn(p).Value(b64)))
		one, err := value(v, "ln", wire.Values{"x": x})
		if err != nil {
			return err
		}
		if pair["y"].Text != one["y"].Text {
			return fmt.Errorf("LN(m, e) = %s, LN(%s) = %s", pair["y"].Text, x.Text, one["y"].Text)
		}
		return nil
	}},
}

func genX(src gen.Source) Point { return Point{"x": f64(gen.Positive(src))} }

func genU(src gen.Source) Point {
	m, e := gen.Draw(src)
	return Point{"m": wire.NewUint(m), "e": wire.NewInt(e)}
}

func drawn(p Point) spec.U { return spec.U{M: p["m"].Big().Uint64(), E: p["e"].Big().Int64()} }

func enclosure(x real.Dyadic) func(prec uint) (real.Interval, error) {
	return func(prec uint) (real.Interval, error) { return real.Ln(x, prec) }
}

// lnNearest checks fl's defining inequality: ln x lies between the midpoints
// around the answer. ln x of a dyadic x is transcendental but for x = 1, where
// the enclosure is [0, 0], so it is no midpoint and the refinement ends.
func lnNearest(v wire.Voter, op string, p Point, x real.Dyadic) error {
	r, err := y(v, op, question(op, p, nil))
	if err != nil {
		return err
	}
	return lnNearestValue(r, x)
}

func lnNearestValue(r spec.Value, x real.Dyadic) error {
	if x.Equal(real.One()) {
		if !r.Same(spec.Zero(false)) {
			return fmt.Errorf("LN(1) = %v", r)
		}
		return nil
	}
	if !r.IsFinite() {
		return fmt.Errorf("LN(%v) = %v", x, r)
	}
	lo := r.Dyadic().Add(b64.NextDown(r).Dyadic()).Shift(-1)
	hi := r.Dyadic().Add(b64.NextUp(r).Dyadic()).Shift(-1)
	ok, err := decide(enclosure(x), func(l real.Interval) (ok, done bool) {
		inside := l.Lo.Cmp(lo) > 0 && l.Hi.Cmp(hi) < 0
		outside := l.Hi.Cmp(lo) < 0 || l.Lo.Cmp(hi) > 0
		return inside, inside || outside
	})
	if err == nil && !ok {
		err = fmt.Errorf("LN(%v) = %v, but ln is not between the midpoints %v and %v", x, r, lo, hi)
	}
	return err
}

// lnWithin checks |ln x| <= |y| (1 + eta) and |y| <= |ln x| (1 + eta). Equality
// cannot occur, again because ln x is transcendental.
func lnWithin(v wire.Voter, op string, p Point, x real.Dyadic) error {
	r, err := y(v, op, question(op, p, nil))
	if err != nil {
		return err
	}
	if want := x.Cmp(real.One()); r.Sign() != want || !r.IsFinite() {
		return fmt.Errorf("LN(%v) = %v, and ln has the sign %d", x, r, want)
	}
	if r.IsZero() {
		return nil
	}
	size := r.Dyadic().Abs()
	most := size.Mul(onePlusEta)
	ok, err := decide(enclosure(x), func(l real.Interval) (ok, done bool) {
		if l.Hi.Sign() < 0 {
			l = l.Neg()
		}
		inside := l.Hi.Cmp(most) < 0 && l.Lo.Mul(onePlusEta).Cmp(size) > 0
		outside := l.Lo.Cmp(most) > 0 || l.Hi.Mul(onePlusEta).Cmp(size) < 0
		return inside, inside || outside
	})
	if err == nil && !ok {
		err = fmt.Errorf("LN(%v) = %v is not within a factor 1 + eta of ln", x, r)
	}
	return err
}

// monotone checks that y does not fall from the question in p to the one with change.
func monotone(v wire.Voter, op string, p Point, change wire.Values) error {
	a, err := value(v, op, question(op, p, nil))
	if err != nil {
		return err
	}
	b, err := value(v, op, question(op, p, change))
	if err != nil {
		return err
	}
	if lo, hi := a["y"].Float(), b["y"].Float(); !(lo <= hi) {
		return fmt.Errorf("the result falls from %v to %v", hex(lo), hex(hi))
	}
	return nil
}

func hex(x float64) string { return spec.FromBits64(math.Float64bits(x)).String() }
