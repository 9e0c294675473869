// Package llm is the contract of language models: a request with messages in,
// one answer as text out. llmtest defines it in tests and has a fake; openai
// and anthropic implement it. It may import the standard library only.
package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// Model answers requests. All methods may be called at once from many
// goroutines.
type Model interface {
	// Name says which model answers, with the protocol before it:
	// "openai:gpt-4o-mini". It is stable, and good for records and the keys of
	// caches.
	Name() string

	// Complete gives the model's answer to the last message. A request that
	// Validate refuses gives its error, and nobody is asked.
	//
	// Implementations over a network try again by themselves, after a pause
	// that grows and is never shorter than the server asks for: at ErrLimited,
	// ErrUnavailable and ErrMalformed, not at ErrRejected. What Complete then
	// gives is one of these four. A call may take as long as all attempts and
	// all pauses together, so callers who cannot wait give a context with a
	// deadline; a call whose context ends gives the context's error and none
	// of the four. An attempt that was given up may have been paid for.
	//
	// Errors hold neither keys nor anything of the request or the answer.
	Complete(ctx context.Context, r Request) (Response, error)
}

// What Complete may give, wrapped, beside the error of the context.
var (
	// ErrUnavailable means that the model could not be reached, took too long,
	// or failed on its side. Trying later may help.
	ErrUnavailable = errors.New("model unavailable")
	// ErrLimited means that the server answers no more requests for now, or for
	// this account. Trying much later may help.
	ErrLimited = errors.New("model limits its use")
	// ErrRejected means that the request cannot be answered as it is: the key,
	// the name of the model or a part of the request is wrong. Trying the same
	// again does not help.
	ErrRejected = errors.New("model rejects the request")
	// ErrMalformed means that there was an answer, but not one that could be
	// read: broken JSON, nothing in it, cut off before its end. Trying again
	// may help. That the text does not fit Request.Schema is no such error:
	// callers check it.
	ErrMalformed = errors.New("answer of the model is malformed")
)

// Response is the answer of a model.
type Response struct {
	Text  string // may be empty
	Stop  Stop
	Usage Usage
}

// Stop is why an answer ends.
type Stop string

// The reasons to stop. Only at StopEnd is the text known to be all that the
// model had to say.
const (
	StopEnd     Stop = "end"     // the model had finished
	StopLength  Stop = "length"  // MaxTokens, or all that the model can hold
	StopRefused Stop = "refused" // the model or its filter declines; the text is the refusal, if anything
	StopOther   Stop = "other"   // a reason that the protocol has and this list has not
)

// Usage is what an answer cost, in tokens of the model's own tokenizer. Both
// are 0 if the server does not tell.
type Usage struct {
	Input  int // with the part that the server had in a cache
	Output int // with the part that was thought and not said
}

// Request is what a model is asked. Models may not know all of it: see the
// fields.
type Request struct {
	System   string    // instructions that stand above the messages; may be empty
	Messages []Message // oldest first; the last one is the user's
	// MaxTokens bounds the answer, in tokens of the model. Defaults to what the
	// implementation says.
	MaxTokens int
	// Temperature is 0 for the likeliest answer, up to 2 for others. Models
	// that take none use their own.
	Temperature float64
	// Seed makes the same answer to the same request likelier, where the model
	// knows seeds. Defaults to none.
	Seed *int64
	// Schema is the JSON schema of an object that the text of the answer shall
	// be. For all models to take it, objects in it are closed
	// ("additionalProperties": false) and require all of their properties.
	// Defaults to free text.
	Schema json.RawMessage
}

// Message is one turn of a conversation.
type Message struct {
	Role Role
	Text string // not empty
}

// Role is whose turn a message is.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)
