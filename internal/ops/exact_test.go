package ops

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Both sides of the exact operations agree on generated cases, which are of every
// kind of outcome.
func TestExactVotersAgree(t *testing.T) {
	n := map[bool]int{false: 400, true: 60}[testing.Short()]
	for _, name := range []string{"snap_prob", "snap_loss"} {
		op, _ := Find(name)
		seen := map[string]int{}
		for j := range n {
			c := wire.Case{Op: name, In: op.Generate(&gen.SplitMix64{State: uint64(j) * 0x9e3779b97f4a7c15})}
			want, got := Oracle().Answer(c), Impl().Answer(c)
			require.Nil(t, wire.Compare(op.Signature, want, got), "%s\n%s\n%s", wire.EncodeRequest(c, op.Signature),
				wire.EncodeAnswer(want, op.Signature), wire.EncodeAnswer(got, op.Signature))
			switch {
			case want.Reject != "":
				seen[want.Reject]++
			case want.Out["p"].Text == "0":
				seen["zero"]++
			default:
				seen["value"]++
			}
			if want.Out["loss_lo"].Text == "inf" {
				seen["infinite"]++
			}
		}
		t.Log(name, seen)
		require.NotZero(t, seen["domain"])
		require.NotZero(t, seen["value"])
	}
}
