package proofs

import (
	"math"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// witness is a pair of inputs and an output at which a claimed bound on the
// privacy loss is compared with the exact loss.
type witness struct {
	scale         spec.ScaleKind
	value, lo, hi float64
	f, f2, r      float64
	kind          spec.Kind
	c, a          string // the claimed bound: |f - f'|/lambda + c kappa + a eta
	factor        string // its documented excess over |f - f'|/lambda, in units of kappa; "" if none
}

// The witnesses of docs/theory.md 6.
var (
	grainy = witness{scale: spec.ScaleLambda, value: 1, lo: -1000, hi: 1000, f: 0, f2: 1, r: -742, kind: spec.FloatRange, c: "12", a: "2"}
	ended  = witness{scale: spec.ScaleLambda, value: 1, lo: -1000, hi: 1000, f: 0, f2: 1, r: -744, kind: spec.FloatRange, c: "12", a: "2"}
	coarse = witness{scale: spec.ScaleLambda, value: 1.6483562480615168, lo: -680, hi: 680, f: -543.258539015495, f2: -542.258539015495, r: 680, kind: spec.FloatRange, c: "12", a: "2"}
	small  = witness{scale: spec.ScaleLambda, value: 0x1.0e24ea291b411p-1, lo: -0x1.e30e65089ac62p-4, hi: 0x1.e30e65089ac62p-4, f: -0x1.e30e642eeb6cbp-4, f2: -0x1.e30e63f4e198ap-4, r: 0x1.e30e65089ac62p-4, kind: spec.Unbounded, c: "12", a: "2"}
	small2 = witness{scale: spec.ScaleLambda, value: 0x1.008p+0, lo: -0x1.105e57c996477p-4, hi: 0x1.00000000001ccp-10, f: -0x1.7dcf17c062311p-6, f2: -0x1.0c33bb1bf2f1p-6, r: 0x1.00000000001ccp-10, kind: spec.Unbounded, c: "12", a: "2"}
	small3 = witness{scale: spec.ScaleEpsilon, value: 0x1.fffff990bf3bep+0, lo: -0x1.0defd7cc0650ep-4, hi: 0x1.fcfd60365b678p-4, f: 0x1.49154b35309ffp-11, f2: 0x1.bbeffff83c9p-10, r: -0x1.0defd7cc0650ep-4, kind: spec.Unbounded, c: "12", a: "2"}
	origin = witness{scale: spec.ScaleLambda, value: 0x1.1f5ef1a876da6p-1, lo: -300, hi: 300, f: 298, f2: 299, r: 0, kind: spec.Unbounded, c: "0", a: "2"}
	second = witness{scale: spec.ScaleLambda, value: 1, lo: -300, hi: 300, f: 0x1.ff183b9dceae2p+7, f2: 0x1.ff183b9dceae2p+7 + 1, r: 0, kind: spec.Unbounded, c: "0", a: "2"}
	tight  = []witness{
		{scale: spec.ScaleEpsilon, value: 0x1.0011b63ff903cp+0, lo: -0x1.0000000000001p+27, hi: 0x1.0000000000001p+27, f: 0x1.ffffffeafd057p+26, f2: 0x1.ffffffeb2bfeep+26, r: -0x1p27, kind: spec.Unbounded, c: "12", a: "2", factor: "11.977"},
		{scale: spec.ScaleLambda, value: 0x1.ff717aef05ad2p-1, lo: -0x1.0000000000001p+23, hi: 0x1.0000000000001p+23, f: 0x1.fffffeb54316bp+22, f2: 0x1.ffffffdfd7c8ep+22, r: -0x1p23, kind: spec.Unbounded, c: "12", a: "2", factor: "11.959"},
		{scale: spec.ScaleLambda, value: 0x1.fd970cab1e693p-1, lo: -0x1.0000000000001p+8, hi: 0x1.0000000000001p+8, f: 0x1.ff75608f7ee5bp+7, f2: 0x1.ffb8f65ed7e4ap+7, r: -256, kind: spec.Unbounded, c: "12", a: "2", factor: "11.865"},
	}
)

// evaluated is a witness with its exact quantities.
type evaluated struct {
	mech
	dist, loss, excess Num // in lambda; |ln ratio|; loss - dist
	kappa              Num // with B itself
	n, n2              Num // masses, times 1 - low
}

func (w witness) evaluate(sub subject) (evaluated, error) {
	m, err := newMech(w.scale, w.value, w.lo, w.hi, w.kind, sub)
	if err != nil {
		return evaluated{}, err
	}
	e := evaluated{mech: m}
	r := spec.FromFloat64(w.r).Dyadic()
	if e.n, err = m.mass(spec.FromFloat64(w.f), r); err != nil {
		return e, err
	}
	if e.n2, err = m.mass(spec.FromFloat64(w.f2), r); err != nil {
		return e, err
	}
	e.dist = floatNum(w.f).sub(floatNum(w.f2)).abs().quo(m.lam)
	e.kappa = m.b.mul(m.eta).quo(m.lam)
	e.loss = e.n.quo(e.n2).ln().abs()
	e.excess = e.loss.sub(e.dist)
	return e, nil
}

// changed is the witness with what a test changes in it.
func (t *Trial) changed(w witness) witness {
	w.kind = spec.Kind(t.text("kind", string(w.kind)))
	if _, ok := t.subject.given["f'"]; ok {
		w.f2 = t.double("f'", "0")
	}
	w.c, w.a = t.text("c", w.c), t.text("a", w.a)
	return w
}

// exceeds is the refutation of a bound by a witness: the loss is above it.
func (w witness) exceeds(label string) Check {
	return Check{Label: label, Refutes: true, Run: func(t *Trial) {
		t.instance()
		w := t.changed(w)
		e, err := w.evaluate(t.subject)
		if err != nil {
			t.fail("%v", err)
			return
		}
		claimed := e.kappa.mul(parseNum(w.c)).add(e.eta.mul(parseNum(w.a)))
		t.Lt(claimed, e.excess, "the loss exceeds the claimed bound")
	}}
}

// claim is a refutation made of plain comparisons.
func claim(label string, run func(t *Trial)) Check {
	return Check{Label: label, Refutes: true, Run: func(t *Trial) { t.instance(); run(t) }}
}

// refutations of the documents about the published bound.
func refutations() []Check {
	return []Check{
		grainy.exceeds("draw.1"),
		claim("draw.2", func(t *Trial) {
			e, err := t.changed(ended).evaluate(t.subject)
			t.True(err == nil && e.n.exact.Sign() > 0 && e.n2.exact.Sign() == 0, "probability > 0 under f, 0 under f': %v", err)
		}),
		coarse.exceeds("draw.3"),
		small.exceeds("small.1"),
		small2.exceeds("small.2"),
		small3.exceeds("small.3"),
		origin.exceeds("theorem2.2"),
		second.exceeds("theorem2.3"),
		claim("theorem2.1", func(t *Trial) { // epsilon + 12 epsilon eta + 2 eta, without B
			e, err := t.changed(second).evaluate(t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			eps := intNum(1).quo(e.lam)
			t.Lt(eps.mul(e.eta).mul(t.num("12")).add(e.eta.mul(t.num("2"))), e.excess, "the loss exceeds epsilon + 12 epsilon eta + 2 eta")
		}),
		claim("chain.1", func(t *Trial) { // at epsilon = 1, B = 1
			eta, B := t.subject.etaNum(), t.num("B", "1")
			square := intNum(1).add(eta).mul(intNum(1).add(eta))
			t.Lt(intNum(1).add(B.mul(eta).mul(intNum(12))).add(eta.mul(intNum(2))), square.mul(intNum(2)).mul(B), "epsilon + 12 B epsilon eta + 2 eta < epsilon (1+eta)^2 2B at epsilon = B = 1")
		}),
		claim("chain.2", checkPrintedIntervals),
		claim("precision.1", func(t *Trial) {
			e, err := t.changed(second).evaluate(t.subject)
			if err != nil {
				t.fail("%v", err)
				return
			}
			fine := pow2Num(-t.integer("bits", "118"))
			claimed := e.b.mul(fine).quo(e.lam).mul(intNum(12)).add(fine.mul(intNum(2)))
			t.Lt(claimed, e.excess, "the loss exceeds the bound with eta = 2^-118")
		}),
	}
}

// openChecks are the facts of the open document: the witnesses stay below the
// published bound and come close to it.
func openChecks() []Check {
	return []Check{{Label: "published.1", Run: func(t *Trial) {
		for _, w := range tight {
			t.instance()
			e, err := w.evaluate(t.subject)
			if err != nil {
				t.fail("%v", err)
				continue
			}
			t.Lt(e.kappa.mul(t.num(w.factor)), e.excess, "%s kappa < excess", w.factor)
			t.Le(e.excess, e.kappa.mul(t.num("12")), "excess <= 12 kappa")
		}
	}}}
}

// checkPrintedIntervals: the quotient (R_hi - L_lo)/(R'_lo - L'_hi) of Liu 2020,
// with the end points as printed, at epsilon = 1, Lambda = 1, B = 300, f = 299,
// f' = 300, x = -299: its logarithm is above 1 + 12 B eta + 2 eta.
func checkPrintedIntervals(t *Trial) {
	eta := t.subject.etaNum()
	t.Lt(eta.mul(t.num("12")).mul(intNum(300)).add(eta.mul(intNum(2))), printedLoss().sub(intNum(1)), "12 B eta + 2 eta < the loss less 1")
}

func printedLoss() Num {
	eta := dyNum(spec.Binary64.Eta())
	one := intNum(1).add(eta)
	square := one.mul(one)
	y1, y2 := fracNum(-599, 2), fracNum(-597, 2)
	lower := func(y Num, f int64) Num { return y.quo(one).sub(intNum(f)).mul(square).exp() }
	upper := func(y Num, f int64) Num { return y.mul(one).sub(intNum(f)).quo(square).exp() }
	a := real2(upper(y2, 299), lower(y2, 299), true).sub(real2(upper(y1, 299), lower(y1, 299), false))
	b := real2(upper(y2, 300), lower(y2, 300), false).sub(real2(upper(y1, 300), lower(y1, 300), true))
	return a.quo(b).ln()
}

// real2 is the greater or the lesser of two numbers, so that the printed pair is
// read as an interval whichever end is which.
func real2(a, b Num, greater bool) Num {
	c, err := a.cmp(b)
	if err == nil && (c > 0) == greater {
		return a
	}
	return b
}

// eq42 is the rounding of Covington 2019, eq. (4.2) and cases 1, 3 and 4, read
// literally at Lambda = 1: the field m_1...m_y is a field, whose overflow is lost.
func eq42(x float64) float64 {
	b := math.Float64bits(x)
	sign := math.Copysign(1, x)
	y := int(b>>52&0x7ff) - 1023
	m := b & (1<<52 - 1)
	switch {
	case y >= 52:
		return x
	case y == -1:
		return sign
	case y < -1:
		return 0
	}
	whole := m >> (52 - y)
	switch half := m >> (51 - y) & 1; {
	case half == 0:
	case m == 1<<52-1:
		return sign * math.Ldexp(1, y+1)
	default:
		whole = (whole + 1) & (1<<y - 1)
	}
	return sign * math.Ldexp(1+math.Ldexp(float64(whole), -y), y)
}

func roundTo(x float64, ties spec.Ties) float64 {
	v, err := oracle.RoundMultiple(spec.Binary64, spec.FromFloat64(x), spec.FromFloat64(1), ties)
	if err != nil {
		return math.NaN()
	}
	return floatOf(v)
}

func covingtonChecks() []Check {
	differ := func(label string, xs ...float64) Check {
		return claim(label, func(t *Trial) {
			for _, x := range xs {
				t.True(t.subject.recipe(x) != roundTo(x, spec.TiesUp), "eq. (4.2) and round agree at %v: %v", x, eq42(x))
			}
		})
	}
	return []Check{
		differ("covington.1", 3.5, 1.75, 5.75+2),
		differ("covington.2", -2.5, -4.5),
		differ("covington.3", -0.5),
		claim("covington.4", func(t *Trial) { // fault 1 hides fault 2 at -1.5; ties toward zero of -1.5 is -1
			eq42 := t.subject.recipe
			t.True(eq42(-1.5) == -1 && roundTo(-1.5, spec.TiesUp) == -1, "-1.5")
			t.True(eq42(2.5) == 3 && eq42(0.5) == 1 && eq42(0.25) == 0 && eq42(-7.25) == -7, "eq. (4.2) is right elsewhere")
		}),
	}
}
