package engram

import (
	"context"
	"errors"
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
	return s.recall(ctx, q, latest, memory.At(s.engine.opts.Now()), nil)
}

// Replay gives an earlier answer again, byte for byte: it looks from where that
// one looked, by the same vectors. If something was erased since, it gives
// memory.ErrErased; if it was ranked by other weights or found by the vectors of
// another model, or if its vectors were dropped, memory.ErrInvalid. A model that
// cannot be asked gives its error. A reranker is asked again: an answer that one
// has put in order comes back byte for byte only if it scores as it did, and
// another reranker gives memory.ErrInvalid.
func (s *Space) Replay(ctx context.Context, a Answer) (Answer, error) {
	if a.Scope != s.scope {
		return Answer{}, fmt.Errorf("the answer is from %s, not from %s: %w", a.Scope, s.scope, memory.ErrInvalid)
	}
	if err := errors.Join(s.replayable(&a), s.rerankable(&a)); err != nil {
		return Answer{}, err
	}
	q := a.Query
	if err := q.Resolve(); err != nil {
		return Answer{}, err
	}
	return s.recall(ctx, q, a.Head, a.Now, &a)
}

// latest is behind every record.
const latest = memory.Seq(1 << 62)

// recall answers from the log as it was at head, or gives a past answer again.
func (s *Space) recall(ctx context.Context, q Query, head memory.Seq, now memory.Time, past *Answer) (Answer, error) {
	if err := recall.CheckSteps(q.Without); err != nil {
		return Answer{}, err
	}
	e := s.engine
	view, m, done, err := s.see(ctx, &q, head, past)
	if err != nil {
		return Answer{}, err
	}
	var order *recall.Reranked
	note := ""
	if e.reranks(&q, past) {
		list, before := e.recaller.Shortlist(view, q, now, e.opts.RerankTop), view.Head
		done()
		order, note, err = e.rerank(ctx, list)
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		if past != nil && err != nil {
			return Answer{}, fmt.Errorf("put the answer in order again: %w", err)
		}
		if view, m, done, err = s.see(ctx, &q, before.Seq, past); err != nil {
			return Answer{}, err
		}
		if order != nil && view.Head.Epoch != before.Epoch {
			order, note = nil, fmt.Sprintf(noteOvertaken, e.opts.Reranker.Name())
		}
		view.Reranked = order
	}
	defer done()
	if m.gap != nil && !errors.Is(m.gap.cause, errResting) { // so a dead one is logged twice a minute, not with each recall
		e.opts.Logger.WarnContext(ctx, "searched by words alone", "space", s.scope.String(), "model", e.model.Name(), "error", m.gap.cause)
	}
	a := e.recaller.Recall(view, q, now)
	m.say(&a, e, past)
	e.sayReranked(&a, order, note, past)
	return a, nil
}

// see gives what a recall looks at; done lets go of it.
func (s *Space) see(ctx context.Context, q *Query, head memory.Seq, past *Answer) (view recall.Space, m meaning, done func(), err error) {
	st, done, m, err := s.look(ctx, q, past)
	if err != nil {
		return view, m, nil, err
	}
	if past != nil && st.head.Epoch != past.Position.Epoch {
		done()
		return view, m, nil, fmt.Errorf("something of %s was erased after the answer was given: %w", s.scope.Space, memory.ErrErased)
	}
	if m.gap != nil && past != nil {
		done()
		return view, m, nil, fmt.Errorf("the vectors of the answer are not at hand: %w", m.gap.cause)
	}
	return s.recallSpace(st, head, q.Known, &m), m, done, nil
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
	st, done, m, err := s.look(ctx, &q, nil)
	if err != nil {
		return none, err
	}
	defer done()
	if m.gap != nil { // weights must not be fitted on what is missing
		return none, fmt.Errorf("%s %w", m.gap.note, m.gap.cause)
	}
	return look(s.recallSpace(st, latest, q.Known, &m), q, memory.At(s.engine.opts.Now())), nil
}
