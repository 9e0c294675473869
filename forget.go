package engram

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/memory"
	"engram/store"
)

// Selection says what to forget: the episodes with these ids, those that pass
// the filter, or the whole space. Just one of them is set.
type Selection struct {
	IDs    []ID
	Filter Filter
	All    bool
	Reason string // kept in the tombstone; no content belongs into it
	Actor  string
}

func (sel *Selection) validate() error {
	ways := 0
	for _, set := range []bool{len(sel.IDs) > 0, !sel.Filter.IsZero(), sel.All} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return fmt.Errorf("say what to forget: ids, a filter, or everything, just one of them: %w", memory.ErrInvalid)
	}
	return sel.Filter.Validate()
}

// Plan is what a Forget would erase.
type Plan struct {
	Episodes []Listed                  // also retracted and replaced ones
	Counts   map[memory.RecordType]int // of all records, with those that speak of erased episodes only
	seqs     []memory.Seq
	belief   uint64
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
	plan := Plan{Counts: map[memory.RecordType]int{}, belief: st.head.Belief}
	gone := map[ID]bool{}
	for _, id := range sel.IDs {
		if at, ok := st.fold.Find(id); !ok || at.Type != memory.TypeEpisode {
			return Plan{}, fmt.Errorf("%s has no episode %s: %w", s.scope.Space, id, memory.ErrNotFound)
		}
		gone[id] = true
	}
	for i := range st.fold.Len() {
		e := st.fold.Entry(i)
		if !sel.All && !gone[e.ID] && (sel.Filter.IsZero() || !sel.Filter.Match(e.Episode)) {
			continue
		}
		gone[e.ID] = true
		plan.Episodes = append(plan.Episodes, listed(e))
		plan.seqs = append(plan.seqs, e.Seq)
	}
	plan.Counts[memory.TypeEpisode] = len(plan.Episodes)
	return plan, s.planDependents(ctx, &plan, gone, sel.All)
}

// planDependents adds the records that speak of nothing but erased ones.
func (s *Space) planDependents(ctx context.Context, plan *Plan, gone map[ID]bool, all bool) error {
	if len(gone) == 0 {
		return nil
	}
	for r, err := range s.Log(ctx, 0) {
		if err != nil {
			return err
		}
		if r.Body == nil || r.Body.Type() == memory.TypeEpisode || r.Body.Type() == memory.TypeErased {
			continue
		}
		if named := names(r.Body); !all && slices.ContainsFunc(named, func(id ID) bool { return !gone[id] }) {
			continue
		}
		gone[r.ID] = true
		plan.seqs = append(plan.seqs, r.Seq)
		plan.Counts[r.Body.Type()]++
	}
	return nil
}

// names lists the records without which a body says nothing.
func names(b memory.Body) []ID {
	switch b := b.(type) {
	case *memory.Retract:
		return b.Targets
	case *memory.Association:
		return []ID{b.From}
	case *memory.Feedback:
		return slices.Concat(b.Used, b.Followed, b.Helped, b.Hurt, b.Pin, b.Unpin)
	}
	return nil
}

// forgetTries is how often a Forget starts anew when beliefs change under it.
const forgetTries = 5

// Forget erases for good, in one transaction, what the selection names: words,
// and the records that speak of nothing else. What the erased had replaced or
// retracted comes back. The receipt says whether anything still holds the bytes.
// A selection that finds nothing gives memory.ErrNotFound.
func (s *Space) Forget(ctx context.Context, sel Selection) (Receipt, error) {
	for try := 1; ; try++ {
		receipt, err := s.forget(ctx, sel)
		if !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrErased) || try == forgetTries {
			return receipt, err
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
		Scope: s.scope, Seqs: plan.seqs, All: sel.All, ID: id, Reason: sel.Reason, Actor: sel.Actor, Expect: store.Belief(plan.belief),
	})
	if err != nil {
		return Receipt{}, err
	}
	s.engine.opts.Logger.InfoContext(ctx, "erased", "space", s.scope.String(), "records", len(plan.seqs), "position", receipt.Position.String())
	return receipt, nil
}
