// Package verify asks every voter every published case and counts votes.
package verify

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/parallel"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// MinVotes is the number of voters that must answer every case: one voter
// agreeing with a file it may have made itself proves nothing.
const MinVotes = 2

// Tally counts what one voter did with the cases of one operation.
type Tally struct {
	Voter     string `json:"voter"`
	Cast      int    `json:"cast"`
	Abstained int    `json:"abstained"`
	Failed    int    `json:"failed"` // of the votes cast
}

// OpReport is the outcome for one operation.
type OpReport struct {
	Op       string        `json:"op"`
	Cases    int           `json:"cases"`
	Votes    []Tally       `json:"votes"`
	Failures int           `json:"failures"` // cases with a failed vote or too few votes
	Time     time.Duration `json:"nanoseconds"`
}

// Failure is one vote that differs from the published answer, or a case with too
// few votes (Voter is empty then).
type Failure struct {
	Case  corpus.Case
	Sig   wire.Signature
	Flags map[string]corpus.Flag // what the flags of the case mean
	Voter string
	Got   wire.Result
	Diff  *wire.Difference
	Votes int
}

// DigestReport is the outcome of the digests of one operation for one voter.
type DigestReport struct {
	Op     string        `json:"op"`
	Voter  string        `json:"voter"`
	Cases  int           `json:"cases"`
	Failed []int         `json:"failed_blocks"`
	Error  string        `json:"error,omitempty"`
	Time   time.Duration `json:"nanoseconds"`
}

// Report is the outcome of a run.
type Report struct {
	Ops      []OpReport
	Digests  []DigestReport
	Failures []Failure
}

// OK reports whether everything agreed.
func (r Report) OK() bool {
	for _, d := range r.Digests {
		if len(d.Failed) > 0 || d.Error != "" {
			return false
		}
	}
	return len(r.Failures) == 0
}

// Cases, Cast and Abstained add up over the operations.
func (r Report) Cases() (cases, cast, abstained int) {
	for _, op := range r.Ops {
		cases += op.Cases
		for _, t := range op.Votes {
			cast += t.Cast
			abstained += t.Abstained
		}
	}
	return
}

// Select keeps the cases whose id matches the glob, as path.Match reads it; a
// glob without a slash is matched with the name of the operation. An empty glob
// keeps all.
func Select(files []corpus.File, glob string) ([]corpus.File, error) {
	if glob == "" {
		return files, nil
	}
	if _, err := path.Match(glob, ""); err != nil {
		return nil, fmt.Errorf("bad glob %q: %w", glob, err)
	}
	var out []corpus.File
	for _, f := range files {
		kept := f
		kept.Cases = nil
		for _, c := range f.Cases {
			if matches(glob, c.ID) {
				kept.Cases = append(kept.Cases, c)
			}
		}
		if len(kept.Cases) > 0 {
			out = append(out, kept)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no case matches %q; `crosscheck list cases` prints the ids", glob)
	}
	return out, nil
}

func matches(glob, id string) bool {
	if !strings.Contains(glob, "/") {
		id, _, _ = strings.Cut(id, "/")
	}
	ok, _ := path.Match(glob, id)
	return ok
}

// Run asks all voters all cases. step, if not nil, is told how far it is.
func Run(files []corpus.File, voters []wire.Voter, step func(done, total int)) (Report, error) {
	var r Report
	total, before := 0, 0
	for _, f := range files {
		total += len(f.Cases)
	}
	for _, f := range files {
		op, ok := ops.Find(f.Op)
		if !ok {
			return r, fmt.Errorf("unknown op %q", f.Op)
		}
		start := time.Now()
		answers := make([][]wire.Result, len(f.Cases))
		err := parallel.Do(len(f.Cases), func(i int) error {
			for _, v := range voters {
				answers[i] = append(answers[i], v.Answer(f.Cases[i].Case))
			}
			return nil
		}, func(done, _ int) {
			if step != nil {
				step(before+done, total)
			}
		})
		if err != nil {
			return r, err
		}
		before += len(f.Cases)
		or, failures := judge(op.Signature, f, voters, answers)
		or.Time = time.Since(start)
		r.Ops = append(r.Ops, or)
		r.Failures = append(r.Failures, failures...)
	}
	return r, nil
}

// judge compares the answers of one operation with what is published.
func judge(sig wire.Signature, f corpus.File, voters []wire.Voter, answers [][]wire.Result) (OpReport, []Failure) {
	or := OpReport{Op: sig.Op, Cases: len(f.Cases)}
	for _, v := range voters {
		or.Votes = append(or.Votes, Tally{Voter: v.Name()})
	}
	var failures []Failure
	for i, c := range f.Cases {
		votes, failed := 0, false
		for j, got := range answers[i] {
			t := &or.Votes[j]
			if got.Skip != "" {
				t.Abstained++
				continue
			}
			votes++
			t.Cast++
			if d := wire.Compare(sig, c.Want, got); d != nil {
				t.Failed++
				failed = true
				failures = append(failures, Failure{Case: c, Sig: sig, Flags: f.Flags, Voter: t.Voter, Got: got, Diff: d})
			}
		}
		if votes < MinVotes {
			failed = true
			failures = append(failures, Failure{Case: c, Sig: sig, Votes: votes})
		}
		if failed {
			or.Failures++
		}
	}
	return or, failures
}

// RunDigests recomputes published digests with the voters, blocks of each
// operation up to limit (0 for all).
func RunDigests(d corpus.Digests, list []ops.Op, voters []wire.Voter, limit int, step func(done, total int)) []DigestReport {
	type job struct {
		report, block int
	}
	var (
		reports []DigestReport
		jobs    []job
	)
	sigs, vs := []ops.Op{}, []wire.Voter{}
	for _, op := range list {
		blocks := d.Blocks[op.Op]
		if limit > 0 && limit < len(blocks) {
			blocks = blocks[:limit]
		}
		for _, v := range voters {
			for b := range blocks {
				jobs = append(jobs, job{len(reports), b})
			}
			sigs, vs = append(sigs, op), append(vs, v)
			reports = append(reports, DigestReport{Op: op.Op, Voter: v.Name(), Cases: len(blocks) * d.BlockSize})
		}
	}
	type outcome struct {
		sum  string
		err  error
		time time.Duration
	}
	outcomes := make([]outcome, len(jobs))
	_ = parallel.Do(len(jobs), func(i int) error {
		start := time.Now()
		op := sigs[jobs[i].report]
		o := &outcomes[i]
		o.sum, o.err = corpus.DigestBlock(vs[jobs[i].report], op.Signature, op.Derive, jobs[i].block)
		o.time = time.Since(start)
		return nil // every block is reported; none stops the others
	}, step)
	for i, o := range outcomes {
		r := &reports[jobs[i].report]
		r.Time += o.time
		switch {
		case o.err != nil:
			r.Error = o.err.Error()
		case o.sum != d.Blocks[r.Op][jobs[i].block]:
			r.Failed = append(r.Failed, jobs[i].block)
		}
	}
	return reports
}
