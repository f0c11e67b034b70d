package mutants

import (
	"errors"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// stages is the mechanism as a chain of replaceable functions. right fills in
// the implementation's; a mutant replaces one or two.
type stages struct {
	ln     func(x float64) float64          // x > 0, finite
	lnPair func(m uint64, e int64) float64  // of a draw
	ceil   func(x float64) (float64, error) // Lambda
	ceilOf func(x float64) (float64, error) // Lambda of 1/x
	round  func(x, unit float64, t derand.Ties) float64

	clampIn, clampOut func(x, lo, hi float64) float64

	scale    func(p derand.SnapParams, ell float64) float64 // y
	signed   func(y float64, s int) float64                 // z
	add      func(p derand.SnapParams, t derand.Trace, s int) float64
	plusZero func(x float64) float64
	finish   func(g *stages, p derand.SnapParams, t *derand.Trace) error // rounded and r

	bit  func(tape []byte, i int) int
	draw func(t *tape, kind derand.Kind) (u draw, again bool, err error)
	// signInverted exchanges the meanings of the sign bit.
	signInverted bool
	signAgain    bool // the sign is drawn again when U* is
	tapeFirst    bool // the tape is read before the parameters are checked
	nanIsZero    bool // a NaN answer counts as 0
	calibrator   calibrator
	// calibrate replaces calibrator when it is set.
	calibrate func(epsilon, d, lo, hi float64, c, a, b int64) (calibration, error)
}

// draw is u = (1 + m 2^-52) 2^-e.
type draw struct {
	m uint64
	e int64
}

func right() *stages {
	return &stages{
		ln: impl.Ln, lnPair: impl.LnPair, ceil: derand.Pow2Ceil, ceilOf: derand.Pow2CeilInv, round: round,
		clampIn: clamp, clampOut: clamp,
		scale: func(p derand.SnapParams, ell float64) float64 {
			if p.Scale == impl.InverseEpsilon {
				return float64(ell / p.Value)
			}
			return float64(p.Value * ell)
		},
		signed:   func(y float64, s int) float64 { return y * float64(s) },
		add:      func(_ derand.SnapParams, t derand.Trace, _ int) float64 { return float64(t.X + t.Z) },
		plusZero: plusZero,
		finish: func(g *stages, p derand.SnapParams, t *derand.Trace) error {
			t.Rounded = g.round(t.W, t.Unit, derand.TiesUp)
			t.R = g.clampOut(t.Rounded, p.Lo, p.Hi)
			return nil
		},
		bit:        func(tape []byte, i int) int { return int(tape[i/8] >> (7 - i%8) & 1) },
		draw:       uniform,
		calibrator: calibrator{etaBits: 53, lambda: upward, achieved: upward, prime: downward},
	}
}

// round is derand.RoundMultiple with infinities carried.
func round(x, unit float64, t derand.Ties) float64 {
	if math.IsInf(x, 0) {
		return x
	}
	y, err := derand.RoundMultiple(x, unit, t)
	if err != nil { // an overflow: unit is always a power of two
		return math.Copysign(math.Inf(1), x)
	}
	return y
}

// clamp is derand.Clamp of checked bounds.
func clamp(x, lo, hi float64) float64 {
	y, err := derand.Clamp(x, lo, hi)
	if err != nil {
		return math.NaN()
	}
	return y
}

func plusZero(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}

// check tests the domain of the parameters and of f.
func (g *stages) check(p derand.SnapParams, f float64) error {
	if _, err := derand.Pow2Ceil(p.Value); err != nil && isDomain(err) {
		return err
	}
	if _, err := derand.Clamp(0, p.Lo, p.Hi); err != nil {
		return err
	}
	if math.IsNaN(f) && !g.nanIsZero {
		return &impl.DomainError{Argument: "f", Detail: "is NaN"}
	}
	return nil
}

func isDomain(err error) bool {
	var d *impl.DomainError
	return errors.As(err, &d)
}

// unit is Lambda.
func (g *stages) unit(p derand.SnapParams) (float64, error) {
	if p.Scale == impl.InverseEpsilon {
		return g.ceilOf(p.Value)
	}
	return g.ceil(p.Value)
}

// snap is the chain. Parameters and draw are checked.
func (g *stages) snap(p derand.SnapParams, f float64, u draw, s int) (t derand.Trace, err error) {
	if t.Unit, err = g.unit(p); err != nil {
		return t, err
	}
	if math.IsNaN(f) {
		f = 0
	}
	t.X = g.clampIn(f, p.Lo, p.Hi)
	t.Ln = g.lnPair(u.m, u.e)
	t.Y = plusZero(g.scale(p, t.Ln))
	t.Z = g.signed(t.Y, s)
	t.W = g.add(p, t, s)
	if err = g.finish(g, p, &t); err != nil {
		return t, err
	}
	t.Rounded, t.R = g.plusZero(t.Rounded), g.plusZero(t.R)
	return t, nil
}

// release is the chain on a tape: the sign, then U*, drawn until it is not zero.
func (g *stages) release(p derand.SnapParams, f float64, bytes []byte, kind derand.Kind) (r float64, consumed int, err error) {
	t := &tape{bytes: bytes, bit: g.bit}
	test := func() error {
		if err := g.check(p, f); err != nil {
			return err
		}
		_, err := g.unit(p)
		return err
	}
	if !g.tapeFirst {
		if err := test(); err != nil {
			return 0, 0, err
		}
	}
	s, err := t.take(1)
	if err != nil {
		return 0, 0, err
	}
	if g.signInverted {
		s = 1 - s
	}
	u, again, err := g.draw(t, kind)
	for ; again && err == nil; u, again, err = g.draw(t, kind) {
		if g.signAgain {
			if s, err = t.take(1); err != nil {
				return 0, 0, err
			}
		}
	}
	if err != nil {
		return 0, 0, err
	}
	if g.tapeFirst {
		if err := test(); err != nil {
			return 0, 0, err
		}
	}
	tr, err := g.snap(p, f, u, 1-2*int(s))
	return tr.R, t.used, err
}
