// Package embedding is the contract of models that turn texts into vectors.
// openai implements it over any server that speaks OpenAI's protocol. It may
// import the standard library only.
package embedding

import (
	"context"
	"errors"
)

// ErrText means that a model does not take one of the texts, however often it is
// asked: it is too long, or not of the kind that the model reads.
var ErrText = errors.New("the model does not take the text")

// Embedder turns texts into vectors whose cosine says how near their meanings
// are. All methods may be called at once from many goroutines.
type Embedder interface {
	// Name says which model makes the vectors: "openai:text-embedding-3-small".
	// It is stable; vectors of different names cannot be compared.
	Name() string

	// Embed gives a vector for each text, in their order. All vectors that an
	// Embedder ever gives have the same number of dimensions. They need not
	// have the length 1, and those of texts without words may be all zeros. No
	// texts give no vectors and no error.
	//
	// Any number of texts may be given: the implementation cuts them into
	// requests of the size that its server takes, and gives all vectors or an
	// error. A text that is longer than the model reads is cut or refused by
	// the model; a blank one may be refused, so callers leave it out.
	//
	// Implementations over a network try again by themselves what may pass; an
	// error that lies in a text, and in nothing else as far as they can tell,
	// wraps ErrText. A call whose context ends gives the context's error. Errors
	// hold neither keys nor texts.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
