package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/explain"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// explained is what explain writes.
type explained interface {
	JSON(w io.Writer) error
	Markdown(w io.Writer)
	LaTeX(w io.Writer)
	Text(w io.Writer, colour bool)
}

// output explains an output for two inputs.
func (x explainFlags) output(cmd *cobra.Command) (*explain.Output, error) {
	for _, name := range []string{"u", "m", "e", "s", "tape"} {
		if cmd.Flags().Changed(name) {
			return nil, fmt.Errorf("--output is about all draws: leave out --%s", name)
		}
	}
	in, notes := wire.Values{}, []string(nil)
	for _, f := range []struct{ flag, name, text string }{
		{"value", "value", x.value}, {"lo", "lo", x.lo}, {"hi", "hi", x.hi}, {"f", "f", x.f}, {"f2", "f2", x.f2}, {"output", "x", x.out},
	} {
		if f.text == "" {
			return nil, fmt.Errorf("--output needs --value, --lo, --hi, --f and --f2: --%s is missing", f.flag)
		}
		v, exact, err := explain.ParseNumber(f.text)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", f.flag, err)
		}
		if !exact {
			notes = append(notes, fmt.Sprintf("--%s %s is no double; the nearest is used", f.flag, f.text))
		}
		in[f.name] = v
	}
	var err error
	if in["scale"], err = wire.Parse(wire.ScaleOf, x.scale); err != nil {
		return nil, fmt.Errorf("--scale: %w", err)
	}
	if in["kind"], err = wire.Parse(wire.Kind, x.kind); err != nil {
		return nil, fmt.Errorf("--kind: %w", err)
	}
	o, err := explain.Of(in)
	if err != nil {
		return nil, err
	}
	o.Notes = append(notes, o.Notes...)
	return o, nil
}

// checkPair tests that --f2 and --output come together, and without an id.
func (x explainFlags) checkPair(cmd *cobra.Command, args []string) error {
	out, f2 := cmd.Flags().Changed("output"), cmd.Flags().Changed("f2")
	switch {
	case (out || f2) && len(args) == 1:
		return errors.New("a vector id has its own inputs: leave out --f2 and --output")
	case f2 && !out:
		return errors.New("--f2 goes with --output")
	}
	return nil
}
