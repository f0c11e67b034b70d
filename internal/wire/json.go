package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// object is a JSON object with its members in order, each name once.
type object struct {
	names   []string
	members map[string]json.RawMessage
}

// decodeObject reads exactly one JSON object. Unlike encoding/json on a struct it
// matches names exactly, refuses a name given twice and refuses trailing data.
func decodeObject(data []byte) (object, error) {
	o := object{members: map[string]json.RawMessage{}}
	if !utf8.Valid(data) {
		return o, errors.New("not UTF-8")
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return o, errors.New("an empty line")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	t, err := d.Token()
	if err != nil {
		return o, fmt.Errorf("not JSON: %w", err)
	}
	if t != json.Delim('{') {
		return o, errors.New("not a JSON object")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return o, fmt.Errorf("not JSON: %w", err)
		}
		name, ok := t.(string)
		if !ok {
			return o, errors.New("not JSON: a member's name is not a string")
		}
		if _, twice := o.members[name]; twice {
			return o, fmt.Errorf("member %s is given twice", quote(name))
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return o, fmt.Errorf("not JSON: %w", err)
		}
		o.names = append(o.names, name)
		o.members[name] = raw
	}
	if _, err := d.Token(); err != nil {
		return o, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return o, errors.New("data after the JSON object")
	}
	return o, nil
}

// text reads a member that must be a JSON string.
func (o object) text(name string) (string, error) {
	raw, ok := o.members[name]
	if !ok {
		return "", fmt.Errorf("member %q is missing", name)
	}
	return jsonString(name, raw)
}

func jsonString(name string, raw json.RawMessage) (string, error) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", fmt.Errorf("%q must be a JSON string", name)
	}
	// encoding/json turns a lone surrogate escape into U+FFFD: two ids could
	// become one. The character itself is refused with it.
	if strings.ContainsRune(s, utf8.RuneError) {
		return "", fmt.Errorf("%q has a lone surrogate or U+FFFD", name)
	}
	return s, nil
}

// only returns an error if o has a member that is not named.
func (o object) only(names ...string) error {
next:
	for _, n := range o.names {
		for _, ok := range names {
			if n == ok {
				continue next
			}
		}
		return fmt.Errorf("unknown member %s", quote(n))
	}
	return nil
}

// Lookup finds the signature of an operation.
type Lookup func(op string) (Signature, bool)

// DecodeHello reports whether a line is the greeting {"op":"hello","protocol":1}.
// A greeting of another shape or version is an error; other requests are not,
// whatever is wrong with them.
func DecodeHello(line []byte) (bool, error) {
	o, err := decodeObject(line)
	if err != nil {
		return false, nil
	}
	if op, err := o.text("op"); err != nil || op != "hello" {
		return false, nil // DecodeRequest says what is wrong, if anything is
	}
	if err := o.only("op", "protocol"); err != nil {
		return true, err
	}
	if v := string(o.members["protocol"]); v != strconv.Itoa(Protocol) {
		return true, fmt.Errorf("a greeting needs \"protocol\":%d, a number; no other is spoken here", Protocol)
	}
	return true, nil
}

// DecodeRequest reads one request line of the protocol that is a case. The id is
// returned also with an error whenever it could be read, and is nil otherwise.
func DecodeRequest(line []byte, lookup Lookup) (c Case, id *string, err error) {
	o, err := decodeObject(line)
	if err != nil {
		return c, nil, err
	}
	if c.ID, err = o.text("id"); err != nil {
		return c, nil, err
	}
	id = &c.ID
	if c.Op, err = o.text("op"); err != nil {
		return c, id, err
	}
	if err := o.only("id", "op", "in"); err != nil {
		return c, id, err
	}
	sig, ok := lookup(c.Op)
	if !ok {
		return c, id, fmt.Errorf("unknown op %s", quote(c.Op))
	}
	raw, ok := o.members["in"]
	if !ok {
		return c, id, errors.New(`member "in" is missing`)
	}
	c.In, err = DecodeValues(raw, sig.In)
	return c, id, err
}

// DecodeValues reads an object of values of the given fields: all that are not
// optional, and no others.
func DecodeValues(raw json.RawMessage, fields []Field) (Values, error) {
	o, err := decodeObject(raw)
	if err != nil {
		return nil, err
	}
	vs := Values{}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.Name
	}
	if err := o.only(known...); err != nil {
		return nil, err
	}
	for _, f := range fields {
		m, ok := o.members[f.Name]
		if !ok {
			if f.Optional {
				continue
			}
			return nil, fmt.Errorf("member %q is missing", f.Name)
		}
		s, err := jsonString(f.Name, m)
		if err != nil {
			return nil, err
		}
		if vs[f.Name], err = Parse(f.Type, s); err != nil {
			return nil, fmt.Errorf("member %q: %w", f.Name, err)
		}
	}
	return vs, nil
}

// EncodeValues writes values as a canonical JSON object: the fields in the order
// given, no spaces. Canonical texts need no escaping.
func EncodeValues(vs Values, fields []Field) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, f := range fields {
		v, ok := vs[f.Name]
		if !ok {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s":"%s"`, f.Name, v.Text)
	}
	b.WriteByte('}')
	return b.String()
}

// EncodeRequest writes c as a request line, without the newline.
func EncodeRequest(c Case, sig Signature) string {
	return fmt.Sprintf(`{"id":%s,"op":"%s","in":%s}`, jsonQuote(c.ID), c.Op, EncodeValues(c.In, sig.In))
}

// EncodeAnswer writes r without an id: the canonical form digests are taken over.
func EncodeAnswer(r Result, sig Signature) string {
	switch {
	case r.Err != "":
		return `{"error":` + jsonQuote(r.Err) + `}`
	case r.Skip != "":
		return `{"skip":` + jsonQuote(r.Skip) + `}`
	case r.Reject != "":
		return `{"reject":"` + r.Reject + `"}`
	}
	return `{"out":` + EncodeValues(r.Out, sig.Out) + `}`
}

// EncodeResponse writes r as the answer line to the request id, without the
// newline; a nil id stands for a request whose id could not be read.
func EncodeResponse(id *string, r Result, sig Signature) string {
	key := "null"
	if id != nil {
		key = jsonQuote(*id)
	}
	return `{"id":` + key + `,` + EncodeAnswer(r, sig)[1:]
}

func jsonQuote(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a Go string always marshals
		return strconv.Quote(s)
	}
	return string(b)
}

// DecodeResponse reads one answer line and returns the id and the answer. A null
// id is returned as "".
func DecodeResponse(line []byte, sig Signature) (id string, r Result, err error) {
	o, err := decodeObject(line)
	if err != nil {
		return "", r, err
	}
	if string(o.members["id"]) != "null" {
		if id, err = o.text("id"); err != nil {
			return "", r, err
		}
	}
	if len(o.names) != 2 {
		return id, r, errors.New(`an answer has "id" and one of "out", "reject", "skip", "error"`)
	}
	for _, n := range o.names {
		switch n {
		case "id":
		case "out":
			r.Out, err = DecodeValues(o.members[n], sig.Out)
		case "reject":
			r.Reject, err = o.text(n)
		case "skip":
			r.Skip, err = o.text(n)
		case "error":
			r.Err, err = o.text(n)
		default:
			err = fmt.Errorf("unknown member %s", quote(n))
		}
		if err != nil {
			return id, r, err
		}
	}
	return id, r, nil
}
