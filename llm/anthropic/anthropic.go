// Package anthropic asks Anthropic's models over its Messages API. It may
// import llm and Anthropic's library.
package anthropic

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"engram/llm"
	"engram/llm/internal/call"
)

// defaultMaxTokens is sent where a request has no MaxTokens, since the API must
// have some.
const defaultMaxTokens = 4096

// Options say which model to ask, and how. All but Model may be left out.
type Options struct {
	// Model is the name of the model as the API knows it.
	Model string
	// BaseURL is the address before "/v1/messages". Defaults to
	// $ANTHROPIC_BASE_URL, and without that to Anthropic's own.
	BaseURL string
	// Key is sent to the server of BaseURL. Defaults to $ANTHROPIC_API_KEY; if
	// that is empty too, none is sent.
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
	// which no proxy loses its patience.
	NoStream bool
	// Wait waits between attempts, or until the context ends, whose error it
	// gives. Defaults to a timer, with up to a quarter of the time added at
	// random.
	Wait func(context.Context, time.Duration) error
}

// Model is one of Anthropic's models.
type Model struct {
	o       Options
	caller  *call.Caller
	service anthropic.MessageService
}

var _ llm.Model = (*Model)(nil)

// New makes a model. It does not ask the server. Options that cannot be right
// give llm.ErrRejected.
func New(o Options) (*Model, error) {
	if o.Model == "" {
		return nil, fmt.Errorf("model of anthropic: %w: Model is empty", llm.ErrRejected)
	}
	if o.BaseURL == "" {
		o.BaseURL = os.Getenv("ANTHROPIC_BASE_URL")
	}
	if o.Key == "" {
		o.Key = os.Getenv("ANTHROPIC_API_KEY")
	}
	// The service and not the client, which would also take headers and other
	// credentials from the environment. Retries are the caller's, for those of
	// the library sleep, and end where a stream begins. Traces could hold what
	// is asked.
	opts := []option.RequestOption{option.WithEnvironmentProduction(), option.WithMaxRetries(0), option.WithoutOpenTelemetry()}
	if o.Key != "" {
		opts = append(opts, option.WithAPIKey(o.Key))
	}
	if o.BaseURL != "" {
		if u, err := url.Parse(o.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("model anthropic:%s: %w: BaseURL is no address of HTTP", o.Model, llm.ErrRejected)
		}
		opts = append(opts, option.WithBaseURL(o.BaseURL))
	}
	m := &Model{o: o, service: anthropic.NewMessageService(opts...)}
	m.caller = call.New(call.Options{
		Name: m.Name(), Timeout: o.Timeout, MaxRetries: o.MaxRetries, MaxParallel: o.MaxParallel, Wait: o.Wait,
	})
	return m, nil
}

// Name is "anthropic:" and the name of the model.
func (m *Model) Name() string { return "anthropic:" + m.o.Model }

// Complete asks the server. MaxTokens defaults to 4096. The API takes neither
// temperature nor seed, so neither is sent.
func (m *Model) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := r.Validate(); err != nil {
		return llm.Response{}, fmt.Errorf("ask %s: %w", m.Name(), err)
	}
	p, err := m.params(r)
	if err != nil {
		return llm.Response{}, fmt.Errorf("ask %s: %w", m.Name(), err)
	}
	return m.caller.Do(ctx, func(ctx context.Context) (llm.Response, error) {
		if m.o.NoStream {
			return m.whole(ctx, p)
		}
		return m.streamed(ctx, p)
	})
}
