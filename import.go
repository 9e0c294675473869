package engram

import (
	"context"
	"errors"
	"iter"

	"engram/ingest"
)

// Import appends a stream of records in batches, in order. Items that are
// broken are reported and passed over; records whose id or key the space has
// count as duplicates. progress, if not nil, is called after each batch. What
// the report counts as added is durable, also beside an error.
//
// A stream may be a part of a history: links, provenance and the targets of
// retractions, verdicts and feedback may name records that are neither in the
// space nor earlier in the stream. What a record says about those is ignored,
// and it is not erased for the lack of them.
func (s *Space) Import(ctx context.Context, records iter.Seq2[Record, error], progress func(ingest.Report)) (ingest.Report, error) {
	var there int
	var failed error
	counted := func(r ingest.Report) ingest.Report {
		r.Duplicates += there
		return r
	}
	report, err := s.engine.writer.Stream(ctx, s.scope, s.unknown(ctx, records, &there, &failed), func(r ingest.Report) {
		if progress != nil {
			progress(counted(r))
		}
	})
	return counted(report), errors.Join(err, failed)
}

// unknown passes on the records whose id is neither in the space nor earlier in
// the stream, and counts the others. Most streams state no ids; the space is
// read when the first one comes. An error of that ends the stream.
func (s *Space) unknown(ctx context.Context, records iter.Seq2[Record, error], there *int, failed *error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var known *state
		seen := map[ID]bool{}
		for r, err := range records {
			if err == nil && !r.ID.IsZero() {
				if known == nil {
					st, done, err := s.read(ctx)
					if err != nil {
						*failed = err
						return
					}
					done()
					known = st
				}
				if seen[r.ID] || known.has(r.ID) {
					*there++
					continue
				}
				seen[r.ID] = true
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func (st *state) has(id ID) bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	_, ok := st.fold.Find(id)
	return ok
}
