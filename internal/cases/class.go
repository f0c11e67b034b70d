package cases

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Case is one of the seven, numbered in the order of the notes. [f] is the output of f
// without noise: f clamped, rounded to a multiple of Lambda, and clamped again.
type Case int

// The cases, for f <= f', so that [f] <= [f']. Where the notes' cases overlap, the cells of
// f and then of f' come first: their draws have both signs, end cells or not. So
// stated, each output is in exactly one.
const (
	AtLo    Case = 1 + iota // x = lo, below [f]
	BelowF                  // lo < x < [f]
	OwnF                    // x = [f]
	Between                 // [f] < x < [f']
	OwnF2                   // x = [f'], above [f]
	AboveF2                 // [f'] < x < hi
	AtHi                    // x = hi, above [f']
)

// All lists the cases.
func All() []Case { return []Case{AtLo, BelowF, OwnF, Between, OwnF2, AboveF2, AtHi} }

// String is the case as the notes head it, with lo and hi for -B and B.
func (c Case) String() string {
	switch c {
	case AtLo:
		return "x = lo"
	case BelowF:
		return "x in (lo, [f])"
	case OwnF:
		return "x = [f]"
	case Between:
		return "x in ([f], [f'])"
	case OwnF2:
		return "x = [f']"
	case AboveF2:
		return "x in ([f'], hi)"
	case AtHi:
		return "x = hi"
	}
	return fmt.Sprintf("no case %d", int(c))
}

// Position is where the cell of the output lies, seen from an input.
type Position int

// Below an input is reached with s = +1, above it with s = -1, its own cell with either.
const (
	Below Position = iota - 1
	Own
	Above
)

func (p Position) String() string { return [...]string{"below", "own", "above"}[p+1] }

// Positions returns where the output lies for f and for f' in the case. Only in the
// case OwnF do they not follow: the cell may hold f' too.
func (c Case) Positions(both bool) (of, of2 Position) {
	switch c {
	case AtLo, BelowF:
		return Below, Below
	case OwnF:
		if both {
			return Own, Own
		}
		return Own, Below
	case Between:
		return Above, Below
	case OwnF2:
		return Above, Own
	}
	return Above, Above
}

// Class is what is known of a question (parameters, f, f', x) before any draw is
// looked at. Index 0 belongs to the lesser input, which is the notes' f.
type Class struct {
	Case    Case
	Swapped bool // the lesser input was given second
	Both    bool // [f] = [f'] = x, which the notes leave out
	End     bool // x is lo or hi: its cell has one edge, or none when lo = hi
	Output  spec.Value
	Input   [2]spec.Value
	X       [2]spec.Value // clamped
	Own     [2]real.Dyadic
	Unit    real.Dyadic
	// Edges of the cell of the output, in the order of the line; nil where it has none.
	Lower, Upper *real.Dyadic
}

// Of returns the case of an output for two inputs. Rejections: domain (parameters; f, f2
// NaN or not of the format; x: no output of any input), overflow of Lambda.
func Of(p spec.SnapParams, f, f2, x spec.Value) (Class, error) {
	c := Class{Output: x.PlusZero(), Input: [2]spec.Value{f, f2}}
	if err := p.Validate(); err != nil {
		return c, err
	}
	unit, err := oracle.Unit(p)
	if err != nil {
		return c, err
	}
	c.Unit = unit.Dyadic()
	for i, v := range c.Input {
		name := [...]string{"f", "f2"}[i]
		if v.IsNaN() || !p.Format.Has(v) {
			return c, spec.Reject(spec.Domain, name, "%v is not a number of %s", v, p.Format.Name)
		}
	}
	if c.Swapped = f.Cmp(f2) > 0; c.Swapped {
		c.Input = [2]spec.Value{f2, f}
	}
	for i, v := range c.Input {
		if c.X[i], err = oracle.Clamp(v, p.Lo, p.Hi); err != nil {
			return c, err
		}
		c.Own[i] = own(p, c.X[i], c.Unit)
	}
	if err := c.cell(p); err != nil {
		return c, err
	}
	c.classify(p)
	return c, nil
}

// own is [f] for a clamped f. Exact: it never overflows, as rounding in the format may.
func own(p spec.SnapParams, x spec.Value, unit real.Dyadic) real.Dyadic {
	k := unit.Top()
	r := real.NewDyadic(oracle.NearestMultiple(x.Dyadic(), k, spec.TiesUp), k)
	return real.Min(p.Hi.Dyadic(), real.Max(p.Lo.Dyadic(), r))
}

// cell finds the edges of the output's cell (docs/theory.md 4).
func (c *Class) cell(p spec.SnapParams) error {
	r, k := c.Output, c.Unit.Top()
	if !r.IsFinite() || r.Cmp(p.Lo) < 0 || r.Cmp(p.Hi) > 0 {
		return spec.Reject(spec.Domain, "x", "%v is not within the bounds", r)
	}
	atLo, atHi := r.Cmp(p.Lo) == 0, r.Cmp(p.Hi) == 0
	c.End = atLo || atHi
	if !c.End && (!p.Format.Has(r) || !r.IsZero() && r.Dyadic().Low() < k) {
		return spec.Reject(spec.Domain, "x", "%v is no output: neither a bound nor a multiple of %v", r, c.Unit)
	}
	half := c.Unit.Shift(-1)
	if !atLo {
		n := r.Dyadic().Neg().Floor(k) // -ceil(r/Lambda)
		c.Lower = new(real.NewDyadic(new(big.Int).Neg(n), k).Sub(half))
	}
	if !atHi {
		c.Upper = new(real.NewDyadic(r.Dyadic().Floor(k), k).Add(half))
	}
	return nil
}

// classify is the definition of the cases. Since [f] <= [f'], an output that is neither
// lies below both, between them or above both.
func (c *Class) classify(p spec.SnapParams) {
	r := c.Output.Dyadic()
	c.Both = r.Equal(c.Own[0]) && r.Equal(c.Own[1])
	switch below, above := r.Cmp(c.Own[0]) < 0, r.Cmp(c.Own[1]) > 0; {
	case r.Equal(c.Own[0]):
		c.Case = OwnF
	case r.Equal(c.Own[1]):
		c.Case = OwnF2
	case c.Output.Cmp(p.Lo) == 0:
		c.Case = AtLo
	case c.Output.Cmp(p.Hi) == 0:
		c.Case = AtHi
	case below:
		c.Case = BelowF
	case above:
		c.Case = AboveF2
	default:
		c.Case = Between
	}
}

// Position returns where the output lies for input i.
func (c Class) Position(i int) Position {
	of, of2 := c.Case.Positions(c.Both)
	return [...]Position{of, of2}[i]
}
