// Package openai asks any server that speaks OpenAI's chat completions: OpenAI
// itself, gateways, and local servers. It may import llm and OpenAI's library.
package openai

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"engram/llm"
	"engram/llm/internal/call"
)

// Options say which model to ask, and how. All but Model may be left out.
type Options struct {
	// Model is the name of the model as the server knows it.
	Model string
	// BaseURL is the address before "/chat/completions", such as
	// "http://localhost:11434/v1". Defaults to $OPENAI_BASE_URL, and without
	// that to OpenAI's own.
	BaseURL string
	// Key is sent to the server of BaseURL as bearer token. Defaults to
	// $OPENAI_API_KEY; if that is empty too, none is sent.
	Key string
	// Timeout bounds each attempt, from the question to the end of the answer.
	// Defaults to 5 minutes.
	Timeout time.Duration
	// MaxRetries is how many attempts follow a failed one. Defaults to 5;
	// negative for none.
	MaxRetries int
	// MaxParallel bounds the attempts that run at once. Defaults to no bound.
	MaxParallel int
	// NoStream asks for the answer in one piece. Defaults to a stream, over
	// which no proxy loses its patience, unless the server has none.
	NoStream bool
	// Wait waits between attempts, or until the context ends, whose error it
	// gives. Defaults to a timer, with up to a quarter of the time added at
	// random.
	Wait func(context.Context, time.Duration) error
}

// Model is a model behind a server. It remembers which fields of a request the
// server does not know, and leaves them out.
type Model struct {
	o       Options
	caller  *call.Caller
	service openai.ChatCompletionService
	without atomic.Uint32 // fields
}

var _ llm.Model = (*Model)(nil)

// New makes a model. It does not ask the server. Options that cannot be right
// give llm.ErrRejected.
func New(o Options) (*Model, error) {
	if o.Model == "" {
		return nil, fmt.Errorf("model of openai: %w: Model is empty", llm.ErrRejected)
	}
	if o.BaseURL == "" {
		o.BaseURL = os.Getenv("OPENAI_BASE_URL")
	}
	if o.Key == "" {
		o.Key = os.Getenv("OPENAI_API_KEY")
	}
	// The service and not the client, which would also take headers, projects
	// and other keys from the environment. Retries are the caller's, for those
	// of the library sleep, and end where a stream begins.
	opts := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0), option.WithAPIKey(o.Key)}
	if o.BaseURL != "" {
		if u, err := url.Parse(o.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("model openai:%s: %w: BaseURL is no address of HTTP", o.Model, llm.ErrRejected)
		}
		opts = append(opts, option.WithBaseURL(o.BaseURL))
	}
	m := &Model{o: o, service: openai.NewChatCompletionService(opts...)}
	m.caller = call.New(call.Options{
		Name: m.Name(), Timeout: o.Timeout, MaxRetries: o.MaxRetries, MaxParallel: o.MaxParallel, Wait: o.Wait,
	})
	if o.NoStream {
		m.without.Store(uint32(stream | usage))
	}
	return m, nil
}

// Name is "openai:" and the name of the model.
func (m *Model) Name() string { return "openai:" + m.o.Model }

// Complete asks the server. MaxTokens defaults to what the server says.
func (m *Model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := r.Validate(); err != nil {
		return llm.Response{}, fmt.Errorf("ask %s: %w", m.Name(), err)
	}
	return m.caller.Do(ctx, func(ctx context.Context) (llm.Response, error) { return m.attempt(ctx, r) })
}
