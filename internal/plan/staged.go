package plan

import (
	"math"
	"math/big"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

type draw = spec.U

// misroundedLog appends n cases in which ln u lies within 2^-6 ulp of a midpoint
// and f makes w an exact tie, on the side where the other neighbour of ln u
// carries w below it: a logarithm that is merely faithful changes the output.
func (b *builder) misroundedLog(group string, n int) {
	for j := 0; b.count[group] < n; j++ {
		src := b.stream(group, j)
		m, _ := gen.Draw(src)
		u := draw{M: m ^ src.Uint64()>>12, E: 1 + int64(src.Uint64()%6)}
		below, near := nearMidpoint(u)
		if !near {
			continue
		}
		ell, err := oracle.LnU(spec.Binary64, u)
		if err != nil {
			continue
		}
		enc, _ := spec.Binary64.Encode(ell)
		y := math.Float64frombits(enc)
		// LN(u) above ln u: the other neighbour is lower, and lowers w when s = +1.
		s := 1
		if below {
			s = -1
		}
		t := float64(int64(src.Uint64()%4)) + 0.5
		f := t - float64(s)*y
		exact := new(big.Float).SetPrec(200).Add(big.NewFloat(f), big.NewFloat(float64(s)*y))
		if exact.Cmp(big.NewFloat(t)) != 0 {
			continue // w would not be an exact tie
		}
		b.add(group, "ln u is near a midpoint of doubles and w is exactly halfway: the other neighbour of ln u changes the output",
			wire.Values{
				"scale": scale("lambda"), "value": fl(1), "lo": fl(-100), "hi": fl(100), "f": fl(f),
				"m": wire.NewUint(u.M), "e": num(u.E), "s": sign(s),
			}, "misrounded-log")
	}
}

// nearMidpoint reports whether ln u is within 2^-6 ulp of a midpoint between two
// doubles, and whether LN(u) lies below ln u.
func nearMidpoint(u draw) (below, near bool) {
	f := spec.Binary64
	y, err := real.Ln(u.Value(f), 120)
	if err != nil || y.IsPoint() {
		return false, false
	}
	q := f.UlpExponent(y.Lo)
	half := real.Pow2(q - 1)
	mid := real.NewDyadic(oracle.NearestMultiple(y.Lo.Sub(half), q, spec.TiesUp), q).Add(half)
	d := y.Lo.Sub(mid)
	return d.Sign() < 0, d.Abs().Cmp(real.Pow2(q-6)) < 0
}

// tapeOf writes the sign and the draw as bits: for a release that is to meet a
// given (u, s).
func tapeOf(u draw, s int) wire.Value {
	var bits strings.Builder
	bits.WriteString(map[int]string{1: "0", -1: "1"}[s])
	bits.WriteString(zeros(int(u.E) - 1))
	bits.WriteString("1")
	for i := 51; i >= 0; i-- {
		bits.WriteByte('0' + byte(u.M>>i&1))
	}
	return bitTape(bits.String(), '0')
}

// staged appends releases that meet the inputs of published cases of snap: what
// a library that exposes only its release can be asked.
func (b *builder) staged(groups map[string]bool, maxE int64) error {
	op, _ := ops.Find("snap")
	cases, err := planned(op, planSnap)
	if err != nil {
		return err
	}
	for _, c := range cases {
		slug := strings.TrimPrefix(c.ID, "snap/")
		group := strings.TrimRight(slug, "0123456789")
		if group != slug {
			group = strings.TrimSuffix(group, "-") // the number of a case within its group
		}
		e := c.In["e"].Big()
		if !groups[group] || !e.IsInt64() || e.Int64() > maxE || !c.In["m"].Big().IsUint64() {
			continue
		}
		s := 1
		if c.In["s"].Text == "-1" {
			s = -1
		}
		b.release(slug, c, draw{M: c.In["m"].Big().Uint64(), E: e.Int64()}, s)
	}
	return nil
}

func (b *builder) release(slug string, c corpus.Case, u draw, s int) {
	in := wire.Values{"tape": tapeOf(u, s), "kind": kind("unbounded")}
	for _, f := range []string{"scale", "value", "lo", "hi", "f"} {
		in[f] = c.In[f]
	}
	b.one("staged-"+slug, "the inputs of snap/"+slug+" as a tape", in, c.Flags...)
}
