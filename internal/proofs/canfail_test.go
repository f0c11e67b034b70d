package proofs

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// planted are faults by check: under each of them the check must fail.
var planted = map[string][]fault{
	"round.1":  {truncates, oracleTruncates},
	"round.2":  {truncates, oracleTruncates, says("|y - x| <= L/4", "1/2", "1/4")},
	"round.3":  {tiesAway},
	"round.4":  {noGrid},
	"round.5":  {neverZero},
	"round.6":  {tiesUp},
	"lambda.1": {halfUnit, doubleUnit},
	"lambda.2": {halfUnit, doubleUnit},
	"lambda.3": {halfUnit},
	"clamp.1":  {noClamp},
	"clamp.2":  {wraps},
	"clamp.3":  {toMiddle},

	"uniform.1": {drawOff},
	"uniform.2": {oracleDrawOff},
	"uniform.3": {oracleDrawOff},
	"uniform.4": {skips, halfEta},
	"ln.1":      {says("the series has 17 terms", "terms", "17"), says("the bound is 0.8", "1.13", "0.8")},
	"ln.2":      {says("1.51 for 1.52", "1.52", "1.51"), says("0.1 for 0.11", "0.11", "0.1")},
	"ln.3":      {says("4 for 2.26", "2.26", "4"), says("0.35 for 0.34", "0.34", "0.35")},
	"ln.4":      {says("5 for 6", "6", "5"), says("a slop of 6", "32", "6")},
	"ln.5":      {flBumps},
	"ln.6":      {lnOff},
	"ln.7":      {narrowLn},
	"ln.8":      {lnOff, halfEta},

	"2.4.1":   {achievedDown, implAchieved, floorless, doubleEta},
	"2.4.2":   {scaleUp, doubleEta},
	"2.4.3":   {noLastClamp},
	"cal.1":   {achievedDown},
	"snapr.1": {sums},
	"snapr.2": {idealScale, idealOff, sums},
	"cells.1": {wholeHalf},
	"cells.2": {releaseCut, quarterHalf},
	"cells.3": {lnBumps},
	"cells.4": {chops, releaseCut, lnTenth},
	"mech.1":  {narrow},
	"mech.2":  {flChops, halfEta},

	"6.1.1":   {twiceUnit},
	"6.1.2":   {quarterHalf},
	"6.1.3":   {noMidpoint, halfEta, doubleEta},
	"6.1.4":   {noMidpoint},
	"6.1.5":   {chops, noMidpoint},
	"6.1.6":   {quarterEta, doubleEta},
	"6.1.7":   {doubled},
	"6.1.8":   {wideBinade, fineBinade, halfEta},
	"6.1.9":   {noMidAbove, halfEta, doubleEta},
	"6.1.10":  {chops, lnTwo, noMidAbove, halfEta, doubleEta},
	"6.1.11":  {noMidAbove, fineBinade, halfEta, doubleEta},
	"6.1.12":  {lnTwo, narrow, halfEta, doubleEta},
	"6.1.13":  {lnTenthUp, quarterEta, doubleEta},
	"6.1.14":  {fineBinade, says("q up to 4", "3/8", "4")},
	"6.1.15":  {says("q is halved", "share of q", "1/2")},
	"6.1.16":  {lnCoarse, lnCoarse2, halfEta, doubleEta, says("11.97 for 14.992", "14.992", "11.97")},
	"6.1.17":  {lnCoarse2, halfEta, doubleEta},
	"6.1.18":  {lnCoarse2, halfEta, doubleEta, says("3.9 for 4.001", "4.001", "3.9")},
	"6.1.19":  {lnCoarse2, lnTenth},
	"6.1.20":  {lnCoarse, lnCoarse2, doubleEta},
	"6.1.21":  {narrow, doubleEta},
	"6.1.22":  {lnCoarse, doubleEta},
	"6.1.23":  {noMidpoint, lnCoarse, halfEta, doubleEta},
	"6.1.24":  {wideBinade, halfEta, doubleEta, says("2.6 for 4.54", "4.54", "2.6", "2.4", "1")},
	"6.1.25":  {lnCoarse, lnCoarse2, halfEta, doubleEta},
	"6.1.26":  {lnCoarse, lnCoarse2, halfEta, doubleEta},
	"6.1.27":  {lnCoarse, lnCoarse2, halfEta, doubleEta, says("(6, 2)", "9", "6", "7", "2")},
	"6.3.1":   {says("690 for 701.001", "701.001", "690"), says("2^-1010 for 2^-1012", "1012", "1010")},
	"6.3.2":   {chops, noMidAbove, halfEta, doubleEta, says("2^-63 for 2^-62", "s", "-63")},
	"6.3.3":   {lnTwo, noMidAbove, halfEta, doubleEta},
	"6.3.4":   {says("0.001 for 0.002", "0.002", "0.001"), says("12.007 for 12.005", "12.005", "12.007"), says("6.02 for 6.007", "6.007", "6.02")},
	"6.3.5":   {narrow, lnCoarse2, says("(3, 1)", "15", "3", "5", "1")},
	"6.3.6":   {coarseEnd, says("2^(emin - 4)", "more", "-4")},
	"6.3.7":   {coarseEnd, says("2^-60 of it", "share", "0x1p-60")},
	"bound.1": {narrow, lnCoarse2, halfEta, says("(11.9, 5)", "15", "11.9")},

	"rules.1":     {flChops, alphaless, halfEta},
	"rules.2":     {alphaBelow},
	"rules.3":     {chops, narrow, halfEta},
	"rules.4":     {alphaless, halfEta},
	"rules.5":     {alphaless, quoNegates, halfEta},
	"rules.6":     {twoCorners, mulEnds},
	"rules.7":     {alphaless, lnNoAlpha, halfEta},
	"rules.8":     {lowerHalf, addsUp, quoNegates},
	"published.1": {says("c = 11.9", "12", "11.9"), says("11.98 for 11.977", "11.977", "11.98")},

	"draw.1":      {unboundedU},
	"draw.2":      {unboundedU},
	"draw.3":      {unboundedU},
	"small.1":     {provedBound},
	"small.2":     {provedBound},
	"small.3":     {provedBound},
	"theorem2.1":  {says("B is in the bound", "12", "3600")},
	"theorem2.2":  {provedBound},
	"theorem2.3":  {provedBound},
	"chain.1":     {says("B = 1/4", "B", "1/4")},
	"chain.2":     {says("c = 13", "12", "13")},
	"precision.1": {says("eta = 2^-53", "bits", "53")},
	"covington.1": {rightRecipe},
	"covington.2": {rightRecipe},
	"covington.3": {rightRecipe},
	"covington.4": {awayRecipe},
	"figure.1":    {says("r = 3", "r", "3")},
	"figure.2":    {says("r = 1", "r", "1")},
	"figure.3":    {says("r = 3/2", "r", "3/2")},
	"figure.4":    {says("1 + 1", "a", "1", "b", "1")},
	"figure.5":    {says("3 - 1", "0.9", "0x1p54", "0.4", "0")},
	"figure.6":    {says("1 x 1", "a", "1")},
	"figure.7":    {says("2^-1000 x 1/2", "exponent", "-1000")},
	"figure.8":    {says("ln 2^20", "exponent", "20")},

	"e-liu.1":    {says("b = 0", "B", "1"), lnCoarse},
	"e-liu.2":    {says("b below 0", "b + L/2", "-19/2")},
	"e-liu.3":    {says("y_1 = 10", "y_1", "10")},
	"e-liu.4":    {says("output 64", "output", "64")},
	"e-liu.5":    {quoNegates},
	"e-liu.6":    {says("epsilon = 1", "epsilon", "1")},
	"e-liu.7":    {says("f = 0", "f", "0")},
	"e-liu.8":    {says("f near 8", "exponent of f", "3")},
	"e-liu.9":    {says("a sum of 10", "the sum", "10")},
	"e-liu.10":   {says("no half", "the sign's share", "1"), lnCoarse},
	"e-draft.1":  {says("eta = 0", "eta", "0")},
	"e-draft.2":  {says("output 5", "output", "5"), lnTenth},
	"e-draft.3":  {says("r1 is a point", "lower end", "0.2")},
	"e-cov.1":    {says("the exponent unbiased", "bias", "0"), drawOff},
	"e-cov.2":    {says("lambda = 2^-1022", "bits of lambda", "0x10000000000000"), doubleUnit},
	"e-cov.3":    {says("lambda = 1.5 2^1000", "exponent", "1000")},
	"e-cov.4":    {says("Lambda = 1/2", "exponent of L", "-1")},
	"e-cov.5":    {says("x = 2^-1000", "exponent of x", "-1000")},
	"e-cov.6":    {says("e = 1022", "e", "1022")},
	"e-cov.7":    {says("x = 2^-52", "x", "0x1p-52"), says("x = 2^-53", "x", "0x1p-53")},
	"e-cov.8":    {says("a sensitivity of 4", "sensitivity", "4")},
	"e-cov.9":    {says("a sensitivity of 1", "sensitivity", "1")},
	"e-slides.1": {says("a half in algorithm 4", "share of algorithm 4", "1/2")},
	"e-slides.2": {says("epsilon < 0", "epsilon", "-1/4")},
	"e-slides.3": {says("k = 0", "k", "0")},
	"e-dl.1":     {says("k = 3", "k", "3")},
	"e-dl.2":     {says("x = 1", "x", "1")},
	"e-dl.3":     {says("x = 3/4", "x", "0.75")},
	"e-dl.4":     {says("the grid is Z", "2^k", "1")},
}

// Every check that is registered fails under the faults planted for it. -v prints
// them with what the check says.
func TestEveryCheckCanFail(t *testing.T) {
	shares := []float64{smallShare, 0.1} // the second if the first was not enough
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	registered := map[string]bool{}
	for _, c := range Default().Checks {
		registered[c.Label] = true
		before := c.run(shares[0], honest(), nil)
		require.True(t, before.OK(), "(%s) fails without a fault: %s", c.Label, before.First)
		if !assert.NotEmpty(t, planted[c.Label], "(%s) has no planted fault: nobody has seen it fail", c.Label) {
			continue
		}
		for _, f := range planted[c.Label] {
			s := honest()
			f.make(&s)
			var r Result
			for _, share := range shares {
				if r = c.run(share, s, nil); r.Failures > 0 {
					break
				}
			}
			assert.Positive(t, r.Failures, "(%s) holds although %s", c.Label, f.what)
			fmt.Fprintf(w, "(%s)\t%s\t%.100s\n", c.Label, f.what, r.First)
		}
	}
	for label := range planted {
		assert.True(t, registered[label], "a fault is planted for (%s), which no check has", label)
	}
	require.NoError(t, w.Flush())
	t.Logf("\n%s", b.String())
}
