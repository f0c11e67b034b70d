package proofs

import (
	"fmt"
	"hash/fnv"
	"math"

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
	shrink  *Num // tests multiply every right side by this
	Result  Result
}

// Result is what a run saw.
type Result struct {
	Label     string  `json:"label"`
	Refutes   bool    `json:"refutes,omitempty"`
	Instances int     `json:"instances"`
	Tightest  float64 `json:"tightest,omitempty"` // the largest left side/right side; 0 if none was compared
	Failures  int     `json:"failures,omitempty"`
	First     string  `json:"first,omitempty"` // the first failure
}

// OK reports whether the statement held, or the witness still refutes.
func (r Result) OK() bool { return r.Failures == 0 && r.Instances > 0 }

// Run runs a check on a share of its full size, from a seed that is its label.
func (c Check) run(share float64, sub subject, shrink *Num) Result {
	h := fnv.New64a()
	h.Write([]byte("proofs/" + c.Label))
	size := 1
	if c.Size > 0 {
		size = max(1, int(math.Ceil(share*float64(c.Size))))
	}
	t := &Trial{
		Source: &gen.SplitMix64{State: h.Sum64()}, subject: sub, size: size, shrink: shrink,
		Result: Result{Label: c.Label, Refutes: c.Refutes},
	}
	c.Run(t)
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

// True records a decided statement.
func (t *Trial) True(ok bool, format string, args ...any) {
	if !ok {
		t.fail(format, args...)
	}
}

// Le records a <= b, Lt records a < b.
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
	if t.shrink != nil {
		b = b.mul(*t.shrink)
	}
	c, err := a.cmp(b)
	x, y := a.approx(), b.approx()
	if r := x / y; y > 0 && x > 0 && r > t.Result.Tightest {
		t.Result.Tightest = r
	}
	switch what := fmt.Sprintf(format, args...); {
	case err != nil:
		t.fail("%s: %.17g against %.17g: %v", what, x, y, err)
	case c > most:
		t.fail("%s: %.17g <= %.17g does not hold", what, x, y)
	}
}

// Small draws.

func (t *Trial) below(n int) int             { return int(t.Uint64() % uint64(n)) }
func (t *Trial) between(lo, hi int64) int64  { return lo + int64(t.Uint64()%uint64(hi-lo+1)) }
func (t *Trial) coin() bool                  { return t.Uint64()&1 == 1 }
func (t *Trial) unit() float64               { return float64(t.Uint64()>>11) * 0x1p-53 }
func (t *Trial) one(list ...float64) float64 { return list[t.below(len(list))] }
