// Package datasettest holds what tests of the readers of benchmarks share. It
// may import eval and the standard library.
package datasettest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"engram/eval"
)

// Shared gives a file of the public benchmarks, which are not part of the
// repository: data/name below $ENGRAM_SHARED, or below ../shared beside the
// repository. The test is skipped if it is not there.
func Shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("ENGRAM_SHARED")
	if root == "" {
		root = filepath.Join(repository(t), "..", "shared")
	}
	path := filepath.Join(root, "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; set ENGRAM_SHARED to the directory that holds data/%s", path, name)
	}
	return path
}

// repository is the next directory above the test that holds go.mod.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the test does not run inside the repository")
		}
	}
}

// Write makes a file with the directories that lead to it.
func Write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Read gives all cases of a benchmark and fails where they break what Benchmark
// promises: questions have a text, an id of their own and evidence among their
// turns in the order of these, none if they are unanswerable, and there are as
// many as the benchmark says.
func Read(t *testing.T, b *eval.Benchmark) []*eval.Case {
	t.Helper()
	var cases []*eval.Case
	ids := map[string]bool{}
	for c, err := range b.Cases {
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
		place := places(t, c)
		for i := range c.Questions {
			q := &c.Questions[i]
			if q.ID == "" || ids[q.ID] {
				t.Errorf("the id %q is missing or there twice", q.ID)
			}
			ids[q.ID] = true
			checkQuestion(t, q, place)
		}
	}
	if b.Questions != 0 && b.Questions != len(ids) {
		t.Errorf("there are %d questions, the benchmark says %d", len(ids), b.Questions)
	}
	return cases
}

// places gives the places of turns by their keys.
func places(t *testing.T, c *eval.Case) map[string]int {
	t.Helper()
	place := map[string]int{}
	for i := range c.Turns {
		turn := &c.Turns[i]
		if _, twice := place[turn.IDKey]; twice || turn.IDKey == "" {
			t.Errorf("%s: the key %q is missing or there twice", c.Name, turn.IDKey)
		}
		if err := turn.Validate(); err != nil {
			t.Errorf("%s: %v", turn.IDKey, err)
		}
		place[turn.IDKey] = i
	}
	return place
}

func checkQuestion(t *testing.T, q *eval.Question, place map[string]int) {
	t.Helper()
	if q.Ask.Text == "" || q.Category == "" {
		t.Errorf("%s has no text or no category", q.ID)
	}
	if q.Unanswerable == (len(q.Evidence) > 0) {
		t.Errorf("%s: unanswerable is %t, but the evidence is %q", q.ID, q.Unanswerable, q.Evidence)
	}
	if !q.Unanswerable && q.Answer == "" {
		t.Errorf("%s has no answer", q.ID)
	}
	last := -1
	for _, key := range q.Evidence {
		at, ok := place[key]
		if !ok || at <= last {
			t.Errorf("%s: the evidence %q is not in the case, or not in its order", q.ID, q.Evidence)
		}
		last = at
	}
}

// Categories counts the questions by category; "unanswerable" counts those
// that have no answer too.
func Categories(cases []*eval.Case) map[string]int {
	counts := map[string]int{}
	for _, c := range cases {
		for i := range c.Questions {
			counts[c.Questions[i].Category]++
			if c.Questions[i].Unanswerable {
				counts["unanswerable"]++
			}
		}
	}
	return counts
}

// Names lists the files of a benchmark and fails where one has no digest.
func Names(t *testing.T, b *eval.Benchmark) []string {
	t.Helper()
	names := map[string]bool{}
	for _, f := range b.Data {
		if len(f.SHA256) != 64 || names[f.Name] {
			t.Errorf("file %+v has no digest or is there twice", f)
		}
		names[f.Name] = true
	}
	return slices.Sorted(maps.Keys(names))
}
