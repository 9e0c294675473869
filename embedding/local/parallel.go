package local

import (
	"context"
	"sync"
	"sync/atomic"
)

// forEach calls do with 0 to n-1, on as many goroutines as the encoder may use,
// and returns when all have ended. If the context ends it begins no more and
// gives the context's error.
func (e *Encoder) forEach(ctx context.Context, n int, do func(i int)) error {
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(i)
		}
	}
	var wg sync.WaitGroup
	for range min(e.threads, n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}
