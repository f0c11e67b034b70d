package arch

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/dp-crosscheck/crosscheck"

// root is the directory of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	_, err = os.Stat(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	return dir
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, ForTest, Dir string
	Standard                 bool
	Deps, CgoFiles           []string
	Error                    *struct{ Err string }
}

var listOnce = sync.OnceValues(func() ([]listed, error) {
	// cgo is enabled so that a file that needs it is seen; -e, because a package that
	// does not compile is its own test's business (its imports are still listed).
	cmd := exec.Command("go", "list", "-e", "-deps", "-test", "-json=ImportPath,ForTest,Dir,Standard,Deps,CgoFiles,Error", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p listed
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
})

// graph is the import graph: packages as production sees them, and test binaries
// and variants apart.
type graph struct {
	prod     map[string]listed
	tests    []listed // everything built only for tests, "x [y.test]" and "y.test"
	standard map[string]bool
}

func loadGraph(t *testing.T) graph {
	t.Helper()
	all, err := listOnce()
	require.NoError(t, err)
	g := graph{prod: map[string]listed{}, standard: map[string]bool{"C": true, "unsafe": true}}
	for _, p := range all {
		switch {
		case p.Standard:
			g.standard[p.ImportPath] = true
		case p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test"):
			g.tests = append(g.tests, p)
		default:
			g.prod[p.ImportPath] = p
		}
	}
	require.Contains(t, g.prod, module+"/spec/real")
	return g
}

// plain strips the " [x.test]" of a test variant.
func plain(path string) string {
	path, _, _ = strings.Cut(path, " [")
	return path
}

// under reports whether path is the package module/dir or below it.
func under(path, dir string) bool {
	return path == module+"/"+dir || strings.HasPrefix(path, module+"/"+dir+"/")
}

func underAny(path string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return under(path, d) })
}

// inDir lists the production packages of a directory, of which there must be some.
func (g graph) inDir(t *testing.T, dir string) []listed {
	t.Helper()
	var ps []listed
	for path, p := range g.prod {
		if under(path, dir) {
			ps = append(ps, p)
		}
	}
	require.NotEmpty(t, ps, "go list shows no package in %s", dir)
	return ps
}

// forbidden lists the dependencies of p, itself apart, that allow does not allow.
func (g graph) forbidden(p listed, allow func(path string) bool) (bad []string) {
	for _, d := range p.Deps {
		if d = plain(d); !g.standard[d] && d != p.ImportPath && !allow(d) {
			bad = append(bad, d)
		}
	}
	return bad
}

// rules says what the production code of a directory may depend on, all the way
// down, beside the standard library.
var rules = []struct {
	dir    string
	allows []string // directories of this module
}{
	{"spec/real", nil},
	{"spec/lang", []string{"spec"}},
	{"spec/kernel", []string{"spec"}},
	{"oracle", []string{"spec", "oracle"}},
	{"impl", []string{"impl"}},
	{"vectors", nil},
	{"internal/wire", []string{"spec", "internal/wire"}},
}

func TestDependenciesPointDownward(t *testing.T) {
	g := loadGraph(t)
	for _, r := range rules {
		t.Run(r.dir, func(t *testing.T) {
			for _, p := range g.inDir(t, r.dir) {
				bad := g.forbidden(p, func(path string) bool { return underAny(path, r.allows...) })
				assert.Empty(t, bad, "%s may depend on the standard library and %v only", p.ImportPath, r.allows)
			}
		})
	}
	// The package spec itself, not what lies below it.
	bad := g.forbidden(g.prod[module+"/spec"], func(path string) bool { return path == module+"/spec/real" })
	assert.Empty(t, bad, "spec may depend on spec/real only")
	for _, p := range g.inDir(t, "oracle") {
		bad := g.forbidden(p, func(path string) bool {
			return path == module+"/spec" || path == module+"/spec/real" || under(path, "oracle")
		})
		assert.Empty(t, bad, "%s may depend on spec and spec/real only", p.ImportPath)
	}
}

// The oracle, the implementation and the third voter never meet, in tests neither: no
// package or test binary of one has another among its dependencies.
func TestOracleAndImplNeverMeet(t *testing.T) {
	g := loadGraph(t)
	seen := map[string]int{}
	check := func(p listed, test bool) {
		of := plain(p.ImportPath)
		if p.ForTest != "" {
			of = p.ForTest
		}
		of = strings.TrimSuffix(strings.TrimSuffix(of, ".test"), "_test")
		for _, pair := range [][2]string{{"oracle", "impl"}, {"impl", "oracle"}, {"impl", "spec"}, {"spec", "impl"}, {"spec", "oracle"},
			{"internal/third", "oracle"}, {"internal/third", "impl"}, {"internal/third", "spec"}} {
			if !under(of, pair[0]) || pair == [2]string{"spec", "oracle"} && test {
				continue // tests of spec/kernel evaluate with the oracle
			}
			seen[pair[0]]++
			for _, d := range p.Deps {
				assert.False(t, under(plain(d), pair[1]), "%s depends on %s", p.ImportPath, d)
			}
		}
	}
	for _, p := range g.prod {
		check(p, false)
	}
	for _, p := range g.tests {
		check(p, true)
	}
	for _, room := range []string{"oracle", "impl", "spec", "internal/third"} {
		assert.Positive(t, seen[room], room)
	}
}

// The binary carries neither property engine.
func TestBinaryHasNoEngine(t *testing.T) {
	g := loadGraph(t)
	for _, p := range g.inDir(t, "cmd") {
		for _, d := range p.Deps {
			assert.False(t, isEngine(d), "%s depends on %s", p.ImportPath, d)
		}
	}
}

func isEngine(path string) bool {
	for _, e := range []string{"pgregory.net/rapid", "github.com/leanovate/gopter"} {
		if path == e || strings.HasPrefix(path, e+"/") {
			return true
		}
	}
	return false
}

// No package of ours uses cgo, nor any of another module that ours need, tests included.
func TestNoCgo(t *testing.T) {
	g := loadGraph(t)
	for path, p := range g.prod {
		assert.Empty(t, p.CgoFiles, path)
	}
}

// Every Go file of the module, whatever its build constraints: the engines are
// imported only by tests under props, and nobody imports "C".
func TestImportsOfEveryFile(t *testing.T) {
	dir := root(t)
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // the compiler will say so
		}
		files++
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		for _, msg := range importFaults(rel, f.Imports) {
			assert.Fail(t, msg)
		}
		return nil
	}))
	assert.Greater(t, files, 30)
}

// importFaults names the imports that the file at rel may not have.
func importFaults(rel string, imports []*ast.ImportSpec) (faults []string) {
	for _, i := range imports {
		path, _ := strconv.Unquote(i.Path.Value)
		switch {
		case path == "C":
			faults = append(faults, rel+" uses cgo")
		case isEngine(path) && !(strings.HasPrefix(rel, "props/") && strings.HasSuffix(rel, "_test.go")):
			faults = append(faults, rel+" imports "+path+", which belongs into tests under props")
		}
	}
	return faults
}

// The rules themselves, on planted packages.
func TestRulesSeePlantedViolations(t *testing.T) {
	g := graph{standard: map[string]bool{"fmt": true}}
	p := listed{ImportPath: module + "/oracle", Deps: []string{"fmt", module + "/spec", module + "/impl", "example.com/x"}}
	assert.Equal(t, []string{module + "/impl", "example.com/x"},
		g.forbidden(p, func(path string) bool { return underAny(path, "spec") }))
	assert.True(t, under(module+"/impl/derand", "impl"))
	assert.False(t, under(module+"/implicit", "impl"))
	spec := func(path string) []*ast.ImportSpec {
		return []*ast.ImportSpec{{Path: &ast.BasicLit{Value: strconv.Quote(path)}}}
	}
	for rel, want := range map[string]int{"props/ln_test.go": 0, "props/gen.go": 1, "impl/ln_test.go": 1} {
		assert.Len(t, importFaults(rel, spec("pgregory.net/rapid")), want, rel)
		assert.Len(t, importFaults(rel, spec("github.com/leanovate/gopter/gen")), want, rel)
	}
	assert.Len(t, importFaults("impl/x.go", spec("C")), 1)
	assert.Empty(t, importFaults("impl/x.go", spec("fmt")))
}
