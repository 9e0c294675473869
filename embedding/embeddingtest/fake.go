// Package embeddingtest has a model for tests: small, deterministic, and able to
// misbehave on demand. It may import embedding only.
package embeddingtest

import (
	"context"
	"hash/fnv"
	"strings"
	"sync"
	"unicode"

	"engram/embedding"
)

// Fake makes vectors of the words of a text, without regard to capitals and
// order: texts that share words are near. The zero value works; its fields are
// set before it is used, or through Change. It may be used by many goroutines.
type Fake struct {
	// Model is its name. Defaults to "fake".
	Model string
	// Dim is how many numbers its vectors have. Defaults to 64.
	Dim int
	// Same lists words that mean the same: each counts as the first of its line.
	Same [][]string
	// Err, if set, is what every call gives.
	Err error
	// Refuses, if set, tells of texts with which a call fails.
	Refuses func(text string) error
	// Short makes it leave out the last vector.
	Short bool
	// Held, if set, is waited for, or the end of the call's context.
	Held <-chan struct{}
	// Asked, if set, is called at the beginning of each call.
	Asked func(texts []string)

	mu    sync.Mutex
	calls int
	texts int
}

var _ embedding.Embedder = (*Fake)(nil)

// Name is that of the model.
func (f *Fake) Name() string {
	if f.Model == "" {
		return "fake"
	}
	return f.Model
}

// Change changes the fake between two calls.
func (f *Fake) Change(change func(*Fake)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// Calls is how often Embed was called, and with how many texts in all.
func (f *Fake) Calls() (calls, texts int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls, f.texts
}

// Embed implements embedding.Embedder.
func (f *Fake) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	f.mu.Lock()
	f.calls++
	f.texts += len(texts)
	held, asked := f.Held, f.Asked
	f.mu.Unlock()
	if asked != nil {
		asked(texts)
	}
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err != nil {
		return nil, f.Err
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if f.Refuses != nil {
			if err := f.Refuses(text); err != nil {
				return nil, err
			}
		}
		out[i] = f.vector(text)
	}
	if f.Short && len(out) > 0 {
		out = out[:len(out)-1]
	}
	return out, nil
}

// vector is the sum of the vectors of the words.
func (f *Fake) vector(text string) []float32 {
	dim := f.Dim
	if dim == 0 {
		dim = 64
	}
	out := make([]float32, dim)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(f.meaning(word))) // a hash takes everything
		state := h.Sum64()
		for i := range out {
			out[i] += sign(&state)
		}
	}
	return out
}

func (f *Fake) meaning(word string) string {
	for _, line := range f.Same {
		for _, w := range line {
			if w == word {
				return line[0]
			}
		}
	}
	return word
}

// sign gives 1 or -1, by one step of the generator splitmix64.
func sign(state *uint64) float32 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	if (z^z>>31)&1 == 0 {
		return 1
	}
	return -1
}
