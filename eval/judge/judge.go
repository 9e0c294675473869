// Package judge is the half of the scoreboard that needs language models:
// readers that answer from a context, judges that compare the answer with the
// reference, their prompts, and a cache so that a run made again costs nothing
// and changes nothing. It may import eval and llm.
package judge

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"engram/eval"
	"engram/llm"
)

// DefaultTokens bounds an answer, the thinking of models that think included.
const DefaultTokens = 1024

// Panel reads and judges: every reader answers, every judge rules on every
// answer. Whatever the system, question or category, a model is asked in the
// same way and as often. It may be used from many goroutines at once.
type Panel struct {
	Readers []llm.Model
	Judges  []llm.Model // none: answers are kept and not judged
	Prompts Prompts
	Seed    int64
	// Tokens bound each answer and ruling. Defaults to DefaultTokens.
	Tokens int
}

// Answer gives what the readers make of a context, in their order.
func (p *Panel) Answer(ctx context.Context, q *eval.Question, ask eval.Ask, c *eval.Context) []eval.Answer {
	answers := make([]eval.Answer, len(p.Readers))
	for i, reader := range p.Readers {
		answers[i] = p.read(ctx, reader, ask, c)
		if answers[i].Error != "" {
			continue
		}
		for _, judge := range p.Judges {
			answers[i].Verdicts = append(answers[i].Verdicts, p.rule(ctx, judge, q, answers[i].Hypothesis))
		}
	}
	return answers
}

const readerInstructions = `You answer a question about earlier conversations. You are given a record of them, or parts of it, each with its date.
Answer from the record alone. Where the record says that something changed, the later statement counts, unless the question asks about an earlier time.
If the record does not hold the answer, say that it is not known. Answer in the language of the question, as briefly as the question allows.`

func (p *Panel) read(ctx context.Context, reader llm.Model, ask eval.Ask, c *eval.Context) eval.Answer {
	a := eval.Answer{Reader: reader.Name()}
	r, err := reader.Complete(ctx, llm.Request{
		System: readerInstructions, Messages: []llm.Message{{Role: llm.RoleUser, Text: question(ask, c)}},
		MaxTokens: cmp.Or(p.Tokens, DefaultTokens), Seed: &p.Seed,
	})
	if err != nil {
		a.Error = err.Error()
		return a
	}
	a.Hypothesis, a.InputTokens, a.OutputTokens = strings.TrimSpace(r.Text), r.Usage.Input, r.Usage.Output
	return a
}

// question is what a reader is asked: the context, byte for byte as it was
// counted, then the date and the question.
func question(ask eval.Ask, c *eval.Context) string {
	record := c.Text
	if record == "" {
		record = "(nothing)\n"
	}
	return fmt.Sprintf("The record:\n\n%s\nToday is %s.\nThe question: %s", record, ask.At.Std().Format("Monday, 2 January 2006, 15:04"), ask.Text)
}

func (p *Panel) rule(ctx context.Context, judge llm.Model, q *eval.Question, hypothesis string) eval.Ruling {
	name, prompt := p.Prompts.For(q, hypothesis)
	v := eval.Ruling{Judge: judge.Name(), Prompt: name, Prompts: p.Prompts.SHA256}
	if prompt == "" {
		v.Error = "the judge prompts have none for this category"
		return v
	}
	r, err := judge.Complete(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Text: prompt}}, MaxTokens: cmp.Or(p.Tokens, DefaultTokens), Seed: &p.Seed,
	})
	if err != nil {
		v.Error = err.Error()
		return v
	}
	v.Raw, v.InputTokens, v.OutputTokens = r.Text, r.Usage.Input, r.Usage.Output
	if name == rubricPrompt {
		score, ok := rubricScore(r.Text, len(q.Rubric))
		if !ok {
			v.Error = "the judge ruled on no point"
		}
		v.Score, v.Correct = score, score >= 0.5
		return v
	}
	yes, ok := verdict(r.Text)
	if !ok {
		v.Error = "the judge said neither yes nor no"
	}
	if v.Correct = yes; yes {
		v.Score = 1
	}
	return v
}

// verdict finds the first yes or no among the words of a ruling.
func verdict(text string) (yes, ok bool) {
	for _, w := range words(text) {
		switch w {
		case "yes":
			return true, true
		case "no":
			return false, true
		}
	}
	return false, false
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
}

// rubricScore gives the share of the n points that a ruling grants: lines that
// begin with the number of the point and say yes. A point that is not ruled on
// is not granted; it is not ok if none is ruled on.
func rubricScore(text string, n int) (score float64, ok bool) {
	granted := map[string]bool{}
	for line := range strings.Lines(text) {
		w := words(line)
		if len(w) > 0 && w[0] == "point" {
			w = w[1:]
		}
		if len(w) < 2 {
			continue
		}
		if yes, ok := verdict(line); ok {
			granted[w[0]] = yes
		}
	}
	yes, ruled := 0, 0
	for i := range n {
		point, ok := granted[fmt.Sprint(i+1)]
		if ok {
			ruled++
		}
		if point {
			yes++
		}
	}
	return float64(yes) / float64(max(n, 1)), ruled > 0
}
