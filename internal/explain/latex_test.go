package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dp-crosscheck/crosscheck/spec"
)

func TestTeX(t *testing.T) {
	for text, want := range map[string]string{
		"snap_release #2.1 & 50% of $5":   `snap\_release \#2.1 \& 50\% of \$5`,
		`{a}^2 ~ \b`:                      `\{a\}\^{}2 \~{} \textbackslash{}b`,
		"x <= y >= z < |u| > 1":           `x $\le$ y $\ge$ z $<$ $|$u$|$ $>$ 1`,
		"--u 1.5…":                        `-{}-u 1.5\dots{}`,
		strings.Repeat("0123456789", 3):   `01234567\allowbreak{}890123456789` + "0123456789",
		"__" + strings.Repeat("_", 6*3+6): strings.Repeat(`\_`, 8) + `\allowbreak{}` + strings.Repeat(`\_`, 18),
	} {
		assert.Equal(t, want, tex(text))
	}
}

func TestEveryStageHasAFormula(t *testing.T) {
	for _, s := range spec.SnapStages {
		assert.NotEmpty(t, formulas[s.ID], s.ID)
		assert.NotEmpty(t, uses[s.ID], s.ID)
	}
	assert.Len(t, formulas, len(spec.SnapStages))
}
