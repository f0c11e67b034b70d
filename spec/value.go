package spec

import (
	"cmp"
	"math"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

type class uint8

const (
	classFinite class = iota // not zero
	classZero
	classInf
	classNaN
)

// Value is a floating-point datum of any format: a finite dyadic number, a zero
// with its sign, an infinity or NaN. The zero Value is not a datum; use Zero.
type Value struct {
	class class
	neg   bool
	d     real.Dyadic
}

// Zero returns +0, or -0 if neg.
func Zero(neg bool) Value { return Value{class: classZero, neg: neg} }

// Inf returns +Inf, or -Inf if neg.
func Inf(neg bool) Value { return Value{class: classInf, neg: neg} }

// NaN returns the NaN.
func NaN() Value { return Value{class: classNaN} }

// FromDyadic returns the datum with value d; 0 gives +0.
func FromDyadic(d real.Dyadic) Value {
	if d.IsZero() {
		return Zero(false)
	}
	return Value{class: classFinite, neg: d.Sign() < 0, d: d}
}

// FromFloat64 returns x as a datum of binary64, by its bits.
func FromFloat64(x float64) Value { return FromBits64(math.Float64bits(x)) }

// FromBits64 returns the datum with the given binary64 encoding.
func FromBits64(b uint64) Value {
	v, err := Binary64.Decode(b)
	if err != nil { // cannot happen: every 64-bit pattern is a datum
		return NaN()
	}
	return v
}

// IsNaN reports whether v is NaN.
func (v Value) IsNaN() bool { return v.class == classNaN }

// IsInf reports whether v is an infinity.
func (v Value) IsInf() bool { return v.class == classInf }

// IsZero reports whether v is +0 or -0.
func (v Value) IsZero() bool { return v.class == classZero }

// IsFinite reports whether v is a zero or a finite number.
func (v Value) IsFinite() bool { return v.class == classFinite || v.class == classZero }

// Signbit reports whether v is negative or -0.
func (v Value) Signbit() bool { return v.neg }

// Sign returns -1, 0, +1 as v < 0, v = ±0, v > 0; 0 for NaN.
func (v Value) Sign() int {
	switch {
	case v.class == classZero || v.class == classNaN:
		return 0
	case v.neg:
		return -1
	}
	return 1
}

// Dyadic returns the exact value of a finite datum, 0 for the others.
func (v Value) Dyadic() real.Dyadic { return v.d }

// Neg returns v with its sign flipped; NaN stays NaN.
func (v Value) Neg() Value {
	if v.class != classNaN {
		v.neg = !v.neg
		v.d = v.d.Neg()
	}
	return v
}

// PlusZero returns +0 if v is a zero, and v otherwise.
func (v Value) PlusZero() Value {
	if v.class == classZero {
		return Zero(false)
	}
	return v
}

// Cmp compares two data that are not NaN as numbers: -0 and +0 are equal,
// infinities are the ends.
func (v Value) Cmp(w Value) int {
	if v.class == classInf || w.class == classInf {
		return cmp.Compare(v.infRank(), w.infRank())
	}
	return v.d.Cmp(w.d)
}

func (v Value) infRank() int {
	if v.class != classInf {
		return 0
	}
	return v.Sign()
}

// Same reports whether v and w are the same datum; -0 and +0 differ, NaN is NaN.
func (v Value) Same(w Value) bool {
	return v.class == w.class && v.neg == w.neg && v.d.Equal(w.d)
}

// String writes v exactly: a hexadecimal floating-point number, ±0, ±Inf or NaN.
func (v Value) String() string {
	switch v.class {
	case classNaN:
		return "NaN"
	case classInf:
		if v.neg {
			return "-Inf"
		}
		return "+Inf"
	case classZero:
		if v.neg {
			return "-0"
		}
		return "+0"
	}
	return v.d.String()
}
