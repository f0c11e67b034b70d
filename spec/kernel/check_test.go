package kernel_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/spec"
	"github.com/dp-crosscheck/crosscheck/spec/kernel"
	"github.com/dp-crosscheck/crosscheck/spec/lang"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// checkAgain serialises j, checks it, and returns the text.
func checkAgain(t *testing.T, j kernel.Judgment) string {
	t.Helper()
	data, err := json.Marshal(j)
	require.NoError(t, err)
	again, err := kernel.Check(data)
	require.NoError(t, err)
	require.Equal(t, j.String(), again.String())
	data2, err := json.Marshal(again)
	require.NoError(t, err)
	require.Equal(t, string(data), string(data2))
	return string(data)
}

func TestCheckAcceptsWhatRulesMade(t *testing.T) {
	r := newRand(900)
	n := 0
	for range scaled(500, 100) {
		c := draw(r, formats[r.IntN(len(formats))], 6, true)
		j, err := kernel.Derive(context(t, c.f, c.env), c.e)
		if err != nil {
			continue
		}
		checkAgain(t, j)
		n++
	}
	t.Logf("%d derivations serialised and checked", n)
}

// full is a derivation that uses every rule.
func full(t *testing.T) kernel.Judgment {
	t.Helper()
	ctx := context(t, spec.Binary64, kernel.Env{
		"u": {Interval: real.Interval{Lo: real.Pow2(-3), Hi: real.Pow2(-1)}, Draw: true}, "x": kernel.Between(real.One(), real.FromInt64(3)),
		"f(a)": kernel.Exactly(real.FromInt64(5)), "s": kernel.Exactly(real.FromInt64(7)),
	})
	e, err := lang.Parse[lang.Floats]("clamp[-100, 100](round[2](f(a) + {1/10} * ln(u) / x - neg((s <-$ bernoulli) * 3)))")
	require.NoError(t, err)
	j, err := kernel.Derive(ctx, e)
	require.NoError(t, err)
	j, err = ctx.Weaken(real.Interval{Lo: real.FromInt64(-9), Hi: real.FromInt64(99)}, j)
	require.NoError(t, err)
	rules := map[kernel.Rule]bool{}
	var walk func(j kernel.Judgment)
	walk = func(j kernel.Judgment) {
		rules[j.Rule()] = true
		for _, p := range j.Premises() {
			walk(p)
		}
	}
	walk(j)
	require.Len(t, rules, len(kernel.Rules()))
	return j
}

// Every character that may belong to a number, changed to others: the checker refuses,
// the ends of the WEAKEN included, whose side conditions repeat them.
func TestCheckDetectsTampering(t *testing.T) {
	j := full(t)
	text := checkAgain(t, j)
	r := newRand(901)
	tried, accepted := 0, 0
	for i := range len(text) {
		if strings.IndexByte("0123456789abcdef-+.p", text[i]) < 0 {
			continue
		}
		const others = "0123456789abcdef-+"
		for range scaled(2, 1) {
			c := others[r.IntN(len(others))]
			if c == text[i] {
				continue
			}
			changed := text[:i] + string(c) + text[i+1:]
			tried++
			got, err := kernel.Check([]byte(changed))
			if err != nil {
				continue
			}
			accepted++
			// Only the format's name is free: it is no number.
			require.Equal(t, j.String(), got.String())
			require.NotEqual(t, j.Context().Format().Name, got.Context().Format().Name, "at byte %d: ...%.60s", i, changed[max(0, i-30):])
		}
	}
	t.Logf("%d single changes, %d accepted (all in the format's name)", tried, accepted)
	assert.Greater(t, tried, scaled(2500, 1000))
}

// ordered writes a file again with its keys in the order of MarshalJSON.
func ordered(t *testing.T, data []byte) []byte {
	t.Helper()
	var file struct {
		Format struct {
			Name      string `json:"name"`
			Precision int    `json:"p"`
			EMin      int    `json:"emin"`
			EMax      int    `json:"emax"`
			Alpha     string `json:"alpha"`
			Overflow  string `json:"overflow"`
		} `json:"format"`
		Env []struct {
			Key  string `json:"key"`
			Lo   string `json:"lo"`
			Hi   string `json:"hi"`
			Draw bool   `json:"draw,omitempty"`
		} `json:"env"`
		Steps []struct {
			Rule       string `json:"rule"`
			Premises   []int  `json:"premises,omitempty"`
			Real       string `json:"real"`
			Float      string `json:"float"`
			Lo         string `json:"lo"`
			Hi         string `json:"hi"`
			Conditions []struct {
				ID    string `json:"id"`
				Left  string `json:"left"`
				Rel   string `json:"rel"`
				Right string `json:"right,omitempty"`
			} `json:"conditions,omitempty"`
		} `json:"steps"`
	}
	require.NoError(t, json.Unmarshal(data, &file))
	data, err := json.Marshal(file)
	require.NoError(t, err)
	return data
}

// Consistent edits of several places, by field.
func TestCheckDetectsStructuralTampering(t *testing.T) {
	j := full(t)
	text := checkAgain(t, j)
	type object = map[string]any
	edit := func(change func(d object, steps []any)) error {
		var d object
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		change(d, d["steps"].([]any))
		data, err := json.Marshal(d)
		require.NoError(t, err)
		_, err = kernel.Check(ordered(t, data))
		return err
	}
	require.NoError(t, edit(func(object, []any) {}))
	last := func(steps []any) object { return steps[len(steps)-1].(object) }
	find := func(steps []any, rule string) object {
		for _, s := range steps {
			if s.(object)["rule"] == rule {
				return s.(object)
			}
		}
		t.Fatal(rule)
		return nil
	}
	for name, change := range map[string]func(d object, steps []any){
		"no steps":          func(d object, _ []any) { d["steps"] = []any{} },
		"step lost":         func(d object, steps []any) { d["steps"] = append(steps[:4:4], steps[5:]...) },
		"unused step":       func(d object, steps []any) { d["steps"] = append([]any{steps[0]}, steps...) },
		"unknown rule":      func(_ object, steps []any) { last(steps)["rule"] = "BELIEVE" },
		"wrong rule":        func(_ object, steps []any) { find(steps, "OP+")["rule"] = "OP-" },
		"const as exact":    func(_ object, steps []any) { find(steps, "CONST")["rule"] = "CONST-EXACT" },
		"forward premise":   func(_ object, steps []any) { find(steps, "LN")["premises"] = []any{len(steps) - 1} },
		"itself":            func(_ object, steps []any) { last(steps)["premises"] = []any{len(steps) - 1} },
		"negative premise":  func(_ object, steps []any) { find(steps, "LN")["premises"] = []any{-1} },
		"missing premise":   func(_ object, steps []any) { find(steps, "OP+")["premises"] = []any{0} },
		"weaken no premise": func(_ object, steps []any) { last(steps)["premises"] = []any{} },
		"narrowed weaken":   func(_ object, steps []any) { last(steps)["lo"] = "98" },
		"weaken condition":  func(_ object, steps []any) { last(steps)["conditions"] = []any{} },
		"expression":        func(_ object, steps []any) { find(steps, "LN")["float"] = "ln(v)" },
		"real expression":   func(_ object, steps []any) { find(steps, "LN")["real"] = "ln(V)" },
		"no expression":     func(_ object, steps []any) { find(steps, "LN")["float"] = "" },
		"weaken expression": func(_ object, steps []any) { last(steps)["float"] = "x" },
		"env":               func(d object, _ []any) { d["env"] = []any{} },
		"env wider":         func(d object, _ []any) { d["env"].([]any)[3].(object)["hi"] = "4" },
		"env twice":         func(d object, _ []any) { d["env"] = append(d["env"].([]any), d["env"].([]any)[0]) },
		"env unused": func(d object, _ []any) {
			d["env"] = append(d["env"].([]any), object{"key": "t", "lo": "0", "hi": "0"})
		},
		"env number":    func(d object, _ []any) { d["env"].([]any)[0].(object)["lo"] = "1/2" },
		"env number hi": func(d object, _ []any) { d["env"].([]any)[0].(object)["hi"] = "1e5" },
		"draw":          func(d object, _ []any) { d["env"].([]any)[2].(object)["draw"] = false },
		"precision":     func(d object, _ []any) { d["format"].(object)["p"] = 54 },
		"emin":          func(d object, _ []any) { d["format"].(object)["emin"] = -1021 },
		"emax":          func(d object, _ []any) { d["format"].(object)["emax"] = 1024 },
		"bad format":    func(d object, _ []any) { d["format"].(object)["p"] = 0 },
	} {
		err := edit(change)
		var bad *kernel.CheckError
		if assert.ErrorAs(t, err, &bad, name) {
			assert.NotContains(t, bad.Detail, "canonical", name) // refused for what it says, not for how
		}
	}
	for _, data := range []string{"", "null", "[]", "{}", text + "x", text + text, strings.Replace(text, `"p":53`, `"p":-1`, 1), `{"steps":[{}]}`, `{"trust":"me",` + text[1:]} {
		_, err := kernel.Check([]byte(data))
		assert.Error(t, err, fmt.Sprintf("%.40q", data))
	}
	_, err := kernel.Check(make([]byte, kernel.MaxFile+1))
	assert.Error(t, err)
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"format":{"name":"f","p":3,"emin":-2,"emax":3,"alpha":"0x1p-5","overflow":"15"},"env":null,"steps":[{"rule":"CONST-EXACT","real":"1","float":"1","lo":"1","hi":"1","conditions":[{"id":"datum","left":"1","rel":"in F"}]}]}`))
	f.Add([]byte(`{"format":{"name":"f","p":3,"emin":-2,"emax":3,"alpha":"0x1p-5","overflow":"15"},"env":[{"key":"x","lo":"0","hi":"1"}],"steps":[{"rule":"VAR","float":"x"}]}`))
	for _, edit := range [][2]string{{`"VAR"`, `"NEG","rule":"VAR"`}, {`"env"`, `"ENV"`}, {`"f"`, `"binary64"`}, {`"lo":"0"`, `"lo":"-0"`}, {`"hi":"1"`, `"hi":"01"`}, {`"p":3`, `"p": 3`}} {
		f.Add([]byte(strings.ReplaceAll(`{"format":{"name":"f","p":3,"emin":-2,"emax":3,"alpha":"0x1p-5","overflow":"15"},"env":[{"key":"x","lo":"0","hi":"1"}],"steps":[{"rule":"VAR","real":"X","float":"x","lo":"0","hi":"1","conditions":[{"id":"order","left":"0","rel":"\u003c=","right":"1"},{"id":"datum","left":"0","rel":"in F"},{"id":"datum","left":"1","rel":"in F"}]}]}`, edit[0], edit[1])))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := kernel.Check(data)
		require.Equal(t, err == nil, j.Valid())
		if err == nil {
			var compact bytes.Buffer
			require.NoError(t, json.Compact(&compact, data))
			require.Equal(t, compact.String(), checkAgain(t, j))
		}
	})
}
