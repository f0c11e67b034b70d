// Package props states the properties of the operations of the port protocol,
// each once, over any voter: the implementation, the oracle, a mutant, a port.
//
// A property draws a question from a source of words (internal/gen) and judges
// what a voter says about it. What it compares with comes from the definition, in
// exact arithmetic, or from the oracle, never from the voter under test, except
// where the property relates two answers of one voter. The statements and ids
// are spec.Properties. The tests run every property under two engines of
// property testing that share no code.
package props

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Property is one property. Generate draws a point: the question, with further
// fields when the property compares several. Check returns nil, an
// *AbstainedError, or what is wrong.
type Property struct {
	ID       string
	Ops      []string // operations asked; none for a property of package impl itself
	Generate func(gen.Source) Point
	Check    func(v wire.Voter, p Point) error
}

// All is every property, in the order of spec.Properties.
var All = concat(lnProperties, lnPairProperties, latticeProperties, roundProperties, clampProperties, uniformProperties,
	snapProperties, monotoneProperties, derivationProperties, exactProperties, calibrateProperties, libraryProperties, refusalProperties, caseProperties, wideProperties)

func concat(lists ...[]Property) (all []Property) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Find finds a property by its id.
func Find(id string) (Property, bool) {
	for _, p := range All {
		if p.ID == id {
			return p, true
		}
	}
	return Property{}, false
}

// Point is a drawn input of a property: typed values by name.
type Point map[string]wire.Value

// String writes the point in the encodings of the protocol, floats also readably.
func (p Point) String() string {
	names := make([]string, 0, len(p))
	for n := range p {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%s", n, p[n].Text)
		if p[n].Type == wire.F64 {
			fmt.Fprintf(&b, "(%g)", p[n].Float())
		}
	}
	return b.String()
}

// GoString is String: engines print points with %#v.
func (p Point) GoString() string { return p.String() }

// AbstainedError says that the voter gave no answer, so nothing was checked.
type AbstainedError struct{ Voter, Op, Reason string }

func (e *AbstainedError) Error() string {
	return fmt.Sprintf("%s abstains from %s: %s", e.Voter, e.Op, e.Reason)
}

// question is the input of op: p's fields of that name, those of change first.
func question(op string, p Point, change wire.Values) wire.Values {
	sig, _ := ops.Lookup(op)
	in := wire.Values{}
	for _, f := range sig.In {
		if v, ok := change[f.Name]; ok {
			in[f.Name] = v
		} else if v, ok := p[f.Name]; ok {
			in[f.Name] = v
		}
	}
	return in
}

// ask returns the voter's value or refusal, or why there is none.
func ask(v wire.Voter, op string, in wire.Values) (wire.Result, error) {
	r := v.Answer(wire.Case{ID: "property", Op: op, In: in})
	switch {
	case r.Skip != "":
		return r, &AbstainedError{v.Name(), op, r.Skip}
	case r.Err != "":
		return r, fmt.Errorf("%s(%v): error %q", op, Point(in), r.Err)
	}
	return r, nil
}

// value asks a question that has a value: a refusal is an error.
func value(v wire.Voter, op string, in wire.Values) (wire.Values, error) {
	r, err := ask(v, op, in)
	if err != nil {
		return nil, err
	}
	if r.Reject != "" {
		return nil, fmt.Errorf("%s(%v) is refused: %s", op, Point(in), r.Reject)
	}
	return r.Out, nil
}

// y asks for the output of an operation that has one, as a datum.
func y(v wire.Voter, op string, in wire.Values) (spec.Value, error) {
	out, err := value(v, op, in)
	return datum(out["y"]), err
}

var b64 = spec.Binary64

func datum(v wire.Value) spec.Value { return spec.FromBits64(v.Bits()) }

// encode is the wire form of a datum of binary64.
func encode(v spec.Value) wire.Value {
	b, err := b64.Encode(v)
	if err != nil { // only for what is no double: let it show
		return wire.Value{Type: wire.F64, Text: fmt.Sprintf("not binary64: %v", v)}
	}
	return wire.NewF64(b)
}

func dyadic(v wire.Value) real.Dyadic { return datum(v).Dyadic() }

// onePlusEta is 1 + 2^-53.
var onePlusEta = real.One().Add(b64.Eta())

// decide refines an enclosure until verdict, which may answer "not yet", answers.
func decide(enclose func(prec uint) (real.Interval, error), verdict func(real.Interval) (ok, done bool)) (bool, error) {
	for prec := uint(80); ; prec *= 2 {
		x, err := enclose(prec)
		if err != nil {
			return false, err
		}
		if ok, done := verdict(x); done {
			return ok, nil
		}
	}
}
