package eval

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/importer"
	"engram/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestChinese asks 40 Chinese questions that share words with their evidence
// of a memory of 300 messages; the bar is what the project promises. For 40
// paraphrases, which share hardly a word, there is none: without vectors they
// are beyond reach. The golden files show the rank of the evidence of each.
func TestChinese(t *testing.T) {
	t.Parallel()
	b := &Benchmark{Name: "zh", Cases: []Case{{Name: "zh", Records: chineseMemories(t)}}}
	bench := tell(t, b, opener(t))
	space, done, err := bench.space(t.Context(), &b.Cases[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for _, tt := range []struct {
		name string
		bar  float64 // of recall@5
	}{{"zh_questions", 0.95}, {"zh_paraphrases", 0}} {
		questions := chineseQuestions(t, tt.name)
		var ranks strings.Builder
		sums := map[int]float64{1: 0, 5: 0, 10: 0}
		for _, q := range questions {
			a, err := space.Recall(t.Context(), engram.Query{Question: q.Text})
			if err != nil {
				t.Fatal(err)
			}
			ranked := Distinct(a.Items, func(i memory.Item) string { return bench.keys[0][i.Seq] })
			for k := range sums {
				sums[k] += RecallAt(ranked, q.Evidence, k) / float64(len(questions))
			}
			for _, key := range q.Evidence {
				rank := "-"
				if at := slices.Index(ranked, key); at >= 0 {
					rank = fmt.Sprint(at + 1)
				}
				fmt.Fprintf(&ranks, "%4s %s %s\n", rank, key, q.Text)
			}
		}
		summary := fmt.Sprintf("%d questions: recall@1 %.3f, recall@5 %.3f, recall@10 %.3f\n", len(questions), sums[1], sums[5], sums[10])
		t.Logf("%s: %s", tt.name, summary)
		if len(questions) != 40 || sums[5] < tt.bar-1e-9 {
			t.Errorf("%s: %swant 40 and a recall@5 of %.2f", tt.name, summary, tt.bar)
		}
		golden(t, filepath.Join("testdata", tt.name+".golden"), summary+ranks.String())
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run go test -update)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (run go test -update and look at the diff):\n%s", file, diff)
	}
}

func chineseMemories(t *testing.T) []memory.Record {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "zh_memories.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var records []memory.Record
	for r, err := range importer.JSONL(bytes.NewReader(raw), nil) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

func chineseQuestions(t *testing.T, name string) []Question {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []Question
	for l := range bytes.Lines(raw) {
		var q struct {
			Question string   `json:"question"`
			Evidence []string `json:"evidence"`
		}
		if err := json.Unmarshal(l, &q); err != nil || q.Question == "" || len(q.Evidence) == 0 {
			t.Fatalf("%s: %s: %v", name, l, err)
		}
		out = append(out, Question{Text: q.Question, Evidence: q.Evidence})
	}
	return out
}
