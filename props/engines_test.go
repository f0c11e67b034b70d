package props

import (
	"flag"
	"fmt"
	"math/bits"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	ggen "github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"pgregory.net/rapid"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
)

// engine runs a check on drawn points until one fails, and shrinks that.
type engine struct {
	name string
	run  func(job) verdict
}

var engines = []engine{{"rapid", runRapid}, {"gopter", runGopter}}

type job struct {
	points   int // to draw
	seed     uint64
	shrink   time.Duration // bound on the time for shrinking
	generate func(gen.Source) Point
	check    func(Point) error
}

// verdict is what a run found: nothing, or the shrunken point and what is wrong.
type verdict struct {
	point Point
	err   error
	first Point // the point before shrinking
}

func (v verdict) String() string {
	if v.err == nil {
		return "no counterexample"
	}
	return fmt.Sprintf("%v: %v", v.point, v.err)
}

// watch remembers the first and the last failure. Both engines end with the
// smallest failing point, so the last is the shrunken one.
func (j job) watch(v *verdict) func(Point) error {
	return func(p Point) error {
		err := j.check(p)
		if err != nil {
			if v.first == nil {
				v.first = p
			}
			v.point, v.err = p, err
		}
		return err
	}
}

// rapid.

// rapidSource gives words that are well spread and shrink. rapid's integers are
// biased to small numbers, which alone would always pick the first choices, and
// never set high bits: a word is drawn raw, or with its bits reversed, or
// scrambled by a bijection that keeps 0. rapid shrinks the kind toward raw and
// the number toward 0.
type rapidSource struct{ t *rapid.T }

var (
	rapidBool = rapid.Bool()
	rapidWord = rapid.Uint64()
)

func (s rapidSource) Uint64() uint64 {
	scrambled, reversed := rapidBool.Draw(s.t, ""), rapidBool.Draw(s.t, "")
	w := rapidWord.Draw(s.t, "")
	switch {
	case scrambled:
		return scramble(w)
	case reversed:
		return bits.Reverse64(w)
	}
	return w
}

// scramble is the output function of SplitMix64: a bijection with scramble(0) = 0.
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// rapidFlags guards rapid's settings, which are flags of the whole program.
var rapidFlags sync.Mutex

func runRapid(j job) (v verdict) {
	rapidFlags.Lock()
	defer rapidFlags.Unlock()
	points := j.points
	if testing.Short() {
		points *= 5 // rapid divides by 5
	}
	for name, value := range map[string]string{
		"rapid.checks": strconv.Itoa(points), "rapid.seed": strconv.FormatUint(j.seed, 10),
		"rapid.shrinktime": j.shrink.String(), "rapid.nofailfile": "true",
	} {
		old := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
		defer flag.Set(name, old)
	}
	point := rapid.Custom(func(t *rapid.T) Point { return j.generate(rapidSource{t}) })
	check := j.watch(&v)
	r := &recorder{}
	done := make(chan struct{})
	go func() { // FailNow ends its goroutine
		defer close(done)
		rapid.Check(r, func(t *rapid.T) {
			if err := check(point.Draw(t, "point")); err != nil {
				t.FailNow()
			}
		})
	}()
	<-done
	if r.failed && v.err == nil {
		v.err = fmt.Errorf("rapid: %s", r.log)
	}
	return v
}

// recorder is the test that rapid fails in place of a real one.
type recorder struct {
	mu     sync.Mutex
	failed bool
	log    string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "recorded" }

func (r *recorder) Log(args ...any) { r.Logf("%s", fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log += fmt.Sprintf(format, args...) + "\n"
}
func (r *recorder) Skip(args ...any)                  { r.Log(args...); r.SkipNow() }
func (r *recorder) Skipf(format string, args ...any)  { r.Logf(format, args...); r.SkipNow() }
func (r *recorder) SkipNow()                          { runtime.Goexit() }
func (r *recorder) Error(args ...any)                 { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(format string, args ...any) { r.Logf(format, args...); r.Fail() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) FailNow()                          { r.Fail(); runtime.Goexit() }
func (r *recorder) Fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
}
func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// gopter.

// tapeOfWords is what gopter draws: exactly the words that a point was made of.
// A shrunken list may be too short; gen.Words gives zeros after its end.
type tapeOfWords struct {
	list  []uint64
	point Point
}

// String shows the point in gopter's reports.
func (w *tapeOfWords) String() string { return w.point.String() }

// drawing records the words that a generator takes from gopter's stream.
type drawing struct {
	params *gopter.GenParameters
	list   []uint64
}

func (d *drawing) Uint64() uint64 {
	w := d.params.Rng.Uint64()
	d.list = append(d.list, w)
	return w
}

func runGopter(j job) (v verdict) {
	var deadline time.Time // set by the first failure
	shrinker := func(value any) gopter.Shrink {
		if deadline.IsZero() {
			deadline = time.Now().Add(j.shrink)
		}
		list := value.(*tapeOfWords).list
		next := gopter.ConcatShrinks(zeroBlocks(list), ggen.SliceShrinker(wordShrinker)(list)).
			Map(func(list []uint64) *tapeOfWords { return &tapeOfWords{list, j.generate(&gen.Words{List: list})} })
		return func() (any, bool) {
			if time.Now().After(deadline) {
				return nil, false
			}
			return next()
		}
	}
	points := func(params *gopter.GenParameters) *gopter.GenResult {
		d := &drawing{params: params}
		p := j.generate(d)
		return gopter.NewGenResult(&tapeOfWords{d.list, p}, shrinker)
	}
	params := gopter.DefaultTestParametersWithSeed(int64(j.seed))
	params.MinSuccessfulTests = j.points
	check := j.watch(&v)
	result := prop.ForAll(func(w *tapeOfWords) bool { return check(w.point) == nil }, points).Check(params)
	if result.Error != nil { // a panic
		v.err = fmt.Errorf("gopter: %w", result.Error)
	}
	if !result.Passed() && len(result.Args) > 0 {
		v.point = result.Args[0].Arg.(*tapeOfWords).point
	}
	return v
}

// zeroBlocks sets blocks of a list to zero, the longest first, which keeps the
// words after them where they are.
func zeroBlocks(list []uint64) gopter.Shrink {
	size, at := len(list), 0
	return func() (any, bool) {
		for size > 0 {
			if at >= len(list) {
				size, at = size/2, 0
				continue
			}
			end := min(at+size, len(list))
			block := list[at:end]
			from := at
			at = end
			for _, w := range block {
				if w != 0 {
					next := append([]uint64(nil), list...)
					clear(next[from:end])
					return next, true
				}
			}
		}
		return nil, false
	}
}

// wordShrinker tries small words, then shifts, then gopter's own halving steps:
// generators look at words modulo small numbers, so that no single order helps.
func wordShrinker(value any) gopter.Shrink {
	w := value.(uint64)
	var smaller []uint64
	for i := uint64(0); i < min(w, 12); i++ {
		smaller = append(smaller, i)
	}
	for _, s := range []int{48, 32, 16, 8, 4, 1} {
		if w>>s > 12 {
			smaller = append(smaller, w>>s)
		}
	}
	i := 0
	return gopter.ConcatShrinks(func() (any, bool) {
		if i == len(smaller) {
			return nil, false
		}
		i++
		return smaller[i-1], true
	}, ggen.UInt64Shrinker(value))
}
