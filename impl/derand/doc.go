// Package derand is for tests, vectors and ports, NEVER FOR PRODUCTION: it runs
// the snapping mechanism with randomness chosen by the caller.
//
// A release whose randomness anybody can predict, repeat or choose has no
// privacy at all. Programs that release data import package impl, whose types
// take no source of randomness; nothing there depends on this package.
//
// The randomness is a tape of bytes, read bit by bit, most significant bit of
// each byte first (docs/theory.md 8): a sign, then the uniform number of one of
// two [Kind]s. Every function that reads a tape says how many bits it consumed,
// and fails with a [*TapeError] when the tape ends; nothing is padded.
//
// [Release] runs a production object. The other functions expose each stage of
// the same code without the hypotheses of the privacy theorems, so that stages
// can be compared one by one with other implementations: only arguments outside
// the domain (*impl.DomainError) and results that are not finite doubles
// (*impl.OverflowError) are refused, and [Calibrate] checks the hypotheses it
// states. Rejections are tested in the order domain, hypothesis, overflow, tape.
package derand
