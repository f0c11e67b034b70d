package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// finding is a use of floating point.
type finding struct {
	file string // base name
	line int
	rule string
	text string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.file, f.line, f.rule, f.text) }

// isFloat reports whether arithmetic on t may be floating-point: a float or
// complex type, an untyped float constant apart (it is exact), a type with that
// underlying it, or a type parameter that admits one.
func isFloat(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := t.(*types.TypeParam); ok {
		t = p.Constraint()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			if union, ok := u.EmbeddedType(i).(*types.Union); ok {
				for j := range union.Len() {
					if isFloat(union.Term(j).Type()) {
						return true
					}
				}
			} else if e := u.EmbeddedType(i); !types.IsInterface(e) && isFloat(e) {
				return true
			} else if types.IsInterface(e) && isFloat(e) {
				return true
			}
		}
	}
	return false
}

// returnsFloat reports whether a function has a float among its results.
func returnsFloat(f *types.Func) bool {
	res := f.Signature().Results()
	for i := range res.Len() {
		if isFloat(res.At(i).Type()) {
			return true
		}
	}
	return false
}

// mentionsBigFloat reports whether t speaks of math/big's Float.
func mentionsBigFloat(t types.Type) bool {
	return t != nil && regexp.MustCompile(`\bmath/big\.Float\b`).MatchString(types.TypeString(t, nil))
}

// findFloats walks the syntax of a type-checked package.
func findFloats(pkg *packages.Package) (found []finding) {
	info := pkg.TypesInfo
	add := func(n ast.Node, rule string) {
		pos := pkg.Fset.Position(n.Pos())
		found = append(found, finding{filepath.Base(pos.Filename), pos.Line, rule, types.ExprString(exprOf(n))})
	}
	anyFloat := func(es ...ast.Expr) bool {
		return slices.ContainsFunc(es, func(e ast.Expr) bool { return isFloat(info.TypeOf(e)) })
	}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if !anyFloat(n.X, n.Y) {
					break
				}
				switch n.Op {
				case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
					add(n, "comparison")
				default:
					// Inside a type constraint, a | b is no arithmetic.
					if !info.Types[n].IsType() {
						add(n, "arithmetic")
					}
				}
			case *ast.UnaryExpr:
				if n.Op != token.AND && n.Op != token.ARROW && n.Op != token.TILDE && anyFloat(n.X) {
					add(n, "arithmetic")
				}
			case *ast.IncDecStmt:
				if anyFloat(n.X) {
					add(n.X, "arithmetic")
				}
			case *ast.AssignStmt:
				if n.Tok != token.ASSIGN && n.Tok != token.DEFINE && anyFloat(n.Lhs...) {
					add(n.Lhs[0], "arithmetic")
				}
			case *ast.CallExpr:
				if info.Types[n.Fun].IsType() && isFloat(info.TypeOf(n)) {
					add(n, "conversion")
				}
			case *ast.IndexExpr: // an instance of a generic at a float type
				if inst, ok := info.Instances[lastIdent(n.X)]; ok {
					for i := range inst.TypeArgs.Len() {
						if isFloat(inst.TypeArgs.At(i)) {
							add(n, "generic")
						}
					}
				}
			case *ast.Ident:
				switch obj := info.Uses[n].(type) {
				case *types.Func:
					if obj.Pkg() == nil {
						break
					}
					switch path := obj.Pkg().Path(); {
					case path == "math" && (obj.Name() == "Float64bits" || obj.Name() == "Float32bits"):
						add(n, "float64bits")
					case path == "math" || path == "math/cmplx":
						add(n, "math")
					case path == "math/big" && (mentionsBigFloat(obj.Type()) || returnsFloat(obj)),
						path == "strconv" && returnsFloat(obj), strings.HasPrefix(path, "math/rand") && returnsFloat(obj):
						add(n, "big")
					}
				case *types.TypeName:
					if mentionsBigFloat(obj.Type()) {
						add(n, "big")
					}
				}
			}
			return true
		})
	}
	return found
}

func exprOf(n ast.Node) ast.Expr {
	if e, ok := n.(ast.Expr); ok {
		return e
	}
	return ast.NewIdent("?")
}

func lastIdent(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// load type-checks the non-test code of the patterns; a package with errors fails.
func load(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
		Dir: root(t),
	}, patterns...)
	require.NoError(t, err)
	for _, p := range pkgs {
		require.Empty(t, p.Errors, p.PkgPath)
		require.NotEmpty(t, p.Syntax, "%s has no files", p.PkgPath)
	}
	return pkgs
}

// The exact half does no floating-point arithmetic. math.Float64bits, which reads
// the bits of an argument, is allowed in one place.
func TestExactPackagesDoNoFloatingPoint(t *testing.T) {
	pkgs := load(t, "./spec/...", "./oracle/...")
	var paths []string
	bits := 0
	for _, p := range pkgs {
		paths = append(paths, p.PkgPath)
		for _, f := range findFloats(p) {
			if f.rule == "float64bits" && p.PkgPath == module+"/spec" && f.file == "value.go" && inFunc(p, f, "FromFloat64") {
				bits++
				continue
			}
			assert.Fail(t, "floating point in "+p.PkgPath, f.String())
		}
	}
	assert.Equal(t, 1, bits, "the one permitted use of math.Float64bits")
	for _, want := range []string{"/spec", "/spec/real", "/oracle"} {
		assert.Contains(t, paths, module+want)
	}
}

// inFunc reports whether a finding lies inside the declaration of the function.
func inFunc(p *packages.Package, f finding, name string) bool {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != name {
				continue
			}
			from, to := p.Fset.Position(fn.Pos()), p.Fset.Position(fn.End())
			if filepath.Base(from.Filename) == f.file && from.Line <= f.line && f.line <= to.Line {
				return true
			}
		}
	}
	return false
}

// The finder sees every planted violation and nothing else.
func TestFinderSeesPlantedViolations(t *testing.T) {
	pkg := load(t, "./internal/arch/testdata/planted")[0]
	src, err := os.ReadFile(filepath.Join(root(t), "internal/arch/testdata/planted/planted.go"))
	require.NoError(t, err)
	var want, got []string
	mark := regexp.MustCompile(`// want (\w+)`)
	for i, line := range strings.Split(string(src), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			want = append(want, fmt.Sprintf("%d %s", i+1, m[1]))
		}
	}
	for _, f := range findFloats(pkg) {
		if s := fmt.Sprintf("%d %s", f.line, f.rule); !slices.Contains(got, s) {
			got = append(got, s)
		}
	}
	assert.ElementsMatch(t, want, got)
	assert.Greater(t, len(want), 15)
}
