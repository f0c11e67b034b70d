package loss

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Verdict says in words how the worst loss compares with the bounds, and why.
func (p *Report) Verdict() []string {
	w := p.Rows[p.Worst]
	var delta []string
	for _, b := range p.Bounds {
		if b.Exceeded {
			delta = append(delta, fmt.Sprintf("At epsilon = the %s bound this pair needs delta = %s.", b.Claim.Name, float(b.Delta.Lo).Text('g', 6)))
		}
	}
	if w.Infinite {
		sure, never := "f", "f2"
		if w.P.IsZero() {
			sure, never = never, sure
		}
		return append([]string{
			fmt.Sprintf("INFINITE: the output %s is possible for %s and impossible for %s, so one release can reveal which it was.", Decimal(w.Output), sure, never),
			p.whyInfinite(),
		}, delta...)
	}
	var out []string
	for _, b := range p.Bounds {
		name := fmt.Sprintf("the %s bound, (D + %d max(B, %d lambda) eta)/lambda + %d eta", b.Claim.Name, b.Claim.C, b.Claim.Floor, b.Claim.A)
		if b.Claim.Floor == 0 {
			name = fmt.Sprintf("the %s bound, (D + %d B eta)/lambda + %d eta", b.Claim.Name, b.Claim.C, b.Claim.A)
		}
		line := "WITHIN " + name
		if b.Exceeded {
			line = "EXCEEDS " + name
		}
		switch {
		case b.Broken != nil && b.Exceeded:
			line += ", whose hypotheses do not hold: " + b.Broken.Error()
		case b.Broken != nil:
			line += ", though its hypotheses do not hold (it promises nothing here): " + b.Broken.Error()
		case b.Exceeded && len(b.Claim.Hypotheses) > 0:
			line += ", whose hypotheses all hold: the claim is refuted, please report this"
		}
		out = append(out, line+".")
	}
	if p.Kind != spec.Unbounded {
		out = append(out, p.tailNote())
	}
	return append(out, delta...)
}

// whyInfinite explains an infinite loss.
func (p *Report) whyInfinite() string {
	if p.Kind == spec.FloatRange {
		return p.tailNote()
	}
	return "The numbers of the format are so far apart here, compared with the scale, that the addition absorbs what separates the two inputs."
}

// tailNote places the end of the noise.
func (p *Report) tailNote() string {
	q := spec.NewQuantities(p.Params, p.Unit)
	reach := 2 * ratio(q.B.Mul(q.LambdaDen), q.LambdaNum)
	// |LN(u)| of the least draw, and of the least normal one.
	end := -float64(p.Params.Format.Quantum()) * ln2
	grain := -float64(p.Params.Format.EMin) * ln2
	switch {
	case reach > end:
		return fmt.Sprintf("The binary64 draw ends: no noise exceeds %.2f lambda, and 2B = %s lambda. It is coarse beyond %.2f lambda.", end, short(reach), grain)
	case reach > grain:
		return fmt.Sprintf("The binary64 draw is coarse where the noise exceeds %.2f lambda, which 2B = %s lambda reaches.", grain, short(reach))
	}
	return fmt.Sprintf("2B = %s lambda stays below the %.2f lambda from which the binary64 draw is coarse.", short(reach), grain)
}

const ln2 = 0.6931471805599453

// ratio returns about a/b.
func ratio(a, b real.Dyadic) float64 {
	q, err := real.Point(a).Quo(real.Point(b), 60)
	if err != nil {
		return 0
	}
	return nearest(q.Lo)
}

func short(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.4g", x), ".0") }
