package openai

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"engram/llm"
	"engram/llm/internal/call"
)

// fields is a set of the fields of a request that not all servers and models
// know.
type fields uint32

const (
	stream fields = 1 << iota
	usage
	temperature
	seed
	maxTokens // without it, the newer max_completion_tokens is sent
)

var fieldNames = []struct {
	field fields
	name  string
}{
	{stream, "stream"}, {usage, "stream_options"}, {temperature, "temperature"}, {seed, "seed"}, {maxTokens, "max_tokens"},
}

// attempt asks, and asks again at once without the fields that the server says
// it does not know. They are remembered once it has answered without them.
func (m *Model) attempt(ctx context.Context, r llm.Request) (llm.Response, error) {
	without := fields(m.without.Load())
	for {
		answer, err := m.ask(ctx, r, without)
		if err == nil {
			m.without.Or(uint32(without))
			return answer, nil
		}
		more := without | unknown(err)
		if more == without {
			return llm.Response{}, err
		}
		without = more
	}
}

func (m *Model) ask(ctx context.Context, r llm.Request, without fields) (llm.Response, error) {
	p := m.params(r, without)
	if without&stream != 0 {
		return m.whole(ctx, p)
	}
	return m.streamed(ctx, p)
}

// unknown reads from an error which fields the server does not know.
func unknown(err error) fields {
	if errors.Is(err, errNoStream) {
		return stream | usage
	}
	var fault *call.Error
	if !errors.As(err, &fault) {
		return 0
	}
	var all fields
	for _, f := range fieldNames {
		if fault.Unsupported(f.name) {
			all |= f.field
		}
	}
	if all&stream != 0 {
		all |= usage
	}
	return all
}

func (m *Model) params(r llm.Request, without fields) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{Model: m.o.Model}
	if r.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(r.System))
	}
	for _, turn := range r.Messages {
		if turn.Role == llm.RoleAssistant {
			p.Messages = append(p.Messages, openai.AssistantMessage(turn.Text))
		} else {
			p.Messages = append(p.Messages, openai.UserMessage(turn.Text))
		}
	}
	if without&temperature == 0 {
		p.Temperature = openai.Float(r.Temperature)
	}
	if r.Seed != nil && without&seed == 0 {
		p.Seed = openai.Int(*r.Seed)
	}
	// max_tokens is deprecated, but a server that does not know its successor
	// would silently answer without bounds.
	if r.MaxTokens > 0 && without&maxTokens == 0 {
		p.MaxTokens = openai.Int(int64(r.MaxTokens))
	} else if r.MaxTokens > 0 {
		p.MaxCompletionTokens = openai.Int(int64(r.MaxTokens))
	}
	if r.Schema != nil {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
				Name: "answer", Strict: openai.Bool(true), Schema: r.Schema,
			},
		}
	}
	if without&(stream|usage) == 0 {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	return p
}
