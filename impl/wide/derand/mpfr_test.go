package derand

import (
	"bufio"
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// draw is a question to both sides.
type draw struct {
	p uint
	m *big.Int
	e int64
}

// hostile returns draws of p bits: any, near 1 at every distance, few bits, long e,
// and those whose logarithm is next to a midpoint (core.TestHardest).
func hostile(r *rand.Rand, p uint, n int) []draw {
	top := new(big.Int).Lsh(big.NewInt(1), p-1)
	var all []draw
	for a := uint(1); a <= min(p/4, 30); a++ {
		odd := new(big.Int).SetUint64(1<<(a-1) | r.Uint64()>>(65-a) | 1)
		all = append(all, draw{p, new(big.Int).Sub(top, odd.Lsh(odd, a)), 1})
	}
	for len(all) < n {
		m := new(big.Int)
		for range p/64 + 1 {
			m.Lsh(m, 64).Or(m, new(big.Int).SetUint64(r.Uint64()))
		}
		m.Mod(m, top)
		switch r.IntN(4) {
		case 0:
			m.Rsh(m, uint(r.IntN(int(p-1))))
			m.Sub(top, m)
			m.Sub(m, big.NewInt(1))
		case 1:
			m.Rsh(m, uint(r.IntN(int(p-1))))
		}
		e := int64(1 + r.IntN(4))
		if r.IntN(4) == 0 { // MPFR's exponents end at 2^62
			e = 1 + int64(r.Uint64()>>(3+r.IntN(60)))
		}
		all = append(all, draw{p, m, e})
	}
	return all
}

// LN at p bits against MPFR, which rounds its logarithm correctly too.
func TestLnAgainstMPFR(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	bin := filepath.Join(t.TempDir(), "mpfrlog")
	if out, err := exec.Command(cc, "-O2", "-o", bin, "testdata/mpfrlog.c", "-lmpfr", "-lgmp").CombinedOutput(); err != nil {
		t.Skipf("no MPFR: %s", out)
	}
	n := map[bool]int{false: 15_000, true: 1_500}[testing.Short()]
	r := rand.New(rand.NewPCG(118, 53))
	var all []draw
	for _, p := range []uint{53, 54, 64, 65, 113, 118, 119, 128, 237} {
		all = append(all, hostile(r, p, n)...)
	}
	all = append(all, hostile(r, 1024, n/8)...)
	all = append(all, hostile(r, 4096, n/100)...)

	var in bytes.Buffer
	for _, d := range all {
		fmt.Fprintf(&in, "%d %x %d\n", d.p, new(big.Int).SetBit(d.m, int(d.p-1), 1), -d.e-int64(d.p-1))
	}
	cmd := exec.Command(bin)
	cmd.Stdin = &in
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := bufio.NewScanner(bytes.NewReader(out))
	differ := 0 // of the comparison itself: moved by a last place it must fail
	for i, d := range all {
		require.True(t, lines.Scan(), "%d answers", i)
		var s big.Int
		var x int
		_, err := fmt.Sscanf(lines.Text(), "%x %d", &s, &x)
		require.NoError(t, err)
		want := new(big.Float).SetPrec(d.p).SetInt(&s)
		want.SetMantExp(want, x)
		got, err := Ln(d.p, d.m, d.e)
		require.NoError(t, err)
		require.Equal(t, d.p, got.Prec())
		require.Zero(t, got.Cmp(want), "p %d m %x e %d: %v, MPFR %v", d.p, d.m, d.e, got, want)
		if s.Add(&s, big.NewInt(1)); got.Cmp(want.SetMantExp(want.SetInt(&s), x)) != 0 {
			differ++
		}
	}
	require.False(t, lines.Scan())
	require.Equal(t, len(all), differ)
	t.Logf("%d logarithms", len(all))
}
