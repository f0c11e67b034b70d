package ops

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// wideCases are generated cases of a wide operation.
func wideCases(t *testing.T, name string, n int) (Op, []wire.Case) {
	op, ok := Find(name)
	require.True(t, ok)
	var cases []wire.Case
	for j := range n {
		cases = append(cases, wire.Case{Op: name, In: op.Generate(&gen.SplitMix64{State: uint64(j) * 0x9e3779b97f4a7c15})})
	}
	return op, cases
}

// All voters that answer agree on generated cases, which are of every outcome.
func TestWideVotersAgree(t *testing.T) {
	n := map[bool]int{false: 6000, true: 600}[testing.Short()]
	for _, name := range []string{"snap_wide", "wide_calibrate"} {
		op, cases := wideCases(t, name, n)
		seen := map[string]int{}
		for _, c := range cases {
			want := Oracle().Answer(c)
			for _, v := range Voters() {
				got := v.Answer(c)
				if v.Name() == "bigfloat" && got.Skip != "" {
					seen["third abstains"]++
					continue
				}
				require.Nil(t, wire.Compare(op.Signature, want, got), "%s: %s\n%s\n%s", v.Name(), wire.EncodeRequest(c, op.Signature),
					wire.EncodeAnswer(want, op.Signature), wire.EncodeAnswer(got, op.Signature))
			}
			seen["reject "+want.Reject]++
			if want.Reject != "" {
				continue
			}
			if name == "wide_calibrate" {
				continue
			}
			w, unit := want.Out["w"].Rat(), want.Out["unit"].Rat()
			if q := new(big.Rat).Quo(w, unit); !q.IsInt() && q.Denom().Cmp(big.NewInt(2)) == 0 {
				seen["tie"]++
			}
			if want.Out["w"].Text == want.Out["x"].Text {
				seen["absorbed"]++
			}
			if want.Out["r"].Text != want.Out["rounded"].Text {
				seen["clamped"]++
			}
		}
		t.Log(name, seen)
		for _, what := range map[string][]string{
			"snap_wide":      {"reject ", "reject domain", "tie", "absorbed", "clamped"},
			"wide_calibrate": {"reject ", "reject domain", "reject hypothesis", "reject overflow"},
		}[name] {
			assert.NotZero(t, seen[what], "%s: %s", name, what)
		}
	}
}

// The comparison sees a stage that is off by one unit in the last place.
func TestWideComparisonSees(t *testing.T) {
	op, cases := wideCases(t, "snap_wide", 40)
	for _, c := range cases {
		want := Oracle().Answer(c)
		if want.Reject != "" {
			continue
		}
		for _, f := range op.Out {
			got := wire.Result{Out: wire.Values{}}
			for k, v := range want.Out {
				got.Out[k] = v
			}
			x := new(big.Rat).Add(want.Out[f.Name].Rat(), new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1200)))
			got.Out[f.Name] = wire.NewRat(x)
			d := wire.Compare(op.Signature, want, got)
			require.NotNil(t, d)
			require.Equal(t, f.Name, d.Field)
		}
	}
}

// The stages are those of snap, and every refusal is a domain.
func TestWideSignatures(t *testing.T) {
	op, _ := Find("snap_wide")
	for i, f := range op.Out {
		assert.Equal(t, spec.SnapStages[i].ID, f.Name)
	}
	base := func() wire.Values {
		return wire.Values{
			"precision": wire.NewInt(118), "scale": wire.NewWord(wire.ScaleOf, "lambda"), "value": wire.NewRat(big.NewRat(1, 1)),
			"lo": wire.NewFloat(-5), "hi": wire.NewFloat(5), "f": wire.NewFloat(1),
			"m": wire.NewInt(0), "e": wire.NewInt(1), "s": wire.NewWord(wire.Sign, "+1"),
		}
	}
	huge, one := new(big.Int).Lsh(big.NewInt(1), 13000), big.NewInt(1)
	power := func(k int) *big.Rat {
		if k < 0 {
			return new(big.Rat).SetFrac(one, new(big.Int).Lsh(one, uint(-k)))
		}
		return new(big.Rat).SetInt(new(big.Int).Lsh(one, uint(k)))
	}
	sum := func(a, b *big.Rat) wire.Value { return wire.NewRat(new(big.Rat).Add(a, b)) }
	for _, c := range []struct {
		field string
		v     wire.Value
		want  string
	}{
		{"e", wire.NewInt(1), ""},
		{"precision", wire.NewInt(52), "domain"}, {"precision", wire.NewInt(4097), "domain"}, {"precision", wire.NewBig(huge), "domain"},
		{"precision", wire.NewInt(-118), "domain"}, {"precision", wire.NewInt(1<<32 + 118), "domain"}, {"precision", wire.NewInt(4096), ""}, {"precision", wire.NewInt(53), ""},
		{"value", wire.NewRat(power(1023)), ""}, {"value", wire.NewRat(power(1024)), "domain"}, {"value", wire.NewRat(power(-1074)), ""},
		{"value", wire.NewRat(power(-1075)), "domain"}, {"value", sum(power(-1074), power(-1191)), ""}, {"value", sum(power(-1074), power(-1192)), "domain"},
		{"value", sum(power(0), power(-117)), ""}, {"value", sum(power(0), power(-118)), "domain"},
		{"value", wire.NewRat(big.NewRat(1, 3)), "domain"}, {"value", wire.NewRat(new(big.Rat)), "domain"}, {"value", wire.NewRat(big.NewRat(-1, 2)), "domain"},
		{"m", wire.NewBig(new(big.Int).Lsh(one, 117)), "domain"}, {"m", wire.NewBig(new(big.Int).Sub(new(big.Int).Lsh(one, 117), one)), ""},
		{"m", wire.NewInt(-1), "domain"}, {"m", wire.NewBig(huge), "domain"},
		{"e", wire.NewInt(0), "domain"}, {"e", wire.NewInt(1 << 62), "domain"}, {"e", wire.NewInt(1<<62 - 1), ""}, {"e", wire.NewBig(huge), "domain"},
		{"f", wire.NewF64(0x7ff8000000000000), "domain"}, {"f", wire.NewF64(0x7ff0000000000000), ""},
		{"lo", wire.NewFloat(6), "domain"}, {"hi", wire.NewF64(0x7ff0000000000000), "domain"},
	} {
		in := base()
		in[c.field] = c.v
		for _, v := range []wire.Voter{Oracle(), Impl()} {
			r := v.Answer(wire.Case{Op: "snap_wide", In: in})
			require.Empty(t, r.Err)
			assert.Equal(t, c.want, r.Reject, "%s: %s = %.40s", v.Name(), c.field, c.v.Text)
		}
	}
}
