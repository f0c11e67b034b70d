package proofs

import (
	"fmt"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/anyprecision"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// anyChecks are those of proofs/any-precision.md: its theorem, its steps and its corollaries.
func anyChecks() []Check {
	return []Check{
		{Label: "T.1", Run: checkFirstBound},
		{Label: "T.2", Run: checkSecondBound},
		{Label: "T.3", Size: 400, Run: anyPairs(checkAnyTheorem)},
		{Label: "A.1", Size: 400, Run: anyPairs(checkRoom)},
		{Label: "A.2", Size: 400, Run: anyEdges(checkEdge)},
		{Label: "A.3", Size: 400, Run: anyEdges(checkBelowEdge)},
		{Label: "A.4", Size: 300, Run: anyEdges(checkRoundsBelow)},
		{Label: "A.5", Size: 300, Run: anyEdges(checkNoise)},
		{Label: "A.6", Size: 300, Run: anyPairs(checkWidth)},
		{Label: "A.7", Size: 300, Run: anyEdges(checkReach)},
		{Label: "A.8", Size: 300, Run: anyEdges(checkProduct)},
		{Label: "A.9", Size: 300, Run: anyEdges(checkLogarithm)},
		{Label: "A.10", Size: 300, Run: anyEdges(checkAnyMass)},
		{Label: "A.11", Size: 300, Run: anyEdges(checkErrors)},
		{Label: "A.12", Size: 300, Run: anyEdges(checkError)},
		{Label: "A.13", Size: 300, Run: anyOutside(checkTwoThresholds)},
		{Label: "A.14", Size: 400, Run: anyOutside(checkAnyProducts)},
		{Label: "A.15", Size: 200, Run: anyOutside(checkAnyConcave)},
		{Label: "A.16", Size: 250, Run: anyOutside(checkFirst)},
		{Label: "A.17", Size: 250, Run: anyPairs(checkAnyEnds)},
		{Label: "A.18", Size: 200, Run: anyPairs(checkAnyAcross)},
		{Label: "A.19", Size: 150, Run: anyPairs(checkAnyBetween)},
		{Label: "A.20", Size: 200, Run: anyPairs(checkOwnCell)},
		{Label: "A.21", Size: 150, Run: anyPairs(checkBothInside)},
		{Label: "A.22", Size: 150, Run: anyPairs(checkOut)},
		{Label: "A.23", Size: 150, Run: anyPairs(checkIn)},
		{Label: "A.24", Size: 250, Run: anyOutside(checkSecond)},
		{Label: "A.25", Run: checkLowerBounds},
		{Label: "A.26", Run: checkAllCases},
		{Label: "any.1", Run: checkIntegers},
		{Label: "any.2", Run: checkWideCode},
		{Label: "any.3", Run: checkNothingAbove},
	}
}

// inFormat are the definitions of the proof in a format; a test puts a wrong one in.
type inFormat struct {
	below    func(f spec.Format, c real.Dyadic) real.Dyadic
	above    func(f spec.Format, A real.Dyadic, strict bool) (real.Dyadic, int64)
	midAbove func(f spec.Format, v *big.Rat, strict bool) real.Dyadic
}

func rightInFormat() inFormat {
	return inFormat{
		below: func(f spec.Format, c real.Dyadic) real.Dyadic {
			return c.Add(f.NextDown(spec.FromDyadic(c)).Dyadic()).Shift(-1)
		},
		// The greatest number of the format may be A: 2^(emax+1) is next then.
		above: func(f spec.Format, A real.Dyadic, strict bool) (real.Dyadic, int64) {
			q := f.UlpExponent(A)
			if !strict && A.IsPow2() {
				return A, max(q-1, f.Quantum())
			}
			n := A.Floor(q)
			if strict || !real.NewDyadic(n, q).Equal(A) {
				n.Add(n, one)
			}
			return real.NewDyadic(n, q), q
		},
		midAbove: func(f spec.Format, v *big.Rat, strict bool) real.Dyadic {
			up := oracle.RoundRat(f, v, oracle.Up)
			if r, ok := up.Dyadic().Rat(); strict && ok && r.Cmp(v) == 0 {
				up = f.NextUp(up)
			}
			return up.Dyadic().Add(f.NextDown(up).Dyadic()).Shift(-1)
		},
	}
}

// at makes the definitions of a subject those of a format.
func (s subject) at(f spec.Format) subject {
	in := s.inFormat
	s.below = func(c real.Dyadic) real.Dyadic { return in.below(f, c) }
	s.above = func(A real.Dyadic, strict bool) (real.Dyadic, int64) { return in.above(f, A, strict) }
	s.midAbove = func(v *big.Rat, strict bool) real.Dyadic { return in.midAbove(f, v, strict) }
	return s
}

// anyPair is an instance: the bound of the theorem beside a pair.
type anyPair struct {
	pair
	anyBound
}

// eta is what the pair has; anyBound has it too.
func (p anyPair) omega() Num {
	return p.pair.eta.mul(p.b.add(p.unit().mul(fracNum(1, 2)))).quo(p.lam)
}

func newAnyPair(p spec.SnapParams, x, x2 spec.Value, sub subject) (anyPair, error) {
	m, err := newMechIn(p, spec.Unbounded, sub.at(p.Format))
	if err != nil {
		return anyPair{}, err
	}
	q := anyPair{pair: pair{mech: m, x: x, x2: x2}}
	q.dist = dyNum(x.Dyadic()).sub(dyNum(x2.Dyadic())).abs().quo(m.lam)
	q.anyBound = newAnyBound(m.kappa(), m.eta)
	return q, nil
}

// covers reports the hypotheses of the theorem; the right eta and Lambda decide.
func covers(p spec.SnapParams) bool {
	f, prec := p.Format, int64(p.Format.Precision)
	unit, err := oracle.Unit(p)
	if err != nil || f.EMin > -prec-3 || f.EMax < prec-2 {
		return false
	}
	k, q := unit.Dyadic().Top(), spec.NewQuantities(p, unit)
	if k < f.EMin+prec+2 || k > f.EMax-1 || q.B.Cmp(real.Pow2(f.EMax-1)) > 0 {
		return false
	}
	kappa := real.Point(q.B.Mul(q.LambdaDen))
	if q.B.Mul(q.LambdaDen).Cmp(q.LambdaNum) < 0 {
		kappa = real.Point(q.LambdaNum)
	}
	kappa, err = kappa.Quo(real.Point(q.LambdaNum), minPrec)
	_, room := anyprecision.NewBound(kappa.Shift(-prec), real.Point(f.Eta()))
	return err == nil && room
}

// anyFormats are what instances are drawn in: all small ones, and those in use.
var anyFormats = func() []spec.Format {
	all := []spec.Format{spec.Binary16, spec.BFloat16, spec.Binary32, spec.Binary64}
	for p := uint(4); p <= 12; p++ {
		all = append(all, anyprecision.Tiny(p))
	}
	return all
}()

// anyMechanism draws a format and parameters: Lambda the least and the greatest
// allowed and others, every scale of its binade, kappa up to the limit of room.
func (t *Trial) anyMechanism() (spec.SnapParams, bool) {
	f := anyFormats[t.below(len(anyFormats))]
	prec := int64(f.Precision)
	least, most := f.EMin+prec+2, f.EMax-1
	k := []int64{least, least, most, t.between(least, most), max(least, min(most, 0))}[t.below(5)]
	n := real.FromInt64(t.between(1<<(prec-1), 1<<prec-1))
	switch t.below(6) {
	case 0:
		n = real.Pow2(prec - 1)
	case 1:
		n = real.FromInt64(1<<prec - 1 - int64(t.below(2)))
	case 2:
		n = real.FromInt64(1<<(prec-1) + 1 + int64(t.below(2)))
	}
	p := spec.SnapParams{Format: f, Scale: spec.ScaleLambda, Value: spec.FromDyadic(n.Shift(k - prec))}
	lambda := n.Shift(k - prec)
	if t.coin() {
		p.Scale, p.Value = spec.ScaleEpsilon, spec.FromDyadic(n.Shift(1-prec-k))
		lambda = real.Pow2(k).Mul(spec.FromFloat64(math.Ldexp(1, int(prec-1)) / float64(n.Floor(0).Int64())).Dyadic()) // near 1/epsilon will do
	}
	if !f.Has(p.Value) || p.Value.IsZero() {
		return p, false
	}
	kappa := t.unit() / 9
	switch t.below(4) {
	case 0:
		kappa = (1 - 3*math.Ldexp(1, -int(prec))) / 9.3 // near the limit of room
	case 1:
		kappa *= math.Ldexp(1, -t.below(int(prec)))
	}
	b := oracle.Round(f, lambda.Mul(spec.FromFloat64(kappa).Dyadic()).Shift(prec))
	if !b.IsFinite() || b.IsZero() {
		return p, false
	}
	if t.below(4) == 0 {
		b = spec.FromDyadic(real.Pow2(b.Dyadic().Top()))
	}
	lo, hi := b.Neg(), b
	share := oracle.Round(f, b.Dyadic().Mul(spec.FromFloat64(t.unit()).Dyadic()))
	switch t.below(6) {
	case 0:
		lo = share.Neg()
	case 1:
		lo = share
	case 2:
		hi = share.Neg()
	}
	p.Lo, p.Hi = lo.PlusZero(), hi.PlusZero()
	return p, p.Lo.Cmp(p.Hi) < 0 && p.Validate() == nil && covers(p)
}

// anyInput draws an input: the bounds, numbers next to powers of two or to a
// multiple of Lambda/2, or any.
func (t *Trial) anyInput(p spec.SnapParams, k int64) spec.Value {
	f := p.Format
	share := func(d real.Dyadic, u float64) real.Dyadic { return d.Mul(spec.FromFloat64(u).Dyadic()) }
	x := oracle.Round(f, p.Lo.Dyadic().Add(share(p.Hi.Dyadic().Sub(p.Lo.Dyadic()), t.unit())))
	switch t.below(6) {
	case 0:
		x = []spec.Value{p.Lo, p.Hi}[t.below(2)]
	case 1:
		if !x.IsZero() {
			d := real.Pow2(x.Dyadic().Top())
			if x.Sign() < 0 {
				d = d.Neg()
			}
			x = spec.FromDyadic(d)
		}
	case 2:
		x = oracle.Round(f, real.NewDyadic(x.Dyadic().Floor(k-1), k-1))
	case 3:
		x = oracle.Round(f, p.Hi.Dyadic().Sub(share(real.Pow2(k+2), t.unit())))
	}
	for range t.below(3) {
		x = f.NextDown(x)
	}
	return into(p, x)
}

// into moves x between the bounds.
func into(p spec.SnapParams, x spec.Value) spec.Value {
	switch {
	case x.Cmp(p.Lo) < 0:
		return p.Lo
	case x.Cmp(p.Hi) > 0:
		return p.Hi
	}
	return x.PlusZero()
}

// anyPairOf draws inputs and an output.
func (t *Trial) anyPairOf(s spec.SnapParams) (anyPair, bool) {
	unit, err := oracle.Unit(s)
	if err != nil {
		return anyPair{}, false
	}
	k := unit.Dyadic().Top()
	x := t.anyInput(s, k)
	x2 := t.anyInput(s, k)
	switch t.below(3) {
	case 0:
		x2 = x
		for range 1 + t.below(6) {
			x2 = s.Format.NextUp(x2)
		}
	case 1:
		x2 = oracle.Round(s.Format, x.Dyadic().Add(real.Pow2(k+1).Mul(spec.FromFloat64(t.unit()-0.5).Dyadic())))
	}
	x2 = into(s, x2)
	p, err := newAnyPair(s, x, x2, t.subject)
	if err != nil || x.Dyadic().Equal(x2.Dyadic()) {
		return p, false
	}
	if t.below(3) != 0 {
		return p, t.output(&p.pair)
	}
	// The cell next to that of x, which x may be very near to.
	p.r = real.NewDyadic(addInt(nearestIndex(x.Dyadic(), k), t.between(0, 1)*2-1), k)
	if p.r.Cmp(s.Lo.Dyadic()) <= 0 || p.r.Cmp(s.Hi.Dyadic()) >= 0 {
		return p, false
	}
	p.c1, p.c2, err = p.edges(p.r)
	return p, err == nil
}

// anyPairs runs f on the hardest instances known and then on generated ones; f says
// whether one is of its kind.
func anyPairs(f func(t *Trial, p anyPair) bool) func(*Trial) {
	return func(t *Trial) {
		for _, w := range anyHard {
			if p, err := w.pair(t.subject); err != nil {
				t.fail("%+v: %v", w, err)
			} else if f(t, p) {
				t.instance()
			}
		}
		const patience = 2000
		for tries := 0; t.Result.Instances < t.size+len(anyHard) && tries < patience*t.size; tries++ {
			s, ok := t.anyMechanism()
			if !ok {
				continue
			}
			if p, ok := t.anyPairOf(s); ok && f(t, p) {
				t.instance()
			}
		}
	}
}

// anyHard are the instances that come nearest to the bound, found by exhaustive trial at
// p = 4 to 8 (internal/anyprecision), in binary64 that of docs/theory.md 6.
var anyHard = []anyWitness{
	{4, spec.ScaleLambda, 0x1.ep-2, 0x1.2p-1, 0x1.cp-3, 0x1.2p-3, -0x1.2p-1},
	{5, spec.ScaleLambda, 0x1.ep-2, 0x1.1p-1, -0x1.dp-2, -0x1.5p-4, 0x1p-1},
	{6, spec.ScaleLambda, 0x1.ep-2, 0x1.08p+0, -0x1.c8p-1, -0x1.a8p-2, 0x1p+0},
	{8, spec.ScaleLambda, 0x1.e4p-2, 0x1.02p-1, -0x1.92p-2, -0x1.4cp-2, 0x1p-1},
	{7, spec.ScaleLambda, 0x1p-1, 0x1.84p+2, 0x1.fcp-6, -0x1.c8p+0, -0x1.8p+2}, // (A.14) at q = 0
	{7, spec.ScaleLambda, 0x1p-1, 0x1.84p+2, 0x1.2cp-2, -0x1.ep-3, -0x1p+2},    // at q = 1/2
	{7, spec.ScaleLambda, 0x1p-1, 0x1.84p+2, 0x1.2p-2, -0x1.ep-3, -0x1p+2},     // at q = 1
	{53, spec.ScaleEpsilon, 0x1.0011b63ff903cp+0, 0x1.0000000000001p+27, 0x1.ffffffeafd057p+26, 0x1.ffffffeb2bfeep+26, -0x1p+27},
}

// anyWitness is an instance at precision p with bounds -b and b.
type anyWitness struct {
	p                       uint
	scale                   spec.ScaleKind
	value, b, x, x2, output float64
}

func (w anyWitness) pair(sub subject) (anyPair, error) {
	f := anyprecision.Tiny(w.p)
	if w.p == spec.Binary64.Precision {
		f = spec.Binary64
	}
	s := spec.SnapParams{Format: f, Scale: w.scale, Value: spec.FromFloat64(w.value), Lo: spec.FromFloat64(-w.b), Hi: spec.FromFloat64(w.b)}
	if !covers(s) {
		return anyPair{}, fmt.Errorf("a hypothesis is broken")
	}
	p, err := newAnyPair(s, spec.FromFloat64(w.x), spec.FromFloat64(w.x2), sub)
	if err != nil {
		return p, err
	}
	p.r = spec.FromFloat64(w.output).Dyadic()
	p.c1, p.c2, err = p.edges(p.r)
	return p, err
}
