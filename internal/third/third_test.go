package third

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

const (
	maxDouble = math.MaxFloat64
	tiny      = math.SmallestNonzeroFloat64
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// word is an enumerated input, bits a tape of characters 0 and 1.
type (
	word string
	bits string
)

// ask puts a question; the arguments are names and values in turn.
func ask(t *testing.T, op string, args ...any) wire.Result {
	t.Helper()
	in := wire.Values{}
	for i := 0; i < len(args); i += 2 {
		name := args[i].(string)
		switch v := args[i+1].(type) {
		case float64:
			in[name] = wire.NewFloat(v)
		case int:
			in[name] = wire.NewInt(int64(v))
		case int64:
			in[name] = wire.NewInt(v)
		case word:
			in[name] = wire.NewWord("", string(v))
		case bits:
			in[name] = wire.NewTape(pack(t, string(v)))
		default:
			t.Fatalf("argument %s", name)
		}
	}
	return New().Answer(wire.Case{Op: op, In: in})
}

// pack makes whole bytes, the rest filled with ones so that it cannot pass for
// padding.
func pack(t *testing.T, s string) []byte {
	t.Helper()
	s += strings.Repeat("1", (8-len(s)%8)%8)
	var b []byte
	for ; s != ""; s = s[8:] {
		n, err := strconv.ParseUint(s[:8], 2, 8)
		require.NoError(t, err)
		b = append(b, byte(n))
	}
	return b
}

// gives checks that the outputs are the values named, to the bit, and no others.
func gives(t *testing.T, r wire.Result, want ...any) {
	t.Helper()
	require.True(t, r.Answered() && r.Reject == "", "%+v", r)
	require.Len(t, r.Out, len(want)/2)
	for i := 0; i < len(want); i += 2 {
		got := r.Out[want[i].(string)]
		switch v := want[i+1].(type) {
		case float64:
			assert.Equal(t, wire.NewFloat(v).Text, got.Text, "%s: %v, not %v", want[i], got.Float(), v)
		case int:
			assert.Equal(t, strconv.Itoa(v), got.Text, want[i])
		}
	}
}

func refuses(t *testing.T, kind string, r wire.Result) {
	t.Helper()
	assert.Equal(t, wire.Rejected(kind), r)
}

func zeros(n int) string { return strings.Repeat("0", n) }

// negZero is -0, which Go has no literal for.
func negZero() float64 { return math.Copysign(0, -1) }

// doubles gives n random finite doubles, spread over all exponents.
func doubles(seed uint64, n int) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	xs := make([]float64, 0, n)
	for len(xs) < n {
		if x := math.Float64frombits(r.Uint64()); finite(x) {
			xs = append(xs, x)
		}
	}
	return xs
}

func TestOtherOperations(t *testing.T) {
	assert.Equal(t, "bigfloat", New().Name())
	for _, op := range []string{"snap_prob", "dlap_pmf", "", "LN"} {
		assert.NotEmpty(t, New().Answer(wire.Case{Op: op}).Skip, op)
	}
	// A case no decoder lets through is no reason to crash either.
	for op := range operations {
		assert.NotPanics(t, func() { New().Answer(wire.Case{Op: op}) }, op)
	}
}

func TestConcurrent(t *testing.T) {
	want := ask(t, "ln_pair", "m", 5, "e", 1<<40)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				assert.Equal(t, want, ask(t, "ln_pair", "m", 5, "e", 1<<40))
			}
		})
	}
	wg.Wait()
}
