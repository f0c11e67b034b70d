package proofs

import (
	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// subject is the code that checks are about, beside the oracle. Tests put wrong
// code in its place and expect the checks to fail.
type subject struct {
	round   func(x, unit float64, t spec.Ties) (float64, error)
	clamp   func(x, lo, hi float64) (float64, error)
	unit    func(lambda float64) (float64, error)
	unitInv func(epsilon float64) (float64, error)
	ln      func(m uint64, e int64) float64
	uniform func(tape []byte, k spec.Kind) (m uint64, e int64, consumed int, err error)
	add     func(a, b spec.Value) spec.Value // the addition to f, in the oracle's evaluation
}

// honest is the code as it is.
func honest() subject {
	return subject{
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
		add: func(a, b spec.Value) spec.Value { return oracle.Add(spec.Binary64, a, b) },
	}
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
