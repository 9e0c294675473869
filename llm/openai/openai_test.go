package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"engram/llm"
	"engram/llm/llmtest"
	"engram/llm/openai"
)

func newModel(t *testing.T, s llmtest.Setup) llm.Model {
	m, err := openai.New(openai.Options{
		Model: s.Model, BaseURL: s.URL, Key: s.Key, Timeout: s.Timeout, MaxRetries: s.MaxRetries,
		MaxParallel: s.MaxParallel, NoStream: s.NoStream, Wait: s.Wait,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestModel(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, llmtest.OpenAI(), newModel)
}

// noWait lets a test fail that waits where it should not.
func noWait(t *testing.T) func(context.Context, time.Duration) error {
	return func(context.Context, time.Duration) error {
		t.Error("waited")
		return nil
	}
}

var question = llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "what?"}}, MaxTokens: 99}

// TestUnknownFields has a server reject one field after the other; each is left
// out at once, without a pause, and from then on.
func TestUnknownFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ field, message, param, instead string }{
		{"stream_options", "Unsupported parameter: stream_options", "", ""},
		{"stream_options", "Extra inputs are not permitted", "stream_options", ""},
		{"stream", "stream is not supported by this model", "", ""},
		{"temperature", "Unsupported value: 'temperature' does not support 0 with this model.", "temperature", ""},
		{"seed", "Unrecognized request argument supplied: seed", "", ""},
		{"max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "max_completion_tokens"},
	} {
		t.Run(c.field, func(t *testing.T) {
			t.Parallel()
			server := llmtest.NewOpenAI(t, func(a llmtest.Asked) llmtest.Reply {
				if _, ok := a.Fields[c.field]; ok {
					return llmtest.Reply{Status: http.StatusBadRequest, Text: c.message, Param: c.param}
				}
				return llmtest.Reply{Text: "fine"}
			})
			m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", Wait: noWait(t)})
			r, seed := question, int64(1)
			r.Seed = &seed
			for range 2 {
				if got, err := m.Complete(t.Context(), r); err != nil || got.Text != "fine" {
					t.Fatalf("got %+v, %v", got, err)
				}
			}
			asked := server.Asked()
			if len(asked) != 3 {
				t.Fatalf("asked %d times, want 3", len(asked))
			}
			last := asked[2].Fields
			for _, name := range []string{"stream", "stream_options", "temperature", "seed", "max_tokens"} {
				without := name == c.field || c.field == "stream" && name == "stream_options"
				if _, ok := last[name]; ok == without {
					t.Errorf("%s sent: %v", name, ok)
				}
			}
			if _, ok := last[c.instead]; !ok && c.instead != "" {
				t.Errorf("%s is not sent", c.instead)
			}
		})
	}
}

// TestWrongValue has a server that knows a field and not its value: that is
// the caller's to mend, and nothing is left out.
func TestWrongValue(t *testing.T) {
	t.Parallel()
	server := llmtest.NewOpenAI(t, func(llmtest.Asked) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusBadRequest, Text: "max_tokens is too large: 99", Param: "max_tokens"}
	})
	m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", Wait: noWait(t)})
	if _, err := m.Complete(t.Context(), question); !errors.Is(err, llm.ErrRejected) || !strings.Contains(err.Error(), "max_tokens") {
		t.Errorf("got %v", err)
	}
	if n := len(server.Asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestServerWithoutStreams(t *testing.T) {
	t.Parallel()
	server := llmtest.NewOpenAI(t, func(llmtest.Asked) llmtest.Reply { return llmtest.Reply{Text: "fine", NoStream: true} })
	m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", Wait: noWait(t)})
	for range 2 {
		if got, err := m.Complete(t.Context(), question); err != nil || got.Text != "fine" {
			t.Fatalf("got %+v, %v", got, err)
		}
	}
	if asked := server.Asked(); len(asked) != 3 || !asked[0].Stream || asked[1].Stream || asked[2].Stream {
		t.Errorf("asked %d times", len(asked))
	}
}

func TestQuotaIsNotRetried(t *testing.T) {
	t.Parallel()
	server := llmtest.NewOpenAI(t, func(llmtest.Asked) llmtest.Reply {
		return llmtest.Reply{Status: http.StatusTooManyRequests, Code: "insufficient_quota"}
	})
	m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", Wait: noWait(t)})
	if _, err := m.Complete(t.Context(), question); !errors.Is(err, llm.ErrLimited) || !strings.Contains(err.Error(), "insufficient_quota") {
		t.Errorf("got %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	server := llmtest.NewOpenAI(t, func(llmtest.Asked) llmtest.Reply { return llmtest.Reply{} })
	t.Setenv("OPENAI_BASE_URL", server.URL)
	for _, key := range []string{"from the environment", ""} {
		t.Setenv("OPENAI_API_KEY", key)
		if _, err := newModel(t, llmtest.Setup{Model: "fake"}).Complete(t.Context(), question); err != nil {
			t.Fatal(err)
		}
	}
	if asked := server.Asked(); asked[0].Key != "from the environment" || asked[1].Key != "" {
		t.Errorf("keys %q and %q", asked[0].Key, asked[1].Key)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]openai.Options{
		"Model":   {},
		"BaseURL": {Model: "fake", BaseURL: "localhost:11434"},
	} {
		if _, err := openai.New(o); !errors.Is(err, llm.ErrRejected) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
