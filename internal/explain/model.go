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
	Holds     bool     `json:"holds"`
	Section   string   `json:"section"`
}

// Stage is one step of the mechanism.
type Stage struct {
	ID      string `json:"id"`
	Formula string `json:"formula"`
	Value   Number `json:"value"`
	Real    string `json:"real"`               // the same stage of Snap_R: exact, or to 21 digits
	Lo      string `json:"lo,omitempty"`       // the interval derived, outward to 64 bits
	Hi      string `json:"hi,omitempty"`       //
	Rule    string `json:"rule,omitempty"`     // the kernel's rule that concludes it
	Refused string `json:"refused,omitempty"`  // why there is no interval
	Inside  bool   `json:"inside"`             // the value lies in the interval, if there is one
	Uses    string `json:"uses,omitempty"`     // what the privacy proof uses here
	Happens string `json:"happened,omitempty"` // what is special in this case
}

// Outcome is how it ends.
type Outcome struct {
	Values []Number `json:"values,omitempty"`
	Reject string   `json:"reject,omitempty"`
	Why    string   `json:"why,omitempty"`
	Agree  []string `json:"voters,omitempty"` // the voters that were asked and gave this
	Wanted bool     `json:"as_published,omitempty"`
}

// Derivation is the kernel's derivation of Snap', in the notations of the formats.
type Derivation struct {
	Outline  string `json:"outline"`
	Tree     string `json:"tree"`
	Markdown string `json:"-"`
	TeX      string `json:"tex"`
}
