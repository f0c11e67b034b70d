package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/atomicfile"
	"github.com/dp-crosscheck/crosscheck/internal/explain"
	"github.com/dp-crosscheck/crosscheck/internal/loss"
	"github.com/dp-crosscheck/crosscheck/spec"
)

type lossFlags struct {
	scale, value, lo, hi, f, f2, sensitivity string
	kind                                     string
	claims                                   []string
	search                                   int
	seed                                     uint64
	freeScale                                bool
	limit                                    time.Duration
	rows                                     int
	plot, format                             string
}

func lossCommand() *cobra.Command {
	var x lossFlags
	c := &cobra.Command{
		Use:   "loss",
		Short: "Compute the exact privacy loss of every output, and compare it with the bounds",
		Long: `loss computes the exact probability of every output of the snapping mechanism for two
inputs f and f2, the privacy loss of each, and says whether the worst is within the
bounds in use. Nothing is sampled: probabilities are exact fractions, and losses are
enclosed until every comparison is decided.

Without --f and --f2 it searches for a bad pair of inputs --sensitivity apart, by
climbing from grid edges, ties, binade crossings and bounds, and reports the pair found.
A search finds the same pair again with the same --search and --seed.

It also tells how far off a release of f is: exact expected error and confidence radii.`,
		Example: `  crosscheck loss --value 1 --lo -100 --hi 100 --f 0 --f2 1
  crosscheck loss --scale epsilon --value 0.7 --lo -100 --hi 100 --search 50000 --plot loss.svg
  crosscheck loss --value 1 --lo -1000 --hi 1000 --f 0 --f2 1 --kind binary64`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return x.execute(cmd) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&x.scale, "scale", "lambda", "what --value is: lambda or epsilon")
	f.StringVar(&x.value, "value", "", "lambda; with --scale epsilon, epsilon = 1/lambda")
	f.StringVar(&x.lo, "lo", "", "lower bound")
	f.StringVar(&x.hi, "hi", "", "upper bound")
	f.StringVar(&x.f, "f", "", "the true answer; with --f2, instead of a search")
	f.StringVar(&x.f2, "f2", "", "the true answer of the neighbour")
	f.StringVar(&x.sensitivity, "sensitivity", "", "D of the bounds (default |clamp(f) - clamp(f2)|; 1 in a search)")
	f.StringVar(&x.kind, "kind", "unbounded", "which U*: unbounded or binary64")
	f.StringSliceVar(&x.claims, "claim", []string{"published", "proved", "sharp"}, "bounds to compare with: published, proved, sharp or c:a:b for (D + c max(B, b lambda) eta)/lambda + a eta")
	f.IntVar(&x.search, "search", 20000, "pairs of inputs a search tries")
	f.Uint64Var(&x.seed, "seed", 1, "of the search")
	f.BoolVar(&x.freeScale, "free-scale", false, "let the search move the low bits of --value too")
	f.DurationVar(&x.limit, "time", 0, "end the search after this time (it may then find another pair each run)")
	f.IntVar(&x.rows, "rows", 20, "outputs to show; 0 for all")
	f.StringVar(&x.plot, "plot", "", "also draw loss and probability into `FILE`.svg or FILE.png, which is replaced")
	f.StringVar(&x.format, "format", "text", "text or json")
	return c
}

func (x lossFlags) execute(cmd *cobra.Command) error {
	r, err := x.request(cmd)
	if err != nil {
		return err
	}
	image := ""
	if x.plot != "" {
		if image, err = loss.PlotFormat(x.plot); err != nil {
			return err
		}
	}
	if err := loss.Outputs(r); err != nil {
		return err
	}
	var head bytes.Buffer
	if !cmd.Flags().Changed("f") {
		found, err := x.find(cmd, &r)
		if err != nil {
			return err
		}
		if x.format == "text" {
			fmt.Fprintf(&head, "searched %d pairs (--seed %d); the worst found:\n", found.Evaluations, x.seed)
			if found.Cut {
				fmt.Fprintln(&head, "the search was cut short by --time: it may find another pair next time")
			}
			fmt.Fprintf(&head, "  --value %s --f %s --f2 %s\n\n", hexFloat(r.Params.Value), hexFloat(r.F), hexFloat(r.F2))
		}
	}
	bar := newProgress(cmd.ErrOrStderr(), "outputs")
	p, err := loss.Compute(r, bar.step)
	bar.done()
	if err != nil {
		return err
	}
	if x.plot != "" {
		var b bytes.Buffer
		if err := p.Plot(&b, image); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		if err := atomicfile.Write(x.plot, b.Bytes()); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
	}
	if x.format == "json" {
		return p.JSON(cmd.OutOrStdout(), x.rows)
	}
	return whole(cmd.OutOrStdout(), func(w io.Writer) {
		_, _ = head.WriteTo(w)
		p.Text(w, x.rows)
	})
}

// request reads the flags; F and F2 are left out for a search.
func (x lossFlags) request(cmd *cobra.Command) (loss.Request, error) {
	given := cmd.Flags().Changed
	r := loss.Request{Params: spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleKind(x.scale)}, Kind: spec.Kind(x.kind)}
	if err := checkFormat(x.format); err != nil {
		return r, err
	}
	switch {
	case x.scale != string(spec.ScaleLambda) && x.scale != string(spec.ScaleEpsilon):
		return r, fmt.Errorf("--scale is lambda or epsilon, not %q", x.scale)
	case x.kind != string(spec.Unbounded) && x.kind != string(spec.FloatRange):
		return r, fmt.Errorf("--kind is unbounded or binary64, not %q", x.kind)
	case given("f") != given("f2"):
		return r, errors.New("--f and --f2 go together; without both, bad inputs are searched for")
	case x.rows < 0:
		return r, fmt.Errorf("--rows %d: it cannot be negative", x.rows)
	case x.limit < 0:
		return r, fmt.Errorf("--time %v: it cannot be negative", x.limit)
	case given("plot") && x.plot == "":
		return r, errors.New("--plot needs the name of a file")
	case x.search < 1:
		return r, fmt.Errorf("--search %d: at least one pair must be tried", x.search)
	}
	for _, name := range []string{"search", "seed", "free-scale", "time"} {
		if given("f") && given(name) {
			return r, fmt.Errorf("--%s is for a search: leave out --f and --f2, or --%s", name, name)
		}
	}
	var err error
	read := func(name, text string, to *spec.Value) {
		if err != nil {
			return
		}
		if text == "" {
			err = fmt.Errorf("--%s is missing", name)
			return
		}
		v, _, e := explain.ParseNumber(text)
		if e != nil {
			err = fmt.Errorf("--%s: %w", name, e)
			return
		}
		*to = spec.FromBits64(v.Bits())
	}
	read("value", x.value, &r.Params.Value)
	read("lo", x.lo, &r.Params.Lo)
	read("hi", x.hi, &r.Params.Hi)
	d := spec.FromFloat64(1)
	if given("f") {
		read("f", x.f, &r.F)
		read("f2", x.f2, &r.F2)
	}
	if given("sensitivity") {
		read("sensitivity", x.sensitivity, &d)
	}
	if err != nil {
		return r, err
	}
	if !d.IsFinite() || d.Sign() <= 0 {
		return r, fmt.Errorf("--sensitivity %s: it must be positive and finite", x.sensitivity)
	}
	if r.Sensitivity = d.Dyadic(); given("f") && !given("sensitivity") {
		if r.Sensitivity, err = loss.Distance(r.Params, r.Kind, r.F, r.F2); err != nil {
			return r, err
		}
	}
	r.Claims, err = claims(x.claims)
	return r, err
}

// claims reads --claim.
func claims(names []string) ([]spec.Claim, error) {
	var list []spec.Claim
next:
	for _, name := range names {
		for _, c := range spec.Claims {
			if c.Name == name {
				list = append(list, c)
				continue next
			}
		}
		parts := strings.Split(name, ":")
		var n [3]int64
		if len(parts) != 3 {
			return nil, fmt.Errorf("--claim %q is not published, proved, sharp or c:a:b", name)
		}
		for i, p := range parts {
			v, err := strconv.ParseInt(p, 10, 32)
			if err != nil || v < 0 {
				return nil, fmt.Errorf("--claim %q: c, a and b are integers from 0 to 2^31 - 1", name)
			}
			n[i] = v
		}
		list = append(list, spec.Claim{Name: name, C: n[0], A: n[1], Floor: n[2]})
	}
	if len(list) == 0 {
		return nil, errors.New("--claim is empty")
	}
	return list, nil
}

// find searches, and puts what it finds into the request.
func (x lossFlags) find(cmd *cobra.Command, r *loss.Request) (loss.Found, error) {
	if r.Kind != spec.Unbounded {
		return loss.Found{}, errors.New("the search knows the unbounded draw only: give --f and --f2 with --kind binary64")
	}
	bits, err := spec.Binary64.Encode(spec.FromDyadic(r.Sensitivity))
	if err != nil {
		return loss.Found{}, err
	}
	bar := newProgress(cmd.ErrOrStderr(), "pairs tried")
	defer bar.done()
	found, err := loss.Search(r.Params, loss.SearchOptions{
		Sensitivity: math.Float64frombits(bits), Claim: r.Claims[len(r.Claims)-1],
		Evaluations: x.search, Seed: x.seed, FreeScale: x.freeScale, Limit: x.limit,
	}, bar.step)
	if err != nil {
		return found, err
	}
	r.Params, r.F, r.F2 = found.Params, spec.FromFloat64(found.F), spec.FromFloat64(found.F2)
	return found, nil
}

// hexFloat writes a double so that it can be given again.
func hexFloat(v spec.Value) string {
	b, err := spec.Binary64.Encode(v)
	if err != nil {
		return v.String()
	}
	return strconv.FormatFloat(math.Float64frombits(b), 'x', -1, 64)
}
