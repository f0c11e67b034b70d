// Package mutants holds wrong voters and wrong libraries. Each is the mechanism,
// or what makes one, with one fault, written as the code that has it and built on
// the implementation's other stages; it names the property and the published
// vector that must kill it. The faults are those of published recipes and
// libraries, and those that lie near when the mechanism is written anew. Reworded
// holds right voters written by other means: they must survive, or the checks are
// too narrow.
package mutants

import (
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Mutant is one wrong voter, or the right voter with a wrong library.
type Mutant struct {
	ID       string
	Fault    string // what is wrong
	Source   string // where the fault comes from
	Property string // id of a spec.Property that must kill it
	Vector   string // id of a published vector that kills it; "" for a wrong library
	Voter    wire.Voter
}

// Sources of faults.
const (
	covington = "Covington 2019, section 4.2"
	common    = "a common way to write it"
	libraries = "published implementations"
)

// All is every mutant.
var All = concat(roundingMutants, logarithmMutants, unitMutants, chainMutants, drawMutants, calibrationMutants, libraryMutants, nearMutants, constructorMutants, exactMutants, caseMutants, wideMutants)

func concat(lists ...[]Mutant) (all []Mutant) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// WrongLibrary reports whether only the library of m is wrong: no vector kills it.
func (m Mutant) WrongLibrary() bool {
	switch m.Voter.(type) {
	case owner, wrongIdeal:
		return true
	}
	return false
}

// mutant builds one; spoil plants the fault in right stages.
func mutant(id, fault, source, property, vector string, spoil func(g *stages)) Mutant {
	g := right()
	spoil(g)
	return Mutant{id, fault, source, property, vector, g.voter("mutant " + id)}
}

// Find finds a mutant by its id.
func Find(id string) (Mutant, bool) {
	for _, m := range All {
		if m.ID == id {
			return m, true
		}
	}
	return Mutant{}, false
}
