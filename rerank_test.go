package engram_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"engram"
	"engram/memory"
	"engram/rerank"
	"engram/rerank/reranktest"
)

// reranked gives a space of an engine with a reranker, and what opens it again.
func reranked(t *testing.T, o engram.Options) (s *engram.Space, again func(engram.Options) *engram.Space) {
	t.Helper()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	again = func(o engram.Options) *engram.Space { return space(t, openReader(t, path, c, 1, o), "ann") }
	s = again(o)
	for _, text := range []string{
		"The heron heron heron heron.", "We had a heron and soup.", "The blue heron stood here.", "A heron came twice.",
	} {
		say(t, s, text)
	}
	return s, again
}

const blueHeron = "Which heron is blue heron stood here?"

func firstText(a *engram.Answer) string {
	if len(a.Items) == 0 {
		return ""
	}
	return a.Items[0].Text
}

// The reranker has the last word about the best items, and the answer names it.
func TestReranker(t *testing.T) {
	t.Parallel()
	fake := new(reranktest.Fake)
	s, again := reranked(t, engram.Options{Reranker: fake})
	q := engram.Query{Question: "soup and had", Explain: true}
	a := recall(t, s, q)
	if a.Reranker != "fake" || fake.Calls() != 1 || len(a.Notes) != 0 || a.Items[0].Explanation.Channels["rerank"] != 1 {
		t.Errorf("%d calls, by %q, notes %q, %+v", fake.Calls(), a.Reranker, a.Notes, a.Items[0].Explanation)
	}
	if !slices.IsSortedFunc(a.Items, func(x, y memory.Item) int {
		return x.Explanation.Channels["rerank"] - y.Explanation.Channels["rerank"]
	}) {
		t.Error("the items are not in the order of the reranker")
	}
	repeated, err := s.Replay(t.Context(), a)
	if err != nil || fake.Calls() != 2 || repeated.Context != a.Context || repeated.Reranker != a.Reranker {
		t.Errorf("replay: %v", err)
	}
	q.Without = []string{"rerank"}
	if a := recall(t, s, q); a.Reranker != "" || fake.Calls() != 2 {
		t.Errorf("left out: by %q, %d calls", a.Reranker, fake.Calls())
	}
	if _, err := again(engram.Options{}).Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("replay without the reranker: %v", err)
	}
}

// A reranker that fails costs nothing but a note; the answer is that without one.
func TestRerankerFails(t *testing.T) {
	t.Parallel()
	fake := &reranktest.Fake{Err: rerank.ErrUnavailable}
	s, again := reranked(t, engram.Options{Reranker: fake})
	a := ask(t, s, blueHeron)
	if a.Reranker != "" || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "fake could not be asked") {
		t.Fatalf("by %q, notes %q", a.Reranker, a.Notes)
	}
	plain := again(engram.Options{})
	if b := ask(t, plain, blueHeron); b.Context != a.Context || firstText(&a) != firstText(&b) {
		t.Errorf("%q instead of %q", firstText(&a), firstText(&b))
	}
	for name, s := range map[string]*engram.Space{"with": s, "without": plain} {
		if b, err := s.Replay(t.Context(), a); err != nil || b.Context != a.Context || !slices.Equal(b.Notes, a.Notes) {
			t.Errorf("replay %s the reranker: notes %q, %v", name, b.Notes, err)
		}
	}
	if fake.Calls() != 1 {
		t.Errorf("a replay asked the reranker: %d calls", fake.Calls())
	}
}

// Out of time, the ranker's order stands.
func TestRerankerIsLate(t *testing.T) {
	t.Parallel()
	fake := &reranktest.Fake{Held: make(chan struct{})}
	s, _ := reranked(t, engram.Options{Reranker: fake, RerankTime: 1})
	a := ask(t, s, blueHeron)
	if a.Reranker != "" || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "fake did not answer in time") || len(a.Items) == 0 {
		t.Errorf("by %q, notes %q", a.Reranker, a.Notes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Recall(ctx, engram.Query{Question: blueHeron}); !errors.Is(err, context.Canceled) {
		t.Errorf("the caller left: %v", err)
	}
}

// announcing tells when it is asked.
type announcing struct {
	*reranktest.Fake
	asked chan struct{}
}

func (a announcing) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	close(a.asked)
	return a.Fake.Rerank(ctx, query, texts)
}

// Nobody waits for a reranker but who asks: meanwhile the space is written and
// read, and the answer looks from where it began.
func TestRerankerHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	slow := announcing{&reranktest.Fake{Held: held}, make(chan struct{})}
	s, _ := reranked(t, engram.Options{Reranker: slow, RerankTime: time.Hour})
	done := make(chan engram.Answer, 1)
	go func() {
		a, err := s.Recall(context.Background(), engram.Query{Question: blueHeron})
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	<-slow.asked
	say(t, s, "The blue heron stood here again.")
	if list, err := s.List(t.Context(), engram.Filter{}, engram.AsOf{}, 0, 0); err != nil || len(list) != 5 {
		t.Errorf("%d episodes, %v", len(list), err)
	}
	close(held)
	if a := <-done; a.Reranker != "fake" || a.Head != 4 {
		t.Errorf("by %q, from %d", a.Reranker, a.Head)
	}
}

// What is erased while the reranker thinks does not come back.
func TestRerankerIsOvertakenByAnErasure(t *testing.T) {
	t.Parallel()
	held := make(chan struct{})
	slow := announcing{&reranktest.Fake{Held: held}, make(chan struct{})}
	s, _ := reranked(t, engram.Options{Reranker: slow, RerankTime: time.Hour})
	ref := say(t, s, "The blue heron was secret.")
	done := make(chan engram.Answer, 1)
	go func() {
		a, err := s.Recall(context.Background(), engram.Query{Question: blueHeron})
		if err != nil {
			t.Error(err)
		}
		done <- a
	}()
	<-slow.asked
	forgetIDs(t, s, ref)
	close(held)
	a := <-done
	if a.Reranker != "" || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "overtaken by an erasure") || strings.Contains(a.Context, "secret") || len(a.Items) == 0 {
		t.Errorf("by %q, notes %q\n%s", a.Reranker, a.Notes, a.Context)
	}
}
