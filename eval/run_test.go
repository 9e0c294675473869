package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// leaky is a benchmark whose names are labels: each holds the word SECRET, and
// systems must never see it.
func leaky() *Benchmark {
	at := memory.Micros(1_700_000_000_000_000)
	turn := func(session, key, speaker, words string) Turn {
		return Turn{Episode: memory.Episode{
			Text: words, Session: "answer_SECRET_" + session, IDKey: "SECRET/" + key, Speaker: speaker, Occurred: at, Source: memory.User,
			Path: "SECRET", Key: "", Metadata: map[string]string{"has_answer": "SECRET"},
		}}
	}
	cases := []Case{
		{
			Name: "SECRET_abs",
			Turns: []Turn{
				turn("1", "1", "Mia", "I moved to Berlin in May."), turn("1", "2", "Tom", "Nice! I bought three lamps."),
				turn("2", "3", "Mia", "My cat is called Momo."),
			},
			Questions: []Question{
				{ID: "SECRET-1", Category: "SECRET-where", Ask: Ask{Text: "Where does Mia live?"}, Answer: "Berlin", Evidence: []string{"SECRET/1"}},
				{ID: "SECRET-2_abs", Category: "SECRET-none", Ask: Ask{Text: "Where does Tom live?"}, Unanswerable: true},
				{ID: "SECRET-3", Category: "SECRET-number", Ask: Ask{Text: "How many lamps?"}, Answer: "3 lamps", Evidence: []string{"SECRET/2"}},
			},
		},
		{
			Name:      "SECRET-b",
			Turns:     []Turn{turn("9", "7", "Ada", "The deadline is 4 May 2024.")},
			Questions: []Question{{ID: "SECRET-4", Category: "SECRET-when", Ask: Ask{Text: "When is the deadline?"}, Answer: "May 4, 2024", Evidence: []string{"SECRET/7"}}},
		},
	}
	return Of("leaky", cases, File{Name: "leaky.json", SHA256: "00"})
}

// listing remembers everything and shows it in order; it notes all that it sees.
type listing struct {
	mu     sync.Mutex
	seen   []any
	opened int
	asked  int
	fail   func(Ask) error
	boast  func(*Context)
}

func (l *listing) system(name string) System {
	return System{Name: name, Open: func(context.Context, string) (Memory, error) {
		l.opened++
		return &listingMemory{listing: l}, nil
	}}
}

type listingMemory struct {
	*listing
	text  strings.Builder
	names []string
}

func (m *listingMemory) Ingest(_ context.Context, s Session) error {
	m.seen = append(m.seen, s)
	for i := range s.Turns {
		fmt.Fprintf(&m.text, "%s: %s\n", s.Turns[i].Speaker, s.Turns[i].Text)
		m.names = append(m.names, s.Turns[i].IDKey)
	}
	return nil
}

func (m *listingMemory) Context(_ context.Context, a Ask, budget int) (Context, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	m.seen = append(m.seen, a, budget)
	if m.fail != nil {
		if err := m.fail(a); err != nil {
			return Context{}, err
		}
	}
	c := Context{Text: m.text.String(), Ranked: slices.Clone(m.names)}
	if m.boast != nil {
		m.boast(&c)
	}
	return c, nil
}

func (m *listingMemory) Size() (int64, error) { return int64(m.text.Len()), nil }
func (m *listingMemory) Close() error         { return nil }

func newRun(t *testing.T, dir string, systems ...System) *Run {
	t.Helper()
	return &Run{Benchmark: leaky(), Systems: systems, Dir: dir, Scratch: t.TempDir(), Seed: 1, Manifest: Manifest{Commit: "c0ffee", Started: "2026-01-01"}}
}

func rowsOf(t *testing.T, dir string) []Row {
	t.Helper()
	rows, err := ReadLines[Row](filepath.Join(dir, RowsFile))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		rows[i].RecallMS = 0
	}
	return rows
}

func TestRunGivesARowForEachQuestionAndSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := newRun(t, dir, new(listing).system("a"), new(listing).system("b")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, dir)
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	first := rows[0]
	for name, want := range map[string]float64{
		"covered": 1, "covered@1k": 1, "any_part@8k": 1, "recall@5": 1, "ndcg@10": 1, "mrr": 1, "session_recall@10": 1, "answer_in_context": 1,
	} {
		if got := first.Metrics[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if first.Question != "SECRET-1" || first.System != "a" || first.Commit != "c0ffee" || first.Tokens < 20 || first.Context == "" {
		t.Errorf("row %+v", first)
	}
	if diff := cmp.Diff([]string{"SECRET/1", "SECRET/2", "SECRET/3"}, first.Retrieved); diff != "" {
		t.Error(diff)
	}
	for _, r := range rows {
		if r.Unanswerable && len(r.Metrics) != 0 {
			t.Errorf("%s has measures of evidence: %v", r.Question, r.Metrics)
		}
		if r.Question == "SECRET-3" && r.Metrics["answer_in_context"] != 1 {
			t.Errorf("three lamps are 3 lamps: %v", r.Metrics)
		}
		if r.Question == "SECRET-4" && r.Metrics["answer_in_context"] != 1 {
			t.Errorf("4 May 2024 is May 4, 2024: %v", r.Metrics)
		}
	}
	m, err := ReadManifest(dir)
	if err != nil || !m.Complete || m.Questions != 4 {
		t.Errorf("manifest %+v, %v", m, err)
	}
}

func TestNoLabelReachesASystem(t *testing.T) {
	t.Parallel()
	var l listing
	if err := newRun(t, t.TempDir(), l.system("a")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(l.seen) == 0 {
		t.Fatal("nothing was seen")
	}
	b, err := json.Marshal(l.seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"SECRET", "_abs", "answer"} {
		if strings.Contains(string(b), label) {
			t.Errorf("a system saw the label %q", label)
		}
	}
}

func TestIngestComesBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	var l listing
	if err := newRun(t, t.TempDir(), l.system("a")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	order := ""
	for _, v := range l.seen {
		switch v.(type) {
		case Session:
			order += "i"
		case Ask:
			order += "q"
		}
	}
	if want := "ii" + strings.Repeat("q", 12) + "i" + "qqqq"; order != want {
		t.Errorf("%s, want %s", order, want)
	}
}

func TestRunsAreTheSameButForTimes(t *testing.T) {
	t.Parallel()
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		r := newRun(t, dir, new(listing).system("a"))
		r.Parallel = 4
		r.Answer = answers
		if err := r.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(rowsOf(t, a), rowsOf(t, b)); diff != "" {
		t.Error(diff)
	}
}

func answers(_ context.Context, q *Question, _ Ask, c *Context) []Answer {
	return []Answer{{Reader: "fake", Hypothesis: q.Answer, InputTokens: len(c.Text), Verdicts: []Ruling{{Judge: "fake", Correct: true}}}}
}

func TestErrorsCountAsWrong(t *testing.T) {
	t.Parallel()
	l := listing{fail: func(a Ask) error {
		if strings.Contains(a.Text, "Mia") {
			return errors.New("out of order")
		}
		return nil
	}}
	dir := t.TempDir()
	r := newRun(t, dir, l.system("a"))
	r.Answer = answers
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	row := rowsOf(t, dir)[0]
	if row.Error == "" || row.Metrics["covered@2k"] != 0 || len(row.Metrics) < 10 {
		t.Errorf("row %+v", row)
	}
	if _, ok := row.Metrics["covered"]; !ok {
		t.Error("a failed question is not counted")
	}
	if correct, _ := row.Correct("fake"); correct {
		t.Error("an error counts as right")
	}
}

// An interrupted run keeps a beginning of the rows, and goes on to the same end
// without asking again.
func TestRunResumes(t *testing.T) {
	t.Parallel()
	whole, dir := t.TempDir(), t.TempDir()
	r := newRun(t, whole, new(listing).system("a"), new(listing).system("b"))
	r.Answer = answers
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r = newRun(t, dir, new(listing).system("a"), new(listing).system("b"))
	r.Answer = answers
	r.Progress = func(done, _ int, _ *Row) {
		if done == 2 {
			cancel()
		}
	}
	if err := r.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted run gives %v", err)
	}
	if n := len(rowsOf(t, dir)); n < 2 || n == 8 {
		t.Fatalf("%d rows after the interruption", n)
	}
	// A crash in the middle of a line.
	f, err := os.OpenFile(filepath.Join(dir, RowsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"benchmark":"lea`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	r = newRun(t, dir, new(listing).system("a"), new(listing).system("b"))
	if err := r.Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a run over another gives %v", err)
	}
	r.Resume, r.Answer = true, answers
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rowsOf(t, whole), rowsOf(t, dir)); diff != "" {
		t.Error(diff)
	}
	other := newRun(t, dir, new(listing).system("a"), new(listing).system("c"))
	other.Resume = true
	if err := other.Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("resuming with other systems gives %v", err)
	}
}

// A claim that the context does not bear out counts for nothing.
func TestClaimsMustBeShown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := listing{boast: func(c *Context) {
		c.Text, c.Holding, c.Stated = "Tom: Nice! I bought three lamps.\n", []string{"Berlin", "three lamps"}, nil
	}}
	if err := newRun(t, dir, l.system("a")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	row := rowsOf(t, dir)[0]
	if row.Metrics["recall@10"] != 0 || row.Metrics["fact_covered"] != 0 || len(row.Retrieved) != 1 {
		t.Errorf("row %+v", row)
	}
}

func TestStatedFactsCover(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := listing{boast: func(c *Context) {
		c.Text, c.Ranked, c.Stated = "Mia · lives in: Berlin\n", []string{}, []string{"s1:1"}
	}}
	if err := newRun(t, dir, l.system("a")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := rowsOf(t, dir)[0].Metrics; m["fact_covered"] != 1 || m["covered"] != 0 || m["recall@10"] != 0 {
		t.Errorf("%v", m)
	}
}

func TestInFoldRunsStop(t *testing.T) {
	t.Parallel()
	l := listing{boast: func(c *Context) { c.Weights, c.Fit = "w", InFold }}
	if err := newRun(t, t.TempDir(), l.system("a")).Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("in-fold weights give %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	r := newRun(t, t.TempDir(), new(listing).system("a"))
	r.Benchmark = Of("empty", nil)
	if err := r.Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("no question gives %v", err)
	}
	r = newRun(t, t.TempDir(), new(listing).system("a"))
	q := Question{ID: "twice", Ask: Ask{Text: "?"}}
	turns := []Turn{{Episode: memory.Episode{Text: "x", IDKey: "1"}}}
	r.Benchmark = Of("double", []Case{{Name: "a", Turns: turns, Questions: []Question{q}}, {Name: "b", Turns: turns, Questions: []Question{q}}})
	if err := r.Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("one id twice gives %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, RowsFile+".gz"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r = newRun(t, dir, new(listing).system("a"))
	r.Resume = true
	if err := r.Do(t.Context()); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an archived run gives %v", err)
	}
}

// What failed is tried again when the run goes on.
func TestResumeMakesFailedRowsAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := listing{fail: func(Ask) error { return errors.New("out of order") }}
	if err := newRun(t, dir, broken.system("a")).Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := newRun(t, dir, new(listing).system("a"))
	r.Resume = true
	if err := r.Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, dir)
	if len(rows) != 4 || slices.ContainsFunc(rows, func(row Row) bool { return row.Error != "" }) {
		t.Errorf("%d rows: %+v", len(rows), rows)
	}
}

func TestLimitDrawsBySeed(t *testing.T) {
	t.Parallel()
	ids := func(seed uint64) (out []string) {
		dir := t.TempDir()
		r := newRun(t, dir, new(listing).system("a"))
		r.Limit, r.Seed = 2, seed
		if err := r.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, row := range rowsOf(t, dir) {
			out = append(out, row.Question)
		}
		return out
	}
	first := ids(1)
	if len(first) != 2 || !slices.Equal(first, ids(1)) {
		t.Errorf("%v, then %v", first, ids(1))
	}
	differs := false
	for seed := range uint64(10) {
		differs = differs || !slices.Equal(first, ids(seed+2))
	}
	if !differs {
		t.Error("every seed draws the same")
	}
}

func TestAsOf(t *testing.T) {
	t.Parallel()
	q := &Question{Right: []string{"Berlin"}, Wrong: []string{"Paris"}}
	for _, tt := range []struct {
		name string
		c    Context
		want float64
	}{
		{"presented", Context{Text: "moved from Paris to Berlin", Holding: []string{"berlin"}}, 1},
		{"wrong one too", Context{Holding: []string{"Berlin", "Paris"}}, 0},
		{"none", Context{Text: "Berlin", Holding: []string{}}, 0},
		{"no difference made", Context{Text: "I moved from Paris to Berlin"}, 0},
		{"no difference needed", Context{Text: "I live in Berlin"}, 1},
	} {
		s := shown{Context: &tt.c, text: collapse(tt.c.Text)}
		if got := asOf(&s, q); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
