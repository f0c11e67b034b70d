package corpus_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/dp-crosscheck/crosscheck/internal/corpus"
	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/vectors"
)

const file = `{"op":"ln","doc":"d","protocol":1,"version":"1.0.0","generator":{"name":"n","version":"1","seed":"s"},
"votes":{"impl":1,"oracle":1},"in":[{"name":"x","type":"F64"}],"out":[{"name":"y","type":"F64"}],
"flags":{"exact":{"why":"w","section":"docs/theory.md#1","proof":"docs/theory.md","risk":"r"}},
"cases":[{"id":"ln/one","in":{"x":"0x3ff0000000000000"},"out":{"y":"0x0000000000000000"},"flags":["exact"],"comment":"c"}]}`

func schema(t *testing.T) []byte {
	data, err := fs.ReadFile(vectors.Files, "schema/vectors.schema.json")
	require.NoError(t, err)
	return data
}

func TestDecode(t *testing.T) {
	f, err := corpus.Decode([]byte(file), ops.Lookup)
	require.NoError(t, err)
	require.NoError(t, corpus.Validate(schema(t), []byte(file)))
	require.Len(t, f.Cases, 1)
	assert.Equal(t, uint64(0x3ff0000000000000), f.Cases[0].In["x"].Bits())
	assert.Equal(t, "c", f.Cases[0].Comment)
}

// Every one of these edits must be noticed by the program, by the schema, or by both.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct {
		name, from, to  string
		program, schema bool
	}{
		{"unknown op", `"op":"ln"`, `"op":"exp"`, true, false},
		{"protocol", `"protocol":1`, `"protocol":2`, true, true},
		{"unknown member", `"doc":"d"`, `"doc":"d","more":1`, true, true},
		{"unknown member of a case", `"comment":"c"`, `"acceptable":"c"`, true, true},
		{"id of another op", `"id":"ln/one"`, `"id":"snap/one"`, true, false},
		{"id with spaces", `"id":"ln/one"`, `"id":"ln/one two"`, false, true},
		{"undefined flag", `"flags":["exact"]`, `"flags":["exactly"]`, true, false},
		{"both out and reject", `"comment":"c"`, `"reject":"domain"`, true, true},
		{"neither", `"out":{"y":"0x0000000000000000"},`, ``, true, true},
		{"unknown rejection", `"out":{"y":"0x0000000000000000"}`, `"reject":"nonsense"`, false, true},
		{"bad bits", `0x3ff0000000000000`, `0x3FF0000000000000`, true, false},
		{"a number", `"0x3ff0000000000000"`, `1.0`, true, true},
		{"missing output", `{"y":"0x0000000000000000"}`, `{}`, true, true},
		{"one voter", `"impl":1,`, ``, false, true},
		{"same id twice", `"cases":[`, `"cases":[{"id":"ln/one","in":{"x":"0x3ff0000000000000"},"reject":"domain"},`, true, false},
		{"trailing data", `"comment":"c"}]}`, `"comment":"c"}]} {}`, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(file, c.from, c.to, 1)
			require.NotEqual(t, file, bad)
			_, err := corpus.Decode([]byte(bad), ops.Lookup)
			assert.Equal(t, c.program, err != nil, "program: %v", err)
			err = corpus.Validate(schema(t), []byte(bad))
			assert.Equal(t, c.schema, err != nil, "schema: %v", err)
		})
	}
}

func TestLoad(t *testing.T) {
	names := []string{"ln", "clamp"}
	files, err := corpus.Load(fstest.MapFS{"v/ln.json": {Data: []byte(file)}}, "v", names, ops.Lookup)
	require.NoError(t, err)
	assert.Len(t, files, 1)
	_, err = corpus.Load(fstest.MapFS{}, ".", names, ops.Lookup)
	assert.ErrorContains(t, err, "no vector files")
	_, err = corpus.Load(fstest.MapFS{"clamp.json": {Data: []byte(file)}}, ".", names, ops.Lookup)
	assert.ErrorContains(t, err, "for op")
	_, err = corpus.Load(fstest.MapFS{"ln.json": {Data: []byte("{")}}, ".", names, ops.Lookup)
	assert.ErrorContains(t, err, "ln.json")
}

// The stream of a block is defined in vectors/PROTOCOL.md; the first words here
// were computed from that text with Python integers.
func TestBlockSource(t *testing.T) {
	src := corpus.BlockSource("ln", 17)
	got := []uint64{src.Uint64(), src.Uint64(), src.Uint64()}
	assert.Equal(t, firstWords, got)
}

var firstWords = []uint64{0xba20650f24e49546, 0x43504b41b6113297, 0x4eb60cdd9ead5941}
