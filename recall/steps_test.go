package recall

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// stepsWorld has something for every step: facts of an alias, a pin, an
// instruction, what was said twice, a long text, what a model said.
func stepsWorld(t *testing.T) *memoryWorld {
	t.Helper()
	w, tour := factWorld(t), ""
	for i := range 40 {
		tour += fmt.Sprintf("Stop %d of the walk around the lake in Berlin was by the old boat house. ", i)
	}
	for i, e := range chatter(60) {
		e.Occurred = on(t, fmt.Sprintf("2026-01-%02d", i/3+1))
		w.tell(&e)
	}
	for _, e := range []memory.Episode{
		{Text: "I saw a heron at the pond.", Session: "s1", Speaker: "Ann"},
		{Text: "Lovely, and how tall it was.", Session: "s1", Speaker: "Bo"},
		{Text: "Nothing else came that day.", Session: "s1", Speaker: "Ann"},
		{Text: "We had soup.", Session: "s1", Speaker: "Bo"},
		{Text: "I saw a heron at the pond.", Session: "s2", Speaker: "Ann"},
		{Text: "Herons are wading birds.", Session: "s3", Speaker: "assistant", Source: memory.Assistant},
		{Text: "The dentist was gentle.", Session: "s4", Speaker: "Ann", Occurred: on(t, "2024-06-03")},
		{Text: "Always answer in English.", Session: "s5", Speaker: "Ann", Kind: memory.Instruction},
		{Text: tour, Session: "s6", Speaker: "Ann"},
	} {
		w.tell(&e)
	}
	w.assert("Robert", "works_on", "the heron survey", "2025Z", "")
	w.tell(&memory.Association{Rel: memory.SameAs, Name: "Rob", Entity: "Robert"})
	return w
}

// Each step, left out, takes away what it brings, and the other way round: with
// it the thing is there.
func TestWithout(t *testing.T) {
	t.Parallel()
	w := stepsWorld(t)
	shows := func(words string) func(memory.Answer) bool {
		return func(a memory.Answer) bool { return strings.Contains(a.Context, words) }
	}
	feature := func(name string) func(memory.Answer) bool {
		return func(a memory.Answer) bool {
			return slices.ContainsFunc(a.Items, func(i memory.Item) bool {
				return i.Explanation != nil && slices.ContainsFunc(i.Explanation.Features, func(c memory.Contribution) bool { return c.Feature == name })
			})
		}
	}
	no := func(f func(memory.Answer) bool) func(memory.Answer) bool {
		return func(a memory.Answer) bool { return !f(a) }
	}
	fresh := func(a memory.Answer) bool { // every episode is there before a second part of any
		seen, parts := map[memory.Seq]bool{}, false
		for _, i := range a.Items {
			if parts = parts || seen[i.Seq]; parts && !seen[i.Seq] {
				return false
			}
			seen[i.Seq] = true
		}
		return parts
	}
	for _, tt := range []struct {
		step, question string
		also           []string // left out both times
		brings         func(memory.Answer) bool
	}{
		{stepWords, "heron?", nil, feature("matched")},
		{stepNeighbours, "heron?", []string{stepSessions}, shows("how tall it was")},
		{stepSessions, "heron?", nil, shows("We had soup")},
		{stepNewest, "What happened on 3 June 2024?", nil, shows("dentist")},
		{stepDates, "What happened on 3 June 2024?", nil, feature("date")},
		{stepSalience, "answer in English?", nil, feature("salience")},
		{stepSpoken, "In which order did we speak of herons?", nil, no(shows("wading birds"))},
		{stepNovelty, "heron at the pond?", nil, func(a memory.Answer) bool { return len(a.Items[0].Same) > 0 }},
		{stepSpread, "Summarize the lake in Berlin.", nil, fresh},
		{stepPinned, "heron?", nil, shows(pinnedTitle)},
		{stepAliases, "And Rob?", nil, shows("heron survey")},
		{stepFacts, "What is Robert working on?", nil, shows("heron survey")},
		{stepTurns, "heron?", nil, shows("at the pond")},
		{"window", "heron?", nil, feature("window")},
		{"speaker", "What did Ann see?", nil, feature("speaker")},
	} {
		ask := func(without ...string) memory.Answer {
			return w.recall(memory.Query{Question: tt.question, Explain: true, Without: without})
		}
		with, without := ask(tt.also...), ask(append(slices.Clone(tt.also), tt.step)...)
		if !tt.brings(with) || tt.brings(without) {
			t.Errorf("%s: %q brings it: %v, without it: %v\n%s\n%s", tt.step, tt.question, tt.brings(with), tt.brings(without), with.Context, without.Context)
		}
		check(t, w, without)
	}
}

// Facts and pins alone: what is shown holds none of the turns.
func TestWithoutTurns(t *testing.T) {
	t.Parallel()
	w := stepsWorld(t)
	a := w.recall(memory.Query{Question: "What is Robert working on, heron?", Without: []string{stepTurns}})
	if len(a.Facts) != 1 || strings.Count(a.Context, "\n## ")+strings.Count(a.Context, "\n[") != 4 || !strings.Contains(a.Verdict.Why, "The facts hold") {
		t.Errorf("%+v\n%s", a.Verdict, a.Context)
	}
}

func TestEverythingLeftOut(t *testing.T) {
	t.Parallel()
	w := stepsWorld(t)
	if a := w.recall(memory.Query{Question: "heron?", Without: Steps()}); a.Context != "" || a.Verdict.Answerable {
		t.Errorf("%+v", a)
	}
}

func TestCheckSteps(t *testing.T) {
	t.Parallel()
	if err := CheckSteps(Steps()); err != nil {
		t.Error(err)
	}
	if err := CheckSteps([]string{"facts", "moods"}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), `"moods" is none of words, neighbours`) {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, name := range Steps() {
		if seen[name] {
			t.Errorf("%s is listed twice", name)
		}
		seen[name] = true
	}
	for _, name := range FittedNames(true) {
		if !seen[name] {
			t.Errorf("the feature %s is missing", name)
		}
	}
}
