// Package parallel runs independent pieces of work on all cores.
package parallel

import (
	"runtime"
	"sync"
)

// Do runs do(0) to do(n-1) on all cores and returns the error of the
// lowest index that failed. step, if not nil, is called one at a time.
func Do(n int, do func(i int) error, step func(done, total int)) error {
	var (
		mu         sync.Mutex
		wg         sync.WaitGroup
		next, done int
		failed     = n
		first      error
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				mu.Lock()
				i := next
				next++
				stop := i >= n || i > failed
				mu.Unlock()
				if stop {
					return
				}
				err := do(i)
				mu.Lock()
				if err != nil && i < failed {
					failed, first = i, err
				}
				done++
				if step != nil {
					step(done, n)
				}
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return first
}
