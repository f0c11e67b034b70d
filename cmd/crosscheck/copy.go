package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

func copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy DIR",
		Short: "Write the embedded vectors, schema and pages to a new directory",
		Long: `copy writes the published vectors to DIR for people who work without Go: the
vector files, their JSON Schema, the protocol page, a VERSION file, and SHA256SUMS
(check them with 'sha256sum -c SHA256SUMS'). DIR must not exist yet: nothing is
overwritten, and a failure leaves nothing behind.`,
		Example: "  crosscheck copy ./crosscheck-vectors",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one new directory: crosscheck copy DIR")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := copyVectors(args[0])
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%d files, vectors %s, in %s\n", n, vectors.Version, args[0])
			}
			return err
		},
	}
}

// copyVectors fills a temporary directory beside dir and renames it to dir.
func copyVectors(dir string) (n int, err error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return 0, fmt.Errorf("%s exists already; name a new directory", dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return 0, fmt.Errorf("%s does not exist; create it first", filepath.Dir(dir))
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".crosscheck-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	var sums strings.Builder
	write := func(name string, data []byte) error {
		n++
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		file := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o644)
	}
	err = fs.WalkDir(vectors.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(vectors.Files, name)
		if err != nil {
			return err
		}
		return write(name, data)
	})
	if err != nil {
		return 0, err
	}
	version := fmt.Sprintf("vectors %s\nprotocol %d\ncrosscheck %s\n", vectors.Version, wire.Protocol, programVersion())
	if err = write("VERSION", []byte(version)); err != nil {
		return 0, err
	}
	if err = os.WriteFile(filepath.Join(tmp, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return 0, err
	}
	if err = os.Chmod(tmp, 0o755); err != nil {
		return 0, err
	}
	return n + 1, os.Rename(tmp, dir)
}
