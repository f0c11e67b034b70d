package generate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/generate"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/plan"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

func fixed(name string, r wire.Result) wire.Voter {
	return ops.NewVoter(name, map[string]ops.Func{"clamp": func(wire.Values) wire.Result { return r }})
}

func TestVote(t *testing.T) {
	y := func(x float64) wire.Result { return wire.Result{Out: wire.Values{"y": wire.NewFloat(x)}} }
	op, _ := ops.Find("clamp")
	c := wire.Case{ID: "clamp/x", Op: "clamp"}
	a, b, other := fixed("a", y(1)), fixed("b", y(1)), fixed("other", y(2))
	skip, bug := fixed("skip", wire.Skipped("no")), fixed("bug", wire.Result{Err: "bug"})

	votes := map[string]int{}
	r, err := generate.Vote(c, op.Signature, []wire.Voter{a, skip, b}, votes)
	require.NoError(t, err)
	assert.Equal(t, y(1), r)
	assert.Equal(t, map[string]int{"a": 1, "b": 1}, votes)
	for _, bad := range [][]wire.Voter{{a, other}, {a, skip}, {skip}, {a, b, other}, {a, b, bug}, {bug, bug}} {
		_, err := generate.Vote(c, op.Signature, bad, votes)
		var d *generate.DisagreementError
		assert.ErrorAs(t, err, &d)
	}
}

// The plan of every operation has distinct, well-formed, explained cases, and
// planning twice gives the same bytes.
func TestFilesAreDeterministicAndValid(t *testing.T) {
	total := 0
	for _, op := range ops.All {
		f, err := generate.File(op, []wire.Voter{ops.Impl(), ops.Oracle()})
		require.NoError(t, err)
		data, err := generate.Bytes(f, op.Signature)
		require.NoError(t, err)
		again, err := generate.File(op, []wire.Voter{ops.Impl(), ops.Oracle()})
		require.NoError(t, err)
		data2, err := generate.Bytes(again, op.Signature)
		require.NoError(t, err)
		assert.Equal(t, string(data), string(data2), op.Op)
		total += len(f.Cases)
	}
	assert.GreaterOrEqual(t, total, 3000)
}

// Every flag that is explained is carried by some case: an explanation nobody
// needs is dead text.
func TestEveryFlagIsUsed(t *testing.T) {
	used := map[string]bool{}
	for _, op := range ops.All {
		cases, err := plan.Cases(op)
		require.NoError(t, err)
		for _, c := range cases {
			for _, f := range c.Flags {
				used[f] = true
			}
		}
	}
	for name := range plan.Flags {
		assert.True(t, used[name], name)
	}
}

func TestDigestsStopAtADifference(t *testing.T) {
	op, _ := ops.Find("clamp")
	wrong := fixed("wrong", wire.Rejected("domain"))
	_, err := generate.Digests([]ops.Op{op}, []wire.Voter{ops.Oracle(), wrong}, 2, nil)
	assert.ErrorContains(t, err, "digests of clamp differ in block 0")
	steps := 0
	d, err := generate.Digests([]ops.Op{op}, []wire.Voter{ops.Oracle(), ops.Impl()}, 2, func(int, int) { steps++ })
	require.NoError(t, err)
	assert.Equal(t, 2, steps)
	data, err := d.Encode()
	require.NoError(t, err)
	back, err := corpus.DecodeDigests(data)
	require.NoError(t, err)
	assert.Equal(t, d, back)
}

func TestWriteKeepsTheOldFileOnFailure(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "sub", "ln.json")
	require.NoError(t, generate.Write(name, []byte("old")))
	require.NoError(t, generate.Write(name, []byte("new")))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "new", string(data))
	// A target that cannot be replaced: the name of a directory that is not empty.
	require.Error(t, generate.Write(filepath.Join(dir, "sub"), []byte("x")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file is left behind")
}
