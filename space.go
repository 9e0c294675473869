package engram

import (
	"context"
	"fmt"
	"sync"

	"engram/index"
	"engram/index/vectors"
	"engram/memory"
	"engram/recall"
	"engram/store"
	"engram/timeline"
)

// Space is one memory. It is a small handle and may be used from many
// goroutines at once.
type Space struct {
	engine *Engine
	scope  memory.Scope
}

// Scope names the space.
func (s *Space) Scope() Scope { return s.scope }

// state is a space folded up to a position. Readers hold mu for reading as
// long as they look at it; catching up holds it for writing.
type state struct {
	mu    sync.RWMutex
	head  store.Head
	fold  *timeline.Fold
	index *index.Index // of episodes, by their ordinals
	said  *index.Index // of assertions, by theirs

	vectors *vectors.Set // of the configured model; nil if it has made none
	through memory.Seq   // its watermark: up to there every document has its vector
	at      uint64       // position of the last vector that was read
	seen    uint64       // Head.Vectors when all had been read
}

func newState(s timeline.Schema) *state {
	st := new(state)
	st.reset(s)
	return st
}

func (st *state) reset(s timeline.Schema) {
	st.fold, st.index, st.said = timeline.New(s), index.New(), index.New()
	st.dropVectors()
	st.seen = 0
}

// pageSize is how many records one read of the log takes.
const pageSize = 4096

// read catches up with the log and gives the state, locked for reading; the
// caller calls done. Every read of the engine begins here, so that it sees what
// any process acknowledged before it began.
func (s *Space) read(ctx context.Context) (st *state, done func(), err error) {
	st = s.engine.state(s.scope)
	st.mu.RLock()
	head, records, err := s.engine.store.Read(ctx, s.scope, st.head.Position, pageSize)
	if err != nil {
		st.mu.RUnlock()
		return nil, nil, err
	}
	if head.Position == st.head.Position && len(records) == 0 && !s.vectorsWait(st, head) {
		return st, st.mu.RUnlock, nil
	}
	after := st.head.Position
	st.mu.RUnlock()
	if err := s.catchUp(ctx, st, after, head, records); err != nil {
		return nil, nil, err
	}
	st.mu.RLock()
	return st, st.mu.RUnlock, nil
}

// catchUp folds what came after the state's position, or everything anew if
// something was erased since, then takes in the vectors that are new. It begins
// with a page that was read after the given position, unless another reader
// folded it meanwhile.
func (s *Space) catchUp(ctx context.Context, st *state, after memory.Position, head store.Head, records []memory.Record) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	fresh := st.head.Position == after
	for {
		if err := s.catchLog(ctx, st, fresh, head, records); err != nil {
			return err
		}
		behind, err := s.catchVectors(ctx, st)
		if err != nil {
			return fmt.Errorf("read the vectors of %s: %w", s.scope, err)
		}
		if !behind {
			return nil
		}
		fresh = false
	}
}

// catchLog folds the log to its end, from a page on if that is fresh.
func (s *Space) catchLog(ctx context.Context, st *state, fresh bool, head store.Head, records []memory.Record) (err error) {
	for ; ; fresh = false {
		if !fresh {
			if head, records, err = s.engine.store.Read(ctx, s.scope, st.head.Position, pageSize); err != nil {
				return fmt.Errorf("read the log of %s: %w", s.scope, err)
			}
		}
		if head.Epoch != st.head.Epoch {
			st.reset(*s.engine.opts.Schema)
			st.head = store.Head{Position: memory.Position{Epoch: head.Epoch}}
			if head.Epoch == 0 {
				return nil
			}
			continue
		}
		for _, r := range records {
			st.apply(r)
		}
		if len(records) < pageSize {
			st.head = head
			return nil
		}
		st.head.Seq = records[len(records)-1].Seq
	}
}

func (st *state) apply(r memory.Record) {
	r.Raw = nil // only exports need it
	episodes, assertions := st.fold.Len(), st.fold.Assertions()
	st.fold.Apply(r)
	if st.fold.Len() > episodes {
		st.index.Add(episodes, st.fold.Entry(episodes).Episode)
	}
	if st.fold.Assertions() > assertions {
		st.said.Add(assertions, &memory.Episode{Text: recall.Words(r.Body.(*memory.Assertion), st.fold.Schema())}) //nolint:forcetypeassert // only these are counted
	}
}
