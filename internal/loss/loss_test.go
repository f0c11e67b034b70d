package loss

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

func num(x float64) spec.Value { return spec.FromFloat64(x) }

func request(scale spec.ScaleKind, value, lo, hi, f, f2 float64, k spec.Kind) Request {
	r := Request{
		Params: spec.SnapParams{Format: spec.Binary64, Scale: scale, Value: num(value), Lo: num(lo), Hi: num(hi)},
		Kind:   k, F: num(f), F2: num(f2), Claims: []spec.Claim{spec.Published, spec.Proved},
	}
	r.Sensitivity, _ = Distance(r.Params, k, r.F, r.F2)
	return r
}

// The report against the distributions and the worst loss of the oracle, row by row.
func TestComputeIsTheOracle(t *testing.T) {
	op, n := gen.SnapLoss, 60
	if testing.Short() {
		n = 12
	}
	done := 0
	for j := 0; done < n; j++ {
		in := op(&gen.SplitMix64{State: uint64(j) * 0x9e3779b97f4a7c15})
		r := request(spec.ScaleKind(in["scale"].Text), in["value"].Float(), in["lo"].Float(), in["hi"].Float(), in["f"].Float(), in["f2"].Float(), spec.Kind(in["kind"].Text))
		p, err := Compute(r, nil)
		if err != nil {
			continue
		}
		done++
		want, err := oracle.WorstLoss(r.Params, r.Kind, r.F, r.F2, 80)
		require.NoError(t, err)
		w := p.Rows[p.Worst]
		require.Zero(t, want.Worst.Cmp(w.Output), "%v", r.Params)
		require.Equal(t, want.Infinite, w.Infinite)
		require.Zero(t, want.P.Cmp(w.P))
		require.Zero(t, want.P2.Cmp(w.P2))
		sum, sum2 := real.Dyadic{}, real.Dyadic{}
		for _, row := range p.Rows {
			a, err := oracle.Probability(r.Params, r.Kind, r.F, row.Output)
			require.NoError(t, err)
			require.Zero(t, a.Cmp(row.P))
			sum, sum2 = sum.Add(row.P.Num), sum2.Add(row.P2.Num)
		}
		require.True(t, sum.Equal(sum2))
		for _, b := range p.Bounds {
			q := spec.NewQuantities(r.Params, p.Unit)
			allowed, den := Allowed(b.Claim, q, r.Sensitivity)
			require.Equal(t, w.Infinite || w.Loss.Lo.Mul(den).Cmp(allowed) > 0, b.Exceeded, "within 2^-100 of the bound would need more bits")
		}
	}
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		r    Request
		want []string
	}{
		{request(spec.ScaleLambda, 1, -100, 100, 0, 1, spec.Unbounded), []string{"WITHIN the published", "WITHIN the proved"}},
		{request(spec.ScaleLambda, 1, -1000, 1000, 0, 1, spec.FloatRange), []string{"INFINITE: the output -744 is possible for f and impossible for f2", "no noise exceeds 744.44 lambda", "At epsilon = the published bound this pair needs delta = 4.44", "proved bound"}},
		{request(spec.ScaleLambda, 1, -1000, 1000, 1, 0, spec.FloatRange), []string{"possible for f2 and impossible for f,", "744.44", "delta", "delta"}},
		{request(spec.ScaleLambda, 1.6483562480615168, -680, 680, -543.258539015495, -542.258539015495, spec.FloatRange),
			[]string{"EXCEEDS the published bound, (D + 12 B eta)/lambda + 2 eta, whose hypotheses do not hold: the claim is about the unbounded draw", "EXCEEDS the proved", "2B = 825.1 lambda", "delta", "delta"}},
		{request(spec.ScaleLambda, 1, -10, 10, 0, 1, spec.FloatRange), []string{"WITHIN the published bound, (D + 12 B eta)/lambda + 2 eta, though", "WITHIN the proved bound, (D + 15 max(B, 1 lambda) eta)/lambda + 5 eta.", "stays below the 708.40"}},
		{request(spec.ScaleLambda, 0x1.0e24ea291b411p-1, -0x1.e30e65089ac62p-4, 0x1.e30e65089ac62p-4, -0x1.e30e642eeb6cbp-4, -0x1.e30e63f4e198ap-4, spec.Unbounded),
			[]string{"EXCEEDS the published bound, (D + 12 B eta)/lambda + 2 eta, whose hypotheses do not hold: hypothesis (bound-above-scale)", "WITHIN the proved", "the published bound this pair needs delta = "}},
	} {
		p, err := Compute(c.r, nil)
		require.NoError(t, err)
		got := p.Verdict()
		require.Len(t, got, len(c.want), "%q", got)
		for i := range got {
			require.Contains(t, got[i], c.want[i])
		}
	}
	// A claim that is false and has no hypotheses is refuted in words.
	r := request(spec.ScaleLambda, 1, -100, 100, 0, 1, spec.Unbounded)
	r.Claims = []spec.Claim{{Name: "0:0:0"}}
	p, err := Compute(r, nil)
	require.NoError(t, err)
	require.Contains(t, p.Verdict()[0], "EXCEEDS")
	require.True(t, strings.HasSuffix(p.Verdict()[0], "+ 0 eta."), "%q", p.Verdict())
	r.Claims[0].Hypotheses = []string{"range"}
	p, err = Compute(r, nil)
	require.NoError(t, err)
	require.Contains(t, p.Verdict()[0], "the claim is refuted, please report this.")
	r.Sensitivity = real.Pow2(-1)
	_, err = Compute(r, nil)
	require.ErrorContains(t, err, "below the distance")
}

// The evaluator that guides the search against the exact excess: to 2^-60.
func TestFastExcess(t *testing.T) {
	src := &gen.SplitMix64{State: 7}
	tested := 0
	for range 15 {
		scale, value := spec.ScaleLambda, 0.5+float64(src.Uint64()>>11)*0x1p-53
		if src.Uint64()%2 == 0 {
			scale = spec.ScaleEpsilon
		}
		b := float64(1+src.Uint64()%60) + float64(src.Uint64()>>11)*0x1p-53
		f := b * (2*float64(src.Uint64()>>11)*0x1p-53 - 1)
		p, err := Compute(request(scale, value, -b, b, f, min(f+0.75, b), spec.Unbounded), nil)
		require.NoError(t, err)
		w, err := newWorld(p.Params, p.Unit)
		require.NoError(t, err)
		for _, row := range p.Rows {
			r, x, x2 := nearest(row.Output.Dyadic()), nearest(p.X.Dyadic()), nearest(p.X2.Dyadic())
			want := nearest(row.Loss.Lo.Sub(p.Ideal.Lo))
			got := w.excess(r, x, x2)
			if want < -0.4 { // cells between or around the inputs, which no search is after
				continue
			}
			require.InDelta(t, want, got, 0x1p-60+math.Abs(want)*0x1p-48, "output %v of %v", r, p.Params)
			tested++
		}
	}
	require.Greater(t, tested, 300)
}

func TestSearch(t *testing.T) {
	p := spec.SnapParams{Format: spec.Binary64, Scale: spec.ScaleLambda, Value: num(0.8), Lo: num(-100), Hi: num(100)}
	o := SearchOptions{Sensitivity: 1, Claim: spec.Proved, Evaluations: 1500, Seed: 5, FreeScale: true}
	a, err := Search(p, o, nil)
	require.NoError(t, err)
	b, err := Search(p, o, nil)
	require.NoError(t, err)
	require.Equal(t, a, b)
	r := Request{Params: a.Params, Kind: spec.Unbounded, F: num(a.F), F2: num(a.F2), Sensitivity: real.One(), Claims: spec.Claims}
	rep, err := Compute(r, nil)
	require.NoError(t, err)
	e, ok := rep.Excess()
	require.True(t, ok)
	require.Greater(t, nearest(e.Lo), 3.0)
	require.Less(t, nearest(e.Hi), 12.0)
	// A search for a bound that is false finds a pair that refutes it.
	o.Claim, o.FreeScale, o.Evaluations = spec.Claim{Name: "1:0:0", C: 1}, false, 500
	a, err = Search(p, o, nil)
	require.NoError(t, err)
	r = Request{Params: a.Params, Kind: spec.Unbounded, F: num(a.F), F2: num(a.F2), Sensitivity: real.One(), Claims: []spec.Claim{o.Claim}}
	rep, err = Compute(r, nil)
	require.NoError(t, err)
	require.True(t, rep.Bounds[0].Exceeded)
	o.Limit = 1
	cut, err := Search(p, o, nil)
	require.NoError(t, err)
	require.True(t, cut.Cut)
	still := p
	still.Lo = still.Hi
	_, err = Search(still, SearchOptions{Sensitivity: 1, Claim: spec.Proved, Evaluations: 5}, nil)
	require.ErrorContains(t, err, "nothing to search")
	p.Lo = num(200)
	_, err = Search(p, o, nil)
	require.Error(t, err)
}

func TestOutputs(t *testing.T) {
	for _, r := range []Request{
		request(spec.ScaleLambda, 1, -100, 100, 0, 1, spec.Unbounded),
		request(spec.ScaleLambda, 1, -1000, 1000, 0, 1, spec.FloatRange),
		request(spec.ScaleLambda, 1, 3, 3, 0, math.Inf(1), spec.Unbounded),
		request(spec.ScaleLambda, 1, -5000, 5000, 0, 1, spec.Unbounded),
	} {
		p, err := Compute(r, nil)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, p.Plot(&b, "png"))
		img, err := png.Decode(&b)
		require.NoError(t, err)
		require.Greater(t, img.Bounds().Dx(), 800)
		b.Reset()
		require.NoError(t, p.Plot(&b, "svg"))
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else {
				require.NoError(t, err)
			}
		}
		b.Reset()
		require.NoError(t, p.JSON(&b, 7))
		var j map[string]any
		require.NoError(t, json.Unmarshal(b.Bytes(), &j))
		require.LessOrEqual(t, len(j["rows"].([]any)), 7)
		require.InDelta(t, len(p.Rows), j["outputs"], 0)
		for _, n := range []int{0, 1, 5, 1 << 20} {
			sel := p.Selected(n)
			if n == 0 || n > len(p.Rows) {
				require.Len(t, sel, len(p.Rows))
			} else {
				require.LessOrEqual(t, len(sel), n)
			}
			require.Contains(t, sel, p.Worst)
		}
	}
	_, err := PlotFormat("x.pdf")
	require.Error(t, err)
	_, err = Compute(request(spec.ScaleLambda, 1, 0, 1e7, 0, 1, spec.Unbounded), nil)
	require.ErrorContains(t, err, "narrow the bounds")
}
