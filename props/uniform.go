package props

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

var uniformProperties = []Property{
	{"uniform-structure", []string{"uniform"}, genTape, func(v wire.Voter, p Point) error {
		want, consumed := define(bitString(p["tape"].Bytes()), p["kind"].Text)
		r, err := ask(v, "uniform", question("uniform", p, nil))
		if err != nil {
			return err
		}
		if consumed < 0 {
			if r.Reject != "tape" {
				return fmt.Errorf("the tape ends early; answer %s", show(r, "m", "e", "consumed"))
			}
			return nil
		}
		if r.Reject != "" {
			return fmt.Errorf("refused as %s; the tape gives m = %d, e = %d in %d bits", r.Reject, want.M, want.E, consumed)
		}
		if r.Out["m"].Text != wire.NewUint(want.M).Text || r.Out["e"].Text != wire.NewInt(want.E).Text ||
			r.Out["consumed"].Text != wire.NewInt(int64(consumed)).Text {
			return fmt.Errorf("%s; the tape gives m = %d, e = %d in %d bits", show(r, "m", "e", "consumed"), want.M, want.E, consumed)
		}
		return nil
	}},
	{"uniform-prefix", []string{"uniform"}, func(src gen.Source) Point {
		p := genTape(src)
		p["filler"] = wire.NewUint(src.Uint64() & 0xff)
		return p
	}, prefix},
	{"uniform-mass-is-ulp", []string{"uniform"}, func(src gen.Source) Point {
		m, e := gen.Draw(src)
		p := Point{"m": wire.NewUint(m), "e": wire.NewInt(1 + (e-1)%3000), "kind": word(src, wire.Kind)}
		if p["kind"].Text == "binary64" {
			e = 1 + (e-1)%1074
			if e > 1022 {
				p["m"] = wire.NewUint(m &^ (1<<(e-1022) - 1))
			}
			p["e"] = wire.NewInt(e)
		}
		return p
	}, massIsUlp},
}

// genTape is a tape: zeros first, often near the numbers at which something
// happens (none, 1022, 1074, 2·1074), then a 1, then bits; often cut short.
func genTape(src gen.Source) Point {
	zeros := 0
	switch pick(src, 6) {
	case 1, 2:
		zeros = pick(src, 70)
	case 3:
		zeros = 1015 + pick(src, 70)
	case 4:
		zeros = 1074 + []int{0, 1, 1021, 1022, 1073, 1074, 1075}[pick(src, 7)]
	case 5:
		zeros = []int{7, 8, 11, 12, 63, 64, 1021, 1022, 1023}[pick(src, 9)]
	}
	b := gen.Tape(src, zeros)
	if pick(src, 3) > 0 { // enough behind the zeros
		b = append(b, gen.Tape(src, 0)...)
		b = append(b, 0xa5, 0x5a, 0xff, 0, 0x81, 0x7e, 0x12)
	}
	if zeros < 8*len(b) && pick(src, 4) > 0 {
		b[zeros/8] |= 0x80 >> (zeros % 8)
	}
	return Point{"tape": wire.NewTape(b), "kind": word(src, wire.Kind)}
}

// bitString writes a tape as characters, most significant bit of each byte first.
func bitString(b []byte) string {
	s := ""
	if len(b) > 0 {
		n := new(big.Int).SetBytes(b)
		s = fmt.Sprintf("%0*b", 8*len(b), n)
	}
	return s
}

// define reads U* off the characters of a tape, following docs/theory.md 2.1
// word by word. consumed is -1 when the tape ends first.
func define(bits, kind string) (u spec.U, consumed int) {
	rest := bits
	for {
		one := -1
		for i := 0; i < len(rest); i++ {
			if rest[i] == '1' {
				one = i
				break
			}
		}
		if kind == "binary64" && (one < 0 || one >= 1022) {
			if len(rest) < 1074 {
				return u, -1
			}
			k, _ := new(big.Int).SetString(rest[1022:1074], 2)
			rest = rest[1074:]
			if k.Sign() == 0 {
				continue
			}
			// k 2^-1074 = (1 + m 2^-52) 2^-e
			e := int64(1074 - (k.BitLen() - 1))
			m := new(big.Int).Lsh(k, uint(e-1022))
			return spec.U{M: m.Uint64() - 1<<52, E: e}, len(bits) - len(rest)
		}
		if one < 0 || len(rest) < one+53 {
			return u, -1
		}
		m, _ := new(big.Int).SetString(rest[one+1:one+53], 2)
		return spec.U{M: m.Uint64(), E: int64(one) + 1}, len(bits) - len(rest) + one + 53
	}
}

// prefix checks that only the bits consumed matter: with every later bit set, or
// cleared, or the filler appended, the answer is the same, and the whole bytes
// before the last consumed bit are too short a tape.
func prefix(v wire.Voter, p Point) error {
	tape := p["tape"].Bytes()
	r, err := ask(v, "uniform", question("uniform", p, nil))
	if err != nil || r.Reject == "tape" {
		return err
	}
	n, ok := integer(r.Out["consumed"])
	if r.Reject != "" || !ok || n < 1 || n > int64(8*len(tape)) {
		return fmt.Errorf("answer %s to a tape of %d bits", show(r, "m", "e", "consumed"), 8*len(tape))
	}
	used := int(n)
	ones, zeros := bytes.Clone(tape), bytes.Clone(tape)
	for i := used; i < 8*len(tape); i++ {
		ones[i/8] |= 0x80 >> (i % 8)
		zeros[i/8] &^= 0x80 >> (i % 8)
	}
	filler := byte(p["filler"].Big().Uint64())
	for _, t := range [][]byte{ones, zeros, ones[:(used+7)/8], zeros[:(used+7)/8], append(bytes.Clone(zeros), filler)} {
		again, err := ask(v, "uniform", question("uniform", p, wire.Values{"tape": wire.NewTape(t)}))
		if err != nil {
			return err
		}
		if a, b := show(r, "m", "e", "consumed"), show(again, "m", "e", "consumed"); a != b {
			return fmt.Errorf("%d bits consumed give %s, and with other bits after them %s", used, a, b)
		}
	}
	short, err := ask(v, "uniform", question("uniform", p, wire.Values{"tape": wire.NewTape(tape[:(used-1)/8])}))
	if err == nil && short.Reject != "tape" {
		err = fmt.Errorf("%d bits are consumed, but %d are enough for %s", used, (used-1)/8*8, show(short, "m", "e", "consumed"))
	}
	return err
}

// massIsUlp writes the one bit string that draws (m, e) and checks that exactly
// that many bits are consumed, and that 2^-consumed is the distance from u to the
// next value of u. The mass of u is 2^-consumed because by uniform-prefix every
// tape that begins with the string draws u.
func massIsUlp(v wire.Voter, p Point) error {
	u := drawn(p)
	next := spec.U{M: u.M + 1, E: u.E}
	if next.M == 1<<52 {
		next = spec.U{M: 0, E: u.E - 1}
	}
	size := u.E + 52
	n := new(big.Int).SetUint64(1<<52 | u.M)
	if p["kind"].Text == "binary64" && u.E > 1022 { // m has e - 1022 zeros at its end
		size = 1074
		n.Rsh(n, uint(u.E-1022))
		next = spec.U{M: u.M + 1<<(u.E-1022), E: u.E}
		if next.M == 1<<52 {
			next = spec.U{M: 0, E: u.E - 1}
		}
	}
	b := make([]byte, (size+7)/8)
	n.Lsh(n, uint(int64(8*len(b))-size)).FillBytes(b)
	out, err := value(v, "uniform", question("uniform", p, wire.Values{"tape": wire.NewTape(b)}))
	if err != nil {
		return err
	}
	got := fmt.Sprintf("m=%s e=%s consumed=%s", out["m"].Text, out["e"].Text, out["consumed"].Text)
	if want := fmt.Sprintf("m=%d e=%d consumed=%d", u.M, u.E, size); got != want {
		return fmt.Errorf("the tape of %s draws %s", want, got)
	}
	to := real.One() // u = 1 - 2^-53 is the last value; the next would be 1
	if next.E > 0 {
		to = next.Value(b64)
	}
	if gap := to.Sub(u.Value(b64)); !gap.Equal(real.Pow2(-size)) {
		return fmt.Errorf("%d bits, but the next value is %v away", size, gap)
	}
	return nil
}

// integer reads an Int within int64.
func integer(v wire.Value) (int64, bool) {
	if v.Big() == nil {
		return 0, false
	}
	return v.Big().Int64(), v.Big().IsInt64()
}

// show writes an answer: the refusal, or the outputs named.
func show(r wire.Result, names ...string) string {
	if r.Reject != "" {
		return "refusal " + r.Reject
	}
	s := ""
	for _, n := range names {
		s += fmt.Sprintf("%s=%s ", n, r.Out[n].Text)
	}
	return s[:max(len(s)-1, 0)]
}
