package engram_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"engram"
	"engram/importer"
	"engram/memory"
)

// life is a space in which things happen at random, with the answers that were
// given on the way.
type life struct {
	space   *engram.Space
	records []engram.Ref // of all types
	said    []engram.ID
	answers []engram.Answer
}

var (
	lifeTexts = []string{
		"The heron report is due on 4 June.", "The heron report is due on 3 June.", "我住在柏林。", "我搬到上海了。",
		"Please always answer in English.", "Where is the report?", "It is on the shared drive.", "Paris", "I saw two herons yesterday.",
		"Nous habitons à Genève depuis 2019. Il y a un héron près du lac.", "see /var/log/heron.log and mail a@b.example",
	}
	lifeQuestions = []string{
		"When is the heron report due?", "我住在哪里？", "Where is the report?", "what did we say first, in which order?", "Summarize everything.",
		"How many herons did I see on 7 March?", "What did Ann say yesterday?", "heron", "?",
	}
)

func draw[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// step lets one thing happen.
func (l *life) step(t *rapid.T) {
	happenings := []func(*rapid.T){l.speak, l.speak, l.speak, l.ask, l.ask}
	if len(l.said) > 0 {
		happenings = append(happenings, l.retract, l.judge, l.link)
	}
	draw(t, "happening", happenings...)(t)
}

func (l *life) speak(t *rapid.T) {
	var episodes []engram.Episode
	for range rapid.IntRange(1, 4).Draw(t, "episodes") {
		episodes = append(episodes, engram.Episode{
			Text:    draw(t, "text", lifeTexts...),
			Session: draw(t, "session", "", "s1", "s2"),
			Speaker: draw(t, "speaker", "Ann", "Bo", "assistant"),
			Kind:    draw(t, "kind", memory.Message, memory.Message, memory.Instruction, memory.Observation),
			Source:  draw(t, "source", memory.User, memory.Assistant, memory.Tool),
			Key:     draw(t, "key", "", "", "k1", "k2"),
		})
	}
	for _, ref := range remember(t, l.space, episodes...) {
		l.records, l.said = append(l.records, ref), append(l.said, ref.ID)
	}
}

func (l *life) ask(t *rapid.T) {
	q := engram.Query{
		Question: draw(t, "question", lifeQuestions...),
		Budget:   draw(t, "budget", 0, 60, 200),
		Limit:    draw(t, "limit", 0, 0, 2),
		Ranker:   draw(t, "ranker", memory.Linear, memory.Linear, memory.RRF, memory.Fixed),
		Explain:  rapid.Bool().Draw(t, "explain"),
		Without:  draw(t, "without", nil, nil, []string{"words", "facts"}, []string{"turns"}, []string{"novelty", "window"}),
	}
	if q.Ranker == memory.Fixed {
		q.Weights = map[string]float64{"semantic": 1, "recency": 0.5, "salience": 0.3}
	}
	if rapid.Bool().Draw(t, "filtered") {
		q.Filter.Speakers = []string{"Ann"}
		q.Question = draw(t, "question of the filter", q.Question, "")
	}
	if len(l.records) > 0 {
		past := draw(t, "past", l.records...)
		q.Known = draw(t, "known", engram.Known{}, engram.Known{}, engram.Known{Seq: past.Seq}, engram.Known{Time: memory.Micros(past.Recorded)})
		q.Valid = draw(t, "as of", memory.Time{}, memory.Time{}, memory.Micros(past.Recorded))
	}
	l.answers = append(l.answers, recall(t, l.space, q))
}

func (l *life) retract(t *rapid.T) {
	ref, err := l.space.Retract(t.Context(), memory.Retract{Targets: []engram.ID{draw(t, "target", l.records...).ID}})
	if err != nil {
		t.Fatal(err)
	}
	l.records = append(l.records, ref)
}

func (l *life) judge(t *rapid.T) {
	reward := draw(t, "reward", -1.0, 0.5)
	ids := []engram.ID{draw(t, "judged", l.said...)}
	ref, err := l.space.Feedback(t.Context(), draw(t, "feedback",
		engram.Feedback{Used: ids, Helped: ids, Reward: &reward}, engram.Feedback{Hurt: ids}, engram.Feedback{Pin: ids}, engram.Feedback{Unpin: ids}))
	if err != nil {
		t.Fatal(err)
	}
	l.records = append(l.records, ref)
}

func (l *life) link(t *rapid.T) {
	ref, err := l.space.Link(t.Context(), draw(t, "from", l.said...), memory.ReplyTo, draw(t, "to", l.said...))
	if err != nil {
		t.Fatal(err)
	}
	l.records = append(l.records, ref)
}

// replay checks that a space gives all answers again byte for byte, also when
// they come from a file.
func (l *life) replay(t *rapid.T, where string, s *engram.Space) {
	for _, a := range l.answers {
		want := toJSON(t, a)
		var stored engram.Answer
		if err := json.Unmarshal(want, &stored); err != nil {
			t.Fatal(err)
		}
		again, err := s.Replay(t.Context(), stored)
		if err != nil {
			t.Fatalf("%s: replay of the answer to %q at %s: %v", where, a.Query.Question, a.Position, err)
		}
		if got := toJSON(t, again); string(got) != string(want) {
			t.Fatalf("%s: replay of the answer at %s differs\n%s\n%s", where, a.Position, got, want)
		}
	}
}

func toJSON(t *rapid.T, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Whatever happens between an answer and its replay, as long as nothing is
// erased: the bytes are the same, in the engine that gave it and in another
// that folds the log for the first time.
func TestReplayGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "memory.db"), newClock()
	engine, other, name := open(t, path, c, 1), open(t, path, c, 2), fresh()
	rapid.Check(t, func(t *rapid.T) {
		scope := name()
		l := &life{space: space(t, engine, scope)}
		for range rapid.IntRange(2, 25).Draw(t, "steps") {
			l.step(t)
		}
		l.replay(t, "the same engine", l.space)
		l.replay(t, "another engine", space(t, other, scope))
		if len(l.said) == 0 {
			return
		}
		if _, err := l.space.Forget(t.Context(), engram.Selection{IDs: []engram.ID{draw(t, "forgotten", l.said...)}}); err != nil {
			t.Fatal(err)
		}
		for _, a := range l.answers {
			if _, err := l.space.Replay(t.Context(), a); !errors.Is(err, memory.ErrErased) {
				t.Fatalf("after an erasure replay gives %v, want ErrErased", err)
			}
		}
	})
}

// What is folded step by step answers as what is folded anew.
func TestRebuiltAnswersTheSame(t *testing.T) {
	t.Parallel()
	engine, name := setup(t), fresh()
	rapid.Check(t, func(t *rapid.T) {
		l := &life{space: space(t, engine, name())}
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			l.step(t)
		}
		if len(l.said) > 0 && rapid.Bool().Draw(t, "forget one") {
			if _, err := l.space.Forget(t.Context(), engram.Selection{IDs: []engram.ID{draw(t, "forgotten", l.said...)}}); err != nil {
				t.Fatal(err)
			}
			l.speak(t)
		}
		before := ask(t, l.space, "When is the heron report due?")
		if _, err := l.space.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		after := ask(t, l.space, "When is the heron report due?")
		after.Now = before.Now
		if got, want := toJSON(t, after), toJSON(t, before); string(got) != string(want) {
			t.Fatalf("rebuilt, the answer differs\n%s\n%s", got, want)
		}
	})
}

// An export imports again, into another space, as the same memory.
func TestAnExportImportsAgain(t *testing.T) {
	t.Parallel()
	engine, name := setup(t), fresh()
	rapid.Check(t, func(t *rapid.T) {
		l := &life{space: space(t, engine, name())}
		for range rapid.IntRange(1, 15).Draw(t, "steps") {
			l.step(t)
		}
		var lines bytes.Buffer
		for r, err := range l.space.Log(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			line, err := importer.Line(r)
			if err != nil {
				t.Fatal(err)
			}
			lines.Write(append(line, '\n'))
		}
		again := space(t, engine, name())
		for _, added := range []int{len(l.records), 0} { // the second import brings nothing new
			report, err := again.Import(t.Context(), importer.JSONL(bytes.NewReader(lines.Bytes()), nil), nil)
			if err != nil || report.Failed > 0 || report.Added != added {
				t.Fatalf("the import says %+v, %v, want %d added", report, err, added)
			}
		}
		for _, a := range l.answers {
			if a.Position.Seq == 0 {
				continue
			}
			q := a.Query
			q.Known, q.Valid = engram.Known{Seq: a.Position.Seq}, cmp.Or(q.Valid, a.Now)
			if got := recall(t, again, q); got.Context != a.Context {
				t.Fatalf("as known at %s, the answer to %q is\n%s\nwas\n%s", a.Position, q.Question, got.Context, a.Context)
			}
		}
		if got, want := toJSON(t, listOf(t, again)), toJSON(t, listOf(t, l.space)); string(got) != string(want) {
			t.Fatalf("the list is\n%s\nwas\n%s", got, want)
		}
	})
}

func listOf(t failer, s *engram.Space) []engram.Listed {
	t.Helper()
	list, err := s.List(context.Background(), engram.Filter{}, engram.AsOf{}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestReplayRefusesWhatItCannotGive(t *testing.T) {
	t.Parallel()
	engine := setup(t)
	s := space(t, engine, "alice")
	say(t, s, "I live in Paris.")
	a := ask(t, s, "Where do I live?")
	if _, err := space(t, engine, "bob").Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("in another space: %v", err)
	}
	a.Query.Without = []string{"smells"}
	if _, err := s.Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("without a step that does not exist: %v", err)
	}
	if _, err := s.Recall(t.Context(), a.Query); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "none of words, neighbours") {
		t.Errorf("asked without a step that does not exist: %v", err)
	}
	a.Weights = "others"
	if _, err := s.Replay(t.Context(), a); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("with other weights: %v", err)
	}
}

func ids(refs []engram.Ref) (out []engram.ID) {
	for _, r := range refs {
		out = append(out, r.ID)
	}
	return out
}

func TestForgetTakesWhatSpeaksOfNothingElse(t *testing.T) {
	t.Parallel()
	s := space(t, setup(t), "alice")
	old := remember(t, s, engram.Episode{Text: "I live in Paris.", Key: "home"})[0]
	refs := remember(t, s, engram.Episode{Text: "I live in Berlin.", Key: "home", Session: "s2"}, engram.Episode{Text: "The flat has a balcony.", Session: "s2"})
	if _, err := s.Retract(t.Context(), memory.Retract{Targets: []engram.ID{old.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Feedback(t.Context(), engram.Feedback{Helped: ids(refs)}); err != nil {
		t.Fatal(err)
	}
	sel := engram.Selection{Filter: engram.Filter{Sessions: []string{"s2"}}}
	plan, err := s.PlanForget(t.Context(), sel)
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := s.Forget(t.Context(), sel)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(receipt.Counts), fmt.Sprint(plan.Counts); got != want || got != "map[episode:2 feedback:1]" {
		t.Errorf("the receipt counts %s, the plan %s, want two episodes and the feedback on them", got, want)
	}
	if !receipt.Verified {
		t.Errorf("the receipt is not verified: %+v", receipt)
	}
	if found, err := s.Get(t.Context(), old.ID); err != nil || found.Active {
		t.Errorf("the retraction of another episode went too: %+v, %v", found, err)
	}
}
