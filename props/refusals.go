package props

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var refusalProperties = []Property{
	{"rejections-defined", allOps(), func(src gen.Source) Point {
		op := ops.All[pick(src, len(ops.All))]
		return merge(Point{"op": {Text: op.Op}}, spoil(src, op, Point(op.Generate(src)), pick(src, 2)))
	}, refusedAsDefined},
	{"rejection-order", []string{"round_multiple", "snap", "snap_calibrate", "snap_release"}, func(src gen.Source) Point {
		name := []string{"snap_release", "snap_calibrate", "snap", "round_multiple"}[pick(src, 4)]
		op, _ := ops.Find(name)
		p := Point(op.Generate(src))
		if pick(src, 2) == 1 { // an overflow
			switch name {
			case "snap", "snap_release":
				p["scale"], p["value"] = wire.NewWord(wire.ScaleOf, "lambda"), wire.NewFloat(math.MaxFloat64)
			case "snap_calibrate":
				p["epsilon"], p["sensitivity"] = wire.NewFloat(0x1p-20), wire.NewFloat(math.MaxFloat64)
			case "round_multiple":
				p["x"], p["unit"] = wire.NewFloat(math.MaxFloat64), wire.NewFloat(0x1p1000)
			}
		}
		if name == "snap_release" && pick(src, 2) == 1 { // a tape that ends
			p["tape"] = wire.NewTape(p["tape"].Bytes()[:min(pick(src, 4), len(p["tape"].Bytes()))])
		}
		if name == "snap_calibrate" && pick(src, 2) == 1 { // a hypothesis
			p["epsilon"], p["additive"] = wire.NewFloat(0x1p-52), wire.NewInt(2)
		}
		return merge(Point{"op": {Text: name}}, spoil(src, op, p, pick(src, 3)))
	}, refusedAsDefined},
	{"zero-is-plus", allOps(), func(src gen.Source) Point {
		op := ops.All[pick(src, len(ops.All))]
		p := merge(Point{"op": {Text: op.Op}}, Point(op.Generate(src)))
		for _, f := range op.In { // zeros come from zeros, and from tiny negative numbers
			if f.Type == wire.F64 && pick(src, 3) == 0 {
				switch f.Name {
				case "x", "f":
					p[f.Name] = f64([]uint64{signBit, signBit | 1, math.Float64bits(-0.25)}[pick(src, 3)])
				case "hi":
					if p["lo"].Float() <= 0 {
						p["hi"] = f64(signBit)
					}
				case "lo":
					if p["hi"].Float() >= 0 {
						p["lo"] = f64(signBit)
					}
				}
			}
		}
		return p
	}, func(v wire.Voter, p Point) error {
		op := p["op"].Text
		r, err := ask(v, op, question(op, p, nil))
		if err != nil {
			return err
		}
		for name, out := range r.Out {
			if out.Type == wire.F64 && out.Bits() == signBit && !(op == "snap" && (name == "z" || name == "w")) {
				return fmt.Errorf("%s is -0", name)
			}
		}
		return nil
	}},
}

// spoil makes n fields illegal: F64 fields NaN, infinite, zero or of the wrong
// sign, bounds exchanged, Int fields out of range. What is illegal for one field
// may be legal for another; definedRefusal knows.
func spoil(src gen.Source, op ops.Op, p Point, n int) Point {
	for range n {
		f := op.In[pick(src, len(op.In))]
		switch f.Type {
		case wire.F64:
			p[f.Name] = f64(gen.Special(src))
		case wire.Int:
			p[f.Name] = wire.NewBig([]*big.Int{
				big.NewInt(-1), big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), 31), new(big.Int).Lsh(big.NewInt(1), 52),
				new(big.Int).Lsh(big.NewInt(1), 62), new(big.Int).Lsh(big.NewInt(1), 64), new(big.Int).Lsh(big.NewInt(1), 128),
			}[pick(src, 7)])
		}
		if pick(src, 8) == 7 && p["lo"].Type == wire.F64 {
			p["lo"], p["hi"] = p["hi"], p["lo"]
		}
	}
	return p
}

func refusedAsDefined(v wire.Voter, p Point) error {
	op := p["op"].Text
	r, err := ask(v, op, question(op, p, nil))
	if err != nil {
		return err
	}
	if want := definedRefusal(op, p); r.Reject != want {
		return fmt.Errorf("%s: refusal %q, must be %q", op, r.Reject, want)
	}
	return nil
}

// definedRefusal is the refusal the definitions give, "" for none: the first of
// domain, hypothesis, overflow and tape that applies.
func definedRefusal(op string, p Point) string {
	positive := func(name string) bool { x := datum(p[name]); return x.IsFinite() && x.Sign() > 0 }
	within := func(name string, lo, hi *big.Int) bool {
		return p[name].Big().Cmp(lo) >= 0 && p[name].Big().Cmp(hi) < 0
	}
	two := func(k uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), k) }
	bounds := func() bool {
		lo, hi := datum(p["lo"]), datum(p["hi"])
		return lo.IsFinite() && hi.IsFinite() && lo.Cmp(hi) <= 0
	}
	pair := func() bool { return within("m", new(big.Int), two(52)) && within("e", big.NewInt(1), two(62)) }
	first := func(domain, hypothesis, overflow, tape func() bool) string {
		for _, k := range []struct {
			name   string
			broken func() bool
		}{{"domain", domain}, {"hypothesis", hypothesis}, {"overflow", overflow}, {"tape", tape}} {
			if k.broken != nil && k.broken() {
				return k.name
			}
		}
		return ""
	}
	noUnit := func() bool { return !unitExists(p) }
	snap := func() bool { return !positive("value") || !bounds() || datum(p["f"]).IsNaN() }
	tapeEnds := func(skip int) func() bool {
		return func() bool {
			bits := bitString(p["tape"].Bytes())
			if len(bits) < skip {
				return true
			}
			_, n := define(bits[skip:], p["kind"].Text)
			return n < 0
		}
	}
	switch op {
	case "ln":
		return first(func() bool { return !positive("x") }, nil, nil, nil)
	case "ln_pair":
		return first(func() bool { return !pair() }, nil, nil, nil)
	case "pow2_ceil":
		return first(func() bool { return !positive("x") }, nil, func() bool { return dyadic(p["x"]).Cmp(real.Pow2(1023)) > 0 }, nil)
	case "pow2_ceil_inv":
		return first(func() bool { return !positive("x") }, nil, func() bool { return dyadic(p["x"]).Cmp(real.Pow2(-1023)) < 0 }, nil)
	case "round_multiple":
		return first(func() bool {
			return !datum(p["x"]).IsFinite() || !positive("unit") || !dyadic(p["unit"]).IsPow2()
		}, nil, func() bool {
			x, k := dyadic(p["x"]), dyadic(p["unit"]).Top()
			return !multiple(x, real.Pow2(k)) &&
				real.NewDyadic(oracle.NearestMultiple(x, k, spec.Ties(p["ties"].Text)), k).Abs().Cmp(b64.MaxFinite()) > 0
		}, nil)
	case "clamp":
		return first(func() bool { return datum(p["x"]).IsNaN() || !bounds() }, nil, nil, nil)
	case "uniform":
		return first(nil, nil, nil, tapeEnds(0))
	case "snap":
		return first(func() bool { return snap() || !pair() }, nil, noUnit, nil)
	case "snap_release":
		return first(snap, nil, noUnit, tapeEnds(1))
	case "snap_prob":
		return first(func() bool { return snap() || !datum(p["x"]).IsFinite() || tooWide(p) }, nil, noUnit, nil)
	case "snap_loss":
		return first(func() bool { return snap() || datum(p["f2"]).IsNaN() || tooWide(p) }, nil, noUnit, nil)
	case "snap_calibrate":
		return first(func() bool {
			ok := positive("epsilon") && positive("sensitivity") && bounds()
			for _, n := range []string{"constant", "additive", "floor"} {
				ok = ok && within(n, new(big.Int), two(31))
			}
			return !ok
		}, func() bool { return budgetOf(p).broken() != "" }, func() bool {
			l := budgetOf(p).lambda()
			return l.IsInf() || l.Dyadic().Cmp(real.Pow2(1023)) > 0
		}, nil)
	}
	if op == "snap_wide" || op == "wide_calibrate" {
		return wideRefusal(op, p)
	}
	return "no such operation"
}

// tooWide is (hi - lo)/lambda > 2^14, the limit of the operations that visit
// every output.
func tooWide(p Point) bool {
	width, x := dyadic(p["hi"]).Sub(dyadic(p["lo"])), dyadic(p["value"])
	if p["scale"].Text == "epsilon" {
		return width.Mul(x).Cmp(real.Pow2(14)) > 0
	}
	return width.Cmp(x.Shift(14)) > 0
}
