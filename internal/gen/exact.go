package gen

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// exactParams returns parameters of snap_prob and snap_loss: mostly a few units or
// some hundreds wide, so that a case is quick, sometimes far from the origin,
// rarely anything.
func exactParams(src Source) wire.Values {
	if pick(src, 16) == 15 {
		v, _ := snapParams(src)
		v["kind"] = word(src, wire.Kind)
		return v
	}
	scale := word(src, wire.ScaleOf)
	value := Moderate(src)
	lambda := math.Float64frombits(value)
	if scale.Text == "epsilon" {
		lambda = 1 / lambda
	}
	b := lambda * math.Ldexp(1+float64(src.Uint64()>>12)*0x1p-52, pick(src, 11)-4) // B/lambda from 1/16 to 128
	lo, hi := -b, b
	switch pick(src, 6) {
	case 0:
		lo = 0
	case 1:
		hi = math.Copysign(lambda*float64(pick(src, 8))/4, -1)
	case 2:
		lo = b * float64(src.Uint64()>>11) * 0x1p-53
	case 3: // far from the origin: doubles some fraction or multiple of lambda apart
		c := lambda * math.Ldexp(1, 40+pick(src, 20))
		lo, hi = c-b, c+b
	}
	if lo > hi {
		lo, hi = hi, lo
	}
	return wire.Values{
		"scale": scale, "value": f64(value), "lo": f64(math.Float64bits(lo)), "hi": f64(math.Float64bits(hi)),
		"kind": word(src, wire.Kind),
	}
}

// inside returns a true answer at or near a place where the cells change: between the
// bounds, at them or one double beside, on a half-integer multiple of the unit.
func inside(src Source, v wire.Values) uint64 {
	lo, hi := v["lo"].Float(), v["hi"].Float()
	if pick(src, 3) == 0 {
		if x := latticePoint(src, v, 0.5); x >= lo && x <= hi {
			return step(math.Float64bits(math.Abs(x)), nudge(src)) | math.Float64bits(x)&signBit
		}
	}
	return answer(src, lo, hi)
}

// latticePoint returns a multiple of the unit, plus shift units, between the bounds.
func latticePoint(src Source, v wire.Values, shift float64) float64 {
	value := v["value"].Float()
	if v["scale"].Text == "epsilon" {
		value = 1 / value
	}
	frac, k := math.Frexp(value)
	if frac == 0.5 {
		k--
	}
	unit := math.Ldexp(1, k)
	lo, hi := v["lo"].Float(), v["hi"].Float()
	t := float64(src.Uint64()>>11) * 0x1p-53
	return (math.Round((lo*(1-t)+hi*t)/unit) + shift) * unit
}

// SnapProb is a case of snap_prob; the output asked for is mostly one.
func SnapProb(src Source) wire.Values {
	v := exactParams(src)
	v["f"] = f64(inside(src, v))
	x := latticePoint(src, v, 0)
	switch pick(src, 8) {
	case 0:
		x = v["lo"].Float()
	case 1:
		x = v["hi"].Float()
	case 2:
		x = math.Float64frombits(rarely(src, Finite, Special))
	}
	v["x"] = f64(math.Float64bits(x))
	return v
}

// SnapLoss is a case of snap_loss, at most some units between the inputs.
func SnapLoss(src Source) wire.Values {
	v := exactParams(src)
	f := inside(src, v)
	v["f"], v["f2"] = f64(f), f64(inside(src, v))
	if pick(src, 2) == 0 {
		d := v["value"].Float()
		if v["scale"].Text == "epsilon" {
			d = 1 / d
		}
		x := math.Float64frombits(f) + d*float64(pick(src, 9)-4)/4
		v["f2"] = f64(math.Float64bits(x))
	}
	return v
}
