package reranktest

import (
	"context"
	"strings"
	"sync"

	"engram/rerank"
)

// Fake scores a text by the share of the question's words that it has, without
// regard to capitals. It may be used by many goroutines.
type Fake struct {
	// Err, if set, is what every call gives.
	Err error
	// Held, if set, is waited for, so that a test can use up the time of a call.
	Held <-chan struct{}

	mu    sync.Mutex
	calls int
}

var _ rerank.Reranker = (*Fake)(nil)

// Name is "fake".
func (*Fake) Name() string { return "fake" }

// Calls is how often Rerank was called with texts.
func (f *Fake) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// Rerank implements rerank.Reranker.
func (f *Fake) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	f.mu.Lock()
	f.calls++
	f.mu.Unlock()
	if f.Held != nil {
		select {
		case <-f.Held:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.Err != nil {
		return nil, f.Err
	}
	scores := make([]float64, len(texts))
	for i, text := range texts {
		scores[i] = Score(query, text)
	}
	return scores, nil
}

// Score is what the fake gives a text: 0 to 1.
func Score(query, text string) float64 {
	has := make(map[string]bool)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		has[word] = true
	}
	words, found := strings.Fields(strings.ToLower(query)), 0
	for _, word := range words {
		if has[word] {
			found++
		}
	}
	return float64(found) / float64(max(1, len(words)))
}
