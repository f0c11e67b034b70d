package proofs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A small checkout: one proved and one refuted document.
var smallTree = map[string]string{
	"docs/theory.md":   "# Theory\n\n## 1 A rule\n\n$$a \\le b \\tag{1.1}$$\n\n## Same\n\n## Same\n",
	"proofs/README.md": "# Proofs\n\n[one](one.md)\n",
	"proofs/one.md": `---
id: one
title: One
status: proved
source: somebody
properties: [p]
code:
  - {symbol: "pkg.F", hash: "0"}
  - {symbol: "pkg.(T).M", hash: "0"}
witnesses: [op/case]
mutants: [m]
---

# One

See [the rule](../docs/theory.md#1-a-rule), [again](../docs/theory.md#same-1), [here](#one).

- **(1.1)** listed from the theory.

$$x \le y \tag{one.1}$$

` + "```check:numbers\n1 2 3\n```\n\n`[no](link.md)` and **(one.2)**\n",
	"proofs/two.md": `---
id: two
title: Two
status: refuted
source: somebody
properties: []
code: []
witnesses: []
mutants: []
---

**(two.1)** is false.
`,
	"pkg/f.go": `package pkg

// F does.
func F(a, b int) int {
	return a + b // sum
}

type T struct{ n int }

func (t *T) M() int { return F(t.n, 1) }

const (
	A = iota
	B
)
`,
	"pkg/f_test.go":      "package pkg\n\nfunc G() {}\n",
	"vectors/v1/op.json": `{"op":"op","flags":{"x":{"why":"","section":"docs/theory.md#1-a-rule","proof":"proofs/one.md","risk":""}},"cases":[{"id":"op/case"}]}`,
}

// smallRegistry goes with it.
func smallRegistry() Registry {
	holds := func(t *Trial) { t.instance(); t.Le(intNum(1), intNum(2), "1 <= 2") }
	return Registry{
		Checks: []Check{
			{Label: "1.1", Run: holds}, {Label: "one.1", Run: holds}, {Label: "one.2", Run: holds},
			{Label: "two.1", Refutes: true, Run: holds},
		},
		Blocks:     map[string]func() (string, error){"numbers": func() (string, error) { return "1 2 3\n", nil }},
		Properties: []string{"p"},
		Mutants:    []string{"m"},
	}
}

// plant writes the tree, brought up to date, and then the changes: a file's new
// text, or pairs of old and new separated by " => ".
func plant(t *testing.T, changes map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for name, text := range smallTree {
		write(name, text)
	}
	require.NoError(t, Update(dir, smallRegistry(), &bytes.Buffer{}))
	for name, change := range changes {
		old, fresh, ok := strings.Cut(change, " => ")
		if !ok {
			write(name, change)
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Contains(t, string(data), old)
		write(name, strings.ReplaceAll(string(data), old, fresh))
	}
	return dir
}

func TestSmallTreeIsSound(t *testing.T) {
	r, err := Audit(plant(t, nil), smallRegistry(), 1)
	require.NoError(t, err)
	assert.Empty(t, r.Problems)
	require.Len(t, r.Rows, 2)
	assert.Equal(t, Row{Document: "one", Title: "One", Status: Proved, Properties: 1, Code: 2, Labels: 3, Checked: 3, Witnesses: 1, Mutants: 1, Problems: []string{}}, r.Rows[0])
	var b bytes.Buffer
	require.NoError(t, r.WriteText(&b))
	assert.Contains(t, b.String(), "2 documents, 4 checks on 4 instances: ok")
	b.Reset()
	require.NoError(t, r.WriteJSON(&b))
	assert.Contains(t, b.String(), `"ok": true`)
}

// Each planted fault is found, and nothing else is.
func TestPlantedFaults(t *testing.T) {
	for _, c := range []struct {
		name, file, change, kind, detail string
	}{
		{"edited function", "pkg/f.go", "a + b => a - b", "stale-hash", "pkg.F was edited"},
		{"edited method", "pkg/f.go", "t.n, 1 => t.n, 2", "stale-hash", "pkg.(T).M was edited"},
		{"unknown symbol", "proofs/one.md", `"pkg.F" => "pkg.X"`, "unknown-symbol", "declares no X"},
		{"symbol of a test", "proofs/one.md", `"pkg.F" => "pkg.G"`, "unknown-symbol", "declares no G"},
		{"malformed symbol", "proofs/one.md", `"pkg.F" => "F"`, "unknown-symbol", "is not package.Symbol"},
		{"symbol outside", "proofs/one.md", `"pkg.F" => "../pkg.F"`, "unknown-symbol", "leaves the module"},
		{"unknown package", "proofs/one.md", `"pkg.F" => "gkp.F"`, "unknown-symbol", "package directory"},
		{"broken source", "pkg/f.go", "package pkg\nfunc {", "unknown-symbol", "expected"},
		{"unknown vector", "proofs/one.md", "op/case => op/cape", "unknown-vector", "op/cape"},
		{"unknown mutant", "proofs/one.md", "mutants: [m] => mutants: [n]", "unknown-mutant", "n"},
		{"unknown property", "proofs/one.md", "[p] => [p, q]", "unknown-property", "q"},
		{"no property", "proofs/one.md", "properties: [p] => properties: []", "document-without-property", "status proved"},
		{"unknown key", "proofs/one.md", "source: => sauce:", "front-matter", "sauce"},
		{"no title", "proofs/one.md", "title: One => title: ''", "front-matter", "title is missing"},
		{"bad status", "proofs/one.md", "status: proved => status: likely", "front-matter", "likely"},
		{"bad id", "proofs/one.md", "id: one => id: One", "front-matter", "lower-case"},
		{"other id", "proofs/one.md", "id: one => id: three", "front-matter", "belongs into proofs/three.md"},
		{"property twice", "proofs/one.md", "[p] => [p, p]", "front-matter", "twice"},
		{"no front matter", "proofs/two.md", "# Two\n", "front-matter", "first line"},
		{"front matter without end", "proofs/two.md", "---\nid: two\n", "front-matter", "does not end"},
		{"entry without hash", "proofs/two.md", "code: [] => code: [{symbol: pkg.F}]", "front-matter", "needs symbol and hash"},
		{"fence without end", "proofs/two.md", "is false. => is false.\n```\n", "front-matter", "does not end"},
		{"inequality without a check", "proofs/one.md", "**(one.2)** => **(one.2)** **(one.3)**", "inequality-without-check", "(one.3)"},
		{"check without an inequality", "proofs/one.md", "**(one.2)** => one.2", "check-without-inequality", "(one.2)"},
		{"label twice", "proofs/two.md", "**(two.1)** => **(two.1)** **(one.1)**", "label-twice", "(one.1)"},
		{"theory label unlisted", "docs/theory.md", "1.1 => 1.2", "inequality-without-check", "(1.2) is listed by no document"},
		{"refuted without witness", "proofs/two.md", "status: refuted\nsource: somebody\nproperties: []\ncode: []\nwitnesses: []\nmutants: []\n---\n\n**(two.1)** => status: open\nsource: somebody\nproperties: []\ncode: []\nwitnesses: []\nmutants: []\n---\n\n(two.1)", "check-without-inequality", "(two.1)"},
		{"block differs", "proofs/one.md", "1 2 3 => 1 2 4", "block-differs", `"1 2 4" for "1 2 3"`},
		{"unknown block", "proofs/two.md", "is false. => is false.\n```check:other\n```\n", "block", "no generator"},
		{"dead file", "proofs/one.md", "../docs/theory.md#1-a-rule => ../docs/theory.html", "dead-link", "there is no docs/theory.html"},
		{"dead anchor", "proofs/one.md", "#1-a-rule => #1", "dead-link", "no anchor #1; there is #1-a-rule"},
		{"dead anchor here", "proofs/one.md", "(#one) => (#two)", "dead-link", "no anchor #two"},
		{"third of two headings", "proofs/one.md", "#same-1 => #same-2", "dead-link", "#same-2"},
		{"link outside", "proofs/one.md", "(#one) => (../../x)", "dead-link", "leaves the checkout"},
		{"dead link in the theory", "docs/theory.md", "# Theory => # Theory [x](y.md)", "dead-link", "there is no docs/y.md"},
		{"dead flag", "vectors/v1/op.json", "theory.md#1-a-rule => theory.md#1", "dead-link", "flag x, section docs/theory.md#1"},
		{"dead flag proof", "vectors/v1/op.json", "proofs/one.md => proofs/no.md", "dead-link", "flag x, proof proofs/no.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Audit(plant(t, map[string]string{c.file: c.change}), smallRegistry(), 1)
			require.NoError(t, err)
			found := false
			for _, p := range r.Problems {
				found = found || p.Kind == c.kind && strings.Contains(p.Detail, c.detail)
			}
			assert.True(t, found, "%s (%s) in %v", c.kind, c.detail, r.Problems)
			assert.False(t, r.OK())
		})
	}
}

// Faults of the registry: a false check, a witness that refutes no more, and the like.
func TestPlantedRegistryFaults(t *testing.T) {
	fails := func(t *Trial) { t.instance(); t.Le(intNum(2), intNum(1), "2 <= 1") }
	for _, c := range []struct {
		name, kind, detail string
		change             func(*Registry)
	}{
		{"false inequality", "check-fails", "2 <= 1 does not hold", func(r *Registry) { r.Checks[1].Run = fails }},
		{"no instance", "check-fails", "no instance", func(r *Registry) { r.Checks[1].Run = func(*Trial) {} }},
		{"refutes no more", "no-longer-refuted", "does not hold", func(r *Registry) { r.Checks[3].Run = fails }},
		{"nothing refuted", "refuted-without-witness", "", func(r *Registry) { r.Checks[3].Refutes = false }},
		{"unbound property", "property-without-document", "lonely", func(r *Registry) { r.Properties = append(r.Properties, "lonely") }},
		{"unbound mutant", "mutant-without-document", "stray", func(r *Registry) { r.Mutants = append(r.Mutants, "stray") }},
		{"unused generator", "block", "check:more", func(r *Registry) { r.Blocks["more"] = r.Blocks["numbers"] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			reg := smallRegistry()
			c.change(&reg)
			r, err := Audit(plant(t, nil), reg, 1)
			require.NoError(t, err)
			require.Len(t, r.Problems, 1)
			assert.Equal(t, c.kind, r.Problems[0].Kind)
			assert.Contains(t, r.Problems[0].Detail, c.detail)
			var b bytes.Buffer
			require.NoError(t, r.WriteText(&b))
			assert.Contains(t, b.String(), "1 wrong")
		})
	}
	twice := smallRegistry()
	twice.Checks[0].Label = "one.1"
	assert.Error(t, twice.Validate())
}

// Comments, place, line breaks and other declarations do not make a hash stale.
func TestHashIsOfSyntax(t *testing.T) {
	for name, change := range map[string]string{
		"comment":           "return a + b // sum => return a + b // the sum\n\t// of both",
		"doc comment":       "// F does. => // F adds.\n//\n// It does.",
		"line breaks":       "func F(a, b int) int { => func F(\n\ta,\n\tb int,\n) int {\n",
		"another function":  "type T struct => func H() {}\n\ntype T struct",
		"another constant":  "\tB\n => \tB\n\tC\n",
		"blank lines":       "\treturn a => \n\n\treturn a",
		"other declaration": "struct{ n int } => struct{ n, k int }",
	} {
		r, err := Audit(plant(t, map[string]string{"pkg/f.go": change}), smallRegistry(), 1)
		require.NoError(t, err)
		assert.Empty(t, r.Problems, name)
	}
	dir := plant(t, nil)
	s := newSources(dir)
	a, err := s.hash("pkg.A")
	require.NoError(t, err)
	b, err := s.hash("pkg.B")
	require.NoError(t, err)
	assert.Equal(t, a, b, "constants of a group share its hash")
}

// Update says what it changes before it writes, and changes nothing else.
func TestUpdate(t *testing.T) {
	dir := plant(t, map[string]string{"pkg/f.go": "a + b => a - b", "proofs/one.md": "1 2 3 => 9\n8"})
	before, err := newSources(plant(t, nil)).hash("pkg.F")
	require.NoError(t, err)
	after, err := newSources(dir).hash("pkg.F")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, Update(dir, smallRegistry(), &b))
	assert.Contains(t, b.String(), "proofs/one.md: pkg.F: "+before+" -> "+after+"\n")
	assert.Contains(t, b.String(), "proofs/one.md: check:numbers\n- 9\n- 8\n+ 1 2 3\n")
	r, err := Audit(dir, smallRegistry(), 1)
	require.NoError(t, err)
	assert.Empty(t, r.Problems)
	b.Reset()
	require.NoError(t, Update(dir, smallRegistry(), &b))
	assert.Empty(t, b.String(), "a second update finds nothing to do")
}

func TestUnreadableCheckouts(t *testing.T) {
	_, err := Audit(t.TempDir(), smallRegistry(), 1)
	assert.ErrorContains(t, err, "no checkout")
	_, err = Audit(plant(t, map[string]string{"vectors/v1/op.json": "{"}), smallRegistry(), 1)
	assert.ErrorContains(t, err, "op.json")
	empty := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(empty, "proofs"), 0o755))
	_, err = Audit(empty, smallRegistry(), 1)
	assert.ErrorContains(t, err, "no documents")
	assert.Error(t, Update(t.TempDir(), smallRegistry(), &bytes.Buffer{}))
}

func TestSlugs(t *testing.T) {
	for heading, want := range map[string]string{
		`2.1 U\*, two kinds`:                                        "21-u-two-kinds",
		"4 Exact output distribution of Snap_F":                     "4-exact-output-distribution-of-snap_f",
		"Interior cell, x and x' on the same side of it":            "interior-cell-x-and-x-on-the-same-side-of-it",
		"2.3 Rounding to a multiple of Lambda in three exact steps": "23-rounding-to-a-multiple-of-lambda-in-three-exact-steps",
		"Naïve – dash":                                              "naïve--dash",
	} {
		assert.Equal(t, want, slug(heading))
	}
	p, err := readPage("# A\n```\n# not\n[x](y)\n\\tag{z}\n```\n## A\n<a id=\"here\"></a> `[c](d)` [e](f#g)\n")
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"a": true, "a-1": true, "here": true}, p.anchors)
	assert.Equal(t, []string{"f#g"}, p.links)
	assert.Empty(t, p.labels)
}

// Whatever a document contains, reading it does not panic.
func FuzzParseDocument(f *testing.F) {
	f.Add(smallTree["proofs/one.md"])
	f.Add("---\nid: [\n---\n")
	f.Add("---\n---\n```")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = ParseDocument("proofs/x.md", text)
	})
}
