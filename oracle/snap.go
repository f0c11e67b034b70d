package oracle

import (
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Unit returns Lambda, the smallest power of two >= lambda (docs/theory.md 2.2);
// for the epsilon scale, >= 1/epsilon exactly.
func Unit(p spec.SnapParams) (spec.Value, error) {
	if p.Scale == spec.ScaleEpsilon {
		return Pow2CeilInv(p.Format, p.Value)
	}
	return Pow2Ceil(p.Format, p.Value)
}

// SnapF evaluates the floating-point mechanism Snap_F(f; u, s) and returns every
// stage. f may be infinite (it clamps), not NaN. Rejections: domain, then overflow
// of Lambda.
func SnapF(p spec.SnapParams, f spec.Value, u spec.U, s spec.Sign) (spec.Trace, error) {
	var t spec.Trace
	if err := checkSnap(p, f, s); err != nil {
		return t, err
	}
	if err := u.Validate(p.Format); err != nil {
		return t, err
	}
	unit, err := Unit(p)
	if err != nil {
		return t, err
	}
	ell, err := LnU(p.Format, u)
	if err != nil {
		return t, err
	}
	y := Mul(p.Format, p.Value, ell)
	if p.Scale == spec.ScaleEpsilon {
		y = Quo(p.Format, ell, p.Value)
	}
	y = y.PlusZero()
	z := y
	if s < 0 {
		z = y.Neg()
	}
	x := clamp(f, p.Lo, p.Hi)
	w := Add(p.Format, x, z)
	rounded := roundMultiple(p.Format, w, unit.Dyadic().Top(), spec.TiesUp)
	return spec.Trace{
		Unit: unit, Ln: ell, Y: y, Z: z, X: x, W: w, Rounded: rounded,
		R: clamp(rounded, p.Lo, p.Hi),
	}, nil
}

// checkSnap tests the domain of everything but u.
func checkSnap(p spec.SnapParams, f spec.Value, s spec.Sign) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if f.IsNaN() || !p.Format.Has(f) {
		return spec.Reject(spec.Domain, "f", "%v is not a number of %s", f, p.Format.Name)
	}
	if s != 1 && s != -1 {
		return spec.Reject(spec.Domain, "s", "%d is neither +1 nor -1", s)
	}
	return nil
}

// SnapR evaluates the ideal mechanism Snap_R(f; u, s) on the reals, 0 < u < 1
// dyadic, by enclosures: of ln, y and z at relative width 2^-prec or narrower (w is
// as wide as z, which cancellation may make relatively wider), refined until they
// decide the rounded output. They always do: s lambda ln u is transcendental, so
// x + s lambda ln u is never a midpoint between multiples of Lambda.
func SnapR(p spec.SnapParams, f spec.Value, u real.Dyadic, s spec.Sign, prec uint) (spec.TraceR, error) {
	var t spec.TraceR
	if err := checkSnap(p, f, s); err != nil {
		return t, err
	}
	if u.Sign() <= 0 || u.Cmp(real.One()) >= 0 {
		return t, spec.Reject(spec.Domain, "u", "%v is not in (0, 1)", u)
	}
	unit, err := Unit(p)
	if err != nil {
		return t, err
	}
	k := unit.Dyadic().Top()
	t.Unit = unit.Dyadic()
	t.X = clamp(f, p.Lo, p.Hi).Dyadic()
	for prec = max(prec, 8); ; prec *= 2 {
		if err := encloseStages(&t, p, u, s, prec); err != nil {
			return spec.TraceR{}, err
		}
		n := NearestMultiple(t.W.Lo, k, spec.TiesUp)
		if n.Cmp(NearestMultiple(t.W.Hi, k, spec.TiesUp)) == 0 {
			t.Rounded = real.NewDyadic(n, k)
			t.R = real.Min(p.Hi.Dyadic(), real.Max(p.Lo.Dyadic(), t.Rounded))
			return t, nil
		}
	}
}

// encloseStages fills in ln, y, z and w.
func encloseStages(t *spec.TraceR, p spec.SnapParams, u real.Dyadic, s spec.Sign, prec uint) (err error) {
	if t.Ln, err = real.Ln(u, prec+4); err != nil {
		return err
	}
	scale := real.Point(p.Value.Dyadic())
	if p.Scale == spec.ScaleEpsilon {
		if t.Y, err = t.Ln.Quo(scale, prec+4); err != nil {
			return err
		}
	} else {
		t.Y = t.Ln.Mul(scale, prec+4)
	}
	t.Z = t.Y
	if s < 0 {
		t.Z = t.Y.Neg()
	}
	t.W = real.Point(t.X).Add(t.Z, prec+4)
	return nil
}
