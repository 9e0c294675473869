// Package llmtest defines in tests what an llm.Model is: an implementation is
// right if Run passes. A new rule for models begins here. It also has a fake
// model, and servers that behave, and misbehave, as they are told. It may
// import llm and testing only.
package llmtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"engram/llm"
)

// Setup is what the suite asks of a model that it opens. Fields that are zero
// are the default of the implementation.
type Setup struct {
	URL         string
	Model, Key  string
	Timeout     time.Duration
	MaxRetries  int // negative for none
	MaxParallel int
	NoStream    bool
	Wait        func(context.Context, time.Duration) error
}

// Protocol is one for which there is a fake server.
type Protocol struct {
	Name  string // what the names of models begin with
	Start func(testing.TB, func(Asked) Reply) *Server
	// Temperature and Seed tell whether the protocol has them.
	Temperature, Seed bool
}

// OpenAI is that of OpenAI's chat completions.
func OpenAI() Protocol { return Protocol{"openai", NewOpenAI, true, true} }

// Anthropic is that of Anthropic's messages.
func Anthropic() Protocol { return Protocol{"anthropic", NewAnthropic, false, false} }

// Run tests the models that newModel makes.
func Run(t *testing.T, p Protocol, newModel func(*testing.T, Setup) llm.Model) {
	for _, c := range []struct {
		name string
		run  func(w *world)
	}{
		{"answer", testAnswer},
		{"request", testRequest},
		{"stops", testStops},
		{"refuses requests", testRefuses},
		{"rate limit", testRateLimit},
		{"rate limit with a date", testRateLimitDate},
		{"rate limit too long", testRateLimitTooLong},
		{"rate limit for good", testRateLimitForGood},
		{"server fails", testServerFails},
		{"pauses grow", testPauses},
		{"rejected", testRejected},
		{"malformed once", testMalformedOnce},
		{"malformed for good", testMalformedForGood},
		{"failure within", testFailsWithin},
		{"nobody there", testNobody},
		{"too slow", testTooSlow},
		{"cancelled", testCancelled},
		{"cancelled while it waits", testCancelledWaiting},
		{"at once", testAtOnce},
		{"parallel", testParallel},
	} {
		for _, mode := range []string{"stream", "whole"} {
			t.Run(c.name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				c.run(&world{T: t, ctx: t.Context(), p: p, newModel: newModel, whole: mode == "whole"})
			})
		}
	}
}

// Secrets that no error may hold.
const (
	key    = "key-that-nobody-may-see"
	prompt = "prompt that nobody may see"
)

// world is what each subtest has for itself.
type world struct {
	*testing.T
	ctx      context.Context //nolint:containedctx // that of the test
	p        Protocol
	newModel func(*testing.T, Setup) llm.Model
	whole    bool
	server   *Server

	mu    sync.Mutex
	waits []time.Duration
}

// serve starts a server and gives a model that asks it, which notes its pauses
// and takes none.
func (w *world) serve(answer func(Asked) Reply) llm.Model {
	return w.serveWith(Setup{MaxRetries: 3}, answer)
}

func (w *world) serveWith(s Setup, answer func(Asked) Reply) llm.Model {
	w.Helper()
	w.server = w.p.Start(w, answer)
	if s.URL == "" {
		s.URL = w.server.URL
	}
	if s.Wait == nil {
		s.Wait = w.wait
	}
	s.Model, s.Key, s.NoStream = "fake", key, w.whole
	return w.newModel(w.T, s)
}

func (w *world) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = append(w.waits, d)
	return ctx.Err()
}

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: text}}}
}
