// Package published is figure 1 of Liu 2020 as printed, kept because it is
// UNSOUND: its rules prove false bounds (witness.go). Use package kernel; nothing
// here makes a kernel.Judgment.
//
//	CONST  r => fl(r),              (r/(1+eta), r (1+eta))
//	OP     e1 * e2 => fl(e1 (*) e2), ((lo1 * lo2)/(1+eta), (hi1 * hi2)(1+eta))
//	LN     ln e => LN(e),           ((ln lo)/(1+eta), (ln hi)(1+eta))
//
// What is wrong. Dividing by 1+eta lowers only a positive end, so every pair with
// negative ends is reversed: CONST of r < 0, OP with a negative result, LN below 1.
// OP pairs the low ends and the high ends whatever the operation: right for sums
// and for products of positive numbers, wrong for differences, quotients and
// products with signs. There is no term for underflow: CONST, x and / err by up to
// alpha = 2^(emin-p) however small the result.
package published

import (
	"errors"
	"fmt"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// UnsoundJudgment is what the printed rules conclude: an e_F and a pair of reals,
// which nothing proves. The pair may be reversed; then it contains no number.
type UnsoundJudgment struct {
	expr   lang.Float
	lo, hi real.Interval // enclosures of the two printed ends
	ok     bool
}

// ErrNotInFigure is returned for constructions that figure 1 has no rule for, and
// for operations on the printed ends that are not defined (ln 0, x/0).
var ErrNotInFigure = errors.New("published: figure 1 concludes nothing")

// Float returns e_F.
func (j UnsoundJudgment) Float() lang.Float { return j.expr }

// Ends returns enclosures of the printed pair.
func (j UnsoundJudgment) Ends() (lo, hi real.Interval) { return j.lo, j.hi }

// Reversed reports whether the low end exceeds the high end.
func (j UnsoundJudgment) Reversed() bool { return j.ok && j.lo.Lo.Cmp(j.hi.Hi) > 0 }

// RefutedBy reports whether v, a value of e_F, certainly lies outside the printed
// pair, its ends counted in: then Theorem 1 fails for this judgment.
func (j UnsoundJudgment) RefutedBy(v real.Dyadic) bool {
	return j.ok && (v.Cmp(j.lo.Lo) < 0 || v.Cmp(j.hi.Hi) > 0)
}

// prec is the precision of the enclosures, far beyond eta of the format.
func prec(f spec.Format) uint { return f.Precision + 96 }

// pair concludes (lo/(1+eta), hi (1+eta)).
func pair(f spec.Format, e lang.Float, lo, hi real.Interval) (UnsoundJudgment, error) {
	if err := e.Err(); err != nil {
		return UnsoundJudgment{}, fmt.Errorf("%w: %w", ErrNotInFigure, err)
	}
	factor := real.Point(real.One().Add(f.Eta()))
	lo, err := lo.Quo(factor, prec(f))
	if err != nil {
		return UnsoundJudgment{}, fmt.Errorf("%w: %w", ErrNotInFigure, err)
	}
	return UnsoundJudgment{e, lo.Outward(prec(f)), hi.Mul(factor, prec(f)), true}, nil
}

// UnsoundLeaf assumes x => x, [lo, hi], as the notes begin their derivations.
func UnsoundLeaf(e lang.Float, x real.Interval) UnsoundJudgment {
	return UnsoundJudgment{e, real.Point(x.Lo), real.Point(x.Hi), true}
}

// UnsoundConst is CONST as printed.
func UnsoundConst(f spec.Format, r lang.Number) (UnsoundJudgment, error) {
	x := r.Enclose(prec(f))
	return pair(f, lang.NewConst[lang.Floats](r), x, x)
}

// UnsoundOp is OP as printed, for op one of lang.Add, Sub, Mul and Quo.
func UnsoundOp(f spec.Format, op lang.Op, a, b UnsoundJudgment) (UnsoundJudgment, error) {
	build, ok := map[lang.Op]func(a, b lang.Float) lang.Float{
		lang.Add: lang.NewAdd[lang.Floats], lang.Sub: lang.NewSub[lang.Floats],
		lang.Mul: lang.NewMul[lang.Floats], lang.Quo: lang.NewQuo[lang.Floats],
	}[op]
	if !ok || !a.ok || !b.ok {
		return UnsoundJudgment{}, fmt.Errorf("%w for %v", ErrNotInFigure, op)
	}
	lo, err := operate(op, a.lo, b.lo, prec(f))
	if err != nil {
		return UnsoundJudgment{}, err
	}
	hi, err := operate(op, a.hi, b.hi, prec(f))
	if err != nil {
		return UnsoundJudgment{}, err
	}
	return pair(f, build(a.expr, b.expr), lo, hi)
}

func operate(op lang.Op, x, y real.Interval, prec uint) (real.Interval, error) {
	switch op {
	case lang.Add:
		return x.Add(y, prec), nil
	case lang.Sub:
		return x.Sub(y, prec), nil
	case lang.Mul:
		return x.Mul(y, prec), nil
	}
	q, err := x.Quo(y, prec)
	if err != nil {
		return q, fmt.Errorf("%w: %w", ErrNotInFigure, err)
	}
	return q.Outward(prec), nil
}

// UnsoundLn is LN as printed.
func UnsoundLn(f spec.Format, a UnsoundJudgment) (UnsoundJudgment, error) {
	lo, err := real.LnInterval(a.lo, prec(f))
	if err != nil {
		return UnsoundJudgment{}, fmt.Errorf("%w: %w", ErrNotInFigure, err)
	}
	hi, err := real.LnInterval(a.hi, prec(f))
	if err != nil {
		return UnsoundJudgment{}, fmt.Errorf("%w: %w", ErrNotInFigure, err)
	}
	return pair(f, lang.NewLn(a.expr), lo.Outward(prec(f)), hi.Outward(prec(f)))
}

// UnsoundDerive applies the printed rules to a whole expression; env gives the
// leaves' intervals.
func UnsoundDerive(f spec.Format, e lang.Float, env map[string]real.Interval) (UnsoundJudgment, error) {
	var args []UnsoundJudgment
	for _, a := range e.Args() {
		j, err := UnsoundDerive(f, a, env)
		if err != nil {
			return j, err
		}
		args = append(args, j)
	}
	switch op := e.Op(); op {
	case lang.Const:
		return UnsoundConst(f, e.Number())
	case lang.Add, lang.Sub, lang.Mul, lang.Quo:
		return UnsoundOp(f, op, args[0], args[1])
	case lang.Ln:
		return UnsoundLn(f, args[0])
	}
	x, ok := env[e.Key()]
	if !ok {
		return UnsoundJudgment{}, fmt.Errorf("%w for %v", ErrNotInFigure, e.Op())
	}
	return UnsoundLeaf(e, x), nil
}
