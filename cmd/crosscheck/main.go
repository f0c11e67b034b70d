// Command crosscheck verifies implementations of the snapping mechanism against
// an exact oracle, bit for bit: it checks, makes, copies and serves the published
// test vectors. See README.md.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

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

// knownCommand refuses a word that is no subcommand, with the nearest ones.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q; 'crosscheck help' lists them", args[0])
}

// noArgs is for subcommands that take flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, only flags: what is %q?", cmd.Name(), args[0])
	}
	return nil
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
		Version:       programVersion(),
		Args:          knownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(verifyCommand(), generateCommand(), serveCommand(), listCommand(), copyCommand(), versionCommand(), explainCommand(),
		lossCommand(), proofsCommand(), sweepCommand())
	refuseUnknown(root)
	return root
}

// refuseUnknown makes cobra's own commands refuse words they do not know: it
// would print help with status 0.
func refuseUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, words []string) error {
				found := root
				for _, w := range words {
					next, rest, err := found.Find([]string{w})
					if err != nil || len(rest) > 0 || next == found {
						return knownCommand(found, []string{w})
					}
					found = next
				}
				return nil
			}
		case "completion":
			c.Args = func(_ *cobra.Command, words []string) error {
				var shells []string
				for _, shell := range c.Commands() {
					shells = append(shells, shell.Name())
				}
				if len(words) > 0 {
					return fmt.Errorf("completion for one of: %s; not %q", strings.Join(shells, ", "), words[0])
				}
				return nil
			}
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}
