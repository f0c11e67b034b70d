package proofs

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Decision says how a check settles its statement for all inputs, which a
// document with status machine-checked needs for each of its labels.
type Decision struct {
	By Method
	// Of is the domain enumerated, or the theorem certified.
	Of string
	// Instances is the size of the domain. The run must see as many.
	Instances int
}

// Method is a way to decide a statement.
type Method string

const (
	Exhaustion Method = "exhaustion" // the check's run is over the whole domain
	Coq        Method = "coq"        // Coq's kernel accepts the theorem; the check replays that
)

// decides has no entry yet: every check here is a sample, a constant or a witness.
var decides = map[string]Decision{}

// trusted is the file whose section "What must be trusted" names the kernel's
// trusted files.
const trusted = "spec/kernel/doc.go"

// Default is what the documents of this repository may name.
func Default() Registry {
	var r Registry
	for _, list := range [][]Check{
		latticeChecks(), drawChecks(), mechanismChecks(), thresholdChecks(), boundChecks(), nearChecks(), binary64Checks(), ruleChecks(),
		openChecks(), refutations(), covingtonChecks(), figureChecks(), liuErrata(), errataChecks(), caseChecks(), anyChecks(), twelveChecks(),
	} {
		r.Checks = append(r.Checks, list...)
	}
	r.Blocks, r.Decides, r.Trusted = withAnyBlocks(withCaseBlocks(blocks)), decides, trusted
	for _, p := range spec.Properties {
		r.Properties = append(r.Properties, p.ID)
	}
	for _, m := range mutants.All {
		r.Mutants = append(r.Mutants, m.ID)
	}
	return r
}

// Validate returns an error when two checks share a label, or when a decision
// cannot be one.
func (r Registry) Validate() error {
	checks := map[string]Check{}
	for _, c := range r.Checks {
		if _, ok := checks[c.Label]; ok {
			return fmt.Errorf("two checks have the label (%s)", c.Label)
		}
		checks[c.Label] = c
	}
	for label, d := range r.Decides {
		c, ok := checks[label]
		switch {
		case !ok:
			return fmt.Errorf("(%s) is decided, but has no check", label)
		case d.By != Exhaustion && d.By != Coq:
			return fmt.Errorf("(%s) is decided by %q, which is no method", label, d.By)
		case d.Of == "" || d.Instances <= 0:
			return fmt.Errorf("(%s) is decided, but not said of what, or of no instance", label)
		case c.Refutes || c.Size != 0:
			return fmt.Errorf("(%s) cannot be decided: its check refutes, or runs on a share of its instances", label)
		}
	}
	return nil
}
