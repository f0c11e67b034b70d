package plan

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// hardInput is a line of the list made by tools/lnsearch.
type hardInput struct {
	pair     bool
	in       wire.Values
	x        real.Dyadic
	log2     float64 // distance to the target in ulps of the result, as a base-2 logarithm
	midpoint bool    // the target is a midpoint between doubles, or else a double
	region   string
}

// parseHard reads the list and checks every line: generation does not search,
// but it does not trust the list either.
func parseHard(text string) ([]hardInput, error) {
	var list []hardInput
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		h, err := parseHardLine(strings.Fields(line))
		if err == nil {
			err = h.verify()
		}
		if err != nil {
			return nil, fmt.Errorf("hardln.txt, line %d: %w", i+1, err)
		}
		list = append(list, h)
	}
	return list, nil
}

func parseHardLine(f []string) (h hardInput, err error) {
	switch {
	case len(f) == 5 && f[0] == "x":
		v, err := wire.Parse(wire.F64, f[1])
		if err != nil {
			return h, err
		}
		h.in = wire.Values{"x": v}
		h.x = spec.FromBits64(v.Bits()).Dyadic()
		f = f[2:]
	case len(f) == 6 && f[0] == "pair":
		m, err1 := strconv.ParseUint(f[1], 0, 52)
		e, err2 := strconv.ParseInt(f[2], 10, 64)
		u := spec.U{M: m, E: e}
		if err := errors.Join(err1, err2); err != nil {
			return h, err
		}
		if err := u.Validate(spec.Binary64); err != nil {
			return h, err
		}
		h.pair = true
		h.in = wire.Values{"m": wire.NewUint(m), "e": num(e)}
		h.x = u.Value(spec.Binary64)
		f = f[3:]
	default:
		return h, fmt.Errorf("%d columns", len(f))
	}
	if h.log2, err = strconv.ParseFloat(f[0], 64); err != nil {
		return h, err
	}
	h.midpoint = f[1] == "midpoint"
	h.region = f[2]
	return h, nil
}

// verify computes the distance of ln x to the target from an enclosure 300 bits
// wide and compares it with the list's, to a hundredth.
func (h hardInput) verify() error {
	y, err := real.Ln(h.x, 300)
	if err != nil {
		return err
	}
	f := spec.Binary64
	ulp := f.UlpExponent(y.Lo)
	grid := ulp // spacing of the targets: doubles, or midpoints, which are odd half ulps
	target := real.NewDyadic(oracle.NearestMultiple(y.Lo, grid, spec.TiesUp), grid)
	if h.midpoint {
		half := real.Pow2(ulp - 1)
		target = real.NewDyadic(oracle.NearestMultiple(y.Lo.Sub(half), grid, spec.TiesUp), grid).Add(half)
	}
	d := y.Lo.Sub(target).Abs().Shift(-ulp)
	if d.IsZero() {
		return fmt.Errorf("%v is at its target", h.x)
	}
	frac, _ := d.Truncated(53, false).Shift(-d.Top()).Rat()
	m, _ := frac.Float64()
	if got := float64(d.Top()) + math.Log2(m); math.Abs(got-h.log2) > 0.0051 {
		return fmt.Errorf("%v: distance 2^%.3f, the list says 2^%.2f", h.x, got, h.log2)
	}
	return nil
}
