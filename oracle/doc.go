// Package oracle says what the right answer is. It is slow, exact and written
// from the definitions in package spec: every real number in it is a dyadic, a
// rational, or an interval that is refined until it decides the question. It
// does no floating-point arithmetic (a test of the syntax trees says so), works
// in any spec.Format, and shares no code with package impl, so that the two can
// disagree.
//
// Refinement always ends. The logarithm of a dyadic number other than 1 is
// transcendental (Lindemann), so neither ln u, nor lambda ln u, nor x + lambda ln u
// with dyadic lambda and x can equal a midpoint between two numbers of a format
// or between two multiples of Lambda; and an enclosure that shrinks to a number
// other than the midpoint decides in the end. ln 1 = 0 is exact.
package oracle
