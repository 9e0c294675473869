package system

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/eval"
	"engram/eval/tune"
	"engram/memory"
	"engram/recall"
)

func TestEngramAnswersAndSaysWhatItThinks(t *testing.T) {
	t.Parallel()
	m := told(t, Engram(EngramOptions{Open: openSQLite}), small(t))
	c := asked(t, m, eval.Ask{Text: "Who lent Ada the brass telescope?"}, 8000)
	if len(c.Ranked) == 0 || c.Ranked[0] != "s1:1" || !strings.Contains(c.Text, "Ada: The lighthouse keeper lent me a brass telescope.") {
		t.Errorf("%v\n%s", c.Ranked, c.Text)
	}
	builtin, err := recall.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if c.Verdict == nil || !c.Verdict.Answerable || c.Verdict.Score <= 0 || c.Weights != builtin.ID || c.Fit != eval.Unfitted {
		t.Errorf("%+v", c)
	}
	if c.Holding != nil {
		t.Errorf("without facts %v hold", c.Holding)
	}
	if err := m.Ingest(t.Context(), small(t)[0]); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a turn after a question: %v", err)
	}
}

// A turn is recorded when it was heard, never before the one before it, and a
// question is asked at its own time.
func TestEngramLivesByTheClockOfTheTurns(t *testing.T) {
	t.Parallel()
	heard := at(t, "2026-05-01T09:00Z")
	turns := []eval.Turn{
		{Episode: memory.Episode{Text: "The kiln was lit.", IDKey: "1", Occurred: at(t, "2020-01-01Z")}, Recorded: heard.Micros},
		{Episode: memory.Episode{Text: "The kiln went out.", IDKey: "2", Occurred: at(t, "2019-01-01Z")}},
	}
	var clocks []time.Time
	var engine *engram.Engine
	open := func(ctx context.Context, path string, o engram.Options) (e *engram.Engine, err error) {
		clock := o.Now
		o.Now = func() time.Time {
			clocks = append(clocks, clock())
			return clock()
		}
		engine, err = openSQLite(ctx, path, o)
		return engine, err
	}
	m := told(t, Engram(EngramOptions{Open: open}), []eval.Session{{Name: "s1", Turns: turns}})
	for _, c := range clocks {
		if !c.Equal(heard.Std()) {
			t.Errorf("the clock said %s", c)
		}
	}
	clocks = nil
	for _, step := range []struct {
		ask  memory.Time
		want string
	}{{at(t, "2026-07-01T00:00Z"), "2026-07-01T00:00Z"}, {memory.Time{}, "2026-05-02T09:00Z"}} {
		asked(t, m, eval.Ask{Text: "kiln", At: step.ask}, 1000)
		if last := clocks[len(clocks)-1]; !last.Equal(at(t, step.want).Std()) {
			t.Errorf("asked at %s, want %s", last, step.want)
		}
	}
	for known, want := range map[string][]string{"2026-04-30Z": {}, "2026-05-01T09:00Z": {"1", "2"}} {
		c := asked(t, m, eval.Ask{Text: "kiln", Known: at(t, known)}, 1000)
		if len(c.Ranked) != len(want) {
			t.Errorf("known at %s: %v, want %v", known, c.Ranked, want)
		}
	}
}

// otherWeights are not the built-in ones.
func otherWeights(t *testing.T) recall.Weights {
	t.Helper()
	own, err := recall.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	own.Features = maps.Clone(own.Features)
	own.Features[recall.FeatureNames[0]]++
	file, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	builtin := own.ID
	if own, err = recall.ParseWeights(file); err != nil || own.ID == builtin {
		t.Fatal(own.ID, err)
	}
	return own
}

func TestEngramAsksForItsWeightsOnce(t *testing.T) {
	t.Parallel()
	own := otherWeights(t)
	var asks []string
	o := EngramOptions{Open: openSQLite, Weights: func(fingerprint string) (*recall.Weights, eval.Fit) {
		asks = append(asks, fingerprint)
		return &own, eval.HeldOut
	}}
	m := told(t, Engram(o), small(t))
	if len(asks) > 0 {
		t.Error("the weights are asked for before all was heard")
	}
	for range 2 {
		c := asked(t, m, eval.Ask{Text: "Who lent Ada the telescope?"}, 1000)
		if c.Weights != own.ID || c.Fit != eval.HeldOut || len(c.Ranked) == 0 {
			t.Errorf("%+v", c)
		}
	}
	if diff := cmp.Diff([]string{printOf(small(t))}, asks); diff != "" {
		t.Error(diff)
	}
}

// Chunks hear the same turns, so they find the same weights.
func TestChunksHaveTheFingerprintOfTheTurns(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3, 30, 4000} {
		asked := ""
		o := EngramOptions{Open: openSQLite, Weights: func(f string) (*recall.Weights, eval.Fit) {
			asked = f
			return nil, eval.Unseen
		}}
		c, err := told(t, EngramChunks(o, size), small(t)).Context(t.Context(), eval.Ask{Text: "Who?"}, 100)
		if err != nil || asked != printOf(small(t)) || c.Fit != eval.Unseen {
			t.Errorf("size %d: %v, %q, %+v", size, err, asked, c)
		}
	}
}

// printOf names a history as weights do.
func printOf(sessions []eval.Session) string {
	var p tune.Printer
	for _, s := range sessions {
		for i := range s.Turns {
			p.Add(s.Turns[i].Text)
		}
	}
	return p.Sum()
}

func TestBaseRanks(t *testing.T) {
	t.Parallel()
	own := otherWeights(t)
	for _, hook := range []func(string) (*recall.Weights, eval.Fit){nil, func(string) (*recall.Weights, eval.Fit) { return nil, eval.Unseen }} {
		m := told(t, Engram(EngramOptions{Open: openSQLite, Base: &own, Weights: hook}), small(t))
		if c := asked(t, m, eval.Ask{Text: "Who?"}, 1000); c.Weights != own.ID || hook != nil && c.Fit != eval.Unseen {
			t.Errorf("%+v", c)
		}
	}
}

// facts asserts what a reader of the small talk could learn.
func facts(t *testing.T, e *engine) {
	t.Helper()
	_, err := e.space.Assert(t.Context(),
		memory.Assertion{Subject: "Ada", Predicate: "lives_in", Object: "Porthaven", Valid: memory.Interval{From: at(t, "2025-01-01Z")}},
		memory.Assertion{Subject: "Ada", Predicate: "lives_in", Object: "Gullcliff", Valid: memory.Interval{From: at(t, "2026-02-01Z")}},
	)
	if err != nil {
		t.Fatal(err)
	}
}

func TestEngramSaysWhatHolds(t *testing.T) {
	t.Parallel()
	o := EngramOptions{Open: openSQLite}
	for _, s := range []eval.System{Engram(o), EngramFacts(o), EngramFull(o, 0)} {
		m := told(t, s, small(t))
		switch m := m.(type) {
		case *engramMemory:
			facts(t, m.engine)
		case *engramFullMemory:
			facts(t, m.engine)
		}
		ask := eval.Ask{Text: "Where does Ada live?", At: at(t, "2026-06-01Z")}
		now := asked(t, m, ask, 8000)
		ask.Valid = at(t, "2025-06-01Z")
		then := asked(t, m, ask, 8000)
		if diff := cmp.Diff([][]string{{"Gullcliff"}, {"Porthaven"}}, [][]string{now.Holding, then.Holding}); diff != "" {
			t.Errorf("%s: %s\n%s", s.Name, diff, now.Text)
		}
		if !strings.Contains(now.Text, "Gullcliff") {
			t.Errorf("%s does not show the fact: %s", s.Name, now.Text)
		}
		if words := strings.Contains(now.Text, "telescope"); words == (s.Name == "engram-facts") && s.Name != "engram" {
			t.Errorf("%s shows words: %v", s.Name, words)
		}
		if s.Name == "engram-full" {
			if !strings.HasSuffix(now.Text, smallRendered) || now.Verdict != nil || now.Ranked != nil {
				t.Errorf("%+v", now)
			}
		}
	}
}

func TestHolding(t *testing.T) {
	t.Parallel()
	if holding(nil) != nil {
		t.Error("no facts make a difference")
	}
	got := holding([]memory.Fact{{Object: "a", State: memory.Past}, {Object: "b", State: memory.Disputed}, {Object: "c", State: memory.Future}, {Object: "d", State: memory.Current}})
	if diff := cmp.Diff([]string{"b", "d"}, got); diff != "" {
		t.Error(diff)
	}
	if got := holding([]memory.Fact{{Object: "a", State: memory.Past}}); got == nil || len(got) > 0 {
		t.Errorf("only what is past: %#v", got)
	}
}

func TestEngramRefusesUnknownSteps(t *testing.T) {
	t.Parallel()
	s := Engram(EngramOptions{Open: openSQLite, Without: []string{"magic"}})
	if _, err := s.Open(t.Context(), t.TempDir()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	if s.Name != "engram-no-magic" || s.Options["without"] != "magic" {
		t.Errorf("%+v", s)
	}
}

// The chunks of a session are the session, and each turn is found in the
// chunks that hold something of it.
func TestChunksHoldEveryTurn(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 7, 30, 4000} {
		m := told(t, EngramChunks(EngramOptions{Open: openSQLite}, size), nil).(*chunksMemory)
		for _, s := range small(t) {
			var whole strings.Builder
			held := map[string]string{}
			for _, c := range m.cut(s) {
				if n := count(t, c.text); n > size+1 && size > 1 { // a character may be two tokens
					t.Errorf("a chunk of %d tokens, of at most %d", n, size)
				}
				whole.WriteString(c.text)
				for _, p := range c.pieces {
					held[p.key] += c.text[max(p.start, 0):min(p.end, len(c.text))]
				}
			}
			for i := range s.Turns {
				if got := held[s.Turns[i].IDKey]; got != said(&s.Turns[i]) {
					t.Errorf("size %d: of %q the chunks hold %q", size, said(&s.Turns[i]), got)
				}
			}
			if n := strings.Count(strings.TrimRight(whole.String(), "\n"), "\n"); size == 4000 && n < len(s.Turns)-1 {
				t.Errorf("%q", whole.String())
			}
		}
	}
}

func TestChunksAreFound(t *testing.T) {
	t.Parallel()
	m := told(t, EngramChunks(EngramOptions{Open: openSQLite}, 4000), small(t))
	c := asked(t, m, eval.Ask{Text: "forty tulips behind the chapel"}, 8000)
	if diff := cmp.Diff([]string{"s2:1", "s2:2", "s2:3", "s2:4"}, c.Ranked[:4]); diff != "" {
		t.Error(diff)
	}
}
