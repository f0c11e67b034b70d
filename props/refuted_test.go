package props

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/cases"
	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

// refuted are published claims that are false, each as a property that both engines must
// find a counterexample to. witness is the published case that holds one; where a claim is
// false for few inputs the simplest draw is that witness, and the others lie around it.
var refuted = []struct {
	claim, document, witness string
	generate                 func(gen.Source) Point
	check                    func(v wire.Voter, p Point) error
}{
	{
		"the published bound for the published draw", "published-draw", "snap_loss/witness-published-draw-infinite",
		func(src gen.Source) Point {
			lambda := 1 + float64(src.Uint64()>>11)*0x1p-53
			b := lambda * (360 + float64(pick(src, 30)))
			f := b * (float64(src.Uint64()>>11)*0x1p-52 - 1)
			return world("lambda", "binary64", lambda, b, f, f+lambda)
		}, published,
	},
	{
		"the published bound without lambda <= B", "published-small-bound", "snap_loss/witness-small-bound",
		func(src gen.Source) Point {
			p := world("lambda", "unbounded", 0x1.0e24ea291b411p-1, 0x1.e30e65089ac62p-4, -0x1.e30e642eeb6cbp-4, -0x1.e30e63f4e198ap-4)
			if pick(src, 2) == 1 {
				p["f"] = f64(p["f"].Bits() + uint64(pick(src, 9)))
			}
			return p
		}, published,
	},
	{
		"the published bound with the output x in place of B", "liu-theorem-2", "snap_prob/witness-output-for-bound-f",
		func(src gen.Source) Point {
			lambda := 0x1.1f5ef1a876da6p-1
			if pick(src, 2) == 1 {
				lambda = 0.5 + float64(src.Uint64()>>11)*0x1p-54
			}
			return world("lambda", "unbounded", lambda, 300, 298, 299)
		}, func(v wire.Voter, p Point) error {
			var pr [2]*big.Rat
			for i, f := range []string{"f", "f2"} {
				out, err := value(v, "snap_prob", question("snap_prob", p, wire.Values{"f": p[f], "x": wire.NewFloat(0)}))
				if err != nil {
					return err
				}
				pr[i] = out["p"].Rat()
			}
			return exceeds(pr[0], pr[1], p, big.NewRat(0, 1))
		},
	},
	{
		"the chain of case x = -B: e^(epsilon (1+eta)^2 2B) <= e^(epsilon + 12 B epsilon eta + 2 eta)", "liu-chain", "snap_loss/plain-unbounded-001",
		func(src gen.Source) Point {
			return world("epsilon", "unbounded", 1, 1+float64(pick(src, 300)), 0, 1)
		}, func(_ wire.Voter, p Point) error {
			eta := new(big.Rat).SetFrac(big.NewInt(1), big.NewInt(1<<53))
			b, epsilon := exactRat(p["hi"]), exactRat(p["value"])
			product := func(xs ...*big.Rat) *big.Rat {
				all := big.NewRat(1, 1)
				for _, x := range xs {
					all.Mul(all, x)
				}
				return all
			}
			up := new(big.Rat).Add(big.NewRat(1, 1), eta)
			left := product(epsilon, up, up, big.NewRat(2, 1), b)
			right := new(big.Rat).Add(epsilon, product(big.NewRat(12, 1), b, epsilon, eta))
			right.Add(right, product(big.NewRat(2, 1), eta))
			if left.Cmp(right) > 0 {
				return fmt.Errorf("the exponent %s exceeds %s", left.FloatString(3), right.FloatString(3))
			}
			return nil
		},
	},
	{
		"the bound that the intervals give is within epsilon + 12 B epsilon eta + 2 eta", "interval-derivation", "snap_loss/witness-interval-12-95",
		func(src gen.Source) Point {
			b := float64(10 + pick(src, 300))
			return world("epsilon", "unbounded", 1, b, b-1, b)
		}, func(_ wire.Voter, p Point) error {
			x := datum(p["f"]).Neg()
			r, err := cases.New(snapParams64(p), spec.Unbounded, datum(p["f"]), datum(p["f2"]), x)
			if err != nil {
				return nil // no refutation
			}
			if !r.Claims[0].Reached {
				return fmt.Errorf("at x = %v the derived bound %v is above %s", x, r.Derived, r.Claims[0].Formula)
			}
			return nil
		},
	},
}

func world(scale, kind string, value, b, f, f2 float64) Point {
	return Point{
		"scale": wire.NewWord(wire.ScaleOf, scale), "kind": wire.NewWord(wire.Kind, kind), "value": wire.NewFloat(value),
		"lo": wire.NewFloat(-b), "hi": wire.NewFloat(b), "f": wire.NewFloat(f), "f2": wire.NewFloat(f2),
	}
}

// published is the bound (|f - f2| + 12 B eta)/lambda + 2 eta on the worst loss.
func published(v wire.Voter, p Point) error {
	out, err := value(v, "snap_loss", question("snap_loss", p, nil))
	if err != nil {
		return err
	}
	return exceeds(out["p"].Rat(), out["p2"].Rat(), p, exactRat(p["hi"]))
}

// exceeds reports |ln(a/b)| > (|f - f2| + 12 reach eta)/lambda + 2 eta, comparing a/b with the
// first terms of the exponential's series and what they leave out.
func exceeds(a, b *big.Rat, p Point, reach *big.Rat) error {
	if a.Sign() == 0 || b.Sign() == 0 {
		return fmt.Errorf("the loss is infinite: %v, %v", a.FloatString(5), b.FloatString(5))
	}
	if a.Cmp(b) < 0 {
		a, b = b, a
	}
	eta := new(big.Rat).SetFrac(big.NewInt(1), big.NewInt(1<<53))
	x := new(big.Rat).Sub(exactRat(p["f"]), exactRat(p["f2"]))
	x.Abs(x).Add(x, new(big.Rat).Mul(reach, new(big.Rat).Mul(big.NewRat(12, 1), eta)))
	if value := exactRat(p["value"]); p["scale"].Text == "epsilon" {
		x.Mul(x, value)
	} else {
		x.Quo(x, value)
	}
	x.Add(x, new(big.Rat).Mul(big.NewRat(2, 1), eta))
	// x < 2: 80 terms leave less than 2^-300. Above that the loss exceeds x.
	sum, term := big.NewRat(1, 1), big.NewRat(1, 1)
	x = new(big.Rat).SetFrac(new(big.Int).Quo(new(big.Int).Lsh(x.Num(), 400), x.Denom()), new(big.Int).Lsh(big.NewInt(1), 400))
	for n := int64(1); n < 80; n++ {
		term.Mul(term, x).Mul(term, big.NewRat(1, n))
		sum.Add(sum, term)
	}
	sum.Add(sum, new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 250)))
	if ratio := new(big.Rat).Quo(a, b); ratio.Cmp(sum) > 0 {
		r, _ := ratio.Float64()
		return fmt.Errorf("the loss is %g, above the claim", math.Log(r))
	}
	return nil
}

func exactRat(v wire.Value) *big.Rat { return new(big.Rat).SetFloat64(v.Float()) }

// Both engines refute each claim, with the implementation and with the oracle as the
// mechanism; and the published witness does.
func TestRefutedClaims(t *testing.T) {
	for _, c := range refuted {
		for _, e := range engines {
			for _, v := range []wire.Voter{ops.Impl(), ops.Oracle()} {
				got := e.run(job{points: 12, seed: 7, shrink: 100 * time.Millisecond, generate: c.generate, check: func(x Point) error { return c.check(v, x) }})
				require.Error(t, got.err, "%s under %s", c.claim, e.name)
				t.Logf("%s, %s, %s: %v", c.claim, e.name, v.Name(), got)
			}
		}
	}
	// Each names a published case and a document that exist.
	var files []corpus.File
	for _, name := range []string{"snap_prob", "snap_loss"} {
		data, err := vectors.Files.ReadFile(vectors.Dir + "/" + name + ".json")
		require.NoError(t, err)
		f, err := corpus.Decode(data, ops.Lookup)
		require.NoError(t, err)
		files = append(files, f)
	}
	for _, c := range refuted {
		found := false
		for _, f := range files {
			for _, k := range f.Cases {
				found = found || k.ID == c.witness
			}
		}
		require.True(t, found, c.witness)
		_, err := os.Stat("../proofs/" + c.document + ".md")
		require.NoError(t, err)
	}
	// The check itself: the same claims hold where their hypotheses do.
	for _, p := range []Point{
		world("lambda", "unbounded", 1, 10, 0, 1), world("lambda", "unbounded", 1, 1000, 0, 1), world("epsilon", "unbounded", 1, 300, 299, 300),
	} {
		require.NoError(t, published(ops.Impl(), p))
	}
}
