package llmtest

import (
	"encoding/json"

	"engram/llm"
)

// anthropic is the protocol of Anthropic's messages.
type anthropic struct{}

func (anthropic) path() string { return "/v1/messages" }

func (anthropic) read(a *Asked) error {
	type block struct{ Text string }
	var body struct {
		Model    string
		Stream   bool
		System   []block
		Messages []struct {
			Role    string
			Content []block
		}
		MaxTokens    int `json:"max_tokens"`
		OutputConfig struct {
			Format struct {
				Schema json.RawMessage
			}
		} `json:"output_config"`
	}
	if err := json.Unmarshal([]byte(marshal(a.Fields)), &body); err != nil {
		return err
	}
	a.Model, a.Stream = body.Model, body.Stream
	a.Request = llm.Request{MaxTokens: body.MaxTokens, Schema: body.OutputConfig.Format.Schema}
	for _, b := range body.System {
		a.Request.System += b.Text
	}
	for _, m := range body.Messages {
		text := ""
		for _, b := range m.Content {
			text += b.Text
		}
		a.Request.Messages = append(a.Request.Messages, llm.Message{Role: llm.Role(m.Role), Text: text})
	}
	return nil
}

func (anthropic) stop(r Reply) string {
	switch r.Stop {
	case llm.StopLength:
		return "max_tokens"
	case llm.StopRefused:
		return "refusal"
	case llm.StopEnd, "":
		return "end_turn"
	}
	return "pause_turn"
}

// usage has a part of the input as read from a cache.
func (anthropic) usage(r Reply) object {
	cached := r.Usage.Input / 2
	return object{
		"input_tokens": r.Usage.Input - cached, "cache_read_input_tokens": cached, "cache_creation_input_tokens": 0,
		"output_tokens": r.Usage.Output,
	}
}

func (p anthropic) whole(r Reply) string {
	if r.NoChoice {
		return `{"type": "message"}`
	}
	return marshal(object{
		"id": "1", "type": "message", "role": "assistant", "model": "fake",
		"content":     []object{{"type": "text", "text": r.Text}},
		"stop_reason": p.stop(r), "usage": p.usage(r),
	})
}

func (p anthropic) events(r Reply, _ bool) []string {
	end := event("message_stop", object{"type": "message_stop"})
	if r.NoChoice {
		return []string{end}
	}
	all := []string{
		event("message_start", object{"type": "message_start", "message": object{
			"id": "1", "type": "message", "role": "assistant", "model": "fake", "content": []object{},
			"stop_reason": nil, "usage": p.usage(r),
		}}),
		event("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": object{"type": "text", "text": ""}}),
	}
	for _, part := range split(r.Text) {
		all = append(all, event("content_block_delta", object{
			"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": part},
		}))
	}
	if r.Fails != "" {
		return append(all, event("error", object{"type": "error", "error": object{"type": r.Fails, "message": r.Text}}))
	}
	return append(all,
		event("content_block_stop", object{"type": "content_block_stop", "index": 0}),
		event("message_delta", object{
			"type": "message_delta", "delta": object{"stop_reason": p.stop(r)}, "usage": object{"output_tokens": r.Usage.Output},
		}),
		end,
	)
}

func (anthropic) failure(r Reply) string {
	return marshal(object{"type": "error", "error": object{"type": r.Code, "message": r.Text}})
}
