package props

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var snapProperties = []Property{
	{"agrees-with-oracle", allOps(), func(src gen.Source) Point {
		op := ops.All[pick(src, len(ops.All))]
		return merge(Point{"op": wire.Value{Text: op.Op}}, Point(op.Generate(src)))
	}, func(v wire.Voter, p Point) error {
		op := p["op"].Text
		sig, _ := ops.Lookup(op)
		in := question(op, p, nil)
		got, err := ask(v, op, in)
		if err != nil {
			return err
		}
		want := reference.Answer(wire.Case{Op: op, In: in})
		if d := wire.Compare(sig, want, got); d != nil {
			return fmt.Errorf("%s: the oracle has %s, %s has %s", d.Field, d.Want, v.Name(), d.Got)
		}
		return nil
	}},
	{"snap-total", []string{"snap"}, genSnapWild, func(v wire.Voter, p Point) error {
		_, err := value(v, "snap", question("snap", p, nil))
		return err
	}},
	{"snap-within-bounds", []string{"snap"}, genSnap, func(v wire.Voter, p Point) error {
		out, err := value(v, "snap", question("snap", p, nil))
		if err != nil {
			return err
		}
		if r := datum(out["r"]); !r.IsFinite() || r.Cmp(datum(p["lo"])) < 0 || r.Cmp(datum(p["hi"])) > 0 {
			return fmt.Errorf("r = %v is outside the bounds", r)
		}
		return nil
	}},
	{"snap-on-grid-or-bound", []string{"snap"}, genSnap, func(v wire.Voter, p Point) error {
		out, err := value(v, "snap", question("snap", p, nil))
		if err != nil {
			return err
		}
		r, unit := datum(out["r"]), unitOf(p)
		if !r.IsFinite() || !multiple(r.Dyadic(), unit) && r.Cmp(datum(p["lo"])) != 0 && r.Cmp(datum(p["hi"])) != 0 {
			return fmt.Errorf("r = %v is neither a multiple of %v nor a bound", r, unit)
		}
		return nil
	}},
	{"snap-stages", []string{"snap"}, genSnap, stages},
	{"snap-side", []string{"snap"}, genSnap, func(v wire.Voter, p Point) error {
		out, err := value(v, "snap", question("snap", p, nil))
		if err != nil {
			return err
		}
		x, w := datum(out["x"]), datum(out["w"])
		if p["s"].Text == "+1" && w.Cmp(x) > 0 || p["s"].Text == "-1" && w.Cmp(x) < 0 || w.IsNaN() {
			return fmt.Errorf("s = %s moves x = %v to w = %v", p["s"].Text, x, w)
		}
		return nil
	}},
	{"snap-release-decomposes", []string{"snap_release", "uniform", "snap"}, genRelease, decomposes},
}

// reference is the oracle as a voter.
var reference = ops.Oracle()

func allOps() (names []string) {
	for _, op := range ops.All {
		names = append(names, op.Op)
	}
	return names
}

// genSnap is a legal case of snap: gen's, with what it makes illegal on purpose
// made legal.
func genSnap(src gen.Source) Point { return legalSnap(src, Point(gen.Snap(src))) }

func legalSnap(src gen.Source, p Point) Point {
	if x := datum(p["value"]); !x.IsFinite() || x.Sign() <= 0 || !unitExists(p) {
		p["value"] = f64(gen.Moderate(src))
	}
	if datum(p["f"]).IsNaN() {
		p["f"] = f64(legal(src))
	}
	return p
}

// genSnapWild is a legal case in which infinities are frequent: a scale near the
// largest, far draws, infinite f.
func genSnapWild(src gen.Source) Point {
	p := genSnap(src)
	if pick(src, 2) == 1 {
		p["value"] = f64(math.Float64bits(0x1p1023) - uint64(pick(src, 1<<12))<<44)
		if p["scale"].Text == "epsilon" {
			p["value"] = f64(math.Float64bits(0x1p-1023) + uint64(pick(src, 1<<12))<<44)
		}
	}
	if pick(src, 8) == 7 {
		p["f"] = f64(math.Float64bits(math.Inf(1)) | src.Uint64()&signBit)
	}
	return p
}

// genRelease is a legal case of snap_release.
func genRelease(src gen.Source) Point {
	p := legalSnap(src, Point(gen.SnapRelease(src)))
	p = merge(p, genTape(src))
	b := p["tape"].Bytes() // a sign in front
	out := make([]byte, len(b)+1)
	sign := byte(src.Uint64() & 1)
	for i := range out {
		if i > 0 {
			out[i] = b[i-1] << 7
		}
		if i < len(b) {
			out[i] |= b[i] >> 1
		}
	}
	out[0] |= sign << 7
	p["tape"] = wire.NewTape(out)
	return p
}

func unitExists(p Point) bool {
	x := dyadic(p["value"])
	if p["scale"].Text == "epsilon" {
		return x.Cmp(real.Pow2(-1023)) >= 0
	}
	return x.Cmp(real.Pow2(1023)) <= 0
}

// unitOf is Lambda by its definition: the least 2^k >= lambda, found from below.
func unitOf(p Point) real.Dyadic {
	x := dyadic(p["value"])
	k := x.Top() - 1
	serves := func(k int64) bool { return real.Pow2(k).Cmp(x) >= 0 }
	if p["scale"].Text == "epsilon" {
		k = -x.Top() - 2
		serves = func(k int64) bool { return real.Pow2(k).Mul(x).Cmp(real.One()) >= 0 }
	}
	for ; !serves(k); k++ {
	}
	return real.Pow2(max(k, b64.Quantum()))
}

// stages recomputes each stage from the voter's own earlier stages, so that one
// fault shows at one stage.
func stages(v wire.Voter, p Point) error {
	out, err := value(v, "snap", question("snap", p, nil))
	if err != nil {
		return err
	}
	at := func(name string) spec.Value { return datum(out[name]) }
	if at("y").IsNaN() || at("z").IsNaN() || at("w").IsNaN() || at("rounded").IsNaN() || at("ln").IsNaN() || !at("x").IsFinite() {
		return fmt.Errorf("a stage is NaN, or x is infinite: %v", Point(out))
	}
	lo, hi, scale := datum(p["lo"]), datum(p["hi"]), datum(p["value"])
	want := map[string]spec.Value{
		"unit": spec.FromDyadic(unitOf(p)),
		"y":    oracle.Mul(b64, scale, at("ln")).PlusZero(),
		"z":    at("y"),
		"x":    between(datum(p["f"]), lo, hi),
		"w":    oracle.Add(b64, at("x"), at("z")),
		"r":    between(at("rounded"), lo, hi),
	}
	if p["scale"].Text == "epsilon" {
		want["y"] = oracle.Quo(b64, at("ln"), scale).PlusZero()
	}
	if p["s"].Text == "-1" {
		want["z"] = at("y").Neg()
	}
	want["rounded"] = at("w").PlusZero()
	if k := at("unit").Dyadic().Top(); at("w").IsFinite() && !multiple(at("w").Dyadic(), real.Pow2(k)) {
		n := oracle.NearestMultiple(at("w").Dyadic(), k, spec.TiesUp)
		want["rounded"] = oracle.Round(b64, real.NewDyadic(n, k))
	}
	for _, stage := range spec.SnapStages {
		if stage.ID == "ln" {
			continue
		}
		if w := want[stage.ID]; !w.Same(at(stage.ID)) {
			return fmt.Errorf("stage %s is %v; %s gives %v", stage.ID, at(stage.ID), stage.Float, w)
		}
	}
	return lnNearestValue(at("ln"), drawn(p).Value(b64))
}

// between is clamp by its definition, with +0 for a zero.
func between(x, lo, hi spec.Value) spec.Value {
	switch {
	case x.Cmp(lo) <= 0:
		return lo.PlusZero()
	case x.Cmp(hi) >= 0:
		return hi.PlusZero()
	}
	return x.PlusZero()
}

// decomposes compares snap_release with the voter's own uniform, on the tape
// without its first bit, and snap.
func decomposes(v wire.Voter, p Point) error {
	r, err := ask(v, "snap_release", question("snap_release", p, nil))
	if err != nil {
		return err
	}
	bits := bitString(p["tape"].Bytes())
	sign := "+1"
	if bits[0] == '1' {
		sign = "-1"
	}
	// The rest of the tape is one bit short of whole bytes. The bit added counts
	// as not there: consumed says whether it was used.
	shifted := wire.NewTape(pack(bits[1:] + "0"))
	u, err := ask(v, "uniform", wire.Values{"tape": shifted, "kind": p["kind"]})
	if err != nil {
		return err
	}
	if n, ok := integer(u.Out["consumed"]); u.Reject == "" && ok && n >= int64(len(bits)) {
		u = wire.Rejected("tape")
	}
	if u.Reject != "" || r.Reject != "" {
		if u.Reject != r.Reject {
			return fmt.Errorf("snap_release: %s; uniform after the sign: %s", show(r, "r", "consumed"), show(u, "m", "e", "consumed"))
		}
		return nil
	}
	s, err := value(v, "snap", question("snap", p, wire.Values{"m": u.Out["m"], "e": u.Out["e"], "s": wire.NewWord(wire.Sign, sign)}))
	if err != nil {
		return err
	}
	n, _ := integer(u.Out["consumed"])
	if want := fmt.Sprintf("r=%s consumed=%d", s["r"].Text, n+1); show(r, "r", "consumed") != want {
		return fmt.Errorf("snap_release gives %s; sign, uniform and snap give %s", show(r, "r", "consumed"), want)
	}
	return nil
}

// pack turns a multiple of eight '0' and '1' into bytes.
func pack(bits string) []byte {
	b := make([]byte, len(bits)/8)
	for i := range b {
		for j := range 8 {
			b[i] = b[i]<<1 | bits[8*i+j]&1
		}
	}
	return b
}
