package props

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var roundProperties = []Property{
	{"round-multiple-on-grid", []string{"round_multiple"}, genRound, func(v wire.Voter, p Point) error {
		r, err := rounded(v, p, nil)
		if err != nil || r == nil {
			return err
		}
		if unit := dyadic(p["unit"]); !multiple(r.Dyadic(), unit) {
			return fmt.Errorf("%v is no multiple of %v", r, unit)
		}
		return nil
	}},
	{"round-multiple-nearest", []string{"round_multiple"}, genRound, func(v wire.Voter, p Point) error {
		r, err := rounded(v, p, nil)
		if err != nil || r == nil {
			return err
		}
		if d := r.Dyadic().Sub(dyadic(p["x"])).Abs(); d.Cmp(dyadic(p["unit"]).Shift(-1)) > 0 {
			return fmt.Errorf("%v is %v from x, more than half a unit", r, d)
		}
		return nil
	}},
	{"round-multiple-ties", []string{"round_multiple"}, genTie, func(v wire.Voter, p Point) error {
		r, err := rounded(v, p, nil)
		if err != nil || r == nil {
			return err
		}
		// At a tie, r - x is half a unit up or half a unit down.
		want := dyadic(p["unit"]).Shift(-1)
		if p["ties"].Text == "down" {
			want = want.Neg()
		}
		if d := r.Dyadic().Sub(dyadic(p["x"])); !d.Equal(want) {
			return fmt.Errorf("x is a tie, and becomes %v, which is %v from it", r, d)
		}
		return nil
	}},
	{"round-multiple-idempotent", []string{"round_multiple"}, genMultiple, func(v wire.Voter, p Point) error {
		r, err := rounded(v, p, nil)
		if err != nil || r == nil {
			return err
		}
		// The multiple comes from the definition too, so that a voter that is
		// wrong everywhere is still asked about multiples.
		exact := oracle.NearestMultiple(dyadic(p["x"]), dyadic(p["unit"]).Top(), spec.TiesUp)
		d := spec.FromDyadic(real.NewDyadic(exact, dyadic(p["unit"]).Top()))
		for _, x := range []spec.Value{*r, d} {
			if !b64.Has(x) || !multiple(x.Dyadic(), dyadic(p["unit"])) {
				continue
			}
			again, err := rounded(v, p, wire.Values{"x": encode(x)})
			if err != nil {
				return err
			}
			if again == nil || !again.Same(x) {
				return fmt.Errorf("the multiple %v becomes %v", x, again)
			}
		}
		return nil
	}},
	{"round-multiple-monotone", []string{"round_multiple"}, func(src gen.Source) Point {
		p := genRound(src)
		x2 := above(src, p["x"].Bits())
		p["x"], p["x2"] = orderedPair(p["x"], f64(x2))
		return p
	}, func(v wire.Voter, p Point) error {
		a, err := rounded(v, p, nil)
		if err != nil || a == nil {
			return err
		}
		b, err := rounded(v, p, wire.Values{"x": p["x2"]})
		if err != nil || b == nil {
			return err
		}
		if a.Cmp(*b) > 0 {
			return fmt.Errorf("the result falls from %v to %v", a, b)
		}
		return nil
	}},
	{"round-multiple-odd", []string{"round_multiple"}, genRound, func(v wire.Voter, p Point) error {
		a, err := rounded(v, p, wire.Values{"ties": wire.NewWord(wire.Ties, "up")})
		if err != nil || a == nil {
			return err
		}
		b, err := rounded(v, p, wire.Values{"x": f64(p["x"].Bits() ^ signBit), "ties": wire.NewWord(wire.Ties, "down")})
		if err != nil {
			return err
		}
		if b == nil || !a.Same(b.Neg().PlusZero()) {
			return fmt.Errorf("round(x) with ties up is %v, round(-x) with ties down is %v", a, b)
		}
		return nil
	}},
}

// genRound is a legal case of round_multiple: gen's, with what it makes illegal
// on purpose made legal.
func genRound(src gen.Source) Point {
	p := Point(gen.RoundMultiple(src))
	if !datum(p["x"]).IsFinite() {
		p["x"] = f64(gen.Finite(src))
	}
	if u := datum(p["unit"]); !u.IsFinite() || !u.Dyadic().IsPow2() || u.Sign() < 0 {
		p["unit"] = f64(gen.Pow2(src))
	}
	return p
}

// genMultiple is genRound, half of the time with an odd multiple for x, whose
// length is often that at which x leaves the range of fractions.
func genMultiple(src gen.Source) Point {
	p := genRound(src)
	if pick(src, 2) == 0 {
		return p
	}
	length := []int{1 + pick(src, 53), 53, 52, 51}[pick(src, 4)]
	odd := int64(src.Uint64()>>(64-length) | 1<<(length-1) | 1)
	if x := real.FromInt64(odd).Mul(dyadic(p["unit"])); b64.Contains(x) {
		p["x"] = encode(spec.FromDyadic(x))
		p["x"] = f64(p["x"].Bits() | src.Uint64()&signBit)
	}
	return p
}

// genTie is a tie: an odd multiple of half a unit, of either sign.
func genTie(src gen.Source) Point {
	unit := real.Pow2(int64(pick(src, 17))) // 1 first: ties shrink to ±1/2 of 1
	if pick(src, 2) == 1 {
		unit = dyadic(f64(gen.Pow2(src)))
	}
	if unit.Equal(b64.MinPositive()) {
		unit = unit.Shift(1) // every double is a multiple of 2^-1074
	}
	odd := int64(2*pick(src, 8) + 1)
	if pick(src, 2) == 1 { // of any length that leaves a double
		odd = int64(src.Uint64()>>(11+pick(src, 50)) | 1)
	}
	if pick(src, 4) == 3 { // all ones: the carry runs through
		odd = 1<<(1+pick(src, 53)) - 1
	}
	x := real.FromInt64(odd).Mul(unit.Shift(-1))
	if !b64.Contains(x) {
		x = unit.Shift(-1)
	}
	if pick(src, 2) == 1 {
		x = x.Neg()
	}
	return Point{"x": encode(spec.FromDyadic(x)), "unit": encode(spec.FromDyadic(unit)), "ties": word(src, wire.Ties)}
}

// multiple reports whether d is an integer times the power of two unit.
func multiple(d, unit real.Dyadic) bool { return d.IsZero() || d.Low() >= unit.Top() }

// rounded asks for round_multiple of p with change. It returns nil when that is
// refused as overflow and the nearest multiple is 2^1024 or beyond.
func rounded(v wire.Voter, p Point, change wire.Values) (*spec.Value, error) {
	in := question("round_multiple", p, change)
	r, err := ask(v, "round_multiple", in)
	if err != nil {
		return nil, err
	}
	k := dyadic(in["unit"]).Top()
	over := false
	if x := dyadic(in["x"]); !x.IsZero() && x.Low() < k {
		n := oracle.NearestMultiple(x, k, spec.Ties(in["ties"].Text))
		over = real.NewDyadic(n, k).Abs().Cmp(b64.MaxFinite()) > 0
	}
	if (r.Reject == "overflow") != over || r.Reject != "" && !over {
		return nil, fmt.Errorf("refusal %q; the nearest multiple is beyond the doubles: %v", r.Reject, over)
	}
	if over {
		return nil, nil
	}
	d := datum(r.Out["y"])
	if !d.IsFinite() {
		return nil, fmt.Errorf("%v is no multiple", d)
	}
	return &d, nil
}
