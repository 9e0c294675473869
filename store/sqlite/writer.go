package sqlite

import (
	"context"
	"fmt"
	"io"

	"engram/memory"
)

// writer is the one goroutine of a store that changes the file.
type writer struct {
	ended   chan struct{}
	s       *Store
	conn    *conn
	walOwes bool  // the log could not be truncated after an erasure
	closed  error // what closing the connection gave
}

func newWriter(s *Store, c *conn) *writer {
	return &writer{s: s, conn: c, ended: make(chan struct{})}
}

func (w *writer) now() int64 { return w.s.opts.Now() }

// run serves the queue until it is closed and empty.
func (w *writer) run() {
	defer func() {
		w.closed = w.conn.close()
		close(w.ended)
	}()
	// A process that died behind an erasure may have left its bytes in the log.
	w.truncateLog(0)
	w.walOwes = false
	for {
		group := w.s.queue.take()
		if len(group) == 0 {
			return
		}
		if group[0].erasure != nil {
			w.serveErasure(group[0])
			continue
		}
		w.serve(group)
		if w.walOwes {
			w.truncateLog(0)
		}
	}
}

// serve writes a group of batches in one transaction and answers each. If the
// file fails, each batch is tried alone, so that one that does not fit leaves
// the others through.
func (w *writer) serve(group []*request) {
	outcomes := make([]outcome, len(group))
	began := false
	err := w.conn.change(func() error {
		began = true
		return w.appendAll(group, outcomes)
	})
	if err != nil && began && len(group) > 1 {
		for _, r := range group {
			w.serve([]*request{r})
		}
		return
	}
	for i, r := range group {
		if err != nil {
			outcomes[i] = outcome{err: explain(context.Background(), err)}
		}
		r.done <- outcomes[i]
	}
}

func (w *writer) appendAll(group []*request, outcomes []outcome) error {
	heads := make(map[memory.Scope]*head)
	for i, r := range group {
		if err := r.ctx.Err(); err != nil { // its caller has left
			outcomes[i].err = err
			continue
		}
		out, err := w.apply(r, heads)
		if err != nil && !isRefusal(err) {
			return err
		}
		out.err = err
		outcomes[i] = out
	}
	for s, h := range heads {
		if !h.changed {
			continue
		}
		if err := w.conn.putHead(s, h); err != nil {
			return err
		}
	}
	return nil
}

// apply does what one request asks for. It gives a refusal only before it has
// changed anything.
func (w *writer) apply(r *request, heads map[memory.Scope]*head) (out outcome, err error) {
	switch {
	case r.vectors != nil:
		out.ack.Head, err = w.putVectors(r.vectors, heads)
	case r.drop != nil:
		out.more, err = w.dropVectors(r.drop, heads)
	default:
		out.ack, err = w.append(r, heads)
	}
	return out, err
}

// headOf reads the head of a space once in a transaction. A space that does
// not exist yet gets its digest key.
func (w *writer) headOf(s memory.Scope, heads map[memory.Scope]*head) (*head, error) {
	if h := heads[s]; h != nil {
		return h, nil
	}
	h, err := w.conn.head(s)
	if err != nil {
		return nil, err
	}
	if !h.known {
		if h.digestKey, err = w.newDigestKey(); err != nil {
			return nil, err
		}
	}
	heads[s] = h
	return h, nil
}

func (w *writer) newDigestKey() ([]byte, error) {
	key := make([]byte, 32)
	if _, err := io.ReadFull(w.s.opts.Random, key); err != nil {
		return nil, fmt.Errorf("read randomness for a digest key: %w", err)
	}
	return key, nil
}
