package oracle

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Add returns a (+) b: IEEE 754 addition, ties to even. An exact zero sum of
// operands of different sign is +0.
func Add(f spec.Format, a, b spec.Value) spec.Value {
	switch {
	case a.IsNaN() || b.IsNaN():
		return spec.NaN()
	case a.IsInf() && b.IsInf() && a.Signbit() != b.Signbit():
		return spec.NaN()
	case a.IsInf():
		return a
	case b.IsInf():
		return b
	case a.IsZero() && b.IsZero() && a.Signbit() == b.Signbit():
		return a
	}
	return Round(f, a.Dyadic().Add(b.Dyadic()))
}

// Sub returns a (-) b.
func Sub(f spec.Format, a, b spec.Value) spec.Value { return Add(f, a, b.Neg()) }

// Mul returns a (x) b; 0·Inf is NaN, zeros carry the product of the signs.
func Mul(f spec.Format, a, b spec.Value) spec.Value {
	neg := a.Signbit() != b.Signbit()
	switch {
	case a.IsNaN() || b.IsNaN() || a.IsInf() && b.IsZero() || a.IsZero() && b.IsInf():
		return spec.NaN()
	case a.IsInf() || b.IsInf():
		return spec.Inf(neg)
	case a.IsZero() || b.IsZero():
		return spec.Zero(neg)
	}
	return Round(f, a.Dyadic().Mul(b.Dyadic()))
}

// Quo returns a (/) b; 0/0 and Inf/Inf are NaN, x/0 is an infinity.
func Quo(f spec.Format, a, b spec.Value) spec.Value {
	neg := a.Signbit() != b.Signbit()
	switch {
	case a.IsNaN() || b.IsNaN() || a.IsInf() && b.IsInf() || a.IsZero() && b.IsZero():
		return spec.NaN()
	case a.IsInf() || b.IsZero():
		return spec.Inf(neg)
	case b.IsInf() || a.IsZero():
		return spec.Zero(neg)
	}
	// A quotient of dyadics is hardly ever dyadic, and never a midpoint unless it
	// is one exactly: with more than p + 2 bits kept, an inexact quotient may be
	// replaced by any number strictly between the same two neighbours at that
	// precision. The middle of the enclosure is one, and has one bit more.
	x, err := real.Point(a.Dyadic()).Quo(real.Point(b.Dyadic()), f.Precision+3)
	if err != nil {
		return spec.NaN() // not reached: b is not zero
	}
	return Round(f, x.Lo.Add(x.Hi).Shift(-1))
}

// Ln returns LN(x), the correctly rounded natural logarithm of a finite positive
// datum; LN(1) = +0. Anything else is a domain rejection.
func Ln(f spec.Format, x spec.Value) (spec.Value, error) {
	if !x.IsFinite() || x.Sign() <= 0 || !f.Has(x) {
		return spec.Value{}, spec.Reject(spec.Domain, "x", "%v is not a finite positive number of %s", x, f.Name)
	}
	return lnDyadic(f, x.Dyadic())
}

// LnU returns LN(u) of a draw u, which need not be a number of the format.
func LnU(f spec.Format, u spec.U) (spec.Value, error) {
	if err := u.Validate(f); err != nil {
		return spec.Value{}, err
	}
	return lnDyadic(f, u.Value(f))
}

func lnDyadic(f spec.Format, x real.Dyadic) (spec.Value, error) {
	return refine(f, func(prec uint) (real.Interval, error) { return real.Ln(x, prec) })
}
