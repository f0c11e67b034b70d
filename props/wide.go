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

// Properties of the mechanism at p bits (docs/theory.md 2.4).
var wideProperties = []Property{
	{"wide-ln-correctly-rounded", []string{"snap_wide"}, genWide, func(v wire.Voter, p Point) error {
		out, err := wideAnswer(v, "snap_wide", p)
		if out == nil {
			return err
		}
		f := wideFormat(p)
		u := spec.NewU(p["m"].Big(), p["e"].Big().Int64()).Value(f)
		y, err := wideNumber(f, out["ln"])
		if err != nil {
			return err
		}
		lo := y.Dyadic().Add(f.NextDown(y).Dyadic()).Shift(-1)
		hi := y.Dyadic().Add(f.NextUp(y).Dyadic()).Shift(-1)
		ok, err := decide(enclosure(u), func(l real.Interval) (ok, done bool) {
			inside := l.Lo.Cmp(lo) > 0 && l.Hi.Cmp(hi) < 0
			outside := l.Hi.Cmp(lo) < 0 || l.Lo.Cmp(hi) > 0
			return inside, inside || outside
		})
		if err == nil && !ok {
			err = fmt.Errorf("ln = %v, but ln u is not between the midpoints %v and %v", y, lo, hi)
		}
		return err
	}},
	{"wide-snap-agrees", []string{"snap_wide"}, genWide, func(v wire.Voter, p Point) error {
		out, err := wideAnswer(v, "snap_wide", p)
		if out == nil {
			return err
		}
		return wideStages(p, out)
	}},
	{"wide-53-is-snap", []string{"snap_wide", "snap"}, genSnap, wideIsSnap},
	{"wide-calibrate-minimal", []string{"wide_calibrate"}, func(src gen.Source) Point { return Point(gen.WideCalibrate(src)) }, wideMinimal},
}

func genWide(src gen.Source) Point { return Point(gen.SnapWide(src)) }

// wideAnswer asks a question that has a value, and gives nil for one that has none:
// whether it is refused is another property's business.
func wideAnswer(v wire.Voter, op string, p Point) (wire.Values, error) {
	r, err := ask(v, op, question(op, p, nil))
	if err != nil || wideRefusal(op, p) != "" {
		return nil, err
	}
	if r.Reject != "" {
		return nil, fmt.Errorf("%s is refused: %s", op, r.Reject)
	}
	return r.Out, nil
}

func wideFormat(p Point) spec.Format { return spec.Wide(uint(p["precision"].Big().Int64())) }

// dyadicOf reads a rational as n 2^k, or ok = false.
func dyadicOf(r *big.Rat) (d real.Dyadic, ok bool) {
	k := r.Denom().BitLen() - 1
	return real.NewDyadic(r.Num(), -int64(k)), r.Denom().TrailingZeroBits() == uint(k)
}

// wideNumber reads an output that must be a number of the format.
func wideNumber(f spec.Format, v wire.Value) (spec.Value, error) {
	if v.Rat() == nil {
		return spec.Value{}, fmt.Errorf("%.60s is no number of %s", v.Text, f.Name)
	}
	d, ok := dyadicOf(v.Rat())
	if !ok || !f.Contains(d) {
		return spec.Value{}, fmt.Errorf("%.60s is no number of %s", v.Text, f.Name)
	}
	return spec.FromDyadic(d), nil
}

// isNearest checks got = fl(exact) by the definition of rounding: no number of the
// format is nearer, and of two equally near got is the one with an even significand.
func isNearest(f spec.Format, got spec.Value, exact *big.Rat) error {
	q := f.UlpExponent(got.Dyadic())
	even := got.Dyadic().Floor(q).Bit(0) == 0
	far := func(neighbour spec.Value) bool {
		mid := rat(got.Dyadic().Add(neighbour.Dyadic()).Shift(-1))
		c := exact.Cmp(mid) * neighbour.Cmp(got)
		return c > 0 || c == 0 && !even
	}
	if far(f.NextUp(got)) || far(f.NextDown(got)) {
		return fmt.Errorf("%v is not the number of %s nearest to %s", got, f.Name, exact.FloatString(40))
	}
	return nil
}

// wideStages checks every stage but ln from the stages before it.
func wideStages(p Point, out wire.Values) error {
	f := wideFormat(p)
	stage := map[string]spec.Value{}
	for _, s := range spec.SnapStages {
		v, err := wideNumber(f, out[s.ID])
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		stage[s.ID] = v
	}
	exact := func(name string) *big.Rat { return rat(stage[name].Dyadic()) }
	value := p["value"].Rat()
	lambda, y := value, mul(value, exact("ln"))
	if p["scale"].Text == "epsilon" {
		lambda = new(big.Rat).Inv(value)
		y = new(big.Rat).Quo(exact("ln"), value)
	}
	unit := exact("unit")
	if half := new(big.Rat).Quo(unit, big.NewRat(2, 1)); !stage["unit"].Dyadic().IsPow2() || unit.Cmp(lambda) < 0 || half.Cmp(lambda) >= 0 {
		return fmt.Errorf("unit = %v, lambda = %s", stage["unit"], lambda.FloatString(20))
	}
	if err := isNearest(f, stage["y"], y); err != nil {
		return fmt.Errorf("y: %w", err)
	}
	if z := stage["y"]; !stage["z"].Dyadic().Equal(map[bool]real.Dyadic{true: z.Dyadic().Neg(), false: z.Dyadic()}[p["s"].Text == "-1"]) {
		return fmt.Errorf("z = %v, y = %v", stage["z"], z)
	}
	clamped := func(v spec.Value) real.Dyadic {
		lo, hi := datum(p["lo"]), datum(p["hi"])
		switch {
		case v.Cmp(lo) < 0:
			return lo.Dyadic()
		case v.Cmp(hi) > 0:
			return hi.Dyadic()
		}
		return v.Dyadic()
	}
	if want := clamped(datum(p["f"])); !stage["x"].Dyadic().Equal(want) {
		return fmt.Errorf("x = %v, must be %v", stage["x"], want)
	}
	if err := isNearest(f, stage["w"], new(big.Rat).Add(exact("x"), exact("z"))); err != nil {
		return fmt.Errorf("w: %w", err)
	}
	// rounded is a multiple of the unit in (w - unit/2, w + unit/2].
	off := new(big.Rat).Sub(exact("rounded"), exact("w"))
	off.Quo(off, unit)
	if whole := new(big.Rat).Quo(exact("rounded"), unit); !whole.IsInt() || off.Cmp(big.NewRat(1, 2)) > 0 || off.Cmp(big.NewRat(-1, 2)) <= 0 {
		return fmt.Errorf("rounded = %v, w = %v", stage["rounded"], stage["w"])
	}
	if want := clamped(stage["rounded"]); !stage["r"].Dyadic().Equal(want) {
		return fmt.Errorf("r = %v, must be %v", stage["r"], want)
	}
	return nil
}

// wideIsSnap compares the stages at 53 bits with those of snap, when those are
// within the range of binary64: there, the formats have the same numbers.
func wideIsSnap(v wire.Voter, p Point) error {
	snap, err := ask(v, "snap", question("snap", p, nil))
	if err != nil || snap.Reject != "" {
		return err
	}
	for _, name := range []string{"y", "w", "rounded"} {
		if x := math.Abs(snap.Out[name].Float()); math.IsInf(x, 0) || name == "y" && x < 0x1p-1022 {
			return nil
		}
	}
	value, _ := dyadic(p["value"]).Rat()
	wide, err := value53(v, question("snap_wide", p, wire.Values{"precision": wire.NewInt(53), "value": wire.NewRat(value)}))
	if err != nil {
		return err
	}
	for _, s := range spec.SnapStages {
		want := new(big.Rat).SetFloat64(snap.Out[s.ID].Float())
		if got := wide[s.ID].Rat(); got == nil || got.Cmp(want) != 0 {
			return fmt.Errorf("%s = %.60s at 53 bits, %s in snap", s.ID, wide[s.ID].Text, hex(snap.Out[s.ID].Float()))
		}
	}
	return nil
}

func value53(v wire.Voter, in wire.Values) (wire.Values, error) { return value(v, "snap_wide", in) }

// wideBudget is a calibration's input with eta = 2^-p.
func wideBudget(p Point) budget {
	b := budgetOf(p)
	shift := new(big.Rat).Quo(rat(wideFormat(p).Eta()), rat(b64.Eta()))
	b.c, b.additive = mul(b.c, shift), mul(b.additive, shift)
	return b
}

// wideMinimal checks lambda by the accounting it inverts, and that each output is
// the nearest number on its side.
func wideMinimal(v wire.Voter, p Point) error {
	out, err := wideAnswer(v, "wide_calibrate", p)
	if out == nil {
		return err
	}
	f, b := wideFormat(p), wideBudget(p)
	at := map[string]spec.Value{}
	for name, x := range out {
		if at[name], err = wideNumber(f, x); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if at[name].Sign() <= 0 {
			return fmt.Errorf("%s = %v", name, at[name])
		}
	}
	exact := func(v spec.Value) *big.Rat { return rat(v.Dyadic()) }
	lambda, achieved, prime := at["lambda"], at["achieved"], at["epsilon_prime"]
	loss := b.loss(exact(lambda))
	switch {
	case loss.Cmp(b.epsilon) > 0:
		return fmt.Errorf("lambda = %v has the loss epsilon + %s", lambda, excess(loss, b.epsilon))
	case b.loss(exact(f.NextDown(lambda))).Cmp(b.epsilon) <= 0:
		return fmt.Errorf("the number below lambda = %v is enough", lambda)
	case exact(achieved).Cmp(loss) < 0 || exact(f.NextDown(achieved)).Cmp(loss) >= 0:
		return fmt.Errorf("achieved = %v is not the exact loss rounded up", achieved)
	case exact(prime).Cmp(b.prime()) > 0 || exact(f.NextUp(prime)).Cmp(b.prime()) <= 0:
		return fmt.Errorf("epsilon_prime = %v is not the exact one rounded down", prime)
	}
	if unit := at["unit"].Dyadic(); !unit.IsPow2() || unit.Cmp(lambda.Dyadic()) < 0 || unit.Shift(-1).Cmp(lambda.Dyadic()) >= 0 {
		return fmt.Errorf("unit = %v, lambda = %v", at["unit"], lambda)
	}
	return nil
}

// wideRefusal is definedRefusal for the operations at p bits.
func wideRefusal(op string, p Point) string {
	finite := func(name string) bool { return datum(p[name]).IsFinite() }
	below := func(name string, lo int64, bits uint) bool {
		n := p[name].Big()
		return n.Cmp(big.NewInt(lo)) >= 0 && n.Sign() >= 0 && n.BitLen() <= int(bits)
	}
	precision := p["precision"].Big()
	if precision.Cmp(big.NewInt(53)) < 0 || precision.Cmp(big.NewInt(4096)) > 0 ||
		!finite("lo") || !finite("hi") || datum(p["lo"]).Cmp(datum(p["hi"])) > 0 {
		return "domain"
	}
	f := wideFormat(p)
	scale := func(d real.Dyadic) bool {
		return d.Sign() > 0 && d.Cmp(real.Pow2(-1074)) >= 0 && d.Cmp(real.Pow2(1024)) < 0
	}
	if op == "snap_wide" {
		d, ok := dyadicOf(p["value"].Rat())
		if !ok || !scale(d) || !f.Contains(d) || datum(p["f"]).IsNaN() || !below("m", 0, f.Precision-1) || !below("e", 1, 62) {
			return "domain"
		}
		return ""
	}
	for _, name := range []string{"epsilon", "sensitivity"} {
		if !finite(name) || datum(p[name]).Sign() <= 0 {
			return "domain"
		}
	}
	for _, name := range []string{"constant", "additive", "floor"} {
		if !below(name, 0, 31) {
			return "domain"
		}
	}
	b := wideBudget(p)
	left := new(big.Rat).Sub(b.epsilon, b.additive)
	tail := new(big.Rat).Sub(left, mul(b.floored, b.c))
	if tail.Sign() <= 0 {
		return "hypothesis"
	}
	need := new(big.Rat).Add(b.d, mul(b.c, b.b))
	need.Quo(need, left)
	if other := new(big.Rat).Quo(b.d, tail); need.Cmp(other) < 0 {
		need = other
	}
	lambda := oracle.RoundRat(f, need, oracle.Up).Dyadic()
	switch {
	case b.b.Cmp(rat(lambda.Shift(int64(f.Precision)-7))) >= 0:
		return "hypothesis"
	case !scale(lambda):
		return "overflow"
	}
	return ""
}
