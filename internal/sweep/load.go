package sweep

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// kindNames are the kinds of U* as the command and the file name them.
var kindNames = map[spec.Kind]string{spec.Unbounded: "unbounded", spec.FloatRange: "binary64-like"}

func kindName(k spec.Kind) string { return kindNames[k] }

// ParseKind reads the name of a kind of U*.
func ParseKind(s string) (spec.Kind, error) {
	for k, name := range kindNames {
		if s == name {
			return k, nil
		}
	}
	return "", fmt.Errorf("the kind of U* is unbounded or binary64-like, not %q", s)
}

// ParseScales reads lambda, epsilon or both.
func ParseScales(s string) ([]spec.ScaleKind, error) {
	if s == "both" {
		return slices.Clone(allScales), nil
	}
	if slices.Contains(allScales, spec.ScaleKind(s)) {
		return []spec.ScaleKind{spec.ScaleKind(s)}, nil
	}
	return nil, fmt.Errorf("the scale is lambda, epsilon or both, not %q", s)
}

// ParseFormat reads "p,emin,emax".
func ParseFormat(s string) (spec.Format, error) {
	var v [3]int64
	parts := strings.Split(s, ",")
	if len(parts) != 3 {
		return spec.Format{}, fmt.Errorf("a format is p,emin,emax, such as 3,-2,2, not %q", s)
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || i == 0 && n < 0 {
			return spec.Format{}, fmt.Errorf("a format is p,emin,emax, such as 3,-2,2; %q will not do", p)
		}
		v[i] = n
	}
	f := spec.Small(uint(v[0]), v[1], v[2])
	return f, f.Validate()
}

// ParseShard reads "i/n", 0 <= i < n.
func ParseShard(s string) (shard, of int, err error) {
	a, b, ok := strings.Cut(s, "/")
	shard, err = strconv.Atoi(a)
	of, err2 := strconv.Atoi(b)
	if !ok || err != nil || err2 != nil || shard < 0 || shard >= of {
		return 0, 0, fmt.Errorf("a shard is i/n with 0 <= i < n, such as 0/4, not %q", s)
	}
	return shard, of, nil
}

// params reads the parameters out of a file.
func (f file) params() (p Params, err error) {
	p = Params{Format: spec.Small(f.World.Precision, f.World.EMin, f.World.EMax), InRange: f.World.InRange}
	if p.Kind, err = ParseKind(f.World.Kind); err != nil {
		return p, err
	}
	for _, s := range f.World.Scales {
		if !slices.Contains(allScales, spec.ScaleKind(s)) {
			return p, fmt.Errorf("there is no scale %q", s)
		}
		p.Scales = append(p.Scales, spec.ScaleKind(s))
	}
	if f.World.MaxKappa != "" {
		k, ok := new(big.Rat).SetString(f.World.MaxKappa)
		if !ok {
			return p, fmt.Errorf("%q is no fraction", f.World.MaxKappa)
		}
		p.MaxKappa = k
	}
	for _, c := range f.Claims {
		p.Claims = append(p.Claims, Claim{c.Name, c.C, c.A, c.B, c.Hypothesis})
	}
	return p, p.Validate()
}

// Decode reads a result file and checks it: the checksum, that counts add up, and
// every witness against the oracle. w may be nil, or the world the file must be of.
func Decode(data []byte, w *World) (*Result, error) {
	f, err := decode(data)
	if err != nil {
		return nil, err
	}
	if w == nil {
		p, err := f.params()
		if err != nil {
			return nil, err
		}
		if w, err = NewWorld(p); err != nil {
			return nil, err
		}
	}
	shard, of, err := ParseShard(f.Shard)
	if err != nil {
		return nil, err
	}
	r := newResult(w, shard, of)
	if diff := differs(r.header(), f); diff != "" {
		return nil, fmt.Errorf("a result with other parameters: %s", diff)
	}
	if r.done, err = parseRanges(f.Done, w.Units()); err != nil {
		return nil, err
	}
	n := uint64(0)
	for i, d := range r.done {
		if d && !r.mine(i) {
			return nil, fmt.Errorf("unit %d is not of shard %s", i, f.Shard)
		}
		if d {
			n++
		}
	}
	if r.refused = f.Refused; r.refused > n || len(f.Results) != len(w.Claims) {
		return nil, fmt.Errorf("%d scales refused of %d units, %d results of %d claims", f.Refused, n, len(f.Results), len(w.Claims))
	}
	for i, o := range f.Results {
		if r.tallies[i], err = w.tallyOf(w.Claims[i], o, r.done); err != nil {
			return nil, fmt.Errorf("claim %s: %w", w.Claims[i].Name, err)
		}
	}
	return r, nil
}

// differs names the first parameter in which two files differ.
func differs(a, b file) string {
	for _, p := range []struct{ name, a, b string }{
		{"format", a.World.Format, b.World.Format},
		{"world", fmt.Sprint(a.World), fmt.Sprint(b.World)},
		{"claims", fmt.Sprint(a.Claims), fmt.Sprint(b.Claims)},
		{"units", a.Units, b.Units},
		{"doc", fmt.Sprint(a.Doc), fmt.Sprint(b.Doc)},
	} {
		if p.a != p.b {
			return fmt.Sprintf("%s is %s, not %s", p.name, p.b, p.a)
		}
	}
	return ""
}

// tallyOf reads the results of one claim.
func (w *World) tallyOf(c Claim, o resultJSON, done []bool) (*tally, error) {
	t := newTally()
	var err error
	if o.Claim != c.Name || len(o.Classes) != classes {
		return nil, fmt.Errorf("the result is of %s with %d classes, not %d", o.Claim, len(o.Classes), classes)
	}
	if t.all, err = o.Count.tri(); err != nil {
		return nil, err
	}
	if t.below, err = o.Below.tri(); err != nil {
		return nil, err
	}
	for _, k := range o.Kappa {
		e := kappaZero
		if k.Octave != nil {
			e = *k.Octave
		}
		if t.octave[e], err = k.Count.tri(); err != nil {
			return nil, err
		}
	}
	read := func(j *witnessJSON, m measure) (*witness, error) {
		v, err := w.parse(c, j, m)
		if err != nil || v == nil {
			return nil, err
		}
		lam, b := w.scale(v.unit), w.bound(v.beta)
		unit, err := oracle.Unit(w.params(v.unit))
		if err != nil {
			return nil, err
		}
		if !done[v.unit] || !w.admits(c, lam, unit.Dyadic(), b) {
			return nil, fmt.Errorf("a witness is of a unit not done, or no case of the claim: %+v", *j)
		}
		return v, nil
	}
	var sum, octaves tri
	for k, j := range o.Classes {
		if t.class[k], err = j.Count.tri(); err != nil {
			return nil, err
		}
		sum.add(t.class[k])
		if t.worst[k], err = read(j.Worst, over); err != nil {
			return nil, err
		}
		v := t.worst[k]
		if j.Class != classNames[k] || (v != nil) != (j.Count.Exceeds > 0) || v != nil && v.class != class(k) {
			return nil, fmt.Errorf("class %s: %d exceed, worst %+v", j.Class, j.Count.Exceeds, j.Worst)
		}
		if v == nil {
			continue
		}
		if yes, err := v.exceeds(v.slack); err != nil || !yes {
			return nil, fmt.Errorf("the worst of class %s does not exceed the bound (%v)", j.Class, err)
		}
	}
	for _, v := range t.octave {
		octaves.add(v)
	}
	if sum != t.all || octaves != t.all {
		return nil, fmt.Errorf("classes or ranges of kappa do not add up to %+v", o.Count)
	}
	if t.steepest[0], err = read(o.Steepest, slope); err != nil {
		return nil, err
	}
	t.steepest[1], err = read(o.LeastC, slopeAfterA)
	return t, err
}

// Merge combines the results of all shards of one sweep into that of the whole: the
// one an unsharded run writes. It refuses units that are missing or come twice.
func Merge(parts []*Result) (*Result, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("nothing to merge")
	}
	all := newResult(parts[0].World, 0, 1)
	for _, p := range parts {
		a, b := all.header(), p.header()
		if diff := differs(a, b); diff != "" {
			return nil, fmt.Errorf("results of different sweeps: %s", diff)
		}
		for i, d := range p.done {
			if d && all.done[i] {
				return nil, fmt.Errorf("unit %d is in two of the results", i)
			}
			all.done[i] = all.done[i] || d
		}
		all.refused += p.refused
		if err := all.add(p.tallies); err != nil {
			return nil, err
		}
	}
	if !all.Complete() {
		missing := make([]bool, len(all.done))
		for i, d := range all.done {
			missing[i] = !d
		}
		return nil, fmt.Errorf("units %s of %d are missing: a shard is not finished or not given", ranges(missing), len(missing))
	}
	return all, nil
}
