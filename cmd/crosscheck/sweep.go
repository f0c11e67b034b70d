package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/dp-crosscheck/crosscheck/internal/atomicfile"
	"github.com/dp-crosscheck/crosscheck/internal/sweep"
)

type sweepFlags struct {
	format, kind, scale, shard, maxKappa, out string
	claims                                    []string
	inRange, resume                           bool
}

func sweepCommand() *cobra.Command {
	var s sweepFlags
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Try every case of the mechanism in a small format",
		Long: `sweep goes through every noise scale of a small format, every pair of bounds, every
two inputs and every output, computes the exact privacy loss, and counts how often
it exceeds the bound of each claim: (D + c max(B, b lambda) eta)/lambda + a eta with
eta = 2^-p. No case is sampled and no decision is rounded. See docs/sweep.md.

The scales are the units of work. --shard i/n does those with number = i mod n;
'sweep merge' combines the files of all shards into the one of the whole, byte for
byte. The file is replaced after every unit, so that --resume loses only what was
under way. A violated claim is a result, not an error: the exit status is 0.`,
		Example: `  crosscheck sweep --format 3,-2,2
  crosscheck sweep --format 4,-2,2 --claim published --claim 5,0,0 --max-kappa 1/8
  crosscheck sweep --format 4,-2,2 --shard 0/8 --out part-0.json --resume`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("sweep takes flags, or the word merge and files: what is %q?", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return s.execute(cmd) },
	}
	f := c.Flags()
	f.StringVar(&s.format, "format", "", "`p,emin,emax`: bits of significand and the exponents, such as 3,-2,2")
	f.StringVar(&s.kind, "kind", "unbounded", "U*: unbounded or binary64-like, which ends at the smallest number")
	f.StringVar(&s.scale, "scale", "both", "lambda, epsilon or both")
	f.StringArrayVar(&s.claims, "claim", nil, "`c,a,b`, or published, published-hyp, proved, proved-hyp (default: these four); may be repeated")
	f.StringVar(&s.maxKappa, "max-kappa", "", "only cases with max(B, b lambda) eta/lambda at most this `fraction`")
	f.BoolVar(&s.inRange, "in-range", false, "only where every threshold of the proof is a normal number")
	f.StringVar(&s.shard, "shard", "0/1", "`i/n`, 0 <= i < n: only this part of the scales")
	f.StringVar(&s.out, "out", "", "result `file` (JSON)")
	f.BoolVar(&s.resume, "resume", false, "continue the file if it exists")
	c.AddCommand(sweepMergeCommand())
	return c
}

func (s sweepFlags) params() (p sweep.Params, err error) {
	if s.format == "" {
		return p, errors.New("say which format with --format p,emin,emax, such as 3,-2,2")
	}
	if p.Format, err = sweep.ParseFormat(s.format); err != nil {
		return p, err
	}
	if p.Kind, err = sweep.ParseKind(s.kind); err != nil {
		return p, err
	}
	if p.Scales, err = sweep.ParseScales(s.scale); err != nil {
		return p, err
	}
	p.Claims = sweep.Named
	if len(s.claims) > 0 {
		p.Claims = nil
	}
	for _, text := range s.claims {
		c, err := sweep.ParseClaim(text)
		if err != nil {
			return p, err
		}
		p.Claims = append(p.Claims, c)
	}
	if s.maxKappa != "" {
		k, ok := new(big.Rat).SetString(s.maxKappa)
		if !ok || len(s.maxKappa) > 40 || strings.ContainsAny(s.maxKappa, "eEpPxX") { // no exponents: they may ask for any length
			return p, fmt.Errorf("--max-kappa %q is no fraction such as 1/8", s.maxKappa)
		}
		p.MaxKappa = k
	}
	p.InRange = s.inRange
	return p, p.Validate()
}

func (s sweepFlags) execute(cmd *cobra.Command) error {
	p, err := s.params()
	if err != nil {
		return err
	}
	if s.resume && s.out == "" {
		return errors.New("--resume continues the file of --out FILE; name it")
	}
	o := sweep.Options{Params: p, Out: s.out, Resume: s.resume}
	if o.Shard, o.Of, err = sweep.ParseShard(s.shard); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := newProgress(cmd.ErrOrStderr(), "scales")
	o.Step = bar.step
	r, err := sweep.Run(ctx, o)
	bar.done()
	if err != nil {
		return err
	}
	return r.Table(cmd.OutOrStdout())
}

func sweepMergeCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Combine the result files of all shards",
		Long: `merge checks every file (checksum, sums, and each witness against the oracle) and
combines them. Every scale must be in exactly one of them. The result is byte for
byte what a run without shards writes; without --out only the table is shown.`,
		Example: `  crosscheck sweep merge --out all.json part-*.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name the result files of the shards")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			parts, err := sweep.Load(args)
			if err != nil {
				return err
			}
			r, err := sweep.Merge(parts)
			if err != nil {
				return err
			}
			if out != "" {
				data, err := r.Encode()
				if err != nil {
					return err
				}
				if _, err := os.Stat(out); err == nil {
					return fmt.Errorf("%s exists", out)
				}
				if err := atomicfile.Write(out, data); err != nil {
					return err
				}
			}
			return r.Table(cmd.OutOrStdout())
		},
	}
	c.Flags().StringVar(&out, "out", "", "result `file` of the whole, which must not exist")
	return c
}
