// Package ingest is the write path: it validates what comes in, fills in what
// is missing, gives ids and hands batches to the store, which acknowledges them
// when they are durable. No model stands in the way of that: vectors are made
// afterwards, in batches, by a VectorWorker. A long text stays one episode, word
// for word; the index searches it in parts, and a vector is made of each. It may
// import memory, store, embedding, index and index/vectors.
package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"engram/memory"
	"engram/store"
)

// BatchSize is how many records of a stream are appended at once.
const BatchSize = 1000

// batchBytes ends a batch early, so that a stream of long texts stays small in memory.
const batchBytes = 8 << 20

// Writer appends to the spaces of a store. It may be used from many goroutines.
type Writer struct {
	store store.Store
	now   func() time.Time

	mu     sync.Mutex
	random io.Reader
}

// New gives a Writer that reads the time from now and randomness from random.
func New(s store.Store, now func() time.Time, random io.Reader) *Writer {
	return &Writer{store: s, now: now, random: random}
}

// NewID makes an id.
func (w *Writer) NewID() (memory.ID, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return memory.NewID(w.now().UnixMicro(), w.random)
}

// Append validates bodies and writes all of them or none.
func (w *Writer) Append(ctx context.Context, s memory.Scope, expect store.Expect, records ...memory.Record) (store.Ack, error) {
	for i := range records {
		if err := w.prepare(&records[i]); err != nil {
			if len(records) > 1 {
				err = fmt.Errorf("item %d of %d: %w", i+1, len(records), err)
			}
			return store.Ack{}, err
		}
	}
	return w.store.Append(ctx, store.Batch{Scope: s, Records: records, Expect: expect})
}

// prepare fills in an id and, for episodes, kind, source and time.
func (w *Writer) prepare(r *memory.Record) error {
	switch body := r.Body.(type) {
	case *memory.Episode:
		w.fillEpisode(r, body)
	case *memory.Assertion:
		fillAssertion(r, body)
	}
	if r.Body == nil {
		return fmt.Errorf("a record has no body: %w", memory.ErrInvalid)
	}
	if err := r.Body.Validate(); err != nil {
		return err
	}
	// The log's clock never goes back: a stated time ahead of it would hold
	// back every record that follows.
	if now := w.now().UnixMicro(); r.Recorded > now {
		return fmt.Errorf("recorded %s lies in the future: %w", memory.Micros(r.Recorded), memory.ErrInvalid)
	}
	if !r.ID.IsZero() {
		return nil
	}
	id, err := w.NewID()
	r.ID = id
	return err
}

// fillEpisode fills in a copy: the caller's episode is not ours to change.
func (w *Writer) fillEpisode(r *memory.Record, e *memory.Episode) {
	filled := *e
	filled.Kind = cmp.Or(filled.Kind, memory.Message)
	filled.Source = cmp.Or(filled.Source, memory.User)
	if filled.Occurred.IsZero() {
		filled.Occurred = memory.At(w.now())
	}
	r.IDKey = cmp.Or(r.IDKey, filled.IDKey)
	filled.IDKey = r.IDKey
	r.Body = &filled
}

func fillAssertion(r *memory.Record, a *memory.Assertion) {
	filled := *a
	filled.News = cmp.Or(filled.News, memory.Change)
	filled.Source = cmp.Or(filled.Source, memory.User)
	r.IDKey = cmp.Or(r.IDKey, filled.IDKey)
	filled.IDKey = r.IDKey
	r.Body = &filled
}

// Report sums up a stream.
type Report struct {
	Added      int     // records that are new
	Duplicates int     // records whose key had been acknowledged before
	Failed     int     // items that were refused
	Errors     []error // of the first refused ones, at most MaxErrors
}

// MaxErrors is how many errors a Report keeps.
const MaxErrors = 100

// Stream appends records in batches, in order. An item that comes with an
// error or is invalid is counted and passed over; an error of the store ends
// the stream, and what the report counts up to then is durable. progress, if
// not nil, is called after each batch.
func (w *Writer) Stream(ctx context.Context, s memory.Scope, records iter.Seq2[memory.Record, error], progress func(Report)) (Report, error) {
	var report Report
	var batch []memory.Record
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		ack, err := w.store.Append(ctx, store.Batch{Scope: s, Records: batch})
		if err != nil {
			return fmt.Errorf("append %d records after %d: %w", len(batch), report.Added+report.Duplicates, err)
		}
		for _, ref := range ack.Refs {
			if ref.Duplicate {
				report.Duplicates++
			} else {
				report.Added++
			}
		}
		batch, size = batch[:0], 0
		if progress != nil {
			progress(report)
		}
		return nil
	}
	for r, err := range records {
		if err == nil {
			err = w.prepare(&r)
		}
		if err != nil {
			if ctx.Err() != nil {
				err := errors.Join(ctx.Err(), flush())
				return report, err
			}
			report.Failed++
			if len(report.Errors) < MaxErrors {
				report.Errors = append(report.Errors, err)
			}
			continue
		}
		batch = append(batch, r)
		if e, ok := r.Body.(*memory.Episode); ok {
			size += len(e.Text)
		}
		if len(batch) >= BatchSize || size >= batchBytes {
			if err := flush(); err != nil {
				return report, err
			}
		}
	}
	err := flush() // changes report
	return report, err
}
