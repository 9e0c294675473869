package engram

import (
	"crypto/rand"
	"io"
	"log/slog"
	"time"

	"engram/consolidate"
	"engram/recall"
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
	// Weights of the linear ranker. Defaults to those that come with the program.
	Weights *recall.Weights
	// Schema says what predicates are like. Defaults to timeline.BuiltinSchema.
	Schema *timeline.Schema
	// Extractor reads facts out of the words (Consolidate). Defaults to none.
	Extractor consolidate.Extractor
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
	if o.Spaces <= 0 {
		o.Spaces = 256
	}
}
