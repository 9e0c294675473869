package locomo

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/eval/dataset/datasettest"
	"engram/memory"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	b, err := Load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	cases := datasettest.Read(t, b)
	if b.Name != "locomo" || b.Questions != 4 || len(cases) != 1 || cases[0].Name != "conv-1" {
		t.Fatalf("got %+v", b)
	}
	if diff := cmp.Diff([]string{"locomo10.json"}, datasettest.Names(t, b)); diff != "" {
		t.Error(diff)
	}
	turns := cases[0].Turns
	if len(turns) != 3 || turns[1].IDKey != "conv-1/D1:2" || turns[1].Speaker != "Ann" || turns[1].Session != "session_1" ||
		turns[1].Occurred.String() != "2023-05-08T13:56Z" || turns[1].Recorded != 0 {
		t.Errorf("got the turns %+v", turns)
	}
	want := []eval.Question{
		{ID: "conv-1/q0", Category: "temporal", Ask: eval.Ask{Text: "When did Ann buy the kite?"}, Answer: "2022", Evidence: []string{"conv-1/D1:2"}},
		{ID: "conv-1/q1", Category: "single-hop", Ask: eval.Ask{Text: "Who has a dog?"}, Answer: "Bo", Evidence: []string{"conv-1/D1:1", "conv-1/D2:1"}},
		{ID: "conv-1/q3", Category: "adversarial", Ask: eval.Ask{Text: "Never said"}, Unanswerable: true},
		{ID: "conv-1/q4", Category: "open-domain", Ask: eval.Ask{Text: "What would Ann like?"}, Answer: "wind", Evidence: []string{"conv-1/D1:1"}},
	}
	if diff := cmp.Diff(want, cases[0].Questions); diff != "" {
		t.Error(diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		datasettest.Write(t, path, content)
		return path
	}
	for _, tt := range []struct {
		path, reason string
		is           error
	}{
		{filepath.Join(dir, "absent"), "no such file", fs.ErrNotExist},
		{t.TempDir(), "holds neither locomo10.json nor locomo-tune.json", memory.ErrInvalid},
		{file("text", "hello\nworld"), "a LoCoMo file was expected", memory.ErrInvalid},
		{file("other", `[{"batch_number": 1, "turns": []}]`), "no sample_id or no conversation", memory.ErrInvalid},
		{file("qa", `[{"sample_id":"c","conversation":{},"qa":5}]`), "qa should be a list", memory.ErrInvalid},
	} {
		_, err := Load(tt.path)
		if !errors.Is(err, tt.is) || errors.Is(err, fs.ErrNotExist) && errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: got %v, want %v alone", tt.path, err, tt.is)
			continue
		}
		for _, part := range []string{tt.reason, "github.com/snap-research/locomo"} {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want one line with %q", tt.path, err, part)
			}
		}
	}
}

func TestLoadWhole(t *testing.T) {
	t.Parallel()
	b, err := Load(filepath.Dir(datasettest.Shared(t, "locomo-tune.json")))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"multi-hop": 142, "temporal": 156, "open-domain": 44, "single-hop": 418, "adversarial": 237, "unanswerable": 237,
	}
	if diff := cmp.Diff(want, datasettest.Categories(datasettest.Read(t, b))); diff != "" {
		t.Error(diff)
	}
}
