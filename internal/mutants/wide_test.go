package mutants

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/generate"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// The vectors of the wide operations kill their mutants and spare the right stages
// of which these are made.
func TestWideVectorsKill(t *testing.T) {
	var files []corpus.File
	for _, name := range []string{"snap_wide", "wide_calibrate"} {
		op, _ := ops.Find(name)
		f, err := generate.File(op, []wire.Voter{ops.Oracle(), ops.Impl()})
		require.NoError(t, err)
		files = append(files, f)
	}
	for _, m := range wideMutants {
		killers := Killers(m.Voter, files)
		assert.Contains(t, killers, m.Vector, m.ID)
		t.Logf("%-28s %4d vectors", m.ID, len(killers))
	}
	assert.Empty(t, Killers(rightWide().voter("right wide stages"), files))
}
