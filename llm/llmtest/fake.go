package llmtest

import (
	"context"
	"slices"
	"sync"

	"engram/llm"
)

// Fake is a model that a function is. It is safe for many goroutines if the
// function is.
type Fake struct {
	name   string
	answer func(llm.Request) (llm.Response, error)

	mu    sync.Mutex
	asked []llm.Request
}

var _ llm.Model = (*Fake)(nil)

// NewFake makes a model of that name whose answers the function gives.
func NewFake(name string, answer func(llm.Request) (llm.Response, error)) *Fake {
	return &Fake{name: name, answer: answer}
}

// Says is a function for NewFake that always answers with this text.
func Says(text string) func(llm.Request) (llm.Response, error) {
	return func(llm.Request) (llm.Response, error) { return llm.Response{Text: text, Stop: llm.StopEnd}, nil }
}

// Name is the name of the model.
func (f *Fake) Name() string { return f.name }

// Complete asks the function, once, if the request is valid and the context has
// not ended.
func (f *Fake) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	if err := r.Validate(); err != nil {
		return llm.Response{}, err
	}
	f.mu.Lock()
	f.asked = append(f.asked, r)
	f.mu.Unlock()
	return f.answer(r)
}

// Asked gives the requests that the function was asked, in order.
func (f *Fake) Asked() []llm.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.asked)
}
