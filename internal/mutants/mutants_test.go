package mutants

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/generate"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// published are the planned vector files with the answers on which the oracle
// and the implementation agree.
var published = sync.OnceValues(func() (files []corpus.File, err error) {
	for _, op := range ops.All {
		f, err := generate.File(op, []wire.Voter{ops.Oracle(), ops.Impl()})
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
})

func TestMutantsAreWellFormed(t *testing.T) {
	properties := map[string]bool{}
	for _, p := range spec.Properties {
		properties[p.ID] = true
	}
	seen := map[string]bool{}
	for _, m := range All {
		assert.False(t, seen[m.ID], m.ID)
		seen[m.ID] = true
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, m.ID)
		assert.NotEmpty(t, m.Fault, m.ID)
		assert.NotEmpty(t, m.Source, m.ID)
		assert.True(t, properties[m.Property], "%s: no property %q", m.ID, m.Property)
		found, ok := Find(m.ID)
		assert.True(t, ok && found.ID == m.ID)
	}
	_, ok := Find("no such mutant")
	assert.False(t, ok)
}

// Every property has a mutant that it must kill: a check counts once it has been
// seen to fail. That it does kill it is tested in package props.
func TestEveryPropertyHasAMutant(t *testing.T) {
	named := map[string]bool{}
	for _, m := range All {
		named[m.Property] = true
	}
	for _, p := range spec.Properties {
		assert.True(t, named[p.ID], "no mutant names %s", p.ID)
	}
}

// Every wrong voter is killed by the published vector that it names; no vector
// can tell a wrong library.
func TestVectorsKillMutants(t *testing.T) {
	files, err := published()
	require.NoError(t, err)
	for _, m := range All {
		if m.WrongLibrary() {
			assert.Empty(t, m.Vector, m.ID)
			if !testing.Short() {
				assert.Empty(t, Killers(m.Voter, Quick(files)), m.ID)
			}
			continue
		}
		assert.True(t, Kills(m.Voter, files, m.Vector), "%s survives %s", m.ID, m.Vector)
	}
}

// Right voters survive every published vector, however they are worded. The
// stages of which mutants are made are right as long as nothing is replaced.
func TestVectorsSpareReworded(t *testing.T) {
	files, err := published()
	require.NoError(t, err)
	assert.False(t, Kills(Reworded[0], files, "no/such-case"))
	assert.Empty(t, Killers(right().voter("right stages"), files))
	for _, v := range Reworded { // whose logarithms are slow: not the thousands of outputs of snap_loss
		assert.Empty(t, Killers(v, Quick(files)), v.Name())
	}
}
