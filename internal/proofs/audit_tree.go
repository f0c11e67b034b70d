package proofs

import (
	"path"
	"regexp"
	"slices"
)

// everyLink follows the links of every Markdown file of the checkout.
func (a *auditor) everyLink() {
	files, err := a.markdownFiles()
	if err != nil {
		a.problem(".", "unreadable", "%v", err)
	}
	for _, name := range files {
		p, err := a.pageAt(name)
		if err != nil {
			if path.Dir(name) != proofsDir || name == indexPath { // else reported as front-matter
				a.problem(name, "unreadable", "%v", err)
			}
			continue
		}
		for _, target := range p.links {
			if why := a.follow(path.Dir(name), name, target); why != "" {
				a.problem(name, "dead-link", "%s: %s", target, why)
			}
		}
	}
}

// index checks the table of proofs/README.md: one line for each document, with a
// link whose text is the id, the status and the title of the front matter.
func (a *auditor) index() {
	p, _ := a.pageAt(indexPath) // one that is not there lists nothing
	listed := map[string]int{}
	for _, row := range p.rows {
		m := linkPattern.FindStringSubmatch(row[0])
		if m == nil {
			continue // the heading and the rule below it
		}
		i := slices.IndexFunc(a.documents, func(d *Document) bool { return path.Join(proofsDir, m[2]) == d.Path })
		if i < 0 {
			a.problem(indexPath, "index", "%s is no document", m[2])
			continue
		}
		d := a.documents[i]
		listed[d.Path]++
		if want := []string{d.ID, string(d.Status), d.Title}; !slices.Equal(append([]string{m[1]}, row[1:]...), want) {
			a.problem(indexPath, "index", "the line of %s is not | [%s](%s.md) | %s | %s |", d.ID, d.ID, d.ID, d.Status, d.Title)
		}
	}
	for _, d := range a.documents {
		if n := listed[d.Path]; n != 1 {
			a.problem(indexPath, "index", "%s is listed %d times, not once", d.ID, n)
		}
	}
}

// decided checks that a program settles every label of a machine-checked document.
func (a *auditor) decided(d *Document) {
	if len(d.Labels()) == 0 {
		a.problem(d.Path, "not-decided", "a document with status %s has at least one label", MachineChecked)
	}
	for _, l := range d.Labels() {
		how, ok := a.reg.Decides[l]
		if !ok {
			a.problem(d.Path, "not-decided", "(%s): its check settles the statement for some inputs only", l)
		} else if n := a.results[l].Instances; n != how.Instances {
			a.problem(d.Path, "not-decided", "(%s): by %s of %s there are %d instances; the run saw %d", l, how.By, how.Of, how.Instances, n)
		}
	}
}

// exactNumber is a number someone copied from a computation: in hexadecimal
// floating point, or with three or more decimals.
var exactNumber = regexp.MustCompile(`-?` + hexNumber + `|-?\b\d+\.\d{3,}`)

const hexNumber = `0x[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?p[-+]?\d+`

// numbers reports exact numbers in the text of a refuted or open document. What
// refutes is a witness, and its numbers must be those the check computes with.
func (a *auditor) numbers(d *Document) {
	for _, n := range exactNumber.FindAllString(d.page.plain, -1) {
		a.problem(d.Path, "number-in-prose", "%s belongs into a generated block", n)
	}
}

// theoryNumbers compares the witnesses that docs/theory.md quotes with those of the
// generated blocks, by their hexadecimal numbers.
func (a *auditor) theoryNumbers() {
	hex := regexp.MustCompile(hexNumber)
	generated := map[string]bool{}
	for _, d := range a.documents {
		for _, b := range d.page.blocks {
			for _, n := range hex.FindAllString(b.text, -1) {
				generated[n] = true
			}
		}
	}
	p, _ := a.pageAt(theoryPath) // one that is not there is reported
	for _, n := range hex.FindAllString(p.plain, -1) {
		if !generated[n] {
			a.problem(theoryPath, "number-in-prose", "%s is in no generated block of a document", n)
		}
	}
}
