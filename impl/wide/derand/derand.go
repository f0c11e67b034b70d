// Package derand is for tests, vectors and ports, NEVER FOR PRODUCTION: it runs the
// mechanism of package wide with randomness chosen by the caller. A release whose
// randomness anybody can predict, repeat or choose has no privacy at all.
//
// [Release] runs a production object on a tape of bits. The other functions expose
// the stages of the same code without the hypotheses of the privacy theorems:
// [Calibrate] checks those it states.
package derand

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/impl/internal/tape"
	"github.com/dp-crosscheck/crosscheck/impl/wide"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/core"
	"github.com/dp-crosscheck/crosscheck/impl/wide/internal/hook"
)

// Ln returns ln u, u = (1 + m 2^-(p-1)) 2^-e, correctly rounded to p bits.
// *impl.DomainError unless p is in [wide.MinPrecision, wide.MaxPrecision],
// 0 <= m < 2^(p-1) and 1 <= e < 2^62.
func Ln(p uint, m *big.Int, e int64) (*big.Float, error) {
	if err := checkPrecision(p); err != nil {
		return nil, err
	}
	if err := checkDraw(p, m, e); err != nil {
		return nil, err
	}
	return core.Ln(m, e, p), nil
}

// Params are the parameters of the mechanism without a privacy theorem, with the
// domains of [wide.ScaleParams].
type Params struct {
	Precision uint
	Scale     impl.ScaleKind
	Value     *big.Float
	Lo, Hi    float64
}

func (p *Params) core() (core.Mechanism, error) {
	var none core.Mechanism
	if err := checkPrecision(p.Precision); err != nil {
		return none, err
	}
	if _, err := p.Scale.MarshalText(); err != nil {
		return none, err
	}
	if p.Value == nil || !core.InRange(p.Value) || p.Value.MinPrec() > p.Precision {
		return none, domain("Value", "must be in [2^-1074, 2^1024) and of at most %d bits", p.Precision)
	}
	if err := checkBounds(p.Lo, p.Hi); err != nil {
		return none, err
	}
	return core.New(p.Precision, p.Value, p.Scale == impl.InverseEpsilon, p.Lo, p.Hi), nil
}

// Trace holds the stages of one evaluation, as numbers of p bits. Every zero is +0.
type Trace struct {
	Unit    *big.Float // smallest power of two >= the scale
	Ln      *big.Float // LN(u)
	Y       *big.Float // lambda (x) LN(u), or LN(u) (/) epsilon
	Z       *big.Float // sign * Y
	X       *big.Float // clamp(f)
	W       *big.Float // X (+) Z
	Rounded *big.Float // nearest multiple of Unit, ties up
	R       *big.Float // clamp(Rounded)
}

// Snap evaluates the mechanism on f with u = (1 + m 2^-(p-1)) 2^-e and the sign +1
// or -1. f may be infinite. *impl.DomainError for the parameters, a NaN f, a draw
// as Ln refuses it, or another sign. The stages may share memory: read them only.
func Snap(p Params, f float64, m *big.Int, e int64, sign int) (Trace, error) {
	c, err := p.core()
	if err != nil {
		return Trace{}, err
	}
	if math.IsNaN(f) {
		return Trace{}, domain("f", "is NaN")
	}
	if err := checkDraw(p.Precision, m, e); err != nil {
		return Trace{}, err
	}
	if sign != 1 && sign != -1 {
		return Trace{}, domain("sign", "is %d; it must be +1 or -1", sign)
	}
	t := c.Evaluate(f, m, e, sign == -1)
	return Trace{core.Pow2(c.P, c.K), t.Ln, t.Y, t.Z, t.X, t.W, t.Rounded, t.R}, nil
}

// Calibration is what [Calibrate] finds, as numbers of p bits.
type Calibration struct{ Lambda, EpsilonPrime, Achieved, Unit *big.Float }

// Calibrate computes the calibration of docs/theory.md 2.4 at eta = 2^-p for any
// constants c, a, b in [0, 2^31). Errors, in this order: *impl.DomainError;
// *impl.HypothesisError unless epsilon > (a + b c) eta and B < 2^(p-7) lambda, with
// the rounded lambda; *impl.OverflowError unless lambda is in [2^-1074, 2^1024).
func Calibrate(p uint, epsilon, sensitivity, lo, hi float64, c, a, b int64) (Calibration, error) {
	var none Calibration
	if err := checkPrecision(p); err != nil {
		return none, err
	}
	if !(epsilon > 0) || math.IsInf(epsilon, 0) || !(sensitivity > 0) || math.IsInf(sensitivity, 0) {
		return none, domain("epsilon, sensitivity", "are %v and %v; they must be positive and finite", epsilon, sensitivity)
	}
	if err := checkBounds(lo, hi); err != nil {
		return none, err
	}
	for i, n := range []int64{c, a, b} {
		if n < 0 || n >= 1<<31 {
			return none, domain("cab"[i:i+1], "is %d; it must be in [0, 2^31)", n)
		}
	}
	k := core.NewAccounting(p, epsilon, sensitivity, lo, hi, core.Triple{C: c, A: a, B: b})
	if !k.AboveFloor() {
		return none, &impl.HypothesisError{Hypothesis: impl.HypothesisEpsilonAboveFloor,
			Detail: fmt.Sprintf("epsilon is %v; epsilon > %d 2^-%d is required", epsilon, a+b*c, p)}
	}
	lambda := k.Lambda()
	if core.CompareBound(lo, hi, lambda, false, int(p)-7) >= 0 {
		return none, &impl.HypothesisError{Hypothesis: wide.HypothesisBoundBelowScale,
			Detail: fmt.Sprintf("bounds %v and %v, lambda %v; B < 2^%d lambda is required", lo, hi, lambda, p-7)}
	}
	if !core.InRange(lambda) {
		return none, &impl.OverflowError{Quantity: "lambda", Detail: fmt.Sprintf("it is %v; scales are in [2^-1074, 2^1024)", lambda)}
	}
	return Calibration{lambda, k.EpsilonPrime(), k.Achieved(lambda, false), core.Pow2(p, core.CeilLog2(lambda))}, nil
}

// Uniform draws U* of p bits from a tape: u = (1 + m 2^-(p-1)) 2^-e. consumed counts
// bits, e + p - 1 of them. Errors: *impl.DomainError for p, *derand.TapeError.
func Uniform(p uint, bits []byte) (m *big.Int, e int64, consumed int, err error) {
	if err := checkPrecision(p); err != nil {
		return nil, 0, 0, err
	}
	r := tape.NewReader(bits)
	if m, e, err = core.Draw(&r, p); err != nil {
		return nil, 0, 0, &derand.TapeError{Bits: 8 * len(bits)}
	}
	return m, e, r.Used(), nil
}

// Release runs the production mechanism s on f with the bits of the tape: one sign
// bit (0 means s = +1, outputs at or below f), then U*. It returns what ReleaseBig
// returns. Errors: *impl.DomainError for a nil or zero s and for a NaN f,
// *derand.TapeError.
func Release(s *wide.Snapping, f float64, bits []byte) (out *big.Float, consumed int, err error) {
	c, ok := hook.Core(s)
	if !ok {
		return nil, 0, domain("s", "is nil or the zero Snapping")
	}
	if math.IsNaN(f) {
		return nil, 0, domain("f", "is NaN")
	}
	r := tape.NewReader(bits)
	if out, err = c.Release(&r, f); err != nil {
		return nil, 0, &derand.TapeError{Bits: 8 * len(bits)}
	}
	return out, r.Used(), nil
}

func checkPrecision(p uint) error {
	if p < wide.MinPrecision || p > wide.MaxPrecision {
		return domain("Precision", "is %d; it must be from %d to %d", p, wide.MinPrecision, wide.MaxPrecision)
	}
	return nil
}

func checkDraw(p uint, m *big.Int, e int64) error {
	if m == nil || m.Sign() < 0 || m.BitLen() >= int(p) {
		return domain("m", "is %v; it must be in [0, 2^%d)", m, p-1)
	}
	if e < 1 || e >= 1<<62 {
		return domain("e", "is %d; it must be in [1, 2^62)", e)
	}
	return nil
}

func checkBounds(lo, hi float64) error {
	if !(lo <= hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return domain("bounds", "are %v and %v; finite lo <= hi is required", lo, hi)
	}
	return nil
}

func domain(argument, format string, args ...any) error {
	return &impl.DomainError{Argument: argument, Detail: fmt.Sprintf(format, args...)}
}
