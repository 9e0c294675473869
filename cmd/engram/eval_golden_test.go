package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/report"
)

// TestScoresOfMadeUpWorlds keeps the scores of the benchmark that needs no data
// in a file, so that a change in quality shows in review.
func TestScoresOfMadeUpWorlds(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	runEngram(t, "eval", "run", "bitemporal", "--system", "engram,bm25,recent", "--seed", "1", "--out", dir)
	run, err := report.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.New(run)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(reports[0].Systems)) {
		s := reports[0].Systems[name]
		writeScores(&b, name, s.Metrics)
		for _, category := range slices.Sorted(maps.Keys(s.ByCategory)) {
			writeScores(&b, name+", "+category, s.ByCategory[category])
		}
	}
	golden := filepath.Join("testdata", "bitemporal_scores.golden")
	if *update {
		write(t, golden, b.String())
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the scores have changed (go test ./cmd/engram -update writes them anew):\n%s", diff)
	}
}

func writeScores(b *strings.Builder, name string, metrics map[string]float64) {
	fmt.Fprintln(b, name)
	for _, m := range []string{"as_of", "answer_in_context", "recall@10", "covered@1k", "covered@2k", "covered", "tokens"} {
		if v, ok := metrics[m]; ok {
			fmt.Fprintf(b, "  %-18s %.3f\n", m, v)
		}
	}
}
