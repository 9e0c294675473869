package beam

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
	if b.Name != "beam" || b.Questions != 4 || len(cases) != 1 || cases[0].Name != "beam-7" {
		t.Fatalf("got %+v", b)
	}
	if diff := cmp.Diff([]string{"7/chat.json", "7/probing_questions.json"}, datasettest.Names(t, b)); diff != "" {
		t.Error(diff)
	}
	turns := cases[0].Turns
	if len(turns) != 4 || turns[3].IDKey != "beam-7/3" || turns[3].Source != memory.Assistant || turns[3].Session != "batch 1" ||
		turns[3].Occurred.String() != "2024-03-15Z" {
		t.Errorf("got the turns %+v", turns)
	}
	want := []eval.Question{
		{
			ID: "beam-7/abstention/0", Category: "abstention", Ask: eval.Ask{Text: "What is the neighbour's name?"},
			Answer: "It was not said.", Unanswerable: true, Rubric: []string{"Says that it was not said."},
		},
		{
			ID: "beam-7/information_extraction/0", Category: "information_extraction", Ask: eval.Ask{Text: "What keeps snails away?"},
			Answer: "Copper tape against the snails.", Evidence: []string{"beam-7/1"},
		},
		{
			ID: "beam-7/instruction_following/0", Category: "instruction_following", Ask: eval.Ask{Text: "How far apart?"},
			Answer: "Metric units", Evidence: []string{"beam-7/2"},
		},
		{
			ID: "beam-7/summarization/0", Category: "summarization", Ask: eval.Ask{Text: "Sum up the balcony."},
			Answer: "Beans, sun, copper tape.", Evidence: []string{"beam-7/0", "beam-7/1"},
			Rubric: []string{"Names the beans.", "Names the copper tape."},
		},
	}
	if diff := cmp.Diff(want, cases[0].Questions); diff != "" {
		t.Error(diff)
	}
}

// TestDigestIsOfTheChatThatIsRead holds chatFiles to the importer's choice.
func TestDigestIsOfTheChatThatIsRead(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "1")
	datasettest.Write(t, filepath.Join(dir, "chat.json"), `[]`)
	datasettest.Write(t, filepath.Join(dir, "chat_trunecated.json"), `[{"turns":[[{"role":"user","id":5,"content":"short"}]]}]`)
	datasettest.Write(t, filepath.Join(dir, "probing_questions", "probing_questions.json"), `{}`)
	b, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1/chat_trunecated.json", "1/probing_questions.json"}
	if diff := cmp.Diff(want, datasettest.Names(t, b)); diff != "" {
		t.Error(diff)
	}
	if cases := datasettest.Read(t, b); len(cases) != 1 || len(cases[0].Turns) != 1 {
		t.Errorf("the importer read another chat: %+v", cases)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	noQuestions, badQuestions, badChat := t.TempDir(), t.TempDir(), t.TempDir()
	datasettest.Write(t, filepath.Join(noQuestions, "1", "chat.json"), `[]`)
	datasettest.Write(t, filepath.Join(badQuestions, "1", "chat.json"), `[]`)
	datasettest.Write(t, filepath.Join(badQuestions, "1", "probing_questions", "probing_questions.json"), `[]`)
	datasettest.Write(t, filepath.Join(badChat, "1", "chat.json"), `{}`)
	for _, tt := range []struct {
		path, reason string
		is           error
	}{
		{filepath.Join(badChat, "absent"), "no such file", fs.ErrNotExist},
		{t.TempDir(), "holds no BEAM chat", memory.ErrInvalid},
		{noQuestions, "probing_questions.json was expected", memory.ErrInvalid},
		{badQuestions, "a JSON object of lists", memory.ErrInvalid},
		{badChat, "should be a JSON list of batches", memory.ErrInvalid},
	} {
		_, err := Load(tt.path)
		if !errors.Is(err, tt.is) || errors.Is(err, fs.ErrNotExist) && errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: got %v, want %v alone", tt.path, err, tt.is)
			continue
		}
		for _, part := range []string{tt.reason, "github.com/mohammadtavakoli78/BEAM"} {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want one line with %q", tt.path, err, part)
			}
		}
	}
}

func TestLoadWhole(t *testing.T) {
	t.Parallel()
	b, err := Load(datasettest.Shared(t, "beam-100k-tune"))
	if err != nil {
		t.Fatal(err)
	}
	cases := datasettest.Read(t, b)
	want := map[string]int{
		"abstention": 20, "contradiction_resolution": 20, "event_ordering": 20, "information_extraction": 20,
		"instruction_following": 20, "knowledge_update": 20, "multi_session_reasoning": 20, "preference_following": 19,
		"summarization": 20, "temporal_reasoning": 20, "unanswerable": 20,
	}
	if diff := cmp.Diff(want, datasettest.Categories(cases)); diff != "" {
		t.Error(diff)
	}
	for _, c := range cases {
		for i := range c.Questions {
			if len(c.Questions[i].Rubric) == 0 {
				t.Errorf("%s has no rubric", c.Questions[i].ID)
			}
		}
	}
}
