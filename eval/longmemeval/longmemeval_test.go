package longmemeval

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/eval/dataset"
	"engram/eval/dataset/datasettest"
	"engram/eval/longmemeval/longmemevaltest"
	"engram/memory"
)

// small is a file of two questions that is as untidy as the data set: sessions
// in no order of their dates, an id used twice, a number for an answer.
const small = `[
{"question_id": "q1", "question_type": "multi-session", "question": "How many?", "answer": 3, "question_date": "2023/05/30 (Tue) 23:40",
 "haystack_session_ids": ["answer_b", "x", "answer_b", "answer_a"],
 "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 09:00", "2023/05/20 (Sat) 02:21", "2023/04/01 (Sat) 10:00"],
 "haystack_sessions": [
  [{"role": "user", "content": "two", "has_answer": true}, {"role": "assistant", "content": "ok", "has_answer": false}],
  [{"role": "user", "content": "other"}],
  [{"role": "user", "content": "\u200b "}, {"role": "assistant", "content": "again"}],
  [{"role": "user", "content": "one", "has_answer": true}]],
 "answer_session_ids": ["answer_a", "answer_b"]},
{"question_id": "q2_abs", "question_type": "knowledge-update", "question": "Where?", "answer": "Not said.", "question_date": "2023/06/01 (Thu) 08:05",
 "haystack_session_ids": ["answer_c"], "haystack_dates": ["2023/05/20 (Sat) 02:21"],
 "haystack_sessions": [[{"role": "user", "content": "here", "has_answer": true}]], "answer_session_ids": ["answer_c"]}
]
`

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	datasettest.Write(t, path, content)
	return path
}

func TestLoad(t *testing.T) {
	t.Parallel()
	path := write(t, "longmemeval_s_cleaned.json", small)
	b, err := Load(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if b.Name != "longmemeval" || b.Questions != 2 {
		t.Errorf("got %+v", b)
	}
	if diff := cmp.Diff([]eval.File{dataset.File("longmemeval_s_cleaned.json", []byte(small))}, b.Data); diff != "" {
		t.Error(diff)
	}
	cases := datasettest.Read(t, b)
	if again := datasettest.Read(t, b); !cmp.Equal(cases, again) {
		t.Error("the cases cannot be read twice")
	}
	if len(cases) != 2 {
		t.Fatalf("got %d cases", len(cases))
	}
	turn := func(key, session, text string, source memory.Source, at string) eval.Turn {
		occurred, err := memory.ParseTime(at, nil)
		if err != nil {
			t.Fatal(err)
		}
		return eval.Turn{Episode: memory.Episode{Text: text, Occurred: occurred, Session: session, Source: source, IDKey: key}}
	}
	asked, _ := memory.ParseTime("2023-05-30T23:40Z", nil)
	want := &eval.Case{
		Name: "q1",
		Turns: []eval.Turn{
			turn("answer_a:1", "answer_a", "one", memory.User, "2023-04-01T10:00Z"),
			turn("answer_b:1", "answer_b", "two", memory.User, "2023-05-20T02:21Z"),
			turn("answer_b:2", "answer_b", "ok", memory.Assistant, "2023-05-20T02:21Z"),
			turn("answer_b#2:2", "answer_b#2", "again", memory.Assistant, "2023-05-20T02:21Z"),
			turn("x:1", "x", "other", memory.User, "2023-05-21T09:00Z"),
		},
		Questions: []eval.Question{{
			ID: "q1", Category: "multi-session", Ask: eval.Ask{Text: "How many?", At: asked}, Answer: "3",
			Evidence: []string{"answer_a:1", "answer_b:1"},
		}},
	}
	if diff := cmp.Diff(want, cases[0]); diff != "" {
		t.Error(diff)
	}
	q := cases[1].Questions[0]
	if q.ID != "q2_abs" || q.Category != "knowledge-update" || !q.Unanswerable || q.Evidence != nil || q.Answer != "Not said." {
		t.Errorf("got %+v", q)
	}
}

func TestEvidenceWithoutMarks(t *testing.T) {
	t.Parallel()
	unmarked := strings.ReplaceAll(small, `"has_answer": true`, `"has_answer": false`)
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"all turns of the answer sessions", unmarked, []string{"answer_a:1", "answer_b:1", "answer_b:2", "answer_b#2:2"}},
		{"no answer session in the history", strings.ReplaceAll(unmarked, `"answer_session_ids": ["answer_a", "answer_b"]`, `"answer_session_ids": ["lost"]`), nil},
	} {
		for c, err := range cases(strings.NewReader(tt.data)) {
			if err != nil {
				t.Fatal(err)
			}
			if q := c.Questions[0]; !cmp.Equal(q.Evidence, tt.want) || q.Unanswerable {
				t.Errorf("%s: got %q (unanswerable: %t), want %q", tt.name, q.Evidence, q.Unanswerable, tt.want)
			}
			break
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const name = "longmemeval_s.json"
	several := t.TempDir()
	datasettest.Write(t, filepath.Join(several, "longmemeval_oracle.json"), small)
	datasettest.Write(t, filepath.Join(several, "longmemeval_s"), small)
	changed := func(old, with string) string {
		data := strings.Replace(small, old, with, 1)
		if data == small {
			t.Fatalf("%q is not in the file", old)
		}
		return write(t, name, data)
	}
	for _, tt := range []struct {
		path, reason string
		is           error
	}{
		{filepath.Join(several, "absent"), "no such file", fs.ErrNotExist},
		{t.TempDir(), "holds no file of it", memory.ErrInvalid},
		{several, "longmemeval_oracle.json, longmemeval_s", memory.ErrInvalid},
		{write(t, name, ""), "it ends too early", memory.ErrInvalid},
		{write(t, name, `{"a":`+"\n1}"), "it is no JSON array", memory.ErrInvalid},
		{write(t, name, "no\nJSON"), "invalid character", memory.ErrInvalid},
		{write(t, name, `[{"sample_id": "conv-1"}]`), "element 0: it has no question_id", memory.ErrInvalid},
		{write(t, name, small[:len(small)-3]), "it ends too early", memory.ErrInvalid},
		{write(t, name, small[:len(small)/2]), "it ends too early", memory.ErrInvalid},
		{write(t, name, small+"[]"), "something behind the array", memory.ErrInvalid},
		{changed(`"How many?"`, `["a"]`), "question", memory.ErrInvalid},
		{changed(`"How many?"`, `" "`), "q1 has no question", memory.ErrInvalid},
		{changed(`"answer": 3`, `"answer": null`), "q1 has no answer", memory.ErrInvalid},
		{changed(`"multi-session"`, `"multi"`), `"multi" is none of single-session-user`, memory.ErrInvalid},
		{changed(`"x", "answer_b"`, `"x"`), "4 haystack_sessions, but 3 haystack_session_ids and 4 haystack_dates", memory.ErrInvalid},
		{changed(`"x"`, `""`), "empty name", memory.ErrInvalid},
		{changed(`"haystack_sessions": [[{"role": "user", "content": "here", "has_answer": true}]]`, `"haystack_sessions": []`), "q2_abs has no haystack_sessions", memory.ErrInvalid},
		{changed("2023/05/30 (Tue) 23:40", "30 May"), `question_date: "30 May" is no date`, memory.ErrInvalid},
		{changed("2023/05/21 (Sun) 09:00", "2023-05-21"), `haystack_dates: "2023-05-21" is no date`, memory.ErrInvalid},
		{changed(`"role": "assistant"`, `"role": "system"`), `"system" is neither`, memory.ErrInvalid},
		{changed("q2_abs", "q1"), `"q1" is there twice`, memory.ErrInvalid},
	} {
		_, err := Load(tt.path)
		if !errors.Is(err, tt.is) || errors.Is(err, fs.ErrNotExist) && errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: got %v, want %v alone", tt.reason, err, tt.is)
			continue
		}
		for _, part := range []string{tt.reason, "github.com/xiaowu0162/LongMemEval"} {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, part)
			}
		}
	}
}

// TestCasesAreStreamed reads from a device that breaks behind the second item:
// the first two were given by then, and the data is not to blame.
func TestCasesAreStreamed(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken device")
	whole, behind, _ := strings.Cut(small, "\n]")
	if behind == "" {
		t.Fatal("the file has no end")
	}
	third := whole + ",\n" + `{"question_id": "q3", "question_ty`
	var got []string
	var last error
	for c, err := range cases(io.MultiReader(strings.NewReader(third), iotest.ErrReader(broken))) {
		if last = err; err == nil {
			got = append(got, c.Name)
		}
	}
	if !slices.Equal(got, []string{"q1", "q2_abs"}) || !errors.Is(last, broken) || errors.Is(last, memory.ErrInvalid) {
		t.Errorf("got %q, then %v", got, last)
	}
}

// TestCasesHoldOne counts what is read before a case is given: never more than
// the cases so far and what the decoder asks for at once.
func TestCasesHoldOne(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	if err := longmemevaltest.Generate(&file, 5, longmemevaltest.Options{Each: 20}); err != nil {
		t.Fatal(err)
	}
	total := file.Len()
	counted := &counter{r: &file}
	n := 0
	for _, err := range cases(counted) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 10 && counted.n > total/2 {
			t.Errorf("%d of %d bytes were read for 10 of 124 cases", counted.n, total)
		}
	}
	if n != 124 || counted.n != total {
		t.Errorf("read %d cases in %d of %d bytes", n, counted.n, total)
	}
}

type counter struct {
	r io.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

func TestLoadGenerated(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "longmemeval_s.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(longmemevaltest.Generate(f, 1, longmemevaltest.Options{Each: 3}), f.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := datasettest.Read(t, b)
	want := map[string]int{
		"single-session-user": 4, "single-session-assistant": 3, "single-session-preference": 3,
		"temporal-reasoning": 4, "knowledge-update": 4, "multi-session": 4, "unanswerable": 4,
	}
	if diff := cmp.Diff(want, datasettest.Categories(cases)); diff != "" {
		t.Error(diff)
	}
	for _, c := range cases {
		if !slices.IsSortedFunc(c.Turns, func(a, b eval.Turn) int { return int(a.Occurred.Micros - b.Occurred.Micros) }) {
			t.Errorf("%s is not told in the order of its dates", c.Name)
		}
		if last := c.Turns[len(c.Turns)-1].Occurred; c.Questions[0].Ask.At.Micros <= last.Micros {
			t.Errorf("%s is asked before its history ends", c.Name)
		}
	}
}

// TestNoLabelInTurns: what a system may see of a turn says nothing of the
// question or of which session holds its answer.
func TestNoLabelInTurns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		items := longmemevaltest.Items(seed, longmemevaltest.Options{})
		var file bytes.Buffer
		if err := json.NewEncoder(&file).Encode(items); err != nil {
			t.Fatal(err)
		}
		n := 0
		for c, err := range cases(&file) {
			if err != nil {
				t.Fatal(err)
			}
			it := &items[n]
			n++
			labels := slices.Concat([]string{"answer", "_abs", it.ID, it.Type, it.Question}, it.SessionIDs)
			for i := range c.Turns {
				seen := c.Turns[i]
				seen.IDKey, seen.Session = "", ""
				text, err := json.Marshal(seen)
				if err != nil {
					t.Fatal(err)
				}
				for _, label := range labels {
					if bytes.Contains(text, []byte(label)) {
						t.Errorf("the label %q is in the turn %s", label, text)
					}
				}
				if seen.Speaker != "" || seen.Key != "" || seen.Path != "" || seen.Metadata != nil || seen.Links != nil || seen.Recorded != 0 {
					t.Errorf("a turn carries more than its words, source and date: %+v", seen)
				}
			}
		}
	}
}
