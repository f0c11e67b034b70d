package impl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/impl/internal/calib"
)

// Audit logs. Every number is a string: a hexadecimal floating-point number,
// which is lossless, or a decimal integer. A log holds the parameters and what
// was derived from them, the constants of the theorem included; reading it
// derives everything again and accepts only the very same text of every field.
//
// Fields have the names of the port protocol: a mechanism those of snap (scale
// and value, whichever of lambda and epsilon that is), a calibration those of
// snap_calibrate (lambda, which it computes). Names never change: old logs are
// evidence.

// constantLog is the theorem a log was written under, so that a log is refused
// when the numbers behind a name have changed since.
type constantLog struct {
	Name     string `json:"name"`
	C        string `json:"c"` // the protocol's constant, which here is the whole
	Additive string `json:"additive"`
	Floor    string `json:"floor"`
}

type snappingLog struct {
	Mechanism   string      `json:"mechanism"` // "snapping"
	Epsilon     string      `json:"epsilon"`   // asked for, or "" when built from a scale
	Scale       string      `json:"scale"`
	Value       string      `json:"value"`
	Sensitivity string      `json:"sensitivity"`
	Lo          string      `json:"lo"`
	Hi          string      `json:"hi"`
	Constant    constantLog `json:"constant"`
	Unit        string      `json:"unit"`
	Achieved    string      `json:"achieved"`
}

type calibrationLog struct {
	Epsilon      string      `json:"epsilon"`
	Sensitivity  string      `json:"sensitivity"`
	Lo           string      `json:"lo"`
	Hi           string      `json:"hi"`
	Constant     constantLog `json:"constant"`
	Lambda       string      `json:"lambda"`
	EpsilonPrime string      `json:"epsilon_prime"`
	Achieved     string      `json:"achieved"`
	Unit         string      `json:"unit"`
}

func logConstant(c Constant) constantLog {
	t := c.triple()
	return constantLog{c.Name(), decimal(t.C), decimal(t.A), decimal(t.B)}
}

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

func (s *Snapping) log() snappingLog {
	l := snappingLog{
		Mechanism: "snapping",
		Scale:     s.Scale().String(), Value: hex(s.Value()), Sensitivity: hex(s.sensitivity),
		Lo: hex(s.Lo()), Hi: hex(s.Hi()), Constant: logConstant(s.constant),
		Unit: hex(s.Unit()), Achieved: hex(s.achieved),
	}
	if s.epsilon != 0 {
		l.Epsilon = hex(s.epsilon)
	}
	return l
}

func (c *Calibration) log() calibrationLog {
	return calibrationLog{
		Epsilon: hex(c.Epsilon), Sensitivity: hex(c.Sensitivity), Lo: hex(c.Lo), Hi: hex(c.Hi),
		Constant: logConstant(c.Constant), Lambda: hex(c.Lambda),
		EpsilonPrime: hex(c.EpsilonPrime), Achieved: hex(c.Achieved), Unit: hex(c.Unit),
	}
}

// MarshalJSON writes the parameters and everything derived from them, for audit
// logs; numbers are strings in lossless hexadecimal. The zero Snapping is
// refused with a *DomainError.
func (s Snapping) MarshalJSON() ([]byte, error) {
	if !s.valid() {
		return nil, errZeroSnapping()
	}
	return json.Marshal(s.log())
}

// UnmarshalJSON reads what MarshalJSON wrote. It constructs the mechanism anew,
// with all the checks and errors of the constructor, and refuses (*DomainError)
// a log with a derived value, such as the unit, the achieved bound or an integer
// of the constant, that differs from the one computed now, or with unknown
// fields. An error leaves s unchanged. It is the one method that changes
// a Snapping: use it only on one that is not shared yet.
func (s *Snapping) UnmarshalJSON(data []byte) error {
	if s == nil {
		return &DomainError{"Snapping", "nil receiver"}
	}
	var l snappingLog
	if err := strict(data, &l); err != nil {
		return err
	}
	var p parser
	value := p.float("value", l.Value)
	sensitivity, lo, hi := p.float("sensitivity", l.Sensitivity), p.float("lo", l.Lo), p.float("hi", l.Hi)
	constant := p.constant(l.Constant)
	var t *Snapping
	if l.Epsilon != "" {
		epsilon := p.float("epsilon", l.Epsilon)
		if p.err != nil {
			return p.err
		}
		if t, p.err = NewSnapping(Params{epsilon, sensitivity, lo, hi, constant}); p.err != nil {
			return p.err
		}
	} else {
		var kind ScaleKind
		if err := kind.UnmarshalText([]byte(l.Scale)); err != nil {
			return err
		}
		if p.err != nil {
			return p.err
		}
		if t, p.err = NewSnappingScale(ScaleParams{kind, value, sensitivity, lo, hi, constant}); p.err != nil {
			return p.err
		}
	}
	if err := same("Snapping", data, t.log()); err != nil {
		return err
	}
	*s = *t
	return nil
}

// MarshalJSON writes the fields; numbers are strings in lossless hexadecimal.
func (c Calibration) MarshalJSON() ([]byte, error) {
	if c.Constant.p == nil {
		return nil, errZeroConstant()
	}
	return json.Marshal(c.log())
}

// UnmarshalJSON reads what MarshalJSON wrote, computes the calibration anew with
// [Calibrate] and its errors, and refuses (*DomainError) a log whose results
// differ. An error leaves c unchanged.
func (c *Calibration) UnmarshalJSON(data []byte) error {
	if c == nil {
		return &DomainError{"Calibration", "nil receiver"}
	}
	var l calibrationLog
	if err := strict(data, &l); err != nil {
		return err
	}
	var p parser
	epsilon, sensitivity := p.float("epsilon", l.Epsilon), p.float("sensitivity", l.Sensitivity)
	lo, hi := p.float("lo", l.Lo), p.float("hi", l.Hi)
	constant := p.constant(l.Constant)
	if p.err != nil {
		return p.err
	}
	t, err := Calibrate(epsilon, sensitivity, lo, hi, constant)
	if err != nil {
		return err
	}
	if err := same("Calibration", data, t.log()); err != nil {
		return err
	}
	*c = t
	return nil
}

// strict decodes one JSON object with known fields only.
func strict(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &DomainError{"JSON", err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &DomainError{"JSON", "more than one value"}
	}
	return nil
}

// parser keeps the first error.
type parser struct{ err error }

func (p *parser) float(name, s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && p.err == nil {
		p.err = &DomainError{name, strconv.Quote(s) + " is not a floating-point number"}
	}
	return x
}

func (p *parser) constant(l constantLog) Constant {
	var c Constant
	if err := c.UnmarshalText([]byte(l.Name)); err != nil {
		if p.err == nil {
			p.err = err
		}
		return c
	}
	if now := logConstant(c); now != l && p.err == nil {
		t := calib.Triple{C: c.C(), A: c.Additive(), B: c.Floor()}
		p.err = &DomainError{"constant", "the log's c, additive, floor are " + l.C + ", " + l.Additive + ", " + l.Floor +
			"; " + l.Name + " has " + decimal(t.C) + ", " + decimal(t.A) + ", " + decimal(t.B)}
	}
	return c
}

// same refuses a log that differs from now in anything but layout and the order
// of its fields: values, and fields that are missing, null or in another case,
// which decoding into a struct would let pass.
func same(what string, data []byte, now any) error {
	want, err := json.Marshal(now)
	if err != nil {
		return err
	}
	var a, b map[string]any
	if json.Unmarshal(data, &a) != nil || json.Unmarshal(want, &b) != nil {
		return &DomainError{what, "the log is not a JSON object"}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if v, ok := a[name]; !ok {
			return &DomainError{what, fmt.Sprintf("the log has no %q; its parameters give %v", name, b[name])}
		} else if !reflect.DeepEqual(v, b[name]) {
			return &DomainError{what, fmt.Sprintf("%q is %v in the log; its parameters give %v now", name, v, b[name])}
		}
	}
	if len(a) != len(b) {
		return &DomainError{what, "the log has fields that were not written by MarshalJSON"}
	}
	return nil
}
