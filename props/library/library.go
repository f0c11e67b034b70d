// Package library is what package impl offers to make a mechanism, as a table of
// functions: the seam at which a wrong library takes its place (internal/mutants).
package library

import (
	"encoding/json"

	"github.com/dp-crosscheck/crosscheck/impl"
	"github.com/dp-crosscheck/crosscheck/impl/derand"
)

// Library is every way to make a mechanism, the constants, and the production
// release on a given tape. Right ones leave the Record zero with an error.
type Library struct {
	Scale           func(impl.ScaleParams) (Record, error)
	Budget          func(impl.Params) (Record, error)
	Calibrate       func(impl.Params) (Record, error)
	ReadSnapping    func(log []byte) (Record, error)
	ReadCalibration func(log []byte) (Record, error)
	Claim           func(name string) (Claim, error)
	Release         func(p impl.ScaleParams, f float64, tape []byte) (r float64, consumed int, err error)
}

// Record is what an object says of itself. What an object does not have is zero.
type Record struct {
	Epsilon      float64
	Scale        impl.ScaleKind
	Value        float64
	Sensitivity  float64
	Lo, Hi       float64
	Constant     string
	Unit         float64
	EpsilonPrime float64
	Achieved     float64
}

// Claim is a constant as a caller sees it.
type Claim struct {
	Name        string
	C, A, Floor int64
}

// Owner is a voter that has a library of its own.
type Owner interface{ Library() Library }

// Of is the library of v: its own, or else that of package impl.
func Of(v any) Library {
	if o, ok := v.(Owner); ok {
		return o.Library()
	}
	return Impl()
}

// Impl is package impl.
func Impl() Library {
	return Library{
		Scale: func(p impl.ScaleParams) (Record, error) {
			s, err := impl.NewSnappingScale(p)
			return ofSnapping(s), err
		},
		Budget: func(p impl.Params) (Record, error) {
			s, err := impl.NewSnapping(p)
			return ofSnapping(s), err
		},
		Calibrate: func(p impl.Params) (Record, error) {
			c, err := impl.Calibrate(p.Epsilon, p.Sensitivity, p.Lo, p.Hi, p.Constant)
			return ofCalibration(c), err
		},
		ReadSnapping: func(log []byte) (Record, error) {
			var s impl.Snapping
			err := json.Unmarshal(log, &s)
			return ofSnapping(&s), err
		},
		ReadCalibration: func(log []byte) (Record, error) {
			var c impl.Calibration
			err := json.Unmarshal(log, &c)
			return ofCalibration(c), err
		},
		Claim: func(name string) (Claim, error) {
			var c impl.Constant
			err := c.UnmarshalText([]byte(name))
			return Claim{c.Name(), c.C(), c.Additive(), c.Floor()}, err
		},
		Release: func(p impl.ScaleParams, f float64, tape []byte) (float64, int, error) {
			s, err := impl.NewSnappingScale(p)
			if err != nil {
				return 0, 0, err
			}
			return derand.Release(s, f, tape)
		},
	}
}

func ofSnapping(s *impl.Snapping) Record {
	return Record{
		Epsilon: s.Epsilon(), Scale: s.Scale(), Value: s.Value(), Sensitivity: s.Sensitivity(),
		Lo: s.Lo(), Hi: s.Hi(), Constant: s.Constant().Name(), Unit: s.Unit(), Achieved: s.Achieved(),
	}
}

func ofCalibration(c impl.Calibration) Record {
	r := Record{
		Epsilon: c.Epsilon, Value: c.Lambda, Sensitivity: c.Sensitivity, Lo: c.Lo, Hi: c.Hi,
		Constant: c.Constant.Name(), Unit: c.Unit, EpsilonPrime: c.EpsilonPrime, Achieved: c.Achieved,
	}
	if c != (impl.Calibration{}) {
		r.Scale = impl.Lambda
	}
	return r
}
