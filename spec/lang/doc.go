// Package lang is the syntax of the snapping mechanism's two languages: real
// expressions e_R and floating-point expressions e_F (Liu 2020, section 2),
//
//	e_F ::= c | x | f(x) | e_F (*) e_F | (ln)(e_F) | x <-$ mu      circled: rounded
//	e_R ::= r | X | F(X) | e_R  *  e_R |  ln (e_R) | X <-$ mu
//	 *  ::= + | - | x | /        mu ::= laplace | unif | bernoulli
//
// and, for the mechanism itself, the three exact operations neg, clamp_[lo,hi]
// and round_Lambda.
//
// The two languages have the same trees. They differ in what a tree means, so
// they are two instances of one type: Real = Expr[Reals], Float = Expr[Floats],
// which the compiler keeps apart; translation (ToFloat, ToReal) changes the
// reading and not the tree. A value v ::= r | c is a Number, err ::= (e_R, e_R) an
// Error. A constant is an exact number r in both, and stands
// for fl(r) in e_F. Names begin with a capital letter in e_R, a small one in e_F.
//
// Expressions are immutable. Building never panics: an expression that cannot be
// built carries the reason (Err), and so does everything built from it.
package lang
