package lang

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// SyntaxError says where a text stops being an expression: the byte offset.
type SyntaxError struct {
	Offset int
	Msg    string
	Err    error // the reason an expression could not be built, if that is it
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("lang: at byte %d: %s", e.Offset, e.Msg) }

// Unwrap returns the underlying reason.
func (e *SyntaxError) Unwrap() error { return e.Err }

type kind uint8

const (
	tokEnd kind = iota
	tokName
	tokNumber
	tokArrow // <-$
	tokPunct // one of + - * / ( ) [ ] { } ,
)

type token struct {
	kind kind
	at   int
	text string
	num  real.Dyadic
}

// String describes a token for an error message.
func (t token) String() string {
	if t.kind == tokEnd {
		return "the end"
	}
	return fmt.Sprintf("%.40q", t.text)
}

type lexer struct {
	src  string
	pos  int
	wide bool // numbers up to 2^(2^62), for ends of intervals rather than constants
}

func fail(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

func (l *lexer) next() (token, *SyntaxError) {
	for l.pos < len(l.src) && strings.IndexByte(" \t\r\n", l.src[l.pos]) >= 0 {
		l.pos++
	}
	at := l.pos
	if at == len(l.src) {
		return token{kind: tokEnd, at: at}, nil
	}
	c := l.src[at]
	switch {
	case isLetter(c):
		for l.pos < len(l.src) && isNameByte(l.src[l.pos]) {
			l.pos++
		}
		return token{kind: tokName, at: at, text: l.src[at:l.pos]}, nil
	case isDigit(c):
		return l.number()
	case strings.HasPrefix(l.src[at:], "<-$"):
		l.pos += 3
		return token{kind: tokArrow, at: at, text: "<-$"}, nil
	case strings.IndexByte("+-*/()[]{},", c) >= 0:
		l.pos++
		return token{kind: tokPunct, at: at, text: l.src[at:l.pos]}, nil
	}
	return token{}, fail(at, "unexpected %q", []rune(l.src[at:])[0])
}

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '\'' }

// number reads a decimal integer, or 0x digits [. digits] [p exponent].
func (l *lexer) number() (token, *SyntaxError) {
	at := l.pos
	run := func(ok func(byte) bool) string {
		from := l.pos
		for l.pos < len(l.src) && ok(l.src[l.pos]) {
			l.pos++
		}
		return l.src[from:l.pos]
	}
	done := func(m *big.Int, e int64) (token, *SyntaxError) {
		if l.pos < len(l.src) && (isNameByte(l.src[l.pos]) || l.src[l.pos] == '.') {
			return token{}, fail(l.pos, "unexpected %q in a number; constants are integers, hexadecimal floats such as 0x1.8p+3, and {1/10}", l.src[l.pos])
		}
		t := token{kind: tokNumber, at: at, text: l.src[at:l.pos], num: real.NewDyadic(m, e)}
		if err := FromDyadic(t.num).limits(); err != nil && !l.wide {
			return token{}, &SyntaxError{at, "number out of range: " + err.Error(), err}
		}
		return t, nil
	}
	m := new(big.Int)
	if !strings.HasPrefix(l.src[at:], "0x") {
		m.SetString(run(isDigit), 10)
		return done(m, 0)
	}
	l.pos += 2
	whole, frac := run(isHex), ""
	if l.pos < len(l.src) && l.src[l.pos] == '.' {
		l.pos++
		if frac = run(isHex); frac == "" {
			return token{}, fail(l.pos, "a hexadecimal digit must follow the point")
		}
	}
	if whole == "" {
		return token{}, fail(l.pos, "a hexadecimal digit must follow 0x")
	}
	m.SetString(whole+frac, 16)
	e := -4 * int64(len(frac))
	if l.pos < len(l.src) && l.src[l.pos] == 'p' {
		l.pos++
		from, sign := l.pos, ""
		if l.pos < len(l.src) && (l.src[l.pos] == '+' || l.src[l.pos] == '-') {
			sign = l.src[l.pos : l.pos+1]
			l.pos++
		}
		x, err := strconv.ParseInt(sign+run(isDigit), 10, 64)
		if err != nil || x > maxWide || x < -maxWide {
			return token{}, fail(from, "the exponent is missing or beyond 2^62")
		}
		e += x
	}
	return done(m, e)
}

// maxWide bounds a written exponent: that of a draw u (spec.MaxE) and a little more.
const maxWide = int64(1)<<62 + 1<<16

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// ParseDyadic reads what DyadicString and Dyadic.String write: an optional minus
// sign and an integer or hexadecimal float.
func ParseDyadic(s string) (real.Dyadic, error) {
	if len(s) > MaxSource {
		return real.Dyadic{}, fail(0, "over %d bytes", MaxSource)
	}
	l := lexer{src: strings.TrimPrefix(s, "-"), wide: true}
	t, err := l.next()
	switch {
	case err != nil:
		return real.Dyadic{}, err
	case t.kind != tokNumber || l.pos != len(l.src) || t.at != 0:
		return real.Dyadic{}, fail(0, "%.40q is not a dyadic number", s)
	case l.src != s:
		return t.num.Neg(), nil
	}
	return t.num, nil
}
