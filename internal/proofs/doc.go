// Package proofs checks the proof documents of the directory proofs against the
// code, the vectors, the mutants and the mathematics they speak about.
//
// A document binds a statement to what it is about: declarations of Go code, by
// the hash of their syntax; properties, vectors and mutants, by their ids; and
// numbered inequalities, each of which has a Check that evaluates both of its
// sides exactly on random and adversarial instances. A refuted claim has a check
// that recomputes its witness. proofs/labels.json binds the texts to the checks: it
// has a hash of each label's text, of its check's source and of what that calls in
// this package, and of every declaration of the files a document trusts.
//
// A hash shows that something was edited, not that it is right; a check on
// instances shows that a statement is not obviously false, not that it is true.
// What is true is what the document proves.
//
// The machinery (document, markdown, source, checksource, lock, tree, audit*,
// kinds, update, report) knows nothing of the mechanism. The checks_*.go and
// refute*.go files know nothing of the machinery but Trial and Num.
package proofs
