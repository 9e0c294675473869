package bitemporal

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
)

func TestQuestionsHaveAPlainAnswer(t *testing.T) {
	t.Parallel()
	b := Questions{Worlds: 3, Points: 20, Seed: 1}.Benchmark()
	n, unanswerable := 0, 0
	for c := range b.Cases {
		heard := map[string]*eval.Turn{}
		for i := range c.Turns {
			heard[c.Turns[i].IDKey] = &c.Turns[i]
		}
		for _, q := range c.Questions {
			n++
			if q.Unanswerable {
				unanswerable++
			}
			if strings.ContainsAny(q.Ask.Text, "{}") || q.Ask.Text == "" {
				t.Errorf("%s: %q", q.ID, q.Ask.Text)
			}
			if len(q.Right) != len(q.Evidence) && len(q.Evidence) == 0 {
				t.Errorf("%s: no evidence of %v", q.ID, q.Right)
			}
			for _, v := range q.Right {
				if slices.Contains(q.Wrong, v) {
					t.Errorf("%s: %s is right and wrong", q.ID, v)
				}
			}
			for _, key := range q.Evidence {
				if e, ok := heard[key]; !ok || !q.Ask.Known.IsZero() && e.Recorded > q.Ask.Known.Micros {
					t.Errorf("%s: the evidence %s was not heard", q.ID, key)
				}
			}
		}
	}
	if n != b.Questions || unanswerable == 0 || unanswerable > n/2 {
		t.Errorf("%d questions of %d, %d without an answer", n, b.Questions, unanswerable)
	}
}

func TestQuestionsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	read := func() (out []eval.Question) {
		for c := range (Questions{Worlds: 1, Seed: 7}).Benchmark().Cases {
			out = append(out, c.Questions...)
		}
		return out
	}
	if diff := cmp.Diff(read(), read()); diff != "" {
		t.Error(diff)
	}
}

func TestEveryTopicHasAQuestion(t *testing.T) {
	t.Parallel()
	for lang, l := range languages {
		for i := range l.user {
			if l.questions["user "+l.user[i].predicate] == "" {
				t.Errorf("%s: user %s has no question", lang, l.user[i].predicate)
			}
		}
		for _, topics := range [][]topic{l.friends, l.projects} {
			for i := range topics {
				if l.questions[topics[i].predicate] == "" {
					t.Errorf("%s: %s has no question", lang, topics[i].predicate)
				}
			}
		}
	}
}
