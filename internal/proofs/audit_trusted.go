package proofs

import (
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	trustSection = regexp.MustCompile(`(?m)^# What must be trusted\n((?:[^#\n].*\n|\n)*)`)
	trustedFile  = regexp.MustCompile(`[A-Za-z0-9_*]+\.go\b`)
	trustedPkg   = regexp.MustCompile(`package ([a-z0-9/]+)`)
)

// trustedFiles compares the files and packages that the kernel's documentation
// calls trusted with those that documents bind.
func (a *auditor) trustedFiles() {
	if a.reg.Trusted == "" {
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(a.root, filepath.FromSlash(a.reg.Trusted)), nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		a.problem(a.reg.Trusted, "trusted-base", "%v", err)
		return
	}
	m := trustSection.FindStringSubmatch(f.Doc.Text())
	if m == nil {
		a.problem(a.reg.Trusted, "trusted-base", "the package comment has no section What must be trusted")
		return
	}
	dir := path.Dir(a.reg.Trusted)
	named := map[string]bool{} // files of the directory
	for _, glob := range trustedFile.FindAllString(m[1], -1) {
		files, err := a.sources.expand(path.Join(dir, glob))
		if err != nil {
			a.problem(a.reg.Trusted, "trusted-base", "%v", err)
		}
		for _, name := range files {
			named[name] = true
		}
	}
	var packages []string
	for _, p := range trustedPkg.FindAllStringSubmatch(m[1], -1) {
		packages = append(packages, p[1])
	}
	bound := map[string]bool{}
	for _, d := range a.documents {
		for _, name := range d.Files {
			files, err := a.sources.expand(name)
			if err != nil {
				continue // reported as unknown-file
			}
			for _, f := range files {
				bound[f] = true
			}
			if dir != name && !strings.HasSuffix(name, ".go") && !slices.ContainsFunc(packages, func(p string) bool { return within(name, p) }) {
				a.problem(d.Path, "trusted-base", "%s binds the package %s, which %s does not name", d.ID, name, a.reg.Trusted)
			}
		}
	}
	for _, name := range sortedKeys(named) {
		if !bound[name] {
			a.problem(a.reg.Trusted, "trusted-base", "%s is trusted, but no document binds it", name)
		}
	}
	for _, name := range sortedKeys(bound) {
		if path.Dir(name) == dir && !named[name] {
			a.problem(a.reg.Trusted, "trusted-base", "%s is bound, but not named as trusted", name)
		}
	}
	a.untrusted(dir, named)
	for _, p := range packages {
		if !slices.ContainsFunc(sortedKeys(bound), func(f string) bool { return within(path.Dir(f), p) }) {
			a.problem(a.reg.Trusted, "trusted-base", "package %s is trusted, but no document binds it", p)
		}
	}
}

// within reports that a directory is that of a package given by the end of its path.
func within(dir, pkg string) bool { return dir == pkg || strings.HasSuffix(dir, "/"+pkg) }

// untrusted reports what the trusted files of a directory use of its other files,
// and no document binds by name: a rule is not safer than what it calls.
func (a *auditor) untrusted(dir string, named map[string]bool) {
	all, err := a.sources.expand(dir)
	if err != nil {
		return // reported already
	}
	in, out := newCheckSource(), newCheckSource()
	for _, name := range all {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(a.root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			a.problem(a.reg.Trusted, "trusted-base", "%v", err)
			return
		}
		for _, d := range f.Decls {
			c := out
			if named[name] {
				c = in
			}
			if err := c.declare(fset, d); err != nil {
				a.problem(a.reg.Trusted, "trusted-base", "%v", err)
				return
			}
		}
	}
	var used []string
	for _, names := range in.refers {
		used = append(used, names...)
	}
	bound := map[string]bool{} // hashes: constants of one group are bound by any of them
	for _, d := range a.documents {
		for _, b := range d.Code {
			if h, err := a.sources.hash(b.Symbol); err == nil {
				bound[h] = true
			}
		}
	}
	for _, d := range out.helpers(&site{names: used}) {
		if h := out.decls[d]; !bound[h] {
			a.problem(a.reg.Trusted, "trusted-base", "%s.%s is used by a trusted file, but is in none, and no document binds it", dir, d)
			bound[h] = true // one report for a group
		}
	}
}

// declarations counts those of the files of a document.
func (a *auditor) declarations(d *Document) int {
	n := 0
	for _, name := range d.Files {
		files, _ := a.sources.expand(name)
		for _, f := range files {
			all, _ := a.sources.file(f)
			n += len(all)
		}
	}
	return n
}
