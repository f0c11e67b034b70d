package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/dp-crosscheck/crosscheck/internal/gen"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// BlockSize is the number of derived cases one digest covers.
const BlockSize = 1000

// Digests is the file of digests: for every operation, the SHA-256 of each block
// of answers to derived cases. vectors/PROTOCOL.md defines both.
type Digests struct {
	Protocol  int                 `json:"protocol"`
	Version   string              `json:"version"`
	Generator Generator           `json:"generator"`
	Voters    []string            `json:"voters"`
	BlockSize int                 `json:"block_size"`
	Blocks    map[string][]string `json:"blocks"` // op -> hex digests
}

// BlockSource returns the stream that derives block b of an operation: SplitMix64
// seeded with the FNV-1a hash of "op/b".
func BlockSource(op string, b int) gen.Source {
	h := fnv.New64a()
	h.Write([]byte(op + "/" + strconv.Itoa(b)))
	return &gen.SplitMix64{State: h.Sum64()}
}

// DigestBlock returns the digest of a voter's answers to block b: SHA-256 over
// the canonical answers, a newline after each. An abstention or an error is an
// error here: a digest has no place for them.
func DigestBlock(v wire.Voter, sig wire.Signature, derive func(gen.Source) wire.Values, b int) (string, error) {
	h := sha256.New()
	src := BlockSource(sig.Op, b)
	for i := range BlockSize {
		c := wire.Case{ID: strconv.Itoa(b*BlockSize + i), Op: sig.Op, In: derive(src)}
		r := v.Answer(c)
		if !r.Answered() {
			return "", fmt.Errorf("%s gives no answer to derived case %s of %s: %s%s", v.Name(), c.ID, sig.Op, r.Skip, r.Err)
		}
		h.Write([]byte(wire.EncodeAnswer(r, sig)))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Encode writes the digests canonically.
func (d Digests) Encode() ([]byte, error) {
	b, err := json.MarshalIndent(d, "", " ")
	return append(b, '\n'), err
}

// DecodeDigests reads them.
func DecodeDigests(data []byte) (Digests, error) {
	var d Digests
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return d, err
	}
	if d.Protocol != wire.Protocol || d.BlockSize != BlockSize {
		return d, fmt.Errorf("digests of protocol %d in blocks of %d; this program speaks %d and %d",
			d.Protocol, d.BlockSize, wire.Protocol, BlockSize)
	}
	return d, nil
}
