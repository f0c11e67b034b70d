package proofs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// hashLength is the number of hexadecimal digits kept of a hash.
const hashLength = 16

// sources parses packages of a checkout, once each.
type sources struct {
	root  string
	pkgs  map[string]map[string]string // package path -> symbol -> hash
	errs  map[string]error
	files map[string]map[string]string // file -> symbol -> hash
}

func newSources(root string) *sources {
	return &sources{root, map[string]map[string]string{}, map[string]error{}, map[string]map[string]string{}}
}

// importsName stands for the imports of a file among its symbols.
const importsName = "import"

// file returns the hash of every declaration of a Go file, and of its imports:
// another package under the same name changes what the declarations mean.
func (s *sources) file(name string) (map[string]string, error) {
	if all, ok := s.files[name]; ok {
		return all, nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(s.root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, d := range f.Decls {
		if err := hashDecl(fset, d, all); err != nil {
			return nil, err
		}
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			if err := enter(fset, g, all, importsName); err != nil {
				return nil, err
			}
		}
	}
	s.files[name] = all
	return all, nil
}

// expand returns the Go files that name stands for, tests apart: itself, or those
// of a directory. name may have wildcards.
func (s *sources) expand(name string) ([]string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%q leaves the module", name)
	}
	if !strings.HasSuffix(name, ".go") {
		name += "/*.go"
	}
	all, err := fs.Glob(os.DirFS(s.root), name)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range all {
		if !strings.HasSuffix(f, "_test.go") {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no Go file %s", name)
	}
	return files, nil
}

// hash returns the hash of the declaration of symbol, such as impl.Ln,
// impl/internal/snap.Round or spec.(Claim).Check. A pointer receiver is written
// without its star.
func (s *sources) hash(symbol string) (string, error) {
	dir, base := path.Split(symbol)
	pkg, name, ok := strings.Cut(base, ".")
	if !ok || pkg == "" || name == "" {
		return "", fmt.Errorf("%q is not package.Symbol or package.(Type).Method", symbol)
	}
	pkg = dir + pkg
	if !filepath.IsLocal(filepath.FromSlash(pkg)) {
		return "", fmt.Errorf("%q leaves the module", symbol)
	}
	if _, ok := s.pkgs[pkg]; !ok {
		s.pkgs[pkg], s.errs[pkg] = hashPackage(filepath.Join(s.root, filepath.FromSlash(pkg)))
	}
	if err := s.errs[pkg]; err != nil {
		return "", err
	}
	h, ok := s.pkgs[pkg][name]
	if !ok {
		return "", fmt.Errorf("package %s declares no %s", pkg, name)
	}
	return h, nil
}

// hashPackage hashes every top-level declaration of the Go files of a directory, tests apart.
func hashPackage(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("package directory: %w", err)
	}
	all := map[string]string{}
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
			if err := hashDecl(fset, d, all); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// hashDecl enters the symbols of one declaration. Constants are hashed with their
// whole group, whose order gives them their values; so are variables that share
// one specification; types and other variables stand alone.
func hashDecl(fset *token.FileSet, d ast.Decl, all map[string]string) error {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil && len(d.Recv.List) == 1 {
			name = "(" + receiver(d.Recv.List[0].Type) + ")." + name
		}
		return enter(fset, d, all, name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			var node ast.Node = &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{s}}
			if d.Tok == token.CONST {
				node = d
			}
			switch s := s.(type) {
			case *ast.TypeSpec:
				if err := enter(fset, node, all, s.Name.Name); err != nil {
					return err
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if err := enter(fset, node, all, n.Name); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// receiver is the name of a receiver's type, without star and type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}

func enter(fset *token.FileSet, node ast.Node, all map[string]string, name string) error {
	h, err := hashNode(fset, node)
	if err != nil {
		return err
	}
	if _, again := all[name]; again { // init functions, and files under build constraints
		h = all[name] + h
		sum := sha256.Sum256([]byte(h))
		h = hex.EncodeToString(sum[:])[:hashLength]
	}
	all[name] = h
	return nil
}

// hashNode hashes the tokens of a declaration: it is printed without comments and
// scanned again, so that neither its place in the file, nor comments, nor the
// breaking of lines count. A comma or semicolon before a closing bracket is left
// out, since only line breaks call for it.
func hashNode(fset *token.FileSet, node ast.Node) (string, error) {
	var src bytes.Buffer
	if err := printer.Fprint(&src, fset, node); err != nil {
		return "", err
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, src.Len())
	s.Init(file, src.Bytes(), nil, 0)
	var out strings.Builder
	pending := ""
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.COMMA, token.SEMICOLON:
			out.WriteString(pending)
			pending = tok.String() + "\n"
			continue
		case token.RPAREN, token.RBRACE, token.RBRACK:
			pending = ""
		}
		out.WriteString(pending)
		pending = ""
		if lit == "" {
			lit = tok.String()
		}
		out.WriteString(lit + "\n")
	}
	sum := sha256.Sum256([]byte(out.String()))
	return hex.EncodeToString(sum[:])[:hashLength], nil
}
