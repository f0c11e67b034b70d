// Package sweep tries every case of the snapping mechanism in a small format: every
// noise scale, every pair of bounds, every two inputs, every output. The exact
// privacy loss of each is compared with the bounds of a list of claims, and nothing
// is sampled or rounded on the way to a decision. docs/sweep.md has the method.
package sweep
