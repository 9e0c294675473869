// Package reranktest defines in tests what a rerank.Reranker is, and has one
// that needs no model. It may import rerank and the standard library only.
package reranktest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"engram/rerank"
)

// Run tests a reranker that scores as Score does, however it comes by it.
func Run(t *testing.T, r rerank.Reranker) {
	const query = "blue heron"
	texts := []string{"a heron", "", "The BLUE heron", "汉字", "a heron", "nothing of it"}
	want := []float64{0.5, 0, 1, 0, 0.5, 0}
	t.Run("scores", func(t *testing.T) {
		t.Parallel()
		if got, err := r.Rerank(t.Context(), query, texts); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v %v, want %v", got, err, want)
		}
	})
	t.Run("many", func(t *testing.T) {
		t.Parallel()
		got, err := r.Rerank(t.Context(), query, slices.Repeat(texts, 200))
		if err != nil || !slices.Equal(got, slices.Repeat(want, 200)) {
			t.Errorf("got %d scores, %v", len(got), err)
		}
	})
	t.Run("no texts", func(t *testing.T) {
		t.Parallel()
		if got, err := r.Rerank(t.Context(), query, nil); err != nil || len(got) != 0 {
			t.Errorf("got %v %v", got, err)
		}
	})
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if got, err := r.Rerank(t.Context(), query, texts[i%3:]); err != nil || !slices.Equal(got, want[i%3:]) {
					t.Errorf("got %v %v, want %v", got, err, want[i%3:])
				}
			})
		}
		wg.Wait()
	})
	t.Run("ended context", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Rerank(ctx, query, texts); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("name", func(t *testing.T) {
		t.Parallel()
		if r.Name() == "" || r.Name() != r.Name() { //nolint:staticcheck // it must be stable
			t.Errorf("the name is %q", r.Name())
		}
	})
}
