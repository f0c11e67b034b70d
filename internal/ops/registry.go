package ops

import (
	"fmt"
	"math/big"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/third"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// Op is one operation of the protocol.
type Op struct {
	wire.Signature
	// Generate makes a case weighted toward the edges.
	Generate func(gen.Source) wire.Values
	// Derive makes a digest case from a SplitMix64 stream; see vectors/PROTOCOL.md,
	// "Digests". nil when the operation has no digest.
	Derive func(gen.Source) wire.Values
}

// All is every operation, in the order of their building.
var All = []Op{
	{sigLn, gen.Ln, deriveX},
	{sigLnPair, gen.LnPair, deriveLnPair},
	{sigPow2Ceil, gen.Ln, deriveX},
	{sigPow2CeilInv, gen.Ln, deriveX},
	{sigRoundMultiple, gen.RoundMultiple, deriveRoundMultiple},
	{sigClamp, gen.Clamp, deriveClamp},
	{sigUniform, gen.Uniform, deriveUniform},
	{sigSnap, gen.Snap, deriveSnap},
	{sigSnapCalibrate, gen.Calibrate, deriveCalibrate},
	{sigSnapRelease, gen.SnapRelease, deriveSnapRelease},
	{sigSnapProb, gen.SnapProb, nil},
	{sigSnapLoss, gen.SnapLoss, nil},
	{sigSnapWide, gen.SnapWide, nil},
	{sigWideCalibrate, gen.WideCalibrate, nil},
}

// Lookup finds the signature of an operation by name.
func Lookup(name string) (wire.Signature, bool) {
	op, ok := Find(name)
	return op.Signature, ok
}

// Find finds an operation by name.
func Find(name string) (Op, bool) {
	for _, op := range All {
		if op.Op == name {
			return op, true
		}
	}
	return Op{}, false
}

// Voters returns the voters that share no code: the implementation, the exact
// oracle, and a third one on big.Float and bigfloat.
func Voters() []wire.Voter { return []wire.Voter{Impl(), Oracle(), third.New()} }

// Voter finds a voter by name.
func Voter(name string) (wire.Voter, error) {
	names := ""
	for _, v := range Voters() {
		if v.Name() == name {
			return v, nil
		}
		names += " " + v.Name()
	}
	return nil, fmt.Errorf("no voter %q; there are:%s", name, names)
}

// Func answers the cases of one operation.
type Func func(wire.Values) wire.Result

// table is a voter made of one function per operation.
type table struct {
	name  string
	funcs map[string]Func
}

func (t table) Name() string { return t.name }

// Answer abstains from operations it does not have.
func (t table) Answer(c wire.Case) wire.Result {
	f, ok := t.funcs[c.Op]
	if !ok {
		return wire.Skipped("%s does not answer %s", t.name, c.Op)
	}
	return f(c.In)
}

// NewVoter makes a voter of functions, for mutants and tests.
func NewVoter(name string, funcs map[string]Func) wire.Voter { return table{name, funcs} }

// maxReach is the limit of snap_prob and snap_loss: (hi - lo)/lambda <= 2^14.
const maxReach = 1 << 14

// reachable reports whether legal parameters are within that limit, exactly.
func reachable(in wire.Values) bool {
	width := exact(in["hi"])
	width.Sub(width, exact(in["lo"]))
	limit, value := big.NewRat(maxReach, 1), exact(in["value"])
	if in["scale"].Text == "epsilon" {
		return width.Mul(width, value).Cmp(limit) <= 0
	}
	return width.Cmp(limit.Mul(limit, value)) <= 0
}

// exact returns a finite F64 as a rational; what is not finite counts as 0 and is
// rejected by whoever computes with it.
func exact(v wire.Value) *big.Rat {
	r := new(big.Rat)
	r.SetFloat64(v.Float())
	return r
}

// integer returns v as an int64, or ok = false when it is beyond that, which
// every operation answers with a domain rejection.
func integer(v wire.Value) (n int64, ok bool) {
	return v.Big().Int64(), v.Big().IsInt64()
}

const (
	rejectDomain     = "domain"
	rejectHypothesis = "hypothesis"
	rejectOverflow   = "overflow"
	rejectTape       = "tape"
)

// Describe says in a line what a voter is.
func Describe(voter string) string {
	switch voter {
	case "impl":
		return "package impl: bit manipulation on binary64, as production runs it"
	case "oracle":
		return "package oracle: exact rationals and enclosures, the judge"
	case "bigfloat":
		return "big.Float and github.com/ALTree/bigfloat: a third opinion, abstains where it is unfit"
	}
	return ""
}
