package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Schema is the version of the result file and of what is counted: files of
// different versions do not merge.
const Schema = 1

// Doc explains the fields of a result file; every file carries it.
var Doc = map[string]string{
	"schema":   "version of this file and of what is counted",
	"world":    "what was swept: the format F(p,emin,emax), the kind of U*, the scale variants, the restrictions",
	"claims":   "the bounds (D + c max(B, b lambda) eta)/lambda + a eta, eta = 2^-p, and the hypothesis under which cases count",
	"shard":    "i/n: of the units, those with number = i mod n",
	"units":    "units of work in all shards: one for each scale variant and positive number of the format, in this order",
	"done":     "the units that the counts include",
	"refused":  "of these, scales whose Lambda is beyond the format; they have no cases",
	"results":  "for each claim, in order. A case is a scale, bounds lo <= hi, inputs f < f2 and an output that has a probability for one of them",
	"below":    "cases with B < lambda",
	"classes":  "where the output lies: its cell in relation to the two clamped inputs (docs/sweep.md); worst is the case farthest above the bound, the first one if the loss is infinite",
	"kappa":    "by kappa = max(B, b lambda) eta/lambda: above 2^(octave-1), at most 2^octave; without an octave, kappa = 0",
	"steepest": "the greatest (loss - D/lambda)/kappa of a finite loss, as ratio",
	"least_c":  "the greatest (loss - D/lambda - a eta)/kappa of a finite loss, as ratio: the least c for which this a and b hold where the loss is finite",
	"witness":  "numbers and probabilities exactly, as hexadecimal floating point of any length; p over a denominator where it is not 1; kappa a fraction",
	"loss":     "to 15 digits, as bound and ratio; inf if one probability is 0",
	"sha256":   "of this file with sha256 empty",
	"count":    "cases = holds + exceeds, and of these infinite losses; decimal numbers in strings",
}

// file is the result file.
type file struct {
	Doc     map[string]string `json:"doc"`
	Schema  int               `json:"schema"`
	World   worldJSON         `json:"world"`
	Claims  []claimJSON       `json:"claims"`
	Shard   string            `json:"shard"`
	Units   string            `json:"units"`
	Done    string            `json:"done"`
	Refused uint64            `json:"refused,string"`
	Results []resultJSON      `json:"results"`
	SHA256  string            `json:"sha256"`
}

type worldJSON struct {
	Format    string   `json:"format"`
	Precision uint     `json:"precision"`
	EMin      int64    `json:"emin"`
	EMax      int64    `json:"emax"`
	Kind      string   `json:"kind"`
	Scales    []string `json:"scales"`
	MaxKappa  string   `json:"max_kappa,omitempty"`
	InRange   bool     `json:"in_range"`
}

type claimJSON struct {
	Name       string `json:"name"`
	C          int64  `json:"c,string"`
	A          int64  `json:"a,string"`
	B          int64  `json:"b,string"`
	Hypothesis string `json:"hypothesis"`
}

type countJSON struct {
	Cases    uint64 `json:"cases,string"`
	Holds    uint64 `json:"holds,string"`
	Exceeds  uint64 `json:"exceeds,string"`
	Infinite uint64 `json:"infinite,string"`
}

type resultJSON struct {
	Claim    string       `json:"claim"`
	Count    countJSON    `json:"count"`
	Below    countJSON    `json:"below"`
	Classes  []classJSON  `json:"classes"`
	Kappa    []kappaJSON  `json:"kappa"`
	Steepest *witnessJSON `json:"steepest,omitempty"`
	LeastC   *witnessJSON `json:"least_c,omitempty"`
}

type classJSON struct {
	Class string       `json:"class"`
	Count countJSON    `json:"count"`
	Worst *witnessJSON `json:"worst,omitempty"`
}

type kappaJSON struct {
	Octave *int      `json:"octave,omitempty"`
	Count  countJSON `json:"count"`
}

func countOf(t tri) countJSON { return countJSON{t.cases, t.cases - t.exceeds, t.exceeds, t.infinite} }

func (c countJSON) tri() (tri, error) {
	if c.Holds+c.Exceeds != c.Cases || c.Infinite > c.Exceeds || c.Exceeds > c.Cases {
		return tri{}, fmt.Errorf("counts do not add up: %d cases, %d hold, %d exceed, %d infinite", c.Cases, c.Holds, c.Exceeds, c.Infinite)
	}
	return tri{c.Cases, c.Exceeds, c.Infinite}, nil
}

// Result is what is known of a sweep: the tallies of the units done.
type Result struct {
	World     *World
	shard, of int
	done      []bool
	refused   uint64
	tallies   []*tally
}

func newResult(w *World, shard, of int) *Result {
	r := &Result{World: w, shard: shard, of: of, done: make([]bool, w.Units())}
	for range w.Claims {
		r.tallies = append(r.tallies, newTally())
	}
	return r
}

// mine reports whether a unit is in the shard.
func (r *Result) mine(unit int) bool { return unit%r.of == r.shard }

// Complete reports whether every unit of the shard is done.
func (r *Result) Complete() bool {
	for i, d := range r.done {
		if r.mine(i) && !d {
			return false
		}
	}
	return true
}

// absorb adds tallies of one unit, nil for a scale refused.
func (r *Result) absorb(unit int, ts []*tally) error {
	r.done[unit] = true
	if ts == nil {
		r.refused++
	}
	return r.add(ts)
}

func (r *Result) add(ts []*tally) error {
	for i, t := range ts {
		if err := r.tallies[i].merge(t); err != nil {
			return err
		}
	}
	return nil
}

// header is the part of a file that must agree for files to be of one sweep.
func (r *Result) header() file {
	w := r.World
	f := file{
		Doc: Doc, Schema: Schema, Shard: fmt.Sprintf("%d/%d", r.shard, r.of), Units: strconv.Itoa(w.Units()),
		World: worldJSON{
			Format: w.Format.Name, Precision: w.Format.Precision, EMin: w.Format.EMin, EMax: w.Format.EMax,
			Kind: kindName(w.Kind), InRange: w.InRange,
		},
	}
	for _, s := range w.Scales {
		f.World.Scales = append(f.World.Scales, string(s))
	}
	if w.MaxKappa != nil {
		f.World.MaxKappa = w.MaxKappa.RatString()
	}
	for _, c := range w.Claims {
		f.Claims = append(f.Claims, claimJSON{c.Name, c.C, c.A, c.Floor, c.Hypothesis})
	}
	return f
}

// Encode writes the result file.
func (r *Result) Encode() ([]byte, error) {
	f := r.header()
	f.Done = ranges(r.done)
	f.Refused = r.refused
	for i, t := range r.tallies {
		c := r.World.Claims[i]
		o := resultJSON{Claim: c.Name, Count: countOf(t.all), Below: countOf(t.below)}
		for k := range classes {
			v, err := r.World.render(c, t.worst[k], over)
			if err != nil {
				return nil, err
			}
			o.Classes = append(o.Classes, classJSON{classNames[k], countOf(t.class[k]), v})
		}
		var octaves []int
		for e := range t.octave {
			octaves = append(octaves, e)
		}
		slices.Sort(octaves)
		for _, e := range octaves {
			k := kappaJSON{Octave: &e, Count: countOf(t.octave[e])}
			if e == kappaZero {
				k.Octave = nil
			}
			o.Kappa = append(o.Kappa, k)
		}
		var err error
		if o.Steepest, err = r.World.render(c, t.steepest[0], slope); err != nil {
			return nil, err
		}
		if o.LeastC, err = r.World.render(c, t.steepest[1], slopeAfterA); err != nil {
			return nil, err
		}
		f.Results = append(f.Results, o)
	}
	return f.encode()
}

// encode fills in the checksum.
func (f file) encode() ([]byte, error) {
	f.SHA256 = ""
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(data, '\n'))
	f.SHA256 = hex.EncodeToString(sum[:])
	data, err = json.MarshalIndent(f, "", " ")
	return append(data, '\n'), err
}

// ranges writes a set as "0-4,7".
func ranges(set []bool) string {
	var parts []string
	for i := 0; i < len(set); i++ {
		if !set[i] {
			continue
		}
		j := i
		for j+1 < len(set) && set[j+1] {
			j++
		}
		s := strconv.Itoa(i)
		if j > i {
			s += "-" + strconv.Itoa(j)
		}
		parts = append(parts, s)
		i = j
	}
	return strings.Join(parts, ",")
}

func parseRanges(s string, n int) ([]bool, error) {
	set := make([]bool, n)
	for part := range strings.SplitSeq(s, ",") {
		if s == "" {
			break
		}
		a, b, ok := strings.Cut(part, "-")
		if !ok {
			b = a
		}
		i, err := strconv.Atoi(a)
		j, err2 := strconv.Atoi(b)
		if err != nil || err2 != nil || i < 0 || j < i || j >= n {
			return nil, fmt.Errorf("%q is no range of units", part)
		}
		for ; i <= j; i++ {
			set[i] = true
		}
	}
	if ranges(set) != s {
		return nil, fmt.Errorf("the units done are not in normal form: %q", s)
	}
	return set, nil
}

// decode reads a file strictly: known fields only, one document, and the checksum.
func decode(data []byte) (file, error) {
	var f file
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return f, fmt.Errorf("not a result of crosscheck sweep: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return f, fmt.Errorf("something follows the result")
	}
	if f.Schema != Schema {
		return f, fmt.Errorf("schema %d, this program writes %d", f.Schema, Schema)
	}
	again, err := f.encode()
	if err != nil {
		return f, err
	}
	if !bytes.Equal(again, data) {
		return f, fmt.Errorf("the file was damaged or edited: it does not fit its checksum")
	}
	return f, nil
}
