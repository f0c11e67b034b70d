package lang_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
)

// The notes' own expressions in three notations, for both languages.
func TestNotations(t *testing.T) {
	for _, c := range []struct {
		src  string
		real [2]string // Unicode, LaTeX
		flt  [2]string
	}{
		{"F(A) + {1/3} * ln(R)",
			[2]string{"F(A) + (1/3) × ln(R)", `F(A) + \tfrac{1}{3} \times \ln(R)`},
			[2]string{"f(a) ⊕ (1/3) ⊗ Ⓛ(r)", `f(a) \oplus \tfrac{1}{3} \otimes \textcircled{\scriptsize ln}(r)`}},
		{"ln(U) / Eps - (X - Y_1)",
			[2]string{"ln(U) ÷ Eps − (X − Y_1)", `\ln(U) \div \mathit{Eps} - (X - Y_{1})`},
			[2]string{"Ⓛ(u) ⊘ eps ⊖ (x ⊖ y_1)", `\textcircled{\scriptsize ln}(u) \oslash \mathit{eps} \ominus (x \ominus y_{1})`}},
		{"clamp[-0x1p-1, 2](round[4](neg(W')))",
			[2]string{"clamp_[-0x1p-1, 2](⌊−(W')⌉_4)", `\mathsf{clamp}_{[\mathtt{{-}0x1p{-}1},2]}(\lfloor -(W') \rceil_{4})`},
			[2]string{"clamp_[-0x1p-1, 2](⌊−(w')⌉_4)", `\mathsf{clamp}_{[\mathtt{{-}0x1p{-}1},2]}(\lfloor -(w') \rceil_{4})`}},
		{"(U <-$ unif)", [2]string{"(U ←$ unif)", `(U \xleftarrow{\$} \mathsf{unif})`}, [2]string{"(u ←$ unif)", `(u \xleftarrow{\$} \mathsf{unif})`}},
	} {
		e := parse[lang.Reals](t, c.src)
		f := lang.ToFloat(e)
		assert.Equal(t, c.src, e.String())
		assert.Equal(t, c.real[0], e.Format(lang.Unicode))
		assert.Equal(t, c.real[1], e.Format(lang.LaTeX))
		assert.Equal(t, c.flt[0], f.Format(lang.Unicode))
		assert.Equal(t, c.flt[1], f.Format(lang.LaTeX))
	}
	err := lang.Error{Lo: parse[lang.Reals](t, "R / (1 + H)"), Hi: parse[lang.Reals](t, "R * (1 + H)")}
	assert.Equal(t, "(R ÷ (1 + H), R × (1 + H))", err.Format(lang.Unicode))
}

// Braces balance in all LaTeX, and plain text is ASCII.
func TestNotationsAreWellFormed(t *testing.T) {
	r := newRand(20)
	for range 500 {
		e := randExpr[lang.Floats](r, 6)
		tex := e.Format(lang.LaTeX)
		require.Equal(t, strings.Count(tex, "{"), strings.Count(tex, "}"), tex)
		for _, c := range e.String() {
			require.Less(t, c, rune(128))
		}
	}
}
