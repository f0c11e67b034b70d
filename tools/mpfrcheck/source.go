package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

// splitMix64 is Steele, Lea and Flood's generator.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// chunkLen is the number of inputs drawn from one generator state; the inputs
// of a run therefore do not depend on the number of processes.
const chunkLen = 1 << 14

// input is a binary64 or, for a pair, u = (1 + m 2^-52) 2^-e.
type input struct {
	x float64
	m uint64
	e int64
}

// inputSet is a named sequence of inputs. at(c) returns chunk c.
type inputSet struct {
	name   string
	pair   bool
	total  int
	at     func(chunk, n int) []input
	detail string
}

// chunks returns the number of chunks.
func (s *inputSet) chunks() int { return (s.total + chunkLen - 1) / chunkLen }

// chunk returns the inputs of chunk c.
func (s *inputSet) chunk(c int) []input {
	return s.at(c, min(chunkLen, s.total-c*chunkLen))
}

// drawn makes a set of n inputs of a generator function, with a generator
// seeded afresh for every chunk.
func drawn(name, detail string, pair bool, n int, seed uint64, draw func(*splitMix64) input) inputSet {
	return inputSet{name: name, detail: detail, pair: pair, total: n, at: func(c, n int) []input {
		mix := splitMix64(seed)
		rng := splitMix64(mix.next() ^ uint64(c)*0xd1342543de82ef95)
		rng.next()
		in := make([]input, n)
		for i := range in {
			in[i] = draw(&rng)
		}
		return in
	}}
}

// drawPair draws m and e as the mechanism does: m uniform, e one more than the
// number of trailing zeros of a stream of random words, so that
// u = (1 + m 2^-52) 2^-e is a uniform real of (0,1) cut to 53 bits.
func drawPair(rng *splitMix64) input {
	e := int64(1)
	for {
		w := rng.next()
		if w != 0 {
			e += int64(bits.TrailingZeros64(w))
			break
		}
		e += 64
	}
	return input{m: rng.next() >> 12, e: e}
}

// drawUnit is drawPair as a binary64.
func drawUnit(rng *splitMix64) input {
	p := drawPair(rng)
	return input{x: math.Ldexp(1+float64(p.m)*0x1p-52, int(-p.e))}
}

// drawWide draws a positive finite binary64: mostly uniform over the bit
// patterns, which makes all exponents equally likely; one in 16 a subnormal of
// uniform length, one in 16 close to 1 on either side at a uniform scale.
func drawWide(rng *splitMix64) input {
	const inf = 0x7ff << 52
	w := rng.next()
	sel, n := w&15, w>>4&63
	b := rng.next()
	switch {
	case sel == 0:
		b = b >> 12 >> (n % 52)
		return input{x: math.Float64frombits(max(b, 1))}
	case sel == 1:
		d := int64(b >> 12 >> (n % 52))
		if w>>63 == 0 {
			d = -d
		}
		return input{x: math.Float64frombits(uint64(0x3ff<<52 + d))}
	}
	hi, _ := bits.Mul64(b, inf-1)
	return input{x: math.Float64frombits(hi + 1)}
}

// drawLongPair draws pairs of every scale of e up to 2^62 - 1.
func drawLongPair(rng *splitMix64) input {
	w := rng.next()
	e := int64(rng.next()>>2>>(w%62)) | 1<<(61-w%62)
	return input{m: rng.next() >> 12, e: e}
}

// readList reads the inputs of a list of hard cases: lines "x bits ..." and
// "pair m e ...", comments starting with #.
func readList(name string) (xs, pairs []input, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		s := sc.Text()
		if s == "" || s[0] == '#' {
			continue
		}
		in, pair, err := parseLine(s)
		if err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if pair {
			pairs = append(pairs, in)
		} else {
			xs = append(xs, in)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(xs)+len(pairs) == 0 {
		return nil, nil, fmt.Errorf("%s: no inputs", name)
	}
	return xs, pairs, nil
}

func parseLine(s string) (in input, pair bool, err error) {
	f := strings.Fields(s)
	switch {
	case len(f) >= 2 && f[0] == "x":
		b, err := strconv.ParseUint(f[1], 0, 64)
		if err == nil && (b == 0 || b >= 0x7ff<<52) {
			err = fmt.Errorf("%s is not a positive finite binary64", f[1])
		}
		return input{x: math.Float64frombits(b)}, false, err
	case len(f) >= 3 && f[0] == "pair":
		m, err := strconv.ParseUint(f[1], 0, 64)
		if err == nil && m >= 1<<52 {
			err = fmt.Errorf("m = %s is not below 2^52", f[1])
		}
		if err != nil {
			return input{}, true, err
		}
		e, err := strconv.ParseInt(f[2], 10, 64)
		return input{m: m, e: e}, true, err
	}
	return input{}, false, fmt.Errorf("want \"x bits ...\" or \"pair m e ...\", have %q", s)
}

// listed makes a set of a slice.
func listed(name, detail string, pair bool, in []input) inputSet {
	return inputSet{name: name, detail: detail, pair: pair, total: len(in), at: func(c, n int) []input {
		return in[c*chunkLen:][:n]
	}}
}

// function is the pair of functions under test.
type function struct {
	ln     func(float64) float64
	lnPair func(uint64, int64) float64
}

// write sends the records of a chunk.
func (f *function) write(w io.Writer, buf []byte, s *inputSet, in []input) error {
	buf = buf[:0]
	for _, v := range in {
		if s.pair {
			buf = binary.LittleEndian.AppendUint64(buf, v.m)
			buf = binary.LittleEndian.AppendUint64(buf, uint64(v.e))
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f.lnPair(v.m, v.e)))
		} else {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v.x))
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(f.ln(v.x)))
		}
	}
	_, err := w.Write(buf)
	return err
}
