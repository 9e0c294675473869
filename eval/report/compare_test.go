package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval"
	"engram/memory"
)

func compare(t *testing.T, a, b *Run) *Comparison {
	t.Helper()
	c, err := Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLatenciesAreNoDifference(t *testing.T) {
	t.Parallel()
	b := made("reader-1")
	for i := range b.Rows {
		b.Rows[i].RecallMS *= 2
	}
	c := compare(t, made("reader-1"), b)
	if c.Differing != 0 || c.Rows != 96 || len(c.Systems["engram"].Questions) != 0 {
		t.Errorf("%d of %d rows differ, want 0 of 96", c.Differing, c.Rows)
	}
	if !strings.Contains(asJSON(t, c), `"differing": 0`) {
		t.Error("the JSON does not say so")
	}
}

func TestTheCommitIsNoDifference(t *testing.T) {
	t.Parallel()
	b := made()
	b.Manifest.Commit = "ffff"
	for i := range b.Rows {
		b.Rows[i].Commit = "ffff"
	}
	c := compare(t, made(), b)
	if c.Differing != 0 || c.Unlike != nil || c.IncompleteA+c.IncompleteB != "" {
		t.Errorf("%d rows differ, unlike %q, incomplete %q %q", c.Differing, c.Unlike, c.IncompleteA, c.IncompleteB)
	}
	var text strings.Builder
	if err := c.Table(&text); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"first run: commit 0123abcd\n", "second run: commit ffff\n"} {
		if !strings.Contains(text.String(), s) {
			t.Errorf("no %q in:\n%s", s, text.String())
		}
	}
}

// TestUnlikeRunsAreMarked: with other data, budgets or seeds, or before the end,
// a change may come from there.
func TestUnlikeRunsAreMarked(t *testing.T) {
	t.Parallel()
	b := made()
	b.Manifest.Data, b.Manifest.Budget, b.Manifest.Seed = []eval.File{{Name: "made.json", SHA256: "another"}}, 4000, 2
	for i := range b.Rows {
		b.Rows[i].Seed = 2
	}
	b.Manifest.Complete, b.Rows = false, b.Rows[:90]
	for i, c := range []*Comparison{compare(t, made(), b), compare(t, b, made())} {
		if diff := cmp.Diff([]string{"data", "budget", "seed"}, c.Unlike); diff != "" {
			t.Error(diff)
		}
		const status = "incomplete: 90 of 96 rows"
		if got := []string{c.IncompleteA, c.IncompleteB}; got[i] != "" || got[1-i] != status {
			t.Errorf("incomplete: %q", got)
		}
		var text strings.Builder
		if err := c.Table(&text); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"not the same in both runs: data, budget, seed", []string{"second run: commit 0123abcd – ", "first run: commit 0123abcd – "}[i] + status} {
			if !strings.Contains(text.String(), s) {
				t.Errorf("no %q in:\n%s", s, text.String())
			}
		}
		if js := asJSON(t, c); !strings.Contains(js, `"unlike"`) || !strings.Contains(js, []string{`"incomplete_b"`, `"incomplete_a"`}[i]) {
			t.Error("the JSON does not say so")
		}
	}
}

func TestWhatChanged(t *testing.T) {
	t.Parallel()
	b := small(t)
	b.at(t, "engram", "one/q00").Metrics["covered"] = 0.5             // fell from 1
	b.at(t, "engram", "two/q03").Metrics["covered"] = 0.25            // rose from 0
	for i := range b.at(t, "engram", "two/q03").Answers[0].Verdicts { // turned right
		b.at(t, "engram", "two/q03").Answers[0].Verdicts[i].Correct = true
	}
	b.at(t, "full", "one/q02").Answers[0].Hypothesis = "in other words" // differs, measured the same
	c := compare(t, small(t), b)
	if c.Differing != 3 || c.Systems["engram"].Differing != 2 || c.Systems[full].Differing != 1 || c.Contexts != 0 {
		t.Errorf("differing: %d, %d and %d", c.Differing, c.Systems["engram"].Differing, c.Systems[full].Differing)
	}
	if diff := cmp.Diff(&Shift{A: 0.75, B: 0.6875, Gain: -0.0625, Interval: eval.Interval95{Low: -0.375, High: 0.1875}, Rose: 1, Fell: 1, Same: 2, SignP: 1}, c.Systems["engram"].Metrics["covered"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Turned{{Reader: "reader-1", A: 0.75, B: 1, Right: []string{"two/q03"}, Wrong: []string{}, McNemarP: 1}}, c.Systems["engram"].Readers); diff != "" {
		t.Error(diff)
	}
	want := []Change{
		{Question: "one/q00", Category: "multi-session", Metrics: map[string][2]float64{"covered": {1, 0.5}}},
		{Question: "two/q03", Category: "multi-session", Metrics: map[string][2]float64{"covered": {0, 0.25}, "accuracy:reader-1": {0, 1}}},
	}
	if diff := cmp.Diff(want, c.Systems["engram"].Questions); diff != "" {
		t.Error(diff)
	}
}

// TestWhatIsInOneRunOnly: rows that were never made are differences, systems
// that were not asked for are not.
func TestWhatIsInOneRunOnly(t *testing.T) {
	t.Parallel()
	b := made().only("engram", "full")
	b.Manifest.Complete, b.Rows = false, b.Rows[2:]
	c := compare(t, made(), b)
	if c.Differing != 2 || c.Rows != 46 {
		t.Errorf("%d of %d rows differ", c.Differing, c.Rows)
	}
	if diff := cmp.Diff([]string{"one/q00", "two/q01"}, c.Systems["engram"].Missing); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"bm25", "oracle"}, c.OnlyA); diff != "" || c.OnlyB != nil {
		t.Error(diff, c.OnlyB)
	}
}

func TestRunsThatCannotBeCompared(t *testing.T) {
	t.Parallel()
	other := made()
	other.Manifest.Benchmark = "another"
	for i := range other.Rows {
		other.Rows[i].Benchmark = "another"
	}
	if _, err := Compare(made(), other); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("of two benchmarks: %v", err)
	}
	if _, err := Compare(made().only("engram"), made().only("full")); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("of different systems: %v", err)
	}
	if _, err := json.Marshal(compare(t, made(), made())); err != nil {
		t.Error(err)
	}
}
