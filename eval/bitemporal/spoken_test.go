package bitemporal

import (
	"context"
	"strings"
	"testing"

	"engram"
	"engram/memory"
)

// told asserts what the words of a world say, as an extractor would that misses
// nothing.
func told(t *testing.T, w *World, change func(*memory.Assertion)) func(context.Context, *engram.Space) error {
	t.Helper()
	return func(ctx context.Context, space *engram.Space) error {
		v := w.spoken()
		ids := map[*telling]memory.ID{}
		for _, at := range v.turns {
			for _, said := range at.told {
				a := memory.Assertion{
					Subject: said.slot.Subject, Predicate: canonical[said.slot.Predicate][0], Object: said.value, News: said.news,
					Valid: memory.Interval{From: said.from, To: said.to}, Replaces: said.replaces,
					Said: at.when(), Source: at.source, Provenance: []memory.Span{{Episode: at.id}},
				}
				if said.names != nil {
					a.Corrects = ids[said.names]
				}
				if change != nil {
					change(&a)
				}
				refs, err := space.Assert(ctx, a)
				if err != nil {
					return err
				}
				ids[said] = refs[0].ID
			}
		}
		return nil
	}
}

func measureWords(t *testing.T, w *World, change func(*memory.Assertion)) *worldResult {
	t.Helper()
	m := &Measure{Learn: told(t, w, change)}
	r, err := m.world(t.Context(), w, 150, worldOpener(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Who takes from the words what they say is right everywhere.
func TestWordsAreEnough(t *testing.T) {
	t.Parallel()
	for _, lang := range []Lang{English, Chinese} {
		for index := range 2 {
			r := measureWords(t, NewWorld(lang, 31, index), nil)
			if r.share.Share != 1 || r.share.Points != 150 {
				t.Errorf("%s %d: got %+v", lang, index, r.share)
			}
			for i := range r.failures {
				t.Error(&r.failures[i])
			}
		}
	}
}

func TestArticlesAndPartsOfAValueAreNoFailure(t *testing.T) {
	t.Parallel()
	r := measureWords(t, NewWorld(English, 31, 2), func(a *memory.Assertion) {
		a.Object, a.Replaces = bare(a.Object), bare(a.Replaces)
	})
	if r.share.Share != 1 {
		t.Errorf("got %+v, %v", r.share, &r.failures[0])
	}
}

func TestWordsMisunderstoodAreNoticed(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*memory.Assertion){
		"another value": func(a *memory.Assertion) { a.Object = "nonsense" },
		"no dates": func(a *memory.Assertion) {
			if a.News != memory.Late {
				a.Valid = memory.Interval{}
			}
		},
		"one news": func(a *memory.Assertion) {
			if a.Object != "" {
				a.News, a.Corrects, a.Replaces = memory.Change, memory.ID{}, ""
			}
		},
		"another name": func(a *memory.Assertion) { a.Subject = "somebody" },
	} {
		if r := measureWords(t, NewWorld(English, 31, 2), change); r.share.Share > 0.95 || len(r.failures) != worldFailures {
			t.Errorf("%s: %+v, %d failures", name, r.share, len(r.failures))
		} else if s := r.failures[0].String(); !strings.Contains(s, "want") {
			t.Errorf("%s: the failure says %q", name, s)
		}
	}
}

// Who learns nothing is right only where nothing is.
func TestWordsUnheard(t *testing.T) {
	t.Parallel()
	m := Measure{Worlds: 3, Points: 300, Seed: 8, Failures: 7, Learn: func(context.Context, *engram.Space) error { return nil }}
	report, err := m.Run(t.Context(), worldOpener(t))
	if err != nil {
		t.Fatal(err)
	}
	if report.Points != 600 || report.Share > 0.5 {
		t.Errorf("got %d points, %.3f right", report.Points, report.Share)
	}
	if len(report.Failures) != 14 {
		t.Errorf("got %d failures, want 7 of each language", len(report.Failures))
	}
	for _, f := range report.Failures {
		if f.Got != "nothing" {
			t.Errorf("got %s", &f)
		}
	}
	for _, l := range report.Details() {
		if l.Points == 0 {
			t.Errorf("%s has no points", l.Name)
		}
	}
}

// Of what the user did not say for sure nothing is taken.
func TestGuessesAndAssistantsSayNothing(t *testing.T) {
	t.Parallel()
	guesses := 0
	for _, lang := range []Lang{English, Chinese} {
		for index := range 20 {
			w := NewWorld(lang, 2, index)
			for _, s := range w.Slots {
				for _, told := range s.told {
					guesses += choose(told.how == "unsure", 1, 0)
				}
			}
			v := w.spoken()
			for i, r := range v.Records {
				if r.Body.Type() == memory.TypeAssertion || int(r.Seq) != i+1 {
					t.Fatalf("%s: record %d is %s with the place %d", w.Name, i+1, r.Body.Type(), r.Seq)
				}
			}
			for _, s := range v.Slots {
				for _, told := range s.told {
					at := told.words
					foreign := at.source != memory.User && s.Subject == "user"
					if told.how == "unsure" || at.source == memory.Assistant || foreign {
						t.Errorf("%s: %s was taken from %q", w.Name, s.name(), at.text)
					}
					if e, ok := v.Records[at.place-1].Body.(*memory.Episode); !ok || e.Text != at.text {
						t.Errorf("%s: %q is not at its place", w.Name, at.text)
					}
				}
			}
		}
	}
	if guesses == 0 {
		t.Error("nobody guessed")
	}
}

func TestEveryTopicHasACanonicalPredicate(t *testing.T) {
	t.Parallel()
	for lang, words := range languages {
		for _, topics := range [][]topic{words.user, words.friends, words.projects} {
			taken := map[string]string{}
			for _, topic := range topics {
				if len(canonical[topic.predicate]) == 0 {
					t.Errorf("%s: %s has none", lang, topic.predicate)
				}
				for _, p := range canonical[topic.predicate] {
					if by, ok := taken[p]; ok {
						t.Errorf("%s: %s and %s are both %s", lang, by, topic.predicate, p)
					}
					taken[p] = topic.predicate
				}
			}
		}
	}
}
