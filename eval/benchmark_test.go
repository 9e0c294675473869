package eval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/memory"
)

// shared gives a file of the benchmarks, which are not part of the repository.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("ENGRAM_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	path := filepath.Join(root, "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; set ENGRAM_SHARED to the directory that holds data/%s", path, name)
	}
	return path
}

func TestLoadLoCoMo(t *testing.T) {
	t.Parallel()
	b, err := LoadLoCoMo("testdata/locomo")
	if err != nil {
		t.Fatal(err)
	}
	if b.Name != "locomo" || len(b.Cases) != 1 || b.Cases[0].Name != "conv-1" || len(b.Cases[0].Records) != 3 {
		t.Fatalf("got %+v", b)
	}
	want := []Question{
		{ID: "conv-1/q0", Text: "When did Ann buy the kite?", Category: "temporal", Answer: "2022", Evidence: []string{"conv-1/D1:2"}},
		{ID: "conv-1/q1", Text: "Who has a dog?", Category: "single-hop", Answer: "Bo", Evidence: []string{"conv-1/D1:1", "conv-1/D2:1"}},
		{ID: "conv-1/q4", Text: "What would Ann like?", Category: "open-domain", Answer: "wind", Evidence: []string{"conv-1/D1:1"}},
	}
	if diff := cmp.Diff(want, b.Cases[0].Questions); diff != "" {
		t.Error(diff)
	}
}

func TestLoadBEAM(t *testing.T) {
	t.Parallel()
	b, err := LoadBEAM("testdata/beam")
	if err != nil {
		t.Fatal(err)
	}
	if b.Name != "beam" || len(b.Cases) != 1 || b.Cases[0].Name != "beam-7" || len(b.Cases[0].Records) != 4 {
		t.Fatalf("got %+v", b)
	}
	want := []Question{
		{ID: "beam-7/information_extraction/0", Text: "What keeps snails away?", Category: "information_extraction", Answer: "Copper tape against the snails.", Evidence: []string{"beam-7/1"}},
		{ID: "beam-7/instruction_following/0", Text: "How far apart?", Category: "instruction_following", Answer: "Metric units", Evidence: []string{"beam-7/2"}},
		{ID: "beam-7/summarization/0", Text: "Sum up the balcony.", Category: "summarization", Answer: "Beans, sun, copper tape.", Evidence: []string{"beam-7/0", "beam-7/1"}},
	}
	if diff := cmp.Diff(want, b.Cases[0].Questions); diff != "" {
		t.Error(diff)
	}
}

func TestMarkStrict(t *testing.T) {
	t.Parallel()
	b, err := LoadBEAM("testdata/beam")
	if err != nil {
		t.Fatal(err)
	}
	c := &b.Cases[0]
	c.MarkStrict(14)
	got := map[string][]Part{}
	for _, q := range c.Questions {
		got[q.Category] = q.Strict
	}
	// Message 1 falls into three parts: about the sun, the snails and the water.
	want := map[string][]Part{
		"information_extraction": {{Key: "beam-7/1", Index: 1}},
		"instruction_following":  {{Key: "beam-7/2", Index: 0}},
		"summarization":          {{Key: "beam-7/0", Index: 0}, {Key: "beam-7/1", Index: 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadMalformed(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	badQA := filepath.Join(t.TempDir(), "l.json")
	write(t, badQA, `[{"sample_id":"c","conversation":{},"qa":5}]`)
	noQuestions := t.TempDir()
	write(t, filepath.Join(noQuestions, "1", "chat.json"), `[]`)
	badQuestions := t.TempDir()
	write(t, filepath.Join(badQuestions, "1", "chat.json"), `[]`)
	write(t, filepath.Join(badQuestions, "1", "probing_questions", "probing_questions.json"), `[]`)

	for _, tt := range []struct {
		load   func(string) (*Benchmark, error)
		path   string
		reason string
	}{
		{LoadLoCoMo, filepath.Join(empty, "absent"), "no such file"},
		{LoadLoCoMo, empty, "holds neither locomo10.json nor locomo-tune.json"},
		{LoadLoCoMo, "testdata/beam/7/chat.json", "no sample_id or no conversation"},
		{LoadLoCoMo, badQA, "qa should be a list"},
		{LoadBEAM, empty, "holds no BEAM chat"},
		{LoadBEAM, noQuestions, "probing_questions.json was expected"},
		{LoadBEAM, badQuestions, "should be a JSON object of lists"},
	} {
		_, err := tt.load(tt.path)
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.reason) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one line with %q", tt.path, err, tt.reason)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoadLoCoMoWhole(t *testing.T) {
	t.Parallel()
	b, err := LoadLoCoMo(filepath.Dir(shared(t, "locomo-tune.json")))
	if err != nil {
		t.Fatal(err)
	}
	checkCategories(t, b, map[string]int{"multi-hop": 142, "temporal": 156, "open-domain": 44, "single-hop": 418})
}

func TestLoadBEAMWhole(t *testing.T) {
	t.Parallel()
	b, err := LoadBEAM(shared(t, "beam-100k-tune"))
	if err != nil {
		t.Fatal(err)
	}
	checkCategories(t, b, map[string]int{
		"contradiction_resolution": 20, "event_ordering": 20, "information_extraction": 20, "instruction_following": 20,
		"knowledge_update": 20, "multi_session_reasoning": 20, "preference_following": 19, "summarization": 20, "temporal_reasoning": 20,
	})
}

// checkCategories compares the questions by category, and that ids are given
// once and strict evidence is within the parts.
func checkCategories(t *testing.T, b *Benchmark, want map[string]int) {
	t.Helper()
	got, ids := map[string]int{}, map[string]bool{}
	for i := range b.Cases {
		c := &b.Cases[i]
		c.MarkStrict(0)
		for _, q := range c.Questions {
			got[q.Category]++
			if ids[q.ID] || q.Text == "" || q.Answer == "" || len(q.Strict) != len(q.Evidence) {
				t.Errorf("question %+v", q)
			}
			ids[q.ID] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
