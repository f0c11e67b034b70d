// Package exports has variables that others can assign, which the finder must see.
package exports

import "errors"

// Kind is not a variable.
type Kind string

// One is a constant, two is private.
const One Kind = "1"

var two = errors.New("2")

// What others can assign.
var (
	ErrOf  = errors.New("error")
	Number = map[string]int{two.Error(): 1}
	Style  struct{ Bits uint }
)

// Of is a function.
func Of() Kind { return One }
