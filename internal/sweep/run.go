package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/dp-crosscheck/crosscheck/internal/atomicfile"
	"github.com/dp-crosscheck/crosscheck/internal/parallel"
	"github.com/dp-crosscheck/crosscheck/oracle"
	"github.com/dp-crosscheck/crosscheck/spec/real"
)

// Options say which part of a sweep to run, and where its result is kept.
type Options struct {
	Params
	Shard, Of int    // Of >= 1
	Out       string // "": nowhere
	Resume    bool   // continue the file Out if there is one
	Step      func(done, total int)
}

// Run counts the units of a shard on all cores. With Out the file is replaced by
// rename, as units are done, so that it always holds a complete account of some units;
// when ctx is cancelled the units done are written, those under way dropped. A file
// that is there is refused unless Resume is set and it is of the same sweep and shard.
func Run(ctx context.Context, o Options) (*Result, error) {
	w, err := NewWorld(o.Params)
	if err != nil {
		return nil, err
	}
	if o.Of < 1 || o.Shard < 0 || o.Shard >= o.Of {
		return nil, fmt.Errorf("there is no shard %d of %d", o.Shard, o.Of)
	}
	r := newResult(w, o.Shard, o.Of)
	if o.Out != "" {
		if r, err = open(w, o, r); err != nil {
			return nil, err
		}
	}
	var todo []int
	total := 0
	for i, done := range r.done {
		if r.mine(i) {
			total++
			if !done {
				todo = append(todo, i)
			}
		}
	}
	k := keeper{result: r, name: o.Out}
	k.start()
	err = parallel.Do(len(todo), func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		ts, err := w.one(todo[i])
		if err != nil {
			return fmt.Errorf("unit %d: %w", todo[i], err)
		}
		return k.absorb(todo[i], ts)
	}, func(done, _ int) {
		if o.Step != nil {
			o.Step(total-len(todo)+done, total)
		}
	})
	if fail := k.stop(); fail != nil {
		return nil, fail
	}
	if errors.Is(err, context.Canceled) && o.Out != "" {
		return nil, fmt.Errorf("interrupted; the units done are in %s, and --resume continues", o.Out)
	}
	return r, err
}

// keeper writes a result to its file while it grows. A write holds up no work: what is
// done in the meantime is in the next one.
type keeper struct {
	mu     sync.Mutex // of result and err
	result *Result
	err    error
	name   string
	news   chan struct{}
	done   chan struct{}
}

func (k *keeper) start() {
	k.news, k.done = make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(k.done)
		for range k.news {
			k.save()
		}
	}()
}

// absorb adds a unit. It fails once the file cannot be written.
func (k *keeper) absorb(unit int, ts []*tally) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.err = k.result.absorb(unit, ts)
	}
	select {
	case k.news <- struct{}{}:
	default: // the write to come has it
	}
	return k.err
}

func (k *keeper) save() {
	if k.name == "" {
		return
	}
	k.mu.Lock()
	if k.err != nil { // the result may be half a unit ahead
		k.mu.Unlock()
		return
	}
	data, err := k.result.Encode()
	k.mu.Unlock()
	if err == nil {
		err = atomicfile.Write(k.name, data)
	}
	if err != nil {
		k.mu.Lock()
		k.err = err
		k.mu.Unlock()
	}
}

// stop writes the last state, also when there was nothing to do.
func (k *keeper) stop() error {
	close(k.news)
	<-k.done
	k.save()
	return k.err
}

// one counts one unit.
func (w *World) one(i int) ([]*tally, error) {
	if lam, err := oracle.Unit(w.params(i)); err == nil && !w.anyCase(i, lam.Dyadic()) {
		none := make([]*tally, len(w.Claims))
		for k := range none {
			none[k] = newTally()
		}
		return none, nil
	}
	u, err := newUnit(w, i)
	if u == nil || err != nil {
		return nil, err
	}
	return u.count()
}

// anyCase reports whether some claim has a case in a unit.
func (w *World) anyCase(i int, lam real.Dyadic) bool {
	s := w.scale(i)
	for _, c := range w.Claims {
		for beta := range w.n + 1 {
			if w.admits(c, s, lam, w.bound(beta)) {
				return true
			}
		}
	}
	return false
}

// open returns what the file holds, or the fresh result if there is none.
func open(w *World, o Options, fresh *Result) (*Result, error) {
	data, err := os.ReadFile(o.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fresh, nil
	case err != nil:
		return nil, err
	case !o.Resume:
		return nil, fmt.Errorf("%s exists; --resume continues it", o.Out)
	}
	r, err := Decode(data, w)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be resumed and is left as it is: %w", o.Out, err)
	}
	if r.shard != o.Shard || r.of != o.Of {
		return nil, fmt.Errorf("%s cannot be resumed and is left as it is: it is shard %d/%d", o.Out, r.shard, r.of)
	}
	return r, nil
}

// Load reads the result files of a merge.
func Load(names []string) ([]*Result, error) {
	var parts []*Result
	var w *World
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		r, err := Decode(data, w)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		w = r.World // the tables are made once
		parts = append(parts, r)
	}
	return parts, nil
}
