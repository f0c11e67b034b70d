package proofs

import (
	"fmt"
	"sort"

	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Default is what the documents of this repository may name.
func Default() Registry {
	var r Registry
	for _, list := range [][]Check{
		latticeChecks(), drawChecks(), mechanismChecks(), thresholdChecks(), boundChecks(), ruleChecks(),
		openChecks(), refutations(), covingtonChecks(), figureChecks(), liuErrata(), errataChecks(),
	} {
		r.Checks = append(r.Checks, list...)
	}
	r.Blocks = blocks
	for _, p := range spec.Properties {
		r.Properties = append(r.Properties, p.ID)
	}
	for _, m := range mutants.All {
		r.Mutants = append(r.Mutants, m.ID)
	}
	return r
}

// Validate returns an error when two checks share a label.
func (r Registry) Validate() error {
	var labels []string
	for _, c := range r.Checks {
		labels = append(labels, c.Label)
	}
	sort.Strings(labels)
	for i := 1; i < len(labels); i++ {
		if labels[i] == labels[i-1] {
			return fmt.Errorf("two checks have the label (%s)", labels[i])
		}
	}
	return nil
}
