package wire

import "math/big"

// Enclosure says of two RatInf or Rat outputs that they are to enclose a number
// which the other outputs determine. Of two that do, neither is wrong.
type Enclosure struct {
	Lo, Hi string
	// Truth encloses the number, given the answer's other outputs, to a width that
	// goes to 0 as n grows: equal ends when it is rational, (nil, nil) when it is infinite.
	Truth func(out Values, n uint) (lo, hi *big.Rat)
	// Narrow reports whether a finite enclosure is as narrow as the operation asks;
	// Width says so in words.
	Narrow func(lo, hi *big.Rat) bool
	Width  string
}

// maxRefinement ends the refinement of Truth. It is not reached: a number that is
// not rational is no end of an enclosure, and nobody gives ends of 2^17 bits.
const maxRefinement = 1 << 18

// check returns what is wrong with an enclosure, want's being the truth in words.
func (e Enclosure) check(want, got Values) *Difference {
	lo, hi := got[e.Lo].rat, got[e.Hi].rat
	wrong := func(why string) *Difference {
		return &Difference{e.Lo + ", " + e.Hi,
			"an enclosure as [" + want[e.Lo].Text + ", " + want[e.Hi].Text + "]",
			"[" + got[e.Lo].Text + ", " + got[e.Hi].Text + "], " + why}
	}
	for n := uint(128); n < maxRefinement; n *= 2 {
		tlo, thi := e.Truth(want, n)
		switch {
		case tlo == nil && lo == nil && hi == nil:
			return nil
		case tlo == nil || lo == nil || hi == nil:
			return wrong("one is infinite and the other is not")
		case lo.Cmp(hi) > 0:
			return wrong("whose ends are in the wrong order")
		case !e.Narrow(lo, hi):
			return wrong("which is wider than " + e.Width)
		case lo.Cmp(tlo) <= 0 && thi.Cmp(hi) <= 0:
			return nil
		case lo.Cmp(thi) > 0 || hi.Cmp(tlo) < 0:
			return wrong("which the number does not lie in")
		}
	}
	return wrong("undecided")
}
