// Package plan says which cases are published: for every operation the edges by
// hand, families around them, and seeded draws of the edge-weighted generators.
// Ids are immutable. Every seeded case has a stream of its own, named after its
// group and number, so that a longer plan leaves the earlier cases as they are.
package plan

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Seed is the name every stream's seed begins with.
const Seed = "crosscheck-vectors-1"

// plans has one builder for each operation.
var plans = map[string]func(*builder) error{
	"ln":             planLn,
	"ln_pair":        planLnPair,
	"pow2_ceil":      planPow2Ceil,
	"pow2_ceil_inv":  planPow2CeilInv,
	"round_multiple": planRoundMultiple,
	"clamp":          planClamp,
	"uniform":        planUniform,
	"snap":           planSnap,
	"snap_calibrate": planCalibrate,
	"snap_release":   planRelease,
	"snap_prob":      planProb,
	"snap_loss":      planLoss,
	"snap_wide":      planSnapWide,
	"wide_calibrate": planWideCalibrate,
}

// Cases returns the planned cases of an operation, without answers.
func Cases(op ops.Op) ([]corpus.Case, error) {
	build, ok := plans[op.Op]
	if !ok {
		return nil, fmt.Errorf("no vectors are planned for %s", op.Op)
	}
	return planned(op, build)
}

func planned(op ops.Op, build func(*builder) error) ([]corpus.Case, error) {
	b := &builder{op: op, count: map[string]int{}, judge: ops.Oracle()}
	if err := build(b); err != nil {
		return nil, fmt.Errorf("planning %s: %w", op.Op, err)
	}
	if err := b.ports(); err != nil {
		return nil, err
	}
	return b.cases, nil
}

type builder struct {
	op    ops.Op
	cases []corpus.Case
	count map[string]int
	judge wire.Voter // classifies seeded cases; answers are voted on later
}

// add appends a case to a group; the id is op/group-NNN.
func (b *builder) add(group, comment string, in wire.Values, flags ...string) {
	b.count[group]++
	b.append(fmt.Sprintf("%s/%s-%03d", b.op.Op, group, b.count[group]), comment, in, flags)
}

// one appends a case with an id of its own.
func (b *builder) one(slug, comment string, in wire.Values, flags ...string) {
	b.append(b.op.Op+"/"+slug, comment, in, flags)
}

func (b *builder) append(id, comment string, in wire.Values, flags []string) {
	b.cases = append(b.cases, corpus.Case{
		Case: wire.Case{ID: id, Op: b.op.Op, In: in}, Flags: flags, Comment: comment,
	})
}

// stream is the source of the j-th attempt of a group.
func (b *builder) stream(group string, j int) gen.Source {
	h := fnv.New64a()
	h.Write([]byte(Seed + "/" + b.op.Op + "/" + group + "/" + strconv.Itoa(j)))
	return &gen.SplitMix64{State: h.Sum64()}
}

// seeded appends n draws of the operation's generator.
func (b *builder) seeded(group string, n int, comment string, flags ...string) {
	for j := range n {
		b.add(group, comment, b.op.Generate(b.stream(group, j)), flags...)
	}
}

// collect appends the first n draws of generate that accept takes, given the
// judge's answer.
func (b *builder) collect(group string, n int, comment string, generate func(gen.Source) wire.Values,
	accept func(in wire.Values, r wire.Result) bool, flags ...string,
) error {
	const patience = 100_000
	for j := 0; b.count[group] < n; j++ {
		if j > patience {
			return fmt.Errorf("group %s: only %d of %d cases in %d draws", group, b.count[group], n, patience)
		}
		in := generate(b.stream(group, j))
		if accept(in, b.judge.Answer(wire.Case{Op: b.op.Op, In: in})) {
			b.add(group, comment, in, flags...)
		}
	}
	return nil
}

// Shorthands for values.

func fl(x float64) wire.Value   { return wire.NewFloat(x) }
func bits(b uint64) wire.Value  { return wire.NewF64(b) }
func num(n int64) wire.Value    { return wire.NewInt(n) }
func tape(b ...byte) wire.Value { return wire.NewTape(b) }

func ties(up bool) wire.Value {
	if up {
		return wire.NewWord(wire.Ties, "up")
	}
	return wire.NewWord(wire.Ties, "down")
}

func kind(name string) wire.Value  { return wire.NewWord(wire.Kind, name) }
func scale(name string) wire.Value { return wire.NewWord(wire.ScaleOf, name) }

func sign(s int) wire.Value {
	if s < 0 {
		return wire.NewWord(wire.Sign, "-1")
	}
	return wire.NewWord(wire.Sign, "+1")
}

// with returns a copy of v with some fields replaced.
func with(v wire.Values, replace wire.Values) wire.Values {
	out := wire.Values{}
	for k, x := range v {
		out[k] = x
	}
	for k, x := range replace {
		out[k] = x
	}
	return out
}

const (
	minSub  = 0x1p-1074
	minNorm = 0x1p-1022
	maxF    = math.MaxFloat64
)

var (
	inf = math.Inf(1)
	nan = bits(0x7ff8000000000000)
)

// up and down are the neighbours of x.
func up(x float64) float64   { return math.Nextafter(x, math.Inf(1)) }
func down(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

// notPositive are the arguments that operations on positive finite numbers refuse.
var notPositive = []struct {
	slug string
	v    wire.Value
}{
	{"zero", fl(0)}, {"minus-zero", bits(1 << 63)}, {"minus-one", fl(-1)},
	{"minus-subnormal", fl(-minSub)}, {"plus-inf", fl(inf)}, {"minus-inf", fl(-inf)},
	{"nan", nan}, {"nan-payload", bits(0x7ff0000000000001)}, {"nan-negative", bits(0xfff8000000000000)},
}

func (b *builder) rejectNotPositive(base wire.Values, field, prefix string) {
	for _, c := range notPositive {
		b.one(prefix+c.slug, "", with(base, wire.Values{field: c.v}), "domain")
	}
}
