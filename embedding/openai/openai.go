// Package openai embeds texts by any server that speaks OpenAI's embeddings
// endpoint: OpenAI itself, gateways, and local servers. It may import
// embedding, memory and OpenAI's library.
package openai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"engram/embedding"
	"engram/memory"
)

// Options say which model to ask, and how. All but Model may be left out.
type Options struct {
	// Model is the name of the model as the server knows it.
	Model string
	// BaseURL is the address before "/embeddings", such as
	// "http://localhost:11434/v1"; a query after it is sent with each request.
	// Defaults to OpenAI's own.
	BaseURL string
	// Key is sent as bearer token. Defaults to none; the environment is not read.
	Key string
	// BatchSize is the most texts in one request. Defaults to 64.
	BatchSize int
	// Timeout bounds each attempt. Defaults to 2 minutes.
	Timeout time.Duration
	// MaxRetries is how many attempts follow a failed one, after a pause that
	// grows or that the server names. Defaults to 5; negative for none.
	MaxRetries int
}

func (o *Options) setDefaults() {
	if o.BatchSize <= 0 {
		o.BatchSize = 64
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	switch {
	case o.MaxRetries == 0:
		o.MaxRetries = 5
	case o.MaxRetries < 0:
		o.MaxRetries = 0
	}
}

// Embedder embeds by a server. It may be used from many goroutines at once.
type Embedder struct {
	o       Options
	service openai.EmbeddingService
	dims    atomic.Int64 // of the first vector; 0: none yet
}

var _ embedding.Embedder = (*Embedder)(nil)

// New makes an embedder; it does not ask the server. Options that cannot be
// right give memory.ErrInvalid.
func New(o Options) (*Embedder, error) {
	if o.Model == "" {
		return nil, fmt.Errorf("embedder of openai: Model is empty: %w", memory.ErrInvalid)
	}
	o.setDefaults()
	// The service and not the client, which would also take headers, projects
	// and keys from the environment.
	opts := []option.RequestOption{
		option.WithEnvironmentProduction(), option.WithAPIKey(o.Key),
		option.WithMaxRetries(o.MaxRetries), option.WithRequestTimeout(o.Timeout),
	}
	if o.BaseURL != "" {
		u, err := url.Parse(o.BaseURL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("embedder openai:%s: BaseURL is no address of HTTP: %w", o.Model, memory.ErrInvalid)
		}
		opts = append(opts, option.WithBaseURL(o.BaseURL))
		for name, values := range u.Query() { // a base loses its query
			for _, value := range values {
				opts = append(opts, option.WithQueryAdd(name, value))
			}
		}
	}
	return &Embedder{o: o, service: openai.NewEmbeddingService(opts...)}, nil
}

// Name is "openai:" and the name of the model.
func (e *Embedder) Name() string { return "openai:" + e.o.Model }

// Embed asks the server, one batch after the other.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for start := 0; start < len(texts); start += e.o.BatchSize {
		batch := texts[start:min(start+e.o.BatchSize, len(texts))]
		vectors, err := e.batch(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("embed by %s: %w", e.Name(), err)
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	response, err := e.service.New(ctx, openai.EmbeddingNewParams{
		Model: e.o.Model,
		Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
		// Not every server knows base64.
		EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
	})
	if err != nil {
		return nil, said(err)
	}
	if n := len(response.Data); n != len(texts) {
		return nil, fmt.Errorf("the server gave %d vectors for %d texts", n, len(texts))
	}
	out := make([][]float32, len(texts))
	for i := range response.Data {
		at := response.Data[i].Index
		if at < 0 || at >= int64(len(out)) || out[at] != nil {
			return nil, fmt.Errorf("the server gave the index %d twice, or beyond the %d texts", at, len(texts))
		}
		if out[at], err = e.vector(response.Data[i].Embedding); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// vector checks one vector and makes it half as large.
func (e *Embedder) vector(values []float64) ([]float32, error) {
	n := int64(len(values))
	if n == 0 {
		return nil, errors.New("the server gave a vector without dimensions")
	}
	if !e.dims.CompareAndSwap(0, n) && e.dims.Load() != n {
		return nil, fmt.Errorf("the server gave a vector of %d dimensions after one of %d", n, e.dims.Load())
	}
	out := make([]float32, n)
	for i, v := range values {
		if math.Abs(v) > math.MaxFloat32 {
			return nil, fmt.Errorf("the server gave a vector with a value that is no number of 32 bits: %w", embedding.ErrText)
		}
		out[i] = float32(v)
	}
	return out, nil
}

// said makes a sentence of what the server refused.
func said(err error) error {
	var refused *openai.Error
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("the server does not take the key (status %d)", refused.StatusCode)
	case http.StatusNotFound:
		return fmt.Errorf("the server does not know the model or the address (status %d)", refused.StatusCode)
	case http.StatusTooManyRequests:
		return fmt.Errorf("the server limits its use (status %d)", refused.StatusCode)
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return fmt.Errorf("the server refused with status %d: %w", refused.StatusCode, embedding.ErrText)
	default:
		return fmt.Errorf("the server refused with status %d", refused.StatusCode)
	}
}
