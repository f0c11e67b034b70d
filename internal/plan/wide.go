package plan

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// ratio writes a rational from its text.
func ratio(text string) wire.Value {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("plan: no rational: " + text) // a slip in this file
	}
	return wire.NewRat(r)
}

// dyad writes n 2^e.
func dyad(n, e int64) wire.Value { return ratValue(real.FromInt64(n).Shift(e)) }

func ratValue(d real.Dyadic) wire.Value {
	r, _ := d.Rat()
	return wire.NewRat(r)
}

// bigBits writes 2^n + k.
func bigBits(n uint, k int64) wire.Value {
	x := new(big.Int).Lsh(big.NewInt(1), n)
	return wire.NewBig(x.Add(x, big.NewInt(k)))
}

// wideBase is snap's base at p bits.
func wideBase(p uint) wire.Values {
	return wire.Values{
		"precision": num(int64(p)), "scale": scale("lambda"), "value": ratio("1"), "lo": fl(-100), "hi": fl(100), "f": fl(0.25),
		"m": num(0), "e": num(1), "s": sign(1),
	}
}

// short keeps the files small: no output of more than 800 characters.
func short(r wire.Result) bool {
	for _, v := range r.Out {
		if len(v.Text) > 800 {
			return false
		}
	}
	return true
}

func planSnapWide(b *builder) error {
	for _, p := range gen.Precisions {
		at := func(r wire.Values) wire.Values { return with(wideBase(p), r) }
		group := func(name string) string { return fmt.Sprintf("%s-%d", name, p) }
		any := new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(5), p-1), big.NewInt(7)) // 5/7 of the significands
		for _, s := range []int{1, -1} {
			b.add(group("plain-lambda"), "", at(wire.Values{"m": wire.NewBig(any), "e": num(3), "s": sign(s)}), "sign-side")
		}
		third := wideThird(p)
		b.add(group("plain-epsilon"), "epsilon = 1/3 rounded to p bits, which is not 3 inverted", at(wire.Values{"scale": scale("epsilon"), "value": third, "m": wire.NewBig(any), "e": num(2)}), "scale-variant")
		b.add(group("near-one"), "u = 1 - 2^-p, the largest draw", at(wire.Values{"m": bigBits(p-1, -1)}), "near-one")
		for a := uint(1); a <= 3; a++ { // d = (2^a - 1) 2^(a-p): d + d^2/2 is a midpoint
			d := int64(1<<a-1) << a
			b.add(group("hard"), fmt.Sprintf("u = 1 - d with d + d^2/2 exactly a midpoint of numbers of p bits, d = %d 2^-p: d^3/3 decides", d),
				at(wire.Values{"m": bigBits(p-1, -d), "f": fl(0), "value": dyad(1, 0)}), "hard-at-p-bits")
		}
		b.add(group("far-draw"), "u = 2^-(2^61)", at(wire.Values{"e": num(1 << 61), "lo": fl(-1e300), "hi": fl(1e300)}), "beyond-doubles")
		b.add(group("largest-e"), "the least draw", at(wire.Values{"e": num(1<<62 - 1), "lo": fl(-1e300), "hi": fl(1e300), "s": sign(-1)}), "beyond-doubles")
		b.add(group("clamp-before"), "f far outside: noise is added to the bound", at(wire.Values{"f": fl(1e6), "e": num(4)}), "clamp-both")
		b.add(group("clamp-after"), "noise carries the result outside", at(wire.Values{"f": fl(99), "s": sign(-1), "e": num(40)}), "clamp-both")
		far := math.Ldexp(1, int(p)-58) // 2^(p+2) scales of 2^-60
		b.add(group("absorbed"), "the noise is below half a place of x", at(wire.Values{"value": dyad(1, -60), "lo": fl(-far), "hi": fl(far), "f": fl(far)}), "absorbed")
		b.add(group("absorbed"), "the same below zero", at(wire.Values{"value": dyad(1, -60), "lo": fl(-far), "hi": fl(far), "f": fl(-far), "s": sign(-1)}), "absorbed")
		if err := b.wideTies(p); err != nil {
			return err
		}
	}
	base := wideBase(118)
	set := func(r wire.Values) wire.Values { return with(base, r) }
	b.one("f-plus-inf", "an infinite f clamps", set(wire.Values{"f": fl(inf)}), "infinite")
	b.one("f-minus-inf", "", set(wire.Values{"f": fl(-inf)}), "infinite")
	b.one("equal-bounds", "lo = hi: one output", set(wire.Values{"lo": fl(0.3), "hi": fl(0.3)}), "bounds-equal")
	b.one("minus-zeros", "bounds and answer -0 are 0", set(wire.Values{"lo": bits(1 << 63), "hi": bits(1 << 63), "f": bits(1 << 63)}), "bounds-equal", "zero-sign")
	b.one("bound-not-multiple", "hi = 0.3 is an output", set(wire.Values{"lo": fl(-0.3), "hi": fl(0.3), "f": fl(0.3), "s": sign(-1), "e": num(5)}), "bounds-no-multiple")
	b.one("least-value", "lambda = 2^-1074: the noise is far below every double, and is no zero", set(wire.Values{"value": dyad(1, -1074), "m": bigBits(117, -1), "f": fl(0)}), "range-end")
	b.one("greatest-value", "lambda just below 2^1024: nothing overflows", set(wire.Values{"value": ratValue(spec.Wide(118).NextDown(spec.FromDyadic(real.Pow2(1024))).Dyadic()), "e": num(1<<62 - 1), "lo": fl(-maxF), "hi": fl(maxF), "f": fl(maxF)}), "range-end")
	b.one("greatest-epsilon", "Lambda = 2^-1023", set(wire.Values{"scale": scale("epsilon"), "value": dyad(1, 1023), "f": fl(0)}), "range-end")
	b.one("least-epsilon", "Lambda = 2^1074", set(wire.Values{"scale": scale("epsilon"), "value": dyad(1, -1074), "f": fl(0), "s": sign(-1)}), "range-end")
	b.one("least-precision", "p = 53", wideBase(53), "precision-end")
	b.one("greatest-precision", "p = 4096", with(wideBase(4096), wire.Values{"m": bigBits(4095, -1)}), "precision-end", "near-one")
	if err := b.asSnap(); err != nil {
		return err
	}
	for _, c := range []struct {
		slug, comment string
		set           wire.Values
	}{
		{"precision-52", "", wire.Values{"precision": num(52)}}, {"precision-4097", "", wire.Values{"precision": num(4097)}},
		{"precision-zero", "", wire.Values{"precision": num(0)}}, {"precision-negative", "", wire.Values{"precision": num(-118)}},
		{"precision-wrapped", "2^32 + 118", wire.Values{"precision": num(1<<32 + 118)}}, {"precision-huge", "2^64 + 118", wire.Values{"precision": bigBits(64, 118)}},
		{"value-zero", "", wire.Values{"value": ratio("0")}}, {"value-negative", "", wire.Values{"value": ratio("-1")}},
		{"value-third", "not dyadic", wire.Values{"value": ratio("1/3")}}, {"value-long", "one bit too many", wire.Values{"value": ratValue(real.One().Add(real.Pow2(-118)))}},
		{"value-large", "2^1024", wire.Values{"value": dyad(1, 1024)}}, {"value-small", "2^-1075", wire.Values{"value": dyad(1, -1075)}},
		{"m-limit", "2^117", wire.Values{"m": bigBits(117, 0)}}, {"m-negative", "", wire.Values{"m": num(-1)}}, {"m-huge", "", wire.Values{"m": bigBits(4200, 1)}},
		{"e-zero", "", wire.Values{"e": num(0)}}, {"e-limit", "2^62", wire.Values{"e": num(1 << 62)}}, {"e-huge", "2^128 + 1", wire.Values{"e": bigBits(128, 1)}},
		{"f-nan", "", wire.Values{"f": nan}}, {"lo-nan", "", wire.Values{"lo": nan}}, {"hi-nan", "", wire.Values{"hi": nan}},
		{"lo-inf", "", wire.Values{"lo": fl(-inf)}}, {"hi-inf", "", wire.Values{"hi": fl(inf)}}, {"lo-above-hi", "", wire.Values{"lo": fl(1), "hi": fl(-1)}},
	} {
		b.one("reject-"+c.slug, c.comment, set(c.set), "domain")
	}
	return b.collect("any", 120, "edge-weighted draw", gen.SnapWide, func(_ wire.Values, r wire.Result) bool { return short(r) })
}

// wideThird is 1/3 rounded to p bits.
func wideThird(p uint) wire.Value {
	f := spec.Wide(p)
	return ratValue(oracle.Quo(f, spec.FromDyadic(real.One()), spec.FromDyadic(real.FromInt64(3))).Dyadic())
}

// wideTies chooses the scale so that y is an odd multiple of Lambda/2 = 1/2 exactly,
// or one or two places beside it. At 53 bits such a neighbour is the tie itself.
func (b *builder) wideTies(p uint) error {
	f := spec.Wide(p)
	beside := 0
	for j := 0; b.count[fmt.Sprintf("tie-%d", p)] < 4 || b.count[fmt.Sprintf("near-tie-%d", p)] < 6; j++ {
		if j > 200 {
			return fmt.Errorf("no ties at %d bits", p)
		}
		src := b.stream(fmt.Sprintf("tie-%d", p), j)
		odd := int64(1 + 2*(j%3))
		m := new(big.Int)
		for range p/64 + 1 {
			m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(src.Uint64()))
		}
		m.Rsh(m, uint(m.BitLen())-min(uint(m.BitLen()), p-1))
		u := spec.NewU(m, odd+odd/2) // |ln u| in [odd/2, odd) for most m
		ell, err := oracle.LnU(f, u)
		if err != nil {
			return err
		}
		kind := []string{"lambda", "epsilon"}[j/3%2]
		half := spec.FromDyadic(real.NewDyadic(big.NewInt(odd), -1))
		value := oracle.Quo(f, half, ell.Neg())
		if kind == "epsilon" {
			value = oracle.Quo(f, ell.Neg(), half)
		}
		for i, v := range []spec.Value{value, f.NextUp(value), f.NextDown(value)} {
			s := 1 - 2*(j/2%2)
			in := with(wideBase(p), wire.Values{
				"scale": scale(kind), "value": ratValue(v.Dyadic()), "f": fl([]float64{0, -3, 4}[j%3]), "m": wire.NewBig(m), "e": num(u.E), "s": sign(s),
			})
			r := b.judge.Answer(wire.Case{Op: b.op.Op, In: in})
			if r.Reject != "" || r.Out["unit"].Text != "1" {
				break
			}
			twice := new(big.Rat).Add(r.Out["w"].Rat(), r.Out["w"].Rat())
			switch tie := twice.IsInt() && twice.Num().Bit(0) == 1; {
			case tie && b.count[fmt.Sprintf("tie-%d", p)] < 4:
				flags := []string{"tie"}
				if twice.Sign() < 0 {
					flags = []string{"tie-negative"}
				}
				b.add(fmt.Sprintf("tie-%d", p), "the scale makes w a midpoint exactly", in, flags...)
			case !tie && i > 0 && b.count[fmt.Sprintf("near-tie-%d", p)] < 6:
				flags := []string{"near-tie"}
				if p > 53 && !sameIn53(r, in) {
					flags = append(flags, "all-at-p-bits")
					beside++
				}
				b.add(fmt.Sprintf("near-tie-%d", p), "w is next to a midpoint at p bits", in, flags...)
			}
		}
	}
	if p >= 64 && beside == 0 {
		return fmt.Errorf("no near tie at %d bits that 53 bits miss", p)
	}
	return nil
}

// sameIn53 reports whether the sum in binary64, of the y at p bits, rounds to the
// same multiple.
func sameIn53(r wire.Result, in wire.Values) bool {
	z, _ := r.Out["z"].Rat().Float64()
	n := math.Floor(in["f"].Float() + z + 0.5)
	want, _ := r.Out["rounded"].Rat().Float64()
	return n == want
}

// asSnap asks the cases of snap at 53 bits, where no stage leaves binary64's range.
func (b *builder) asSnap() error {
	op, _ := ops.Find("snap")
	cases, err := planned(op, planSnap)
	if err != nil {
		return err
	}
	taken := map[string]int{}
	for _, c := range cases {
		slug := strings.TrimPrefix(c.ID, "snap/")
		group := strings.TrimRight(slug, "0123456789")
		r := b.judge.Answer(c.Case)
		if taken[group] >= 6 || r.Reject != "" {
			continue
		}
		x := new(big.Rat).SetFloat64(c.In["value"].Float())
		in := with(c.In, wire.Values{"precision": num(53), "value": wire.NewRat(x)})
		wide := b.judge.Answer(wire.Case{Op: b.op.Op, In: in})
		if wide.Reject != "" || !short(wide) || !sameStages(r, wide) {
			continue
		}
		taken[group]++
		b.one("as-snap-"+slug, "snap/"+slug+" at 53 bits", in, append([]string{"as-binary64"}, c.Flags...)...)
	}
	return nil
}

// sameStages reports whether a result of snap is one of snap_wide.
func sameStages(snap, wide wire.Result) bool {
	for name, v := range snap.Out {
		x := new(big.Rat).SetFloat64(v.Float()) // nil for an infinity
		if x == nil || x.Cmp(wide.Out[name].Rat()) != 0 {
			return false
		}
	}
	return true
}
