package atomicfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	require.NoError(t, Write(name, []byte("one")))
	require.NoError(t, Write(name, []byte("two")))
	have, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "two", string(have))
	require.Error(t, Write(filepath.Join(dir, "none", "a"), nil))
	// A directory in its place cannot be replaced: it stays, and nothing is left beside it.
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "d", "full"), 0o755))
	require.Error(t, Write(filepath.Join(dir, "d"), []byte("x")))
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, list, 2)
}
