package proofs

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Update rewrites stale hashes, generated blocks and labels.json, and says on w
// what it changes before it writes: for a hash what it is of, with the old and the
// new one; for a block the lines that go and come; for a label the new text. It
// touches nothing else; a symbol that does not exist is left for Audit to report.
func Update(root string, reg Registry, w io.Writer) error {
	t, err := loadTree(root)
	if err != nil {
		return err
	}
	for _, d := range t.documents {
		text := t.updateBlocks(d, reg, w) // from the end, so that line numbers hold
		text = t.updateHashes(d, text, w)
		if text == d.text {
			continue
		}
		name := filepath.Join(root, filepath.FromSlash(d.Path))
		if err := replaceFile(name, text); err != nil {
			return err
		}
	}
	return t.updateLock(reg, w)
}

func (t *tree) updateHashes(d *Document, text string, w io.Writer) string {
	for _, b := range d.Code {
		h, err := t.sources.hash(b.Symbol)
		if err != nil || h == b.Hash {
			continue
		}
		fmt.Fprintf(w, "%s: %s: %s -> %s\n", d.Path, b.Symbol, b.Hash, h)
		line := regexp.MustCompile(`(symbol:\s*["']?` + regexp.QuoteMeta(b.Symbol) + `["']?\s*,?\s*hash:\s*["']?)` + regexp.QuoteMeta(b.Hash))
		text = line.ReplaceAllString(text, "${1}"+h)
	}
	return text
}

func (t *tree) updateBlocks(d *Document, reg Registry, w io.Writer) string {
	lines := strings.Split(d.text, "\n")
	for i := len(d.page.blocks) - 1; i >= 0; i-- {
		b := d.page.blocks[i]
		want, err := reg.generate(b.name)
		if err != nil || want == b.text {
			continue
		}
		fmt.Fprintf(w, "%s: check:%s\n", d.Path, b.name)
		fresh := strings.Split(strings.TrimSuffix(want, "\n"), "\n")
		old := lines[b.from:b.to]
		for _, l := range old {
			if !contains(fresh, l) {
				fmt.Fprintf(w, "- %s\n", l)
			}
		}
		for _, l := range fresh {
			if !contains(old, l) {
				fmt.Fprintf(w, "+ %s\n", l)
			}
		}
		lines = append(lines[:b.from:b.from], append(fresh, lines[b.to:]...)...)
	}
	return strings.Join(lines, "\n")
}

func contains(lines []string, l string) bool {
	for _, m := range lines {
		if m == l {
			return true
		}
	}
	return false
}

// replaceFile writes a temporary file beside name and renames it.
func replaceFile(name, text string) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".proofs-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	return err
}
