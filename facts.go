package engram

import (
	"context"
	"fmt"

	"engram/consolidate"
	"engram/memory"
	"engram/store"
	"engram/timeline"
)

// Assert appends statements about the world, all of them or none, and returns
// when they are durable. What they amount to together, Facts tells. Provenance
// names episodes of this space, Depends and Corrects name assertions; what does
// not exist gives memory.ErrNotFound.
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
	if err := s.mustBe(ctx, memory.TypeEpisode, named); err != nil {
		return nil, err
	}
	if err := s.mustBe(ctx, memory.TypeAssertion, based); err != nil {
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
// retracted. Assertions that are not all about one predicate of one entity have
// no dispute, which gives memory.ErrInvalid.
func (s *Space) Settle(ctx context.Context, v memory.Settlement) (Ref, error) {
	named := v.Losers
	if !v.Winner.IsZero() {
		named = append([]ID{v.Winner}, named...)
	}
	if err := v.Validate(); err != nil {
		return Ref{}, err
	}
	if err := s.mustBe(ctx, memory.TypeAssertion, named); err != nil {
		return Ref{}, err
	}
	if err := s.mustShareSlot(ctx, named); err != nil {
		return Ref{}, err
	}
	return s.append(ctx, &v)
}

// mustShareSlot gives memory.ErrInvalid if assertions speak of different
// predicates, or of different entities by all that is known of who is who.
func (s *Space) mustShareSlot(ctx context.Context, ids []ID) error {
	st, done, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer done()
	view := st.fold.View(Known{})
	var first timeline.SlotID
	for i, id := range ids {
		a, slot, ok := view.Assertion(id)
		switch {
		case !ok: // erased since it was found
			return fmt.Errorf("%s has no assertion %s: %w", s.scope.Space, id, memory.ErrNotFound)
		case i == 0:
			first = slot
		case slot != first:
			return fmt.Errorf("%s is about %q of %q, which is another matter: %w", id, a.Predicate, a.Subject, memory.ErrInvalid)
		}
	}
	return nil
}

// Alias says that a name means an entity, also in what was said before. It can
// be retracted; Apart undoes all of a name's. An alias of a name to itself, or to
// what means it already, would be ignored: it gives memory.ErrInvalid.
func (s *Space) Alias(ctx context.Context, name, entity string) (Ref, error) {
	body := &memory.Association{Rel: memory.SameAs, Name: name, Entity: entity}
	if err := body.Validate(); err != nil {
		return Ref{}, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return Ref{}, err
	}
	circle := st.fold.View(Known{}).Means(entity, name)
	done()
	if circle {
		return Ref{}, fmt.Errorf("%q means %q already, so the one cannot be an alias of the other: %w", entity, name, memory.ErrInvalid)
	}
	return s.append(ctx, body)
}

// Apart says that a name stands for itself again.
func (s *Space) Apart(ctx context.Context, name string) (Ref, error) {
	return s.append(ctx, &memory.Association{Rel: memory.Apart, Name: name})
}

// RetractExtractor takes out everything that an extractor asserted, as if it
// never had, and the aliases that it found; the words stay. It gives the number
// of assertions; without active ones memory.ErrNotFound. If beliefs change
// meanwhile it starts anew.
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
		if targets, err = s.aliasesOf(ctx, extractor, targets); err != nil {
			return err
		}
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

// aliasesOf adds the active aliases that an extractor found.
func (s *Space) aliasesOf(ctx context.Context, extractor string, to []ID) ([]ID, error) {
	var found []ID
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return nil, err
		}
		if _, _, ok := consolidate.AliasOf(&r, extractor); ok {
			found = append(found, r.ID)
		}
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	view := st.fold.View(Known{})
	for _, id := range found {
		if view.Active(id) {
			to = append(to, id)
		}
	}
	return to, nil
}
