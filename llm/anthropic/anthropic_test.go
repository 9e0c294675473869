package anthropic_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"engram/llm"
	"engram/llm/anthropic"
	"engram/llm/llmtest"
)

func newModel(t *testing.T, s llmtest.Setup) llm.Model {
	m, err := anthropic.New(anthropic.Options{
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
	llmtest.Run(t, llmtest.Anthropic(), newModel)
}

var question = llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "what?"}}}

// TestMaxTokens asks for more in one piece than the library lets pass by
// itself, and for nothing, for which there is a default.
func TestMaxTokens(t *testing.T) {
	t.Parallel()
	server := llmtest.NewAnthropic(t, func(llmtest.Asked) llmtest.Reply { return llmtest.Reply{} })
	m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", NoStream: true})
	for _, n := range []int{0, 100_000} {
		r := question
		r.MaxTokens = n
		if _, err := m.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if asked := server.Asked(); asked[0].Request.MaxTokens != 4096 || asked[1].Request.MaxTokens != 100_000 {
		t.Errorf("asked for %d and %d tokens", asked[0].Request.MaxTokens, asked[1].Request.MaxTokens)
	}
}

// TestCutBehindTheReason has a stream end in good order before the event that
// stops it, although the reason to stop has come.
func TestCutBehindTheReason(t *testing.T) {
	t.Parallel()
	const body = `event: message_start
data: {"type": "message_start", "message": {"type": "message", "content": []}}

event: message_delta
data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 0}}

`
	for end, want := range map[string]error{
		"": llm.ErrMalformed,
		"event: message_stop\ndata: {\"type\": \"message_stop\"}\n\n": nil,
	} {
		server := llmtest.NewAnthropic(t, func(llmtest.Asked) llmtest.Reply {
			return llmtest.Reply{Body: body + end, Header: http.Header{"Content-Type": {"text/event-stream"}}}
		})
		m := newModel(t, llmtest.Setup{URL: server.URL, Model: "fake", MaxRetries: -1})
		if _, err := m.Complete(t.Context(), question); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", end, err, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	server := llmtest.NewAnthropic(t, func(llmtest.Asked) llmtest.Reply { return llmtest.Reply{} })
	t.Setenv("ANTHROPIC_BASE_URL", server.URL)
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "of another program")
	for _, key := range []string{"from the environment", ""} {
		t.Setenv("ANTHROPIC_API_KEY", key)
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
	for name, o := range map[string]anthropic.Options{
		"Model":   {},
		"BaseURL": {Model: "fake", BaseURL: "ftp://example.org"},
	} {
		if _, err := anthropic.New(o); !errors.Is(err, llm.ErrRejected) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
