package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/mutants"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/verify"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

func listCommand() *cobra.Command {
	var run, format string
	c := &cobra.Command{
		Use:   "list [ops|cases|flags|voters|mutants|properties|hypotheses]",
		Short: "List operations, cases, flags, voters, mutants, properties, hypotheses",
		Example: `  crosscheck list
  crosscheck list cases --run 'snap/tie-*'
  crosscheck list flags`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && !slices.Contains(cmd.ValidArgs, cobra.Completion(args[0])) {
				return fmt.Errorf("list one of: %s", strings.Join(cmd.ValidArgs, ", "))
			}
			return nil
		},
		ValidArgs: []string{"ops", "cases", "flags", "voters", "mutants", "properties", "hypotheses"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			what := "ops"
			if len(args) == 1 {
				what = args[0]
			}
			if run != "" && what != "cases" {
				return fmt.Errorf("--run goes with 'list cases'")
			}
			rows, err := listing(what, run)
			if err != nil {
				return err
			}
			return writeRows(cmd.OutOrStdout(), rows, format)
		},
	}
	c.Flags().StringVar(&run, "run", "", "with 'cases', only ids that match `GLOB`")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// listing returns rows of cells under the names of the first.
func listing(what, run string) ([][]string, error) {
	switch what {
	case "ops":
		rows := [][]string{{"operation", "takes", "gives", "what"}}
		for _, op := range ops.All {
			rows = append(rows, []string{op.Op, fields(op.In), fields(op.Out), op.Doc})
		}
		return rows, nil
	case "voters":
		rows := [][]string{{"voter", "what"}}
		for _, v := range ops.Voters() {
			rows = append(rows, []string{v.Name(), ops.Describe(v.Name())})
		}
		return rows, nil
	case "mutants":
		rows := [][]string{{"mutant", "fault", "source", "killed by property", "killed by vector"}}
		for _, m := range mutants.All {
			rows = append(rows, []string{m.ID, m.Fault, m.Source, m.Property, m.Vector})
		}
		return rows, nil
	case "properties":
		rows := [][]string{{"property", "section", "statement"}}
		for _, p := range spec.Properties {
			rows = append(rows, []string{p.ID, p.Section, p.Statement})
		}
		return rows, nil
	case "hypotheses":
		rows := [][]string{{"hypothesis", "statement", "claims", "why"}}
		for _, h := range spec.Hypotheses {
			rows = append(rows, []string{h.ID, h.Statement, claimsOf(h.ID), h.Why})
		}
		return rows, nil
	}
	files, err := corpus.Load(vectors.Files, vectors.Dir, opNames(), ops.Lookup)
	if err != nil {
		return nil, err
	}
	if files, err = verify.Select(files, run); err != nil {
		return nil, err
	}
	if what == "flags" {
		return flagRows(files), nil
	}
	rows := [][]string{{"case", "flags", "comment"}}
	for _, f := range files {
		for _, c := range f.Cases {
			rows = append(rows, []string{c.ID, strings.Join(c.Flags, " "), c.Comment})
		}
	}
	return rows, nil
}

func fields(list []wire.Field) string {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

func claimsOf(hypothesis string) string {
	var names []string
	for _, c := range spec.Claims {
		for _, h := range c.Hypotheses {
			if h == hypothesis {
				names = append(names, c.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

func flagRows(files []corpus.File) [][]string {
	count, text := map[string]int{}, map[string]corpus.Flag{}
	for _, f := range files {
		for name, flag := range f.Flags {
			text[name] = flag
		}
		for _, c := range f.Cases {
			for _, name := range c.Flags {
				count[name]++
			}
		}
	}
	var names []string
	for name := range text {
		names = append(names, name)
	}
	sort.Strings(names)
	rows := [][]string{{"flag", "cases", "why", "risk", "section"}}
	for _, n := range names {
		rows = append(rows, []string{n, fmt.Sprint(count[n]), text[n].Why, text[n].Risk, text[n].Section})
	}
	return rows
}

// long reports whether a table of the rows would be too wide to read.
func long(rows [][]string) bool {
	for _, r := range rows {
		n := 0
		for _, cell := range r {
			n += len(cell)
		}
		if n > 160 {
			return true
		}
	}
	return false
}

func writeRows(w io.Writer, rows [][]string, format string) error {
	if format == "json" {
		list := []map[string]string{}
		for _, r := range rows[1:] {
			m := map[string]string{}
			for i, name := range rows[0] {
				m[name] = r[i]
			}
			list = append(list, m)
		}
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	if long(rows) {
		for _, r := range rows[1:] {
			fmt.Fprintln(w, r[0])
			for i, cell := range r[1:] {
				if cell != "" {
					fmt.Fprintf(w, "    %s: %s\n", rows[0][i+1], cell)
				}
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.TrimRight(strings.Join(r, "\t"), "\t"))
	}
	return t.Flush()
}
