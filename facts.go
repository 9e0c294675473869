package engram

import (
	"context"
	"fmt"

	"engram/memory"
	"engram/store"
	"engram/timeline"
)

// Assert appends statements about the world, all of them or none, and returns
// when they are durable. What they amount to together, Facts tells. Provenance,
// Depends and Corrects name records of this space; what does not exist gives
// memory.ErrNotFound.
func (s *Space) Assert(ctx context.Context, assertions ...Assertion) ([]Ref, error) {
	records := make([]memory.Record, len(assertions))
	var named, based []ID
	for i := range assertions {
		a := &assertions[i]
		records[i] = memory.Record{Body: a, IDKey: a.IDKey}
		for _, p := range a.Provenance {
			named = append(named, p.Episode)
		}
		based = append(based, a.Depends...)
		if !a.Corrects.IsZero() {
			based = append(based, a.Corrects)
		}
	}
	if err := s.mustHave(ctx, named); err != nil {
		return nil, err
	}
	if err := s.mustAssert(ctx, based); err != nil {
		return nil, err
	}
	ack, err := s.engine.writer.Append(ctx, s.scope, store.Any, records...)
	return ack.Refs, err
}

// FactQuery says which facts to read, and from where.
type FactQuery struct {
	Subject   string // any of its names; empty: every subject
	Predicate string // empty: every predicate
	Object    string // empty: every value
	AsOf
	All   bool // also facts that are past or to come
	Limit int  // most facts. Defaults to 0, all
}

// Facts gives the facts that hold at AsOf.Valid as known at AsOf.Known, by
// subject in order of appearance, predicate and beginning.
func (s *Space) Facts(ctx context.Context, q FactQuery) ([]Fact, error) {
	if err := q.AsOf.Validate(); err != nil {
		return nil, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return st.fold.View(q.Known).Facts(timeline.FactQuery{
		Subject: q.Subject, Predicate: q.Predicate, Object: q.Object, At: s.moment(q.Valid), All: q.All, Limit: q.Limit,
	}), nil
}

// moment is the point of valid time from which a read looks.
func (s *Space) moment(valid memory.Time) int64 {
	if valid.IsZero() {
		return s.engine.opts.Now().UnixMicro()
	}
	return valid.Micros
}

// Conflicts gives the facts that are disputed at AsOf.
func (s *Space) Conflicts(ctx context.Context, asOf AsOf) ([]Fact, error) {
	facts, err := s.Facts(ctx, FactQuery{AsOf: asOf})
	if err != nil {
		return nil, err
	}
	var out []Fact
	for _, f := range facts {
		if f.State == memory.Disputed {
			out = append(out, f)
		}
	}
	return out, nil
}

// Settle decides a dispute: the losers count no longer, from now on. It can be
// retracted.
func (s *Space) Settle(ctx context.Context, v memory.Settlement) (Ref, error) {
	named := v.Losers
	if !v.Winner.IsZero() {
		named = append([]ID{v.Winner}, named...)
	}
	if err := v.Validate(); err != nil {
		return Ref{}, err
	}
	if err := s.mustAssert(ctx, named); err != nil {
		return Ref{}, err
	}
	return s.append(ctx, store.Any, &v)
}

// mustAssert gives memory.ErrNotFound for the first id that is no assertion of the space.
func (s *Space) mustAssert(ctx context.Context, ids []ID) error {
	if len(ids) == 0 {
		return nil
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer done()
	for _, id := range ids {
		if at, ok := st.fold.Find(id); !ok || at.Type != memory.TypeAssertion {
			return fmt.Errorf("%s has no assertion %s: %w", s.scope.Space, id, memory.ErrNotFound)
		}
	}
	return nil
}

// Alias says that a name means an entity, also in what was said before. It can
// be retracted; Apart undoes all of a name's.
func (s *Space) Alias(ctx context.Context, name, entity string) (Ref, error) {
	return s.append(ctx, store.Any, &memory.Association{Rel: memory.SameAs, Name: name, Entity: entity})
}

// Apart says that a name stands for itself again.
func (s *Space) Apart(ctx context.Context, name string) (Ref, error) {
	return s.append(ctx, store.Any, &memory.Association{Rel: memory.Apart, Name: name})
}

// RetractExtractor takes out everything that an extractor asserted, as if it
// never had; the words stay. An extractor without active assertions gives
// memory.ErrNotFound. If beliefs change meanwhile it starts anew.
func (s *Space) RetractExtractor(ctx context.Context, extractor, actor string) (Ref, int, error) {
	var ref Ref
	var n int
	err := retry(func() error {
		st, done, err := s.read(ctx)
		if err != nil {
			return err
		}
		targets, belief := st.fold.View(Known{}).OfExtractor(extractor), st.head.Belief
		done()
		if len(targets) == 0 {
			return fmt.Errorf("%s has no active assertion of the extractor %q: %w", s.scope.Space, extractor, memory.ErrNotFound)
		}
		n = len(targets)
		ack, err := s.engine.writer.Append(ctx, s.scope, store.Belief(belief), memory.Record{
			Body: &memory.Retract{Targets: targets, Always: true, Reason: "extractor dropped: " + extractor, Actor: actor},
		})
		if err == nil {
			ref = ack.Refs[0]
		}
		return err
	})
	return ref, n, err
}
