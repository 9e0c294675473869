package report

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/memory"
)

// TestIntegrity plants a breach of each rule into a run that is sound.
func TestIntegrity(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		plant func(*testing.T, *Run)
		want  string
	}{
		"in-fold score": {func(t *testing.T, r *Run) { r.at(t, "engram", "one/q04").Fit = eval.InFold },
			"in-fold numbers are no result"},
		"unknown fit": {func(t *testing.T, r *Run) { r.at(t, "engram", "one/q04").Fit = "trust me" }, "trust me"},
		"truncated baseline": {func(t *testing.T, r *Run) { r.at(t, "full", "two/q05").Tokens = 19_000 },
			"full was truncated without saying so: for two/q05 it gave 19000 tokens and says that it cut 0, of a history of 20000"},
		"truncated baseline that hides the size of the history": {func(t *testing.T, r *Run) {
			row := r.at(t, "full", "two/q05")
			row.Tokens, row.History = 19_000, 19_000
		}, "engram and full differ in the size of the history, 20000 and 19000 tokens, for two/q05"},
		"truncated baseline within the slack of its headings": {func(t *testing.T, r *Run) {
			row := r.at(t, "full", "one/q04")
			row.Tokens, row.Metrics["covered"] = 20_001, 0.5
		}, "full was truncated without saying so: for one/q04 it holds 50.0 % of the evidence and says that it cut nothing"},
		"truncated baseline that cut less than is missing": {func(t *testing.T, r *Run) {
			row := r.at(t, "full", "two/q05")
			row.Tokens, row.Cut = 8_000, 11_999
		}, "says that it cut 11999"},
		"truncated system that claims to be whole": {func(_ *testing.T, r *Run) {
			r.Manifest.Options["bm25"] = map[string]string{"whole": "true"}
			for i := range r.Rows {
				r.Rows[i].Options = r.Manifest.Options[r.Rows[i].System]
			}
		}, "bm25 was truncated"},
		"duplicated row":    {func(_ *testing.T, r *Run) { r.Rows = append(r.Rows, r.Rows[7]) }, "has two rows for"},
		"missing row":       {func(_ *testing.T, r *Run) { r.Rows = r.Rows[1:] }, "engram has no row for one/q00"},
		"missing question":  {func(_ *testing.T, r *Run) { r.Rows = r.Rows[4:] }, "rows for 23 questions, and 24 were asked"},
		"question too many": {func(_ *testing.T, r *Run) { r.Manifest.Questions = 23 }, "rows for 24 questions, and 23 were asked"},
		"other commit":      {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Commit = "ffff" }, `commit "ffff"`},
		"other seed":        {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Seed = 2 }, "seed 2"},
		"other benchmark":   {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Benchmark = "easy" }, "easy"},
		"unknown system":    {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").System = "bm26" }, `"bm26"`},
		"another category":  {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Category = "easy" }, "engram and bm25 differ in the case or category for one/q00"},
		"another answer to whether there is one": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Unanswerable = true },
			"engram and bm25 differ in whether there is an answer for one/q00"},
		"share above 1": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Metrics["recall@10"] = 1.01 },
			"bm25 has a recall@10 of 1.01 for one/q00, which is no share"},
		"share below 0": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Metrics["mrr"] = -0.5 }, "bm25 has a mrr of -0.5 for one/q00"},
		"context over the budget": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Tokens = 2001 },
			"bm25 gave 2001 tokens for one/q00, and the budget is 2000"},
		"negative tokens": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Tokens = -1 }, "bm25 has fewer than no tokens for one/q00"},
		"weights of unknown origin": {func(t *testing.T, r *Run) { r.at(t, "engram", "one/q04").Fit = eval.Unfitted },
			`engram was ranked by the weights "linear-7" for one/q04 and does not say whether they have seen its case`},
		"other options": {func(t *testing.T, r *Run) {
			r.at(t, "engram", "one/q04").Options = map[string]string{"ranker": "rrf", "abstain": "on"}
		}, `the row of engram for one/q04 was made with the options "abstain=on ranker=rrf", and the run with "abstain=on ranker=linear"`},
		"options of none": {func(t *testing.T, r *Run) { r.at(t, "oracle", "one/q04").Options = nil }, `the options "", and the run with "gold=true"`},
		"measure left out": {func(t *testing.T, r *Run) { delete(r.at(t, "oracle", "one/q04").Metrics, "covered@2k") },
			"oracle has no covered@2k for one/q04, by which engram is measured"},
		"measure left out by the first one": {func(t *testing.T, r *Run) { delete(r.at(t, "engram", "one/q04").Metrics, "covered") },
			"engram has no covered for one/q04, by which bm25 is measured"},
		"measures left out of an error": {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q08").Metrics = nil }, "bm25 has no covered for one/q08"},
		"answer missing":                {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Answers = nil }, "bm25 has 0 answers to one/q00 of 1 readers"},
		"verdict missing":               {func(t *testing.T, r *Run) { r.at(t, "bm25", "one/q00").Answers[0].Verdicts = nil }, "0 verdicts of 2 judges"},
		"answer twice": {func(t *testing.T, r *Run) {
			a := r.at(t, "bm25", "one/q00")
			a.Answers = append(a.Answers, a.Answers[0])
		}, "two answers"},
		"case heard twice":     {func(_ *testing.T, r *Run) { r.Cases = append(r.Cases, r.Cases[0]) }, "engram has two rows for hearing one"},
		"case that none heard": {func(_ *testing.T, r *Run) { r.Cases = r.Cases[1:] }, "engram has no row for hearing one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := made("reader-1")
			if err := r.verify(); err != nil {
				t.Fatalf("the sound run is refused: %v", err)
			}
			tt.plant(t, r)
			loaded, err := Load(r.save(t))
			if err != nil {
				t.Fatal(err)
			}
			_, err = New(loaded)
			if !errors.Is(err, errIntegrity) || !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New: %v, want %q", err, tt.want)
			}
			if _, err := Compare(made("reader-1"), loaded); !errors.Is(err, errIntegrity) {
				t.Errorf("Compare: %v", err)
			}
		})
	}
}

func TestHonestCutsAndErrorsAreNoBreach(t *testing.T) {
	t.Parallel()
	r := made()
	row := r.at(t, "full", "two/q05")
	row.Tokens, row.Cut = 8_000, 12_100
	row = r.at(t, "full", "two/q03")
	row.Tokens, row.Cut, row.Metrics["covered"] = 20_000, 500, 0.5
	row = r.at(t, "full", "two/q07")
	row.Tokens, row.Error, row.Metrics["covered"] = 0, "ingest: no room", 0
	row = r.at(t, "oracle", "one/q00")
	row.Tokens = 3_000 // it is told the evidence, however much that is
	if err := r.verify(); err != nil {
		t.Error(err)
	}
	if got := report(t, r).Systems["full"]; got.Cut != 2 || got.Errors != 1 {
		t.Errorf("%d rows cut and %d errors, want 2 and 1", got.Cut, got.Errors)
	}
}

func TestIncompleteRunsAreMarked(t *testing.T) {
	t.Parallel()
	r := made()
	r.Rows, r.Manifest.Complete, r.Manifest.Questions = r.Rows[:10], false, 0
	loaded, err := Load(r.save(t))
	if err != nil {
		t.Fatal(err)
	}
	rep := report(t, loaded)
	const want = "incomplete: 10 of at least 12 rows"
	if rep.Incomplete != want {
		t.Errorf("the mark is %q, want %q", rep.Incomplete, want)
	}
	var md, page, table strings.Builder
	if err := errors.Join(Markdown(&md, rep), HTML(&page, rep), rep.Table(&table)); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{md.String(), page.String(), table.String()} {
		if !strings.Contains(s, want) {
			t.Errorf("no mark in:\n%s", s)
		}
	}
	loaded.Rows = append(loaded.Rows, loaded.Rows[0])
	if err := loaded.verify(); !errors.Is(err, errIntegrity) {
		t.Errorf("a duplicated row of an incomplete run: %v", err)
	}
}

func TestArchivedRunsAreLoaded(t *testing.T) {
	t.Parallel()
	dir := made("reader-1").save(t)
	plain, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{eval.RowsFile, eval.IngestFile} {
		path := filepath.Join(dir, name)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(z.Close(), os.WriteFile(path+".gz", packed.Bytes(), 0o600), os.Remove(path)); err != nil {
			t.Fatal(err)
		}
	}
	archived, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain, archived); diff != "" {
		t.Error(diff)
	}
	if err := archived.verify(); err != nil {
		t.Error(err)
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	if _, err := Load(t.TempDir()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("no run: %v", err)
	}
	spoil := func(file, text string) error {
		dir := made().save(t)
		path := filepath.Join(dir, file)
		if text == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir)
		return err
	}
	for _, tt := range []struct {
		file, text, want string
		is               error
	}{
		{eval.ManifestFile, "{", "no manifest", memory.ErrInvalid},
		{eval.ManifestFile, `{"format": 99}`, "format 1", memory.ErrInvalid},
		{eval.RowsFile, "", "neither rows.jsonl nor rows.jsonl.gz", fs.ErrNotExist},
		{eval.RowsFile, "{\n{}\n", "line 1", memory.ErrInvalid},
		{eval.RowsFile, `{"question_id": `, "no rows yet", memory.ErrInvalid}, // cut off by a crash
		{eval.IngestFile, "", "neither ingest.jsonl nor ingest.jsonl.gz", fs.ErrNotExist},
		{eval.IngestFile, "[]\n", "line 1", memory.ErrInvalid},
	} {
		if err := spoil(tt.file, tt.text); !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want %q", tt.file, tt.text, err, tt.want)
		}
	}
}
