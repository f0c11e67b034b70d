package proofs

import "fmt"

// Kinds lists what an audit may find, with what each means.
var Kinds = map[string]string{
	"block":                     "a generated block without a generator, or the reverse",
	"block-differs":             "a generated block is not what is computed now",
	"bound-to-nothing":          "labels.json binds what is no longer there",
	"check-fails":               "an instance contradicts an inequality, or there was none",
	"check-without-inequality":  "a check whose label no document has",
	"check-without-source":      "a check that is written in no file, so that nothing can bind it",
	"dead-link":                 "a link that leads nowhere",
	"document-without-property": "a proved document that no property tests",
	"front-matter":              "a document that cannot be read",
	"index":                     "the table of proofs/README.md differs from the documents",
	"inequality-without-check":  "a label without a check",
	"label-twice":               "two inequalities with one label",
	"mutant-without-document":   "a mutant no document names",
	"no-longer-refuted":         "a witness that does not contradict its claim",
	"not-decided":               "a machine-checked document with a label no program settles",
	"number-in-prose":           "an exact number of a refuted or open document outside a generated block, or of the theory in none",
	"property-without-document": "a property no document names",
	"refuted-without-witness":   "a refuted document without a refutation",
	"stale-check":               "a check was edited since it was read against its text",
	"stale-file":                "a trusted file was edited since its proof was read",
	"stale-hash":                "a declaration was edited since its proof was read",
	"stale-text":                "a text was edited since it was read",
	"trusted-base":              "the trusted files are not the bound ones",
	"unbound":                   "something that labels.json does not have yet",
	"unknown-file":              "files names what is not there",
	"unknown-mutant":            "there is no such mutant",
	"unknown-property":          "there is no such property",
	"unknown-symbol":            "there is no such declaration",
	"unknown-vector":            "there is no such vector",
	"unreadable":                "a file that cannot be read",
}

// String says what is wrong.
func (p Problem) String() string { return fmt.Sprintf("%s: %s: %s", p.Document, p.Kind, p.Detail) }
