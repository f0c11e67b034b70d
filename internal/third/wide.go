package third

import (
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// The operations at p bits, in rationals rounded to p bits as they are needed. The
// logarithm is bigfloat's, so that it abstains near 1 and for long precisions.

// Scales are in [2^-1074, 2^1024).
var (
	leastScale = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1074))
	scaleLimit = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 1024))
)

func scaleInRange(x *big.Rat) bool { return x.Cmp(leastScale) >= 0 && x.Cmp(scaleLimit) < 0 }

func readPrecision(in wire.Values) (uint, bool) {
	p := in["precision"].Big()
	return uint(p.Uint64()), p.Sign() > 0 && p.IsUint64() && p.Uint64() >= 53 && p.Uint64() <= 4096
}

// toBits rounds x to p bits.
func toBits(x *big.Rat, p uint, mode big.RoundingMode) *big.Rat {
	y, _ := new(big.Float).SetPrec(p).SetMode(mode).SetRat(x).Rat(nil)
	return y
}

func halfEven(x *big.Rat, p uint) *big.Rat { return toBits(x, p, big.ToNearestEven) }

// ratCeil is the least power of two >= x > 0, by counting up or down.
func ratCeil(x *big.Rat) *big.Rat {
	y := new(big.Float).SetPrec(64).SetMode(big.AwayFromZero).SetRat(x)
	k := y.MantExp(nil)
	power := func(k int) *big.Rat {
		r, _ := new(big.Float).SetMantExp(float(1), k).Rat(nil)
		return r
	}
	for power(k-1).Cmp(x) >= 0 {
		k--
	}
	return power(k)
}

// lnWide is ln u rounded to p bits, or why this voter abstains.
func lnWide(m *big.Int, e uint64, p uint) (*big.Rat, string) {
	significand := new(big.Float).SetInt(new(big.Int).SetBit(m, int(p-1), 1))
	significand.SetMantExp(significand, 1-int(p))
	eval := func(r ruler) (*big.Float, string) {
		if e < trustedExponent {
			return r.log(new(big.Float).SetMantExp(significand, -int(e)))
		}
		ln, why := r.log(significand)
		if why != "" {
			return nil, why
		}
		whole := new(big.Float).SetPrec(r.prec).SetUint64(e)
		return ln.Sub(ln, whole.Mul(whole, r.lnTwo())), ""
	}
	low, high := newRuler(p+100), newRuler(p+132)
	a, why := eval(low)
	if why != "" {
		return nil, why
	}
	b, why := eval(high)
	if why != "" {
		return nil, why
	}
	if gap := new(big.Float).SetPrec(high.prec).Sub(a, b); gap.Abs(gap).Cmp(doubt(b, low)) > 0 {
		return nil, "bigfloat disagrees with itself at two precisions"
	}
	d, wide := doubt(b, high), func() *big.Float { return new(big.Float).SetPrec(high.prec + 64) }
	down := new(big.Float).SetPrec(p).Set(wide().Sub(b, d))
	up := new(big.Float).SetPrec(p).Set(wide().Add(b, d))
	if down.Cmp(up) != 0 || up.Cmp(new(big.Float).SetPrec(p).Set(a)) != 0 {
		return nil, "too near a midpoint for the precision"
	}
	y, _ := up.Rat(nil)
	return y, ""
}

func answerSnapWide(in wire.Values) wire.Result {
	p, ok := readPrecision(in)
	value, m, e := in["value"].Rat(), in["m"].Big(), in["e"].Big()
	lo, hi, f := in["lo"].Float(), in["hi"].Float(), in["f"].Float()
	if !ok || !scaleInRange(value) || halfEven(value, p).Cmp(value) != 0 || !bounds(lo, hi) || f != f ||
		m.Sign() < 0 || m.BitLen() >= int(p) || e.Sign() <= 0 || e.Cmp(limitE) >= 0 {
		return wire.Rejected(domain)
	}
	ln, why := lnWide(m, e.Uint64(), p)
	if why != "" {
		return wire.Skipped("ln: %s", why)
	}
	lambda, y := value, halfEven(times(value, ln), p)
	if in["scale"].Text == "epsilon" {
		lambda, y = quo(big.NewRat(1, 1), value), halfEven(quo(ln, value), p)
	}
	unit, z, x := ratCeil(lambda), y, rat(clamp(f, lo, hi))
	if in["s"].Text == "-1" {
		z = minus(new(big.Rat), y)
	}
	w := halfEven(sum(x, z), p)
	up := sum(quo(w, unit), big.NewRat(1, 2))
	n := new(big.Int).Div(up.Num(), up.Denom()) // Euclidean: the floor
	rounded := times(new(big.Rat).SetInt(n), unit)
	r := larger(rounded, rat(lo))
	if r.Cmp(rat(hi)) > 0 {
		r = rat(hi)
	}
	out := wire.Values{}
	for name, v := range map[string]*big.Rat{"unit": unit, "ln": ln, "y": y, "z": z, "x": x, "w": w, "rounded": rounded, "r": r} {
		out[name] = wire.NewRat(v)
	}
	return wire.Result{Out: out}
}

// answerWideCalibrate charges eta = 2^-p by scaling the constants, which enter the
// formulas only as multiples of eta = 2^-53.
func answerWideCalibrate(in wire.Values) wire.Result {
	p, ok := readPrecision(in)
	if !ok {
		return wire.Rejected(domain)
	}
	q, ok := readBudget(in)
	if !ok {
		return wire.Rejected(domain)
	}
	finer := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), p-53))
	q.constant, q.add = times(q.constant, finer), times(q.add, finer)
	if q.narrow().Sign() <= 0 {
		return wire.Rejected(hypothesis)
	}
	lambda := toBits(q.lambda(), p, big.ToPositiveInf)
	if q.b.Cmp(times(lambda, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), p-7)))) >= 0 {
		return wire.Rejected(hypothesis)
	}
	if !scaleInRange(lambda) {
		return wire.Rejected(overflow)
	}
	return wire.Result{Out: wire.Values{
		"lambda":        wire.NewRat(lambda),
		"epsilon_prime": wire.NewRat(toBits(q.prime(), p, big.ToNegativeInf)),
		"achieved":      wire.NewRat(toBits(q.loss(lambda), p, big.ToPositiveInf)),
		"unit":          wire.NewRat(ratCeil(lambda)),
	}}
}
