package llmtest_test

import (
	"context"
	"errors"
	"testing"

	"engram/llm"
	"engram/llm/llmtest"
)

func TestFake(t *testing.T) {
	t.Parallel()
	m := llmtest.NewFake("fake", llmtest.Says("yes"))
	r := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "well?"}}}
	if got, err := m.Complete(t.Context(), r); err != nil || got != (llm.Response{Text: "yes", Stop: llm.StopEnd}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := m.Complete(t.Context(), llm.Request{}); !errors.Is(err, llm.ErrRejected) {
		t.Errorf("got %v, want %v", err, llm.ErrRejected)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Complete(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	if asked := m.Asked(); len(asked) != 1 || asked[0].Messages[0].Text != "well?" {
		t.Errorf("asked %+v", asked)
	}
}
