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
	"constants":          constantsBlock,
	"eq42":               eq42Block,
	"draw-witnesses":     drawBlock,
	"small-witnesses":    smallBlock,
	"theorem2-witnesses": theorem2Block,
	"tight-witnesses":    tightBlock,
	"precision-witness":  precisionBlock,
	"chain":              chainBlock,
	"printed-intervals":  printedBlock,
	"figure-1":           figureBlock,
	"binary64-delta":     deltaBlock,
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
