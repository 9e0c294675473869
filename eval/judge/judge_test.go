package judge

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/llm"
	"engram/llm/llmtest"
	"engram/memory"
)

var (
	asked = &eval.Question{ID: "SECRET-q7_abs", Category: "SECRET", Ask: eval.Ask{Text: "Where does Mia live?"}, Answer: "Berlin"}
	at    = eval.Ask{Text: "Where does Mia live?", At: memory.Micros(1_700_000_000_000_000)}
)

func last(r llm.Request) string { return r.Messages[len(r.Messages)-1].Text }

func TestPanel(t *testing.T) {
	t.Parallel()
	reader := llmtest.NewFake("reader", llmtest.Says(" In Berlin. "))
	broken := llmtest.NewFake("broken", func(llm.Request) (llm.Response, error) { return llm.Response{}, llm.ErrLimited })
	kind := llmtest.NewFake("kind", llmtest.Says("Yes"))
	strict := llmtest.NewFake("strict", func(r llm.Request) (llm.Response, error) {
		if !strings.Contains(last(r), "Berlin") || !strings.Contains(last(r), "In Berlin.") {
			return llm.Response{Text: "yes"}, nil
		}
		return llm.Response{Text: "no", Usage: llm.Usage{Input: 7, Output: 1}}, nil
	})
	p := Panel{Readers: []llm.Model{reader, broken}, Judges: []llm.Model{kind, strict}, Prompts: Default()}
	c := &eval.Context{Text: "[1] Mia: I moved to Berlin.\n"}
	got := p.Answer(t.Context(), asked, at, c)
	sum := p.Prompts.SHA256
	want := []eval.Answer{
		{Reader: "reader", Hypothesis: "In Berlin.", Verdicts: []eval.Ruling{
			{Judge: "kind", Prompt: "default", Prompts: sum, Correct: true, Score: 1, Raw: "Yes"},
			{Judge: "strict", Prompt: "default", Prompts: sum, Raw: "no", InputTokens: 7, OutputTokens: 1},
		}},
		{Reader: "broken", Error: llm.ErrLimited.Error()},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// What is read is what was counted, and no label goes with it.
	for _, r := range reader.Asked() {
		if !strings.Contains(last(r), c.Text) || !strings.Contains(last(r), "Tuesday, 14 November 2023") {
			t.Errorf("the reader is asked %q", last(r))
		}
		if strings.Contains(last(r)+r.System, "SECRET") {
			t.Error("the reader sees a label")
		}
	}
}

func TestJudgeWhoSaysNothingIsAnError(t *testing.T) {
	t.Parallel()
	p := Panel{Readers: []llm.Model{llmtest.NewFake("r", llmtest.Says("x"))}, Judges: []llm.Model{llmtest.NewFake("j", llmtest.Says("perhaps"))}, Prompts: Default()}
	a := p.Answer(t.Context(), asked, at, &eval.Context{})
	row := eval.Row{Answers: a}
	if correct, ok := row.Correct("r"); a[0].Verdicts[0].Error == "" || correct || !ok {
		t.Errorf("%+v", a)
	}
}

func TestCached(t *testing.T) {
	t.Parallel()
	calls := 0
	model := llmtest.NewFake("m", func(r llm.Request) (llm.Response, error) {
		calls++
		if last(r) == "fail" {
			return llm.Response{}, llm.ErrUnavailable
		}
		return llm.Response{Text: "answer to " + last(r), Stop: llm.StopEnd, Usage: llm.Usage{Input: 3, Output: 2}}, nil
	})
	dir := t.TempDir()
	say := func(c *Cached, text string) (llm.Response, error) {
		return c.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: text}}})
	}
	first := NewCached(model, dir)
	a, err := say(first, "a")
	if err != nil {
		t.Fatal(err)
	}
	again := NewCached(model, dir) // another run
	if b, err := say(again, "a"); err != nil || b != a || calls != 1 {
		t.Errorf("%+v, %v after %d calls", b, err, calls)
	}
	if _, err := say(again, "b"); err != nil || calls != 2 {
		t.Errorf("another request: %v after %d calls", err, calls)
	}
	if _, err := say(NewCached(llmtest.NewFake("n", llmtest.Says("x")), dir), "a"); err != nil {
		t.Error(err)
	}
	for range 2 {
		if _, err := say(again, "fail"); !errors.Is(err, llm.ErrUnavailable) {
			t.Error(err)
		}
	}
	if calls != 4 {
		t.Errorf("%d calls: errors are not kept", calls)
	}
	if diff := cmp.Diff(Spent{Calls: 2, Cached: 1, Input: 3, Output: 2}, again.Spent()); diff != "" {
		t.Error(diff)
	}
}

func TestHypotheses(t *testing.T) {
	t.Parallel()
	rows := []eval.Row{
		{Question: "q1", System: "engram", Answers: []eval.Answer{{Reader: "r", Hypothesis: "<b>"}, {Reader: "s", Hypothesis: "no"}}},
		{Question: "q1", System: "full", Answers: []eval.Answer{{Reader: "r", Hypothesis: "other"}}},
		{Question: "q2", System: "engram", Error: "down"},
	}
	var b strings.Builder
	if err := Hypotheses(&b, rows, "engram", "r"); err != nil {
		t.Fatal(err)
	}
	want := `{"question_id":"q1","hypothesis":"<b>"}` + "\n" + `{"question_id":"q2","hypothesis":""}` + "\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
