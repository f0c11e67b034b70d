package gen

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// snapParams returns scale kind, value and bounds, and about what lambda is.
func snapParams(src Source) (v wire.Values, lambda float64) {
	scale := word(src, wire.ScaleOf)
	value := Moderate(src)
	size := Moderate
	if pick(src, 4) == 3 {
		value = Positive(src)
		size = Positive
	}
	lambda = math.Float64frombits(value)
	if scale.Text == "epsilon" {
		lambda = 1 / lambda
	}
	lo, hi := Bounds(src, size)
	if pick(src, 2) == 0 { // bounds some units wide
		b := lambda * float64(1+pick(src, 1000)) * 0.75
		if !math.IsInf(b, 0) && b > 0 {
			hi = math.Float64bits(b)
			lo = hi | signBit
		}
	}
	return wire.Values{
		"scale": scale, "value": f64(rarely(src, func(Source) uint64 { return value }, Special)),
		"lo": f64(lo), "hi": f64(hi),
	}, lambda
}

// answer returns f: inside the bounds, at them, beyond them, infinite, NaN.
func answer(src Source, lo, hi float64) uint64 {
	return choose(src,
		func(Source) uint64 { return 0 },
		func(s Source) uint64 {
			t := float64(s.Uint64()>>11) * 0x1p-53
			return math.Float64bits(lo*(1-t) + hi*t)
		},
		func(s Source) uint64 { return math.Float64bits(lo) ^ s.Uint64()&1 },
		func(s Source) uint64 { return math.Float64bits(hi) ^ s.Uint64()&1 },
		Finite,
		func(s Source) uint64 { return rarely(s, Finite, Special) },
		func(s Source) uint64 { return bitsInf | s.Uint64()&signBit },
	)
}

// Snap is a case of snap. In half of the cases f is placed so that w falls on or
// next to a midpoint between two multiples of Lambda, or at the midpoint of two
// doubles, as far as a hardware logarithm can tell.
func Snap(src Source) wire.Values {
	v, lambda := snapParams(src)
	m, e := Draw(src)
	sign := word(src, wire.Sign)
	f := answer(src, v["lo"].Float(), v["hi"].Float())
	if pick(src, 2) == 1 {
		z := lambda * (math.Log1p(float64(m)*0x1p-52) - float64(e)*math.Ln2)
		if sign.Text == "-1" {
			z = -z
		}
		_, k := math.Frexp(lambda)
		half := math.Ldexp(1, k-1)
		n := float64(pick(src, 9) - 4)
		near := (2*n+1)*half - z
		if !math.IsInf(near, 0) && !math.IsNaN(near) && near != 0 {
			b := math.Float64bits(near)
			f = step(b&^uint64(signBit), nudge(src)) | b&signBit
		}
	}
	v["f"], v["s"] = f64(f), sign
	v["m"], v["e"] = wire.NewUint(m), wire.NewInt(e)
	return v
}

// SnapRelease is a case of snap_release.
func SnapRelease(src Source) wire.Values {
	v, _ := snapParams(src)
	v["f"] = f64(answer(src, v["lo"].Float(), v["hi"].Float()))
	u := Uniform(src)
	v["tape"], v["kind"] = u["tape"], u["kind"]
	return v
}
