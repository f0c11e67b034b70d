package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

// release is the version being worked on, for builds that carry none.
const release = "0.1.0-dev"

// programVersion is the module version a build was made from.
func programVersion() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" && b.Main.Version != "(devel)" {
		return b.Main.Version
	}
	return release
}

func versionCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program, the vectors and the protocol",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if format == "json" {
				return json.NewEncoder(w).Encode(map[string]any{
					"crosscheck": programVersion(), "vectors": vectors.Version, "protocol": wire.Protocol,
					"go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
				})
			}
			_, err := fmt.Fprintf(w, "crosscheck %s\nvectors    %s\nprotocol   %d\ngo         %s %s/%s\n",
				programVersion(), vectors.Version, wire.Protocol, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}
