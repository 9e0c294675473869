package judge

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/memory"
)

// script has the shape of a published evaluation script.
const script = `import json

def get_anscheck_prompt(task, question, answer, response, abstention=False):
    if not abstention:
        if task in ['alpha', "beta"]:
            template = "Is it \"right\"?\n\nQ: {}\n\nA: {}\n\nR: {}\n"
            prompt = template.format(question, answer, response)
        elif task == 'gamma':
            template = ('The newest counts. '
                        "Q: {} A: {} R: {}")
            prompt = template.format(question, answer, response)
        else:
            raise NotImplementedError
    else:
        template = """Nothing answers {} because {}.
Says {} so?"""
        prompt = template.format(question, answer, response)
    return prompt
`

func TestScriptPrompts(t *testing.T) {
	t.Parallel()
	p, err := ParsePrompts("evaluate.py", []byte(script))
	if err != nil {
		t.Fatal(err)
	}
	alpha := "Is it \"right\"?\n\nQ: {}\n\nA: {}\n\nR: {}\n"
	want := map[string]string{
		"alpha": alpha, "beta": alpha, "gamma": "The newest counts. Q: {} A: {} R: {}", "abstention": "Nothing answers {} because {}.\nSays {} so?",
	}
	if diff := cmp.Diff(want, p.Prompt); diff != "" {
		t.Error(diff)
	}
	if p.By != "evaluate.py" || len(p.SHA256) != 64 {
		t.Errorf("%+v", p)
	}
	name, prompt := p.For(&eval.Question{Category: "gamma", Ask: eval.Ask{Text: "q {answer}?"}, Answer: "a", Rubric: []string{"x"}}, "r")
	if name != "gamma" || prompt != "The newest counts. Q: q {answer}? A: a R: r" {
		t.Errorf("%s: %q", name, prompt)
	}
	if name, _ := p.For(&eval.Question{Category: "gamma", Unanswerable: true}, "r"); name != "abstention" {
		t.Errorf("a question without an answer is judged by %q", name)
	}
	if _, prompt := p.For(&eval.Question{Category: "delta"}, "r"); prompt != "" {
		t.Errorf("a category without a prompt is judged by %q", prompt)
	}
}

func TestParsePromptsRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file string }{
		{"a.json", "["}, {"a.json", "{}"}, {"a.json", `{"default": "right?"}`}, {"a.py", "print()"},
		{"a.py", "if task == 'a':\n  template = \"no end"}, {"a.py", "if task == 'a':\n  template = other"},
	} {
		if _, err := ParsePrompts(tt.name, []byte(tt.file)); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s %q gives %v", tt.name, tt.file, err)
		}
	}
}

func TestDefaultPrompts(t *testing.T) {
	t.Parallel()
	p := Default()
	for _, q := range []eval.Question{
		{Category: "multi-hop", Answer: "ANSWER"},
		{Category: "temporal-reasoning", Answer: "ANSWER"},
		{Category: "multi-session", Answer: "ANSWER", Unanswerable: true},
		{Category: "event_ordering", Rubric: []string{"ANSWER", "second"}},
	} {
		q.Ask.Text = "QUESTION"
		name, prompt := p.For(&q, "RESPONSE")
		for _, part := range []string{"QUESTION", "ANSWER", "RESPONSE"} {
			if !strings.Contains(prompt, part) {
				t.Errorf("%s lacks %s: %s", name, part, prompt)
			}
		}
		if strings.ContainsAny(prompt, "{}") {
			t.Errorf("%s keeps a place: %s", name, prompt)
		}
	}
	if Default().SHA256 != p.SHA256 {
		t.Error("the digest changes")
	}
}

func TestRulings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		"Yes.": {true, true}, "no": {false, true}, "**No**, it says yes": {false, true}, "I cannot tell": {false, false}, "": {false, false}, "Yesterday was right: yes": {true, true},
	} {
		if yes, ok := verdict(text); yes != want[0] || ok != want[1] {
			t.Errorf("%q is %v, %v", text, yes, ok)
		}
	}
	if _, ok := rubricScore("They agree, yes.\nmaybe", 4); ok {
		t.Error("no point is ruled on")
	}
	if got, ok := rubricScore("Point 1: yes\n2: No\n3 - yes\n7 yes\n", 4); !ok || got != 0.5 {
		t.Errorf("score %v", got)
	}
}
