package spec

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Format is the binary floating-point format F(p, emin, emax): Precision bits of
// significand, gradual underflow, smallest positive number 2^(EMin-Precision+1),
// largest finite (2 - 2^(1-Precision))·2^EMax. See docs/theory.md 1.
type Format struct {
	Name       string
	Precision  uint
	EMin, EMax int64
}

// The formats in practical use.
var (
	Binary64 = Format{"binary64", 53, -1022, 1023}
	Binary32 = Format{"binary32", 24, -126, 127}
	Binary16 = Format{"binary16", 11, -14, 15}
	BFloat16 = Format{"bfloat16", 8, -126, 127}
)

// Limits on a Format, so that exact sums of its numbers stay small enough to write down.
const (
	MaxPrecision = 1 << 16
	MaxExponent  = 1 << 20
)

// Small returns the format with the given parameters, named after them.
func Small(precision uint, emin, emax int64) Format {
	return Format{fmt.Sprintf("F(%d,%d,%d)", precision, emin, emax), precision, emin, emax}
}

// Validate returns an error unless 2 <= Precision <= MaxPrecision and
// -MaxExponent <= EMin <= 0 <= EMax <= MaxExponent.
func (f Format) Validate() error {
	if f.Precision < 2 || f.Precision > MaxPrecision {
		return fmt.Errorf("spec: format %s: precision %d is not in [2, %d]", f.Name, f.Precision, MaxPrecision)
	}
	if f.EMin < -MaxExponent || f.EMin > 0 || f.EMax < 0 || f.EMax > MaxExponent {
		return fmt.Errorf("spec: format %s: exponents [%d, %d] do not satisfy -2^20 <= emin <= 0 <= emax <= 2^20",
			f.Name, f.EMin, f.EMax)
	}
	return nil
}

// Quantum is the exponent of the smallest positive number, EMin-Precision+1.
func (f Format) Quantum() int64 { return f.EMin - int64(f.Precision) + 1 }

// MinPositive is 2^(EMin-Precision+1).
func (f Format) MinPositive() real.Dyadic { return real.Pow2(f.Quantum()) }

// MaxFinite is (2 - 2^(1-Precision))·2^EMax.
func (f Format) MaxFinite() real.Dyadic {
	m := new(big.Int).Lsh(big.NewInt(1), f.Precision)
	return real.NewDyadic(m.Sub(m, big.NewInt(1)), f.EMax-int64(f.Precision)+1)
}

// Eta is 2^-Precision, the largest eta with fl(1 + eta) = 1.
func (f Format) Eta() real.Dyadic { return real.Pow2(-int64(f.Precision)) }

// UlpExponent returns the exponent of the unit in the last place of the numbers
// of the binade of d (of the subnormals, below it): the spacing is 2^UlpExponent.
func (f Format) UlpExponent(d real.Dyadic) int64 {
	if d.IsZero() {
		return f.Quantum()
	}
	return max(d.Top()-int64(f.Precision)+1, f.Quantum())
}

// Contains reports whether d is a finite number of the format.
func (f Format) Contains(d real.Dyadic) bool {
	return d.IsZero() || d.Top() <= f.EMax && d.Low() >= f.UlpExponent(d)
}

// Has reports whether v is a datum of the format; zeros, infinities and NaN always are.
func (f Format) Has(v Value) bool { return !v.IsFinite() || f.Contains(v.d) }

// NextUp returns the least datum above v: NextUp of the largest finite number is
// +Inf, of a zero the smallest positive number, of the negative number nearest 0
// it is -0. Infinities and NaN are returned as they are (-Inf gives the least finite).
func (f Format) NextUp(v Value) Value {
	switch {
	case v.IsNaN():
		return v
	case v.IsInf():
		if v.neg {
			return FromDyadic(f.MaxFinite().Neg())
		}
		return v
	}
	d := v.d
	step := f.UlpExponent(d)
	if d.Sign() < 0 && d.Abs().IsPow2() && step > f.Quantum() {
		step-- // the spacing below a power of two is half of that above it
	}
	up := d.Add(real.Pow2(step))
	switch {
	case up.IsZero():
		return Zero(true)
	case up.Cmp(f.MaxFinite()) > 0:
		return Inf(false)
	}
	return FromDyadic(up)
}

// NextDown returns the greatest datum below v, -NextUp(-v).
func (f Format) NextDown(v Value) Value { return f.NextUp(v.Neg()).Neg() }

// ExponentBits returns the width of the exponent field of the IEEE 754
// interchange encoding. ok is false when the format has none (emin is not
// 1 - emax, emax + 1 no power of two) or it takes more than 64 bits.
func (f Format) ExponentBits() (w uint, ok bool) {
	if f.EMin != 1-f.EMax || f.EMax < 1 || (f.EMax+1)&f.EMax != 0 {
		return 0, false
	}
	w = uint(bits.Len64(uint64(f.EMax))) + 1
	return w, w+f.Precision <= 64
}

// Decode returns the datum with the given interchange encoding, in the low bits of b.
func (f Format) Decode(b uint64) (Value, error) {
	w, ok := f.ExponentBits()
	if !ok {
		return Value{}, fmt.Errorf("spec: format %s has no interchange encoding", f.Name)
	}
	frac := f.Precision - 1
	m := b & (1<<frac - 1)
	e := int64(b >> frac & (1<<w - 1))
	neg := b>>(frac+w)&1 == 1
	if frac+w < 63 && b>>(frac+w+1) != 0 {
		return Value{}, fmt.Errorf("spec: %#x has bits beyond the %d of %s", b, frac+w+1, f.Name)
	}
	var d real.Dyadic
	switch e {
	case 1<<w - 1:
		if m != 0 {
			return NaN(), nil
		}
		return Inf(neg), nil
	case 0:
		if m == 0 {
			return Zero(neg), nil
		}
		d = real.FromUint64(m, f.Quantum())
	default:
		d = real.FromUint64(m|1<<frac, e-1+f.Quantum())
	}
	if neg {
		d = d.Neg()
	}
	return FromDyadic(d), nil
}

// Encode returns the interchange encoding of v; NaN gives the quiet NaN with an
// empty payload.
func (f Format) Encode(v Value) (uint64, error) {
	w, ok := f.ExponentBits()
	if !ok {
		return 0, fmt.Errorf("spec: format %s has no interchange encoding", f.Name)
	}
	if !f.Has(v) {
		return 0, fmt.Errorf("spec: %v is not a datum of %s", v, f.Name)
	}
	frac := f.Precision - 1
	var b uint64
	switch {
	case v.IsNaN():
		return (1<<w-1)<<frac | 1<<(frac-1), nil
	case v.IsInf():
		b = (1<<w - 1) << frac
	case !v.IsZero():
		q := f.UlpExponent(v.d)
		b = v.d.Abs().Floor(q).Uint64() // significand with its leading bit
		if b>>frac != 0 {
			b += uint64(q-f.Quantum()) << frac // the leading bit adds the missing 1
		}
	}
	if v.neg {
		b |= 1 << (frac + w)
	}
	return b, nil
}
