// Package corpus reads and writes the published vector files: one JSON file per
// operation, its cases one to a line, checked against the published schema and
// decoded once into typed values.
package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Generator says what made a file.
type Generator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Seed    string `json:"seed"`
}

// Flag explains why a case is there.
type Flag struct {
	Why     string `json:"why"`     // what is special about the input
	Section string `json:"section"` // where the rule is written
	Proof   string `json:"proof"`   // the document that proves the rule
	Risk    string `json:"risk"`    // what goes wrong in practice
}

// Header is everything of a file but its cases.
type Header struct {
	Op        string            `json:"op"`
	Doc       string            `json:"doc"`
	Protocol  int               `json:"protocol"`
	Version   string            `json:"version"` // of the vectors
	Generator Generator         `json:"generator"`
	Votes     map[string]int    `json:"votes"` // cases each voter answered, all in agreement
	In        []FieldDoc        `json:"in"`
	Out       []FieldDoc        `json:"out"`
	Flags     map[string]Flag   `json:"flags"`
	Certified map[string]string `json:"certified,omitempty"` // case id -> machine-checked proof
}

// FieldDoc documents a field.
type FieldDoc struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Doc  string `json:"doc,omitempty"`
}

// Case is one published case: a question, the one right answer, and why it is asked.
type Case struct {
	wire.Case
	Want    wire.Result
	Flags   []string
	Comment string
}

// File is one vector file.
type File struct {
	Header
	Cases []Case
}

// Docs turns fields into their documentation.
func Docs(fields []wire.Field) []FieldDoc {
	var d []FieldDoc
	for _, f := range fields {
		d = append(d, FieldDoc{f.Name, string(f.Type), f.Doc})
	}
	return d
}

// Encode writes the file canonically: the header indented, one case to a line.
func (f File) Encode(sig wire.Signature) ([]byte, error) {
	var head bytes.Buffer
	e := json.NewEncoder(&head)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f.Header); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(strings.TrimSuffix(head.String(), "\n}\n"))
	b.WriteString(",\n  \"cases\": [\n")
	for i, c := range f.Cases {
		id, err := marshal(c.ID)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `    {"id":%s,"in":%s,`, id, wire.EncodeValues(c.In, sig.In))
		b.WriteString(strings.TrimSuffix(wire.EncodeAnswer(c.Want, sig)[1:], "}"))
		if len(c.Flags) > 0 {
			flags, err := marshal(c.Flags)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, `,"flags":%s`, flags)
		}
		if c.Comment != "" {
			text, err := marshal(c.Comment)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, `,"comment":%s`, text)
		}
		b.WriteByte('}')
		if i < len(f.Cases)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("  ]\n}\n")
	return b.Bytes(), nil
}

func marshal(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// rawFile is the file as it stands in JSON.
type rawFile struct {
	Header
	Cases []rawCase `json:"cases"`
}

type rawCase struct {
	ID      string          `json:"id"`
	In      json.RawMessage `json:"in"`
	Out     json.RawMessage `json:"out"`
	Reject  string          `json:"reject"`
	Flags   []string        `json:"flags"`
	Comment string          `json:"comment"`
}

// Decode reads a file and checks everything the program relies on: the
// operation, the protocol version, ids unique and under the operation's name,
// flags defined, values well formed, exactly one of out and reject.
func Decode(data []byte, lookup wire.Lookup) (File, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var raw rawFile
	if err := d.Decode(&raw); err != nil {
		return File{}, err
	}
	if d.More() {
		return File{}, errors.New("data after the JSON object")
	}
	f := File{Header: raw.Header}
	sig, ok := lookup(f.Op)
	if !ok {
		return f, fmt.Errorf("unknown op %q", f.Op)
	}
	if f.Protocol != wire.Protocol {
		return f, fmt.Errorf("protocol %d; this program speaks %d", f.Protocol, wire.Protocol)
	}
	seen := map[string]bool{}
	for i, r := range raw.Cases {
		c, err := r.decode(sig, f.Flags)
		if err == nil && seen[c.ID] {
			err = errors.New("the id is used twice")
		}
		if err != nil {
			return f, fmt.Errorf("case %d (%s): %w", i+1, r.ID, err)
		}
		seen[c.ID] = true
		f.Cases = append(f.Cases, c)
	}
	return f, nil
}

func (r rawCase) decode(sig wire.Signature, flags map[string]Flag) (Case, error) {
	c := Case{Case: wire.Case{ID: r.ID, Op: sig.Op}, Flags: r.Flags, Comment: r.Comment}
	if !strings.HasPrefix(r.ID, sig.Op+"/") {
		return c, fmt.Errorf("the id does not begin with %q", sig.Op+"/")
	}
	for _, flag := range r.Flags {
		if _, ok := flags[flag]; !ok {
			return c, fmt.Errorf("flag %q is not explained in the file", flag)
		}
	}
	var err error
	if c.In, err = wire.DecodeValues(r.In, sig.In); err != nil {
		return c, err
	}
	switch {
	case r.Reject != "" && r.Out == nil:
		c.Want.Reject = r.Reject
	case r.Reject == "" && r.Out != nil:
		c.Want.Out, err = wire.DecodeValues(r.Out, sig.Out)
	default:
		err = errors.New(`exactly one of "out" and "reject" is needed`)
	}
	return c, err
}

// Load reads the vector file of every operation found in the directory dir of fsys.
func Load(fsys fs.FS, dir string, ops []string, lookup wire.Lookup) ([]File, error) {
	var files []File
	for _, op := range ops {
		name := path.Join(dir, op+".json")
		data, err := fs.ReadFile(fsys, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f, err := Decode(data, lookup)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if f.Op != op {
			return nil, fmt.Errorf("%s: the file is for op %q", name, f.Op)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no vector files (such as %s.json) in %s", ops[0], dir)
	}
	return files, nil
}
