// Package rerank is the contract of models that read a question and a text
// together and say how well the one answers the other. reranktest defines it in
// tests and has a fake; http implements it over the servers in use. It may
// import the standard library only.
package rerank

import (
	"context"
	"errors"
)

// Reranker scores texts against a question. All methods may be called at once
// from many goroutines.
type Reranker interface {
	// Name says which model scores, with the protocol before it:
	// "cohere:rerank-v3.5". It is stable; scores of different names cannot be
	// compared.
	Name() string

	// Rerank gives a score for each text, in their order: higher is better, and
	// all are finite. Their scale is the model's own, and scores of different
	// questions cannot be compared. No texts give no scores and no error, and
	// nobody is asked. A text that is longer than the model reads is cut.
	//
	// A call gives all scores or an error, and does not try again by itself:
	// whoever asks has an order to fall back on, and little time. One whose
	// context ends gives the context's error, others one of those below.
	// Errors hold neither keys nor anything of the question or the texts.
	Rerank(ctx context.Context, query string, texts []string) ([]float64, error)
}

// What Rerank may give, wrapped, beside the error of the context.
var (
	// ErrUnavailable means that the model could not be reached, took too long,
	// is asked too much, or failed on its side. Trying later may help.
	ErrUnavailable = errors.New("reranker unavailable")
	// ErrRejected means that the key, the name of the model or a part of the
	// request is wrong. Trying the same again does not help.
	ErrRejected = errors.New("reranker rejects the request")
	// ErrMalformed means that there was an answer without a score for each text.
	ErrMalformed = errors.New("answer of the reranker is malformed")
)
