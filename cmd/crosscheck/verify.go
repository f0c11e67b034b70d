package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/report"
	"github.com/dp-crosscheck/crosscheck/internal/verify"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

type verifyFlags struct {
	dir, run, format, mutant string
	digests                  bool
	blocks, maxFailures      int
}

func verifyCommand() *cobra.Command {
	var v verifyFlags
	c := &cobra.Command{
		Use:   "verify",
		Short: "Check every voter on the published vectors",
		Long: `verify asks the implementation, the exact oracle and a third voter every case of
the published vectors, and compares the answers bit for bit with the files. A
voter may abstain where it is unfit; a case that fewer than two voters answer fails.

The table counts, for each operation, the votes cast by each voter. Failures
follow in full: inputs, the answer wanted, the answer given, and the first stage
at which they differ.`,
		Example: `  crosscheck verify
  crosscheck verify --run 'snap/tie-*'
  crosscheck verify --run 'round_multiple' --with-mutant ties-away   # see a failure
  crosscheck verify --digests                                        # 10^6 more cases per operation`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return v.execute(cmd) },
	}
	f := c.Flags()
	f.StringVar(&v.dir, "vectors", "", "`directory` that holds ln.json and the others, such as crosscheck-vectors/v1 (default: those embedded)")
	f.StringVar(&v.run, "run", "", "only cases whose id matches `GLOB`, such as 'ln/hard-*'; without a slash, only these operations")
	f.BoolVar(&v.digests, "digests", false, "also recompute the digests of the derived cases (about 5 minutes; with --digest-blocks 20, seconds)")
	f.IntVar(&v.blocks, "digest-blocks", 0, "with --digests, only the first `N` blocks of 1000 cases per operation (0: all)")
	f.StringVar(&v.mutant, "with-mutant", "", "add a deliberately wrong voter, by `ID` ('crosscheck list mutants')")
	f.IntVar(&v.maxFailures, "max-failures", 3, "show this `number` of failed votes in full")
	f.StringVar(&v.format, "format", "text", "text or json")
	return c
}

func (v verifyFlags) execute(cmd *cobra.Command) error {
	if err := checkFormat(v.format); err != nil {
		return err
	}
	if v.blocks < 0 || v.blocks > digestBlocks {
		return fmt.Errorf("--digest-blocks %d: there are %d blocks", v.blocks, digestBlocks)
	}
	if v.maxFailures < 0 {
		return fmt.Errorf("--max-failures %d: it cannot be negative", v.maxFailures)
	}
	if v.blocks > 0 && !v.digests {
		return fmt.Errorf("--digest-blocks goes with --digests")
	}
	voters := ops.Voters()
	if v.mutant != "" {
		m, ok := mutants.Find(v.mutant)
		if !ok {
			return fmt.Errorf("no mutant %q; 'crosscheck list mutants' prints them", v.mutant)
		}
		if m.WrongLibrary() {
			return fmt.Errorf("mutant %q is a wrong library around the right mechanism, which no vector asks; the property %s kills it", m.ID, m.Property)
		}
		voters = append(voters, m.Voter)
	}
	fsys, dir := fs.FS(vectors.Files), vectors.Dir
	if v.dir != "" {
		if err := checkVectorDir(v.dir); err != nil {
			return err
		}
		fsys, dir = os.DirFS(v.dir), "."
	}
	files, err := corpus.Load(fsys, dir, opNames(), ops.Lookup)
	if err != nil {
		return fmt.Errorf("vectors in %s: %w", cmp.Or(v.dir, "the program"), err)
	}
	if files, err = verify.Select(files, v.run); err != nil {
		return err
	}
	bar := newProgress(cmd.ErrOrStderr(), "cases")
	r, err := verify.Run(files, voters, bar.step)
	bar.done()
	if err != nil {
		return err
	}
	if v.digests {
		if r.Digests, err = v.runDigests(cmd, fsys, dir, files, voters); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	if v.format == "json" {
		if err := report.VerifyJSON(out, r, v.maxFailures); err != nil {
			return err
		}
	} else {
		if v.dir == "" {
			fmt.Fprintf(out, "embedded vectors %s, protocol %d\n\n", vectors.Version, wire.Protocol)
		} else {
			fmt.Fprintf(out, "vectors in %s, protocol %d\n\n", v.dir, wire.Protocol)
		}
		report.Verify(out, r, v.maxFailures)
	}
	if !r.OK() {
		return errDisagree
	}
	return nil
}

// runDigests recomputes the digests of the operations selected, with the voters
// that made them.
func (v verifyFlags) runDigests(cmd *cobra.Command, fsys fs.FS, dir string, files []corpus.File, voters []wire.Voter) ([]verify.DigestReport, error) {
	data, err := fs.ReadFile(fsys, path.Join(dir, "digests.json"))
	if err != nil {
		return nil, err
	}
	d, err := corpus.DecodeDigests(data)
	if err != nil {
		return nil, fmt.Errorf("digests.json: %w", err)
	}
	var list []ops.Op
	for _, f := range files {
		if op, ok := ops.Find(f.Op); ok && len(d.Blocks[f.Op]) > 0 {
			list = append(list, op)
		}
	}
	var chosen []wire.Voter
	for _, w := range voters {
		for _, name := range d.Voters {
			if w.Name() == name || v.mutant != "" && w == voters[len(voters)-1] {
				chosen = append(chosen, w)
				break
			}
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), "digest blocks")
	defer bar.done()
	return verify.RunDigests(d, list, chosen, v.blocks, bar.step), nil
}

// checkVectorDir says what is wrong with a directory that holds no vectors.
func checkVectorDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("--vectors: %s does not exist", dir)
	}
	if !info.IsDir() {
		return fmt.Errorf("--vectors: %s is a file; name its directory", dir)
	}
	for _, op := range opNames() {
		if _, err := os.Stat(filepath.Join(dir, op+".json")); err == nil {
			return nil
		}
	}
	hint := ""
	if _, err := os.Stat(filepath.Join(dir, vectors.Dir)); err == nil {
		hint = "; they are in " + filepath.Join(dir, vectors.Dir)
	}
	return fmt.Errorf("--vectors: no vector files (such as ln.json) in %s%s", dir, hint)
}

func opNames() []string {
	var names []string
	for _, op := range ops.All {
		names = append(names, op.Op)
	}
	return names
}

func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return fmt.Errorf("--format is text or json, not %q", format)
	}
	return nil
}
