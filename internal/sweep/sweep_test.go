package sweep

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func small() Params {
	return Params{Format: spec.Small(3, -1, 1), Kind: spec.Unbounded, Scales: allScales, Claims: Named}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// A claim that is false is found false, and one that allows everything true. Claim
// 5,0,0 fails in this world, 12,2,0 fails only where the loss is infinite.
func TestClaimsAreTold(t *testing.T) {
	p := small()
	p.Claims = nil
	for _, s := range []string{"0,0,0", "5,0,0", "published", "100000,0,1"} {
		c, err := ParseClaim(s)
		require.NoError(t, err)
		p.Claims = append(p.Claims, c)
	}
	r, err := Run(context.Background(), Options{Params: p, Of: 1})
	require.NoError(t, err)
	var finite []uint64
	for i := range r.tallies {
		a := r.tallies[i].all
		assert.Equal(t, r.tallies[0].all.cases, a.cases)
		assert.Equal(t, r.tallies[0].all.infinite, a.infinite)
		finite = append(finite, a.exceeds-a.infinite)
	}
	assert.Positive(t, r.tallies[0].all.infinite)
	assert.Greater(t, finite[0], finite[1])
	assert.Positive(t, finite[1], "5,0,0")
	assert.Zero(t, finite[2], "published")
	assert.Zero(t, finite[3])
	var table bytes.Buffer
	require.NoError(t, r.Table(&table))
	assert.Contains(t, table.String(), "worst same-side")
}

// Merged shards are the unsharded run, byte for byte, in whatever order they come.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	run := func(name string, shard, of int) string {
		name = filepath.Join(dir, name)
		_, err := Run(context.Background(), Options{Params: small(), Shard: shard, Of: of, Out: name})
		require.NoError(t, err)
		return name
	}
	whole := run("whole.json", 0, 1)
	names := []string{run("2.json", 2, 3), run("0.json", 0, 3), run("1.json", 1, 3)}
	merge := func(names ...string) ([]byte, error) {
		parts, err := Load(names)
		if err != nil {
			return nil, err
		}
		r, err := Merge(parts)
		if err != nil {
			return nil, err
		}
		return r.Encode()
	}
	got, err := merge(names...)
	require.NoError(t, err)
	assert.Equal(t, string(read(t, whole)), string(got))
	got, err = merge(whole)
	require.NoError(t, err)
	assert.Equal(t, string(read(t, whole)), string(got))

	_, err = merge(names[:2]...)
	assert.ErrorContains(t, err, "units 1,4,7,10,13,16,19,22,25,28 of 30 are missing")
	_, err = merge(append(names, names[0])...)
	assert.ErrorContains(t, err, "unit 2 is in two")
	_, err = merge()
	assert.Error(t, err)
}

// Every damage to a file is refused, also with the checksum made to fit.
func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	p := small()
	p.Claims = append(p.Claims[:4:4], Claim{Name: "5,0,0", C: 5})
	_, err := Run(context.Background(), Options{Params: p, Of: 1, Out: name})
	require.NoError(t, err)
	good := read(t, name)
	_, err = Decode(good, nil)
	require.NoError(t, err)

	for i := range len(good) { // one bit anywhere, thinly
		if i%199 != 0 {
			continue
		}
		bad := bytes.Clone(good)
		bad[i] ^= 1
		_, err := Decode(bad, nil)
		require.Error(t, err, "byte %d", i)
	}
	for _, n := range []int{0, 1, len(good) / 2, len(good) - 1} {
		_, err := Decode(good[:n], nil)
		require.Error(t, err)
	}

	// The same edits with the right checksum: what is left is what they say.
	edit := func(what, message string, change func(f *file)) {
		f, err := decode(good)
		require.NoError(t, err)
		change(&f)
		bad, err := f.encode()
		require.NoError(t, err)
		_, err = Decode(bad, nil)
		assert.ErrorContains(t, err, message, what)
	}
	worst := func(f *file) *witnessJSON { return f.Results[4].Classes[classSameSide].Worst }
	edit("a count", "do not add up", func(f *file) { f.Results[0].Count.Cases++ })
	edit("two counts", "add up", func(f *file) { f.Results[0].Count.Cases++; f.Results[0].Count.Holds++ })
	edit("probability", "not what the oracle computes", func(f *file) { worst(f).P = worst(f).P2 })
	edit("loss", "not what the oracle computes", func(f *file) { worst(f).Loss = "7" })
	edit("class", "not what the oracle computes", func(f *file) { worst(f).Class = classNames[classBetween] })
	edit("number", "no number of", func(f *file) { worst(f).Lo = "0x1p+9" })
	edit("scale", "no scale", func(f *file) { worst(f).Value = "0x1p+9" })
	edit("order", "f < f2", func(f *file) { worst(f).F, worst(f).F2 = worst(f).F2, worst(f).F })
	edit("no worst", "worst", func(f *file) { f.Results[4].Classes[classSameSide].Worst = nil })
	edit("not done", "unit not done", func(f *file) { f.Done = "6-29" })
	edit("unit twice", "normal form", func(f *file) { f.Done = "0-29,3" })
	edit("unit beyond", "no range", func(f *file) { f.Done = "0-30" })
	edit("shard", "not of shard", func(f *file) { f.Shard = "0/2" })
	edit("claims", "2^31", func(f *file) { f.Claims[0].C = -1 })
	edit("claim", "not what the oracle computes", func(f *file) { f.Claims[4].C = 4 })
	edit("format", "is F(3,-1,1)", func(f *file) { f.World.EMax = 2 })
	edit("kind", "claim published: ", func(f *file) { f.World.Kind = "binary64-like" })
	edit("schema", "schema", func(f *file) { f.Schema++ })
	edit("refused", "refused", func(f *file) { f.Refused = 31 })
}

// A run that is interrupted continues from the units done, and ends with the file
// of a run that is not. A file of another sweep is refused and left alone.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	whole, part := filepath.Join(dir, "whole.json"), filepath.Join(dir, "part.json")
	_, err := Run(context.Background(), Options{Params: small(), Of: 1, Out: whole})
	require.NoError(t, err)

	ctx, cancel := context.WithCancel(context.Background())
	_, err = Run(ctx, Options{Params: small(), Of: 1, Out: part, Step: func(done, _ int) {
		if done == 7 {
			cancel()
		}
	}})
	require.ErrorContains(t, err, "--resume continues")
	r, err := Decode(read(t, part), nil)
	require.NoError(t, err)
	require.False(t, r.Complete())
	_, err = Merge([]*Result{r})
	require.ErrorContains(t, err, "missing")

	_, err = Run(context.Background(), Options{Params: small(), Of: 1, Out: part})
	require.ErrorContains(t, err, "exists")
	first := -1
	_, err = Run(context.Background(), Options{Params: small(), Of: 1, Out: part, Resume: true, Step: func(done, _ int) {
		if first < 0 {
			first = done
		}
	}})
	require.NoError(t, err)
	assert.GreaterOrEqual(t, first, 8)
	assert.Equal(t, string(read(t, whole)), string(read(t, part)))

	for what, change := range map[string]func(o *Options){
		"claims": func(o *Options) { o.Claims = Named[:2] },
		"format": func(o *Options) { o.Format = spec.Small(3, -1, 2) },
		"world":  func(o *Options) { o.MaxKappa = big.NewRat(1, 2) },
		"shard":  func(o *Options) { o.Of = 2 },
	} {
		o := Options{Params: small(), Of: 1, Out: part, Resume: true}
		change(&o)
		_, err := Run(context.Background(), o)
		assert.ErrorContains(t, err, what)
		assert.ErrorContains(t, err, "left as it is")
	}
	require.NoError(t, os.WriteFile(part, []byte("{}"), 0o644))
	_, err = Run(context.Background(), Options{Params: small(), Of: 1, Out: part, Resume: true})
	assert.ErrorContains(t, err, "left as it is")
	assert.Equal(t, "{}", string(read(t, part)))
	_, err = Run(context.Background(), Options{Params: small(), Of: 1, Out: filepath.Join(dir, "no", "such.json")})
	assert.Error(t, err)
	left, err := filepath.Glob(filepath.Join(dir, ".crosscheck-*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// sums of boxes by polynomials are the sums of upTo.
func TestCumulative(t *testing.T) {
	const n = 4
	var boxes []box
	for lo0 := 0; lo0 <= 2*n; lo0++ {
		for lo1 := lo0 + 1; lo1 <= 2*n+1; lo1++ {
			for hi0 := lo1 - 1; hi0 <= 2*n; hi0++ { // hi0 = lo0 for lo = hi
				for hi1 := hi0 + 1; hi1 <= 2*n+1; hi1++ {
					if hi0 >= lo1 || lo1 == lo0+1 {
						boxes = append(boxes, box{lo0, lo1, hi0, hi1})
					}
				}
			}
		}
	}
	require.Greater(t, len(boxes), 300)
	all, sum := newCumulative(n), make([]uint64, n+1)
	for i, b := range boxes {
		one := newCumulative(n)
		one.add(n, b, 1)
		all.add(n, b, int64(i))
		var want []uint64
		seen := map[int]bool{}
		for beta := range n + 1 {
			k := uint64(0)
			for lo := b.lo0; lo < b.lo1; lo++ {
				for hi := b.hi0; hi < b.hi1; hi++ {
					rank := max(n-lo, lo-n, n-hi, hi-n)
					if rank <= beta {
						k++
					}
					seen[rank] = true
				}
			}
			require.Equal(t, k, b.upTo(n, beta))
			want = append(want, k)
			sum[beta] += uint64(i) * k
		}
		require.Equal(t, want, one.values(n), b)
		from, to := b.ranks(n)
		for beta := range n + 1 {
			require.Equal(t, from <= beta && beta < to, seen[beta], "%v %d", b, beta)
		}
	}
	assert.Equal(t, sum, all.values(n))
}

func dy(m, e int64) real.Dyadic { return real.NewDyadic(big.NewInt(m), e) }

// Ties of logarithms are recognized, and what is next to a tie is not one.
func TestExactComparisons(t *testing.T) {
	one := real.One()
	at := func(p, p2, dist, floored, num int64) exact {
		return exact{p: oracle.Prob{Num: dy(p, -40), Den: one}, p2: oracle.Prob{Num: dy(p2, -40), Den: one},
			dist: dy(dist, 0), floored: dy(floored, 0), num: dy(num, 0)}
	}
	compare := func(x, y exact) int {
		c, err := compareRatio(x, y)
		require.NoError(t, err)
		d, err := compareRatio(y, x)
		require.NoError(t, err)
		require.Equal(t, c, -d)
		return c
	}
	// ln 4/2 = ln 8/3 = ln 9/(2 ln 3 / ln 2)...
	assert.Zero(t, compare(at(4, 1, 0, 2, 1), at(8, 1, 0, 3, 1)))
	assert.Zero(t, compare(at(27, 8, 0, 3, 1), at(4, 9, 0, 2, 1)))
	assert.Zero(t, compare(at(27, 8, 3, 3, 5), at(4, 9, 2, 2, 5)))
	assert.Equal(t, 1, compare(at(27, 8, 3, 3, 5), at(4, 9, 3, 2, 5)))
	assert.Equal(t, -1, compare(at(27, 8, 0, 3, 1), at(4, 10, 0, 2, 1)))
	assert.Equal(t, 1, compare(at(1<<40+1, 1<<40, 0, 1, 1), at(1<<40, 1<<40-1, 0, 2, 1)))
	assert.Equal(t, -1, compare(at(1<<40+1, 1<<40, 0, 1, 1), at(1<<40, 1<<40-1, 0, 1, 1)), "next to equal")

	over := func(x, y exact, s, s2 int64) int {
		c, err := compareOver(x, y, dy(s, 0), dy(s2, 0))
		require.NoError(t, err)
		return c
	}
	assert.Zero(t, over(at(6, 2, 1, 1, 2), at(1, 3, 2, 1, 4), 0, 0))
	assert.Equal(t, 1, over(at(6, 2, 1, 1, 2), at(1, 3, 2, 1, 4), 0, 1))
	assert.Equal(t, -1, over(at(6, 2, 1, 1, 2), at(1, 3, 1, 1, 4), 0, 0))
	// |ln 3 - ln 2| against 1/2, and equal probabilities against 0.
	yes, err := at(3, 2, 1, 1, 2).exceeds(real.Dyadic{})
	require.NoError(t, err)
	assert.False(t, yes)
	yes, err = at(2, 3, 2, 1, 5).exceeds(real.Dyadic{})
	require.NoError(t, err)
	assert.True(t, yes)
	yes, err = at(2, 2, 0, 1, 5).exceeds(real.Dyadic{})
	require.NoError(t, err)
	assert.False(t, yes)
}

// The margin is needed nowhere by luck: with fixed-point numbers that decide nothing,
// so that every decision is exact, the counts are the same.
func TestFilterChangesNothing(t *testing.T) {
	p := small()
	p.Format = spec.Small(2, -1, 1)
	p.Claims = testClaims(t)[:5]
	w := mustWorld(t, p)
	for _, i := range []int{2, 10} {
		u, err := newUnit(w, i)
		require.NoError(t, err)
		want, err := u.count()
		require.NoError(t, err)
		w.margin = 1 << 60
		got, err := u.count()
		w.margin = margin
		require.NoError(t, err)
		same(t, w, want, got, fmt.Sprint("unit ", i))
	}
}

func TestParse(t *testing.T) {
	for _, s := range []string{"", "3", "3,-2", "3,-2,2,1", "x,0,0", "1,0,0", "3,1,2", "-3,0,0", "99999999999,0,0"} {
		_, err := ParseFormat(s)
		assert.Error(t, err, s)
	}
	f, err := ParseFormat("3, -2, 2")
	require.NoError(t, err)
	assert.Equal(t, spec.Small(3, -2, 2), f)
	for _, s := range []string{"", "1,2", "1,2,3,4", "a,b,c", "-1,0,0", "0,0,2147483648", "publish"} {
		_, err := ParseClaim(s)
		assert.Error(t, err, s)
	}
	for _, s := range []string{"", "1", "1/1", "-1/2", "0/0", "a/b"} {
		_, _, err := ParseShard(s)
		assert.Error(t, err, s)
	}
	for name, change := range map[string]func(p *Params){
		"too wide": func(p *Params) { p.Format = spec.Small(3, -9, 5) },
		"too many": func(p *Params) { p.Format = spec.Small(11, -1, 1) },
		"no claim": func(p *Params) { p.Claims = nil },
		"twice":    func(p *Params) { p.Claims = []Claim{Named[0], Named[0]} },
		"in range": func(p *Params) { p.InRange = true },
		"positive": func(p *Params) { p.MaxKappa = new(big.Rat) },
		"kind":     func(p *Params) { p.Kind = "" },
	} {
		p := small()
		change(&p)
		_, err := NewWorld(p)
		assert.ErrorContains(t, err, name)
	}
	assert.Equal(t, "0-2,5,7-8", ranges([]bool{true, true, true, false, false, true, false, true, true}))
	assert.Empty(t, strings.TrimSpace(ranges(make([]bool, 3))))
}

// In range, whatever noise is needed to cross an edge is a normal, finite number, for
// inputs and edges as far apart as the bounds allow. Out of range some is not.
func TestInRange(t *testing.T) {
	p := Params{Format: spec.Small(3, -6, 4), Kind: spec.Unbounded, Scales: allScales, Claims: Named, InRange: true}
	w := mustWorld(t, p)
	normal := real.Pow2(p.Format.EMin)
	in, out := 0, 0
	for i := range w.Units() {
		u, err := newUnit(w, i)
		require.NoError(t, err)
		if u == nil {
			continue
		}
		for beta := 1; beta <= w.n; beta++ {
			admitted := inRange(w.Format, u.lambda, u.lam, w.bound(beta))
			good := true
			lo, hi := w.n-beta, w.n+beta
			for _, c := range u.cells {
				var e int
				switch {
				case c.kind == endLo && c.loFrom <= lo && lo < c.loTo:
					e = c.to
				case c.kind == endHi && c.hiFrom <= hi && hi < c.hiTo:
					e = c.from
				case c.kind == interior && lo < c.output && c.output < hi:
					e = c.from
				default:
					continue
				}
				for _, x := range []int{lo, w.n, hi} {
					y := w.magnitude(u.crossing(x, e))
					good = good && y.IsFinite() && y.Dyadic().Cmp(normal) >= 0
				}
			}
			if admitted {
				in++
				require.True(t, good, "unit %d, B %v", i, w.bound(beta))
			} else if !good {
				out++
			}
		}
	}
	assert.Greater(t, in, 1000)
	assert.Greater(t, out, 100)
}

// docs/sweep.md shows what the program prints, and explains every field as files do.
func TestDocs(t *testing.T) {
	text := string(read(t, "../../docs/sweep.md"))
	p := small()
	p.Scales = p.Scales[:1]
	p.Claims = []Claim{Named[0], {Name: "5,0,0", C: 5}}
	r, err := Run(context.Background(), Options{Params: p, Of: 1})
	require.NoError(t, err)
	var table bytes.Buffer
	require.NoError(t, r.Table(&table))
	assert.Contains(t, text, "\n```\n$ crosscheck sweep --format 3,-1,1 --scale lambda --claim published --claim 5,0,0\n"+table.String()+"```\n")
	for field, what := range Doc {
		assert.Contains(t, text, "| `"+field+"` | "+what+" |")
	}
	for _, c := range classNames {
		assert.Contains(t, text, "`"+c+"`")
	}
}
