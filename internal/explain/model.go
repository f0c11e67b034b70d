// Package explain shows how one case comes out: every stage with its value, the
// exact real value it stands for, the interval proved for it by the kernel, and
// what the privacy theorem needs of it.
package explain

// Explanation is what is said about a case, ready to be written in any format.
type Explanation struct {
	Title      string       `json:"title"`
	Comment    string       `json:"comment,omitempty"`
	Inputs     []Number     `json:"inputs"`
	Notes      []string     `json:"notes,omitempty"` // how the inputs were read: bits of the tape, rounding of decimals
	Flags      []Flag       `json:"flags,omitempty"`
	Hypotheses []Hypothesis `json:"hypotheses,omitempty"`
	Stages     []Stage      `json:"stages,omitempty"`
	Outcome    Outcome      `json:"outcome"`
	Derivation Derivation   `json:"derivation,omitzero"`
}

// Number is a value in every notation.
type Number struct {
	Name    string `json:"name"`
	Text    string `json:"text"` // canonical, as on the wire: bits for a double
	Hex     string `json:"hex,omitempty"`
	Decimal string `json:"decimal,omitempty"` // shortest that reads back
	Doc     string `json:"doc,omitempty"`
}

// Flag says why a published case exists.
type Flag struct {
	Name    string `json:"name"`
	Why     string `json:"why"`
	Risk    string `json:"risk"`
	Section string `json:"section"`
}

// Hypothesis is one condition of a claim, decided for the parameters.
type Hypothesis struct {
	ID        string   `json:"id"`
	Statement string   `json:"statement"`
	Claims    []string `json:"claims"`
	Holds     *bool    `json:"holds,omitempty"` // nil where the inputs do not decide it
	Note      string   `json:"note,omitempty"`  // what decides it, or does not
	Section   string   `json:"section"`
}

// mark is the verdict in a word.
func (h Hypothesis) mark() string {
	switch {
	case h.Holds == nil:
		return "open"
	case *h.Holds:
		return "holds"
	}
	return "BROKEN"
}

// Stage is one step of the mechanism.
type Stage struct {
	ID      string `json:"id"`
	Formula string `json:"formula"`
	Value   Number `json:"value"`
	Real    string `json:"real"`               // the same stage of Snap_R: exact, or its first 21 digits
	Lo      string `json:"lo,omitempty"`       // the interval derived, outward to 64 bits
	Hi      string `json:"hi,omitempty"`       //
	Rule    string `json:"rule,omitempty"`     // the kernel's rule that concludes it, or "identity"
	Refused string `json:"refused,omitempty"`  // why there is no interval
	Inside  *bool  `json:"inside,omitempty"`   // the value lies in the interval; nil if there is none
	Uses    string `json:"uses,omitempty"`     // what the privacy proof uses here
	Happens string `json:"happened,omitempty"` // what is special in this case
}

// outside says that the value is not in its interval, which would be a bug.
func (s Stage) outside() bool { return s.Inside != nil && !*s.Inside }

// Outcome is how it ends.
type Outcome struct {
	Values []Number `json:"values,omitempty"`
	Reject string   `json:"reject,omitempty"`
	Why    string   `json:"why,omitempty"`
	Agree  []string `json:"voters,omitempty"` // the voters that were asked and gave this
	// Published says that this is the published answer; nil for a case that is not.
	Published *bool `json:"as_published,omitempty"`
}

// unlike says that a published case came out otherwise than published.
func (o Outcome) unlike() bool { return o.Published != nil && !*o.Published }

// Derivation is the kernel's derivation of Snap', or as far as it goes, in the
// notations of the formats.
type Derivation struct {
	Outline  string `json:"outline"`
	Tree     string `json:"tree"`
	Markdown string `json:"-"`
	TeX      string `json:"tex"` // the tree as stacked fractions; a page has no room for it
	steps    []step
}

// step is one judgment of the derivation, for a format that numbers them.
type step struct {
	rule   string
	from   []int // numbers of the premises, from 1
	re, fl string
	lo, hi string
}
