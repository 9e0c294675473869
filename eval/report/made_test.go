package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"engram/eval"
)

// made makes a run by hand: two histories, 24 questions, four of which cannot be
// answered, and four systems of different size. How good a system is at a
// question follows from simple arithmetic, so that all numbers can be recounted.
func made(readers ...string) *Run {
	r := &Run{Dir: "made", Manifest: eval.Manifest{
		Format: eval.ManifestFormat, Benchmark: "made-up", Data: []eval.File{{Name: "made.json", SHA256: "ab12"}},
		Systems: []string{"engram", "bm25", "full", "oracle"}, Readers: readers,
		Options: map[string]map[string]string{"engram": {"ranker": "linear", "abstain": "on"}, "full": {"whole": "true"}, "oracle": {"gold": "true"}},
		Budget:  2000, Seed: 1, Commit: "0123abcd", Questions: 24, Complete: true,
		Started: "2026-11-30T12:00:00Z", Command: "engram eval run made-up --out made", Go: "go1.26", Processors: 2,
	}}
	if len(readers) > 0 {
		r.Manifest.Judges, r.Manifest.Prompts, r.Manifest.PromptsBy = []string{"judge-1", "judge-2"}, "cd34", "engram"
	}
	for _, c := range []string{"one", "two"} {
		for i, system := range r.Manifest.Systems {
			r.Cases = append(r.Cases, eval.CaseRow{Case: c, System: system, Turns: 4, Bytes: int64(i) * 700_000, IngestMS: []float64{1, 2, 3, float64(4 + i)}})
		}
	}
	for q := range 24 {
		for s := range r.Manifest.Systems {
			r.Rows = append(r.Rows, r.row(q, s))
		}
	}
	return r
}

// failing makes some calls of models fail: of the second reader over bm25, and
// of the second judge over full.
func (r *Run) failing(t *testing.T) *Run {
	t.Helper()
	for _, q := range []string{"one/q00", "two/q03", "one/q04"} {
		a := &r.at(t, "bm25", q).Answers[1]
		*a = eval.Answer{Reader: a.Reader, Error: "status 503"}
	}
	v := &r.at(t, "full", "one/q06").Answers[0].Verdicts[1]
	*v = eval.Ruling{Judge: v.Judge, Prompt: v.Prompt, Prompts: v.Prompts, Error: "status 429"}
	return r
}

// row makes a row of question q and the system in place s.
func (r *Run) row(q, s int) eval.Row {
	system := r.Manifest.Systems[s]
	row := eval.Row{
		Benchmark: r.Manifest.Benchmark, Case: []string{"one", "two"}[q%2], Question: fmt.Sprintf("%s/q%02d", []string{"one", "two"}[q%2], q),
		Category: []string{"multi-session", "single-session", "temporal <b>"}[q%3], System: system, Options: r.Manifest.Options[system], Unanswerable: q%6 == 5,
		Context: fmt.Sprintf("%02d%02d", q, s), Tokens: []int{800, 1900, 20_500, 60}[s], History: 20_000,
		Metrics: map[string]float64{}, Seed: r.Manifest.Seed, Commit: r.Manifest.Commit, RecallMS: float64(q+1) * []float64{1, 0.5, 0.01, 0.02}[s],
	}
	good := s == 3 || (q*(s+2))%7 < 5-s
	if system == "engram" {
		row.Weights, row.Fit = "linear-7", eval.HeldOut
		row.Verdict = &eval.Verdict{Answerable: q%6 != 5 || q == 5, Score: float64(q % 6 * -1)}
	}
	if !row.Unanswerable {
		part := float64(q%3) / 4
		row.Metrics["covered"] = max(number(good), part)
		row.Metrics["covered@1k"], row.Metrics["covered@2k"], row.Metrics["covered@4k"], row.Metrics["covered@8k"] = part, max(number(good), part), max(number(good), part), 1
		if system == full {
			row.Metrics["covered"] = 1
		}
		row.Metrics["fact_covered"] = min(1, row.Metrics["covered"]+0.25)
		row.Metrics["answer_in_context"] = number(good)
		if system != full {
			row.Metrics["recall@5"], row.Metrics["recall@10"], row.Metrics["recall@20"] = part, max(part, number(good)), 1
			row.Metrics["ndcg@10"] = 0.9 * number(good)
		}
	}
	if system == "bm25" && q == 8 {
		row.Error, row.Tokens, row.Context = "context: no answer in time", 0, ""
		for m := range row.Metrics {
			row.Metrics[m] = 0
		}
		return row
	}
	for i, reader := range r.Manifest.Readers {
		a := eval.Answer{Reader: reader, Hypothesis: "so", InputTokens: row.Tokens + 50, OutputTokens: 5}
		for j, judge := range r.Manifest.Judges {
			yes := good && (q+i)%5 > 0 && (j == 0 || q != 7)
			a.Verdicts = append(a.Verdicts, eval.Ruling{Judge: judge, Prompt: row.Category, Prompts: "cd34", Correct: yes, Score: number(yes), Raw: "yes or no"})
		}
		row.Answers = append(row.Answers, a)
	}
	return row
}

// at gives the row of a system and a question.
func (r *Run) at(t *testing.T, system, question string) *eval.Row {
	t.Helper()
	for i := range r.Rows {
		if r.Rows[i].System == system && r.Rows[i].Question == question {
			return &r.Rows[i]
		}
	}
	t.Fatalf("no row of %s for %s", system, question)
	return nil
}

// only leaves the rows of some systems.
func (r *Run) only(systems ...string) *Run {
	out := *r
	out.Manifest.Systems, out.Rows, out.Cases = systems, nil, nil
	for _, s := range systems {
		for _, row := range r.Rows {
			if row.System == s {
				out.Rows = append(out.Rows, row)
			}
		}
		for _, c := range r.Cases {
			if c.System == s {
				out.Cases = append(out.Cases, c)
			}
		}
	}
	return &out
}

// save writes a run as eval.Run does and gives its directory.
func (r *Run) save(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, values ...any) {
		var b []byte
		for _, v := range values {
			line, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b = append(append(b, line...), '\n')
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(eval.ManifestFile, r.Manifest)
	var rows, cases []any
	for i := range r.Rows {
		rows = append(rows, r.Rows[i])
	}
	for i := range r.Cases {
		cases = append(cases, r.Cases[i])
	}
	write(eval.RowsFile, rows...)
	write(eval.IngestFile, cases...)
	return dir
}

// report makes the one report of runs.
func report(t *testing.T, runs ...*Run) *Report {
	t.Helper()
	list, err := New(runs...)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("%d reports, want one", len(list))
	}
	return list[0]
}
