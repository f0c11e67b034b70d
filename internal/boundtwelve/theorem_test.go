package boundtwelve

import (
	"math/rand/v2"
	"testing"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
)

// instances runs f on n adversarial instances and on the constructed witnesses.
func instances(t *testing.T, n int, f func(Quartet)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(12, 6))
	for done := 0; done < n; {
		in, ok := Draw(rng, Right())
		if !ok {
			continue
		}
		done++
		f(in.Quartet())
	}
	for _, w := range constructed(t) {
		in, err := New(w.p, w.f, w.f2, w.r, Right())
		if err != nil {
			t.Fatal(err)
		}
		f(in.Quartet())
	}
}

func constructed(t *testing.T) []witness {
	t.Helper()
	var ws []witness
	for _, scale := range []spec.ScaleKind{spec.ScaleLambda, spec.ScaleEpsilon} {
		for J := int64(24); J <= 34; J += 2 {
			if w, ok := search(scale, J, 20); ok {
				ws = append(ws, w)
			}
		}
	}
	if len(ws) < 6 {
		t.Fatalf("only %d witnesses", len(ws))
	}
	return ws
}

// TestChainIsTheOracles: the thresholds of the test give the oracle's probabilities.
func TestChainIsTheOracles(t *testing.T) {
	instances(t, 300, func(q Quartet) {
		for _, k := range []struct {
			x         spec.Value
			far, near Threshold
		}{{q.X, q.T1, q.T2}, {q.X2, q.T1b, q.T2b}} {
			want, err := oracle.Probability(q.Params, spec.Unbounded, k.x, q.R)
			if err != nil {
				t.Fatal(err)
			}
			if got := k.near.P.Sub(k.far.P).Shift(-1); !got.Equal(want.Num) {
				t.Fatalf("%v: probability of r for %v", q, k.x)
			}
		}
	})
}

// TestTheorem compares exact losses with the theorem, and with nothing of its proof.
func TestTheorem(t *testing.T) {
	instances(t, 1500, func(q Quartet) {
		n, n2 := dyadic(q.T2.P.Sub(q.T1.P)), dyadic(q.T2b.P.Sub(q.T1b.P))
		loss := n.over(n2).ln().abs()
		for _, k := range triples {
			kappa := ratMul(rat(k.b, 1), q.Eta())
			if q.Kappa().Cmp(kappa) > 0 {
				kappa = q.Kappa()
			}
			allowed := ratAdd(q.Distance(), ratAdd(ratMul(rat(12, 1), kappa), ratMul(rat(k.a, 1), q.Eta())))
			if !loss.atMost(rational(allowed)) {
				t.Errorf("(12, %d, %d) exceeded: %v", k.a, k.b, q)
			}
		}
	})
}
