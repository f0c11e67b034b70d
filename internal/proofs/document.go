package proofs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Status is what a document claims about its statement.
type Status string

const (
	Proved         Status = "proved"          // the document proves it on paper
	MachineChecked Status = "machine-checked" // a program decides every label of it, for all inputs (Registry.Decides)
	Refuted        Status = "refuted"         // a witness contradicts it
	Open           Status = "open"            // neither
)

// Statuses lists them.
var Statuses = []Status{Proved, MachineChecked, Refuted, Open}

// Bound is a declaration a document speaks about: package.Symbol or
// package.(Type).Method, the package by its path in the module, and a prefix of
// the SHA-256 of the declaration's normalised syntax.
type Bound struct {
	Symbol string `yaml:"symbol" json:"symbol"`
	Hash   string `yaml:"hash" json:"hash"`
}

// FrontMatter is the YAML header of a document.
type FrontMatter struct {
	ID         string   `yaml:"id" json:"id"`
	Title      string   `yaml:"title" json:"title"`
	Status     Status   `yaml:"status" json:"status"`
	Source     string   `yaml:"source" json:"source"`
	Properties []string `yaml:"properties" json:"properties"`
	Code       []Bound  `yaml:"code" json:"code"`
	Files      []string `yaml:"files" json:"files"` // files or directories, every declaration of which is bound (by labels.json)
	Witnesses  []string `yaml:"witnesses" json:"witnesses"`
	Mutants    []string `yaml:"mutants" json:"mutants"`
}

// Document is one file of the directory proofs.
type Document struct {
	FrontMatter
	Path string // relative to the root, with slashes
	text string
	page page
}

// Labels are the numbered inequalities of the document, in order.
func (d *Document) Labels() []string { return d.page.labels }

var slugPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const rule = "---\n"

// ParseDocument reads a document. The front matter must have every required
// field and no unknown one; its id must be the file's name.
func ParseDocument(path, text string) (*Document, error) {
	d := &Document{Path: path, text: text}
	rest, ok := strings.CutPrefix(text, rule)
	if !ok {
		return nil, errors.New("no front matter: the first line is not ---")
	}
	head, _, ok := strings.Cut(rest, "\n"+rule)
	if !ok {
		return nil, errors.New("the front matter does not end with ---")
	}
	dec := yaml.NewDecoder(bytes.NewReader([]byte(head)))
	dec.KnownFields(true)
	if err := dec.Decode(&d.FrontMatter); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("front matter: more than one YAML document")
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	var err error
	d.page, err = readPage(text)
	return d, err
}

// check tests the fields that need nothing but the document.
func (f *FrontMatter) check() error {
	switch {
	case !slugPattern.MatchString(f.ID):
		return fmt.Errorf("id %q is not lower-case words joined by hyphens", f.ID)
	case strings.TrimSpace(f.Title) == "":
		return errors.New("title is missing")
	case strings.TrimSpace(f.Source) == "":
		return errors.New("source is missing")
	}
	known := false
	for _, s := range Statuses {
		known = known || s == f.Status
	}
	if !known {
		return fmt.Errorf("status %q is none of %v", f.Status, Statuses)
	}
	for _, b := range f.Code {
		if b.Symbol == "" || b.Hash == "" {
			return errors.New("an entry of code needs symbol and hash")
		}
	}
	for name, ids := range map[string][]string{"properties": f.Properties, "files": f.Files, "witnesses": f.Witnesses, "mutants": f.Mutants} {
		seen := map[string]bool{}
		for _, id := range ids {
			if seen[id] {
				return fmt.Errorf("%s names %q twice", name, id)
			}
			seen[id] = true
		}
	}
	return nil
}
