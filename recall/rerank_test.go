package recall

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"engram/memory"
	"engram/rerank"
	"engram/rerank/reranktest"
)

// shortlist gives the best items for a query.
func (w *memoryWorld) shortlist(q memory.Query, top int) *Shortlist {
	w.t.Helper()
	if err := q.Resolve(); err != nil {
		w.t.Fatal(err)
	}
	return w.r.Shortlist(w.space(q.Known), q, today, top)
}

// scorer scores the texts that it is given by a function of their place.
type scorer func(i int, text string) float64

func (scorer) Name() string { return "scorer" }

func (s scorer) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	out := make([]float64, len(texts))
	for i, t := range texts {
		out[i] = s(i, t)
	}
	return out, nil
}

// The items that the reranker saw come in its order, equal ones in that of the
// ranker, then the others as they were.
func TestRerank(t *testing.T) {
	t.Parallel()
	w := busy(t)
	q := memory.Query{Question: "What of the heron?", Explain: true, Budget: 100_000, Without: []string{"pinned"}}
	before := w.recall(q)
	const top = 6
	list := w.shortlist(q, top)
	if list.Len() != top || len(before.Items) <= top {
		t.Fatalf("%d of %d items", list.Len(), len(before.Items))
	}
	var err error
	var given []string
	w.reranked, err = list.Rerank(t.Context(), scorer(func(i int, text string) float64 {
		given = append(given, text)
		return float64(i % 3)
	}))
	if err != nil {
		t.Fatal(err)
	}
	after := w.recall(q)
	var want []string
	for _, i := range []int{2, 5, 1, 4, 0, 3} {
		want = append(want, before.Items[i].Text)
	}
	for i := range given {
		if item := before.Items[i]; given[i] != item.Text && given[i] != item.Speaker+": "+item.Text {
			t.Errorf("text %d is %q", i, given[i])
		}
	}
	want = append(want, texts(before)[top:]...)
	if got := texts(after); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if e := after.Items[0].Explanation; e.Channels["rerank"] != 1 || !slices.Contains(e.Why, "was put at place 1 by scorer") {
		t.Errorf("%+v", e)
	}
	if e := after.Items[top].Explanation; e.Channels["rerank"] != 0 || strings.Contains(strings.Join(e.Why, " "), "scorer") {
		t.Errorf("what it did not see: %+v", e)
	}
	check(t, w, after)
	w.reranked = nil
	same(t, "the ranker's order", before, w.recall(q))
}

func TestShortlistIsEmpty(t *testing.T) {
	t.Parallel()
	w := busy(t)
	for name, q := range map[string]memory.Query{
		"left out":    {Question: "heron", Without: []string{"rerank"}},
		"no turns":    {Question: "heron", Without: []string{"turns"}},
		"no question": {Filter: memory.Filter{Sessions: []string{"h"}}},
		"one item":    {Question: "heron", Filter: memory.Filter{Sessions: []string{"w"}}},
	} {
		if n := w.shortlist(q, 50).Len(); n != 0 {
			t.Errorf("%s: %d items", name, n)
		}
	}
}

func TestRerankFails(t *testing.T) {
	t.Parallel()
	list := busy(t).shortlist(memory.Query{Question: "heron"}, 50)
	if _, err := list.Rerank(t.Context(), &reranktest.Fake{Err: rerank.ErrUnavailable}); !errors.Is(err, rerank.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := list.Rerank(t.Context(), scorer(func(int, string) float64 { return v })); !errors.Is(err, rerank.ErrMalformed) {
			t.Errorf("a score of %v: %v", v, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := list.Rerank(ctx, new(reranktest.Fake)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
