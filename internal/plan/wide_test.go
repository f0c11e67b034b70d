package plan

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Both voters agree on every planned case of the wide operations, the flags are
// explained and say what happens, and there are enough.
func TestWidePlans(t *testing.T) {
	for name, least := range map[string]int{"snap_wide": 150, "wide_calibrate": 60} {
		op, _ := ops.Find(name)
		cases, err := Cases(op)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, len(cases), least)
		seen, flags, precisions, bytes := map[string]bool{}, map[string]int{}, map[string]int{}, 0
		for _, c := range cases {
			require.False(t, seen[c.ID], c.ID)
			seen[c.ID] = true
			want := ops.Oracle().Answer(c.Case)
			require.Empty(t, want.Err, c.ID)
			for _, v := range ops.Voters() {
				if got := v.Answer(c.Case); got.Skip == "" {
					require.Nil(t, wire.Compare(op.Signature, want, got), "%s: %s", v.Name(), c.ID)
				}
			}
			precisions[c.In["precision"].Text]++
			bytes += len(wire.EncodeAnswer(want, op.Signature))
			for _, f := range c.Flags {
				require.Contains(t, Flags, f, c.ID)
				flags[f]++
			}
			honest(t, c, want)
		}
		t.Logf("%s: %d cases, %d bytes of answers, flags %v, precisions %v", name, len(cases), bytes, flags, precisions)
		for _, p := range []string{"53", "54", "64", "65", "113", "118", "119", "128", "237", "1024"} {
			assert.GreaterOrEqual(t, precisions[p], 6, "%s at %s", name, p)
		}
	}
}

// honest checks what the flags and the ids of a case say about its answer.
func honest(t *testing.T, c corpus.Case, r wire.Result) {
	is := func(f string) bool {
		for _, g := range c.Flags {
			if f == g {
				return true
			}
		}
		return false
	}
	switch {
	case is("hypothesis-outside"):
		require.Equal(t, "hypothesis", r.Reject, c.ID)
		return
	case is("overflow"):
		require.Equal(t, "overflow", r.Reject, c.ID)
		return
	case is("domain"):
		require.Equal(t, "domain", r.Reject, c.ID)
		return
	case strings.Contains(c.ID, "/any-"):
		return
	}
	require.Empty(t, r.Reject, c.ID)
	if c.Op != "snap_wide" || strings.Contains(c.ID, "as-snap") {
		return
	}
	q := new(big.Rat).Quo(r.Out["w"].Rat(), r.Out["unit"].Rat())
	tie := q.Denom().Cmp(big.NewInt(2)) == 0
	if !is("beyond-doubles") { // noise so large that halves are common
		require.Equal(t, is("tie") || is("tie-negative"), tie, c.ID)
	}
	if is("tie-negative") || is("tie") {
		require.Equal(t, is("tie-negative"), q.Sign() < 0, c.ID)
	}
	require.Equal(t, is("absorbed"), r.Out["w"].Text == r.Out["x"].Text, c.ID)
	if is("all-at-p-bits") {
		require.False(t, sameIn53(r, c.In), c.ID)
	}
}
