package lang

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Notation is one of three ways to write an expression.
type Notation uint8

const (
	Plain   Notation = iota // ASCII, which Parse reads back
	Unicode                 // the notes' circled operators: ⊕ ⊖ ⊗ ⊘ Ⓛ
	LaTeX                   // the notes' own source; needs amsmath
)

// String writes e in ASCII; Parse gives e back.
func (e Expr[K]) String() string { return e.Format(Plain) }

// Format writes e in a notation. What is no expression is written <reason>.
func (e Expr[K]) Format(n Notation) string {
	if err := e.Err(); err != nil {
		return "<" + err.Error() + ">"
	}
	w := writer[K]{notation: n}
	w.expr(e.n, 0)
	return w.b.String()
}

// Format writes the pair (lo, hi).
func (e Error) Format(n Notation) string {
	return "(" + e.Lo.Format(n) + ", " + e.Hi.Format(n) + ")"
}

type writer[K Lang] struct {
	notation Notation
	b        strings.Builder
}

// Binding strengths.
const (
	precSum = iota + 1
	precProduct
)

// binary gives each operator's strength and its spelling for e_R and e_F, in
// plain, Unicode and LaTeX.
var binary = map[Op]struct {
	prec int
	sign [2][3]string
}{
	Add: {precSum, [2][3]string{{"+", "+", "+"}, {"+", "⊕", `\oplus`}}},
	Sub: {precSum, [2][3]string{{"-", "−", "-"}, {"-", "⊖", `\ominus`}}},
	Mul: {precProduct, [2][3]string{{"*", "×", `\times`}, {"*", "⊗", `\otimes`}}},
	Quo: {precProduct, [2][3]string{{"/", "÷", `\div`}, {"/", "⊘", `\oslash`}}},
}

func (w *writer[K]) lang() int {
	if isReal[K]() {
		return 0
	}
	return 1
}

// expr writes n where an operator of strength prec stands around it: all four
// operators associate to the left, so a right operand needs more strength.
func (w *writer[K]) expr(n *node, prec int) {
	if o, ok := binary[n.op]; ok {
		if o.prec < prec {
			w.b.WriteByte('(')
			defer w.b.WriteByte(')')
		}
		w.expr(n.kids[0], o.prec)
		w.b.WriteString(" " + o.sign[w.lang()][w.notation] + " ")
		w.expr(n.kids[1], o.prec+1)
		return
	}
	pick := func(s ...string) string { return s[w.notation] }
	call := func(before string) {
		w.b.WriteString(before + "(")
		w.expr(n.kids[0], 0)
		w.b.WriteByte(')')
	}
	switch n.op {
	case Const:
		w.b.WriteString(w.number(n.num))
	case Var:
		w.b.WriteString(w.name(n.name))
	case Apply:
		w.b.WriteString(w.name(n.name) + "(" + w.name(n.arg) + ")")
	case Sample:
		arrow := pick(" <-$ ", " ←$ ", ` \xleftarrow{\$} `)
		mu := pick(string(n.dist), string(n.dist), `\mathsf{`+string(n.dist)+"}")
		w.b.WriteString("(" + w.name(n.name) + arrow + mu + ")")
	case Ln:
		if isReal[K]() {
			call(pick("ln", "ln", `\ln`))
		} else {
			call(pick("ln", "Ⓛ", `\textcircled{\scriptsize ln}`))
		}
	case Neg:
		call(pick("neg", "−", "-"))
	case Clamp:
		lo, hi := w.dyadic(n.lo), w.dyadic(n.hi)
		call(pick("clamp["+lo+", "+hi+"]", "clamp_["+lo+", "+hi+"]", `\mathsf{clamp}_{[`+lo+","+hi+"]}"))
	case Round:
		unit := w.dyadic(real.Pow2(n.unit))
		if w.notation == Plain {
			call("round[" + unit + "]")
			return
		}
		w.b.WriteString(pick("", "⌊", `\lfloor `))
		w.expr(n.kids[0], 0)
		w.b.WriteString(pick("", "⌉_", ` \rceil_{`) + unit + pick("", "", "}"))
	}
}

func (w *writer[K]) number(n Number) string {
	if n.d == nil {
		return w.dyadic(n.m)
	}
	switch w.notation {
	case LaTeX:
		return `\tfrac{` + w.dyadic(n.m) + "}{" + n.d.String() + "}"
	case Unicode:
		return "(" + w.dyadic(n.m) + "/" + n.d.String() + ")"
	}
	return n.String()
}

func (w *writer[K]) dyadic(d real.Dyadic) string { return DyadicIn(w.notation, d) }

// DyadicIn writes a dyadic number in a notation: exactly, as DyadicString does.
func DyadicIn(n Notation, d real.Dyadic) string {
	s := DyadicString(d)
	if n != LaTeX || !strings.Contains(s, "x") {
		return s
	}
	// In math mode a hexadecimal float would be set as a product of letters.
	return `\mathtt{` + strings.NewReplacer("+", "{+}", "-", "{-}").Replace(s) + "}"
}

// name writes a name; in LaTeX everything from the first underscore on is a subscript.
func (w *writer[K]) name(s string) string {
	s = spell[K](s)
	if w.notation != LaTeX {
		return s
	}
	head, sub, ok := strings.Cut(s, "_")
	if len(strings.TrimRight(head, "'")) > 1 {
		head = `\mathit{` + head + "}"
	}
	if !ok {
		return head
	}
	return head + "_{" + strings.ReplaceAll(sub, "_", `\_`) + "}"
}

// String names the construction.
func (o Op) String() string {
	names := [...]string{"none", "const", "var", "apply", "+", "-", "x", "/", "ln", "neg", "clamp", "round", "sample"}
	if int(o) < len(names) {
		return names[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}
