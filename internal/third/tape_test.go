package third

import (
	"strings"
	"testing"
)

func TestUniform(t *testing.T) {
	m := "1" + zeros(50) + "1" // 2^51 + 1
	const mValue = 1<<51 + 1
	uniform := func(tape string, kind word) func(want ...any) {
		t.Helper()
		r := ask(t, "uniform", "tape", bits(tape), "kind", kind)
		return func(want ...any) { t.Helper(); gives(t, r, want...) }
	}
	for _, kind := range []word{"unbounded", "binary64"} {
		uniform("1"+m, kind)("m", mValue, "e", 1, "consumed", 53)
		uniform("0001"+m+"1111", kind)("m", mValue, "e", 4, "consumed", 56)
		uniform("1"+strings.Repeat("1", 52), kind)("m", 1<<52-1, "e", 1, "consumed", 53)
		uniform(zeros(1021)+"1"+m, kind)("m", mValue, "e", 1022, "consumed", 1074)
	}
	uniform(zeros(3000)+"1"+m, "unbounded")("m", mValue, "e", 3001, "consumed", 3053)

	// The subnormal end: 1022 zeros and 52 bits.
	sub := func(low string) func(...any) { return uniform(zeros(1022)+low, "binary64") }
	sub(m)("m", 2, "e", 1023, "consumed", 1074) // 2^51 + 1 = (1 + 2 2^-52) 2^51
	sub(zeros(51)+"1")("m", 0, "e", 1074, "consumed", 1074)
	sub(zeros(50)+"11")("m", 1<<51, "e", 1073, "consumed", 1074)
	sub("0"+strings.Repeat("1", 51))("m", 1<<52-4, "e", 1024, "consumed", 1074)
	// A zero starts over, once or twice.
	sub(zeros(52)+"01"+m)("m", mValue, "e", 2, "consumed", 1074+54)
	sub(zeros(52)+zeros(1074)+zeros(1022)+m)("m", 2, "e", 1023, "consumed", 3*1074)

	for _, c := range []struct {
		tape string
		kind word
	}{
		{"", "unbounded"}, {"", "binary64"},
		{zeros(4000), "unbounded"}, {zeros(4000), "binary64"},
		{zeros(1016), "binary64"},
		{"00001" + zeros(51), "unbounded"}, {"00001" + zeros(51), "binary64"},
		{zeros(1022) + zeros(50), "binary64"}, // 1072 bits, 2 too few
		{zeros(1022) + "1" + zeros(49), "binary64"},
		{zeros(1074) + zeros(6) + "11111111", "binary64"}, // after a restart
	} {
		r := ask(t, "uniform", "tape", bits(c.tape), "kind", c.kind)
		refuses(t, noTape, r)
	}
}
