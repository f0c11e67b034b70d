package lang

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Arith is floating-point arithmetic in some format, supplied by the caller. No
// method may panic; NaN and infinities are values.
type Arith interface {
	Const(r Number) (spec.Value, error) // fl(r)
	Add(a, b spec.Value) spec.Value
	Sub(a, b spec.Value) spec.Value
	Mul(a, b spec.Value) spec.Value
	Quo(a, b spec.Value) spec.Value
	Ln(a spec.Value) (spec.Value, error)
	Clamp(a, lo, hi spec.Value) (spec.Value, error)
	Round(a, unit spec.Value) (spec.Value, error) // nearest multiple, ties toward +inf
}

// ErrUnbound is wrapped by the error for a leaf that the environment lacks.
var ErrUnbound = errors.New("the environment gives no value")

// EvalError says at which subexpression an evaluation ended, and why.
type EvalError struct {
	Expr string
	Err  error
}

func (e *EvalError) Error() string { return fmt.Sprintf("lang: evaluating %.200s: %v", e.Expr, e.Err) }

// Unwrap returns the reason.
func (e *EvalError) Unwrap() error { return e.Err }

// EvalFloat evaluates e in the arithmetic a. env holds the values of the leaves
// under their Keys.
func EvalFloat(e Float, a Arith, env map[string]spec.Value) (spec.Value, error) {
	if err := e.Err(); err != nil {
		return spec.Value{}, err
	}
	args := make([]spec.Value, 0, 2)
	for _, k := range e.Args() {
		v, err := EvalFloat(k, a, env)
		if err != nil {
			return v, err
		}
		args = append(args, v)
	}
	v, err := evalFloat(e, a, env, args)
	if err != nil {
		return spec.Value{}, &EvalError{e.String(), err}
	}
	return v, nil
}

func evalFloat(e Float, a Arith, env map[string]spec.Value, args []spec.Value) (spec.Value, error) {
	switch e.Op() {
	case Const:
		return a.Const(e.Number())
	case Add:
		return a.Add(args[0], args[1]), nil
	case Sub:
		return a.Sub(args[0], args[1]), nil
	case Mul:
		return a.Mul(args[0], args[1]), nil
	case Quo:
		return a.Quo(args[0], args[1]), nil
	case Ln:
		return a.Ln(args[0])
	case Neg:
		return args[0].Neg(), nil
	case Clamp:
		lo, hi := e.Bounds()
		return a.Clamp(args[0], spec.FromDyadic(lo), spec.FromDyadic(hi))
	case Round:
		return a.Round(args[0], spec.FromDyadic(real.Pow2(e.Unit())))
	}
	v, ok := env[e.Key()]
	if !ok {
		return v, ErrUnbound
	}
	return v, nil
}

// EvalReal encloses the value of e over the reals: for all members of the
// intervals of env the value lies in the result. prec bounds the bits of each
// end. ln needs a positive interval, / one without 0. The ends of env may have
// exponents up to MaxExponent.
func EvalReal(e Real, env map[string]real.Interval, prec uint) (real.Interval, error) {
	if err := e.Err(); err != nil {
		return real.Interval{}, err
	}
	args := make([]real.Interval, 0, 2)
	for _, k := range e.Args() {
		x, err := EvalReal(k, env, prec)
		if err != nil {
			return x, err
		}
		args = append(args, x)
	}
	x, err := evalReal(e, env, args, prec)
	if err != nil {
		return real.Interval{}, &EvalError{e.String(), err}
	}
	return x.Outward(prec), nil
}

func evalReal(e Real, env map[string]real.Interval, args []real.Interval, prec uint) (real.Interval, error) {
	switch e.Op() {
	case Const:
		return e.Number().Enclose(prec), nil
	case Add:
		return args[0].Add(args[1], prec), nil
	case Sub:
		return args[0].Sub(args[1], prec), nil
	case Mul:
		return args[0].Mul(args[1], prec), nil
	case Quo:
		return args[0].Quo(args[1], prec)
	case Ln:
		return real.LnInterval(args[0], prec)
	case Neg:
		return args[0].Neg(), nil
	case Clamp:
		lo, hi := e.Bounds()
		return real.Interval{Lo: ClampDyadic(args[0].Lo, lo, hi), Hi: ClampDyadic(args[0].Hi, lo, hi)}, nil
	case Round:
		return real.Interval{Lo: NearestMultiple(args[0].Lo, e.Unit()), Hi: NearestMultiple(args[0].Hi, e.Unit())}, nil
	}
	x, ok := env[e.Key()]
	if !ok {
		return x, ErrUnbound
	}
	for _, d := range []real.Dyadic{x.Lo, x.Hi} {
		if err := FromDyadic(d).limits(); err != nil {
			return x, err
		}
	}
	return x, nil
}

// ClampDyadic returns min(hi, max(lo, d)).
func ClampDyadic(d, lo, hi real.Dyadic) real.Dyadic { return real.Min(hi, real.Max(lo, d)) }

// NearestMultiple returns round_Lambda(d) for Lambda = 2^k: floor(d/2^k + 1/2) 2^k.
func NearestMultiple(d real.Dyadic, k int64) real.Dyadic {
	if d.IsZero() || d.Low() >= k {
		return d // a multiple already; its exponent is not expanded
	}
	// d = (n/2 + rest)·2^k with 0 <= rest < 1/2: floor(d/2^k + 1/2) = floor((n+1)/2).
	n := real.NewDyadic(d.Floor(k-1), 0).Add(real.One())
	return real.NewDyadic(n.Floor(1), k)
}
