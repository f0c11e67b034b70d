package plan

import (
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// exactBase has seven outputs.
func exactBase() wire.Values {
	return wire.Values{
		"scale": scale("lambda"), "value": fl(1), "lo": fl(-3), "hi": fl(3), "kind": kind("unbounded"), "f": fl(0.25),
	}
}

// world is a choice of parameters and inputs that both operations are asked about.
type world struct {
	slug, comment string
	set           wire.Values
	outputs       []float64 // for snap_prob
	flags         []string
}

// worlds are chosen by hand; each is asked under both kinds.
func worlds() []world {
	b := func(lo, hi, f float64) wire.Values { return wire.Values{"lo": fl(lo), "hi": fl(hi), "f": fl(f)} }
	scaled := func(name string, value, lo, hi, f float64) wire.Values {
		return with(b(lo, hi, f), wire.Values{"scale": scale(name), "value": fl(value)})
	}
	return []world{
		{"plain", "", b(-3, 3, 0.25), []float64{-3, -2, 0, 1, 3}, nil},
		{"epsilon-third", "1/epsilon is no double", scaled("epsilon", 3, -1, 1, 0.1), []float64{-1, -0.5, 0, 1}, []string{"scale-variant"}},
		{"lambda-tenth", "Lambda = 1/8", scaled("lambda", 0.1, -0.3, 0.7, 0), []float64{-0.3, -0.25, 0, 0.625, 0.7}, []string{"bounds-no-multiple"}},
		{"tie", "f is an edge between two cells", b(-3, 3, 0.5), []float64{0, 1}, []string{"answer-on-edge"}},
		{"tie-negative", "f is a negative edge: it belongs to the cell above", b(-3, 3, -0.5), []float64{-1, 0}, []string{"answer-on-edge", "tie-negative"}},
		{"beside-tie", "", b(-3, 3, down(0.5)), []float64{0, 1}, []string{"answer-on-edge"}},
		{"above-tie", "", b(-3, 3, up(0.5)), []float64{0, 1}, []string{"answer-on-edge"}},
		{"at-lo", "", b(-3, 3, -3), []float64{-3, -2, 3}, []string{"answer-at-bound"}},
		{"at-hi", "", b(-3, 3, 3), []float64{-3, 2, 3}, []string{"answer-at-bound"}},
		{"beyond-hi", "", b(-3, 3, 1e9), []float64{2, 3}, []string{"answer-at-bound"}},
		{"f-minus-inf", "", b(-3, 3, -inf), []float64{-3, 0}, []string{"answer-at-bound", "infinite"}},
		{"one-output", "lo = hi", b(2.5, 2.5, 0), []float64{2.5, 2, 3}, []string{"bounds-equal"}},
		{"one-zero", "lo = hi = 0", b(0, 0, 7), []float64{0}, []string{"bounds-equal"}},
		{"negative", "hi < 0", b(-5.5, -1.25, -2), []float64{-5.5, -5, -2, -1.25}, []string{"bounds-one-sided", "bounds-no-multiple"}},
		{"positive", "lo > 0", b(1.25, 5.5, 2), []float64{1.25, 2, 5, 5.5}, []string{"bounds-one-sided", "bounds-no-multiple"}},
		{"below-unit", "B < Lambda, a multiple between the bounds", b(-0.25, 0.75, 0.1), []float64{-0.25, 0, 0.75}, []string{"bound-below-unit"}},
		{"below-half", "B < Lambda/2", b(-0.25, 0.125, 0.1), []float64{-0.25, 0, 0.125}, []string{"bound-below-unit"}},
		{"no-multiple", "no multiple of Lambda between the bounds", b(0.25, 0.75, 0.5), []float64{0.25, 0.75}, []string{"bound-below-unit", "answer-on-edge"}},
		{"tiny-bounds", "two subnormal bounds", b(-minSub, minSub, 0), []float64{-minSub, 0, minSub}, []string{"bound-below-unit", "subnormal"}},
		{"next-doubles", "lo and hi are neighbours", b(1, up(1), 1), []float64{1, up(1)}, []string{"bound-below-unit"}},
		{"wide", "B = 1000 lambda", b(-1000, 1000, 0), []float64{-1000, -745, -744, -742, -708, 0, 709}, []string{"subnormal-noise"}},
		{"far-tail", "B = 2000 lambda", b(-2000, 2000, 1500), []float64{-2000, -1999, 0, 755}, []string{"far-tail"}},
		{"subnormal-unit", "Lambda = 2^-1074: every double is a multiple", scaled("lambda", minSub, -3*minSub, 4*minSub, minSub), []float64{-3 * minSub, 0, minSub, 4 * minSub}, []string{"subnormal", "range-end"}},
		{"subnormal-lambda", "Lambda = 2^-1072", scaled("lambda", 3*minSub, -9*minSub, 8*minSub, 0), []float64{-9 * minSub, 0, 4 * minSub, 8 * minSub}, []string{"subnormal", "range-end"}},
		{"large-unit", "Lambda = 2^1023", scaled("lambda", 0x1.8p1022, -maxF, maxF, 1), []float64{-maxF, -0x1p1023, 0, 0x1p1023, maxF}, []string{"range-end", "carried-infinity"}},
		{"coarse", "doubles 2 lambda apart", b(0x1p54, 0x1.00000000000ap54, 0x1p54+16), []float64{0x1p54, 0x1p54 + 4, 0x1p54 + 16}, []string{"coarse-numbers"}},
		{"coarse-binade", "doubles lambda apart below 2^53, 2 lambda above", b(0x1p53-6, 0x1p53+12, 0x1p53), []float64{0x1p53 - 6, 0x1p53 - 1, 0x1p53, 0x1p53 + 2}, []string{"coarse-numbers", "power-of-two"}},
		{"coarse-negative", "the same below zero", b(-0x1p53-12, -0x1p53+6, -0x1p53), []float64{-0x1p53 - 12, -0x1p53 - 2, -0x1p53, -0x1p53 + 1}, []string{"coarse-numbers", "power-of-two", "tie-negative"}},
		{"half-edges", "edges are odd multiples of half a spacing", b(0x1p52-4, 0x1p52+6, 0x1p52+1), []float64{0x1p52 - 4, 0x1p52 - 1, 0x1p52, 0x1p52 + 1}, []string{"coarse-numbers", "tie"}},
		{"very-coarse", "doubles 2^12 lambda apart", b(0x1p64, 0x1.0000000000003p64, up(0x1p64)), []float64{0x1p64, 0x1.0000000000001p64, 0x1.0000000000003p64}, []string{"coarse-numbers", "far-tail"}},
		{"epsilon-largest", "1/epsilon is subnormal", scaled("epsilon", maxF, -0x1p-1022, 0x1p-1022, 0), []float64{-0x1p-1022, 0, 0x1p-1023}, []string{"reciprocal", "range-end"}},
	}
}

var kindNames = []string{"unbounded", "binary64"}

func planProb(b *builder) error {
	base := with(exactBase(), wire.Values{"x": fl(0)})
	for _, w := range worlds() {
		for _, k := range kindNames {
			for _, x := range w.outputs {
				b.add(w.slug+"-"+k, w.comment, with(base, with(w.set, wire.Values{"kind": kind(k), "x": fl(x)})), w.flags...)
			}
		}
	}
	for _, x := range []float64{-4, 4, 0.5, -0.25, up(1), minSub, 1e300, 0x1p-1022} {
		b.add("impossible", "no multiple of Lambda, or outside the bounds", with(base, wire.Values{"x": fl(x)}), "impossible-output")
	}
	b.one("minus-zero", "-0 is the output 0", with(base, wire.Values{"x": bits(1 << 63)}), "zero-sign")
	for _, f := range []float64{298, 299} { // the bound with |x| for B: output 0, an excess of hundreds of eta
		slug := map[float64]string{298: "f", 299: "f2"}[f]
		b.one("witness-output-for-bound-"+slug, "with its partner: a loss 1180 eta above 1/lambda at x = 0, where 12 |x| eta/lambda + 2 eta would allow 2",
			with(base, wire.Values{"value": fl(0x1.1f5ef1a876da6p-1), "lo": fl(-300), "hi": fl(300), "f": fl(f)}), "exceeds-published")
	}
	for _, c := range []struct {
		slug string
		x    wire.Value
	}{{"x-nan", nan}, {"x-inf", fl(inf)}, {"x-minus-inf", fl(-inf)}} {
		b.one("reject-"+c.slug, "", with(base, wire.Values{"x": c.x}), "domain")
		b.one("reject-"+c.slug+"-before-overflow", "", with(base, wire.Values{"x": c.x, "value": fl(maxF)}), "domain")
	}
	rejectSnap(b, base)
	reachLimit(b, base)
	return b.collect("any", 150, "edge-weighted draw", gen.SnapProb, func(_ wire.Values, r wire.Result) bool { return small(r, "p") })
}

// small keeps long fractions rare: hand-picked cases have them.
func small(r wire.Result, names ...string) bool {
	for _, n := range names {
		if len(r.Out[n].Text) > 400 {
			return false
		}
	}
	return true
}

// reachLimit puts (hi - lo)/lambda on and next to 2^14.
func reachLimit(b *builder, base wire.Values) {
	at := with(base, wire.Values{"value": fl(3), "lo": fl(-3 * 0x1p13), "hi": fl(3 * 0x1p13), "f": fl(3 * 0x1p13), "x": fl(-3 * 0x1p13)})
	if _, ok := base["x"]; ok { // not for snap_loss, which would visit 2^14 outputs
		b.one("reach-limit", "(hi - lo)/lambda = 2^14: a probability of about 2^-23637", at, "reach-limit", "far-tail")
	}
	b.one("reject-reach", "one double more", with(at, wire.Values{"hi": fl(up(3 * 0x1p13))}), "domain", "reach-limit")
	b.one("reject-reach-rounded", "hi - lo rounds to 2^14 and is more", with(at, wire.Values{"value": fl(1), "lo": fl(-minSub), "hi": fl(0x1p14)}), "domain", "reach-limit")
	b.one("reject-reach-epsilon", "(hi - lo) epsilon rounds to 2^14 and is more", with(at, wire.Values{"scale": scale("epsilon"), "value": fl(up(0x1p-40)), "lo": fl(0), "hi": fl(0x1p54)}), "domain", "reach-limit")
	b.one("far-apart-nowhere", "lo = hi at the largest double", with(at, wire.Values{"lo": fl(maxF), "hi": fl(maxF)}), "bounds-equal", "range-end")
}

// witness is a pair of inputs whose loss says something about a bound.
type witness struct {
	slug, comment        string
	scale, kind          string
	value, lo, hi, f, f2 float64
	flag                 string
}

var witnesses = []witness{
	{"published-draw-ln3", "loss ln 3 at -742: the published bound is 1.0000000000013", "lambda", "binary64", 1, -742, 1000, 0, 1, "subnormal-noise"},
	{"published-draw-infinite", "output -744 is possible for f = 0 and not for f = 1", "lambda", "binary64", 1, -1000, 1000, 0, 1, "infinite-loss"},
	{"published-draw-unbounded", "the same with the unbounded draw", "lambda", "unbounded", 1, -1000, 1000, 0, 1, "far-tail"},
	{"published-draw-finite", "a finite excess of 0.029 over 1/lambda", "lambda", "binary64", 1.6483562480615168, -680, 680, -543.258539015495, -542.258539015495, "subnormal-noise"},
	{"small-bound", "B/lambda = 0.22: 2.351 eta above 12 B eta/lambda", "lambda", "unbounded", 0x1.0e24ea291b411p-1, -0x1.e30e65089ac62p-4, 0x1.e30e65089ac62p-4, -0x1.e30e642eeb6cbp-4, -0x1.e30e63f4e198ap-4, "exceeds-published"},
	{"small-bound-largest", "B/lambda = 0.066: 4.471 eta", "lambda", "unbounded", 0x1.008p+0, -0x1.105e57c996477p-4, 0x1.00000000001ccp-10, -0x1.7dcf17c062311p-6, -0x1.0c33bb1bf2f1p-6, "exceeds-published"},
	{"small-bound-quarter", "B/lambda = 0.2485: 2.318 eta", "epsilon", "unbounded", 0x1.fffff990bf3bep+0, -0x1.0defd7cc0650ep-4, 0x1.fcfd60365b678p-4, 0x1.49154b35309ffp-11, 0x1.bbeffff83c9p-10, "exceeds-published"},
	{"near-12-small", "11.866 B eta/lambda", "lambda", "unbounded", 0x1.fd970cab1e693p-1, -0x1.0000000000001p+8, 0x1.0000000000001p+8, 0x1.ff75608f7ee5bp+7, 0x1.ffb8f65ed7e4ap+7, "near-constant-12"},
	{"interval-12-95", "the printed interval derivation gives 12.95 B eta here; the loss itself is ordinary", "epsilon", "unbounded", 1, -300, 300, 299, 300, "near-constant-12"},
}

func planLoss(b *builder) error {
	base := with(exactBase(), wire.Values{"f2": fl(1.25)})
	for _, w := range worlds() {
		for _, k := range kindNames {
			for i, d := range []float64{1, -1, 0} {
				if w.slug == "far-tail" && i > 0 {
					continue // long walks, one is enough
				}
				in := with(base, with(w.set, wire.Values{"kind": kind(k)}))
				lambda := in["value"].Float()
				if in["scale"].Text == "epsilon" {
					lambda = 1 / lambda
				}
				f := in["f"].Float()
				f2 := f + d*lambda
				if f2 == f && d != 0 {
					f2 = math.Nextafter(f, math.Copysign(inf, d))
				}
				in["f2"] = fl(f2)
				b.add(w.slug+"-"+k, w.comment, in, w.flags...)
			}
		}
	}
	for _, w := range witnesses {
		in := wire.Values{"scale": scale(w.scale), "value": fl(w.value), "lo": fl(w.lo), "hi": fl(w.hi), "kind": kind(w.kind), "f": fl(w.f), "f2": fl(w.f2)}
		b.one("witness-"+w.slug, w.comment, in, w.flag)
		b.one("witness-"+w.slug+"-swapped", "f and f2 exchanged", with(in, wire.Values{"f": in["f2"], "f2": in["f"]}), w.flag)
	}
	for _, c := range []struct {
		slug string
		v    wire.Value
	}{{"f2-nan", nan}, {"f2-nan-payload", bits(0xfff0000000000123)}} {
		b.one("reject-"+c.slug, "", with(base, wire.Values{"f2": c.v}), "domain")
		b.one("reject-"+c.slug+"-before-overflow", "", with(base, wire.Values{"f2": c.v, "value": fl(maxF)}), "domain")
	}
	b.one("both-infinite", "-inf and +inf clamp to the bounds: the largest loss there is", with(base, wire.Values{"f": fl(-inf), "f2": fl(inf)}), "infinite", "answer-at-bound")
	b.one("equal-after-clamp", "two inputs that clamp to the same bound: loss 0 at every output, so worst = lo", with(base, wire.Values{"f": fl(5), "f2": fl(inf)}), "answer-at-bound")
	b.one("zeros", "+0 and -0 are one input", with(base, wire.Values{"f": fl(0), "f2": bits(1 << 63)}), "zero-sign")
	for i, d := range []float64{minSub, 0x1p-60, 0x1p-53, 0x1p-52} {
		b.add("close", fmt.Sprintf("inputs 2^%d apart", []int{-1074, -60, -53, -52}[i]), with(base, wire.Values{"f": fl(d), "f2": fl(0)}), "answer-on-edge")
	}
	rejectSnap(b, base)
	reachLimit(b, base)
	return b.collect("any", 130, "edge-weighted draw", gen.SnapLoss, func(in wire.Values, r wire.Result) bool { return small(r, "p", "p2") })
}
