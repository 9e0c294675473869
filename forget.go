package engram

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"engram/memory"
	"engram/store"
	"engram/text"
	"engram/timeline"
)

// Selection says what to forget: the episodes and assertions with these ids, the
// episodes that pass the filter, everything about an entity (what is asserted of
// it under any of its names or has one as its value, and every episode that
// mentions one in its words or about them), or the whole space. Just one of them
// is set. Reasons, actors and tombstones are not searched.
type Selection struct {
	IDs    []ID
	Filter Filter
	Entity string
	All    bool
	Reason string // kept in the tombstone; no content belongs into it
	Actor  string
}

func (sel *Selection) validate() error {
	ways := 0
	for _, set := range []bool{len(sel.IDs) > 0, !sel.Filter.IsZero(), sel.Entity != "", sel.All} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return fmt.Errorf("say what to forget: ids, a filter, an entity, or everything, just one of them: %w", memory.ErrInvalid)
	}
	return sel.Filter.Validate()
}

// Plan is what a Forget would erase.
type Plan struct {
	Episodes []Listed                  // also retracted and replaced ones
	Counts   map[memory.RecordType]int // of all records, with those that say nothing without the erased ones
	seqs     []memory.Seq
	gone     map[ID]bool
	reopened []ID
	belief   uint64
}

func (p *Plan) take(id ID, t memory.RecordType, seq memory.Seq) {
	p.gone[id] = true
	p.seqs = append(p.seqs, seq)
	p.Counts[t]++
}

// PlanForget shows what Forget would erase, and erases nothing.
func (s *Space) PlanForget(ctx context.Context, sel Selection) (Plan, error) {
	if err := sel.validate(); err != nil {
		return Plan{}, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return Plan{}, err
	}
	defer done()
	plan := Plan{Counts: map[memory.RecordType]int{}, gone: map[ID]bool{}, belief: st.head.Belief}
	chosen := map[ID]bool{}
	for _, id := range sel.IDs {
		at, ok := st.fold.Find(id)
		if !ok || at.Type != memory.TypeEpisode && at.Type != memory.TypeAssertion {
			return Plan{}, fmt.Errorf("%s has no episode or assertion %s: %w", s.scope.Space, id, memory.ErrNotFound)
		}
		chosen[id] = true
	}
	view := st.fold.View(Known{})
	names := view.NamesOf(sel.Entity)
	for i := range st.fold.Len() {
		if e := st.fold.Entry(i); sel.All || chosen[e.ID] || !sel.Filter.IsZero() && sel.Filter.Match(e.Episode) || mentions(e.Episode, names) {
			plan.Episodes = append(plan.Episodes, listed(e))
			plan.take(e.ID, memory.TypeEpisode, e.Seq)
		}
	}
	if err := s.planDependents(ctx, &plan, st.fold, func(r *memory.Record) bool {
		return sel.All || chosen[r.ID] || isAbout(r.Body, names)
	}); err != nil {
		return Plan{}, err
	}
	if !sel.All { // then nothing is left to hold again
		plan.reopened = view.Reopened(plan.gone)
	}
	return plan, nil
}

// mentions reports whether an episode has one of the names in its words or in
// what is noted about them.
func mentions(e *Episode, names []string) bool {
	if len(names) == 0 {
		return false
	}
	speaker := timeline.Key(e.Speaker)
	has := func(s string) bool {
		s = timeline.Key(s)
		return slices.ContainsFunc(names, func(n string) bool { return text.HasName(s, n) })
	}
	return slices.Contains(names, speaker) || has(e.Text) || has(e.Session) || has(e.Path) || has(e.Key) ||
		slices.ContainsFunc(slices.Collect(maps.Values(e.Metadata)), has)
}

// isAbout reports whether a record other than an episode speaks of one of the names.
func isAbout(b memory.Body, names []string) bool {
	is := func(s string) bool { return slices.Contains(names, timeline.Key(s)) }
	switch b := b.(type) {
	case *memory.Assertion:
		return is(b.Subject) || is(b.Object) || is(b.Replaces)
	case *memory.Association:
		return b.Name != "" && (is(b.Name) || is(b.Entity))
	}
	return false
}

// planDependents adds the records that are chosen, and those that say nothing
// without what is erased: they name some of it, and nothing that is left. They
// come after it in the log, so one pass finds them. A record that names only
// what the space never had is nobody's dependent, and what came after the fold
// was made is none of the plan's business.
func (s *Space) planDependents(ctx context.Context, plan *Plan, fold *timeline.Fold, chosen func(*memory.Record) bool) error {
	gone := func(id ID) bool { return plan.gone[id] }
	left := func(id ID) bool {
		_, ok := fold.Find(id)
		return ok && !plan.gone[id]
	}
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return err
		}
		if r.Seq > fold.Head() {
			break
		}
		if r.Body == nil || r.Body.Type() == memory.TypeEpisode || r.Body.Type() == memory.TypeErased {
			continue
		}
		needs := needs(r.Body)
		dependent := slices.ContainsFunc(needs, gone) && !slices.ContainsFunc(needs, left)
		if dependent || chosen(&r) {
			plan.take(r.ID, r.Body.Type(), r.Seq)
		}
	}
	return nil
}

// needs lists the records of which a body needs at least one to say anything.
func needs(b memory.Body) []ID {
	switch b := b.(type) {
	case *memory.Retract:
		return b.Targets
	case *memory.Association:
		if b.Name == "" {
			return []ID{b.From}
		}
	case *memory.Feedback:
		return slices.Concat(b.Used, b.Followed, b.Helped, b.Hurt, b.Pin, b.Unpin)
	case *memory.Settlement:
		return b.Losers
	case *memory.Assertion:
		var out []ID
		for _, p := range b.Provenance {
			out = append(out, p.Episode)
		}
		return out
	}
	return nil
}

// tries is how often a decision is made anew when beliefs change under it.
const tries = 5

// Forget erases for good, in one transaction, what the selection names: words,
// and the records that speak of nothing else. What the erased had replaced or
// retracted comes back. The receipt says whether anything still holds the bytes.
// A selection that finds nothing gives memory.ErrNotFound.
func (s *Space) Forget(ctx context.Context, sel Selection) (Receipt, error) {
	var receipt Receipt
	err := retry(func() (err error) {
		receipt, err = s.forget(ctx, sel)
		return err
	})
	return receipt, err
}

// retry does something again when beliefs changed under it.
func retry(do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrErased) || try == tries {
			return err
		}
	}
}

func (s *Space) forget(ctx context.Context, sel Selection) (Receipt, error) {
	plan, err := s.PlanForget(ctx, sel)
	if err != nil {
		return Receipt{}, err
	}
	if len(plan.seqs) == 0 && !sel.All {
		return Receipt{}, fmt.Errorf("nothing in %s is selected: %w", s.scope.Space, memory.ErrNotFound)
	}
	id, err := s.engine.writer.NewID()
	if err != nil {
		return Receipt{}, err
	}
	receipt, err := s.engine.store.Erase(ctx, store.Erasure{
		Scope: s.scope, Seqs: plan.seqs, All: sel.All, ID: id, Reopened: plan.reopened, Reason: sel.Reason, Actor: sel.Actor, Expect: store.Belief(plan.belief),
	})
	if err != nil {
		return Receipt{}, err
	}
	s.engine.opts.Logger.InfoContext(ctx, "erased", "space", s.scope.String(), "records", len(plan.seqs), "position", receipt.Position.String())
	return receipt, nil
}
