// Package wire holds the encodings of the port protocol (vectors/PROTOCOL.md):
// typed values that know their one canonical text, the cases and results made of
// them, and strict JSON decoding. Everything that crosses a process or a file
// passes here once.
package wire

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Protocol is the version of the port protocol spoken here.
const Protocol = 1

// Type is the encoding of a field.
type Type string

const (
	F64     Type = "F64"     // 0x and 16 lower-case hex digits: IEEE 754 bits
	Int     Type = "Int"     // decimal, optional leading -
	Rat     Type = "Rat"     // p/q in lowest terms with q > 1, or the Int p
	RatInf  Type = "RatInf"  // a Rat, or inf
	Tape    Type = "Tape"    // lower-case hex of whole bytes
	Sign    Type = "Sign"    // +1 or -1
	Ties    Type = "Ties"    // up or down
	Kind    Type = "Kind"    // unbounded or binary64
	ScaleOf Type = "ScaleOf" // lambda or epsilon
)

// enums are the types that are one of a few words.
var enums = map[Type][]string{
	Sign:    {"+1", "-1"},
	Ties:    {"up", "down"},
	Kind:    {"unbounded", "binary64"},
	ScaleOf: {"lambda", "epsilon"},
}

// Words returns the words of an enumerated type, nil for the others.
func (t Type) Words() []string { return enums[t] }

// MaxIntDigits bounds the length of an Int, so that no request costs more than
// its size suggests. Far beyond every limit of the operations.
const MaxIntDigits = 4096

// MaxRatDigits bounds the length of a Rat, its two parts and the slash. The
// smallest probability of an output on the wire, near 2^-23700, takes 7,200.
const MaxRatDigits = 1 << 15

// infinity is the one RatInf that is no Rat.
const infinity = "inf"

// Value is a typed value. Text is canonical: two values are equal exactly when
// their types and texts are.
type Value struct {
	Type Type
	Text string
	bits uint64
	num  *big.Int
	rat  *big.Rat
	tape []byte
}

// Bits returns the bits of an F64.
func (v Value) Bits() uint64 { return v.bits }

// Float returns an F64 as a float64.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Big returns an Int; the caller must not change it.
func (v Value) Big() *big.Int { return v.num }

// Rat returns a Rat or a finite RatInf, which the caller must not change, and nil
// for inf.
func (v Value) Rat() *big.Rat { return v.rat }

// Bytes returns a Tape; the caller must not change it.
func (v Value) Bytes() []byte { return v.tape }

// NewF64 returns the F64 with the given bits.
func NewF64(bits uint64) Value {
	return Value{Type: F64, Text: fmt.Sprintf("0x%016x", bits), bits: bits}
}

// NewFloat returns x as an F64.
func NewFloat(x float64) Value { return NewF64(math.Float64bits(x)) }

// NewInt returns n as an Int.
func NewInt(n int64) Value { return NewBig(big.NewInt(n)) }

// NewUint returns n as an Int.
func NewUint(n uint64) Value { return NewBig(new(big.Int).SetUint64(n)) }

// NewBig returns n as an Int, keeping n.
func NewBig(n *big.Int) Value { return Value{Type: Int, Text: n.String(), num: n} }

// NewRat returns r as a Rat, keeping r.
func NewRat(r *big.Rat) Value { return Value{Type: Rat, Text: r.RatString(), rat: r} }

// NewRatInf returns r as a RatInf, keeping r; nil stands for inf.
func NewRatInf(r *big.Rat) Value {
	if r == nil {
		return Value{Type: RatInf, Text: infinity}
	}
	return Value{Type: RatInf, Text: r.RatString(), rat: r}
}

// NewTape returns b as a Tape, keeping b.
func NewTape(b []byte) Value { return Value{Type: Tape, Text: fmt.Sprintf("%x", b), tape: b} }

// NewWord returns a value of an enumerated type.
func NewWord(t Type, word string) Value { return Value{Type: t, Text: word} }

var (
	f64Pattern  = regexp.MustCompile(`^0x[0-9a-f]{16}$`)
	intPattern  = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	ratPattern  = regexp.MustCompile(`^(0|-?[1-9][0-9]*(/[1-9][0-9]*)?)$`)
	tapePattern = regexp.MustCompile(`^([0-9a-f]{2})*$`)
)

// Parse reads the canonical text of a value of type t; any other text is an error.
func Parse(t Type, text string) (Value, error) {
	switch t {
	case F64:
		if !f64Pattern.MatchString(text) {
			return Value{}, fmt.Errorf("%s is not an F64: 0x and 16 lower-case hex digits", quote(text))
		}
		bits, err := strconv.ParseUint(text[2:], 16, 64)
		return Value{Type: t, Text: text, bits: bits}, err
	case Int:
		if len(text) > MaxIntDigits || !intPattern.MatchString(text) {
			return Value{}, fmt.Errorf("%s is not an Int: decimal, no leading zeros, at most %d characters", quote(text), MaxIntDigits)
		}
		n, _ := new(big.Int).SetString(text, 10)
		return Value{Type: t, Text: text, num: n}, nil
	case RatInf:
		if text == infinity {
			return NewRatInf(nil), nil
		}
		r, err := parseRat(text)
		return Value{Type: t, Text: text, rat: r}, err
	case Rat:
		r, err := parseRat(text)
		return Value{Type: t, Text: text, rat: r}, err
	case Tape:
		if !tapePattern.MatchString(text) {
			return Value{}, fmt.Errorf("%s is not a Tape: lower-case hex of whole bytes", quote(text))
		}
		b := make([]byte, len(text)/2)
		for i := range b {
			n, _ := strconv.ParseUint(text[2*i:2*i+2], 16, 8)
			b[i] = byte(n)
		}
		return Value{Type: t, Text: text, tape: b}, nil
	}
	for _, w := range enums[t] {
		if text == w {
			return Value{Type: t, Text: text}, nil
		}
	}
	return Value{}, fmt.Errorf("%s is not a %s: one of %s", quote(text), t, strings.Join(enums[t], ", "))
}

// parseRat reads a rational in its one spelling: lowest terms, no denominator 1.
func parseRat(text string) (*big.Rat, error) {
	if len(text) <= MaxRatDigits && ratPattern.MatchString(text) {
		if r, ok := new(big.Rat).SetString(text); ok && r.RatString() == text {
			return r, nil
		}
	}
	return nil, fmt.Errorf("%s is not a Rat: p/q in lowest terms, p when q = 1, no leading zeros, at most %d characters", quote(text), MaxRatDigits)
}

// quote shows a text in an error message, shortened.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}

// Field is a named, typed input or output of an operation.
type Field struct {
	Name     string
	Type     Type
	Optional bool
	Doc      string
}

// Signature is what an operation takes and gives. The order of the outputs is
// the order of the stages, so the first output that differs names the stage.
type Signature struct {
	Op      string
	Doc     string
	In, Out []Field
	// Enclosures are the pairs of outputs that enclose a real number; every other
	// output is compared exactly.
	Enclosures []Enclosure
}

// Values are named values; those absent are optional inputs left out.
type Values map[string]Value

// Case is one question.
type Case struct {
	ID string
	Op string
	In Values
}

// Result is one answer: exactly one of Out, Reject, Skip and Err is set.
type Result struct {
	Out    Values
	Reject string // a typed refusal: domain, size, hypothesis, overflow, tape
	Detail string // why, in words; for people, never sent or compared
	Skip   string // the voter abstains, and why
	Err    string // the request is malformed
}

// Rejected returns a refusal.
func Rejected(kind string) Result { return Result{Reject: kind} }

// Skipped returns an abstention.
func Skipped(format string, args ...any) Result { return Result{Skip: fmt.Sprintf(format, args...)} }

// Answered reports whether r is a value or a refusal, the two things that are compared.
func (r Result) Answered() bool { return r.Skip == "" && r.Err == "" }

// Difference is the first place at which two answers differ.
type Difference struct {
	Field     string // the output, or "outcome" when one is a refusal and the other is not
	Want, Got string
}

// Compare returns the first difference between two answers in the order of the
// signature's outputs, then of its enclosures, or nil. want's own enclosures are
// not looked at: its other outputs say what the truth is.
func Compare(sig Signature, want, got Result) *Difference {
	if w, g := want.outcome(), got.outcome(); w != g {
		return &Difference{"outcome", w, g}
	}
	enclosing := map[string]bool{}
	for _, e := range sig.Enclosures {
		enclosing[e.Lo], enclosing[e.Hi] = true, true
	}
	for _, f := range sig.Out {
		w, g := want.Out[f.Name], got.Out[f.Name]
		if w.Type != g.Type || w.Text != g.Text && !enclosing[f.Name] {
			return &Difference{f.Name, w.Text, g.Text}
		}
	}
	if want.outcome() != "value" {
		return nil
	}
	for _, e := range sig.Enclosures {
		if d := e.check(want.Out, got.Out); d != nil {
			return d
		}
	}
	return nil
}

func (r Result) outcome() string {
	switch {
	case r.Err != "":
		return "error: " + r.Err
	case r.Skip != "":
		return "skip: " + r.Skip
	case r.Reject != "":
		return "reject: " + r.Reject
	}
	return "value"
}

// Voter answers cases. Implementations, oracles, mutants and ports are all
// voters; it must be safe for concurrent use and must not panic on any Case that
// DecodeRequest accepts.
type Voter interface {
	Name() string
	Answer(Case) Result
}
