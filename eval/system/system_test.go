package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/embedding"
	"engram/eval"
	"engram/internal/tokens"
	"engram/memory"
	"engram/store/sqlite"
)

// count counts tokens as budgets do.
func count(t *testing.T, s string) int {
	t.Helper()
	c, err := tokens.New()
	if err != nil {
		t.Fatal(err)
	}
	return c.Count(s)
}

// openSQLite opens an engine as the program does.
func openSQLite(ctx context.Context, path string, o engram.Options) (*engram.Engine, error) {
	s, err := sqlite.Open(ctx, path, sqlite.Options{Now: func() int64 { return o.Now().UnixMicro() }})
	if err != nil {
		return nil, err
	}
	e, err := engram.Open(ctx, s, o)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return e, nil
}

// at gives a moment of a made-up spring.
func at(t *testing.T, s string) memory.Time {
	t.Helper()
	out, err := memory.ParseTime(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// small gives three sessions of made-up talk, as Run hands them to a system.
func small(t *testing.T) []eval.Session {
	t.Helper()
	talk := [][]string{
		{
			"2026-03-02T10:00Z", "Ada: The lighthouse keeper lent me a brass telescope.", "Ben: Was it heavy to carry home?",
			"Ada: Very. My parrot Quill hated it at once.",
		},
		{
			"2026-03-09T18:30Z", "Ben: I planted forty tulips behind the chapel.", "Ada: The moles will thank you.",
			"Ben: I have bought a fence\n\nand a whistle.", "Ada: Quill whistles better than you.",
		},
		{
			"2026-04-01T08:00Z", "Ada: I gave the telescope back to the lighthouse.", "Ben: 我昨天在河边看到一只白鹭。",
			"Ada: A heron? Quill would have been jealous.",
		},
	}
	var out []eval.Session
	for i, lines := range talk {
		s := eval.Session{Name: fmt.Sprintf("s%d", i+1)}
		start := at(t, lines[0])
		for j, l := range lines[1:] {
			who, words, _ := strings.Cut(l, ": ")
			turn := eval.Turn{Episode: memory.Episode{
				Text: words, Speaker: who, Session: s.Name, IDKey: fmt.Sprintf("s%d:%d", i+1, j+1), Occurred: start,
			}}
			turn.Occurred.Micros += int64(j) * time.Minute.Microseconds()
			s.Turns = append(s.Turns, turn)
		}
		out = append(out, s)
	}
	return out
}

func keysOf(sessions []eval.Session) (keys []string) {
	for _, s := range sessions {
		for i := range s.Turns {
			keys = append(keys, s.Turns[i].IDKey)
		}
	}
	return keys
}

// told opens a system and lets it hear sessions.
func told(t *testing.T, s eval.System, sessions []eval.Session) eval.Memory {
	t.Helper()
	m, err := s.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	for _, session := range sessions {
		if err := m.Ingest(t.Context(), session); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// asked asks a memory; a gold one is told the evidence.
func asked(t *testing.T, m eval.Memory, a eval.Ask, budget int, gold ...string) eval.Context {
	t.Helper()
	if g, ok := m.(eval.GoldMemory); ok {
		g.Gold(gold)
	}
	c, err := m.Context(t.Context(), a, budget)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// letters embeds by letters: the same words have the same vector.
type letters struct{}

var _ embedding.Embedder = letters{}

func (letters) Name() string { return "letters" }

func (letters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, 26)
		for _, r := range strings.ToLower(s) {
			if r >= 'a' && r <= 'z' {
				v[r-'a']++
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// all gives every system of this package; the one behind HTTP is a fake.
func all(t *testing.T) []eval.System {
	t.Helper()
	o := EngramOptions{Open: openSQLite, Seed: 7}
	without := o
	without.Without = []string{"neighbours"}
	return []eval.System{
		Engram(o), Engram(without), EngramFacts(o), EngramFull(o, 0), EngramChunks(o, 30),
		Full(0), Recent(), BM25(), Dense(letters{}), Oracle(), overHTTP(t, &fakeSystem{}),
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, s := range all(t) {
		names = append(names, s.Name)
		if s.Gold != (s.Name == "oracle") || s.Whole != slices.Contains([]string{"full", "engram-full"}, s.Name) {
			t.Errorf("%s: gold %v, whole %v", s.Name, s.Gold, s.Whole)
		}
	}
	want := []string{
		"engram", "engram-no-neighbours", "engram-facts", "engram-full", "engram-chunks",
		"full", "recent", "bm25", "dense", "oracle", "http",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// What every system owes: its turns are ones that it heard, each once, a
// budget holds unless it hands over everything, and only the oracle is told.
func TestEverySystem(t *testing.T) {
	t.Parallel()
	sessions := small(t)
	keys := keysOf(sessions)
	questions := []string{"Who lent Ada the brass telescope?", "What did Ben plant?", "白鹭在哪里？", "xyzzy"}
	for _, s := range all(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m := told(t, s, sessions)
			if _, gold := m.(eval.GoldMemory); gold != s.Gold {
				t.Errorf("is told the evidence: %v, says so: %v", gold, s.Gold)
			}
			for _, q := range questions {
				for _, budget := range []int{1, 20, 45, 60, 90, 120, 8000} {
					c := asked(t, m, eval.Ask{Text: q}, budget, "s1:1", "s2:3")
					if n := count(t, c.Text); n > budget && !s.Whole {
						t.Errorf("%q: %d tokens, the budget is %d", q, n, budget)
					}
					for i, key := range c.Ranked {
						if !slices.Contains(keys, key) || slices.Contains(c.Ranked[:i], key) {
							t.Errorf("%q: %q was never heard, or is there twice: %v", q, key, c.Ranked)
						}
					}
					if c.Cut != 0 {
						t.Errorf("%q: %d tokens are cut", q, c.Cut)
					}
				}
			}
			size, err := m.Size()
			if stored := strings.HasPrefix(s.Name, "engram"); err != nil || size > 0 != stored {
				t.Errorf("%d bytes are stored: %v", size, err)
			}
		})
	}
}

// Two memories of the same turns give the same bytes.
func TestTheSameAgain(t *testing.T) {
	t.Parallel()
	for _, s := range all(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			var runs [2][]eval.Context
			for i := range runs {
				m := told(t, s, small(t))
				for _, q := range []string{"Who lent Ada the telescope?", "Was Quill jealous of Ben?"} {
					for _, budget := range []int{50, 1000} {
						runs[i] = append(runs[i], asked(t, m, eval.Ask{Text: q}, budget, "s1:3", "s3:3"))
					}
				}
			}
			if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A system can only see what an Ask has, and an Ask has no label.
func TestAnAskHasNoLabel(t *testing.T) {
	t.Parallel()
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[eval.Ask]()) {
		fields = append(fields, f.Name)
	}
	if diff := cmp.Diff([]string{"Text", "At", "Valid", "Known"}, fields); diff != "" {
		t.Errorf("every field of Ask reaches every system; is the new one a label?\n%s", diff)
	}
}

// What a turn carries beside its words, speaker, source and time may be a label.
func TestLabelsOfTurnsAreNotHeard(t *testing.T) {
	t.Parallel()
	const label = "zzlabelzz"
	sessions := small(t)
	for i := range sessions {
		for j := range sessions[i].Turns {
			e := &sessions[i].Turns[j].Episode
			e.Metadata, e.Path, e.Key, e.Session = map[string]string{label: label}, label, label+e.IDKey, label
		}
	}
	for _, s := range all(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m, err := s.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			for _, session := range sessions {
				if err := m.Ingest(t.Context(), session); err != nil {
					t.Fatal(err)
				}
			}
			c := asked(t, m, eval.Ask{Text: "telescope " + label}, 8000, "s1:1")
			if strings.Contains(c.Text, label) {
				t.Error(c.Text)
			}
			e, ok := m.(interface{ file() string })
			if !ok {
				return
			}
			stored, err := os.ReadFile(e.file())
			if err != nil || len(stored) == 0 || strings.Contains(string(stored), label) {
				t.Errorf("the label is in the store: %v", err)
			}
		})
	}
}

// file is where an engine keeps its log.
func (e *engine) file() string { return filepath.Clean(e.path) }

// What was not heard yet is not known, whatever a system is made of.
func TestKnown(t *testing.T) {
	t.Parallel()
	sessions := small(t)
	for _, s := range all(t) {
		if s.Whole || s.Gold || s.Name == "http" || s.Name == "engram-facts" {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m := told(t, s, sessions)
			a := eval.Ask{Text: "Where is the telescope of the lighthouse, and what does Quill say?"}
			if c := asked(t, m, a, 1000); !slices.Contains(c.Ranked, "s3:1") {
				t.Errorf("without a bound: %v", c.Ranked)
			}
			a.Known = at(t, "2026-03-05Z")
			c := asked(t, m, a, 1000)
			if !slices.Contains(c.Ranked, "s1:1") || slices.ContainsFunc(c.Ranked, func(key string) bool { return !strings.HasPrefix(key, "s1:") }) {
				t.Errorf("known on 5 March: %v", c.Ranked)
			}
		})
	}
}
