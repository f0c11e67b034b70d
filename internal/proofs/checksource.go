package proofs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// checksDir is where the checks are written.
const checksDir = "internal/proofs"

// checkSource is the source of the checks in a checkout, by names only: no types
// are computed. A name that two things share counts as both, which binds more
// than is needed, never less.
type checkSource struct {
	sites   map[string]*site    // label -> where its check is written
	decls   map[string]string   // declaration, f or (T).m -> hash
	refers  map[string][]string // declaration -> names in it
	methods map[string][]string // method name -> its declarations
	lists   map[string]bool     // declarations in which checks are written: bound part by part
}

// site is the source of one check: the elements of []Check literals that have the
// label as a string, the entries of maps that have it as their key, and what else
// stands in the declarations around them.
type site struct {
	hash  string
	names []string
}

func newCheckSource() *checkSource {
	return &checkSource{map[string]*site{}, map[string]string{}, map[string][]string{}, map[string][]string{}, map[string]bool{}}
}

// readChecks parses the package of the checks.
func readChecks(root string, labels []string) (*checkSource, error) {
	dir := filepath.Join(root, filepath.FromSlash(checksDir))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("the source of the checks: %w", err)
	}
	c := newCheckSource()
	wanted := map[string]bool{}
	for _, l := range labels {
		wanted[l] = true
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if err := c.declare(fset, d); err != nil {
				return nil, err
			}
			if err := c.locate(fset, d, wanted); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// declare enters a declaration under its names.
func (c *checkSource) declare(fset *token.FileSet, d ast.Decl) error {
	if err := hashDecl(fset, d, c.decls); err != nil {
		return err
	}
	add := func(name string, node ast.Node) { c.refers[name] = append(c.refers[name], names(node)...) }
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			method := name
			name = "(" + receiver(d.Recv.List[0].Type) + ")." + method
			c.methods[method] = append(c.methods[method], name)
		}
		add(name, d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				add(s.Name.Name, s)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if d.Tok == token.CONST {
						add(n.Name, d)
					} else {
						add(n.Name, s)
					}
				}
			}
		}
	}
	return nil
}

// names are the identifiers below a node, those after a point with the point: they
// can be methods of this package, but no other declarations of it.
func names(node ast.Node) []string {
	var all []string
	after := map[*ast.Ident]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			after[n.Sel] = true
		case *ast.Ident:
			if after[n] {
				all = append(all, "."+n.Name)
			} else {
				all = append(all, n.Name)
			}
		}
		return true
	})
	return all
}

// locate enters the checks written in a declaration.
func (c *checkSource) locate(fset *token.FileSet, d ast.Decl, wanted map[string]bool) error {
	elements := map[string][]ast.Node{} // label -> what has it
	lists := map[*ast.CompositeLit]bool{}
	var stack []ast.Node
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		if label, ok := stringOf(n); ok && wanted[label] {
			if e, list := element(stack); e != nil {
				elements[label], lists[list] = append(elements[label], e), true
			} else if _, ok := d.(*ast.FuncDecl); ok {
				elements[label] = append(elements[label], d)
			}
		}
		return true
	})
	if len(elements) == 0 {
		return nil
	}
	for _, name := range declared(d) {
		c.lists[name] = true
	}
	found := map[string]*site{}
	for label, nodes := range elements {
		s := &site{}
		for _, n := range slices.Compact(nodes) {
			h, err := hashNode(fset, n)
			if err != nil {
				return err
			}
			s.hash += h
			s.names = append(s.names, names(n)...)
		}
		found[label] = s
	}
	// What is around the elements is the same for all of them: local variables and
	// functions they use.
	ast.Inspect(d, func(n ast.Node) bool {
		if l, ok := n.(*ast.CompositeLit); ok && lists[l] {
			l.Elts = nil
		}
		return true
	})
	around, err := hashNode(fset, d)
	if err != nil {
		return err
	}
	for label, s := range found {
		t := c.sites[label]
		if t == nil {
			t = &site{}
			c.sites[label] = t
		}
		sum := sha256.Sum256([]byte(t.hash + s.hash + around))
		t.hash = hex.EncodeToString(sum[:])[:hashLength]
		t.names = append(append(t.names, s.names...), names(d)...)
		t.names = append(t.names, "Check", ".run") // what runs a check decides what it sees
	}
	return nil
}

func stringOf(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

// element is the innermost part of a list that belongs to the label at the end of
// a path: an element of a []Check literal, or an entry of a map with the label as
// its key, such as the instances a check is to begin with.
func element(stack []ast.Node) (ast.Node, *ast.CompositeLit) {
	for i := len(stack) - 1; i > 0; i-- {
		list, ok := stack[i-1].(*ast.CompositeLit)
		if !ok {
			continue
		}
		switch t := list.Type.(type) {
		case *ast.ArrayType:
			if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "Check" {
				return stack[i], list
			}
		case *ast.MapType:
			if kv, ok := stack[i].(*ast.KeyValueExpr); ok && kv.Key == stack[len(stack)-1] {
				return kv, list
			}
		}
	}
	return nil, nil
}

// declared are the names of a declaration of functions or variables.
func declared(d ast.Decl) []string {
	var all []string
	switch d := d.(type) {
	case *ast.FuncDecl:
		all = []string{d.Name.Name}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				for _, n := range v.Names {
					all = append(all, n.Name)
				}
			}
		}
	}
	return all
}

// helpers are the declarations of the package that a check reaches: those its
// names name, and the methods of reached types by their names, and so on.
func (c *checkSource) helpers(s *site) []string {
	names, reached := map[string]bool{}, map[string]bool{}
	queue := slices.Clone(s.names)
	reach := func(d string) {
		if _, ok := c.decls[d]; ok && !reached[d] && !c.lists[d] {
			reached[d] = true
			queue = append(queue, c.refers[d]...)
		}
	}
	for len(queue) > 0 {
		for len(queue) > 0 {
			n := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if !names[n] {
				names[n] = true
				reach(n)
			}
		}
		for method, decls := range c.methods { // a type may be reached after its method's name
			for _, d := range decls {
				if names["."+method] && reached[receiverOf(d)] {
					reach(d)
				}
			}
		}
	}
	all := make([]string, 0, len(reached))
	for d := range reached {
		all = append(all, d)
	}
	sort.Strings(all)
	return all
}

// receiverOf is T of (T).m.
func receiverOf(d string) string {
	t, _, _ := strings.Cut(strings.TrimPrefix(d, "("), ")")
	return t
}
