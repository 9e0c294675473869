package ingest

import (
	"context"
	"errors"
	"fmt"

	"engram/embedding"
	"engram/index/vectors"
	"engram/memory"
)

// ErrModel means that the model could not be asked, whatever the texts.
var ErrModel = errors.New("the model could not be asked")

// probe is a text that every model takes.
const probe = "hello"

// embed gives the vectors of texts, rounded. A text that the model does not take
// although it takes others gets a vector of zeros, which is near nothing: it
// must not keep those behind it waiting, and words find it. Whatever may have
// passed since is tried once more before a text is given up.
func (w *VectorWorker) embed(ctx context.Context, texts []string) (made []vectors.Vector, refused int, err error) {
	if made, err = w.ask(ctx, texts); err == nil {
		return made, 0, nil
	}
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	known, dead := w.ask(ctx, []string{probe})
	if dead != nil {
		return nil, 0, fmt.Errorf("%w: %w", err, ErrModel)
	}
	if len(texts) == 1 {
		if !errors.Is(err, embedding.ErrText) {
			if made, err = w.ask(ctx, texts); err == nil || ctx.Err() != nil {
				return made, 0, err
			}
		}
		return []vectors.Vector{{Values: make([]int8, len(known[0].Values))}}, 1, nil
	}
	for _, half := range [][]string{texts[:len(texts)/2], texts[len(texts)/2:]} {
		some, n, err := w.embed(ctx, half)
		if err != nil {
			return nil, 0, err
		}
		if len(made) > 0 && len(made[0].Values) != len(some[0].Values) {
			return nil, 0, fmt.Errorf("%s gave vectors of %d and of %d dimensions: %w", w.embedder.Name(), len(made[0].Values), len(some[0].Values), ErrModel)
		}
		made, refused = append(made, some...), refused+n
	}
	return made, refused, nil
}

// ask asks the model and holds it to its contract.
func (w *VectorWorker) ask(ctx context.Context, texts []string) ([]vectors.Vector, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	given, err := w.embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(given) != len(texts) {
		return nil, fmt.Errorf("%s gave %d vectors for %d texts: %w", w.embedder.Name(), len(given), len(texts), memory.ErrInvalid)
	}
	out := make([]vectors.Vector, len(given))
	for i, v := range given {
		if len(v) != len(given[0]) {
			return nil, fmt.Errorf("%s gave vectors of %d and of %d dimensions: %w", w.embedder.Name(), len(given[0]), len(v), memory.ErrInvalid)
		}
		if out[i], err = vectors.Quantise(v); err != nil {
			return nil, err
		}
	}
	w.dim.Store(int64(len(given[0])))
	return out, nil
}

// dimension is that of the model's vectors.
func (w *VectorWorker) dimension(ctx context.Context) (int, error) {
	if n := w.dim.Load(); n > 0 {
		return int(n), nil
	}
	v, err := w.ask(ctx, []string{probe})
	if err != nil {
		return 0, fmt.Errorf("%w: %w", err, ErrModel)
	}
	return len(v[0].Values), nil
}
