package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/explain"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

type explainFlags struct {
	scale, value, lo, hi, f string
	u, m, e, s, tape, kind  string
	format, color           string
	f2, out                 string
}

func explainCommand() *cobra.Command {
	var x explainFlags
	c := &cobra.Command{
		Use:   "explain [ID]",
		Short: "Show one case step by step: values, exact values, proved intervals",
		Long: `explain takes a vector id, or the parameters of the mechanism with its random
inputs, and shows every stage: the value in bits, hexadecimal and decimal, the exact
real value it stands for, the interval the kernel derives for it and by which rule,
and what the privacy proof uses there.

Numbers are written as 0.1, 0x1.8p-3, inf, or as bits, 0x3fb999999999999a. The random
inputs are u (a double below 1) or m and e, with the sign s; or a tape in hex.

With --output and a second input --f2 it shows instead which of the seven cases of
Liu 2020, theorem 2, the output is: the interval of u that gives it for each input, each
end of it as the ideal mechanism has it, as the kernel proves it and as it is, the exact
loss and the bound derived.`,
		Example: `  crosscheck explain snap/tie-negative
  crosscheck explain --value 1 --lo -100 --hi 100 --f 0.25 --u 0.3 --s -1
  crosscheck explain --scale epsilon --value 0.5 --lo 0 --hi 10 --f 3 --tape 2a38acc629732e
  crosscheck explain ln/lefevre-muller --format json
  crosscheck explain --scale epsilon --value 1 --lo -300 --hi 300 --f 299 --f2 300 --output -299`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return x.execute(cmd, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&x.scale, "scale", "lambda", "what --value is: lambda or epsilon")
	f.StringVar(&x.value, "value", "", "lambda; with --scale epsilon, epsilon = 1/lambda")
	f.StringVar(&x.lo, "lo", "", "lower bound")
	f.StringVar(&x.hi, "hi", "", "upper bound")
	f.StringVar(&x.f, "f", "", "the true answer")
	f.StringVar(&x.u, "u", "", "the uniform draw, a double in (0, 1)")
	f.StringVar(&x.m, "m", "", "significand bits of u, with --e")
	f.StringVar(&x.e, "e", "", "exponent of u = (1 + m 2^-52) 2^-e, with --m")
	f.StringVar(&x.s, "s", "+1", "the sign: +1 (outputs at or below f) or -1")
	f.StringVar(&x.tape, "tape", "", "all random bits, as `hex` bytes, instead of --u, --m, --e and --s")
	f.StringVar(&x.kind, "kind", "unbounded", "with --tape or --output: unbounded or binary64")
	f.StringVar(&x.f2, "f2", "", "with --output: the other true answer")
	f.StringVar(&x.out, "output", "", "an output, whose draws and loss for --f and --f2 are shown")
	f.StringVar(&x.format, "format", "text", "text, json, markdown or latex")
	f.StringVar(&x.color, "color", "auto", "colour in text: auto (on a terminal), always or never")
	return c
}

func (x explainFlags) execute(cmd *cobra.Command, args []string) error {
	if err := x.checkOutput(cmd); err != nil {
		return err
	}
	if err := x.checkPair(cmd, args); err != nil {
		return err
	}
	var (
		e   explained
		err error
	)
	if cmd.Flags().Changed("output") {
		e, err = x.output(cmd)
	} else if len(args) == 1 {
		for _, name := range []string{"scale", "value", "lo", "hi", "f", "u", "m", "e", "s", "tape", "kind"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("a vector id has its own inputs: leave out --%s", name)
			}
		}
		e, err = explainID(args[0])
	} else {
		e, err = x.parameters(cmd)
	}
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	switch x.format {
	case "json":
		return e.JSON(w)
	case "markdown":
		return whole(w, e.Markdown)
	case "latex":
		return whole(w, e.LaTeX)
	}
	return whole(w, func(b io.Writer) { e.Text(b, x.coloured(w)) })
}

// whole writes a page in one piece, so that an output that cannot be written is an error.
func whole(w io.Writer, page func(io.Writer)) error {
	var b bytes.Buffer
	page(&b)
	_, err := w.Write(b.Bytes())
	return err
}

// checkOutput tests --format and --color before anything is computed.
func (x explainFlags) checkOutput(cmd *cobra.Command) error {
	switch {
	case !slices.Contains([]string{"text", "json", "markdown", "latex"}, x.format):
		return fmt.Errorf("--format is text, json, markdown or latex, not %q", x.format)
	case !slices.Contains([]string{"auto", "always", "never"}, x.color):
		return fmt.Errorf("--color is auto, always or never, not %q", x.color)
	case x.format != "text" && cmd.Flags().Changed("color"):
		return errors.New("--color goes with --format text")
	}
	return nil
}

func (x explainFlags) coloured(w any) bool {
	f, ok := w.(*os.File)
	return x.color == "always" || x.color == "auto" && ok && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(f.Fd()))
}

// explainID finds a published case.
func explainID(id string) (*explain.Explanation, error) {
	files, err := corpus.Load(vectors.Files, vectors.Dir, opNames(), ops.Lookup)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, f := range files {
		for _, c := range f.Cases {
			if c.ID == id {
				return explain.Published(f, c)
			}
			ids = append(ids, c.ID)
		}
	}
	if _, ok := ops.Find(id); ok {
		return nil, fmt.Errorf("%s is an operation; 'crosscheck list cases --run %s' prints its ids", id, id)
	}
	if near := nearest(id, ids); len(near) > 0 {
		return nil, fmt.Errorf("no vector %q; did you mean %s?", id, strings.Join(near, " or "))
	}
	return nil, fmt.Errorf("no vector %q; 'crosscheck list cases' prints the ids", id)
}

// parameters builds a case of snap or snap_release from the flags.
func (x explainFlags) parameters(cmd *cobra.Command) (*explain.Explanation, error) {
	in, notes := wire.Values{}, []string(nil)
	for _, f := range []struct{ name, text string }{{"value", x.value}, {"lo", x.lo}, {"hi", x.hi}, {"f", x.f}} {
		if f.text == "" {
			return nil, fmt.Errorf("name a vector id, or give --value, --lo, --hi, --f and the random inputs: --%s is missing", f.name)
		}
		v, exact, err := explain.ParseNumber(f.text)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", f.name, err)
		}
		if !exact {
			notes = append(notes, fmt.Sprintf("--%s %s is no double; the nearest is used", f.name, f.text))
		}
		in[f.name] = v
	}
	var err error
	if in["scale"], err = wire.Parse(wire.ScaleOf, x.scale); err != nil {
		return nil, fmt.Errorf("--scale: %w", err)
	}
	op := "snap"
	switch given := cmd.Flags().Changed; {
	case given("kind") && !given("tape"):
		return nil, errors.New("--kind says how a tape is read: give --tape, or leave --kind out")
	case given("tape") && (given("u") || given("m") || given("e") || given("s")):
		return nil, errors.New("--tape has all random bits: leave out --u, --m, --e and --s")
	case given("tape"):
		op = "snap_release"
		if in["tape"], err = wire.Parse(wire.Tape, x.tape); err != nil {
			return nil, fmt.Errorf("--tape: %w", err)
		}
		if in["kind"], err = wire.Parse(wire.Kind, x.kind); err != nil {
			return nil, fmt.Errorf("--kind: %w", err)
		}
	default:
		note, err := x.draw(cmd, in)
		if err != nil {
			return nil, err
		}
		notes = append(notes, note...)
	}
	e, err := explain.Case(wire.Case{Op: op, In: in})
	if err != nil {
		return nil, err
	}
	e.Notes = append(notes, e.Notes...)
	return e, nil
}

// draw reads u, or m and e, and s.
func (x explainFlags) draw(cmd *cobra.Command, in wire.Values) (notes []string, err error) {
	given := cmd.Flags().Changed
	s := x.s
	if s == "1" {
		s = "+1"
	}
	if in["s"], err = wire.Parse(wire.Sign, s); err != nil {
		return nil, fmt.Errorf("--s: %w", err)
	}
	switch {
	case given("u") && (given("m") || given("e")):
		return nil, errors.New("give --u, or --m and --e, not both")
	case given("u"):
		v, exact, err := explain.ParseNumber(x.u)
		if err != nil {
			return nil, fmt.Errorf("--u: %w", err)
		}
		u := v.Float()
		if !(u > 0 && u < 1) {
			return nil, fmt.Errorf("--u: %s is not in (0, 1)", x.u)
		}
		if !exact {
			notes = append(notes, fmt.Sprintf("--u %s is no double; the nearest is used", x.u))
		}
		frac, exp := math.Frexp(u) // u = frac 2^exp, frac in [1/2, 1): 2 frac - 1 has 52 bits
		m := uint64(math.Ldexp(2*frac-1, 52))
		in["m"], in["e"] = wire.NewUint(m), wire.NewInt(int64(1-exp))
		return notes, nil
	case given("m") && given("e"):
		if in["m"], err = wire.Parse(wire.Int, x.m); err != nil {
			return nil, fmt.Errorf("--m: %w", err)
		}
		if in["e"], err = wire.Parse(wire.Int, x.e); err != nil {
			return nil, fmt.Errorf("--e: %w", err)
		}
		return nil, nil
	case given("m") || given("e"):
		return nil, errors.New("--m and --e go together")
	}
	return nil, errors.New("give the random inputs: --u, or --m and --e, or --tape")
}
