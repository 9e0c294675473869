package engram

import (
	"context"
	"fmt"
	"slices"

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
	return s.append(ctx, store.Any, &v)
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
	var names []string // of the first one's subject
	var predicate string
	for _, id := range ids {
		at, _ := st.fold.Find(id)
		records, err := s.engine.store.ReadSeqs(ctx, s.scope, []memory.Seq{at.Seq})
		if err != nil {
			return err
		}
		for _, r := range records {
			a, ok := r.Body.(*memory.Assertion)
			switch {
			case !ok:
			case names == nil:
				names, predicate = view.NamesOf(a.Subject), timeline.PredicateKey(a.Predicate)
			case !slices.Contains(names, timeline.Key(a.Subject)) || timeline.PredicateKey(a.Predicate) != predicate:
				return fmt.Errorf("%s is about %q of %q, which is another matter: %w", id, a.Predicate, a.Subject, memory.ErrInvalid)
			}
		}
	}
	return nil
}

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
		if at, ok := st.fold.Find(id); !ok || at.Type != t {
			return fmt.Errorf("%s has no %s %s: %w", s.scope.Space, t, id, memory.ErrNotFound)
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
	circle, err := s.means(ctx, entity, name)
	if err != nil {
		return Ref{}, err
	}
	if circle {
		return Ref{}, fmt.Errorf("%q means %q already, so the one cannot be an alias of the other: %w", entity, name, memory.ErrInvalid)
	}
	return s.append(ctx, store.Any, body)
}

// means reports whether a name is another, or means it by the aliases that count.
func (s *Space) means(ctx context.Context, name, entity string) (bool, error) {
	st, done, err := s.read(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	view := st.fold.View(Known{})
	if !slices.Contains(view.NamesOf(name), timeline.Key(entity)) {
		return false, nil
	}
	// They mean the same thing. If they still do when the entity stands for
	// itself again, the name means it and not the other way round.
	aliases := timeline.New(timeline.Schema{})
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return false, err
		}
		if _, ok := r.Body.(*memory.Association); ok && view.Active(r.ID) {
			aliases.Apply(r)
		}
	}
	aliases.Apply(memory.Record{Seq: aliases.Head() + 1, Body: &memory.Association{Rel: memory.Apart, Name: entity}})
	return slices.Contains(aliases.View(Known{}).NamesOf(name), timeline.Key(entity)), nil
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
