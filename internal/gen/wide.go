package gen

import (
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Precisions are those that the wide operations are asked at: the least, around a
// machine word and two, that of the literature, and long ones.
var Precisions = []uint{118, 53, 54, 64, 65, 113, 119, 128, 237, 1024}

// wideBits returns n bits: none, one, a run of leading or trailing ones, any.
func wideBits(src Source, n uint) *big.Int {
	one := big.NewInt(1)
	all := new(big.Int).Lsh(one, n)
	all.Sub(all, one)
	return choose(src,
		func(Source) *big.Int { return new(big.Int) },
		func(s Source) *big.Int { return new(big.Int).Lsh(one, uint(between(s, 0, int64(n)-1))) },
		func(s Source) *big.Int {
			x := new(big.Int)
			for range (n + 63) / 64 {
				x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(s.Uint64()))
			}
			return x.And(x, all)
		},
		func(s Source) *big.Int { return new(big.Int).Rsh(all, uint(between(s, 0, int64(n)-1))) },
		func(s Source) *big.Int { // leading ones: u near 1 when e is 1
			x := new(big.Int).Rsh(all, uint(between(s, 0, int64(n)-1)))
			return x.Sub(all, x)
		},
		func(s Source) *big.Int { // all ones but few at the end
			return new(big.Int).Sub(all, new(big.Int).SetUint64(s.Uint64()>>between(s, 32, 63)))
		},
	)
}

// wideScale returns 1.m 2^k as a rational, of p bits, and about what it is.
func wideScale(src Source, p uint) (*big.Rat, float64) {
	k := between(src, -24, 24)
	switch pick(src, 8) {
	case 7:
		k = between(src, -1074, 1023)
	case 0, 1, 2:
		k = 0
	}
	m := wideBits(src, p-1)
	m.SetBit(m, int(p-1), 1)
	x := new(big.Float).SetInt(m)
	x.SetMantExp(x, int(k)-int(p-1))
	r, _ := x.Rat(nil)
	near, _ := x.Float64()
	return r, near
}

// SnapWide is a case of snap_wide. Half of the true answers put w on or next to a
// midpoint between two multiples of Lambda: exactly so, since at a double's
// distance the sum at p bits is often exact.
func SnapWide(src Source) wire.Values {
	p := Precisions[pick(src, len(Precisions))]
	scale := word(src, wire.ScaleOf)
	value, lambda := wideScale(src, p)
	if scale.Text == "epsilon" {
		lambda = 1 / lambda
	}
	lo, hi := Bounds(src, Moderate)
	if b := lambda * float64(1+pick(src, 1000)) * 0.75; pick(src, 2) == 0 && b > 0 && !math.IsInf(b, 0) {
		hi = math.Float64bits(b)
		lo = hi | signBit
	}
	m := wideBits(src, p-1)
	_, e := Draw(src)
	if pick(src, 2) == 0 {
		e = 1 + e%6
	}
	sign := word(src, wire.Sign)
	f := answer(src, math.Float64frombits(lo), math.Float64frombits(hi))
	if pick(src, 2) == 1 {
		frac, _ := new(big.Float).SetMantExp(new(big.Float).SetInt(m), 1-int(p)).Float64()
		z := lambda * (math.Log1p(frac) - float64(e)*math.Ln2)
		if sign.Text == "-1" {
			z = -z
		}
		_, k := math.Frexp(lambda)
		near := float64(2*(pick(src, 9)-4)+1)*math.Ldexp(1, k-1) - z
		if !math.IsInf(near, 0) && !math.IsNaN(near) && near != 0 {
			b := math.Float64bits(near)
			f = step(b&^uint64(signBit), nudge(src)) | b&signBit
		}
	}
	v := wire.Values{
		"precision": wire.NewInt(int64(p)), "scale": scale, "value": wire.NewRat(value), "lo": f64(lo), "hi": f64(hi), "f": f64(f),
		"m": wire.NewBig(m), "e": wire.NewInt(e), "s": sign,
	}
	switch pick(src, 64) { // what is refused
	case 63:
		v["precision"] = wire.NewInt([]int64{52, 0, -1, 4097, 1 << 40}[pick(src, 5)])
	case 62:
		v["value"] = wire.NewRat([]*big.Rat{new(big.Rat), big.NewRat(-1, 1), big.NewRat(1, 3), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1024))}[pick(src, 4)])
	case 61:
		v["m"] = wire.NewBig(new(big.Int).Lsh(big.NewInt(1), p-1))
	case 60:
		v["e"] = wire.NewInt([]int64{0, -1, 1 << 62}[pick(src, 3)])
	}
	return v
}

// WideCalibrate is a case of wide_calibrate: one of snap_calibrate at a precision,
// with budgets at its own floor and bounds at its own edge.
func WideCalibrate(src Source) wire.Values {
	p := Precisions[pick(src, len(Precisions))]
	v := Calibrate(src)
	v["precision"] = wire.NewInt(int64(p))
	small := func(name string) float64 { return float64(v[name].Big().Int64()) }
	switch pick(src, 8) {
	case 7:
		floor := math.Ldexp(small("additive")+small("floor")*small("constant"), -int(p))
		v["epsilon"] = f64(step(math.Float64bits(floor), nudge(src)))
	case 6: // B about 2^(p-7) D/epsilon
		if edge := math.Ldexp(v["sensitivity"].Float()/v["epsilon"].Float(), int(p)-7); edge > 0 && !math.IsInf(edge, 0) {
			hi := step(math.Float64bits(edge), nudge(src))
			v["lo"], v["hi"] = f64(hi|signBit), f64(hi)
		}
	}
	if pick(src, 64) == 63 {
		v["precision"] = wire.NewInt([]int64{52, 0, -1, 4097, 1 << 40}[pick(src, 5)])
	}
	return v
}
