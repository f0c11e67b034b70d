package kernel

import (
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Style says how derivations are printed.
type Style struct {
	Notation lang.Notation
	// Bits is the number of significant bits shown of each end, rounded outward, so
	// that what is shown is proved too. 0 shows every bit.
	Bits uint
}

// Exact shows every bit, in ASCII.
func Exact() Style { return Style{} }

// Readable shows 8 bits more than the format has, in the notes' notation.
func (j Judgment) Readable() Style {
	if c := j.Context(); c != nil {
		return Style{lang.Unicode, c.format.Precision + 8}
	}
	return Style{Notation: lang.Unicode}
}

func (st Style) ends(x real.Interval) (lo, hi string) {
	if st.Bits > 0 {
		x = x.Outward(st.Bits)
	}
	return lang.DyadicIn(st.Notation, x.Lo), lang.DyadicIn(st.Notation, x.Hi)
}

// String is the judgment alone, exactly, in ASCII.
func (j Judgment) String() string { return j.Statement(Exact()) }

// Statement writes e_R => e_F, [lo, hi].
func (j Judgment) Statement(st Style) string {
	if err := j.Err(); err != nil {
		return "<" + err.Error() + ">"
	}
	arrow := [...]string{" => ", " ⇓ ", ` \Downarrow `}[st.Notation]
	lo, hi := st.ends(j.s.ends)
	return fmt.Sprintf("%s%s%s, [%s, %s]", j.Real().Format(st.Notation), arrow, j.Float().Format(st.Notation), lo, hi)
}

// MaxDrawn bounds the judgments of a derivation that is drawn.
const MaxDrawn = 1 << 13

// drawable returns "" or the text that stands for a derivation that is not drawn.
func (j Judgment) drawable() string {
	if err := j.Err(); err != nil {
		return "<" + err.Error() + ">\n"
	}
	if j.nodes(MaxDrawn+1) > MaxDrawn {
		return fmt.Sprintf("<a derivation of over %d judgments>\n", MaxDrawn)
	}
	return ""
}

// Outline writes the derivation indented, one judgment per line with its rule,
// premises below their conclusion, side conditions after a bar.
func (j Judgment) Outline(st Style) string {
	if s := j.drawable(); s != "" {
		return s
	}
	var b strings.Builder
	j.visit(func(j Judgment, depth, _ int) {
		indent := strings.Repeat("  ", depth)
		fmt.Fprintf(&b, "%s%s  (%s)\n", indent, j.Statement(st), j.s.rule)
		for _, c := range j.s.conds {
			fmt.Fprintf(&b, "%s  | %s\n", indent, st.condition(c))
		}
	}, func(Judgment, int, int) {})
	return b.String()
}

// condition writes a side condition; sides are shortened outward, the left up and
// the right down, where that does not turn a true comparison into a false one.
func (st Style) condition(c Condition) string {
	if st.Bits > 0 && c.Rel != InFormat {
		short := c
		short.Left, short.Right = c.Left.Truncated(st.Bits, true), c.Right.Truncated(st.Bits, false)
		if short.holds(nil) {
			c = short
		}
	}
	return c.String()
}

// Tree writes the derivation as a proof tree: premises above a line that names the
// rule, the conclusion below it.
func (j Judgment) Tree(st Style) string {
	if s := j.drawable(); s != "" {
		return s
	}
	var done []box // of judgments whose conclusion is not drawn yet
	j.visit(func(Judgment, int, int) {}, func(j Judgment, _, _ int) {
		n := len(done) - len(j.s.premises)
		done = append(done[:n], j.box(done[n:], st))
	})
	return strings.Join(done[0].lines, "\n") + "\n"
}

// box is a rectangle of text; the conclusion, its last line, begins at column
// from and ends before column to.
type box struct {
	lines    []string
	width    int
	from, to int
}

func runes(s string) int { return len([]rune(s)) }

// box draws j below its premises.
func (j Judgment) box(premises []box, st Style) box {
	conclusion := j.Statement(st)
	label := " " + string(j.s.rule)
	above := box{lines: []string{""}}
	for i, p := range premises {
		above = beside(above, p, i == 0)
	}
	// The line spans the premises' conclusions and the conclusion, centred on both.
	n := runes(conclusion)
	span := max(n, above.to-above.from)
	left := above.from - (span-(above.to-above.from))/2
	shift := max(0, -left)
	left += shift
	var lines []string
	for _, l := range above.lines {
		if l != "" || len(premises) > 0 {
			lines = append(lines, strings.TrimRight(strings.Repeat(" ", shift)+l, " "))
		}
	}
	from := left + (span-n)/2
	lines = append(lines,
		strings.Repeat(" ", left)+strings.Repeat("-", span)+label,
		strings.Repeat(" ", from)+conclusion)
	return box{lines, max(shift+above.width, left+span+runes(label)), from, from + n}
}

// beside puts b to the right of a, bottoms level.
func beside(a, b box, first bool) box {
	if first {
		return b
	}
	const gap = 4
	height := max(len(a.lines), len(b.lines))
	lines := make([]string, height)
	for i := range lines {
		l, r := "", ""
		if k := i - (height - len(a.lines)); k >= 0 {
			l = a.lines[k]
		}
		if k := i - (height - len(b.lines)); k >= 0 {
			r = b.lines[k]
		}
		lines[i] = l + strings.Repeat(" ", a.width+gap-runes(l)) + r
	}
	return box{lines, a.width + gap + b.width, a.from, a.width + gap + b.to}
}
