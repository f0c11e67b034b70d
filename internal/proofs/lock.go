package proofs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// lockPath is the file of what was read and found right: the hash of each text,
// check and trusted declaration. --update writes it, and nothing else does.
const lockPath = proofsDir + "/labels.json"

// lock is its content.
type lock struct {
	Documents map[string]string            `json:"documents"` // document -> hash of its prose
	Labels    map[string]boundLabel        `json:"labels"`
	Helpers   map[string]string            `json:"helpers"` // declaration of internal/proofs that checks use -> hash
	Files     map[string]map[string]string `json:"files"`   // file of a document's files -> declaration -> hash
}

// boundLabel is one numbered inequality: the text it stands in, in its document and
// in docs/theory.md, and the source of its check.
type boundLabel struct {
	Document string `json:"document"`
	Text     string `json:"text"`
	Theory   string `json:"theory,omitempty"`
	Check    string `json:"check"`
}

func newLock() lock {
	return lock{map[string]string{}, map[string]boundLabel{}, map[string]string{}, map[string]map[string]string{}}
}

// readLock reads the lock of a checkout. One that is not there is empty.
func readLock(root string) (lock, error) {
	l := newLock()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(lockPath)))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	} else if err != nil {
		return l, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return l, fmt.Errorf("%s: %w", lockPath, err)
	}
	if dec.More() {
		return l, fmt.Errorf("%s: more than one value", lockPath)
	}
	return l, nil
}

// text is the lock as a file: sorted, one entry a line, so that a difference of
// two versions reads as what changed.
func (l lock) text() string {
	var b strings.Builder
	quote := func(value any) string {
		v, _ := json.Marshal(value) // strings only: no error
		return string(v)
	}
	comma := map[bool]string{true: ","}
	line := func(indent, key string, value any, more bool) {
		fmt.Fprintf(&b, "%s%s: %s%s\n", indent, quote(key), quote(value), comma[more])
	}
	b.WriteString("{\n  \"documents\": {\n")
	each(l.Documents, func(k, v string, more bool) { line("    ", k, v, more) })
	b.WriteString("  },\n  \"labels\": {\n")
	each(l.Labels, func(k string, v boundLabel, more bool) { line("    ", k, v, more) })
	b.WriteString("  },\n  \"helpers\": {\n")
	each(l.Helpers, func(k, v string, more bool) { line("    ", k, v, more) })
	b.WriteString("  },\n  \"files\": {\n")
	each(l.Files, func(k string, v map[string]string, more bool) {
		b.WriteString("    " + quote(k) + ": {\n")
		each(v, func(k, v string, more bool) { line("      ", k, v, more) })
		b.WriteString("    }" + comma[more] + "\n")
	})
	b.WriteString("  }\n}\n")
	return b.String()
}

// each calls f in the order of the keys; more says that others follow.
func each[V any](m map[string]V, f func(k string, v V, more bool)) {
	keys := sortedKeys(m)
	for i, k := range keys {
		f(k, m[k], i < len(keys)-1)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// hashText is the hash of a text that is normal already.
func hashText(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:hashLength]
}

// bindings is the lock a checkout has now, with what reports need beside it.
type bindings struct {
	lock
	texts map[string]string   // label -> its text
	users map[string][]string // helper -> labels whose checks use it
	owner map[string]string   // file -> a document that binds it
}

// bindings computes what the lock should say. What cannot be found is a problem.
func (t *tree) bindings(reg Registry) bindings {
	b := bindings{newLock(), map[string]string{}, map[string][]string{}, map[string]string{}}
	var checks []string
	for _, c := range reg.Checks {
		checks = append(checks, c.Label)
	}
	source, err := readChecks(t.root, checks)
	if err != nil {
		t.problem(checksDir, "check-without-source", "%v", err)
	}
	theory, err := t.pageAt(theoryPath)
	if err == nil {
		b.Documents[theoryPath] = hashText(theory.prose)
	}
	for _, d := range t.documents {
		b.Documents[d.Path] = hashText(d.Title, string(d.Status), d.Source, d.page.prose)
		for _, l := range d.Labels() {
			if _, again := b.Labels[l]; again {
				continue // reported as label-twice
			}
			e := boundLabel{Document: d.Path, Text: hashText(d.page.items[l]...)}
			b.texts[l] = strings.Join(d.page.items[l], " / ")
			if in, ok := theory.items[l]; ok {
				e.Theory = hashText(in...)
			}
			if source != nil && source.sites[l] != nil {
				e.Check = source.sites[l].hash
				for _, h := range source.helpers(source.sites[l]) {
					b.Helpers[h] = source.decls[h]
					b.users[h] = append(b.users[h], l)
				}
			}
			b.Labels[l] = e
		}
		t.bindFiles(d, b)
	}
	if source != nil {
		for _, l := range checks {
			if source.sites[l] == nil {
				t.problem(checksDir, "check-without-source", "(%s) is written in no file as a string", l)
			}
		}
	}
	return b
}

func (t *tree) bindFiles(d *Document, b bindings) {
	for _, name := range d.Files {
		files, err := t.sources.expand(name)
		if err != nil {
			t.problem(d.Path, "unknown-file", "%v", err)
			continue
		}
		for _, f := range files {
			all, err := t.sources.file(f)
			if err != nil {
				t.problem(d.Path, "unknown-file", "%v", err)
				continue
			}
			b.Files[f], b.owner[f] = all, d.Path
		}
	}
}

// compareLock reports every difference between the lock and the checkout.
func (t *tree) compareLock(have lock, now bindings) {
	for _, x := range differences(have, now) {
		t.problem(x.Document, x.Kind, "%s", x.Detail)
	}
}

// differences lists what the lock says otherwise than the checkout.
func differences(have lock, now bindings) []Problem {
	var all []Problem
	add := func(doc, kind, format string, args ...any) {
		all = append(all, Problem{doc, kind, fmt.Sprintf(format, args...)})
	}
	each(now.Labels, func(l string, b boundLabel, _ bool) {
		old, ok := have.Labels[l]
		switch {
		case !ok:
			add(b.Document, "unbound", "(%s) is not in %s", l, lockPath)
			return
		case old.Document != b.Document:
			add(b.Document, "stale-text", "(%s) was read in %s", l, old.Document)
		case old.Text != b.Text:
			add(b.Document, "stale-text", "(%s): its text changed since it was read: %s -> %s", l, old.Text, b.Text)
		}
		if old.Theory != b.Theory {
			add(theoryPath, "stale-text", "(%s): its text in %s changed since it was read: %s -> %s", l, theoryPath, or(old.Theory), or(b.Theory))
		}
		if old.Check != b.Check && b.Check != "" {
			add(b.Document, "stale-check", "(%s): its check was edited: %s -> %s; read it against the text again, then --update", l, or(old.Check), b.Check)
		}
	})
	each(now.Helpers, func(h, hash string, _ bool) {
		if old, ok := have.Helpers[h]; !ok {
			add(lockPath, "unbound", "%s, which %s, is not in %s", h, usedBy(now.users[h]), lockPath)
		} else if old != hash {
			add(lockPath, "stale-check", "%s, which %s, was edited: %s -> %s", h, usedBy(now.users[h]), old, hash)
		}
	})
	each(now.Files, func(f string, decls map[string]string, _ bool) {
		old, ok := have.Files[f]
		if !ok {
			add(now.owner[f], "unbound", "%s is not in %s", f, lockPath)
			return
		}
		each(decls, func(d, hash string, _ bool) {
			if was, ok := old[d]; !ok {
				add(now.owner[f], "stale-file", "%s: %s is new", f, d)
			} else if was != hash {
				add(now.owner[f], "stale-file", "%s: %s was edited: %s -> %s", f, d, was, hash)
			}
		})
		each(old, func(d, _ string, _ bool) {
			if _, ok := decls[d]; !ok {
				add(now.owner[f], "stale-file", "%s: %s is gone", f, d)
			}
		})
	})
	each(now.Documents, func(d, hash string, _ bool) {
		if old, ok := have.Documents[d]; !ok {
			add(d, "unbound", "the document is not in %s", lockPath)
		} else if old != hash {
			add(d, "stale-text", "the prose changed since it was read: %s -> %s; read it again, then --update", old, hash)
		}
	})
	for _, gone := range []struct {
		what string
		keys []string
	}{{"label", missing(have.Labels, now.Labels)}, {"helper", missing(have.Helpers, now.Helpers)}, {"file", missing(have.Files, now.Files)}, {"document", missing(have.Documents, now.Documents)}} {
		for _, k := range gone.keys {
			add(lockPath, "bound-to-nothing", "the %s %s is no longer there or no longer used", gone.what, k)
		}
	}
	return all
}

func missing[V any](have, now map[string]V) []string {
	var gone []string
	each(have, func(k string, _ V, _ bool) {
		if _, ok := now[k]; !ok {
			gone = append(gone, k)
		}
	})
	return gone
}

func or(hash string) string {
	if hash == "" {
		return "none"
	}
	return hash
}

// usedBy names the first few labels.
func usedBy(labels []string) string {
	const most = 6
	if n := len(labels); n > most {
		return fmt.Sprintf("(%s) and %d more use", strings.Join(labels[:most], "), ("), n-most)
	}
	if len(labels) == 1 {
		return "(" + labels[0] + ") uses"
	}
	return "(" + strings.Join(labels, "), (") + ") use"
}

// keepChecks keeps what was bound of checks whose source cannot be found now: what
// is not read must not be forgotten.
func keepChecks(have lock, now bindings) {
	lost := false
	for l, b := range now.Labels {
		if old, ok := have.Labels[l]; ok && b.Check == "" {
			b.Check, lost = old.Check, true
			now.Labels[l] = b
		}
	}
	for h, hash := range have.Helpers {
		if _, ok := now.Helpers[h]; lost && !ok {
			now.Helpers[h] = hash
		}
	}
}

// updateLock writes the lock anew, after saying what changes. The new text of a
// label is shown: the lock has only the hash of the old one.
func (t *tree) updateLock(reg Registry, w io.Writer) error {
	have, err := readLock(t.root)
	if err != nil {
		return fmt.Errorf("%w (delete the file to have it written anew)", err)
	}
	if len(t.problems) > 0 {
		fmt.Fprintf(w, "%s: left as it is: %s\n", lockPath, t.problems[0])
		return nil
	}
	now := t.bindings(reg)
	for _, x := range differences(have, now) {
		fmt.Fprintf(w, "%s: %s\n", lockPath, x)
	}
	each(now.Labels, func(l string, b boundLabel, _ bool) {
		if old, ok := have.Labels[l]; ok && old.Text != b.Text {
			fmt.Fprintf(w, "(%s) now reads: %s\n", l, now.texts[l])
		}
	})
	keepChecks(have, now)
	if text := now.text(); text != have.text() {
		return replaceFile(filepath.Join(t.root, filepath.FromSlash(lockPath)), text)
	}
	return nil
}
