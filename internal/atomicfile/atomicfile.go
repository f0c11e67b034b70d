// Package atomicfile replaces files so that nothing is lost when it fails.
package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Write replaces the file name with data by a temporary file in the same directory,
// which must exist, and a rename: at any moment there is the old file or the new one.
func Write(name string, data []byte) (err error) {
	t, err := os.CreateTemp(filepath.Dir(name), ".crosscheck-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(t.Name())
		}
	}()
	if _, err = t.Write(data); err != nil {
		t.Close()
		return err
	}
	if err = errors.Join(t.Chmod(0o644), t.Sync(), t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), name)
}
