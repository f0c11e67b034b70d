package props

import (
	"fmt"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

var monotoneProperties = []Property{
	{"snap-monotone-in-u", []string{"snap"}, func(src gen.Source) Point {
		p := genSnap(src)
		u := drawn(p)
		m, e := drawAfter(src, u.M, u.E)
		return merge(p, ordered(u.M, u.E, m, e))
	}, func(v wire.Voter, p Point) error {
		up := p["s"].Text == "+1"
		return rises(v, p, wire.Values{"m": p["m2"], "e": p["e2"]}, up, "w", "rounded", "r")
	}},
	{"snap-monotone-in-f", []string{"snap"}, func(src gen.Source) Point {
		p := genSnap(src)
		f2 := legal(src)
		if datum(p["f"]).IsFinite() && pick(src, 3) > 0 {
			f2 = above(src, p["f"].Bits())
		}
		p["f"], p["f2"] = orderedPair(p["f"], f64(f2))
		return p
	}, func(v wire.Voter, p Point) error {
		return rises(v, p, wire.Values{"f": p["f2"]}, true, "x", "w", "rounded", "r")
	}},
}

// rises checks that the stages named do not fall (do not rise, when up is
// false) from the case in p to the one with change.
func rises(v wire.Voter, p Point, change wire.Values, up bool, stages ...string) error {
	a, err := value(v, "snap", question("snap", p, nil))
	if err != nil {
		return err
	}
	b, err := value(v, "snap", question("snap", p, change))
	if err != nil {
		return err
	}
	for _, s := range stages {
		lo, hi := a[s].Float(), b[s].Float()
		if !up {
			lo, hi = hi, lo
		}
		if !(lo <= hi) {
			return fmt.Errorf("stage %s goes from %s to %s", s, hex(a[s].Float()), hex(b[s].Float()))
		}
	}
	return nil
}
