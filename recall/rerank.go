package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"engram/memory"
	"engram/rerank"
)

// Shortlist are the best items for a question in the order of the ranker, to be
// looked at by a reranker. It stays what it is when the space goes on.
type Shortlist struct {
	question string
	docs     []int
	texts    []string // with their speakers
}

// Shortlist gives the top best items for q, seen as Recall sees them. It is empty
// if there is nothing to put in another order, or q leaves out the step "rerank".
func (r *Recaller) Shortlist(s Space, q memory.Query, now memory.Time, top int) *Shortlist {
	list := &Shortlist{question: q.Question}
	se := r.begin(s, q, now)
	if se.without(stepRerank) || se.without(stepTurns) || strings.TrimSpace(q.Question) == "" {
		return list
	}
	kept := se.ranked()
	if len(kept) < 2 {
		return list
	}
	for _, c := range kept[:min(top, len(kept))] {
		said := se.text(c.doc)
		if speaker := se.entry(c.doc).Episode.Speaker; speaker != "" {
			said = speaker + ": " + said
		}
		list.docs, list.texts = append(list.docs, c.doc), append(list.texts, said)
	}
	return list
}

// Len is the number of items.
func (l *Shortlist) Len() int { return len(l.docs) }

// Reranked is the order in which a reranker puts the items of a shortlist.
type Reranked struct {
	by     string
	places map[int]int // of documents, from 1
}

// Rerank lets a reranker score the list, in one call and as long as ctx lasts.
// Equal scores stay in the order of the ranker. Its errors are those of
// rerank.Reranker.
func (l *Shortlist) Rerank(ctx context.Context, by rerank.Reranker) (*Reranked, error) {
	scores, err := by.Rerank(ctx, l.question, l.texts)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", by.Name(), err)
	}
	if len(scores) != len(l.docs) || slices.ContainsFunc(scores, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return nil, fmt.Errorf("ask %s: %w", by.Name(), rerank.ErrMalformed)
	}
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := &Reranked{by: by.Name(), places: make(map[int]int, len(order))}
	for place, i := range order {
		out.places[l.docs[i]] = place + 1
	}
	return out, nil
}

// ranked gives the candidates in the order of the ranker, what says the same once.
func (se *search) ranked() []*candidate {
	pool := se.candidates()
	se.rank(pool)
	kept, _ := se.novel(pool)
	return kept
}

// rerank puts first what a reranker has looked at, in its order; the rest
// follows in that of the ranker.
func (se *search) rerank(kept []*candidate) {
	r := se.space.Reranked
	if r == nil {
		return
	}
	place := func(c *candidate) int { return cmp.Or(r.places[c.doc], math.MaxInt) }
	slices.SortStableFunc(kept, func(a, b *candidate) int { return cmp.Compare(place(a), place(b)) })
}
