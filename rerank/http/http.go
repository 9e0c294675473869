// Package http asks rerankers behind HTTP, in the two shapes in use: that of
// Cohere, Jina and those who follow them, and that of TEI (Text Embeddings
// Inference). It may import rerank and the standard library only.
package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"engram/rerank"
)

// Shape is how requests and answers are written.
type Shape string

// The shapes.
const (
	// Cohere posts {model, query, documents, top_n} to /v1/rerank and reads
	// {results: [{index, relevance_score}]}. Cohere, Jina, vLLM, llama.cpp and
	// Infinity speak it.
	Cohere Shape = "cohere"
	// TEI posts {query, texts, truncate} to /rerank and reads [{index, score}].
	TEI Shape = "tei"
)

// Options say whom to ask, and how. Only URL must be set, and Model for Cohere.
type Options struct {
	// Shape defaults to Cohere.
	Shape Shape
	// URL is the address before "/v1/rerank" or "/rerank", such as
	// "https://api.jina.ai" or "http://localhost:8080", or up to the version, such
	// as "https://api.cohere.com/v2", or the whole address if it ends in "/rerank".
	URL string
	// Model is the name of the model as the server knows it. A TEI server has
	// one model, so for it this is only how it is named here. Defaults, for TEI,
	// to "default".
	Model string
	// Key is sent to the server as bearer token. Defaults to none.
	Key string
	// Timeout bounds each request, to the end of the answer. Defaults to 10 s.
	Timeout time.Duration
	// MaxTexts is how many texts go into one request; more are sent in several,
	// one after the other. Defaults to 1,000 for Cohere and 32 for TEI, which
	// are the servers' own limits.
	MaxTexts int
	// Client sends the requests. Defaults to one of its own.
	Client *http.Client
}

// Reranker is a model behind a server.
type Reranker struct {
	o        Options
	endpoint string
	shape    shape
}

var _ rerank.Reranker = (*Reranker)(nil)

// versioned is a path that ends in the version of an interface.
var versioned = regexp.MustCompile(`/v\d+$`)

// New makes a reranker. It does not ask the server. Options that cannot be
// right give rerank.ErrRejected.
func New(o Options) (*Reranker, error) {
	if o.Shape == "" {
		o.Shape = Cohere
	}
	r := &Reranker{}
	switch {
	case o.Shape == Cohere && o.Model == "":
		return nil, fmt.Errorf("reranker: %w: Model is empty", rerank.ErrRejected)
	case o.Shape == Cohere:
		r.shape = cohere{}
	case o.Shape == TEI:
		r.shape = tei{}
	default:
		return nil, fmt.Errorf("reranker: %w: Shape is %q, not cohere or tei", rerank.ErrRejected, o.Shape)
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("reranker: %w: URL is no address of HTTP", rerank.ErrRejected)
	}
	if o.Timeout < 0 || o.MaxTexts < 0 {
		return nil, fmt.Errorf("reranker: %w: Timeout and MaxTexts cannot be negative", rerank.ErrRejected)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(u.Path, "/rerank"):
	case versioned.MatchString(u.Path):
		u.Path += "/rerank"
	default:
		u.Path += r.shape.version() + "/rerank"
	}
	u.RawPath = ""
	r.endpoint = u.String()
	r.o = o.withDefaults(r.shape)
	return r, nil
}

func (o Options) withDefaults(s shape) Options {
	if o.Model == "" {
		o.Model = "default"
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.MaxTexts == 0 {
		o.MaxTexts = s.maxTexts()
	}
	if o.Client == nil {
		o.Client = new(http.Client)
	}
	return o
}

// Name is the shape and the name of the model: "cohere:rerank-v3.5".
func (r *Reranker) Name() string { return string(r.o.Shape) + ":" + r.o.Model }

// Rerank asks the server.
func (r *Reranker) Rerank(ctx context.Context, query string, texts []string) ([]float64, error) {
	scores := make([]float64, 0, len(texts))
	for len(texts) > 0 {
		n := min(r.o.MaxTexts, len(texts))
		some, err := r.ask(ctx, query, texts[:n])
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", r.Name(), err)
		}
		scores, texts = append(scores, some...), texts[n:]
	}
	return scores, nil
}

// ask is one request. An end of ctx is told from the end of the time for the
// request.
func (r *Reranker) ask(ctx context.Context, query string, texts []string) ([]float64, error) {
	limited, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	scores, err := r.post(limited, query, texts)
	switch {
	case err == nil:
		return scores, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: no answer within %v", rerank.ErrUnavailable, r.o.Timeout)
	}
	return nil, err
}
