// Package spec states what the mechanisms of this module are, as data and
// executable definitions, and computes nothing clever.
//
// A Format is a binary floating-point format; a Value is a datum of some format,
// an exact dyadic number or a zero with its sign, an infinity or a NaN. The
// snapping mechanism is a list of Stages (snapping.go) over SnapParams and the
// random pair (U, Sign); a Trace holds what each stage gives. Hypotheses are the
// conditions under which a privacy theorem speaks about a set of parameters.
//
// Section numbers refer to docs/theory.md.
package spec
