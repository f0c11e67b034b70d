package proofs

import (
	"iter"
	"math"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// fault is something wrong in what a check relies on.
type fault struct {
	what string
	make func(*subject)
}

// says changes numbers of a statement or a witness: name, value, name, value...
func says(what string, changes ...string) fault {
	return fault{what, func(s *subject) {
		s.given = map[string]string{}
		for i := 0; i < len(changes); i += 2 {
			s.given[changes[i]] = changes[i+1]
		}
	}}
}

// The implementation.

func rounds(what string, f func(x float64) float64) fault {
	return fault{what, func(s *subject) {
		s.round = func(x, unit float64, _ spec.Ties) (float64, error) { return f(x/unit) * unit, nil }
	}}
}

var (
	truncates = rounds("the code truncates", math.Trunc)
	tiesAway  = rounds("the code rounds ties away from zero", math.Round)
	tiesUp    = rounds("the code rounds ties up whatever is asked", func(x float64) float64 { return math.Floor(x + 0.5) })
	noGrid    = fault{"the code returns x", func(s *subject) {
		s.round = func(x, _ float64, _ spec.Ties) (float64, error) { return x, nil }
	}}
	neverZero = fault{"the code rounds away from zero", func(s *subject) {
		s.round = func(x, unit float64, _ spec.Ties) (float64, error) { return math.Copysign(unit, x), nil }
	}}
	oracleTruncates = fault{"the oracle truncates", func(s *subject) {
		right := s.roundMultiple
		s.roundMultiple = func(f spec.Format, x, unit spec.Value, ties spec.Ties) (spec.Value, error) {
			if y, err := right(f, x, unit, ties); err != nil {
				return y, err
			}
			return spec.FromDyadic(real.NewDyadic(x.Dyadic().Floor(unit.Dyadic().Top()), unit.Dyadic().Top())), nil
		}
	}}
	halfUnit = fault{"the code returns Lambda/2", func(s *subject) {
		unit, inv := s.unit, s.unitInv
		s.unit = func(x float64) (float64, error) { u, err := unit(x); return u / 2, err }
		s.unitInv = func(x float64) (float64, error) { u, err := inv(x); return u / 2, err }
	}}
	doubleUnit = fault{"the oracle returns 2 Lambda", func(s *subject) {
		right, inv := s.pow2Ceil, s.pow2CeilInv
		s.pow2Ceil = func(f spec.Format, x spec.Value) (spec.Value, error) { return shifted(right(f, x)) }
		s.pow2CeilInv = func(f spec.Format, x spec.Value) (spec.Value, error) { return shifted(inv(f, x)) }
	}}
	noClamp = fault{"the code does not clamp", func(s *subject) { s.clamp = func(x, _, _ float64) (float64, error) { return x, nil } }}
	wraps   = fault{"the code clamps what exceeds hi to lo", func(s *subject) {
		s.clamp = func(x, lo, hi float64) (float64, error) {
			if x > hi {
				return lo, nil
			}
			return max(x, lo), nil
		}
	}}
	toMiddle = fault{"the code clamps what exceeds hi to the middle", func(s *subject) {
		s.clamp = func(x, lo, hi float64) (float64, error) {
			if x > hi {
				return lo/2 + hi/2, nil
			}
			return max(x, lo), nil
		}
	}}
	drawOff = fault{"the code draws e + 1", func(s *subject) {
		right := s.uniform
		s.uniform = func(b []byte, k spec.Kind) (uint64, int64, int, error) {
			m, e, n, err := right(b, k)
			return m, e + 1, n, err
		}
	}}
	oracleDrawOff = fault{"the oracle draws e + 1", func(s *subject) {
		right := s.draw
		s.draw = func(f spec.Format, k spec.Kind, b []byte) (spec.U, int, error) {
			u, n, err := right(f, k, b)
			u.E++
			return u, n, err
		}
	}}
	lnOff = fault{"the code's LN is one double off", func(s *subject) {
		right := s.ln
		s.ln = func(m uint64, e int64) float64 { return math.Nextafter(right(m, e), 0) }
	}}
	implAchieved = fault{"the code rounds achieved down", func(s *subject) {
		right := s.calibrate
		s.calibrate = func(eps, D, lo, hi float64, c spec.Claim) (float64, float64, error) {
			l, a, err := right(eps, D, lo, hi, c)
			return l, math.Nextafter(a, 0), err
		}
	}}
)

func shifted(v spec.Value, err error) (spec.Value, error) {
	if err != nil {
		return v, err
	}
	return spec.FromDyadic(v.Dyadic().Shift(1)), nil
}

// The oracle, the enclosures and the kernel.

func roundsTo(what string, to func(f spec.Format, d real.Dyadic, w spec.Value) spec.Value) fault {
	return fault{what, func(s *subject) {
		right := s.fl
		s.fl = func(f spec.Format, d real.Dyadic) spec.Value { return to(f, d, right(f, d)) }
	}}
}

func adds(what string, to func(f spec.Format, sum real.Dyadic, w spec.Value) spec.Value) fault {
	return fault{what, func(s *subject) {
		right := s.add
		s.add = func(f spec.Format, a, b spec.Value) spec.Value {
			w := right(f, a, b)
			if !w.IsFinite() {
				return w
			}
			return to(f, a.Dyadic().Add(b.Dyadic()), w)
		}
	}}
}

func calibrates(what string, to func(k *oracle.Calibration)) fault {
	return fault{what, func(s *subject) {
		right := s.scaleFor
		s.scaleFor = func(g oracle.Budget, c spec.Claim) (oracle.Calibration, error) {
			k, err := right(g, c)
			if err == nil {
				to(&k)
			}
			return k, err
		}
	}}
}

func releases(what string, to func(p spec.SnapParams, t *spec.Trace)) fault {
	return fault{what, func(s *subject) {
		right := s.snapF
		s.snapF = func(p spec.SnapParams, f spec.Value, u spec.U, sign spec.Sign) (spec.Trace, error) {
			t, err := right(p, f, u, sign)
			if err == nil {
				to(p, &t)
			}
			return t, err
		}
	}}
}

// logs puts a wrong LN into the mechanism.
func logs(what string, to func(u spec.U, w spec.Value) spec.Value) fault {
	return fault{what, func(s *subject) {
		right := s.lnU
		s.lnU = func(f spec.Format, u spec.U) (spec.Value, error) {
			w, err := right(f, u)
			if err != nil {
				return w, err
			}
			return to(u, w), nil
		}
	}}
}

// lnRelative is an LN off by a relative 2^-k.
func lnRelative(what string, k int64, sign int64) fault {
	return logs(what, func(_ spec.U, w spec.Value) spec.Value {
		d := w.Dyadic()
		return oracle.Round(spec.Binary64, d.Add(d.Mul(real.FromInt64(sign)).Shift(-k)))
	})
}

var (
	chops = adds("the sum rounds toward -inf", func(f spec.Format, sum real.Dyadic, w spec.Value) spec.Value {
		if w.Dyadic().Cmp(sum) > 0 {
			return f.NextDown(w)
		}
		return w
	})
	addsUp = adds("the sum is one double too high", func(f spec.Format, _ real.Dyadic, w spec.Value) spec.Value { return f.NextUp(w) })
	narrow = adds("the sum keeps 24 bits", func(_ spec.Format, _ real.Dyadic, w spec.Value) spec.Value {
		if w.IsZero() {
			return w
		}
		return spec.FromDyadic(w.Dyadic().Truncated(24, true))
	})
	flChops = roundsTo("fl rounds toward -inf", func(f spec.Format, d real.Dyadic, w spec.Value) spec.Value {
		if w.IsFinite() && w.Dyadic().Cmp(d) > 0 {
			return f.NextDown(w)
		}
		return w
	})
	flBumps = roundsTo("fl is not monotone", func(f spec.Format, d real.Dyadic, w spec.Value) spec.Value {
		if d.Floor(d.Top()-122).Bit(0) == 1 && w.IsFinite() {
			return f.NextUp(w)
		}
		return w
	})
	scaleUp      = calibrates("the scale is one double too large", func(k *oracle.Calibration) { k.Lambda = spec.Binary64.NextUp(k.Lambda) })
	achievedDown = calibrates("achieved is rounded down", func(k *oracle.Calibration) { k.Achieved = spec.Binary64.NextDown(k.Achieved) })
	floorless    = fault{"the constant is a alone", func(s *subject) {
		s.floorOf = func(c spec.Claim, f spec.Format) real.Dyadic { return f.Eta().Mul(real.FromInt64(c.A)) }
	}}
	noLastClamp = releases("there is no last clamp", func(_ spec.SnapParams, t *spec.Trace) { t.R = t.Rounded })
	releaseCut  = releases("the release is truncated to the grid", func(p spec.SnapParams, t *spec.Trace) {
		if t.W.IsFinite() {
			k := t.Unit.Dyadic().Top()
			t.R, _ = oracle.Clamp(spec.FromDyadic(real.NewDyadic(t.W.Dyadic().Floor(k), k)), p.Lo, p.Hi)
		}
	})
	idealScale = fault{"SnapR doubles the scale", func(s *subject) {
		right := s.snapR
		s.snapR = func(p spec.SnapParams, f spec.Value, u real.Dyadic, sign spec.Sign, prec uint) (spec.TraceR, error) {
			p.Value = spec.FromDyadic(p.Value.Dyadic().Shift(1))
			return right(p, f, u, sign, prec)
		}
	}}
	idealOff = fault{"SnapR takes a u that is a relative 2^-50 too large", func(s *subject) {
		right := s.snapR
		s.snapR = func(p spec.SnapParams, f spec.Value, u real.Dyadic, sign spec.Sign, prec uint) (spec.TraceR, error) {
			return right(p, f, u.Add(u.Shift(-50)), sign, prec)
		}
	}}
	lnBumps = logs("LN is not monotone", func(u spec.U, w spec.Value) spec.Value {
		if u.M&1 == 1 {
			return spec.FromDyadic(w.Dyadic().Shift(1))
		}
		return w
	})
	lnTwo     = lnRelative("LN is a relative 2^-51 too large", 51, 1)
	lnCoarse  = lnRelative("LN is a relative 2^-40 too large", 40, 1)
	lnCoarse2 = lnRelative("LN is a relative 2^-40 too small", 40, -1)
	lnTenth   = lnRelative("LN is a relative 2^-3 too small", 3, -1)
	lnTenthUp = lnRelative("LN is a relative 2^-3 too large", 3, 1)
	narrowLn  = fault{"the lower end of ln is the upper one", func(s *subject) {
		right := s.lnEnclosed
		s.lnEnclosed = func(x real.Dyadic, prec uint) (real.Interval, error) {
			i, err := right(x, prec)
			return real.Point(i.Hi), err
		}
	}}
	quoNegates = fault{"the quotient has the other sign", func(s *subject) {
		right := s.quo
		s.quo = func(f spec.Format, a, b spec.Value) spec.Value { return right(f, a, b).Neg() }
	}}
	twiceUnit = fault{"Lambda is doubled", func(s *subject) {
		right := s.unitOf
		s.unitOf = func(p spec.SnapParams) (spec.Value, error) { return shifted(right(p)) }
	}}
	lowerHalf = fault{"the conclusion is the lower half of the interval", func(s *subject) {
		s.concluded = func(j kernel.Judgment) real.Interval {
			i := j.Interval()
			i.Hi = i.Lo.Add(i.Hi).Shift(-1)
			return i
		}
	}}
	lnNoAlpha = fault{"LN loses its last bit", func(s *subject) {
		right := s.lnOf
		s.lnOf = func(f spec.Format, x spec.Value) (spec.Value, error) {
			w, err := right(f, x)
			if err == nil && !w.IsZero() {
				w = f.NextUp(f.NextUp(w))
			}
			return w, err
		}
	}}
	coarseEnd = fault{"the binary64 draw ends at half its exponent range", func(s *subject) {
		cut := func(p spec.SnapParams, k spec.Kind) spec.SnapParams {
			if k == spec.FloatRange {
				p.Format = spec.Small(p.Format.Precision, p.Format.EMin/2, p.Format.EMax)
			}
			return p
		}
		s.distribution = func(p spec.SnapParams, k spec.Kind, f spec.Value) (iter.Seq2[spec.Value, Num], error) {
			return distributionOf(cut(p, k), k, f)
		}
		s.delta = func(p spec.SnapParams, k spec.Kind, f, f2 spec.Value, epsilon *big.Rat, prec uint) (real.Interval, error) {
			return oracle.Delta(cut(p, k), k, f, f2, epsilon, prec)
		}
	}}
	mulEnds = fault{"the product of intervals takes like ends only", func(s *subject) {
		s.times = func(x, y real.Interval, _ uint) real.Interval {
			a, b := x.Lo.Mul(y.Lo), x.Hi.Mul(y.Hi)
			return real.Interval{Lo: real.Min(a, b), Hi: real.Max(a, b)}
		}
	}}
)

// The definitions.

func etaOf(what string, k int64) fault {
	return fault{what, func(s *subject) { s.eta = func(f spec.Format) real.Dyadic { return f.Eta().Shift(k) } }}
}

var (
	halfEta    = etaOf("eta is halved in the statement", -1)
	quarterEta = etaOf("eta is a quarter in the statement", -2)
	doubleEta  = etaOf("eta is doubled in the statement", 1)
	skips      = fault{"the successor is the next but one", func(s *subject) {
		s.succ = func(d draws, n *big.Int) real.Dyadic { return d.value(addInt(n, 2)) }
	}}
	sums        = fault{"the distance is a sum", func(s *subject) { s.spread = func(a, b real.Dyadic) real.Dyadic { return a.Add(b).Abs() } }}
	doubled     = fault{"the distance is doubled", func(s *subject) { s.spread = func(a, b real.Dyadic) real.Dyadic { return a.Sub(b).Abs().Shift(1) } }}
	wholeHalf   = fault{"edges lie Lambda from the outputs", func(s *subject) { s.half = real.Pow2 }}
	quarterHalf = fault{"edges lie Lambda/4 from the outputs", func(s *subject) { s.half = func(k int64) real.Dyadic { return real.Pow2(k - 2) } }}
	noMidpoint  = fault{"t(c) is the double below c", func(s *subject) {
		s.below = func(c real.Dyadic) real.Dyadic { return spec.Binary64.NextDown(spec.FromDyadic(c)).Dyadic() }
	}}
	wideBinade = fault{"g is the spacing of the binade above", func(s *subject) {
		s.above = func(A real.Dyadic, strict bool) (real.Dyadic, int64) { a, q := above(A, strict); return a, q + 1 }
	}}
	fineBinade = fault{"g is the spacing of the binade below", func(s *subject) {
		s.above = func(A real.Dyadic, strict bool) (real.Dyadic, int64) { a, q := above(A, strict); return a, q - 1 }
	}}
	noMidAbove = fault{"v° is the double above v", func(s *subject) {
		s.midAbove = func(v *big.Rat, _ bool) real.Dyadic {
			return spec.Binary64.NextUp(oracle.RoundRat(spec.Binary64, v, oracle.Up)).Dyadic()
		}
	}}
	alphaless = fault{"there is no alpha", func(s *subject) {
		s.alpha = func(spec.Format, int) real.Dyadic { return real.Dyadic{} }
	}}
	alphaBelow = fault{"alpha is added to negative ends only", func(s *subject) {
		right := s.alpha
		s.alpha = func(f spec.Format, sign int) real.Dyadic {
			if sign > 0 {
				return real.Dyadic{}
			}
			return right(f, sign)
		}
	}}
	twoCorners = fault{"only like ends are corners", func(s *subject) {
		s.corners = func(a, b [2]*big.Rat, op func(x, y *big.Rat) *big.Rat) []*big.Rat {
			return []*big.Rat{op(a[0], b[0]), op(a[1], b[1])}
		}
	}}
	rightRecipe = fault{"eq. (4.2) is round", func(s *subject) { s.recipe = func(x float64) float64 { return roundTo(x, spec.TiesUp) } }}
	awayRecipe  = fault{"eq. (4.2) has its second fault only", func(s *subject) { s.recipe = math.Round }}
	unboundedU  = says("the draw is the unbounded one", "kind", string(spec.Unbounded))
	provedBound = says("the claim is (15, 5)", "c", "15", "a", "5")
)
