package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/proofs"
)

func proofsCommand() *cobra.Command {
	var root, format string
	var update, full, checks bool
	c := &cobra.Command{
		Use:   "proofs",
		Short: "Check the proof documents against the code and the mathematics",
		Long: `proofs reads the documents of the directory proofs of a checkout and checks that
the texts, the checks and the code they name are what they were when they were
read against each other (proofs/labels.json and the front matter have the
hashes); that the properties, vectors and mutants they name exist; that every
numbered inequality has a check, which is run; that every refuted claim is still
refuted by its witness; that quoted numbers are what is computed now; that the
kernel's trusted files are bound; and that the links of all Markdown files of the
checkout lead somewhere.

The checks are compiled into the program; everything else is read from the
checkout, which is the current directory or the one that --root names. A hash that
changed means that a text, a check or code was edited after they were read
against each other: read them again, then run proofs --update.`,
		Example: `  crosscheck proofs
  crosscheck proofs --update          # after reading edited texts, checks and code again
  crosscheck proofs --full --checks   # every instance of every check, and what they saw`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			reg := proofs.Default()
			if err := reg.Validate(); err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if update {
				if err := proofs.Update(root, reg, cmd.ErrOrStderr()); err != nil {
					return err
				}
			}
			share := 0.05
			if full {
				share = 1
			}
			r, err := proofs.Audit(root, reg, share)
			if err != nil {
				return err
			}
			if format == "json" {
				err = r.WriteJSON(out)
			} else {
				if err = r.WriteText(out); err == nil && checks {
					fmt.Fprintln(out)
					err = r.WriteChecks(out)
				}
			}
			if err == nil && !r.OK() {
				err = errDisagree
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&root, "root", ".", "the `directory` of the checkout")
	f.BoolVar(&update, "update", false, "first rewrite stale hashes and generated blocks, and say which (on standard error)")
	f.BoolVar(&full, "full", false, "run every instance of the checks, not a twentieth")
	f.BoolVar(&checks, "checks", false, "list every check with its instances and the tightest ratio seen")
	f.StringVar(&format, "format", "text", "text or json")
	return c
}
