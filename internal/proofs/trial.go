package proofs

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
)

// Check is the machine's side of one numbered inequality. For a claim that is
// true it evaluates both sides on instances; for a refuted one it recomputes the
// witness and confirms that the claim fails there.
type Check struct {
	Label   string
	Refutes bool
	Size    int // instances of a full run; 0 for a fixed list
	Run     func(*Trial)
}

// Trial is one run of a check. Its methods record comparisons; none of them stops
// the run, so that a report names the first failure and still counts them all.
type Trial struct {
	gen.Source
	subject subject
	size    int
	shrink  *Num      // tests multiply every right side by this
	hard    []witness // instances that come first
	sites   map[string]*Comparison
	Result  Result
}

// Result is what a run saw.
type Result struct {
	Label       string       `json:"label"`
	Refutes     bool         `json:"refutes,omitempty"`
	Instances   int          `json:"instances"`
	Tightest    float64      `json:"tightest,omitempty"` // the largest left side/right side; 0 if none was compared
	Comparisons []Comparison `json:"comparisons,omitempty"`
	Failures    int          `json:"failures,omitempty"`
	First       string       `json:"first,omitempty"` // the first failure
}

// Comparison is one inequality of a check, which may have several.
type Comparison struct {
	Name     string  `json:"name"`
	Count    int     `json:"count"`
	Tightest float64 `json:"tightest,omitempty"` // as in Result
	signed   float64 // the same where the left side was never positive
}

// OK reports whether the statement held, or the witness still refutes.
func (r Result) OK() bool { return r.Failures == 0 && r.Instances > 0 }

// Run runs a check on a share of its full size, from a seed that is its label.
func (c Check) run(share float64, sub subject, shrink *Num) Result {
	size := 1
	if c.Size > 0 {
		size = max(1, int(math.Ceil(share*float64(c.Size))))
	}
	return c.trial(size, sub, shrink, append(append([]witness{}, tight...), hard[c.Label]...))
}

// trial runs a check on the given instances and then on generated ones up to a
// size, and requires the tightness that the label is to show.
func (c Check) trial(size int, sub subject, shrink *Num, first []witness) Result {
	h := fnv.New64a()
	h.Write([]byte("proofs/" + c.Label))
	t := &Trial{
		Source: &gen.SplitMix64{State: h.Sum64()}, subject: sub, size: size, shrink: shrink, hard: first,
		sites: map[string]*Comparison{}, Result: Result{Label: c.Label, Refutes: c.Refutes},
	}
	c.Run(t)
	t.finish()
	return t.Result
}

// each calls f as often as the run is long; f says which calls were instances.
func (t *Trial) each(f func()) {
	for range t.size {
		f()
	}
}

// instance counts one.
func (t *Trial) instance() { t.Result.Instances++ }

func (t *Trial) fail(format string, args ...any) {
	t.Result.Failures++
	if t.Result.First == "" {
		t.Result.First = fmt.Sprintf(format, args...)
	}
}

// num is a number of the statement or of its witness. Tests change it by its name,
// which is the number itself unless that says too little.
func (t *Trial) num(name string, decimal ...string) Num {
	value := name
	if len(decimal) > 0 {
		value = decimal[0]
	}
	if s, ok := t.subject.given[name]; ok {
		value = s
	}
	return parseNum(value)
}

// text is a word of a witness, which tests change too.
func (t *Trial) text(name, value string) string {
	if s, ok := t.subject.given[name]; ok {
		return s
	}
	return value
}

// double is num for a double.
func (t *Trial) double(name, value string) float64 {
	x, _ := t.num(name, value).exact.Float64()
	return x
}

// integer is num for an exponent.
func (t *Trial) integer(name, value string) int64 { return t.num(name, value).exact.Num().Int64() }

// True records a decided statement.
func (t *Trial) True(ok bool, format string, args ...any) {
	if !ok {
		t.fail(format, args...)
	}
}

// Le records a <= b, Lt records a < b. The format up to the first ", " names the
// comparison.
func (t *Trial) Le(a, b Num, format string, args ...any) { t.compare(a, b, 0, format, args) }
func (t *Trial) Lt(a, b Num, format string, args ...any) { t.compare(a, b, -1, format, args) }

// Eq records a = b of rationals.
func (t *Trial) Eq(a, b Num, format string, args ...any) {
	c, err := a.cmp(b)
	if err != nil || c != 0 {
		t.fail("%s: %.17g = %.17g does not hold (%v)", fmt.Sprintf(format, args...), a.approx(), b.approx(), err)
	}
}

func (t *Trial) compare(a, b Num, most int, format string, args []any) {
	name, _, _ := strings.Cut(format, ", ")
	if t.shrink != nil {
		b = b.mul(*t.shrink)
	}
	if f, ok := t.subject.factor[name]; ok {
		b = b.mul(floatNum(f))
	}
	c, err := a.cmp(b)
	x, y := a.approx(), b.approx()
	t.record(name, a, b)
	switch {
	case err != nil:
		t.fail("%s: %.17g against %.17g: %v", fmt.Sprintf(format, args...), x, y, err)
	case c > most:
		t.fail("%s: %.17g <= %.17g does not hold", fmt.Sprintf(format, args...), x, y)
	}
}

// Small draws.

func (t *Trial) below(n int) int             { return int(t.Uint64() % uint64(n)) }
func (t *Trial) between(lo, hi int64) int64  { return lo + int64(t.Uint64()%uint64(hi-lo+1)) }
func (t *Trial) coin() bool                  { return t.Uint64()&1 == 1 }
func (t *Trial) unit() float64               { return float64(t.Uint64()>>11) * 0x1p-53 }
func (t *Trial) one(list ...float64) float64 { return list[t.below(len(list))] }
