package proofs

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// blocks are the generators of the fenced blocks marked check:NAME.
var blocks = map[string]func() (string, error){
	"constants":         constantsBlock,
	"eq42":              eq42Block,
	"draw-witnesses":    drawBlock,
	"excess-witnesses":  excessBlock,
	"printed-intervals": printedBlock,
	"figure-1":          figureBlock,
}

// decimal writes a with the given number of digits after the point, truncated
// toward zero, once an enclosure decides them.
func decimal(a Num, digits int) (string, error) {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	for prec := uint(minPrec); prec <= maxPrec; prec *= 2 {
		x, err := a.abs().enclose(prec)
		if err != nil {
			return "", err
		}
		lo, ok1 := x.Lo.Rat()
		hi, ok2 := x.Hi.Rat()
		if !ok1 || !ok2 {
			return "", errors.New("too large to write down")
		}
		m, n := truncate(lo, scale), truncate(hi, scale)
		if m.Cmp(n) == 0 {
			sign := ""
			if c, err := a.cmp(intNum(0)); err != nil {
				return "", err
			} else if c < 0 {
				sign = "-"
			}
			q, r := new(big.Int).QuoRem(m, scale, new(big.Int))
			return fmt.Sprintf("%s%d.%0*d...", sign, q, digits, r), nil
		}
	}
	return "", errUndecided
}

func truncate(r *big.Rat, scale *big.Int) *big.Int {
	n := new(big.Int).Mul(r.Num(), scale)
	return n.Quo(n, r.Denom())
}

// table writes aligned rows; a cell is a string or a Num with 6 digits.
func tableText(rows [][]any) (string, error) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		var cells []string
		for _, c := range row {
			switch c := c.(type) {
			case Num:
				d, err := decimal(c, 6)
				if err != nil {
					return "", err
				}
				cells = append(cells, d)
			default:
				cells = append(cells, fmt.Sprint(c))
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	err := w.Flush()
	return b.String(), err
}

func constantsBlock() (string, error) {
	e := intNum(1).exp()
	d := e.sub(intNum(1))
	four := intNum(4)
	return tableText([][]any{
		{"4(2e+1)/(e-1)", four.mul(e.add(e).add(intNum(1))).quo(d)},
		{"4 coth(1/2)", four.mul(e.add(intNum(1))).quo(d)},
		{"4/(1-1/e)", four.mul(e).quo(d)},
		{"(5e+7)/(e-1)", intNum(5).mul(e).add(intNum(7)).quo(d)},
	})
}

func eq42Block() (string, error) {
	rows := [][]any{{"x", "eq. (4.2)", "round"}}
	for _, x := range []float64{1.75, 3.5, 7.75, -2.5, -4.5, -0.5, -1.5, 2.5, 0.5} {
		rows = append(rows, []any{x, eq42(x), roundTo(x, spec.TiesUp)})
	}
	return tableText(rows)
}

// drawBlock shows the probabilities of the first two witnesses in units of
// 2^-1074/(1 - 2^-1074) = 1/(2^1074 - 1).
func drawBlock() (string, error) {
	rows := [][]any{{"output", "under f = 0", "under f' = 1"}}
	for _, w := range []witness{grainy, ended} {
		e, err := w.evaluate(honest())
		if err != nil {
			return "", err
		}
		unit := pow2Num(1074)
		rows = append(rows, []any{w.r, e.n.mul(unit).exact.RatString(), e.n2.mul(unit).exact.RatString()})
	}
	text, err := tableText(rows)
	if err != nil {
		return "", err
	}
	e, err := coarse.evaluate(honest())
	if err != nil {
		return "", err
	}
	rest, err := tableText([][]any{{"third witness: loss", e.loss}, {"third witness: loss - 1/lambda", e.excess}})
	return text + rest, err
}

func excessBlock() (string, error) {
	rows := [][]any{{"witness", "B/lambda", "excess/kappa", "excess/eta - 12 kappa/eta"}}
	for _, w := range []struct {
		name string
		witness
	}{{"(small.1)", small}, {"(small.2)", small2}, {"(small.3)", small3}, {"output 0, (theorem2.2)", origin}, {"output 0, (theorem2.3)", second}, {"2^27", tight[0]}, {"2^23", tight[1]}, {"2^8", tight[2]}} {
		e, err := w.evaluate(honest())
		if err != nil {
			return "", err
		}
		rows = append(rows, []any{w.name, e.b.quo(e.lam), e.excess.quo(e.kappa), e.excess.sub(e.kappa.mul(intNum(12))).quo(e.eta)})
	}
	return tableText(rows)
}

func printedBlock() (string, error) {
	eta := dyNum(spec.Binary64.Eta())
	return tableText([][]any{{"(ln quotient - 1)/(300 eta)", printedLoss().sub(intNum(1)).quo(eta.mul(intNum(300)))}})
}

// figureBlock shows the pairs of figure 1 in units in which they differ from the value.
func figureBlock() (string, error) {
	eta := dyNum(spec.Binary64.Eta())
	rows := [][]any{{"rule", "value", "(lower end - value)/(eta |value|)", "(upper end - value)/(eta |value|)"}}
	m1, p1 := printedConst(intNum(-1)), printedConst(intNum(1))
	for _, r := range []struct {
		name  string
		i     openInterval
		value int64
	}{
		{"CONST, r = -3", printedConst(intNum(-3)), -3},
		{"OP, -1 + -1", widen(m1.lo.add(m1.lo), m1.hi.add(m1.hi)), -2},
		{"OP, -1 x 1", widen(m1.lo.mul(p1.lo), m1.hi.mul(p1.hi)), -1},
	} {
		v := intNum(r.value)
		unit := eta.mul(v.abs())
		rows = append(rows, []any{r.name, r.value, r.i.lo.sub(v).quo(unit), r.i.hi.sub(v).quo(unit)})
	}
	return tableText(rows)
}
