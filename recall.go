package engram

import (
	"context"
	"fmt"

	"engram/memory"
	"engram/recall"
)

// Recall answers a question from this space with a small context. It sees
// everything that was acknowledged before it began. A space that holds nothing
// gives an empty answer that says so, no error.
func (s *Space) Recall(ctx context.Context, q Query) (Answer, error) {
	if err := q.Resolve(); err != nil {
		return Answer{}, err
	}
	return s.recall(ctx, q, latest, memory.At(s.engine.opts.Now()))
}

// Replay gives an earlier answer again, byte for byte: it looks from where that
// one looked. If something was erased since, it gives memory.ErrErased; if it
// was ranked by other weights, memory.ErrInvalid.
func (s *Space) Replay(ctx context.Context, a Answer) (Answer, error) {
	if a.Scope != s.scope {
		return Answer{}, fmt.Errorf("the answer is from %s, not from %s: %w", a.Scope, s.scope, memory.ErrInvalid)
	}
	if a.Weights != s.engine.recaller.WeightsID() {
		return Answer{}, fmt.Errorf("the answer was ranked by %s, this engine ranks by %s: %w", a.Weights, s.engine.recaller.WeightsID(), memory.ErrInvalid)
	}
	q := a.Query
	if err := q.Resolve(); err != nil {
		return Answer{}, err
	}
	again, err := s.recall(ctx, q, a.Head, a.Now)
	if err != nil {
		return Answer{}, err
	}
	if again.Position.Epoch != a.Position.Epoch {
		return Answer{}, fmt.Errorf("something of %s was erased after the answer was given: %w", s.scope.Space, memory.ErrErased)
	}
	return again, nil
}

// latest is behind every record.
const latest = memory.Seq(1 << 62)

// recall answers from the log as it was at head.
func (s *Space) recall(ctx context.Context, q Query, head memory.Seq, now memory.Time) (Answer, error) {
	if err := recall.CheckSteps(q.Without); err != nil {
		return Answer{}, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return Answer{}, err
	}
	defer done()
	return s.engine.recaller.Recall(s.recallSpace(st, head, q.Known), q, now), nil
}

func (s *Space) recallSpace(st *state, head memory.Seq, known Known) recall.Space {
	head = min(head, st.fold.Head())
	return recall.Space{
		Scope: s.scope, Head: memory.Position{Epoch: st.head.Epoch, Seq: head},
		View: st.fold.ViewOf(head, known), Fold: st.fold, Index: st.index, Said: st.said,
	}
}

// Samples gives the candidates for a question with their features, for fitting
// the ranker's weights.
func (s *Space) Samples(ctx context.Context, q Query) ([]recall.Sample, error) {
	return fitting(ctx, s, q, s.engine.recaller.Samples)
}

// Signals gives what the verdict on a question is made from, for fitting its
// calibration.
func (s *Space) Signals(ctx context.Context, q Query) ([]float64, error) {
	return fitting(ctx, s, q, s.engine.recaller.Signals)
}

// fitting lets the recaller look at a question as Recall would.
func fitting[T any](ctx context.Context, s *Space, q Query, look func(recall.Space, memory.Query, memory.Time) T) (none T, err error) {
	if err := q.Resolve(); err != nil {
		return none, err
	}
	if err := recall.CheckSteps(q.Without); err != nil {
		return none, err
	}
	st, done, err := s.read(ctx)
	if err != nil {
		return none, err
	}
	defer done()
	return look(s.recallSpace(st, latest, q.Known), q, memory.At(s.engine.opts.Now())), nil
}
