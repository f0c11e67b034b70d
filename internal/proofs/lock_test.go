package proofs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every kind of finding is planted by some test, and has a meaning.
func TestEveryKindIsPlanted(t *testing.T) {
	planted := map[string]bool{}
	for _, f := range plantedFaults {
		planted[f.kind] = true
	}
	for _, f := range registryFaults {
		planted[f.kind] = true
	}
	assert.Equal(t, sortedKeys(Kinds), sortedKeys(planted))
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	raised := regexp.MustCompile(`(?:problem|add)\([^"\n]*?, "([a-z-]+)", "`)
	seen := map[string]bool{"unknown-property": true, "unknown-mutant": true} // their names are composed
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range raised.FindAllStringSubmatch(string(src), -1) {
			seen[m[1]] = true
		}
	}
	assert.Equal(t, sortedKeys(Kinds), sortedKeys(seen), "the kinds that the source raises")
}

// Layout, comments and generated blocks are no text; functions that no check of a
// document uses, and methods of other types, are no part of a check.
func TestWhatIsNotBound(t *testing.T) {
	for name, c := range map[string]struct{ file, change string }{
		"reflowed":           {"proofs/one.md", "Let x be positive. Then => Let x\nbe   positive.\nThen"},
		"comment":            {"proofs/one.md", "Let x be positive. => Let x <!-- any --> be positive."},
		"comment on a line":  {"proofs/one.md", "Let x be positive. => Let x\n<!-- really -->\nbe positive."},
		"label in a comment": {"proofs/one.md", "# One => <!-- **(one.9)** [x](nowhere) # Two -->\n# One"},
		"theory reflowed":    {"docs/theory.md", "where b is 1 => where\nb is 1"},
		"Go comment":         {"internal/proofs/checks.go", "{ limit(2) } => { limit(2) /* twice */ }"},
		"other function":     {"internal/proofs/checks.go", "return 4 => return 5"},
		"other type's use":   {"internal/proofs/checks.go", "{ idle() } => { idle(); idle() }"},
		"untrusted file":     {"trust/other.go", "deeper() { Other() } => deeper() {}"},
		"hidden directory":   {".cache/x.md", "[x](y)"},
		"test data":          {"pkg/testdata/x.md", "[x](y)"},
	} {
		r, err := Audit(plant(t, map[string]string{c.file: c.change}), smallRegistry(), 1)
		require.NoError(t, err)
		assert.Empty(t, r.Problems, name)
	}
}

// An update says what it binds anew, and shows the text that was edited.
func TestUpdateOfTheLock(t *testing.T) {
	dir := plant(t, map[string]string{
		"proofs/one.md":             "x \\le y => x < y",
		"internal/proofs/checks.go": "n < 3 => n < 4",
		"trust/rules.go":            "math.Abs(x) => math.Ceil(x)",
	})
	var b bytes.Buffer
	require.NoError(t, Update(dir, smallRegistry(), &b))
	for _, want := range []string{
		"proofs/one.md: stale-text: (one.1): its text changed",
		"limit, which (one.1), (one.2) use, was edited",
		"stale-file: trust/rules.go: Rule was edited",
		"(one.1) now reads: Let x be positive. Then\n$$x < y \\tag{one.1}$$\nand nothing else.\n",
	} {
		assert.Contains(t, b.String(), want)
	}
	r, err := Audit(dir, smallRegistry(), 1)
	require.NoError(t, err)
	assert.Empty(t, r.Problems)
	b.Reset()
	require.NoError(t, Update(dir, smallRegistry(), &b))
	assert.Empty(t, b.String(), "a second update finds nothing to do")
}

// What cannot be read is not forgotten.
func TestUpdateKeepsTheLock(t *testing.T) {
	read := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, lockPath))
		require.NoError(t, err)
		return string(data)
	}
	before := read(plant(t, nil))
	for name, c := range map[string]struct{ file, change, says string }{
		"broken checks":   {"internal/proofs/checks.go", "package", ""},
		"no checks":       {"internal/proofs/checks.go", "", ""},
		"broken document": {"proofs/two.md", "# Two\n", "left as it is"},
	} {
		dir := plant(t, map[string]string{c.file: c.change})
		var b bytes.Buffer
		require.NoError(t, Update(dir, smallRegistry(), &b))
		assert.Equal(t, before, read(dir), name)
		assert.Contains(t, b.String(), c.says)
	}
	dir := plant(t, map[string]string{lockPath: "{"})
	assert.ErrorContains(t, Update(dir, smallRegistry(), &bytes.Buffer{}), "delete the file")
	assert.Equal(t, "{", read(dir))
}

// A machine-checked document needs, for each label, a check that runs over its
// whole domain.
func TestMachineChecked(t *testing.T) {
	whole := smallRegistry()
	whole.Decides = map[string]Decision{
		"1.1":   {Exhaustion, "the one instance", 1},
		"one.1": {Exhaustion, "the one instance", 1},
		"one.2": {Coq, "theorem one_2", 1},
	}
	require.NoError(t, whole.Validate())
	dir := plant(t, map[string]string{
		"proofs/one.md":    "status: proved => status: machine-checked",
		"proofs/README.md": "| proved | => | machine-checked |",
	})
	require.NoError(t, Update(dir, whole, &bytes.Buffer{}))
	r, err := Audit(dir, whole, 0.01)
	require.NoError(t, err)
	assert.Empty(t, r.Problems)
	whole.Decides["one.1"] = Decision{Exhaustion, "two instances", 2}
	r, err = Audit(dir, whole, 1)
	require.NoError(t, err)
	require.Len(t, r.Problems, 1)
	assert.Contains(t, r.Problems[0].Detail, "(one.1): by exhaustion of two instances there are 2 instances; the run saw 1")
}

// What cannot be a decision is refused.
func TestValidate(t *testing.T) {
	for name, c := range map[string]struct {
		label string
		d     Decision
	}{
		"no check":       {"x.1", Decision{Exhaustion, "all", 1}},
		"no method":      {"one.1", Decision{"belief", "all", 1}},
		"of nothing":     {"one.1", Decision{Exhaustion, "", 1}},
		"no instance":    {"one.1", Decision{Exhaustion, "all", 0}},
		"a refutation":   {"two.1", Decision{Exhaustion, "all", 1}},
		"a mere sample":  {"1.1", Decision{Exhaustion, "all", 1}},
		"unknown method": {"one.1", Decision{"", "all", 1}},
	} {
		r := smallRegistry()
		r.Checks[0].Size = 100
		require.NoError(t, r.Validate())
		r.Decides = map[string]Decision{c.label: c.d}
		assert.Error(t, r.Validate(), name)
	}
}
