package ops_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// agree fails the test unless all voters that answer c agree and at least two do.
func agree(t *testing.T, c wire.Case, sig wire.Signature) (votes int) {
	t.Helper()
	var first *wire.Result
	for _, v := range ops.Voters() {
		r := v.Answer(c)
		require.Empty(t, r.Err, "%s on %s", v.Name(), wire.EncodeRequest(c, sig))
		if r.Skip != "" {
			continue
		}
		votes++
		if first == nil {
			first = &r
		}
		require.Nil(t, wire.Compare(sig, *first, r), "%s on %s:\n%s\n%s", v.Name(), wire.EncodeRequest(c, sig),
			wire.EncodeAnswer(*first, sig), wire.EncodeAnswer(r, sig))
		for _, f := range sig.Out { // the rule for zeros
			if f.Type == wire.F64 && r.Reject == "" && !(sig.Op == "snap" && (f.Name == "z" || f.Name == "w")) {
				require.NotEqual(t, uint64(1)<<63, r.Out[f.Name].Bits(), "-0 in %s of %s", f.Name, wire.EncodeRequest(c, sig))
			}
		}
	}
	require.GreaterOrEqual(t, votes, 2)
	return votes
}

// Fresh cases, beyond the published ones, from both generators of every operation.
func TestVotersAgreeOnFreshCases(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 400
	}
	for _, op := range ops.All {
		t.Run(op.Op, func(t *testing.T) {
			outcomes, votes, n := map[string]int{}, 0, n
			if op.Op == "snap_loss" {
				n /= 10 // whole distributions
			}
			for _, make := range []func(gen.Source) wire.Values{op.Generate, op.Derive} {
				if make == nil {
					continue // no digests
				}
				src := &gen.SplitMix64{State: 20261121}
				for range n {
					c := wire.Case{ID: op.Op + "/fresh", Op: op.Op, In: make(src)}
					votes += agree(t, c, op.Signature)
					outcomes["reject: "+ops.Oracle().Answer(c).Reject]++
				}
			}
			t.Logf("%d votes, outcomes %v", votes, outcomes)
			assert.Greater(t, outcomes["reject: "], n/2, "most cases have a value")
			assert.Greater(t, len(outcomes), 1, "and some are rejected")
		})
	}
}

// A generator's case must survive the wire.
func TestCasesRoundTrip(t *testing.T) {
	for _, op := range ops.All {
		src := &gen.SplitMix64{State: 1}
		for range 200 {
			c := wire.Case{ID: "x", Op: op.Op, In: op.Generate(src)}
			back, _, err := wire.DecodeRequest([]byte(wire.EncodeRequest(c, op.Signature)), ops.Lookup)
			require.NoError(t, err)
			require.Equal(t, wire.EncodeRequest(c, op.Signature), wire.EncodeRequest(back, op.Signature))
		}
	}
}

func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range ops.All {
		assert.False(t, seen[op.Op])
		seen[op.Op] = true
		assert.NotEmpty(t, op.Doc)
		assert.NotNil(t, op.Generate)
		// vectors/PROTOCOL.md, "Decisions": these have no digests.
		without := map[string]bool{"snap_prob": true, "snap_loss": true, "snap_wide": true, "wide_calibrate": true}
		assert.Equal(t, without[op.Op], op.Derive == nil, op.Op)
		sig, ok := ops.Lookup(op.Op)
		assert.True(t, ok)
		assert.Equal(t, [2]any{op.In, op.Out}, [2]any{sig.In, sig.Out})
	}
	_, ok := ops.Lookup("exp")
	assert.False(t, ok)
	for _, v := range ops.Voters() {
		assert.NotEmpty(t, ops.Describe(v.Name()))
		same, err := ops.Voter(v.Name())
		require.NoError(t, err)
		assert.Equal(t, v.Name(), same.Name())
		assert.NotEmpty(t, v.Answer(wire.Case{Op: "exp"}).Skip, "a voter abstains from what it does not know")
	}
	_, err := ops.Voter("nobody")
	assert.ErrorContains(t, err, "impl oracle bigfloat")
	// The outputs of snap are the stages of the definition, in order.
	snap, _ := ops.Lookup("snap")
	for i, f := range snap.Out {
		assert.Equal(t, spec.SnapStages[i].ID, f.Name)
	}
}
