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
the code, the properties, the vectors and the mutants they name exist and are
what they were; that every numbered inequality has a check, which is run; that
every refuted claim is still refuted by its witness; that quoted numbers are
what is computed now; and that links lead somewhere.

The checks are compiled into the program; everything else is read from the
checkout. A hash that changed means that code was edited after its proof was
read against it: read it again, then run proofs --update.`,
		Example: `  crosscheck proofs
  crosscheck proofs --update          # after reading the proofs of edited code again
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
