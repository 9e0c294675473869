package system

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/eval"
	"engram/memory"
)

const smallRendered = `## 2026-03-02 Mon
Ada: The lighthouse keeper lent me a brass telescope.
Ben: Was it heavy to carry home?
Ada: Very. My parrot Quill hated it at once.
## 2026-03-09 Mon
Ben: I planted forty tulips behind the chapel.
Ada: The moles will thank you.
Ben: I have bought a fence

and a whistle.
Ada: Quill whistles better than you.
## 2026-04-01 Wed
Ada: I gave the telescope back to the lighthouse.
Ben: 我昨天在河边看到一只白鹭。
Ada: A heron? Quill would have been jealous.
`

func TestFullIsTheWholeHistory(t *testing.T) {
	t.Parallel()
	m := told(t, Full(0), small(t))
	for _, q := range []string{"Who?", "What is a heron?"} {
		c := asked(t, m, eval.Ask{Text: q}, 10)
		if diff := cmp.Diff(eval.Context{Text: smallRendered}, c); diff != "" {
			t.Error(diff)
		}
	}
}

// Whatever the window, what is shown and what is said to be cut are the whole.
func TestFullSaysWhatItsWindowCuts(t *testing.T) {
	t.Parallel()
	all := count(t, smallRendered)
	for window := 1; window <= all+1; window++ {
		c := asked(t, told(t, Full(window), small(t)), eval.Ask{Text: "Who?"}, 8000)
		n := count(t, c.Text)
		if n > window || n+c.Cut != all {
			t.Errorf("window %d: %d tokens are shown, %d said to be cut, %d there", window, n, c.Cut, all)
		}
		if _, last, _ := strings.Cut(c.Text, "\n"); !strings.HasSuffix(smallRendered, last) {
			t.Errorf("window %d: no end of the history: %q", window, c.Text)
		}
		if window >= all != (c.Cut == 0) {
			t.Errorf("window %d: cut %d", window, c.Cut)
		}
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	sessions := []eval.Session{{Name: "s1", Turns: []eval.Turn{
		{Episode: memory.Episode{Text: "no date", IDKey: "a"}},
		{Episode: memory.Episode{Text: "a year", IDKey: "b", Occurred: at(t, "2025Z"), Source: memory.Assistant}},
		{Episode: memory.Episode{Text: "a month", IDKey: "c", Occurred: at(t, "2025-02Z"), Speaker: "Cy"}},
	}}}
	want := "## s1\nuser: no date\n## 2025\nassistant: a year\n## 2025-02\nCy: a month\n"
	if got := asked(t, told(t, Full(0), sessions), eval.Ask{Text: "?"}, 1).Text; got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestRecentShowsTheLastTurns(t *testing.T) {
	t.Parallel()
	m := told(t, Recent(), small(t))
	last := "## 2026-04-01 Wed\nBen: 我昨天在河边看到一只白鹭。\nAda: A heron? Quill would have been jealous.\n"
	c := asked(t, m, eval.Ask{Text: "telescope"}, count(t, last))
	if diff := cmp.Diff(eval.Context{Text: last, Ranked: []string{"s3:3", "s3:2"}}, c); diff != "" {
		t.Error(diff)
	}
	c = asked(t, m, eval.Ask{Text: "telescope"}, 20)
	if !strings.HasPrefix(c.Text, "## 2026-04-01 Wed\nAda: A h") || !strings.HasSuffix(c.Text, " …\n") {
		t.Errorf("the beginning of the last turn is %q", c.Text)
	}
}

func TestOracleShowsTheEvidenceAlone(t *testing.T) {
	t.Parallel()
	m := told(t, Oracle(), small(t))
	if _, err := m.Context(t.Context(), eval.Ask{Text: "Who?"}, 100); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("untold: %v", err)
	}
	want := eval.Context{
		Text:   "## 2026-03-02 Mon\nAda: Very. My parrot Quill hated it at once.\n## 2026-04-01 Wed\nAda: A heron? Quill would have been jealous.\n",
		Ranked: []string{"s3:3", "s1:3"},
	}
	if diff := cmp.Diff(want, asked(t, m, eval.Ask{Text: "telescope"}, 8000, "s3:3", "s1:3")); diff != "" {
		t.Error(diff)
	}
	if c := asked(t, m, eval.Ask{Text: "telescope"}, 8000); c.Text != "" {
		t.Errorf("without evidence: %q", c.Text)
	}
	m.(eval.GoldMemory).Gold([]string{"s9:9"})
	if _, err := m.Context(t.Context(), eval.Ask{Text: "Who?"}, 100); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("evidence that was never heard: %v", err)
	}
}

func TestWordsOfBM25(t *testing.T) {
	t.Parallel()
	got := wordsOf("Ada's Telescopes, 2nd: 白鹭 café\u0301s")
	if diff := cmp.Diff([]string{"ada", "s", "telescopes", "2nd", "白", "鹭", "café\u0301s"}, got); diff != "" {
		t.Error(diff)
	}
}

// The scores of three short turns, by hand.
func TestBM25Scores(t *testing.T) {
	t.Parallel()
	turns := []eval.Turn{
		{Episode: memory.Episode{Text: "red red fox", Speaker: "a", IDKey: "1"}},
		{Episode: memory.Episode{Text: "red hen", Speaker: "a", IDKey: "2"}},
		{Episode: memory.Episode{Text: "owl", Speaker: "a", IDKey: "3"}},
	}
	m := told(t, BM25(), []eval.Session{{Name: "s1", Turns: turns}}).(*bm25Memory)
	idf := math.Log(1 + 1.5/2.5) // 3 turns, 2 with the word
	score := func(tf, length float64) float64 {
		return idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*length/3))
	}
	want := []float64{score(2, 4), score(1, 3), 0}
	for i, got := range m.scores("Red, red?", memory.Time{}) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("turn %d: %v, want %v", i, got, want[i])
		}
	}
	c := asked(t, m, eval.Ask{Text: "a fox"}, 1000)
	if diff := cmp.Diff([]string{"1", "3", "2"}, c.Ranked); diff != "" { // "a" speaks everywhere; the shorter turn is nearer
		t.Error(diff)
	}
}

func TestBM25ShowsTheBestInTheOrderOfTheHistory(t *testing.T) {
	t.Parallel()
	m := told(t, BM25(), small(t))
	c := asked(t, m, eval.Ask{Text: "heron telescope lighthouse keeper"}, 50)
	want := eval.Context{
		Text:   "## 2026-03-02 Mon\nAda: The lighthouse keeper lent me a brass telescope.\n## 2026-04-01 Wed\nAda: I gave the telescope back to the lighthouse.\n",
		Ranked: []string{"s1:1", "s3:1"},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
	if c := asked(t, m, eval.Ask{Text: "xyzzy"}, 1000); c.Text != "" || c.Ranked == nil {
		t.Errorf("nothing matches: %+v", c)
	}
}

func TestDenseRanksByCosine(t *testing.T) {
	t.Parallel()
	m := told(t, Dense(letters{}), small(t))
	c := asked(t, m, eval.Ask{Text: "Ben: I planted forty tulips behind the chapel."}, 1000)
	if len(c.Ranked) != 10 || c.Ranked[0] != "s2:1" || c.Text != smallRendered {
		t.Errorf("%v\n%s", c.Ranked, c.Text)
	}
	if got := cosine([]float32{3, 4}, []float32{4, 3}); math.Abs(got-0.96) > 1e-9 {
		t.Errorf("cosine %v", got)
	}
	if got := cosine([]float32{0, 0}, []float32{4, 3}); got != 0 {
		t.Errorf("cosine of nothing %v", got)
	}
}

// embedder is one that does not keep its contract.
type embedder func(texts []string) ([][]float32, error)

func (embedder) Name() string { return "broken" }

func (e embedder) Embed(_ context.Context, texts []string) ([][]float32, error) { return e(texts) }

func TestDenseRefusesBrokenVectors(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	calls := 0
	tests := map[string]struct {
		embed embedder
		want  string
	}{
		"too few":    {func([]string) ([][]float32, error) { return [][]float32{{1}}, nil }, "1 vectors for 3 texts"},
		"dimensions": {func([]string) ([][]float32, error) { return [][]float32{{1}, {1}, {1, 2}}, nil }, "2 dimensions after one of 1"},
		"later": {func(texts []string) ([][]float32, error) {
			calls++
			return slicesOf(len(texts), calls), nil
		}, "2 dimensions after one of 1"},
		"an error": {func([]string) ([][]float32, error) { return nil, down }, "down"},
	}
	for name, test := range tests {
		m, err := Dense(test.embed).Open(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range small(t) {
			if err = m.Ingest(t.Context(), s); err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func slicesOf(n, dims int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dims)
	}
	return out
}

func TestATurnComesOnce(t *testing.T) {
	t.Parallel()
	for _, s := range all(t) {
		if s.Name == "http" || s.Name == "engram-chunks" {
			continue // the one does not care, the other has chunks
		}
		m := told(t, s, small(t))
		if err := m.Ingest(t.Context(), small(t)[0]); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// What is counted line by line is what is rendered.
func TestTokensAddUp(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.RuneFrom([]rune("aB7 /\n!.#:'\t中é\u0301\u00a0")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		h, err := newHistory()
		if err != nil {
			t.Fatal(err)
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "turns") {
			turn := eval.Turn{Episode: memory.Episode{IDKey: strconv.Itoa(i), Text: word.Draw(t, "text"), Speaker: word.Draw(t, "speaker")}}
			if err := h.add(eval.Session{Name: rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, "session"), Turns: []eval.Turn{turn}}); err != nil {
				t.Fatal(err)
			}
		}
		turns := span(0, len(h.turns))
		if got, want := h.tokens(turns), h.count.Count(h.render(turns)); got != want {
			t.Fatalf("%d tokens are counted, %q has %d", got, h.render(turns), want)
		}
	})
}
