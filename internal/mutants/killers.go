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

// Quick leaves out the operation whose answers take milliseconds, so that ninety
// wrong voters can be asked about everything else.
func Quick(files []corpus.File) (quick []corpus.File) {
	for _, f := range files {
		if f.Op != "snap_loss" {
			quick = append(quick, f)
		}
	}
	return quick
}

// Kills reports whether v answers the published case with this id wrongly.
func Kills(v wire.Voter, files []corpus.File, id string) bool {
	for _, f := range files {
		for _, c := range f.Cases {
			if c.ID == id {
				one := f
				one.Cases = []corpus.Case{c}
				return len(Killers(v, []corpus.File{one})) > 0
			}
		}
	}
	return false
}
