package engram

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"engram/embedding"
	"engram/index/vectors"
	"engram/ingest"
	"engram/memory"
	"engram/store"
)

// model is the embedder of an engine, with the vectors of the last questions. It
// may be used from many goroutines.
type model struct {
	embedding.Embedder
	worker    *ingest.VectorWorker
	wait      time.Duration
	now       func() time.Time
	questions *lru.Cache[string, vectors.Vector]

	mu    sync.Mutex
	until time.Time // it was asked in vain, and is left alone until then
}

const (
	// questionsKept is how many questions keep their vectors.
	questionsKept = 512
	// maxAsked is how much of a question is embedded, in bytes: models read a few
	// hundred words, and the first ones say what is wanted.
	maxAsked = 4 << 10
	// rest is how long a model is left alone after it was asked in vain, so that
	// not every recall waits for one that is not there.
	rest = 30 * time.Second
)

func newModel(s store.Store, o *Options) (*model, error) {
	m := &model{Embedder: o.Embedder, wait: o.EmbedWait, now: o.Now}
	var err error
	if m.questions, err = lru.New[string, vectors.Vector](questionsKept); err != nil {
		return nil, err
	}
	m.worker, err = ingest.NewVectorWorker(s, o.Embedder)
	return m, err
}

// asked is what of a question is embedded.
func asked(question string) string {
	if len(question) <= maxAsked {
		return question
	}
	cut := maxAsked
	for !utf8.RuneStart(question[cut]) {
		cut--
	}
	return question[:cut]
}

// known gives the vector of a question that was asked before.
func (m *model) known(question string) (vectors.Vector, bool) {
	return m.questions.Get(asked(question))
}

// errResting: the model was asked in vain a moment ago.
var errResting = errors.New("it could not be asked a moment ago")

// ask gives the vector of a question.
func (m *model) ask(ctx context.Context, question string) (vectors.Vector, error) {
	if m.resting() {
		return vectors.Vector{}, errResting
	}
	limited, cancel := context.WithTimeout(ctx, m.wait)
	defer cancel()
	text := asked(question)
	given, err := m.Embed(limited, []string{text})
	if err == nil && len(given) != 1 {
		err = fmt.Errorf("it gave %d vectors for one text: %w", len(given), memory.ErrInvalid)
	}
	var v vectors.Vector
	if err == nil {
		v, err = vectors.Quantise(given[0])
	}
	if ctx.Err() == nil { // a caller who left says nothing about the model
		m.heard(err)
	}
	if err != nil {
		return v, fmt.Errorf("ask %s: %w", m.Name(), err)
	}
	m.questions.Add(strings.Clone(text), v)
	return v, nil
}

func (m *model) resting() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.until.IsZero() && m.now().Before(m.until)
}

// heard takes note of whether the model could be asked. One that does not take a
// text may take the next.
func (m *model) heard(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, embedding.ErrText) {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.until = time.Time{}
	if err != nil {
		m.until = m.now().Add(rest)
	}
}
