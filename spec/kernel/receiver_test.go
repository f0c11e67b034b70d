package kernel

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
)

// readsReceiver lists the methods that begin a rule and then look at their receiver
// again, and counts those that begin one.
func readsReceiver(f *ast.File) (bad []string, rules int) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
			continue
		}
		receiver, begins, uses := fn.Recv.List[0].Names[0].Name, 0, 0
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if n.Sel.Name == "begin" {
					begins++
				}
			case *ast.Ident:
				if n.Name == receiver {
					uses++
				}
			}
			return true
		})
		rules += begins
		if begins > 0 && uses > begins {
			bad = append(bad, fn.Name.Name)
		}
	}
	return bad, rules
}

// Another goroutine may assign to the Context a rule is called on. That is a race,
// but no judgment may mix the facts before with the facts after: a rule takes them
// once, in begin.
func TestRulesTakeTheirFactsOnce(t *testing.T) {
	files, err := filepath.Glob("rules_*.go")
	require.NoError(t, err)
	total := 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		bad, rules := readsReceiver(f)
		assert.Empty(t, bad, name)
		total += rules
	}
	assert.Equal(t, len(Rules())-2, total, "leaf begins VAR, APPLY and SAMPLE")

	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func (c *C) Good() { u := c.begin(); _ = u.context.bits }; "+
		"func (c *C) Bad() { u := c.begin(); _ = c.bits }; func (c *C) other() { _ = c.bits }", 0)
	require.NoError(t, err)
	bad, rules := readsReceiver(f)
	assert.Equal(t, []string{"Bad"}, bad)
	assert.Equal(t, 2, rules)
}

// The table of names is that of package spec, as it stands when nobody assigned to it.
func TestNamedFormats(t *testing.T) {
	assert.ElementsMatch(t, []spec.Format{spec.Binary64, spec.Binary32, spec.Binary16, spec.BFloat16}, named())
}
