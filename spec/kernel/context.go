package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Binding is what an environment says of a leaf: its value lies in Interval. A
// leaf is a finite number of the format unless Draw is set. A Draw is a number
// in (0, 1) with at most p significant bits and any exponent, as the unbounded
// U* is; only LN takes one, because only LN is defined on it (docs/theory.md 2.1).
type Binding struct {
	real.Interval
	Draw bool
}

// Exactly binds a leaf to one number of the format.
func Exactly(d real.Dyadic) Binding { return Binding{Interval: real.Point(d)} }

// Between binds a leaf to the numbers of the format from lo to hi.
func Between(lo, hi real.Dyadic) Binding { return Binding{Interval: real.Interval{Lo: lo, Hi: hi}} }

// Env gives the leaves of an e_F by their keys: x, or f(x).
type Env map[string]Binding

// Context is a format and an environment: what a Judgment is about. It is a
// handle on facts that nothing changes, so that a copy of a whole Context over
// another (legal outside this package) touches no Judgment; and only judgments
// about the same facts combine. The zero Context has none, and no rule takes it.
type Context struct{ *facts }

type facts struct {
	format spec.Format
	env    Env
	bits   uint // of an end

	eta       int64       // log2 of eta = 2^-p
	minNormal real.Dyadic // 2^emin
	alpha     real.Dyadic // 2^(emin-p)
	overflow  real.Dyadic // T
	largest   real.Dyadic
}

// ContextError says which binding (or the format) is not acceptable.
type ContextError struct{ Key, Detail string }

func (e *ContextError) Error() string { return fmt.Sprintf("kernel: context: %s: %s", e.Key, e.Detail) }

// NewContext returns the context of a format and an environment, which it copies.
// The format's name is short and ASCII, and if others know the name (binary64, or
// F(3,-2,3)) the format is the one they mean.
// The ends of a binding must be finite numbers of the format, lo <= hi; those of
// a Draw numbers of at most p bits with 0 < lo <= hi < 1.
func NewContext(f spec.Format, env Env) (*Context, error) {
	if err := f.Validate(); err != nil {
		return nil, &ContextError{"format", err.Error()}
	}
	if err := checkName(f); err != nil {
		return nil, err
	}
	p := int64(f.Precision)
	c := &Context{&facts{
		format: f, env: maps.Clone(env), bits: f.Precision + 64,
		eta: -p, minNormal: real.Pow2(f.EMin), alpha: real.Pow2(f.EMin - p), largest: f.MaxFinite(),
		// (2 - 2^-p)·2^emax lies half a unit in the last place above the largest.
		overflow: f.MaxFinite().Add(real.Pow2(f.EMax - p)),
	}}
	for _, key := range slices.Sorted(maps.Keys(c.env)) {
		if err := c.checkBinding(key, c.env[key]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Context) checkBinding(key string, b Binding) error {
	leaf, err := lang.Parse[lang.Floats](key)
	if err != nil || leaf.Key() != key {
		return &ContextError{fmt.Sprintf("%.80q", key), "not a variable x or an application f(x)"}
	}
	for _, d := range []real.Dyadic{b.Lo, b.Hi} {
		switch {
		case !b.Draw && !c.format.Contains(d):
			return &ContextError{key, fmt.Sprintf("%v is not a finite number of %s", d, c.format.Name)}
		case b.Draw && (d.Sign() <= 0 || d.Cmp(real.One()) >= 0 || d.Top()-d.Low() >= int64(c.format.Precision) || d.Low() < -spec.MaxE-64):
			return &ContextError{key, fmt.Sprintf("%v is not a draw: a number in (0, 1) with at most %d bits", d, c.format.Precision)}
		}
	}
	if b.Lo.Cmp(b.Hi) > 0 {
		return &ContextError{key, fmt.Sprintf("lo = %v exceeds hi = %v", b.Lo, b.Hi)}
	}
	return nil
}

// known returns the facts, empty (bits = 0) for the zero Context. It reads c once.
func (c *Context) known() *facts {
	if c != nil {
		if f := c.facts; f != nil {
			return f
		}
	}
	return &facts{}
}

// Format returns the format.
func (c *Context) Format() spec.Format { return c.known().format }

// Env returns a copy of the environment.
func (c *Context) Env() Env { return maps.Clone(c.known().env) }

// Bits returns the significant bits kept in the ends of intervals, p + 64.
func (c *Context) Bits() uint { return c.known().bits }

// Alpha returns 2^(emin-p), the largest error of rounding a number below 2^emin.
func (c *Context) Alpha() real.Dyadic { return c.known().alpha }

// OverflowThreshold returns T = (2 - 2^-p)·2^emax: fl(x) is finite iff |x| < T.
func (c *Context) OverflowThreshold() real.Dyadic { return c.known().overflow }

// named returns the formats that everybody knows by name. They are written out
// here because the variables of package spec can be assigned.
func named() []spec.Format {
	return []spec.Format{
		{Name: "binary64", Precision: 53, EMin: -1022, EMax: 1023},
		{Name: "binary32", Precision: 24, EMin: -126, EMax: 127},
		{Name: "binary16", Precision: 11, EMin: -14, EMax: 15},
		{Name: "bfloat16", Precision: 8, EMin: -126, EMax: 127},
	}
}

// checkName refuses a format under a name that means another, or looks as if it
// did: a reader of a judgment goes by the name.
func checkName(f spec.Format) error {
	const maxName = 64
	if len(f.Name) == 0 || len(f.Name) > maxName || strings.ContainsFunc(f.Name, notInName) {
		return &ContextError{"format", fmt.Sprintf("the name %.80q is not 1 to %d ASCII letters, digits and (),+-._", f.Name, maxName)}
	}
	for _, k := range named() {
		if strings.EqualFold(f.Name, k.Name) && f != k {
			return &ContextError{"format", fmt.Sprintf("%s has precision %d and exponents [%d, %d]", k.Name, k.Precision, k.EMin, k.EMax)}
		}
	}
	if small := spec.Small(f.Precision, f.EMin, f.EMax).Name; strings.HasPrefix(strings.ToUpper(f.Name), "F(") && f.Name != small {
		return &ContextError{"format", fmt.Sprintf("the format named %s is %s", f.Name, small)}
	}
	return nil
}

func notInName(r rune) bool {
	return (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') && !strings.ContainsRune("(),+-._", r)
}
