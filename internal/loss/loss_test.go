package loss

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func TestSearchTry(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: spec.FromFloat64(1), Lo: spec.FromFloat64(-100), Hi: spec.FromFloat64(100)}
	for _, free := range []bool{false, true} {
		start := time.Now()
		f, err := Search(p, SearchOptions{Sensitivity: 1, Claim: spec.Proved, Evaluations: 20000, Seed: 1, FreeScale: free}, nil)
		require.NoError(t, err)
		t.Logf("%+v %v", f, time.Since(start))
		start = time.Now()
		r, err := Compute(Request{Params: f.Params, Kind: spec.Unbounded, F: spec.FromFloat64(f.F), F2: spec.FromFloat64(f.F2), Sensitivity: real.One(), Claims: spec.Claims}, nil)
		require.NoError(t, err)
		e, _ := r.Excess()
		x, _ := r.Rows[r.Worst].Output, 0
		lo, _ := e.Lo.Rat()
		ef, _ := lo.Float64()
		t.Log(len(r.Rows), x, ef, r.Bounds[0].Exceeded, r.Bounds[1].Exceeded, time.Since(start))
		// accuracy of the fast evaluator
		unit, _ := oracle.Unit(f.Params)
		w, _ := newWorld(f.Params, unit)
		for _, row := range r.Rows {
			g, _ := row.Loss.Lo.Rat()
			gf, _ := g.Float64()
			_ = gf
			b, _ := spec.Binary64.Encode(row.Output)
			ex := w.excess(math.Float64frombits(b), f.F, f.F2)
			q, _ := real.Point(real.One()).Quo(real.Point(f.Params.Value.Dyadic()), 200)
			d, _ := row.Loss.Lo.Sub(q.Lo).Rat()
			df, _ := d.Float64()
			if row.Output.Cmp(spec.FromFloat64(-95)) < 0 {
				t.Log(row.Output, ex*0x1p53, df*0x1p53)
			}
		}
	}
}
