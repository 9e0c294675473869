package engram

import (
	"context"
	"fmt"

	"engram/memory"
	"engram/store"
)

// Remember appends episodes, all of them or none, and returns when they are
// durable. An episode without a time happened now. One whose IDKey was
// acknowledged before in this space is not written again; its Ref is the first
// one, marked Duplicate. The next Recall of any process sees them.
//
// Links name episodes of this space; one to what does not exist gives
// memory.ErrNotFound. Blank text, invalid UTF-8, unknown kinds and the like give
// memory.ErrInvalid or memory.ErrTooLarge before anything is written.
func (s *Space) Remember(ctx context.Context, episodes ...Episode) ([]Ref, error) {
	records := make([]memory.Record, len(episodes))
	var linked []ID
	for i := range episodes {
		records[i] = memory.Record{Body: &episodes[i]}
		for _, l := range episodes[i].Links {
			if l.Validate() == nil { // else Append refuses it, and says which item it is in
				linked = append(linked, l.To)
			}
		}
	}
	if err := s.mustBe(ctx, anyType, linked); err != nil {
		return nil, err
	}
	ack, err := s.engine.writer.Append(ctx, s.scope, store.Any, records...)
	return ack.Refs, err
}

// Link ties two episodes by a record of its own, which can be retracted.
func (s *Space) Link(ctx context.Context, from ID, rel memory.Relation, to ID) (Ref, error) {
	return s.append(ctx, &memory.Association{From: from, Rel: rel, To: to}, from, to)
}

// Feedback notes what came of an answer, or pins episodes by hand.
func (s *Space) Feedback(ctx context.Context, f Feedback) (Ref, error) {
	named := make([]ID, 0, len(f.Used)+len(f.Followed)+len(f.Helped)+len(f.Hurt)+len(f.Pin)+len(f.Unpin))
	for _, ids := range [][]ID{f.Used, f.Followed, f.Helped, f.Hurt, f.Pin, f.Unpin} {
		named = append(named, ids...)
	}
	return s.append(ctx, &f, named...)
}

// Retract makes records inactive: they are no longer recalled, and what they
// had replaced comes back. Nothing is deleted, an earlier known_at still sees
// them, and retracting the retraction undoes it.
func (s *Space) Retract(ctx context.Context, r memory.Retract) (Ref, error) {
	return s.append(ctx, &r, r.Targets...)
}

// append writes one record that names others, which must exist.
func (s *Space) append(ctx context.Context, body memory.Body, named ...ID) (Ref, error) {
	if err := body.Validate(); err != nil {
		return Ref{}, err
	}
	if err := s.mustBe(ctx, anyType, named); err != nil {
		return Ref{}, err
	}
	ack, err := s.engine.writer.Append(ctx, s.scope, store.Any, memory.Record{Body: body})
	if err != nil {
		return Ref{}, err
	}
	return ack.Refs[0], nil
}

// anyType lets mustBe take records of every type.
const anyType = memory.RecordType("record")

// mustBe gives memory.ErrNotFound for the first id that is no record of a type.
func (s *Space) mustBe(ctx context.Context, t memory.RecordType, ids []ID) error {
	if len(ids) == 0 {
		return nil
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer done()
	for _, id := range ids {
		if at, ok := st.fold.Find(id); !ok || t != anyType && at.Type != t {
			return fmt.Errorf("%s has no %s %s: %w", s.scope.Space, t, id, memory.ErrNotFound)
		}
	}
	return nil
}
