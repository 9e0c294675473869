package report

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/memory"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// small is a run of two systems and four questions whose numbers are plain.
func small(t *testing.T) *Run {
	t.Helper()
	r := made("reader-1").only("engram", "full")
	rows := r.Rows
	r.Rows, r.Manifest.Questions = nil, 4
	right := map[string]string{"engram": "yyyn", "full": "nnyn"}
	for _, system := range r.Manifest.Systems {
		n := 0
		for _, row := range rows {
			if row.System != system || row.Unanswerable || n == 4 {
				continue
			}
			yes := right[system][n] == 'y'
			for i := range row.Answers[0].Verdicts {
				row.Answers[0].Verdicts[i].Correct = yes
			}
			row.Metrics = map[string]float64{"covered": number(yes || system == full)}
			r.Rows, n = append(r.Rows, row), n+1
		}
	}
	return r
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	r := report(t, small(t))
	engram := r.Systems["engram"]
	if got := engram.Metrics[accuracy]; !near(got, 0.75) {
		t.Errorf("accuracy is %v, want 3 of 4", got)
	}
	if diff := cmp.Diff(eval.Wilson(3, 4), engram.Intervals[accuracy]); diff != "" {
		t.Error(diff)
	}
	v := engram.VsFull
	if v == nil || v.Questions != 4 || v.Gained != 2 || v.Lost != 0 || !near(v.Gain, 0.5) || !near(v.McNemarP, 0.5) {
		t.Errorf("against full: %+v", v)
	}
	if r.Systems[full].VsFull != nil {
		t.Error("full is tested against itself")
	}
	if got := engram.Metrics["token_ratio"]; !near(got, 0.04) {
		t.Errorf("the ratio of tokens is %v, want 800 of 20000", got)
	}
	want := map[string]float64{"recall_p50": 2, "recall_p95": 4, "ingest_p50": 2, "ingest_p95": 4}
	if diff := cmp.Diff(want, engram.LatencyMS); diff != "" {
		t.Error(diff)
	}
}

// TestErrorsAreWrongAnswers takes everything but the error from a row.
func TestErrorsAreWrongAnswers(t *testing.T) {
	t.Parallel()
	run := small(t)
	row := run.at(t, "engram", "one/q00")
	row.Error, row.Metrics["covered"], row.Answers = "context: no answer", 0, nil
	r := report(t, run)
	engram := r.Systems["engram"]
	if got := engram.Metrics[accuracy]; !near(got, 0.5) {
		t.Errorf("accuracy is %v, want 2 of 4", got)
	}
	if got := engram.Metrics["covered"]; !near(got, 0.5) {
		t.Errorf("covered is %v, want 2 of 4", got)
	}
	if got := engram.Readers[0]; got.Judged != 4 || !near(got.Accuracy, 0.5) {
		t.Errorf("the reader: %+v", got)
	}
	if got := engram.VsFull; got.Questions != 4 || got.Gained != 1 {
		t.Errorf("against full: %+v", got)
	}
}

// TestErrorsOfModelsAreShown: of a dead endpoint nobody shall think that it read.
func TestErrorsOfModelsAreShown(t *testing.T) {
	t.Parallel()
	r := report(t, made("reader-1", "reader-2").failing(t))
	if got := r.Systems["bm25"].Readers; got[0].Errors != 0 || got[1].Errors != 3 || got[1].Judged != 24 {
		t.Errorf("the readers over bm25: %+v", got)
	}
	want := []Judge{{"judge-1", 24, 0}, {"judge-2", 24, 1}}
	if diff := cmp.Diff(want, r.Systems["full"].Readers[0].Judges); diff != "" {
		t.Error(diff)
	}
	// The reader failed three times, and once the whole system.
	if diff := cmp.Diff([]Judge{{"judge-1", 20, 0}, {"judge-2", 20, 0}}, r.Systems["bm25"].Readers[1].Judges); diff != "" {
		t.Error(diff)
	}
	var with, without strings.Builder
	if err := errors.Join(r.Table(&with), report(t, made("reader-1")).Table(&without)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(with.String(), "errors of judge-2") || strings.Contains(without.String(), "errors of") {
		t.Errorf("terminal:\n%s\n%s", with.String(), without.String())
	}
}

func TestTheMainMeasureOfMadeUpWorlds(t *testing.T) {
	t.Parallel()
	r := made()
	if got := report(t, r).Main; got != "covered" {
		t.Errorf("without as_of it is %s", got)
	}
	for i := range r.Rows {
		r.Rows[i].Metrics["as_of"] = 1
	}
	if got := report(t, r).Main; got != "as_of" {
		t.Errorf("with as_of it is %s", got)
	}
}

func TestAnErrorIsTheWorstVerdict(t *testing.T) {
	t.Parallel()
	run := made()
	before := report(t, run).Systems["engram"].Abstention
	for _, q := range []string{"one/q00", "two/q11"} { // one that can be answered and one that cannot
		row := run.at(t, "engram", q)
		row.Error, row.Verdict = "context: no answer", nil
	}
	after := report(t, run).Systems["engram"].Abstention
	if !near(after.Accuracy, before.Accuracy-2.0/24) || after.Answerable != 20 || after.Unanswerable != 4 {
		t.Errorf("accuracy fell from %v to %v", before.Accuracy, after.Accuracy)
	}
	// 20 x 4 pairs: 20 with the first one and 4 with the second are lost, one of them counted twice.
	if want := *before.AUROC - (20+4-1)/80.0; !near(*after.AUROC, want) {
		t.Errorf("AUROC is %v, want %v", *after.AUROC, want)
	}
}

func TestShapeOfJSON(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(report(t, small(t)))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Benchmark string `json:"benchmark"`
		Systems   map[string]struct {
			Metrics    map[string]float64            `json:"metrics"`
			ByCategory map[string]map[string]float64 `json:"by_category"`
			Intervals  map[string]struct{ Low, High *float64 }
			VsFull     *struct {
				P    *float64 `json:"mcnemar_p"`
				Gain *float64 `json:"gain"`
			} `json:"vs_full"`
		} `json:"systems"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	engram := got.Systems["engram"]
	if got.Benchmark != "made-up" || engram.Metrics[accuracy] != 0.75 || engram.Intervals[accuracy].Low == nil || engram.ByCategory["multi-session"]["questions"] != 2 {
		t.Errorf("%s", b)
	}
	if engram.VsFull == nil || engram.VsFull.P == nil || *engram.VsFull.Gain != 0.5 || got.Systems[full].VsFull != nil {
		t.Errorf("vs_full in %s", b)
	}
}

func TestRunsOfTheSameQuestionsAreOneReport(t *testing.T) {
	t.Parallel()
	r := made()
	r.Manifest.Command = "" // as if it were another run
	whole, parts := report(t, r), report(t, r.only("engram"), r.only("bm25", "full", "oracle"))
	parts.Runs, whole.Runs = nil, nil
	if diff := cmp.Diff(asJSON(t, whole), asJSON(t, parts)); diff != "" {
		t.Error(diff)
	}
	less := r.only("engram")
	less.Manifest.Questions, less.Rows = 23, less.Rows[1:]
	data := r.only("engram")
	data.Manifest.Data = []eval.File{{Name: "made.json", SHA256: "another"}}
	for name, other := range map[string]*Run{"the same system": r.only("bm25"), "fewer questions": less, "other data": data} {
		list, err := New(r.only("bm25", "full"), other)
		if err != nil || len(list) != 2 {
			t.Errorf("%s: %d reports, %v; want one each", name, len(list), err)
		}
	}
	if _, err := New(); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("no run: %v", err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
