package mutants

import (
	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Killers returns the ids of the published cases that v answers wrongly, in the
// order of the files. An abstention is not wrong.
func Killers(v wire.Voter, files []corpus.File) (ids []string) {
	for _, f := range files {
		sig, _ := ops.Lookup(f.Op)
		for _, c := range f.Cases {
			got := v.Answer(c.Case)
			if got.Skip == "" && wire.Compare(sig, c.Want, got) != nil {
				ids = append(ids, c.ID)
			}
		}
	}
	return ids
}
