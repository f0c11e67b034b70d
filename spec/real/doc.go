// Package real is exact and enclosed arithmetic on the reals, for the oracle
// and for everything that states a bound.
//
// Two kinds of number exist here. A Dyadic is exactly m·2^e. An Interval is a
// pair of Dyadics that provably contains a real number; the only operations
// that are not exact, logarithm, exponential and division, return an Interval
// of the width asked for. Nothing in the package uses floating point, and no
// operation rounds inward.
//
// A Dyadic's exponent is an int64 that is never expanded unless two numbers
// must be added exactly, so probabilities such as 2^-(2^40) cost as much as 1/2.
package real
