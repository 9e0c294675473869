package engram

import (
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"engram/consolidate"
	"engram/embedding"
	"engram/recall"
	"engram/rerank"
	"engram/timeline"
)

// Options of an Engine. The zero value works.
type Options struct {
	// Now is the only clock. Defaults to time.Now.
	Now func() time.Time
	// Random is the source of ids; it is read by one goroutine at a time.
	// Defaults to crypto/rand.
	Random io.Reader
	// Logger gets ids and counts, never content. Defaults to none.
	Logger *slog.Logger
	// Spaces is how many spaces are kept folded in memory; the one that was
	// used longest ago goes first. Defaults to 256.
	Spaces int
	// Weights of the linear ranker where there are no vectors. Defaults to those
	// that come with the program.
	Weights *recall.Weights
	// VectorWeights are those where there are. Defaults to those that come with
	// the program.
	VectorWeights *recall.Weights
	// Schema says what predicates are like. Defaults to timeline.BuiltinSchema.
	Schema *timeline.Schema
	// Extractor reads facts out of the words (Consolidate). Defaults to none.
	Extractor consolidate.Extractor
	// Embedder is the model by whose vectors is searched, beside the words (Embed
	// makes them). Defaults to none.
	Embedder embedding.Embedder
	// EmbedWait is how long a recall waits for the vector of its question, before
	// it goes by words alone. Defaults to five seconds.
	EmbedWait time.Duration
	// Reranker puts the best items of each recall in order; what the ranker left
	// out stays out. Out of time or in error, the ranker's order stands and the
	// answer says so. Defaults to none.
	Reranker rerank.Reranker
	// RerankTime is how long a recall waits for the reranker. Defaults to two
	// seconds.
	RerankTime time.Duration
	// RerankTop is how many of the best items the reranker gets. Defaults to 50.
	RerankTop int
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Schema == nil {
		builtin := timeline.BuiltinSchema()
		o.Schema = &builtin
	}
	if o.EmbedWait <= 0 {
		o.EmbedWait = 5 * time.Second
	}
	if o.RerankTime <= 0 {
		o.RerankTime = 2 * time.Second
	}
	if o.RerankTop <= 0 {
		o.RerankTop = 50
	}
	if o.Spaces <= 0 {
		o.Spaces = 256
	}
}
