package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/serve"
)

func serveCommand() *cobra.Command {
	var voter string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the port protocol on standard input and output",
		Long: `serve plays a port: one JSON request per line on standard input, one JSON answer
per line on standard output, in order (vectors/PROTOCOL.md). A malformed request
gets an error answer and the next one is served. The end of input ends it with
status 0.`,
		Example: `  echo '{"id":"1","op":"ln","in":{"x":"0x3fefffffffffffff"}}' | crosscheck serve
  crosscheck serve --voter oracle < requests.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := ops.Voter(voter)
			if err != nil {
				return err
			}
			if f, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
				fmt.Fprintln(cmd.ErrOrStderr(), "reading requests, one JSON object per line; Ctrl-D ends")
			}
			p := serve.Port{Name: "go-" + voter, Version: programVersion(), Voter: v}
			return p.Serve(cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&voter, "voter", "impl", "who answers: impl, oracle or bigfloat")
	return c
}
