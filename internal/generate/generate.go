// Package generate makes the published vector files: the planned cases, asked of
// every voter, written only when at least two answer and all that answer agree.
package generate

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/atomicfile"
	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/parallel"
	"github.com/dp-crosscheck/crosscheck/internal/plan"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

// Version is the version of the generator: it changes when the same plan would
// be written differently.
const Version = "1"

// DisagreementError reports a case that cannot be published.
type DisagreementError struct {
	Case    wire.Case
	Sig     wire.Signature
	Answers map[string]wire.Result // by voter
}

func (e *DisagreementError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s cannot be published: %s", e.Case.ID, wire.EncodeRequest(e.Case, e.Sig))
	names := make([]string, 0, len(e.Answers))
	for n := range e.Answers {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Fprintf(&b, "\n  %-9s %s", n, wire.EncodeAnswer(e.Answers[n], e.Sig))
	}
	return b.String()
}

func generator() corpus.Generator {
	return corpus.Generator{Name: "crosscheck generate", Version: Version, Seed: plan.Seed}
}

// File plans, votes on and assembles the vector file of an operation.
func File(op ops.Op, voters []wire.Voter) (corpus.File, error) {
	cases, err := plan.Cases(op)
	if err != nil {
		return corpus.File{}, err
	}
	f := corpus.File{Header: corpus.Header{
		Op: op.Op, Doc: op.Doc, Protocol: wire.Protocol, Version: vectors.Version,
		Generator: generator(), Votes: map[string]int{},
		In: corpus.Docs(op.In), Out: corpus.Docs(op.Out), Flags: map[string]corpus.Flag{},
	}}
	for _, c := range cases {
		c.Want, err = Vote(c.Case, op.Signature, voters, f.Votes)
		if err != nil {
			return f, err
		}
		for _, name := range c.Flags {
			text, ok := plan.Flags[name]
			if !ok {
				return f, fmt.Errorf("%s: flag %q is not explained", c.ID, name)
			}
			f.Flags[name] = text
		}
		f.Cases = append(f.Cases, c)
	}
	return f, nil
}

// Vote asks every voter and returns the answer when at least two answer and all
// that do agree; votes counts the answers.
func Vote(c wire.Case, sig wire.Signature, voters []wire.Voter, votes map[string]int) (wire.Result, error) {
	answers := map[string]wire.Result{}
	var first *wire.Result
	agree, cast := true, 0
	for _, v := range voters {
		r := v.Answer(c)
		answers[v.Name()] = r
		if r.Skip != "" {
			continue
		}
		cast++
		votes[v.Name()]++
		if first == nil {
			first = &r
		}
		agree = agree && r.Err == "" && wire.Compare(sig, *first, r) == nil
	}
	if !agree || cast < 2 {
		return wire.Result{}, &DisagreementError{c, sig, answers}
	}
	return *first, nil
}

// Digests computes the digests of n blocks per operation that derives cases, with
// the voters that answer every one, and fails where they differ. step is called after
// each block of each voter, with the counts done and to do.
func Digests(list []ops.Op, voters []wire.Voter, n int, step func(done, total int)) (corpus.Digests, error) {
	d := corpus.Digests{
		Protocol: wire.Protocol, Version: vectors.Version, Generator: generator(),
		BlockSize: corpus.BlockSize, Blocks: map[string][]string{},
	}
	for _, v := range voters {
		d.Voters = append(d.Voters, v.Name())
	}
	type job struct{ op, block int }
	var jobs []job
	for i, op := range list {
		if op.Derive == nil {
			continue
		}
		d.Blocks[op.Op] = make([]string, n)
		for b := range n {
			jobs = append(jobs, job{i, b})
		}
	}
	return d, parallel.Do(len(jobs), func(i int) error {
		op, b := list[jobs[i].op], jobs[i].block
		for _, v := range voters {
			sum, err := corpus.DigestBlock(v, op.Signature, op.Derive, b)
			if err != nil {
				return err
			}
			have := &d.Blocks[op.Op][b]
			if *have == "" {
				*have = sum
			} else if *have != sum {
				return fmt.Errorf("digests of %s differ in block %d: %s has %s, %s has %s",
					op.Op, b, voters[0].Name(), *have, v.Name(), sum)
			}
		}
		return nil
	}, step)
}

// Write replaces the file name, in a directory that is made if it is missing.
func Write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(name, data)
}

// Bytes encodes a file and validates it: against the schema, and by reading it
// back.
func Bytes(f corpus.File, sig wire.Signature) ([]byte, error) {
	data, err := f.Encode(sig)
	if err != nil {
		return nil, err
	}
	schema, err := fs.ReadFile(vectors.Files, "schema/vectors.schema.json")
	if err != nil {
		return nil, err
	}
	if err := corpus.Validate(schema, data); err != nil {
		return nil, fmt.Errorf("%s does not follow the schema: %w", f.Op, err)
	}
	back, err := corpus.Decode(data, ops.Lookup)
	if err != nil {
		return nil, fmt.Errorf("%s does not read back: %w", f.Op, err)
	}
	again, err := back.Encode(sig)
	if err != nil || !bytes.Equal(again, data) {
		return nil, fmt.Errorf("%s does not read back to itself (%v)", f.Op, err)
	}
	return data, nil
}
