package proofs

import (
	"iter"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// subject is all that a check relies on without computing it itself. Tests put
// something wrong in one place and expect the check to fail.
type subject struct {
	code
	reference
	quantities
	inFormat inFormat // of proofs/any-precision.md

	given  map[string]string  // numbers of a statement or a witness that a test changes, by name
	factor map[string]float64 // factors that a test puts on right sides, by comparison
}

// code is the implementation.
type code struct {
	round     func(x, unit float64, t spec.Ties) (float64, error)
	clamp     func(x, lo, hi float64) (float64, error)
	unit      func(lambda float64) (float64, error)
	unitInv   func(epsilon float64) (float64, error)
	ln        func(m uint64, e int64) float64
	uniform   func(tape []byte, k spec.Kind) (m uint64, e int64, consumed int, err error)
	calibrate func(epsilon, sensitivity, lo, hi float64, c spec.Claim) (lambda, achieved float64, err error)
}

// reference is the oracle, the enclosures and the kernel.
type reference struct {
	fl            func(f spec.Format, d real.Dyadic) spec.Value
	add, mul, quo func(f spec.Format, a, b spec.Value) spec.Value
	lnOf          func(f spec.Format, x spec.Value) (spec.Value, error)
	lnU           func(f spec.Format, u spec.U) (spec.Value, error)
	roundMultiple func(f spec.Format, x, unit spec.Value, t spec.Ties) (spec.Value, error)
	pow2Ceil      func(f spec.Format, x spec.Value) (spec.Value, error)
	pow2CeilInv   func(f spec.Format, x spec.Value) (spec.Value, error)
	clampTo       func(x, lo, hi spec.Value) (spec.Value, error)
	unitOf        func(p spec.SnapParams) (spec.Value, error)
	snapF         func(p spec.SnapParams, f spec.Value, u spec.U, s spec.Sign) (spec.Trace, error)
	snapR         func(p spec.SnapParams, f spec.Value, u real.Dyadic, s spec.Sign, prec uint) (spec.TraceR, error)
	scaleFor      func(g oracle.Budget, c spec.Claim) (oracle.Calibration, error)
	draw          func(f spec.Format, k spec.Kind, tape []byte) (spec.U, int, error)
	lnEnclosed    func(x real.Dyadic, prec uint) (real.Interval, error)
	times         func(x, y real.Interval, prec uint) real.Interval
	over          func(x, y real.Interval, prec uint) (real.Interval, error)
	concluded     func(j kernel.Judgment) real.Interval
	contains      func(f spec.Format, d real.Dyadic) bool
	floorOf       func(c spec.Claim, f spec.Format) real.Dyadic
	distribution  func(p spec.SnapParams, k spec.Kind, f spec.Value) (iter.Seq2[spec.Value, Num], error)
	delta         func(p spec.SnapParams, k spec.Kind, f, f2 spec.Value, epsilon *big.Rat, prec uint) (real.Interval, error)
}

// quantities are the definitions of the proofs, as the checks compute them.
type quantities struct {
	eta      func(f spec.Format) real.Dyadic
	half     func(k int64) real.Dyadic                                          // Lambda/2
	below    func(c real.Dyadic) real.Dyadic                                    // t(c)
	above    func(A real.Dyadic, strict bool) (real.Dyadic, int64)              // A+ and the exponent of g
	midAbove func(v *big.Rat, strict bool) real.Dyadic                          // v°
	succ     func(d draws, n *big.Int) real.Dyadic                              // the draw after number n
	spread   func(a, b real.Dyadic) real.Dyadic                                 // |a - b|
	alpha    func(f spec.Format, sign int) real.Dyadic                          // half the smallest positive number
	corners  func(a, b [2]*big.Rat, op func(x, y *big.Rat) *big.Rat) []*big.Rat // op of the ends
	recipe   func(x float64) float64                                            // eq. (4.2) of Covington 2019
}

// honest is everything as it is.
func honest() subject {
	return subject{
		code: code{
			round: func(x, unit float64, t spec.Ties) (float64, error) {
				return derand.RoundMultiple(x, unit, tiesOf(t))
			},
			clamp:   derand.Clamp,
			unit:    derand.Pow2Ceil,
			unitInv: derand.Pow2CeilInv,
			ln:      impl.LnPair,
			uniform: func(tape []byte, k spec.Kind) (uint64, int64, int, error) {
				return derand.Uniform(tape, kindOf(k))
			},
			calibrate: func(epsilon, sensitivity, lo, hi float64, c spec.Claim) (float64, float64, error) {
				lambda, _, achieved, _, err := derand.Calibrate(epsilon, sensitivity, lo, hi, c.C, c.A, c.Floor)
				return lambda, achieved, err
			},
		},
		reference: reference{
			fl: oracle.Round, add: oracle.Add, mul: oracle.Mul, quo: oracle.Quo, lnOf: oracle.Ln, lnU: oracle.LnU,
			roundMultiple: oracle.RoundMultiple, pow2Ceil: oracle.Pow2Ceil, pow2CeilInv: oracle.Pow2CeilInv,
			clampTo: oracle.Clamp, unitOf: oracle.Unit, snapF: oracle.SnapF, snapR: oracle.SnapR,
			scaleFor: oracle.Calibrate, draw: oracle.Uniform, lnEnclosed: real.Ln,
			times: real.Interval.Mul, over: real.Interval.Quo, concluded: kernel.Judgment.Interval,
			contains: spec.Format.Contains, floorOf: spec.EpsilonFloor,
			distribution: distributionOf, delta: oracle.Delta,
		},
		quantities: quantities{
			eta:   spec.Format.Eta,
			half:  func(k int64) real.Dyadic { return real.Pow2(k - 1) },
			below: midBelow, above: above, midAbove: midAbove,
			succ:    func(d draws, n *big.Int) real.Dyadic { return d.value(addInt(n, 1)) },
			spread:  func(a, b real.Dyadic) real.Dyadic { return a.Sub(b).Abs() },
			alpha:   func(f spec.Format, _ int) real.Dyadic { return real.Pow2(f.EMin - int64(f.Precision)) },
			corners: corners,
			recipe:  eq42,
		},
		inFormat: rightInFormat(),
	}
}

// etaNum is eta of binary64, as the statements reckon with it.
func (s subject) etaNum() Num { return dyNum(s.eta(spec.Binary64)) }

// corners are the four values of op at the ends of two intervals.
func corners(a, b [2]*big.Rat, op func(x, y *big.Rat) *big.Rat) (all []*big.Rat) {
	for _, x := range a {
		for _, y := range b {
			all = append(all, op(x, y))
		}
	}
	return all
}

func tiesOf(t spec.Ties) derand.Ties {
	if t == spec.TiesDown {
		return derand.TiesDown
	}
	return derand.TiesUp
}

func kindOf(k spec.Kind) derand.Kind {
	if k == spec.FloatRange {
		return derand.Binary64
	}
	return derand.Unbounded
}
