package plan

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// portCases are cases that a port written from the pages alone asked for: each tells a
// wrong variant of it from the right one, and no earlier case did.
//
//go:embed ports.json
var portCases []byte

// ports appends those of the operation.
func (b *builder) ports() error {
	var list []struct {
		Op      string
		ID      string
		Comment string
		Flags   []string
		In      json.RawMessage
	}
	if err := json.Unmarshal(portCases, &list); err != nil {
		return fmt.Errorf("ports.json: %w", err)
	}
	for _, c := range list {
		if c.Op != b.op.Op {
			continue
		}
		in, err := wire.DecodeValues(c.In, b.op.In)
		if err != nil {
			return fmt.Errorf("ports.json, %s: %w", c.ID, err)
		}
		b.one(strings.TrimPrefix(c.ID, c.Op+"/"), c.Comment, in, c.Flags...)
	}
	return nil
}
