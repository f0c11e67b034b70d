package arch

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/packages"
)

// assignable lists the exported variables of a package that any importer could
// assign; those of type error are left out where errors says so.
func assignable(p *packages.Package, errors bool) (names []string) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !v.Exported() || errors && types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// Whoever holds a Judgment relies on packages real and kernel: neither has a variable
// that others can assign. What package lang has are the reasons why an expression
// cannot be built; set to nil, they let no rule conclude anything about it.
func TestTrustedPackagesExportNoVariable(t *testing.T) {
	for dir, errors := range map[string]bool{"real": false, "kernel": false, "lang": true} {
		for _, p := range load(t, "./spec/"+dir) {
			assert.Empty(t, assignable(p, errors), p.PkgPath)
		}
	}
	planted := load(t, "./internal/arch/testdata/exports")[0]
	assert.Equal(t, []string{"ErrOf", "Number", "Style"}, assignable(planted, false))
	assert.Equal(t, []string{"Number", "Style"}, assignable(planted, true))
}
