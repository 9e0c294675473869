package eval

import (
	"context"
	"sync"
)

// queued are rows that wait for their readers. They are written in the order in
// which they were asked, whichever is answered first, so that a run gives the
// same file each time and an interrupted one is a beginning of it.
type queue struct {
	run     *Run
	ctx     context.Context //nolint:containedctx // that of the run, which owns the queue
	stop    context.CancelCauseFunc
	waiting chan *waiting
	slots   chan struct{}
	group   sync.WaitGroup // of readers
	written chan struct{}
}

type waiting struct {
	row  *Row
	done chan struct{}
}

func newQueue(ctx context.Context, r *Run) *queue {
	q := &queue{run: r, waiting: make(chan *waiting, 4*r.Parallel), slots: make(chan struct{}, r.Parallel), written: make(chan struct{})}
	q.ctx, q.stop = context.WithCancelCause(ctx)
	go q.write()
	return q
}

// add takes a row; readers get its context unless it is nil.
func (q *queue) add(row *Row, question *Question, ask Ask, c *Context) error {
	w := &waiting{row: row, done: make(chan struct{})}
	if c == nil || q.run.Answer == nil {
		close(w.done)
	} else {
		select {
		case q.slots <- struct{}{}:
		case <-q.ctx.Done():
			return context.Cause(q.ctx)
		}
		q.group.Go(func() {
			defer func() { <-q.slots }()
			row.Answers = q.run.Answer(q.ctx, question, ask, c)
			if q.ctx.Err() == nil { // else it was interrupted, and is no answer
				close(w.done)
			}
		})
	}
	select {
	case q.waiting <- w:
		return nil
	case <-q.ctx.Done():
		return context.Cause(q.ctx)
	}
}

func (q *queue) write() {
	defer close(q.written)
	n := len(q.run.done)
	for w := range q.waiting {
		select {
		case <-w.done:
		case <-q.ctx.Done():
			return
		}
		if err := q.run.rows.write(w.row); err != nil {
			q.stop(err)
			return
		}
		if n++; q.run.Progress != nil {
			q.run.Progress(n, q.run.asked()*len(q.run.Systems), w.row)
		}
	}
}

// finish waits for what was added and gives what went wrong.
func (q *queue) finish() error {
	close(q.waiting)
	<-q.written
	err := context.Cause(q.ctx)
	q.stop(nil)
	q.group.Wait()
	return err
}
