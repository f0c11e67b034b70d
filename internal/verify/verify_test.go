package verify_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/report"
	"github.com/dp-crosscheck/crosscheck/internal/verify"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func clampCase(id string, x, want float64) corpus.Case {
	return corpus.Case{
		Case: wire.Case{ID: "clamp/" + id, Op: "clamp", In: wire.Values{"x": wire.NewFloat(x), "lo": wire.NewFloat(-1), "hi": wire.NewFloat(1)}},
		Want: wire.Result{Out: wire.Values{"y": wire.NewFloat(want)}},
	}
}

func file(cases ...corpus.Case) []corpus.File {
	return []corpus.File{{Header: corpus.Header{Op: "clamp"}, Cases: cases}}
}

// silent abstains from everything; wrong answers 7 to everything.
var (
	silent = ops.NewVoter("silent", nil)
	wrong  = ops.NewVoter("wrong", map[string]ops.Func{"clamp": func(wire.Values) wire.Result {
		return wire.Result{Out: wire.Values{"y": wire.NewFloat(7)}}
	}})
)

func TestAgreement(t *testing.T) {
	r, err := verify.Run(file(clampCase("a", 2, 1), clampCase("b", 0, 0)), append(ops.Voters(), silent), nil)
	require.NoError(t, err)
	assert.True(t, r.OK())
	cases, cast, abstained := r.Cases()
	assert.Equal(t, []int{2, 6, 2}, []int{cases, cast, abstained})
	assert.Equal(t, verify.Tally{Voter: "silent", Abstained: 2}, r.Ops[0].Votes[3])
}

func TestAWrongFileFails(t *testing.T) {
	r, err := verify.Run(file(clampCase("a", 2, 1), clampCase("b", 0.5, 0.25)), ops.Voters(), nil)
	require.NoError(t, err)
	assert.False(t, r.OK())
	assert.Len(t, r.Failures, 3, "each voter disagrees with the file")
	assert.Equal(t, 1, r.Ops[0].Failures)
	assert.Equal(t, "y", r.Failures[0].Diff.Field)
}

func TestAWrongVoterFails(t *testing.T) {
	r, err := verify.Run(file(clampCase("a", 2, 1)), append(ops.Voters(), wrong), nil)
	require.NoError(t, err)
	assert.False(t, r.OK())
	var text, js bytes.Buffer
	report.Verify(&text, r, 3)
	for _, s := range []string{"FAIL clamp/a: voter wrong", "0x401c000000000000", "0x1.cp+02", " 7   <- differs", "FAIL: 1 of 1 cases"} {
		assert.Contains(t, text.String(), s)
	}
	require.NoError(t, report.VerifyJSON(&js, r, 3))
	var m map[string]any
	require.NoError(t, json.Unmarshal(js.Bytes(), &m))
	assert.Equal(t, false, m["ok"])
}

func TestOneVoteIsNotEnough(t *testing.T) {
	r, err := verify.Run(file(clampCase("a", 2, 1)), []wire.Voter{ops.Impl(), silent}, nil)
	require.NoError(t, err)
	assert.False(t, r.OK())
	assert.Equal(t, 1, r.Failures[0].Votes)
	var text bytes.Buffer
	report.Verify(&text, r, 3)
	assert.Contains(t, text.String(), "1 of the voters answered; 2 must")
}

func TestAnUnknownOpIsAnError(t *testing.T) {
	_, err := verify.Run([]corpus.File{{Header: corpus.Header{Op: "exp"}}}, ops.Voters(), nil)
	assert.Error(t, err)
}

func TestSelect(t *testing.T) {
	files := file(clampCase("tie-01", 0, 0), clampCase("tie-02", 0, 0), clampCase("other", 0, 0))
	for glob, n := range map[string]int{"": 3, "clamp": 3, "cl*": 3, "clamp/tie-*": 2, "*/other": 1} {
		got, err := verify.Select(files, glob)
		require.NoError(t, err, glob)
		assert.Len(t, got[0].Cases, n, glob)
	}
	for _, glob := range []string{"ln", "clamp/none", "[", "clamp/["} {
		_, err := verify.Select(files, glob)
		assert.Error(t, err, glob)
	}
	assert.Len(t, files[0].Cases, 3, "the files themselves are left alone")
}

// digests returns the digests of one block of clamp as the oracle gives them.
func digests(t *testing.T) (corpus.Digests, ops.Op) {
	op, ok := ops.Find("clamp")
	require.True(t, ok)
	sum, err := corpus.DigestBlock(ops.Oracle(), op.Signature, op.Derive, 0)
	require.NoError(t, err)
	return corpus.Digests{BlockSize: corpus.BlockSize, Blocks: map[string][]string{"clamp": {sum}}}, op
}

func TestDigests(t *testing.T) {
	d, op := digests(t)
	for _, r := range verify.RunDigests(d, []ops.Op{op}, []wire.Voter{ops.Impl(), ops.Voters()[2]}, 0, nil) {
		assert.Empty(t, r.Failed, r.Voter)
		assert.Empty(t, r.Error, r.Voter)
		assert.Equal(t, 1000, r.Cases)
	}
	bad := verify.RunDigests(d, []ops.Op{op}, []wire.Voter{wrong, silent}, 0, nil)
	assert.Equal(t, []int{0}, bad[0].Failed)
	assert.NotEmpty(t, bad[1].Error, "a digest has no place for an abstention")
	assert.False(t, verify.Report{Digests: bad[:1]}.OK())
	assert.False(t, verify.Report{Digests: bad[1:]}.OK())
}
