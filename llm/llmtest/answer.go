package llmtest

import (
	"encoding/json"
	"errors"
	"math"
	"strings"

	"engram/llm"
)

// complete asks and wants an answer.
func (w *world) complete(m llm.Model, r llm.Request) llm.Response {
	w.Helper()
	answer, err := m.Complete(w.ctx, r)
	if err != nil {
		w.Fatalf("Complete: %v", err)
	}
	return answer
}

func testAnswer(w *world) {
	want := llm.Response{Text: "Ünï 汉字 \"quoted\"\n🎈 end", Stop: llm.StopEnd, Usage: llm.Usage{Input: 13, Output: 5}}
	m := w.serve(func(Asked) Reply { return Reply{Text: want.Text, Usage: want.Usage} })
	if got := w.complete(m, ask(prompt)); got != want {
		w.Errorf("got %+v, want %+v", got, want)
	}
	if name := w.p.Name + ":fake"; m.Name() != name {
		w.Errorf("Name is %q, want %q", m.Name(), name)
	}
	if got := w.server.Asked()[0].Stream; got == w.whole {
		w.Errorf("asked for a stream: %v", got)
	}
	w.check(1)
}

func testRequest(w *world) {
	seed := int64(7)
	want := llm.Request{
		System: "be <brief>",
		Messages: []llm.Message{
			{Role: llm.RoleUser, Text: "one"}, {Role: llm.RoleAssistant, Text: "two"}, {Role: llm.RoleUser, Text: "three"},
		},
		MaxTokens: 321, Temperature: 0.5, Seed: &seed,
		Schema: json.RawMessage(`{"additionalProperties":false,"properties":{"z":{"type":"string"},"a":{"type":"string"}},"required":["z","a"],"type":"object"}`),
	}
	w.complete(w.serve(func(Asked) Reply { return Reply{} }), want)
	asked := w.server.Asked()[0]
	if asked.Model != "fake" || asked.Key != key {
		w.Errorf("asked model %q with key %q", asked.Model, asked.Key)
	}
	if !w.p.Temperature {
		want.Temperature = 0
	}
	if !w.p.Seed {
		want.Seed = nil
	}
	got, wanted := marshal(asked.Request), marshal(want)
	if got != wanted {
		w.Errorf("the server was asked\n%s, want\n%s", got, wanted)
	}
	for name, sent := range map[string]bool{"temperature": w.p.Temperature, "seed": w.p.Seed} {
		if _, ok := asked.Fields[name]; ok != sent {
			w.Errorf("%s sent: %v", name, ok)
		}
	}
}

func testStops(w *world) {
	for _, stop := range []llm.Stop{llm.StopEnd, llm.StopLength, llm.StopRefused, llm.StopOther} {
		got := w.complete(w.serve(func(Asked) Reply { return Reply{Text: "so far", Stop: stop} }), ask(prompt))
		if got != (llm.Response{Text: "so far", Stop: stop}) {
			w.Errorf("%s: got %+v", stop, got)
		}
	}
}

func testRefuses(w *world) {
	m := w.serve(func(Asked) Reply { return Reply{} })
	for name, change := range map[string]func(*llm.Request){
		"Messages":           func(r *llm.Request) { r.Messages = nil },
		"Messages: the last": func(r *llm.Request) { r.Messages[0].Role = llm.RoleAssistant },
		"Messages[0].Role":   func(r *llm.Request) { r.Messages = append([]llm.Message{{Role: "system", Text: "x"}}, r.Messages...) },
		"Messages[0].Text":   func(r *llm.Request) { r.Messages[0].Text = "" },
		"MaxTokens":          func(r *llm.Request) { r.MaxTokens = -1 },
		"Temperature":        func(r *llm.Request) { r.Temperature = math.NaN() },
		"Schema":             func(r *llm.Request) { r.Schema = json.RawMessage(`[]`) },
	} {
		r := ask(prompt)
		change(&r)
		if _, err := m.Complete(w.ctx, r); !errors.Is(err, llm.ErrRejected) || !strings.Contains(err.Error(), name) {
			w.Errorf("%s: got %v, want %v that names it", name, err, llm.ErrRejected)
		}
	}
	w.check(0)
}
