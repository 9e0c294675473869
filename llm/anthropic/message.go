package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"engram/llm"
	"engram/llm/internal/call"
)

func (m *Model) params(r llm.Request) (anthropic.MessageNewParams, error) {
	p := anthropic.MessageNewParams{Model: m.o.Model, MaxTokens: defaultMaxTokens}
	if r.MaxTokens > 0 {
		p.MaxTokens = int64(r.MaxTokens)
	}
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System}}
	}
	for _, turn := range r.Messages {
		block := anthropic.NewTextBlock(turn.Text)
		if turn.Role == llm.RoleAssistant {
			p.Messages = append(p.Messages, anthropic.NewAssistantMessage(block))
		} else {
			p.Messages = append(p.Messages, anthropic.NewUserMessage(block))
		}
	}
	if r.Schema != nil {
		// The members stay as they are written: models answer in the order of
		// the properties.
		var members map[string]json.RawMessage
		if err := json.Unmarshal(r.Schema, &members); err != nil {
			return p, fmt.Errorf("%w: Schema: %w", llm.ErrRejected, err)
		}
		p.OutputConfig.Format.Schema = make(map[string]any, len(members))
		for name, member := range members {
			p.OutputConfig.Format.Schema[name] = member
		}
	}
	return p, nil
}

// whole asks for the answer in one piece. The caller has the time limit, so
// the library need not refuse what it thinks will take long.
func (m *Model) whole(ctx context.Context, p anthropic.MessageNewParams) (llm.Response, error) {
	var res *http.Response
	got, err := m.service.New(ctx, p, option.WithResponseInto(&res), option.WithRequestTimeout(noLimit))
	if err != nil {
		return llm.Response{}, fault(res, err)
	}
	return response(got)
}

// noLimit is longer than any Options.Timeout that makes sense.
const noLimit = 24 * time.Hour

// streamed asks for the answer as a stream and puts it together. A stream
// without the event that stops it was cut off, even if it ended in good order.
func (m *Model) streamed(ctx context.Context, p anthropic.MessageNewParams) (llm.Response, error) {
	var (
		res     *http.Response
		got     anthropic.Message
		stopped bool
	)
	events := m.service.NewStreaming(ctx, p, option.WithResponseInto(&res))
	defer func() { _ = events.Close() }() // what was read is read
	for events.Next() {
		event := events.Current()
		if err := got.Accumulate(event); err != nil {
			return llm.Response{}, call.Malformed("events out of order")
		}
		stopped = stopped || event.Type == "message_stop"
	}
	switch err := events.Err(); {
	case err != nil:
		return llm.Response{}, fault(res, err)
	case !stopped:
		return llm.Response{}, call.Malformed("cut off")
	}
	return response(&got)
}

// fault reads an error, which within a stream is one of the API's although the
// status was good.
func fault(res *http.Response, err error) *call.Error {
	var inside *anthropic.Error
	if res != nil && res.StatusCode < 300 && errors.As(err, &inside) {
		return call.FromEvent([]byte(inside.RawJSON()))
	}
	return call.FromHTTP(res, err)
}

func response(got *anthropic.Message) (llm.Response, error) {
	if got == nil || got.StopReason == "" {
		return llm.Response{}, call.Malformed("no message")
	}
	var text strings.Builder
	for _, block := range got.Content {
		if block.Type == "text" { // and not what it thought
			text.WriteString(block.Text)
		}
	}
	u := got.Usage
	r := llm.Response{Text: text.String(), Usage: llm.Usage{
		Input:  int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens),
		Output: int(u.OutputTokens),
	}}
	switch got.StopReason {
	case anthropic.StopReasonEndTurn, anthropic.StopReasonStopSequence:
		r.Stop = llm.StopEnd
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		r.Stop = llm.StopLength
	case anthropic.StopReasonRefusal:
		r.Stop = llm.StopRefused
	default:
		r.Stop = llm.StopOther
	}
	return r, nil
}
