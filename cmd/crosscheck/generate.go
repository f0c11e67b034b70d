package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/generate"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

// digestBlocks is the published number of blocks per operation: 10^6 cases.
const digestBlocks = 1000

type generateFlags struct {
	out            string
	check, digests bool
}

func generateCommand() *cobra.Command {
	var g generateFlags
	c := &cobra.Command{
		Use:   "generate",
		Short: "Make the vector files again, or check that they would come out the same",
		Long: `generate plans the cases of every operation, asks all voters, and writes one file
per operation. It writes nothing unless every case has two votes, all votes agree,
and every file follows the schema and reads back; files are replaced by rename.
The same program always writes the same bytes.

With --check nothing is written: the files are compared byte for byte with those
in --out, or with the embedded ones.`,
		Example: `  crosscheck generate --out vectors/v1
  crosscheck generate --check`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return g.execute(cmd) },
	}
	f := c.Flags()
	f.StringVar(&g.out, "out", "", "`directory` of the files, such as vectors/v1")
	f.BoolVar(&g.check, "check", false, "compare, write nothing")
	f.BoolVar(&g.digests, "digests", false, "also digests.json: 10^6 derived cases per operation (minutes)")
	return c
}

func (g generateFlags) execute(cmd *cobra.Command) error {
	if g.out == "" && !g.check {
		return errors.New("say where to write with --out DIR, or compare with --check")
	}
	if parent := filepath.Dir(filepath.Clean(g.out)); g.out != "" && !g.check {
		if _, err := os.Stat(parent); err != nil {
			return fmt.Errorf("%s does not exist; create it first", parent)
		}
	}
	made, err := g.build(cmd)
	var d *generate.DisagreementError
	if errors.As(err, &d) {
		fmt.Fprintln(cmd.ErrOrStderr(), err)
		return errDisagree
	}
	if err != nil {
		return err
	}
	if g.check {
		return g.compare(cmd, made)
	}
	for _, m := range made {
		if err := generate.Write(filepath.Join(g.out, m.name), m.data); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%-22s %6d cases %9d bytes\n", m.name, m.cases, len(m.data))
	}
	return nil
}

type madeFile struct {
	name  string
	cases int
	data  []byte
}

// build makes every file in memory, so that nothing is written unless all succeed.
func (g generateFlags) build(cmd *cobra.Command) ([]madeFile, error) {
	var made []madeFile
	for _, op := range ops.All {
		f, err := generate.File(op, ops.Voters())
		if err != nil {
			return nil, err
		}
		data, err := generate.Bytes(f, op.Signature)
		if err != nil {
			return nil, err
		}
		made = append(made, madeFile{op.Op + ".json", len(f.Cases), data})
	}
	if !g.digests {
		return made, nil
	}
	bar := newProgress(cmd.ErrOrStderr(), "digest blocks")
	d, err := generate.Digests(ops.All, []wire.Voter{ops.Impl(), ops.Oracle()}, digestBlocks, bar.step)
	bar.done()
	if err != nil {
		return nil, err
	}
	data, err := d.Encode()
	return append(made, madeFile{"digests.json", len(d.Blocks) * digestBlocks * d.BlockSize, data}), err
}

func (g generateFlags) compare(cmd *cobra.Command, made []madeFile) error {
	fsys, dir, where := fs.FS(vectors.Files), vectors.Dir, "the embedded files"
	if g.out != "" {
		fsys, dir, where = os.DirFS(g.out), ".", g.out
	}
	same := true
	for _, m := range made {
		have, err := fs.ReadFile(fsys, filepath.ToSlash(filepath.Join(dir, m.name)))
		switch {
		case err != nil:
			same = false
			fmt.Fprintf(cmd.OutOrStdout(), "%-22s missing: %v\n", m.name, err)
		case !bytes.Equal(have, m.data):
			same = false
			fmt.Fprintf(cmd.OutOrStdout(), "%-22s differs from line %d on\n", m.name, firstLine(have, m.data))
		default:
			fmt.Fprintf(cmd.OutOrStdout(), "%-22s same\n", m.name)
		}
	}
	if !same {
		fmt.Fprintf(cmd.OutOrStdout(), "\nFAIL: what would be generated differs from %s\n", where)
		return errDisagree
	}
	return nil
}

// firstLine is the number of the first line in which a and b differ.
func firstLine(a, b []byte) int {
	n := 1
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return n
		}
		if a[i] == '\n' {
			n++
		}
	}
	return n
}
