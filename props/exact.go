package props

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/loss"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Properties of the exact probabilities and losses (docs/theory.md 4 to 6). The
// worlds are small, so that a property can ask for every output.

var exactProperties = []Property{
	{"prob-sums-to-one", []string{"snap_prob"}, genWorld, func(v wire.Voter, p Point) error {
		_, _, err := distribution(v, p, "f")
		return err
	}},
	{"prob-mirrored", []string{"snap_prob"}, genWorld, mirrored},
	{"prob-monotone-in-f", []string{"snap_prob"}, func(src gen.Source) Point {
		p := genWorld(src)
		p["f"], p["f2"] = orderedPair(p["f"], p["f2"])
		return p
	}, dominates},
	{"prob-near-ideal", []string{"snap_prob"}, func(src gen.Source) Point {
		p := genWorld(src)
		p["kind"] = wire.NewWord(wire.Kind, "unbounded")
		return p
	}, nearIdeal},
	{"loss-is-worst", []string{"snap_loss", "snap_prob"}, genWorld, worstOfAll},
	{"loss-enclosed", []string{"snap_loss"}, genWorld, enclosed},
	{"loss-within-proved", []string{"snap_loss"}, genAdversarial, withinProved},
	{"ideal-within-epsilon", nil, genWorld, idealWithin},
}

// genWorld is a mechanism with at most some forty outputs, B/lambda from 1/16 to 16,
// and two inputs.
func genWorld(src gen.Source) Point {
	value := gen.Moderate(src)
	lambda := math.Float64frombits(value)
	p := Point{"scale": word(src, wire.ScaleOf), "kind": word(src, wire.Kind), "value": f64(value)}
	if p["scale"].Text == "epsilon" {
		lambda = 1 / lambda
	}
	b := lambda * math.Ldexp(1+float64(src.Uint64()>>12)*0x1p-52, pick(src, 9)-4)
	lo, hi := -b, b
	switch pick(src, 4) {
	case 1:
		lo = -lambda * float64(pick(src, 5)) / 3
	case 2:
		lo = b * float64(src.Uint64()>>11) * 0x1p-53
	case 3:
		lo, hi = b*0x1p50-b, b*0x1p50+b // far from the origin
	}
	p["lo"], p["hi"] = wire.NewFloat(lo), wire.NewFloat(hi)
	for _, name := range []string{"f", "f2"} {
		t := float64(src.Uint64()>>11) * 0x1p-53
		x := lo*(1-t) + hi*t
		switch pick(src, 5) {
		case 1: // an edge or a multiple, or next to one
			unit := nearestDouble(unitOf(p))
			x = math.Round(2*x/unit) * unit / 2
			if n := pick(src, 3); n > 0 {
				x = math.Nextafter(x, math.Inf(2*n-3))
			}
		case 2:
			x = lo
		case 3:
			x = hi
		case 4:
			x = -x
		}
		p[name] = wire.NewFloat(x)
	}
	return p
}

// nearestDouble returns a number of binary64 as a float64.
func nearestDouble(d real.Dyadic) float64 { return encode(spec.FromDyadic(d)).Float() }

// genAdversarial is a world that meets the hypotheses of the proved bound, with the
// features that bring a loss near to it: inputs half the bounds away, bounds next to a
// power of two, lambda just below one.
func genAdversarial(src gen.Source) Point {
	p := genWorld(src)
	p["kind"] = wire.NewWord(wire.Kind, "unbounded")
	lambda := 1 - float64(src.Uint64()>>11)*math.Ldexp(1, -54-pick(src, 20)) // in (1/2, 1]
	p["scale"], p["value"] = word(src, wire.ScaleOf), wire.NewFloat(lambda)
	b := math.Nextafter(math.Ldexp(1, pick(src, 6)), math.Inf(1))
	p["lo"], p["hi"] = wire.NewFloat(-b), wire.NewFloat(b)
	f := b/2 - float64(src.Uint64()>>11)*math.Ldexp(b, -53-pick(src, 30))
	p["f"], p["f2"] = wire.NewFloat(f), wire.NewFloat(f+float64(pick(src, 5))/4)
	return p
}

func snapParams64(p Point) spec.SnapParams {
	return spec.SnapParams{
		Format: b64, Scale: spec.ScaleKind(p["scale"].Text), Value: datum(p["value"]), Lo: datum(p["lo"]), Hi: datum(p["hi"]),
	}
}

// distribution asks for the probability of every possible output, which must sum to 1.
func distribution(v wire.Voter, p Point, input string) (outputs []spec.Value, probs []*big.Rat, err error) {
	ideal, err := oracle.NewIdeal(snapParams64(p), datum(p[input])) // the multiples between the bounds
	if err != nil {
		return nil, nil, fmt.Errorf("the world is not legal: %w", err)
	}
	sum := new(big.Rat)
	for r := range ideal.Outputs() {
		x := spec.FromDyadic(r)
		if !b64.Has(x) {
			continue // far from the origin: no output of Snap_F
		}
		out, err := value(v, "snap_prob", question("snap_prob", p, wire.Values{"f": p[input], "x": encode(x)}))
		if err != nil {
			return nil, nil, err
		}
		pr := out["p"].Rat()
		if pr.Sign() < 0 {
			return nil, nil, fmt.Errorf("the probability Pr[%v] = %v is negative", x, pr)
		}
		outputs, probs = append(outputs, x), append(probs, pr)
		sum.Add(sum, pr)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		return nil, nil, fmt.Errorf("the probabilities of %d outputs sum to %v", len(outputs), sum.FloatString(30))
	}
	return outputs, probs, nil
}

// mirrored: with f, lo and hi negated, the output -x takes the mirrored cell, which is
// closed at the other end: c1 < w <= c2. The oracle says what w has to reach.
func mirrored(v wire.Voter, p Point) error {
	outputs, _, err := distribution(v, p, "f")
	if err != nil {
		return err
	}
	neg := func(x wire.Value) wire.Value { return encode(datum(x).Neg().PlusZero()) }
	change := wire.Values{"f": neg(p["f"]), "lo": neg(p["hi"]), "hi": neg(p["lo"])}
	d, err := oracle.NewDistribution(snapParams64(p), spec.Kind(p["kind"].Text), datum(p["f"]))
	if err != nil {
		return err
	}
	unit := unitOf(p)
	above := func(c real.Dyadic) *big.Rat { // Pr[w > c]: w is a double
		next := oracle.Round(b64, c)
		if next.Cmp(spec.FromDyadic(c)) <= 0 {
			next = b64.NextUp(next)
		}
		r, _ := d.Reaches(next.Dyadic()).Rat()
		return r
	}
	for _, x := range outputs {
		change["x"] = encode(x.Neg().PlusZero())
		out, err := value(v, "snap_prob", question("snap_prob", p, change))
		if err != nil {
			return err
		}
		want := big.NewRat(1, 1)
		if x.Cmp(datum(p["lo"])) > 0 {
			want = above(ceilTo(x.Dyadic(), unit).Sub(unit.Shift(-1)))
		}
		if x.Cmp(datum(p["hi"])) < 0 {
			want = new(big.Rat).Sub(want, above(ceilTo(x.Dyadic().Neg(), unit).Neg().Add(unit.Shift(-1))))
		}
		if got := out["p"].Rat(); got.Cmp(want) != 0 {
			return fmt.Errorf("the probability Pr[%v] of the mirrored world is %v, and Pr[w in the mirrored cell] %v", x.Neg(), got.FloatString(30), want.FloatString(30))
		}
	}
	return nil
}

// ceilTo is the least multiple of unit, a power of two, >= x.
func ceilTo(x, unit real.Dyadic) real.Dyadic {
	k := unit.Top()
	n := x.Neg().Floor(k)
	return real.NewDyadic(n.Neg(n), k)
}

// dominates: Pr[r <= x] does not grow with f.
func dominates(v wire.Voter, p Point) error {
	outputs, a, err := distribution(v, p, "f")
	if err != nil {
		return err
	}
	_, b, err := distribution(v, p, "f2")
	if err != nil {
		return err
	}
	below, below2 := new(big.Rat), new(big.Rat)
	for i, x := range outputs {
		below.Add(below, a[i])
		below2.Add(below2, b[i])
		if below.Cmp(below2) < 0 {
			return fmt.Errorf("the probability Pr[r <= %v] is %v for f and more, %v, for the larger f2", x, below.FloatString(30), below2.FloatString(30))
		}
	}
	return nil
}

// nearIdeal: every probability is that of Snap_R times a factor within exp(±(9 kappa + 13 eta)).
func nearIdeal(v wire.Voter, p Point) error {
	params := snapParams64(p)
	unit, err := oracle.Unit(params)
	if err != nil {
		return err
	}
	q := spec.NewQuantities(params, unit)
	if spec.Proved.Check(q) != nil {
		return nil // the statement has the hypotheses of the proved bound
	}
	num, den := loss.Allowed(spec.Claim{C: 9, A: 13, Floor: 1}, q, real.Dyadic{})
	bound, err := real.Point(num).Quo(real.Point(den), 100)
	if err != nil {
		return err
	}
	outputs, probs, err := distribution(v, p, "f")
	if err != nil {
		return err
	}
	ideal, err := oracle.NewIdeal(params, datum(p["f"]))
	if err != nil {
		return err
	}
	for i, x := range outputs {
		pr := oracle.Prob{Num: real.NewDyadic(probs[i].Num(), 0), Den: real.NewDyadic(probs[i].Denom(), 0)}
		ln, err := pr.Ln(160)
		if err != nil {
			return fmt.Errorf("the probability Pr[%v] is 0", x)
		}
		exact, err := ideal.At(x.Dyadic(), 160)
		if err != nil {
			return err
		}
		lnIdeal, err := real.LnInterval(exact, 160)
		if err != nil {
			return err
		}
		if d := ln.Sub(lnIdeal, 160); d.Hi.Cmp(bound.Hi) > 0 || d.Lo.Cmp(bound.Hi.Neg()) < 0 {
			return fmt.Errorf("ln of Pr[%v] is off by %v from the ideal one; at most %v is allowed", x, d, bound)
		}
	}
	return nil
}

// worstOfAll: p and p2 are the probabilities of worst, no output has a larger loss, and no
// smaller output one as large.
func worstOfAll(v wire.Voter, p Point) error {
	out, err := value(v, "snap_loss", question("snap_loss", p, nil))
	if err != nil {
		return err
	}
	outputs, a, err := distribution(v, p, "f")
	if err != nil {
		return err
	}
	_, b, err := distribution(v, p, "f2")
	if err != nil {
		return err
	}
	worst := datum(out["worst"])
	found := false
	for i, x := range outputs {
		if a[i].Sign() == 0 && b[i].Sign() == 0 {
			continue
		}
		c := compareLosses(a[i], b[i], out["p"].Rat(), out["p2"].Rat())
		switch {
		case x.Cmp(worst) == 0:
			found = true
			if a[i].Cmp(out["p"].Rat()) != 0 || b[i].Cmp(out["p2"].Rat()) != 0 {
				return fmt.Errorf("p and p2 are not the probabilities of %v", worst)
			}
		case c > 0:
			return fmt.Errorf("%v has a larger loss than %v", x, worst)
		case c == 0 && x.Cmp(worst) < 0:
			return fmt.Errorf("%v is smaller than %v and has the same loss", x, worst)
		}
	}
	if !found {
		return fmt.Errorf("%v is no output", worst)
	}
	return nil
}

// compareLosses compares |ln(a/b)| with |ln(c/d)|, infinite ones included.
func compareLosses(a, b, c, d *big.Rat) int {
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	if c.Cmp(d) < 0 {
		c, d = d, c
	}
	return new(big.Rat).Mul(a, d).Cmp(new(big.Rat).Mul(c, b))
}

// enclosed: [loss_lo, loss_hi] contains |ln(p/p2)|, by the exponential: e^lo <= max(p/p2,
// p2/p) <= e^hi; it is at most 2^-80 wide; and it is inf just when a probability is 0.
func enclosed(v wire.Voter, p Point) error {
	out, err := value(v, "snap_loss", question("snap_loss", p, nil))
	if err != nil {
		return err
	}
	a, b := out["p"].Rat(), out["p2"].Rat()
	lo, hi := out["loss_lo"].Rat(), out["loss_hi"].Rat()
	if infinite := a.Sign() == 0 || b.Sign() == 0; infinite || lo == nil || hi == nil {
		if !infinite || lo != nil || hi != nil {
			return fmt.Errorf("the loss is [%s, %s] for p = %s, p2 = %s", out["loss_lo"].Text, out["loss_hi"].Text, out["p"].Text, out["p2"].Text)
		}
		return nil
	}
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	ratio := new(big.Rat).Quo(a, b)
	width := new(big.Rat).Sub(hi, lo)
	if width.Cmp(new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80))) > 0 {
		return fmt.Errorf("the enclosure is wider than 2^-80")
	}
	for _, end := range []struct {
		x    *big.Rat
		want int // sign of ratio - e^x, or 0
	}{{lo, 1}, {hi, -1}} {
		ok, err := decide(func(prec uint) (real.Interval, error) {
			x, err := real.Point(real.NewDyadic(end.x.Num(), 0)).Quo(real.Point(real.NewDyadic(end.x.Denom(), 0)), prec)
			if err != nil {
				return x, err
			}
			return real.ExpInterval(x, prec)
		}, func(e real.Interval) (ok, done bool) {
			r := real.NewDyadic(ratio.Num(), 0)
			den := real.NewDyadic(ratio.Denom(), 0)
			if e.IsPoint() {
				c := r.Cmp(e.Lo.Mul(den))
				return c == 0 || c == end.want, true
			}
			switch {
			case r.Cmp(e.Hi.Mul(den)) > 0:
				return end.want > 0, true
			case r.Cmp(e.Lo.Mul(den)) < 0:
				return end.want < 0, true
			}
			return false, false
		})
		if err != nil || !ok {
			return fmt.Errorf("the loss %v does not lie in [%s, %s] (%v)", ratio.FloatString(30), lo.FloatString(30), hi.FloatString(30), err)
		}
	}
	return nil
}

// withinProved: loss <= (D + c max(B, lambda) eta)/lambda + 5 eta, c = 15 and 12, where the
// hypotheses hold.
func withinProved(v wire.Voter, p Point) error {
	params := snapParams64(p)
	unit, err := oracle.Unit(params)
	if err != nil {
		return err
	}
	q := spec.NewQuantities(params, unit)
	if err := spec.Proved.Check(q); err != nil {
		return fmt.Errorf("the world breaks a hypothesis: %w", err)
	}
	d, err := loss.Distance(params, spec.Unbounded, datum(p["f"]), datum(p["f2"]))
	if err != nil {
		return err
	}
	out, err := value(v, "snap_loss", question("snap_loss", p, nil))
	if err != nil {
		return err
	}
	least := out["loss_lo"].Rat()
	if least == nil {
		return fmt.Errorf("the loss is infinite at %v", datum(out["worst"]))
	}
	for _, c := range []spec.Claim{spec.Proved, spec.Sharp} {
		num, den := loss.Allowed(c, q, d)
		a, _ := num.Rat()
		b, _ := den.Rat()
		if new(big.Rat).Mul(least, b).Cmp(a) > 0 {
			return fmt.Errorf("the loss at %v exceeds the %s bound", datum(out["worst"]), c.Name)
		}
	}
	return nil
}

// idealist is a voter with a Snap_R of its own, for wrong ones.
type idealist interface {
	IdealLoss(p spec.SnapParams, f, f2 spec.Value, r real.Dyadic, width uint) (real.Interval, error)
}

// idealWithin: no output of Snap_R has a loss above |x - x2|/lambda. Snap_R is the
// oracle's, which every right voter is compared with.
func idealWithin(v wire.Voter, p Point) error {
	lossOf := oracle.IdealLoss
	if own, ok := v.(idealist); ok {
		lossOf = own.IdealLoss
	}
	params := snapParams64(p)
	f, f2 := datum(p["f"]), datum(p["f2"])
	d, err := loss.Distance(params, spec.Unbounded, f, f2)
	if err != nil {
		return err
	}
	q := spec.NewQuantities(params, spec.Zero(false))
	ideal, err := oracle.NewIdeal(params, f)
	if err != nil {
		return err
	}
	for r := range ideal.Outputs() {
		l, err := lossOf(params, f, f2, r, 100)
		if err != nil {
			return err
		}
		if l.Lo.Mul(q.LambdaNum).Cmp(d.Mul(q.LambdaDen)) > 0 {
			return fmt.Errorf("the loss of %v is at least %v", r, l.Lo)
		}
	}
	return nil
}
