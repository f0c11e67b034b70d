// Command crosscheck verifies implementations of the snapping mechanism against
// an exact oracle, bit for bit: it checks, makes, copies and serves the published
// test vectors. See README.md.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitDisagree = 1 // something that was compared differs
	exitMisuse   = 2 // the command cannot be carried out as given
)

// errDisagree ends a command whose report has already said what differs.
var errDisagree = errors.New("disagreement")

func main() {
	root := newRoot()
	switch err := root.Execute(); {
	case err == nil:
	case errors.Is(err, errDisagree):
		os.Exit(exitDisagree)
	default:
		fmt.Fprintf(os.Stderr, "crosscheck: %v\n", err)
		os.Exit(exitMisuse)
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "crosscheck",
		Short: "Is this implementation of differential-privacy noise right, bit for bit?",
		Long: `crosscheck compares implementations of the snapping mechanism (Mironov 2012)
with an exact oracle, bit for bit, on published test vectors.

  crosscheck verify            check the Go implementation on the embedded vectors
  crosscheck copy DIR          write the vectors out for another language
  crosscheck serve             answer the port protocol on standard input

Exit status: 0 all agree, 1 something differs, 2 the command cannot be carried out.`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(verifyCommand(), generateCommand(), serveCommand(), listCommand(), copyCommand(), versionCommand(), explainCommand())
	root.AddCommand(proofsCommand())
	return root
}
