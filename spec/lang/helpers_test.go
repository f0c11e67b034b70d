package lang_test

import (
	"math/rand/v2"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// newRand is a fixed source: a failure repeats.
func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x1a46)) }

// randNumber draws a constant: small, wide, or with an enormous exponent.
func randNumber(r *rand.Rand) lang.Number {
	d := real.FromUint64(r.Uint64()>>r.IntN(64), r.Int64N(200)-100)
	if r.IntN(3) == 0 {
		d = real.FromUint64(r.Uint64N(12), 0)
	}
	if r.IntN(20) == 0 {
		d = d.Shift(r.Int64N(1<<40) - 1<<39)
	}
	if r.IntN(3) == 0 {
		d = d.Neg()
	}
	if r.IntN(2) == 0 {
		return lang.FromDyadic(d)
	}
	n, err := lang.Fraction(d, real.FromInt64(1+r.Int64N(60)))
	if err != nil {
		return lang.FromInt(1)
	}
	return n
}

func randName[K lang.Lang](r *rand.Rand) string {
	names := []string{"x", "y_1", "f", "u'", "lnx", "rho12", "z"}
	n := names[r.IntN(len(names))]
	if lang.NewVar[K](n).Err() != nil {
		return string(n[0]-'a'+'A') + n[1:]
	}
	return n
}

// randExpr draws a tree of any shape.
func randExpr[K lang.Lang](r *rand.Rand, depth int) lang.Expr[K] {
	if depth <= 1 || r.IntN(8) == 0 {
		switch r.IntN(6) {
		case 0, 1:
			return lang.NewConst[K](randNumber(r))
		case 2:
			return lang.NewApply[K](randName[K](r), randName[K](r))
		case 3:
			return lang.NewSample[K](randName[K](r), []lang.Dist{lang.Laplace, lang.Unif, lang.Bernoulli}[r.IntN(3)])
		}
		return lang.NewVar[K](randName[K](r))
	}
	a, b := randExpr[K](r, depth-1), randExpr[K](r, depth-1)
	switch r.IntN(8) {
	case 0:
		return lang.NewAdd(a, b)
	case 1:
		return lang.NewSub(a, b)
	case 2:
		return lang.NewMul(a, b)
	case 3:
		return lang.NewQuo(a, b)
	case 4:
		return lang.NewLn(a)
	case 5:
		return lang.NewNeg(a)
	case 6:
		lo, hi := randNumber(r).Enclose(40).Lo, randNumber(r).Enclose(40).Lo
		return lang.NewClamp(real.Min(lo, hi), real.Max(lo, hi), a)
	}
	return lang.NewRound(r.Int64N(2000)-1000, a)
}

// arith is the oracle's floating point.
type arith struct{ f spec.Format }

func (a arith) Const(r lang.Number) (spec.Value, error) {
	x := r.Enclose(a.f.Precision + 80) // as good as exact for the constants of these tests
	return oracle.Round(a.f, x.Lo.Add(x.Hi).Shift(-1)), nil
}
func (a arith) Add(x, y spec.Value) spec.Value                 { return oracle.Add(a.f, x, y) }
func (a arith) Sub(x, y spec.Value) spec.Value                 { return oracle.Sub(a.f, x, y) }
func (a arith) Mul(x, y spec.Value) spec.Value                 { return oracle.Mul(a.f, x, y) }
func (a arith) Quo(x, y spec.Value) spec.Value                 { return oracle.Quo(a.f, x, y) }
func (a arith) Ln(x spec.Value) (spec.Value, error)            { return oracle.Ln(a.f, x) }
func (a arith) Clamp(x, lo, hi spec.Value) (spec.Value, error) { return oracle.Clamp(x, lo, hi) }
func (a arith) Round(x, unit spec.Value) (spec.Value, error) {
	return oracle.RoundMultiple(a.f, x, unit, spec.TiesUp)
}
