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

// plant writes the tree, brought up to date, and then the changes: a file's new
// text, none to remove it, or a pair of old and new separated by " => ".
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
		if change == "" {
			require.NoError(t, os.Remove(filepath.Join(dir, filepath.FromSlash(name))))
			continue
		}
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
	assert.Equal(t, Row{Document: "one", Title: "One", Status: Proved, Properties: 1, Code: 5, Labels: 3, Checked: 3, Witnesses: 1, Mutants: 1, Problems: []string{}}, r.Rows[0])
	var b bytes.Buffer
	require.NoError(t, r.WriteText(&b))
	assert.Contains(t, b.String(), "2 documents, 4 checks on 4 instances: ok")
	b.Reset()
	require.NoError(t, r.WriteJSON(&b))
	assert.Contains(t, b.String(), `"ok": true`)
}

// Each planted fault is found.
func TestPlantedFaults(t *testing.T) {
	for _, c := range plantedFaults {
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
	for _, c := range registryFaults {
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
