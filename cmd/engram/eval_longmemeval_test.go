package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/eval/longmemeval/longmemevaltest"
	"engram/llm"
	"engram/llm/llmtest"
)

// evaluationScript has the shape of the script that the benchmark publishes.
const evaluationScript = `def get_anscheck_prompt(task, question, answer, response, abstention=False):
    if not abstention:
        if task in ['single-session-user', 'single-session-assistant', 'multi-session']:
            template = "Same?\n\nQ: {}\n\nA: {}\n\nR: {}\n\nyes or no"
        elif task == 'temporal-reasoning':
            template = "Same time?\n\nQ: {}\n\nA: {}\n\nR: {}\n\nyes or no"
        elif task == 'knowledge-update':
            template = "Newest?\n\nQ: {}\n\nA: {}\n\nR: {}\n\nyes or no"
        elif task == 'single-session-preference':
            template = "Liked?\n\nQ: {}\n\nA: {}\n\nR: {}\n\nyes or no"
    else:
        template = "Withheld?\n\nQ: {}\n\nWhy: {}\n\nR: {}\n\nyes or no"
`

// weakModels answer as a weak reader would, and judge by the letter: the same
// request always gets the same answer, after whatever trouble.
type weakModels struct {
	calls atomic.Int64
	after int64         // so many calls
	hit   chan struct{} // is closed
}

func (w *weakModels) answer() func(llmtest.Asked) llmtest.Reply {
	return func(a llmtest.Asked) llmtest.Reply {
		n := w.calls.Add(1)
		switch n {
		case 3, 30, 31:
			return llmtest.Reply{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"0"}}}
		case 5:
			return llmtest.Reply{Text: "cut", Cut: true}
		case 7:
			return llmtest.Reply{Text: "x", Garbled: true}
		case atomic.LoadInt64(&w.after):
			close(w.hit)
		}
		prompt := a.Request.Messages[0].Text
		if a.Model == "judge" {
			_, response, _ := strings.Cut(prompt, "\nR: ")
			return llmtest.Reply{Text: map[bool]string{true: "Yes.", false: "No."}[len(response)%2 == 0], Usage: llm.Usage{Input: 10, Output: 1}}
		}
		return llmtest.Reply{Text: "It is " + strings.Repeat("x", len(prompt)%7), Usage: llm.Usage{Input: len(prompt), Output: 3}}
	}
}

// TestLongMemEvalEndToEnd runs the whole path on a made-up file: ingest, read
// through an endpoint that misbehaves, judge by the benchmark's own prompts,
// export, report; a run that is killed goes on to the same result.
func TestLongMemEvalEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, script := filepath.Join(dir, "longmemeval_s.json"), filepath.Join(dir, "evaluate_qa.py")
	var file bytes.Buffer
	if err := longmemevaltest.Generate(&file, 1, longmemevaltest.Options{Each: 2, Sessions: 6}); err != nil {
		t.Fatal(err)
	}
	write(t, data, file.String())
	write(t, script, evaluationScript)

	var models weakModels
	server := llmtest.NewOpenAI(t, models.answer())
	args := func(out string, more ...string) []string {
		return append([]string{
			"eval", "run", "longmemeval", "--data", data, "--system", "engram,full,oracle", "--model", "none", "--out", filepath.Join(dir, out), "--cache", filepath.Join(dir, "cache-"+out),
			"--reader", "openai:small@" + server.URL, "--reader", "openai:large@" + server.URL, "--judge", "openai:judge@" + server.URL,
			"--judge-prompts", script, "--price", "openai:small@" + server.URL + "=1/2",
		}, more...)
	}
	stderr := runEngram(t, args("whole")...)
	if !strings.Contains(stderr, "$") {
		t.Errorf("the cost is not shown: %s", stderr)
	}
	want := longMemEvalRows(t, filepath.Join(dir, "whole"))
	checkLongMemEval(t, want)

	// The same again costs nothing: every answer is kept.
	before := models.calls.Load()
	runEngram(t, args("again", "--cache", filepath.Join(dir, "cache-whole"))...)
	if n := models.calls.Load() - before; n != 0 {
		t.Errorf("%d calls were made again", n)
	}
	if diff := cmp.Diff(want, longMemEvalRows(t, filepath.Join(dir, "again"))); diff != "" {
		t.Error(diff)
	}

	models.hit = make(chan struct{})
	atomic.StoreInt64(&models.after, models.calls.Load()+60)
	if n := longMemEvalKilled(t, models.hit, args("killed"), filepath.Join(dir, "killed")); n >= len(want) {
		t.Fatal("the run was over before it was killed")
	}
	runEngram(t, args("killed", "--resume")...)
	if diff := cmp.Diff(want, longMemEvalRows(t, filepath.Join(dir, "killed"))); diff != "" {
		t.Error(diff)
	}
	checkLongMemEvalReport(t, filepath.Join(dir, "killed"), len(want)/3)
}

// longMemEvalKilled runs the program as a process of its own, kills it in the
// middle, and gives how many rows it had written.
func longMemEvalKilled(t *testing.T, middle <-chan struct{}, args []string, dir string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "engram-process", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-middle:
	case err := <-ended:
		t.Fatalf("the run ended by itself: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	return len(longMemEvalRows(t, dir))
}

func longMemEvalRows(t *testing.T, dir string) []eval.Row {
	t.Helper()
	rows, err := eval.ReadLines[eval.Row](filepath.Join(dir, eval.RowsFile))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		rows[i].RecallMS = 0
	}
	return rows
}

func checkLongMemEval(t *testing.T, rows []eval.Row) {
	t.Helper()
	prompts := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Error != "" || len(r.Answers) != 2 {
			t.Fatalf("row %+v", r)
		}
		for _, a := range r.Answers {
			if a.Error != "" || len(a.Verdicts) != 1 || a.Verdicts[0].Error != "" || a.Verdicts[0].Raw == "" || len(a.Verdicts[0].Prompts) != 64 {
				t.Fatalf("answer %+v", a)
			}
			prompts[a.Verdicts[0].Prompt] = true
			if r.Unanswerable != (a.Verdicts[0].Prompt == "abstention") {
				t.Errorf("%s is judged by %s", r.Question, a.Verdicts[0].Prompt)
			}
		}
	}
	if len(prompts) != 7 {
		t.Errorf("judged by %v", prompts)
	}
}

func checkLongMemEvalReport(t *testing.T, dir string, questions int) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(dir, "hypotheses", "engram."+hypothesisName(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(file, []byte("\n")); n != questions || !bytes.Contains(file, []byte(`_abs","hypothesis":"It is`)) {
		t.Errorf("%d hypotheses of %d questions:\n%s", n, questions, file)
	}
	var out bytes.Buffer
	a := newApp()
	a.stdout, a.stderr = &out, &out
	if code := a.run(t.Context(), []string{"eval", "report", dir, "--json"}); code != exitOK {
		t.Fatalf("report: exit code %d: %s", code, &out)
	}
	var got struct {
		Systems map[string]struct {
			Metrics map[string]float64 `json:"metrics"`
			VsFull  *struct {
				P *float64 `json:"mcnemar_p"`
			} `json:"vs_full"`
		} `json:"systems"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Systems) != 3 || got.Systems["engram"].VsFull == nil || got.Systems["engram"].VsFull.P == nil {
		t.Errorf("report %s", &out)
	}
}

// hypothesisName gives the file of the first reader, whose name has a port in it.
func hypothesisName(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "hypotheses", "engram.openai-small-*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("hypotheses %v, %v", files, err)
	}
	return strings.TrimPrefix(filepath.Base(files[0]), "engram.")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// runEngram runs a command line that must succeed, without a model of meaning,
// and gives its stderr.
func runEngram(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := newApp()
	a.stdout, a.stderr, a.embedder = &out, &errs, nil
	if code := a.run(t.Context(), args); code != exitOK {
		t.Fatalf("engram %s: exit code %d: %s", strings.Join(args, " "), code, &errs)
	}
	return errs.String()
}
