package props

import (
	"errors"
	"fmt"
	"math"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/props/library"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// Properties of the production types of package impl, which are no voters. They
// ask the library that comes with the voter: package impl, or a wrong one. The
// third compares it with the voter's own answers.
var libraryProperties = []Property{
	{"constructor-hypotheses", nil, genConstruction, func(v wire.Voter, p Point) error { return constructed(library.Of(v), p) }},
	{"constructor-constants", nil, func(src gen.Source) Point {
		names := []string{"", "Proved", "mironov"} // that no claim has
		for _, c := range spec.Claims {
			names = append(names, c.Name)
		}
		return Point{"claim": {Text: names[len(names)-1-pick(src, len(names))]}}
	}, named},
	{"production-release", []string{"snap_release"}, func(src gen.Source) Point {
		p := genRelease(src)
		value := math.Float64frombits(gen.Moderate(src))
		lambda := value
		if p["scale"].Text == "epsilon" {
			lambda = 1 / value
		}
		b := lambda * (1.5 + float64(pick(src, 1<<16))/8) // above lambda, below 2^38 lambda
		p["value"], p["lo"], p["hi"] = wire.NewFloat(value), wire.NewFloat(-b), wire.NewFloat(b)
		if pick(src, 4) == 3 {
			p["lo"] = wire.NewFloat(b * 0.3)
		}
		p["kind"] = wire.NewWord(wire.Kind, "unbounded")
		p["claim"] = wire.Value{Text: spec.Claims[pick(src, len(spec.Claims))].Name}
		return p
	}, productionRelease},
}

// named compares what a name gives with the claim of that name, if there is one.
func named(v wire.Voter, p Point) error {
	got, err := library.Of(v).Claim(p["claim"].Text)
	claim, _, none := claimOf(p)
	if none != nil {
		var domain *impl.DomainError
		if !errors.As(err, &domain) || got != (library.Claim{}) {
			return fmt.Errorf("%q names no claim, and gives %v, %v", p["claim"].Text, got, err)
		}
		return nil
	}
	if want := (library.Claim{Name: claim.Name, C: claim.C, A: claim.A, Floor: claim.Floor}); err != nil || got != want {
		return fmt.Errorf("the library has %v (%v), spec has %v", got, err, want)
	}
	return nil
}

func claimOf(p Point) (spec.Claim, impl.Constant, error) {
	for _, c := range spec.Claims {
		if c.Name == p["claim"].Text {
			var k impl.Constant
			return c, k, k.UnmarshalText([]byte(c.Name))
		}
	}
	return spec.Claim{}, impl.Constant{}, fmt.Errorf("no claim %q", p["claim"].Text)
}

func productionRelease(v wire.Voter, p Point) error {
	_, constant, err := claimOf(p)
	if err != nil {
		return err
	}
	want, err := ask(v, "snap_release", question("snap_release", p, nil))
	if err != nil {
		return err
	}
	got := wire.Result{}
	r, consumed, err := library.Of(v).Release(impl.ScaleParams{
		Scale: kindOf(p), Value: p["value"].Float(), Sensitivity: 1, Lo: p["lo"].Float(), Hi: p["hi"].Float(), Constant: constant,
	}, p["f"].Float(), p["tape"].Bytes())
	var end *derand.TapeError
	switch {
	case errors.As(err, &end):
		got.Reject = "tape"
	case err != nil:
		return fmt.Errorf("these parameters are legal: %w", err)
	default:
		got.Out = wire.Values{"r": wire.NewFloat(r), "consumed": wire.NewInt(int64(consumed))}
	}
	if a, b := show(got, "r", "consumed"), show(want, "r", "consumed"); a != b {
		return fmt.Errorf("the production object gives %s, snap_release of %s gives %s", a, v.Name(), b)
	}
	return nil
}

// kindOf is the scale kind named in p; 0 for a word that names none.
func kindOf(p Point) impl.ScaleKind {
	return map[string]impl.ScaleKind{"lambda": impl.Lambda, "epsilon": impl.InverseEpsilon}[p["scale"].Text]
}
