package sqlite

import (
	"context"
	"runtime"
	"sync"

	"engram/memory"
	"engram/store"
)

// request is an append, vectors or an erasure on their way to the writer.
type request struct {
	ctx     context.Context // the caller's: once it has ended, nothing is written for it
	batch   store.Batch
	bodies  [][]byte           // of the batch, encoded
	erasure *store.Erasure     // instead of a batch
	vectors *store.VectorBatch // instead of a batch
	drop    *modelOf           // instead of a batch
	done    chan outcome       // holds one, so that the writer never waits for a caller that left
}

type outcome struct {
	ack     store.Ack
	receipt memory.Receipt
	more    bool // there is more to drop
	err     error
}

// size is about how long the writer is busy with r, in records.
func (r *request) size() int {
	switch {
	case r.vectors != nil:
		return len(r.vectors.Vectors)
	case r.drop != nil:
		return dropPiece
	}
	return len(r.bodies)
}

// queue is what waits for the writer.
type queue struct {
	mu      sync.Mutex
	waiting []*request
	closed  bool
	wake    chan struct{} // holds one
}

// do hands r over and waits for its outcome, or for the end of ctx.
func (q *queue) do(ctx context.Context, r *request) (outcome, error) {
	if err := ctx.Err(); err != nil {
		return outcome{}, err
	}
	r.ctx, r.done = ctx, make(chan outcome, 1)
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return outcome{}, memory.ErrClosed
	}
	q.waiting = append(q.waiting, r)
	q.mu.Unlock()
	q.signal()
	select {
	case out := <-r.done:
		return out, out.err
	case <-ctx.Done():
		return outcome{}, ctx.Err()
	}
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default: // it will look anyway
	}
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
}

// maxGroup bounds the records of one transaction, and with them the time for
// which a caller waits for the others.
const maxGroup = 4096

// take waits for requests and gives those that go into one transaction: an
// erasure alone, or appends. It gives none when the queue is closed and empty.
func (q *queue) take() []*request {
	// Let the callers that were just answered come back first: with them the
	// group is whole, without them every other one has a single batch.
	runtime.Gosched()
	for {
		q.mu.Lock()
		n := groupSize(q.waiting)
		group := q.waiting[:n:n]
		if q.waiting = q.waiting[n:]; len(q.waiting) == 0 {
			q.waiting = nil // so that what was written is not kept
		}
		closed := q.closed
		q.mu.Unlock()
		if n > 0 || closed {
			return group
		}
		<-q.wake
	}
}

func groupSize(waiting []*request) int {
	n, records := 0, 0
	for n < len(waiting) && waiting[n].erasure == nil && records < maxGroup {
		records += waiting[n].size()
		n++
	}
	if n == 0 && len(waiting) > 0 {
		return 1 // an erasure
	}
	return n
}
