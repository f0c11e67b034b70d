package lang

import (
	"errors"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// MaxSource bounds the text Parse reads, in bytes.
const MaxSource = 1 << 17

// Parse reads an expression in the plain notation:
//
//	sum     = product { ("+" | "-") product }
//	product = factor { ("*" | "/") factor }
//	factor  = "-" number | "-" factor | number | name | name "(" name ")" | name "<-$" mu
//	        | "ln" "(" sum ")" | "neg" "(" sum ")" | "(" sum ")"
//	        | "clamp" "[" bound "," bound "]" "(" sum ")" | "round" "[" unit "]" "(" sum ")"
//	number  = integer | hexadecimal float | "{" bound "/" bound "}"
//
// A minus sign before a number belongs to the constant; before anything else it
// is neg. The slash of 1/3 is an operation, that of {1/3} is not. Every error is
// a *SyntaxError. Parse(e.String()) equals e.
func Parse[K Lang](src string) (Expr[K], error) {
	if len(src) > MaxSource {
		return Expr[K]{}, fail(0, "over %d bytes", MaxSource)
	}
	p := parser[K]{lexer: lexer{src: src}}
	if err := p.advance(); err != nil {
		return Expr[K]{}, err
	}
	e, err := p.sum()
	if err == nil && p.tok.kind != tokEnd {
		err = fail(p.tok.at, "unexpected %v after an expression", p.tok)
	}
	if err != nil {
		return Expr[K]{}, err
	}
	return e, nil
}

type parser[K Lang] struct {
	lexer
	tok   token
	depth int // of recursion
}

func (p *parser[K]) advance() (err *SyntaxError) {
	p.tok, err = p.next()
	return err
}

// accept consumes the punctuation s if it comes next.
func (p *parser[K]) accept(s string) (bool, *SyntaxError) {
	if p.tok.kind != tokPunct || p.tok.text != s {
		return false, nil
	}
	return true, p.advance()
}

// expect consumes the punctuation s.
func (p *parser[K]) expect(s string) *SyntaxError {
	at := p.tok
	ok, err := p.accept(s)
	if err == nil && !ok {
		err = fail(at.at, "expected %q, found %v", s, at)
	}
	return err
}

// built reports an expression that could not be built at a position.
func built[K Lang](at int, e Expr[K]) (Expr[K], *SyntaxError) {
	if err := e.Err(); err != nil {
		return Expr[K]{}, &SyntaxError{at, errors.Unwrap(err).Error(), err}
	}
	return e, nil
}

// chain reads operand { op operand }, joined to the left.
func (p *parser[K]) chain(operand func() (Expr[K], *SyntaxError), ops map[string]func(a, b Expr[K]) Expr[K]) (Expr[K], *SyntaxError) {
	a, err := operand()
	for err == nil && p.tok.kind == tokPunct && ops[p.tok.text] != nil {
		op := p.tok
		if err = p.advance(); err != nil {
			break
		}
		var b Expr[K]
		if b, err = operand(); err == nil {
			a, err = built(op.at, ops[op.text](a, b))
		}
	}
	return a, err
}

func (p *parser[K]) sum() (Expr[K], *SyntaxError) {
	if p.depth++; p.depth > MaxDepth {
		return Expr[K]{}, fail(p.tok.at, "nested more than %d deep", MaxDepth)
	}
	defer func() { p.depth-- }()
	return p.chain(p.product, map[string]func(a, b Expr[K]) Expr[K]{"+": NewAdd[K], "-": NewSub[K]})
}

func (p *parser[K]) product() (Expr[K], *SyntaxError) {
	return p.chain(p.factor, map[string]func(a, b Expr[K]) Expr[K]{"*": NewMul[K], "/": NewQuo[K]})
}

func (p *parser[K]) factor() (e Expr[K], err *SyntaxError) {
	at := p.tok.at
	minuses := 0
	for {
		ok, err := p.accept("-")
		if err != nil {
			return e, err
		}
		if !ok {
			break
		}
		minuses++
	}
	if minuses > MaxDepth {
		return e, fail(at, "more than %d signs", MaxDepth)
	}
	if p.tok.kind == tokNumber || p.tok.kind == tokPunct && p.tok.text == "{" {
		var n Number
		if n, err = p.number(); err != nil {
			return e, err
		}
		if minuses > 0 {
			n = n.Neg()
			minuses--
		}
		e, err = built(at, NewConst[K](n))
	} else {
		e, err = p.primary()
	}
	for ; err == nil && minuses > 0; minuses-- {
		e, err = built(at, NewNeg(e))
	}
	return e, err
}

// number reads a constant without its sign.
func (p *parser[K]) number() (Number, *SyntaxError) {
	at := p.tok.at
	if p.tok.kind == tokNumber {
		n := FromDyadic(p.tok.num)
		return n, p.advance()
	}
	var num, den real.Dyadic
	err := p.expect("{")
	if err == nil {
		num, err = p.bound()
	}
	if err == nil {
		err = p.expect("/")
	}
	if err == nil {
		den, err = p.bound()
	}
	if err == nil {
		err = p.expect("}")
	}
	if err != nil {
		return Number{}, err
	}
	n, e := Fraction(num, den)
	if e != nil {
		return Number{}, &SyntaxError{at, e.Error(), e}
	}
	return n, nil
}

// bound reads a dyadic number with an optional sign.
func (p *parser[K]) bound() (real.Dyadic, *SyntaxError) {
	neg, err := p.accept("-")
	if err != nil {
		return real.Dyadic{}, err
	}
	if p.tok.kind != tokNumber {
		return real.Dyadic{}, fail(p.tok.at, "expected an integer or a hexadecimal float, found %v", p.tok)
	}
	d := p.tok.num
	if neg {
		d = d.Neg()
	}
	return d, p.advance()
}

func (p *parser[K]) primary() (e Expr[K], err *SyntaxError) {
	t := p.tok
	if t.kind != tokName {
		if ok, err := p.accept("("); err != nil || !ok {
			if err == nil {
				err = fail(t.at, "expected an expression, found %v", t)
			}
			return e, err
		}
		return p.closed()
	}
	if err = p.advance(); err != nil {
		return e, err
	}
	switch t.text {
	case "ln", "neg":
		if e, err = p.argument(); err != nil {
			return e, err
		}
		if t.text == "ln" {
			return built(t.at, NewLn(e))
		}
		return built(t.at, NewNeg(e))
	case "clamp":
		return p.clamp(t.at)
	case "round":
		return p.round(t.at)
	}
	if p.tok.kind == tokArrow {
		if err = p.advance(); err != nil {
			return e, err
		}
		mu := p.tok
		if mu.kind != tokName {
			return e, fail(mu.at, "expected a distribution, found %v", mu)
		}
		if err = p.advance(); err != nil {
			return e, err
		}
		return built(t.at, NewSample[K](t.text, Dist(mu.text)))
	}
	ok, err := p.accept("(")
	if err != nil {
		return e, err
	}
	if !ok {
		return built(t.at, NewVar[K](t.text))
	}
	arg := p.tok
	if arg.kind != tokName {
		return e, fail(arg.at, "a function applies to a variable, found %v", arg)
	}
	if err = p.advance(); err == nil {
		err = p.expect(")")
	}
	if err != nil {
		return e, err
	}
	return built(t.at, NewApply[K](t.text, arg.text))
}

// closed reads sum ")".
func (p *parser[K]) closed() (Expr[K], *SyntaxError) {
	e, err := p.sum()
	if err == nil {
		err = p.expect(")")
	}
	return e, err
}

// argument reads "(" sum ")".
func (p *parser[K]) argument() (Expr[K], *SyntaxError) {
	if err := p.expect("("); err != nil {
		return Expr[K]{}, err
	}
	return p.closed()
}

func (p *parser[K]) clamp(at int) (e Expr[K], err *SyntaxError) {
	var lo, hi real.Dyadic
	err = p.expect("[")
	if err == nil {
		lo, err = p.bound()
	}
	if err == nil {
		err = p.expect(",")
	}
	if err == nil {
		hi, err = p.bound()
	}
	if err == nil {
		err = p.expect("]")
	}
	if err == nil {
		e, err = p.argument()
	}
	if err != nil {
		return e, err
	}
	return built(at, NewClamp(lo, hi, e))
}

func (p *parser[K]) round(at int) (e Expr[K], err *SyntaxError) {
	var unit real.Dyadic
	err = p.expect("[")
	if err == nil {
		unitAt := p.tok.at
		unit, err = p.bound()
		if err == nil && !unit.IsPow2() {
			err = &SyntaxError{unitAt, "the unit of round is not a power of two", ErrUnit}
		}
	}
	if err == nil {
		err = p.expect("]")
	}
	if err == nil {
		e, err = p.argument()
	}
	if err != nil {
		return e, err
	}
	return built(at, NewRound(unit.Top(), e))
}
