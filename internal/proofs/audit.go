package proofs

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/parallel"
)

// Registry is what documents may name: the checks, the generators of blocks, and
// the ids of properties and mutants.
type Registry struct {
	Checks     []Check
	Blocks     map[string]func() (string, error)
	Properties []string
	Mutants    []string
	Decides    map[string]Decision // label -> how its check settles it for all inputs
	Trusted    string              // the file that names the trusted files beside it; "" for none
}

// Row is one document in a report.
type Row struct {
	Document   string   `json:"document"`
	Title      string   `json:"title"`
	Status     Status   `json:"status"`
	Properties int      `json:"properties"`
	Code       int      `json:"code"`
	Labels     int      `json:"inequalities"`
	Checked    int      `json:"checked"`
	Witnesses  int      `json:"witnesses"`
	Mutants    int      `json:"mutants"`
	Problems   []string `json:"problems"`
}

// Report is the outcome of an audit.
type Report struct {
	Rows     []Row     `json:"documents"`
	Checks   []Result  `json:"checks"`
	Problems []Problem `json:"problems"`
}

// OK reports that nothing is wrong.
func (r Report) OK() bool { return len(r.Problems) == 0 }

// Audit checks the documents of the checkout at root. Every check is run on a
// share (0 < share <= 1) of its instances. An error means that the checkout cannot
// be read; what is wrong with it is in the report.
func Audit(root string, reg Registry, share float64) (Report, error) {
	t, err := loadTree(root)
	if err != nil {
		return Report{}, err
	}
	results := runChecks(reg.Checks, share)
	byLabel := map[string]Result{}
	for _, r := range results {
		byLabel[r.Label] = r
	}
	a := auditor{t, reg, byLabel, map[string]string{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, d := range t.documents {
		a.document(d)
	}
	a.whole()
	return Report{a.rows(), results, t.problems}, nil
}

func runChecks(checks []Check, share float64) []Result {
	results := make([]Result, len(checks))
	_ = parallel.Do(len(checks), func(i int) error { // no check returns an error: a failure is in its result
		results[i] = checks[i].run(share, honest(), nil)
		return nil
	}, nil)
	return results
}

type auditor struct {
	*tree
	reg        Registry
	results    map[string]Result
	labels     map[string]string // label -> the document that has it
	properties map[string]bool   // cited by some document
	mutants    map[string]bool   // the same
	blocks     map[string]bool   // used by some document
}

// document checks one document.
func (a *auditor) document(d *Document) {
	name := d.Path
	refutes := 0
	for _, l := range d.Labels() {
		if other, ok := a.labels[l]; ok {
			a.problem(name, "label-twice", "(%s) is numbered in %s too", l, other)
			continue
		}
		a.labels[l] = name
		r, ok := a.results[l]
		switch {
		case !ok:
			a.problem(name, "inequality-without-check", "(%s) has no check", l)
			continue
		case r.Refutes && !r.OK():
			a.problem(name, "no-longer-refuted", "(%s): %s", l, r.First)
		case !r.OK():
			a.problem(name, "check-fails", "(%s): %s", l, firstOf(r))
		}
		if r.Refutes {
			refutes++
		}
	}
	switch d.Status {
	case Refuted:
		if refutes == 0 {
			a.problem(name, "refuted-without-witness", "no label of the document has a refutation")
		}
	case MachineChecked:
		a.decided(d)
	case Proved:
		if len(d.Properties) == 0 {
			a.problem(name, "document-without-property", "a document with status %s names the properties that test it", d.Status)
		}
	}
	for _, b := range d.Code {
		h, err := a.sources.hash(b.Symbol)
		switch {
		case err != nil:
			a.problem(name, "unknown-symbol", "%v", err)
		case h != b.Hash:
			a.problem(name, "stale-hash", "%s was edited: the document has %s, the code %s; read the proof against the code again, then --update", b.Symbol, b.Hash, h)
		}
	}
	for _, id := range d.Properties {
		a.properties[id] = true
	}
	a.known(name, "property", d.Properties, a.reg.Properties)
	for _, id := range d.Mutants {
		a.mutants[id] = true
	}
	a.known(name, "mutant", d.Mutants, a.reg.Mutants)
	for _, id := range d.Witnesses {
		if !a.vectors[id] {
			a.problem(name, "unknown-vector", "%s is in no file of %s", id, vectorsDir)
		}
	}
	if d.Status == Refuted || d.Status == Open {
		a.numbers(d)
	}
	for _, b := range d.page.blocks {
		a.blocks[b.name] = true
		a.block(name, b)
	}
}

func firstOf(r Result) string {
	if r.Instances == 0 {
		return "no instance was evaluated"
	}
	return fmt.Sprintf("%d of %d instances fail, the first: %s", r.Failures, r.Instances, r.First)
}

func (a *auditor) known(doc, what string, ids, all []string) {
	for _, id := range ids {
		if !slices.Contains(all, id) {
			a.problem(doc, "unknown-"+what, "%s", id)
		}
	}
}

func (a *auditor) block(doc string, b block) {
	want, err := a.reg.generate(b.name)
	if err != nil {
		a.problem(doc, "block", "check:%s: %v", b.name, err)
	} else if want != b.text {
		a.problem(doc, "block-differs", "check:%s (line %d) is not what is computed now: %s", b.name, b.from, firstDifference(b.text, want))
	}
}

// generate returns the text of a block.
func (r Registry) generate(name string) (string, error) {
	g, ok := r.Blocks[name]
	if !ok {
		return "", fmt.Errorf("there is no generator of that name")
	}
	return g()
}

func firstDifference(have, want string) string {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(h), len(w)) {
		var x, y string
		if i < len(h) {
			x = h[i]
		}
		if i < len(w) {
			y = w[i]
		}
		if x != y {
			return fmt.Sprintf("%q for %q", x, y)
		}
	}
	return "the end of line differs"
}

// whole checks what no single document can be blamed for.
func (a *auditor) whole() {
	for _, id := range a.reg.Properties {
		if !a.properties[id] {
			a.problem(proofsDir, "property-without-document", "%s", id)
		}
	}
	for _, id := range a.reg.Mutants {
		if !a.mutants[id] {
			a.problem(proofsDir, "mutant-without-document", "%s", id)
		}
	}
	for _, c := range a.reg.Checks {
		if _, ok := a.labels[c.Label]; !ok {
			a.problem(proofsDir, "check-without-inequality", "(%s) is numbered in no document", c.Label)
		}
	}
	var names []string
	for name := range a.reg.Blocks {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if !a.blocks[name] {
			a.problem(proofsDir, "block", "the generator check:%s has no block", name)
		}
	}
	if p, err := a.pageAt(theoryPath); err != nil {
		a.problem(theoryPath, "unreadable", "%v", err)
	} else {
		for _, l := range p.labels {
			if _, ok := a.labels[l]; !ok {
				a.problem(theoryPath, "inequality-without-check", "(%s) is listed by no document of %s", l, proofsDir)
			}
		}
	}
	a.theoryNumbers()
	a.everyLink()
	a.index()
	a.trustedFiles()
	if have, err := readLock(a.root); err != nil {
		a.problem(lockPath, "unreadable", "%v", err)
	} else {
		a.compareLock(have, a.bindings(a.reg))
	}
	for _, l := range a.flags {
		if why := a.follow("", "", l.target); why != "" {
			a.problem(l.file, "dead-link", "flag %s, %s %s: %s", l.flag, l.field, l.target, why)
		}
	}
}

func (a *auditor) rows() []Row {
	var rows []Row
	for _, d := range a.documents {
		r := Row{
			Document: d.ID, Title: d.Title, Status: d.Status, Properties: len(d.Properties), Code: len(d.Code) + a.declarations(d),
			Labels: len(d.Labels()), Witnesses: len(d.Witnesses), Mutants: len(d.Mutants), Problems: []string{},
		}
		for _, l := range d.Labels() {
			if a.results[l].OK() {
				r.Checked++
			}
		}
		for _, p := range a.problems {
			if p.Document == d.Path {
				r.Problems = append(r.Problems, p.Kind+": "+p.Detail)
			}
		}
		rows = append(rows, r)
	}
	return rows
}
