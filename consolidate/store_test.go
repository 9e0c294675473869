package consolidate

import (
	"context"
	"sync"

	"engram/memory"
	"engram/store"
)

// ram keeps one space in memory, as store.Store says, for the tests that run
// many workers over many logs. What no worker calls is nil.
type ram struct {
	store.Store

	mu      sync.Mutex
	head    store.Head
	records []memory.Record
	keys    map[string]memory.Ref
	marks   map[string]memory.Seq
}

func newRAM() *ram { return &ram{keys: map[string]memory.Ref{}, marks: map[string]memory.Seq{}} }

func (s *ram) Append(_ context.Context, b store.Batch) (store.Ack, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ack store.Ack
	fresh := len(b.Records) == 0
	for _, r := range b.Records {
		_, known := s.keys[r.IDKey]
		fresh = fresh || !known
	}
	if fresh && !b.Expect.Holds(s.head.Belief) {
		return ack, memory.ErrConflict
	}
	for _, r := range b.Records {
		ref, known := s.keys[r.IDKey]
		ref.Duplicate = known
		if !known {
			if err := r.Body.Validate(); err != nil {
				return ack, err
			}
			s.head.Seq++
			if r.Body.ChangesBelief() {
				s.head.Belief++
			}
			ref = memory.Ref{ID: r.ID, Seq: s.head.Seq}
			r.Seq = s.head.Seq
			s.records = append(s.records, r)
			if r.IDKey != "" {
				s.keys[r.IDKey] = ref
			}
		}
		ack.Refs = append(ack.Refs, ref)
	}
	if w := b.Watermark; w != nil {
		s.marks[w.Extractor] = max(s.marks[w.Extractor], w.Seq)
	}
	ack.Head = s.head
	return ack, nil
}

func (s *ram) Read(_ context.Context, _ memory.Scope, after memory.Position, limit int) (store.Head, []memory.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := min(int(after.Seq), len(s.records))
	return s.head, append([]memory.Record(nil), s.records[from:min(len(s.records), from+limit)]...), nil
}

func (s *ram) Lagging(_ context.Context, extractor string, after memory.Scope, _ int) ([]store.Lag, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mark := s.marks[extractor]; mark < s.head.Seq && after != scope {
		return []store.Lag{{Scope: scope, Seq: mark}}, nil
	}
	return nil, nil
}
