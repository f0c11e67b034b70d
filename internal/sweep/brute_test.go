package sweep

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func mustWorld(t *testing.T, p Params) *World {
	t.Helper()
	w, err := NewWorld(p)
	require.NoError(t, err)
	return w
}

func rat(t *testing.T, d real.Dyadic) *big.Rat {
	t.Helper()
	r, ok := d.Rat()
	require.True(t, ok)
	return r
}

// brute counts a unit by the definition: every lo <= hi, f < f2 and output, from
// oracle.NewDistribution, with bounds as rationals.
func brute(t *testing.T, w *World, unit int) []*tally {
	var tallies []*tally
	var best []*rivals
	for range w.Claims {
		tallies, best = append(tallies, newTally()), append(best, &rivals{})
	}
	p := w.params(unit)
	lam, err := oracle.Unit(p)
	if err != nil {
		return nil
	}
	lambda := rat(t, p.Value.Dyadic())
	if p.Scale == spec.ScaleEpsilon {
		lambda.Inv(lambda)
	}
	eta := rat(t, w.Format.Eta())
	loss := map[string]real.Interval{}
	size := w.size()
	for lo := range size {
		for hi := lo; hi < size; hi++ {
			p.Lo, p.Hi = w.numbers[lo], w.numbers[hi]
			dists := make([]map[string]oracle.Prob, size) // by clamped input, of each output
			for x := lo; x <= hi; x++ {
				d, err := oracle.NewDistribution(p, w.Kind, w.numbers[x])
				require.NoError(t, err)
				dists[x] = map[string]oracle.Prob{}
				for r, pr := range d.All() {
					dists[x][r.String()] = pr
				}
			}
			b := rat(t, spec.Bound(p.Lo, p.Hi))
			type view struct { // of a claim, at these bounds
				claim        Claim
				kappa, slack *big.Rat
				gain         *big.Rat
				tally        *tally
				best         *rivals
				segment      segment
			}
			var views []view
			for i, c := range w.Claims {
				floored := new(big.Rat).Mul(lambda, big.NewRat(c.Floor, 1))
				if floored.Cmp(b) < 0 {
					floored.Set(b)
				}
				kappa := new(big.Rat).Mul(floored, eta)
				kappa.Quo(kappa, lambda)
				if w.MaxKappa != nil && kappa.Cmp(w.MaxKappa) > 0 {
					continue
				}
				switch limit := new(big.Rat).Set(lambda); c.Hypothesis {
				case "lambda < B < 2^46 lambda":
					if b.Cmp(lambda) <= 0 || b.Cmp(limit.Mul(limit, big.NewRat(1<<46, 1))) >= 0 {
						continue
					}
				case "B <= 2^(p-15) lambda":
					if b.Cmp(limit.Mul(limit, big.NewRat(1<<w.Format.Precision, 1<<15))) > 0 {
						continue
					}
				}
				gain := new(big.Rat).Mul(eta, big.NewRat(c.A, 1))
				slack := new(big.Rat).Mul(kappa, big.NewRat(c.C, 1))
				slack.Add(slack, gain)
				seg := segment{octave: kappaZero, below: b.Cmp(lambda) < 0}
				if kappa.Sign() > 0 {
					seg.octave = 0
					for two := big.NewRat(2, 1); kappa.Cmp(pow2(seg.octave)) > 0 || new(big.Rat).Mul(kappa, two).Cmp(pow2(seg.octave)) <= 0; {
						if kappa.Cmp(pow2(seg.octave)) > 0 {
							seg.octave++
						} else {
							seg.octave--
						}
					}
				}
				views = append(views, view{c, kappa, slack, gain, tallies[i], best[i], seg})
			}
			for f := range size {
				for f2 := f + 1; f2 < size; f2++ {
					x, x2 := min(max(f, lo), hi), min(max(f2, lo), hi)
					dist := rat(t, w.distance(f, f2))
					dist.Quo(dist, lambda)
					for r := lo; r <= hi; r++ {
						name := w.numbers[r].String()
						pr, ok := dists[x][name]
						pr2, ok2 := dists[x2][name]
						if !ok && !ok2 {
							continue
						}
						if !ok {
							pr.Den = pr2.Den
						}
						if !ok2 {
							pr2.Den = pr.Den
						}
						key := pr.String() + " " + pr2.String()
						l, ok3 := loss[key]
						if !ok3 && ok && ok2 {
							var err error
							l, _, err = oracle.LossOf(pr, pr2, 100)
							require.NoError(t, err)
							loss[key] = l
						}
						class := w.classify(lo, hi, f, f2, r, lam.Dyadic().Top(), [2]oracle.Prob{pr, pr2})
						var excess, excess2 *big.Rat // loss - D/lambda
						if ok && ok2 {
							excess, excess2 = new(big.Rat).Sub(rat(t, l.Lo), dist), new(big.Rat).Sub(rat(t, l.Hi), dist)
						}
						for _, v := range views {
							exceeds := ok != ok2
							if !exceeds {
								exceeds = excess.Cmp(v.slack) > 0
								require.Equal(t, exceeds, excess2.Cmp(v.slack) > 0, "100 bits must decide")
							}
							n := tri{cases: 1}
							if exceeds {
								n.exceeds = 1
							}
							if ok != ok2 {
								n.infinite = 1
							}
							v.tally.count(class, v.segment, n)
							if !exceeds && (ok != ok2 || excess2.Sign() <= 0) || v.best.surely(class, v.kappa, v.slack, v.gain, excess, excess2) {
								continue
							}
							c, err := w.assemble(v.claim, unit, lo, hi, f, f2, r, [2]oracle.Prob{pr, pr2}, lam.Dyadic().Top())
							require.NoError(t, err)
							if exceeds {
								require.NoError(t, v.tally.offerWorst(c))
							}
							if ok && ok2 {
								require.NoError(t, v.tally.offerSteepest(0, c))
								d := *c
								d.gain = v.claim.gained(w.Format, w.scale(unit))
								require.NoError(t, v.tally.offerSteepest(1, &d))
							}
						}
					}
				}
			}
		}
	}
	return tallies
}

// rivals are lower bounds of what the worst and the steepest cases so far have, so
// that most cases need no comparison of logarithms.
type rivals struct {
	over  [classes]*big.Rat
	slope [2]*big.Rat
}

// surely reports whether a case with loss - D/lambda between low and high is none of
// the worst or steepest; low is nil for an infinite loss. It notes the case.
func (r *rivals) surely(c class, kappa, slack, gain, low, high *big.Rat) bool {
	if low == nil {
		return false
	}
	below := func(best **big.Rat, low, high *big.Rat) bool {
		if *best != nil && high.Cmp(*best) < 0 {
			return true
		}
		if *best == nil || low.Cmp(*best) > 0 {
			*best = low
		}
		return false
	}
	sub := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
	quo := func(a *big.Rat) *big.Rat { return new(big.Rat).Quo(a, kappa) }
	a := below(&r.over[c], sub(low, slack), sub(high, slack))
	b := below(&r.slope[0], quo(low), quo(high))
	d := below(&r.slope[1], quo(sub(low, gain)), quo(sub(high, gain)))
	return a && b && d
}

func pow2(e int) *big.Rat {
	r := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		r.Inv(r)
	}
	return r
}

// same compares tallies, and their witnesses as they are written.
func same(t *testing.T, w *World, want, got []*tally, where string) {
	t.Helper()
	require.Len(t, got, len(want), where)
	for i := range want {
		a, b := want[i], got[i]
		name := fmt.Sprintf("%s, %s", where, w.Claims[i].Name)
		require.Equal(t, a.all, b.all, name)
		require.Equal(t, a.below, b.below, name)
		require.Equal(t, a.class, b.class, name)
		require.Equal(t, a.octave, b.octave, name)
		for c := range classes {
			require.Equal(t, key(a.worst[c]), key(b.worst[c]), "%s: worst of %s", name, classNames[c])
		}
		for j := range a.steepest {
			require.Equal(t, key(a.steepest[j]), key(b.steepest[j]), "%s: steepest %d", name, j)
		}
	}
}

func key(v *witness) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(v.unit, v.lo, v.hi, v.f, v.f2, v.output, v.beta, classNames[v.class], v.p, v.p2, v.dist, v.floored, v.num, v.gain, v.slack)
}

func testClaims(t *testing.T) []Claim {
	var cs []Claim
	cs = append(cs, Named...)
	for _, s := range []string{"0,0,0", "0,3,0", "1,1,2"} {
		c, err := ParseClaim(s)
		require.NoError(t, err)
		cs = append(cs, c)
	}
	return cs
}

// The reduction gives the counts and the witnesses of the definition.
func TestAgainstBruteForce(t *testing.T) {
	for _, test := range []struct {
		f     spec.Format
		kind  spec.Kind
		units []int
		kappa *big.Rat
	}{
		{spec.Small(2, 0, 1), spec.Unbounded, []int{0, 1, 3, 4, 5, 6, 7, 9}, nil},
		{spec.Small(2, 0, 1), spec.FloatRange, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, nil},
		{spec.Small(2, -1, 1), spec.Unbounded, []int{2, 12}, big.NewRat(3, 4)},
		{spec.Small(2, -2, 0), spec.FloatRange, []int{5, 13}, big.NewRat(1, 2)},
		{spec.Small(3, 0, 0), spec.Unbounded, []int{3, 9}, nil},
		{spec.Small(3, -1, 0), spec.Unbounded, []int{18}, nil},
	} {
		t.Run(fmt.Sprint(test.f.Name, test.kind), func(t *testing.T) {
			t.Parallel()
			w := mustWorld(t, Params{Format: test.f, Kind: test.kind, Scales: allScales, Claims: testClaims(t), MaxKappa: test.kappa})
			if testing.Short() && test.f.Precision == 3 && test.f.EMin < 0 {
				t.Skip("seconds")
			}
			if testing.Short() {
				test.units = test.units[len(test.units)-1:]
			}
			for _, i := range test.units {
				where := fmt.Sprintf("unit %d", i)
				u, err := newUnit(w, i)
				require.NoError(t, err)
				want := brute(t, w, i)
				if u == nil {
					require.Nil(t, want, where)
					continue
				}
				got, err := u.count()
				require.NoError(t, err)
				same(t, w, want, got, where)
			}
		})
	}
}
