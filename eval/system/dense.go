package system

import (
	"context"
	"fmt"
	"math"

	"engram/embedding"
	"engram/eval"
	"engram/memory"
)

// Dense is what the usual prototype does: a vector for each turn ("speaker:
// text"), and the turns whose vectors are nearest to that of the question by
// cosine. The search is exact.
func Dense(e embedding.Embedder) eval.System {
	return eval.System{
		Name: "dense", Options: map[string]string{"embedder": e.Name()},
		Open: func(context.Context, string) (eval.Memory, error) {
			h, err := newHistory()
			return &denseMemory{plainMemory: plainMemory{h}, embedder: e}, err
		},
	}
}

type denseMemory struct {
	plainMemory
	embedder embedding.Embedder
	vectors  [][]float32 // of the turns; not of length 1
}

func (m *denseMemory) Ingest(ctx context.Context, s eval.Session) error {
	texts := make([]string, len(s.Turns))
	for i := range s.Turns {
		texts[i] = said(&s.Turns[i])
	}
	vectors, err := m.embed(ctx, texts)
	if err != nil {
		return err
	}
	if err := m.add(s); err != nil {
		return err
	}
	m.vectors = append(m.vectors, vectors...)
	return nil
}

func (m *denseMemory) Context(ctx context.Context, a eval.Ask, budget int) (eval.Context, error) {
	vectors, err := m.embed(ctx, []string{a.Text})
	if err != nil {
		return eval.Context{}, err
	}
	scores := make([]float64, m.until(a.Known))
	for i := range scores {
		scores[i] = cosine(vectors[0], m.vectors[i])
	}
	return m.pack(byScore(scores, math.Inf(-1)), budget), nil
}

// embed holds an embedder to its contract.
func (m *denseMemory) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := m.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%s gave %d vectors for %d texts: %w", m.embedder.Name(), len(vectors), len(texts), memory.ErrInvalid)
	}
	for i, v := range vectors {
		dims := len(vectors[0])
		if len(m.vectors) > 0 {
			dims = len(m.vectors[0])
		}
		if len(v) != dims {
			return nil, fmt.Errorf("%s gave a vector of %d dimensions after one of %d (text %d): %w", m.embedder.Name(), len(v), dims, i, memory.ErrInvalid)
		}
	}
	return vectors, nil
}

// cosine of two vectors of one size; 0 if one of them is zero.
func cosine(a, b []float32) float64 {
	dot, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(float64(aa*bb))
}
