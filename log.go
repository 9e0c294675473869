package engram

import (
	"context"
	"fmt"
	"iter"

	"engram/memory"
	"engram/timeline"
)

// Log iterates over the records behind a position, in order, as they are in
// the store: also what is retracted or replaced. It reads in pages and ends
// with an error, if there is one. A record that cannot be decoded has no Body.
func (s *Space) Log(ctx context.Context, after memory.Seq) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		head, _, err := s.engine.store.Read(ctx, s.scope, memory.Position{}, 0)
		if err != nil {
			yield(Record{}, err)
			return
		}
		at := memory.Position{Epoch: head.Epoch, Seq: after}
		for {
			now, records, err := s.engine.store.Read(ctx, s.scope, at, pageSize)
			if err == nil && now.Epoch != at.Epoch {
				err = fmt.Errorf("something of %s was erased while its log was read: %w", s.scope.Space, memory.ErrErased)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, r := range records {
				if !yield(r, nil) {
					return
				}
				at.Seq = r.Seq
			}
			if len(records) < pageSize {
				return
			}
		}
	}
}

// Listed is an episode as a list shows it.
type Listed struct {
	ID       ID         `json:"id"`
	Seq      memory.Seq `json:"seq"`
	Recorded int64      `json:"-"` // µs since 1970 UTC
	IDKey    string     `json:"id_key,omitempty"`
	Episode
}

func listed(e *timeline.Entry) Listed {
	return Listed{ID: e.ID, Seq: e.Seq, Recorded: e.Recorded, IDKey: e.IDKey, Episode: *e.Episode}
}

// List gives the episodes that can be seen from asOf and pass the filter, in
// the order of the log, from the one after the given place on; limit 0 gives all.
func (s *Space) List(ctx context.Context, f Filter, asOf AsOf, after memory.Seq, limit int) ([]Listed, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	if err := asOf.Validate(); err != nil {
		return nil, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	view := st.fold.View(asOf.Known)
	var out []Listed
	for i := range view.Len() {
		e := st.fold.Entry(i)
		if e.Seq <= after || !view.Visible(i) || !f.Match(e.Episode) {
			continue
		}
		out = append(out, listed(e))
		if limit > 0 && len(out) == limit {
			break
		}
	}
	return out, nil
}

// Found is one record with its state at the head.
type Found struct {
	Listed
	Active   bool          `json:"active"`               // not retracted
	Replaced ID            `json:"replaced_by,omitzero"` // the later version of its key
	Links    []memory.Link `json:"all_links,omitempty"`  // its own and those found later
	Use      timeline.Use  `json:"use,omitzero"`         // what came of using it
}

// Get gives one episode by its id, also a retracted or replaced one.
// memory.ErrNotFound: the space has no such episode.
func (s *Space) Get(ctx context.Context, id ID) (Found, error) {
	st, done, err := s.read(ctx)
	if err != nil {
		return Found{}, err
	}
	defer done()
	at, ok := st.fold.Find(id)
	if !ok || at.Type != memory.TypeEpisode {
		return Found{}, fmt.Errorf("%s has no episode %s: %w", s.scope.Space, id, memory.ErrNotFound)
	}
	view := st.fold.View(Known{})
	f := Found{Listed: listed(st.fold.Entry(at.Ordinal)), Active: view.Active(id), Links: view.Links(at.Ordinal), Use: view.Uses(at.Ordinal)}
	if by, ok := view.Replaced(at.Ordinal); ok {
		f.Replaced = st.fold.Entry(by).ID
	}
	return f, nil
}

// Stored is one record of any type with its state at the head.
type Stored struct {
	Record
	Active bool // not retracted
}

// Record gives a record of any type by its id, also a retracted one.
// memory.ErrNotFound: the space has no such record.
func (s *Space) Record(ctx context.Context, id ID) (Stored, error) {
	st, done, err := s.read(ctx)
	if err != nil {
		return Stored{}, err
	}
	at, ok := st.fold.Find(id)
	active := ok && st.fold.View(Known{}).Active(id)
	done()
	if ok {
		records, err := s.engine.store.ReadSeqs(ctx, s.scope, []memory.Seq{at.Seq})
		if err != nil {
			return Stored{}, err
		}
		if len(records) == 1 && records[0].ID == id { // else it was erased meanwhile
			return Stored{Record: records[0], Active: active}, nil
		}
	}
	return Stored{}, fmt.Errorf("%s has no record %s: %w", s.scope.Space, id, memory.ErrNotFound)
}

// Stats are counts of one space.
type Stats struct {
	Scope      Scope           `json:"scope"`
	Position   memory.Position `json:"position"`
	Episodes   int             `json:"episodes"` // in the log
	Visible    int             `json:"visible"`  // neither retracted nor replaced
	Damaged    int             `json:"damaged"`
	Sessions   int             `json:"sessions"`
	Words      int             `json:"terms"`      // distinct terms of the index
	Assertions int             `json:"assertions"` // in the log
}

// Stats counts what the space holds.
func (s *Space) Stats(ctx context.Context) (Stats, error) {
	st, done, err := s.read(ctx)
	if err != nil {
		return Stats{}, err
	}
	defer done()
	return Stats{
		Scope: s.scope, Position: st.head.Position, Episodes: st.fold.Len(), Visible: st.fold.View(Known{}).Count(),
		Damaged: len(st.fold.Damaged()), Sessions: st.index.Sessions(), Words: st.index.Vocabulary(),
		Assertions: st.fold.Assertions(),
	}, nil
}

// Rebuild drops what is folded in memory and folds it anew from the log.
func (s *Space) Rebuild(ctx context.Context) (Stats, error) {
	s.engine.mu.Lock()
	s.engine.folded.Remove(s.scope)
	s.engine.mu.Unlock()
	return s.Stats(ctx)
}
