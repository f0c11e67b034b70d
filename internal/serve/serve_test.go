package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

func ask(t testing.TB, p Port, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, p.Serve(strings.NewReader(strings.Join(lines, "\n")), &out))
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func implPort() Port { return Port{Name: "go-impl", Version: "test", Voter: ops.Impl()} }

const (
	good   = `{"id":"ln/near-one-03","op":"ln","in":{"x":"0x3fefffffffffffff"}}`
	answer = `{"id":"ln/near-one-03","out":{"y":"0xbca0000000000000"}}`
)

func TestExchange(t *testing.T) {
	got := ask(t, implPort(), `{"op":"hello","protocol":1}`, good, `{"in":{"x":"0x8000000000000000"},"op":"ln","id":""}`)
	assert.JSONEq(t, `{"protocol":1,"name":"go-impl","version":"test","language":"go","ops":["ln","ln_pair","pow2_ceil",
		"pow2_ceil_inv","round_multiple","clamp","uniform","snap","snap_calibrate","snap_release",
		"snap_prob","snap_loss","snap_wide","wide_calibrate"]}`, got[0])
	assert.Equal(t, []string{answer, `{"id":"","reject":"domain"}`}, got[1:])
}

func TestBothVotersServe(t *testing.T) {
	for _, v := range ops.Voters() {
		assert.Equal(t, []string{answer}, ask(t, Port{Voter: v}, good), v.Name())
	}
}

type badRequest struct{ name, line, id string }

// published reads vectors/malformed.json.
func published(t *testing.T) (list []badRequest) {
	data, err := vectors.Files.ReadFile("malformed.json")
	require.NoError(t, err)
	var file struct {
		Cases []struct {
			Name, Line string
			ID         *string
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	require.NotEmpty(t, file.Cases)
	for _, c := range file.Cases {
		id, err := json.Marshal(c.ID)
		require.NoError(t, err)
		list = append(list, badRequest{c.Name, c.Line, string(id)})
	}
	return list
}

// Each of these gets an error answer, with the id where it can be read, and the
// next request is served.
func TestBadRequests(t *testing.T) {
	huge := strings.Repeat("9", 5000)
	for _, c := range append(published(t), []badRequest{
		{"invalid UTF-8", "{\"id\":\"\xff\",\"op\":\"ln\"}", "null"},
		{"NUL bytes", "\x00\x00", "null"},
		{"deep nesting", `{"id":"1","op":"ln","in":` + strings.Repeat("[", 50_000) + `}`, "null"},
		{"integer too long", `{"id":"1","op":"ln_pair","in":{"m":"0","e":"` + huge + `"}}`, `"1"`},
		{"10 MB line", `{"id":"1","op":"uniform","in":{"kind":"unbounded","tape":"` + strings.Repeat("ab", 5_000_000) + `"}}`, "null"},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			got := ask(t, implPort(), c.line, good)
			require.Len(t, got, 2)
			var m map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(got[0]), &m))
			assert.Len(t, m, 2)
			assert.Equal(t, c.id, string(m["id"]), got[0])
			assert.NotEmpty(t, m["error"], got[0])
			assert.Less(t, len(got[0]), 300, "an error answer does not echo the request")
			assert.Equal(t, answer, got[1])
		})
	}
}

func TestLargestLine(t *testing.T) {
	line := func(n int) string {
		head, tail := `{"id":"1","op":"uniform","in":{"kind":"unbounded","tape":"`, `"}}`
		pad := n - len(head) - len(tail)
		return head + strings.Repeat("f", pad&^1) + tail + strings.Repeat(" ", pad&1)
	}
	assert.Equal(t, `{"id":"1","out":{"m":"4503599627370495","e":"1","consumed":"53"}}`, ask(t, implPort(), line(MaxLine))[0])
	assert.Contains(t, ask(t, implPort(), line(MaxLine+1))[0], "longer than")
}

func TestIntegerBeyondLimitsIsADomainRejection(t *testing.T) {
	long := strings.Repeat("9", wire.MaxIntDigits)
	assert.Equal(t, []string{`{"id":"1","reject":"domain"}`},
		ask(t, implPort(), `{"id":"1","op":"ln_pair","in":{"m":"0","e":"`+long+`"}}`))
}

type panics struct{}

func (panics) Name() string                 { return "panics" }
func (panics) Answer(wire.Case) wire.Result { panic("planted") }

func TestAPanicCostsOneRequest(t *testing.T) {
	got := ask(t, Port{Voter: panics{}}, good, "?")
	require.Len(t, got, 2)
	assert.Contains(t, got[0], "planted")
}

func TestAnswersAreFlushedOneByOne(t *testing.T) {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error)
	go func() {
		err := implPort().Serve(inR, outW)
		outW.Close()
		done <- err
	}()
	d := json.NewDecoder(outR)
	for i := range 3 {
		_, err := fmt.Fprintf(inW, `{"id":"%d","op":"ln","in":{"x":"0x3ff0000000000000"}}`+"\n", i)
		require.NoError(t, err)
		var m map[string]any
		require.NoError(t, d.Decode(&m)) // would wait forever if the answer were held back
		assert.Equal(t, fmt.Sprint(i), m["id"])
	}
	inW.Close()
	require.NoError(t, <-done)
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (broken) Read([]byte) (int, error)  { return 0, io.ErrUnexpectedEOF }

func TestBrokenPipes(t *testing.T) {
	assert.Error(t, implPort().Serve(strings.NewReader(good+"\n"), broken{}))
	assert.Error(t, implPort().Serve(broken{}, io.Discard))
}

// FuzzServe: whatever the lines, each gets exactly one answer that is JSON with an id.
func FuzzServe(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("{}\n\n[]\n" + good))
	f.Add([]byte(`{"op":"hello","protocol":1}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		want := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && in[len(in)-1] != '\n' {
			want++
		}
		var out bytes.Buffer
		require.NoError(t, implPort().Serve(bytes.NewReader(in), &out))
		require.Equal(t, want, bytes.Count(out.Bytes(), []byte("\n")))
		for line := range strings.Lines(out.String()) {
			require.True(t, json.Valid([]byte(line)), line)
		}
	})
}
