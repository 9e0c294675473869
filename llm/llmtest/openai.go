package llmtest

import (
	"encoding/json"

	"engram/llm"
)

// openAI is the protocol of OpenAI's chat completions.
type openAI struct{}

func (openAI) path() string { return "/v1/chat/completions" }

func (openAI) read(a *Asked) error {
	var body struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role    string
			Content string
		}
		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		Temperature         float64
		Seed                *int64
		ResponseFormat      struct {
			JSONSchema struct {
				Schema json.RawMessage
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal([]byte(marshal(a.Fields)), &body); err != nil {
		return err
	}
	a.Model, a.Stream = body.Model, body.Stream
	a.Request = llm.Request{
		MaxTokens:   max(body.MaxTokens, body.MaxCompletionTokens),
		Temperature: body.Temperature, Seed: body.Seed, Schema: body.ResponseFormat.JSONSchema.Schema,
	}
	for _, m := range body.Messages {
		if m.Role == "system" {
			a.Request.System = m.Content
		} else {
			a.Request.Messages = append(a.Request.Messages, llm.Message{Role: llm.Role(m.Role), Text: m.Content})
		}
	}
	return nil
}

func (openAI) finish(r Reply) string {
	switch r.Stop {
	case llm.StopLength:
		return "length"
	case llm.StopRefused, llm.StopEnd, "":
		return "stop" // a refusal is a message of its own
	}
	return "tool_calls"
}

// content is the message, or a part of it.
func (openAI) content(r Reply, text string) object {
	if r.Stop == llm.StopRefused {
		return object{"content": nil, "refusal": text}
	}
	return object{"content": text}
}

func (openAI) usage(r Reply) object {
	return object{
		"prompt_tokens": r.Usage.Input, "completion_tokens": r.Usage.Output, "total_tokens": r.Usage.Input + r.Usage.Output,
	}
}

func (p openAI) whole(r Reply) string {
	body := object{"id": "1", "object": "chat.completion", "created": 1, "model": "fake", "choices": []object{}}
	if !r.NoChoice {
		message := p.content(r, r.Text)
		message["role"] = "assistant"
		body["choices"] = []object{{"index": 0, "message": message, "finish_reason": p.finish(r)}}
	}
	if r.Usage != (llm.Usage{}) {
		body["usage"] = p.usage(r)
	}
	return marshal(body)
}

func (p openAI) events(r Reply, usage bool) []string {
	chunk := func(choices ...object) object {
		return object{"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "fake", "choices": choices}
	}
	var all []string
	if !r.NoChoice {
		all = append(all, event("", chunk(object{"index": 0, "delta": object{"role": "assistant"}, "finish_reason": nil})))
		for _, part := range split(r.Text) {
			all = append(all, event("", chunk(object{"index": 0, "delta": p.content(r, part), "finish_reason": nil})))
		}
		if r.Fails != "" {
			return append(all, event("", object{"error": object{"type": r.Fails, "message": r.Text}}))
		}
		all = append(all, event("", chunk(object{"index": 0, "delta": object{}, "finish_reason": p.finish(r)})))
	}
	if usage && r.Usage != (llm.Usage{}) {
		last := chunk()
		last["choices"], last["usage"] = []object{}, p.usage(r)
		all = append(all, event("", last))
	}
	return append(all, "data: [DONE]\n\n")
}

func (openAI) failure(r Reply) string {
	return marshal(object{"error": object{"message": r.Text, "type": "error", "code": r.Code, "param": r.Param}})
}
