package props

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var calibrateProperties = []Property{
	{"calibrate-lambda-sufficient", []string{"snap_calibrate"}, genBudget, func(v wire.Voter, p Point) error {
		return calibrated(v, p, func(b budget, out wire.Values) error {
			lambda := rat(dyadic(out["lambda"]))
			if loss := b.loss(lambda); loss.Cmp(b.epsilon) > 0 {
				return fmt.Errorf("lambda = %s has the loss epsilon + %s", out["lambda"].Text, excess(loss, b.epsilon))
			}
			return nil
		})
	}},
	{"calibrate-lambda-minimal", []string{"snap_calibrate"}, genBudget, func(v wire.Voter, p Point) error {
		return calibrated(v, p, func(b budget, out wire.Values) error {
			below := b64.NextDown(datum(out["lambda"])).Dyadic()
			if below.Sign() > 0 && b.loss(rat(below)).Cmp(b.epsilon) <= 0 {
				return fmt.Errorf("%v, below lambda = %s, is enough", below, out["lambda"].Text)
			}
			return nil
		})
	}},
	{"calibrate-achieved", []string{"snap_calibrate"}, genBudget, func(v wire.Voter, p Point) error {
		return calibrated(v, p, func(b budget, out wire.Values) error {
			achieved := datum(out["achieved"])
			loss := b.loss(rat(dyadic(out["lambda"])))
			below := b64.NextDown(achieved)
			switch a := rat(achieved.Dyadic()); {
			case !achieved.IsFinite() || a.Cmp(loss) < 0:
				return fmt.Errorf("achieved = %v is below the exact loss", achieved)
			case a.Cmp(b.epsilon) > 0:
				return fmt.Errorf("achieved = %v is above epsilon", achieved)
			case rat(below.Dyadic()).Cmp(loss) >= 0:
				return fmt.Errorf("achieved = %v, and %v below it is enough", achieved, below)
			}
			return nil
		})
	}},
	{"calibrate-epsilon-prime", []string{"snap_calibrate"}, genBudget, func(v wire.Voter, p Point) error {
		return calibrated(v, p, func(b budget, out wire.Values) error {
			prime := datum(out["epsilon_prime"])
			exact := b.prime()
			switch next := b64.NextUp(prime); {
			case !prime.IsFinite() || prime.Signbit() || rat(prime.Dyadic()).Cmp(exact) > 0:
				return fmt.Errorf("epsilon_prime = %v is above the exact one", prime)
			case next.IsFinite() && rat(next.Dyadic()).Cmp(exact) <= 0:
				return fmt.Errorf("epsilon_prime = %v, and %v above it is allowed", prime, next)
			}
			return nil
		})
	}},
	{"calibrate-unit", []string{"snap_calibrate"}, genBudget, func(v wire.Voter, p Point) error {
		return calibrated(v, p, func(_ budget, out wire.Values) error {
			want := unitOf(Point{"scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": out["lambda"]})
			if !dyadic(out["unit"]).Equal(want) {
				return fmt.Errorf("unit = %s, lambda = %s", out["unit"].Text, out["lambda"].Text)
			}
			return nil
		})
	}},
	{"calibrate-hypotheses", []string{"snap_calibrate"}, genBudgetEdge, func(v wire.Voter, p Point) error {
		r, err := ask(v, "snap_calibrate", question("snap_calibrate", p, nil))
		if err != nil {
			return err
		}
		broken := budgetOf(p).broken()
		if (r.Reject == "hypothesis") != (broken != "") {
			return fmt.Errorf("refusal %q, hypothesis broken %q", r.Reject, broken)
		}
		return nil
	}},
}

// budget is the input of a calibration in exact rationals.
type budget struct {
	epsilon, d, b        *big.Rat
	c, additive, floored *big.Rat // c eta, a eta, b (the floor)
}

func budgetOf(p Point) budget {
	eta := rat(b64.Eta())
	whole := func(name string) *big.Rat { return new(big.Rat).SetInt(p[name].Big()) }
	return budget{
		epsilon: rat(dyadic(p["epsilon"])), d: rat(dyadic(p["sensitivity"])),
		b: rat(spec.Bound(datum(p["lo"]), datum(p["hi"]))),
		c: mul(whole("constant"), eta), additive: mul(whole("additive"), eta), floored: whole("floor"),
	}
}

// loss is the accounting itself, (D + c max(B, b lambda) eta)/lambda + a eta.
// The formulas for lambda in docs/theory.md 2.4 are its inverse.
func (b budget) loss(lambda *big.Rat) *big.Rat {
	bound := b.b
	if floor := mul(b.floored, lambda); bound.Cmp(floor) < 0 {
		bound = floor
	}
	n := new(big.Rat).Add(b.d, mul(b.c, bound))
	return n.Add(n.Quo(n, lambda), b.additive)
}

// prime is min((epsilon - a eta)/(1 + c B eta/D), epsilon - (a + b c) eta).
func (b budget) prime() *big.Rat {
	left := new(big.Rat).Sub(b.epsilon, b.additive)
	first := mul(b.c, b.b)
	first.Add(first.Quo(first, b.d), big.NewRat(1, 1))
	first.Quo(left, first)
	second := new(big.Rat).Sub(left, mul(b.floored, b.c))
	if first.Cmp(second) < 0 {
		return first
	}
	return second
}

// lambda is the smallest sufficient scale, +Inf when no double is.
func (b budget) lambda() spec.Value {
	left := new(big.Rat).Sub(b.epsilon, b.additive)
	exact := new(big.Rat).Add(b.d, mul(b.c, b.b))
	exact.Quo(exact, left)
	if other := new(big.Rat).Quo(b.d, new(big.Rat).Sub(left, mul(b.floored, b.c))); other.Cmp(exact) > 0 {
		exact = other
	}
	return oracle.RoundRat(b64, exact, oracle.Up)
}

// aboveFloor is epsilon > (a + b c) eta.
func (b budget) aboveFloor() bool {
	return b.epsilon.Cmp(new(big.Rat).Add(b.additive, mul(b.floored, b.c))) > 0
}

// broken is the hypothesis the protocol tests that the budget breaks.
func (b budget) broken() string {
	if !b.aboveFloor() {
		return "epsilon-above-floor"
	}
	if l := b.lambda(); l.IsFinite() && b.b.Cmp(rat(l.Dyadic().Shift(46))) >= 0 {
		return "bound-below-2^46-scale"
	}
	return ""
}

// calibrated asks and, when there is a value, checks it. Refusals are the
// business of calibrate-hypotheses and rejections-defined.
func calibrated(v wire.Voter, p Point, check func(budget, wire.Values) error) error {
	r, err := ask(v, "snap_calibrate", question("snap_calibrate", p, nil))
	if err != nil || r.Reject != "" {
		return err
	}
	if l := datum(r.Out["lambda"]); !l.IsFinite() || l.Sign() <= 0 {
		return fmt.Errorf("lambda = %v", l)
	}
	return check(budgetOf(p), r.Out)
}

// genBudget is a legal case of snap_calibrate, half of the time one in which
// every term counts.
func genBudget(src gen.Source) Point {
	p := Point(gen.Calibrate(src))
	if pick(src, 2) == 1 {
		return legalBudget(src, p)
	}
	// Ordinary numbers: epsilon, D and B within some binades of 1, small integers.
	lo, hi := gen.Bounds(src, gen.Moderate)
	small := func(list ...int64) wire.Value { return wire.NewInt(list[pick(src, len(list))]) }
	return Point{
		"epsilon": f64(gen.Moderate(src)), "sensitivity": f64(gen.Moderate(src)), "lo": f64(lo), "hi": f64(hi),
		"constant": small(12, 18, 24, 0), "additive": small(2, 9, 5, 0), "floor": small(0, 2, 1),
	}
}

func legalBudget(src gen.Source, p Point) Point {
	for _, n := range []string{"epsilon", "sensitivity"} {
		if x := datum(p[n]); !x.IsFinite() || x.Sign() <= 0 {
			p[n] = f64(gen.Positive(src))
		}
	}
	if n := p["constant"].Big(); n.Cmp(big.NewInt(1<<31)) >= 0 {
		p["constant"] = wire.NewInt(1<<31 - 1)
	}
	return p
}

// genBudgetEdge is a budget next to an edge of a hypothesis: epsilon next to
// (a + b c) eta, or B next to 2^46 lambda. With lambda = (D + c B eta)/(epsilon - a eta)
// the latter is B = 2^46 D/(epsilon - a eta - c 2^-7).
func genBudgetEdge(src gen.Source) Point {
	p := genBudget(src)
	at := func(n string) float64 { return p[n].Float() }
	whole := func(n string) float64 { return float64(p[n].Big().Int64()) }
	switch pick(src, 4) {
	case 0, 1:
		if floor := (whole("additive") + whole("constant")*whole("floor")) * 0x1p-53; floor > 0 {
			p["epsilon"] = f64(near(src, math.Float64bits(floor)))
		}
	case 2:
		left := at("epsilon") - whole("additive")*0x1p-53 - whole("constant")*0x1p-7
		if left <= 0 {
			p["epsilon"] = f64(math.Float64bits(whole("constant")*0x1p-7 + 1))
			left = at("epsilon") - whole("additive")*0x1p-53 - whole("constant")*0x1p-7
		}
		if b := 0x1p46 * at("sensitivity") / left; b > 0 && !math.IsInf(b, 0) {
			p["hi"] = f64(near(src, near(src, math.Float64bits(b))))
			p["lo"] = f64(p["hi"].Bits() | signBit)
		}
	}
	return p
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func rat(d real.Dyadic) *big.Rat {
	r, ok := d.Rat()
	if !ok { // only for exponents no double has
		panic(fmt.Sprintf("props: %v is too long", d))
	}
	return r
}

// excess writes a - b for people.
func excess(a, b *big.Rat) string {
	x, _ := new(big.Rat).Sub(a, b).Float64()
	return fmt.Sprintf("%.3g", x)
}
