package proofs

import (
	"maps"

	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// The faults planted for the checks of interval-derivation.
var _ = func() bool {
	maps.Copy(planted, map[string][]fault{
		"interval.1": {says("output 0", "x", "0"), concludesWider},
		"interval.2": {says("22 for 21", "21", "22")},
		"interval.3": {says("output 0 at most 0.001", "x", "0", "1/100", "1/1000")},
		"interval.4": {says("6 for 12", "12", "6"), says("output -297", "0", "-297")},
	})
	return true
}()

// concludesWider has the kernel conclude intervals a thousandth wider.
var concludesWider = fault{"the kernel concludes wider intervals", func(s *subject) {
	right := s.concluded
	s.concluded = func(j kernel.Judgment) real.Interval {
		i := right(j)
		d := i.Hi.Sub(i.Lo).Add(real.Pow2(-10))
		return real.Interval{Lo: i.Lo.Sub(d), Hi: i.Hi.Add(d)}
	}
}}
