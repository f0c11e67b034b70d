package cases

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Side is what one of the two inputs makes of the output.
type Side struct {
	Name     string // f or f'
	Input, X spec.Value
	Own      real.Dyadic // [f]
	Position Position
	// Ends are the end points of the intervals of u: L and R for an interior cell beside
	// the own one, R alone for an end cell, R1 and R2 of the own cell where it has edges.
	Ends []EndPoint
	P    oracle.Prob // exact
	// Mass encloses 2 Pr (1 - start): what Derived of the ends leaves open. Its lower end is
	// 0 where nothing better is proved.
	Mass real.Interval
}

// Ratio is a quotient of two dyadic numbers, infinite where the second is 0.
type Ratio struct{ Num, Den real.Dyadic }

// Infinite reports a quotient by 0.
func (r Ratio) Infinite() bool { return r.Den.Sign() <= 0 }

// Ln encloses the logarithm of a finite positive ratio.
func (r Ratio) Ln(prec uint) (real.Interval, error) {
	q, err := real.Point(r.Num).Quo(real.Point(r.Den), prec+8)
	if err != nil {
		return q, err
	}
	return real.LnInterval(q, prec)
}

// Proved is what the kernel alone says of a question (parameters, f, f', x).
type Proved struct {
	Class
	Params spec.SnapParams
	Kind   spec.Kind
	Sides  [2]Side // of the lesser input and of the other
	// Largest bounds Pr/Pr' (index 0) and Pr'/Pr (index 1) by the ends of Mass: the notes'
	// quotients, such as (R_hi - L_lo)/(R'_lo - L'_hi).
	Largest [2]Ratio
}

// Prove derives the end points and the bound, without any evaluation. Rejections: those
// of Of.
func Prove(p spec.SnapParams, k spec.Kind, f, f2, x spec.Value) (*Proved, error) {
	c, err := Of(p, f, f2, x)
	if err != nil {
		return nil, err
	}
	r := &Proved{Class: c, Params: p, Kind: k}
	for i := range r.Sides {
		if r.Sides[i], err = derive(p, k, c, i); err != nil {
			return nil, err
		}
	}
	a, b := r.Sides[0].Mass, r.Sides[1].Mass
	r.Largest = [2]Ratio{{a.Hi, b.Lo}, {b.Hi, a.Lo}}
	return r, nil
}

// Worst is the greater of two finite ratios.
func (r *Proved) Worst() Ratio {
	a, b := r.Largest[0], r.Largest[1]
	if a.Num.Mul(b.Den).Cmp(b.Num.Mul(a.Den)) >= 0 {
		return a
	}
	return b
}

// derive makes a side.
func derive(p spec.SnapParams, k spec.Kind, c Class, i int) (Side, error) {
	s := Side{
		Name: [...]string{"f", "f'"}[i], Input: c.Input[i], X: c.X[i], Own: c.Own[i], Position: c.Position(i),
	}
	prime := [...]string{"", "'"}[i]
	for _, edge := range c.ends(s.Position) {
		e, err := newQuestion(p, k, s.Input, s.X, edge.c).derive(edge.name + prime)
		if err != nil {
			return s, err
		}
		s.Ends = append(s.Ends, e)
	}
	s.Mass = s.mass(draws{p.Format, k}.start())
	return s, nil
}

// edge is an edge under the name of its end point.
type edge struct {
	name string
	c    real.Dyadic
}

// ends lists the edges of the cell that bound draws, under the names of the notes.
func (c Class) ends(at Position) (list []edge) {
	add := func(name string, c *real.Dyadic) {
		if c != nil {
			list = append(list, edge{name, *c})
		}
	}
	switch at {
	case Below: // the far edge is the lower one
		add("L", c.Lower)
		add("R", c.Upper)
	case Above:
		add("L", c.Upper)
		add("R", c.Lower)
	default:
		add("R1", c.Upper)
		add("R2", c.Lower)
	}
	return list
}

// mass encloses the measure of the draws of the output, both signs together, from what
// is derived.
func (s Side) mass(start real.Dyadic) real.Interval {
	m := s.between(start, func(e EndPoint) real.Interval { return e.Derived })
	m.Lo = real.Max(m.Lo, real.Dyadic{})
	return m
}

// between is the measure for given enclosures of the ends: R - L, R less the start of the
// draws where there is no L, and (1 - R1) + (1 - R2), where an end that is missing
// leaves every draw.
func (s Side) between(start real.Dyadic, at func(EndPoint) real.Interval) real.Interval {
	if s.Position == Own {
		all := real.One().Sub(start).Shift(1)
		sum := real.Point(all)
		for _, e := range s.Ends {
			t := at(e)
			sum = real.Interval{Lo: sum.Lo.Sub(t.Hi.Sub(start)), Hi: sum.Hi.Sub(t.Lo.Sub(start))}
		}
		return sum
	}
	low, high := real.Point(start), real.Interval{}
	for _, e := range s.Ends {
		if e.Name[0] == 'L' {
			low = at(e)
		} else {
			high = at(e)
		}
	}
	return real.Interval{Lo: high.Lo.Sub(low.Hi), Hi: high.Hi.Sub(low.Lo)}
}

// Between returns how many draws b lies above a.
func (r *Proved) Between(a, b Draw) *big.Int {
	us := draws{r.Params.Format, r.Kind}
	return new(big.Int).Sub(us.number(b), us.number(a))
}
