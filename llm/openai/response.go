package openai

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"engram/llm"
	"engram/llm/internal/call"
)

// errNoStream is an answer in one piece where a stream was asked for.
var errNoStream = errors.New("the server has no streams")

// whole asks for the answer in one piece.
func (m *Model) whole(ctx context.Context, p openai.ChatCompletionNewParams) (llm.Response, error) {
	var res *http.Response
	got, err := m.service.New(ctx, p, option.WithResponseInto(&res))
	if err != nil {
		return llm.Response{}, call.FromHTTP(res, err)
	}
	if got == nil || len(got.Choices) == 0 {
		return llm.Response{}, call.Malformed("no choice")
	}
	choice := got.Choices[0]
	return response(choice.Message.Content, choice.Message.Refusal, choice.FinishReason, got.Usage), nil
}

// streamed asks for the answer as a stream and puts it together. A stream
// without a reason to finish was cut off, even if it ended in good order.
func (m *Model) streamed(ctx context.Context, p openai.ChatCompletionNewParams) (llm.Response, error) {
	var res *http.Response
	events := m.service.NewStreaming(ctx, p, option.WithResponseInto(&res))
	defer func() { _ = events.Close() }() // what was read is read
	if events.Err() == nil && res != nil && isJSON(res) {
		return llm.Response{}, errNoStream
	}
	var (
		text, refusal strings.Builder
		finish        string
		cost          openai.CompletionUsage
	)
	for events.Next() {
		chunk := events.Current()
		if chunk.Usage.TotalTokens > 0 { // in the last one, or growing in each
			cost = chunk.Usage
		}
		for _, choice := range chunk.Choices {
			if choice.Index != 0 {
				continue
			}
			text.WriteString(choice.Delta.Content)
			refusal.WriteString(choice.Delta.Refusal)
			if choice.FinishReason != "" {
				finish = choice.FinishReason
			}
		}
	}
	var inside *ssestream.StreamError
	switch err := events.Err(); {
	case errors.As(err, &inside):
		return llm.Response{}, call.FromEvent(inside.Event.Data)
	case err != nil:
		return llm.Response{}, call.FromHTTP(res, err)
	case finish == "":
		return llm.Response{}, call.Malformed("cut off")
	}
	return response(text.String(), refusal.String(), finish, cost), nil
}

func isJSON(res *http.Response) bool {
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

func response(text, refusal, finish string, cost openai.CompletionUsage) llm.Response {
	r := llm.Response{Text: text, Usage: llm.Usage{Input: int(cost.PromptTokens), Output: int(cost.CompletionTokens)}}
	switch finish {
	case "stop":
		r.Stop = llm.StopEnd
	case "length":
		r.Stop = llm.StopLength
	case "content_filter":
		r.Stop = llm.StopRefused
	default:
		r.Stop = llm.StopOther
	}
	if refusal != "" {
		r.Stop, r.Text = llm.StopRefused, refusal
	}
	return r
}
