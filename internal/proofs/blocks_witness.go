package proofs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// column is a witness with the name it has in a table.
type column struct {
	name string
	witness
}

// measure is a line of a table of witnesses, computed from each.
type measure struct {
	name string
	of   func(evaluated) (any, error)
}

// num is a measure that is a number.
func num(name string, of func(e evaluated) Num) measure {
	return measure{name, func(e evaluated) (any, error) { return of(e), nil }}
}

// witnessTable shows the parameters that the checks compute with, a column for
// each witness, and then the measures.
func witnessTable(columns []column, measures ...measure) (string, error) {
	params := []struct {
		name string
		of   func(w witness) string
	}{
		{"scale", func(w witness) string { return string(w.scale) + " = " + exactly(w.value) }},
		{"lo", func(w witness) string { return exactly(w.lo) }},
		{"hi", func(w witness) string { return exactly(w.hi) }},
		{"draw", func(w witness) string { return string(w.kind) }},
		{"f", func(w witness) string { return exactly(w.f) }},
		{"f'", func(w witness) string { return exactly(w.f2) }},
		{"output", func(w witness) string { return exactly(w.r) }},
	}
	rows := make([][]any, 1+len(params)+len(measures))
	rows[0] = []any{"witness"}
	for i, p := range params {
		rows[1+i] = []any{p.name}
	}
	for i, m := range measures {
		rows[1+len(params)+i] = []any{m.name}
	}
	for _, c := range columns {
		e, err := c.evaluate(honest())
		if err != nil {
			return "", err
		}
		rows[0] = append(rows[0], c.name)
		for i, p := range params {
			rows[1+i] = append(rows[1+i], p.of(c.witness))
		}
		for i, m := range measures {
			v, err := m.of(e)
			if err != nil {
				return "", err
			}
			rows[1+len(params)+i] = append(rows[1+len(params)+i], v)
		}
	}
	return tableText(rows)
}

// exactly writes a double: in decimal if that is short, otherwise in hexadecimal.
func exactly(x float64) string {
	if s := strconv.FormatFloat(x, 'g', -1, 64); len(s) <= 6 {
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'x', -1, 64), "p")
	n, err := strconv.Atoi(exponent) // for p+7, not p+07
	if err != nil {
		return mantissa + "p" + exponent
	}
	return fmt.Sprintf("%sp%+d", mantissa, n)
}

var (
	boundOverScale = num("B/lambda", func(e evaluated) Num { return e.b.quo(e.lam) })
	excessInKappa  = num("excess/kappa", func(e evaluated) Num { return e.excess.quo(e.kappa) })
	excessInEta    = num("excess/eta", func(e evaluated) Num { return e.excess.quo(e.eta) })
	beyondKappa    = num("excess/eta - 12 kappa/eta", func(e evaluated) Num {
		return e.excess.sub(e.kappa.mul(intNum(12))).quo(e.eta)
	})
)

// drawBlock shows probabilities in units of 2^-1074/(1 - 2^-1074) = 1/(2^1074 - 1)
// where they are small integers, and losses where they are finite.
func drawBlock() (string, error) {
	count := func(name string, of func(evaluated) Num) measure {
		return measure{name, func(e evaluated) (any, error) {
			n := of(e).mul(pow2Num(1074)).exact
			if !n.IsInt() || n.Num().BitLen() > 16 {
				return "many", nil
			}
			return n.RatString(), nil
		}}
	}
	finite := func(name string, of func(evaluated) Num) measure {
		return measure{name, func(e evaluated) (any, error) {
			if e.n2.exact.Sign() == 0 {
				return "infinite", nil
			}
			return of(e), nil
		}}
	}
	return witnessTable([]column{{"(draw.1)", grainy}, {"(draw.2)", ended}, {"(draw.3)", coarse}},
		boundOverScale,
		count("(2^1074 - 1) Pr under f", func(e evaluated) Num { return e.n }),
		count("(2^1074 - 1) Pr under f'", func(e evaluated) Num { return e.n2 }),
		finite("loss", func(e evaluated) Num { return e.loss }),
		finite("excess", func(e evaluated) Num { return e.excess }),
		num("claimed excess, times 10^12", func(e evaluated) Num {
			return e.kappa.mul(intNum(12)).add(e.eta.mul(intNum(2))).mul(intNum(1_000_000_000_000))
		}),
	)
}

func smallBlock() (string, error) {
	return witnessTable([]column{{"(small.1)", small}, {"(small.2)", small2}, {"(small.3)", small3}}, boundOverScale, excessInKappa, beyondKappa)
}

func theorem2Block() (string, error) {
	return witnessTable([]column{{"(theorem2.1), (theorem2.3)", second}, {"(theorem2.2)", origin}}, boundOverScale, excessInEta,
		num("claimed by theorem 2, in eta", func(e evaluated) Num { return intNum(12).quo(e.lam).add(intNum(2)) }),
		num("claimed by the cases, in eta", func(e evaluated) Num { return intNum(2) }))
}

func tightBlock() (string, error) {
	var columns []column
	for _, w := range tight {
		columns = append(columns, column{"excess above " + w.factor + " kappa", w})
	}
	return witnessTable(columns, boundOverScale, excessInKappa, beyondKappa)
}

func precisionBlock() (string, error) {
	return witnessTable([]column{{"(precision.1)", second}}, boundOverScale, excessInEta,
		num("claimed excess, in 2^-118", func(e evaluated) Num { return e.b.quo(e.lam).mul(intNum(12)).add(intNum(2)) }),
		num("log2(excess/claimed excess)", func(e evaluated) Num {
			claimed := e.b.quo(e.lam).mul(intNum(12)).add(intNum(2)).mul(pow2Num(-118))
			return e.excess.quo(claimed).ln().quo(intNum(2).ln())
		}))
}

// chainBlock measures the step of (chain.1) at epsilon = 1.
func chainBlock() (string, error) {
	eta := dyNum(spec.Binary64.Eta())
	double := etaPlusOne().mul(etaPlusOne()).mul(intNum(2))
	most := intNum(1).add(eta.mul(intNum(2))).quo(double.sub(eta.mul(intNum(12))))
	return tableText([][]any{
		{"left exponent less right exponent at B = 1", double.sub(intNum(1).add(eta.mul(intNum(14))))},
		{"largest B for which the step holds", most},
		{"the same: (B - 1/2)/eta", most.sub(fracNum(1, 2)).quo(eta)},
	})
}

func printedBlock() (string, error) {
	eta := dyNum(spec.Binary64.Eta())
	excess := printedLoss().sub(intNum(1))
	return tableText([][]any{
		{"(ln quotient - 1)/eta", excess.quo(eta)},
		{"claimed: 12 B + 2", 12*300 + 2},
		{"(ln quotient - 1)/(B eta)", excess.quo(eta.mul(intNum(300)))},
	})
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
