package proofs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Directories of a checkout.
const (
	proofsDir  = "proofs"
	vectorsDir = "vectors/v1"
	theoryPath = "docs/theory.md"
	indexPath  = proofsDir + "/README.md"
)

// tree is a checkout as the audit sees it.
type tree struct {
	root      string
	documents []*Document
	pages     map[string]page // every Markdown file read so far, by its path; the others on demand
	vectors   map[string]bool // ids
	flags     []flagLink
	sources   *sources
	problems  []Problem
}

// flagLink is a link of a vector file's flag.
type flagLink struct{ file, flag, field, target string }

// Problem is one thing that is wrong.
type Problem struct {
	Document string `json:"document"` // path of the file it is found in
	Kind     string `json:"kind"`
	Detail   string `json:"detail"`
}

func (t *tree) problem(doc, kind, format string, args ...any) {
	t.problems = append(t.problems, Problem{doc, kind, fmt.Sprintf(format, args...)})
}

// loadTree reads the documents and the vectors' ids. Errors are for a checkout
// that cannot be read; what is wrong with its content is a problem.
func loadTree(root string) (*tree, error) {
	t := &tree{root: root, pages: map[string]page{}, vectors: map[string]bool{}, sources: newSources(root)}
	entries, err := os.ReadDir(filepath.Join(root, proofsDir))
	if err != nil {
		return nil, fmt.Errorf("%s is no checkout with a directory %s, name one with --root: %w", root, proofsDir, err)
	}
	for _, e := range entries {
		name := path.Join(proofsDir, e.Name())
		if e.IsDir() || !strings.HasSuffix(name, ".md") || name == indexPath {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		d, err := ParseDocument(name, string(text))
		if err != nil {
			t.problem(name, "front-matter", "%v", err)
			continue
		}
		if want := path.Join(proofsDir, d.ID+".md"); want != name {
			t.problem(name, "front-matter", "the id %q belongs into %s", d.ID, want)
		}
		t.documents = append(t.documents, d)
		t.pages[name] = d.page
	}
	if len(t.documents) == 0 && len(t.problems) == 0 {
		return nil, fmt.Errorf("no documents in %s", filepath.Join(root, proofsDir))
	}
	return t, t.loadVectors()
}

// loadVectors reads ids and flags only; package corpus checks the rest.
func (t *tree) loadVectors() error {
	names, err := fs.Glob(os.DirFS(t.root), vectorsDir+"/*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		var f struct {
			Flags map[string]struct{ Section, Proof string }
			Cases []struct{ ID string }
		}
		if err := json.Unmarshal(data, &f); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range f.Cases {
			t.vectors[c.ID] = true
		}
		for flag, links := range f.Flags {
			t.flags = append(t.flags, flagLink{name, flag, "section", links.Section}, flagLink{name, flag, "proof", links.Proof})
		}
	}
	sort.Slice(t.flags, func(i, j int) bool {
		a, b := t.flags[i], t.flags[j]
		return a.file+a.flag+a.field < b.file+b.flag+b.field
	})
	return nil
}

// markdownFiles lists those of the checkout, hidden directories and test data apart.
func (t *tree) markdownFiles() ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(t.root), ".", func(name string, e fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (base[0] == '.' || base[0] == '_' || base == "testdata"):
			return fs.SkipDir
		case !e.IsDir() && strings.HasSuffix(base, ".md"):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// pageAt reads a Markdown file of the checkout, given by its path from the root.
func (t *tree) pageAt(name string) (page, error) {
	if p, ok := t.pages[name]; ok {
		return p, nil
	}
	text, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(name)))
	if err != nil {
		return page{}, err
	}
	p, err := readPage(string(text))
	if err == nil {
		t.pages[name] = p
	}
	return p, err
}

// follow returns why a link from the directory dir leads nowhere, or "".
// Links out of the checkout to the network are not followed.
func (t *tree) follow(dir, self, target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	file, anchor, hasAnchor := strings.Cut(target, "#")
	name := self
	if file != "" {
		name = path.Join(dir, file)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "it leaves the checkout"
	}
	info, err := os.Stat(filepath.Join(t.root, filepath.FromSlash(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no " + name
	case err != nil:
		return err.Error()
	case !hasAnchor:
		return ""
	case info.IsDir() || !strings.HasSuffix(name, ".md"):
		return name + " has no anchors"
	}
	p, err := t.pageAt(name)
	if err != nil {
		return err.Error()
	}
	if p.anchors[anchor] {
		return ""
	}
	return fmt.Sprintf("%s has no anchor #%s%s", name, anchor, p.similar(anchor))
}

// similar names an anchor that begins like the one wanted.
func (p page) similar(anchor string) string {
	var like []string
	for a := range p.anchors {
		if strings.HasPrefix(a, anchor+"-") {
			like = append(like, "#"+a)
		}
	}
	if len(like) == 0 {
		return ""
	}
	sort.Strings(like)
	return "; there is " + strings.Join(like, ", ")
}
