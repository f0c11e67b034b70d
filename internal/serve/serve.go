// Package serve is the port side of the protocol: it answers request lines with
// a voter. It outlives every bad request.
package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dp-crosscheck/crosscheck/internal/ops"
	"github.com/dp-crosscheck/crosscheck/internal/wire"
)

// MaxLine bounds a request; a longer line is answered with an error and skipped.
const MaxLine = 1 << 20

// Port is what serve says of itself when greeted.
type Port struct {
	Name    string
	Version string
	Voter   wire.Voter
}

// Serve answers lines from in on out, in order, flushing each, until in ends.
// It returns an error only when reading or writing fails.
func (p Port) Serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	for {
		line, tooLong, err := readLine(r)
		if err != nil && err != io.EOF {
			return err
		}
		if len(line) > 0 || tooLong || err == nil {
			answer := fail(nil, fmt.Errorf("the line is longer than %d bytes", MaxLine))
			if !tooLong {
				answer = p.answer(line)
			}
			if _, err := w.WriteString(answer + "\n"); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine reads up to a newline, which it drops, keeping at most MaxLine bytes;
// of a longer line nothing is kept, and all of it is consumed.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !tooLong && len(line)+len(part) <= MaxLine+1 {
			line = append(line, part...)
		} else {
			line, tooLong = nil, true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if n := len(line); n > 0 && line[n-1] == '\n' {
			line = line[:n-1]
		}
		return line, tooLong || len(line) > MaxLine, err
	}
}

func fail(id *string, err error) string {
	return wire.EncodeResponse(id, wire.Result{Err: err.Error()}, wire.Signature{})
}

// answer answers one request line. A panic in a voter is a bug, and still only
// costs this request.
func (p Port) answer(line []byte) (text string) {
	var id *string
	defer func() {
		if r := recover(); r != nil {
			text = fail(id, fmt.Errorf("internal error: %v", r))
		}
	}()
	hello, helloErr := wire.DecodeHello(line)
	if hello && helloErr == nil {
		return p.hello()
	}
	c, id, err := wire.DecodeRequest(line, ops.Lookup)
	if hello { // a greeting gone wrong; DecodeRequest has read its id, if any
		err = helloErr
	}
	if err != nil {
		return fail(id, err)
	}
	sig, _ := ops.Lookup(c.Op)
	return wire.EncodeResponse(id, p.Voter.Answer(c), sig)
}

func (p Port) hello() string {
	names := []string{}
	for _, op := range ops.All {
		names = append(names, op.Op)
	}
	b, err := json.Marshal(struct {
		Protocol int      `json:"protocol"`
		Name     string   `json:"name"`
		Version  string   `json:"version"`
		Language string   `json:"language"`
		Ops      []string `json:"ops"`
	}{wire.Protocol, p.Name, p.Version, "go", names})
	if err != nil {
		return fail(nil, err)
	}
	return string(b)
}
