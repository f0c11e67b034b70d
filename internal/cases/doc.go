// Package cases makes the cases of Liu 2020, theorem 2, executable: which of the seven
// an output belongs to, the draws that give it, where the kernel proves the ends of their
// intervals to lie, and what that proves about the privacy loss.
//
// The notes take f' = f + 1, bounds that are -B and B, and f, f' in cells of their own
// that are no end cells. Here f and f' are any data in either order, the bounds any lo <= hi,
// and the seven cases are disjoint and complete (docs/theory.md 5).
//
// Nothing here is trusted: probabilities are the oracle's, and what is said to be
// derived is a kernel.Judgment that is kept. The one step between the two that no Judgment
// states is that w is monotone in u (docs/theory.md 4).
package cases
