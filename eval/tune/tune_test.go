package tune

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram"
	"engram/embedding/embeddingtest"
	"engram/eval"
	"engram/memory"
	"engram/recall"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestTell(t *testing.T) {
	t.Parallel()
	turns, cases := 0, tiny()
	b, err := Tell(t.Context(), eval.Of("tiny", cases), opener(t), func() { turns++ })
	if err != nil || turns != 8 || len(b.Cases) != 2 {
		t.Fatalf("%d turns of %d cases, %v", turns, len(b.Cases), err)
	}
	for i := range b.Cases {
		c := &b.Cases[i]
		s, done, err := b.ask(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.List(t.Context(), memory.Filter{}, memory.AsOf{}, 0, 0)
		done()
		if err != nil || len(list) != len(c.Turns) {
			t.Fatalf("%s holds %d episodes, %v", c.Name, len(list), err)
		}
		for j, e := range list { // nothing of the questions is there
			if want := c.Turns[j]; e.Text != want.Text || c.keys[e.Seq] != want.IDKey || len(e.Metadata) != 0 {
				t.Errorf("%s: episode %d is %+v", c.Name, j, e)
			}
		}
	}
	if strict := b.Cases[1].strict[0]; len(strict) != 1 || strict[0].Index < 20 {
		t.Errorf("the part that holds the answer is %+v", strict)
	}
	broken := &eval.Benchmark{Name: "broken", Cases: func(yield func(*eval.Case, error) bool) { yield(nil, memory.ErrInvalid) }}
	if _, err := Tell(t.Context(), broken, opener(t), nil); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a benchmark that cannot be read: %v", err)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	d := gathered(t, Options{}, told(t, "tiny", tiny(), opener(t)))
	rows, err := d.Ask(t.Context(), builtinWeights(t), Fold{})
	if err != nil {
		t.Fatal(err)
	}
	all := func(v float64) map[string]float64 {
		m := map[string]float64{}
		for _, name := range []string{"recall@5", "recall@10", "recall@20", "ndcg@10", "session_recall@10"} {
			m[name] = v
		}
		for _, budget := range []string{"1k", "2k", "4k", "8k"} {
			m["covered@"+budget], m["any_part@"+budget] = v, v
		}
		return m
	}
	half, long := all(0.5), all(1)
	half["ndcg@10"] = 1 / (1 + 1/math.Log2(3)) // the first place of two
	want := map[string]map[string]float64{"one/first": all(1), "one/half": half, "one/none": all(0), "two/long": long, "two/otter": all(1)}
	foreign := 0
	for _, r := range rows {
		if r.Verdict == nil || r.Benchmark != "tiny" || r.Fit != eval.HeldOut || r.Weights == "" {
			t.Errorf("row %+v", r)
		}
		if r.Unanswerable {
			if len(r.Metrics) != 0 {
				t.Errorf("%s: evidence that is not there was measured", r.Question)
			}
			if r.Category == foreignCategory {
				foreign++
			}
			continue
		}
		if r.Question == "two/long" { // below 4k it depends on where the part that answers is ranked
			for _, small := range []string{"covered@1k", "covered@2k"} {
				delete(r.Metrics, small)
				delete(want[r.Question], small)
			}
		}
		for name := range want[r.Question] {
			if !near(r.Metrics[name], want[r.Question][name]) {
				t.Errorf("%s: %s is %v, want %v", r.Question, name, r.Metrics[name], want[r.Question][name])
			}
		}
		if len(r.Metrics) != len(want[r.Question]) {
			t.Errorf("row %+v", r)
		}
	}
	if len(rows) != 6+5 || foreign != 5 {
		t.Errorf("%d rows, %d foreign", len(rows), foreign)
	}
	list, err := Summarise(rows, "somehow")
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s := list[0]
	if s.Benchmark != "tiny" || s.Questions != 5 || !near(s.Metrics["recall@5"], (1+0.5+0+1+1)/5.0) ||
		!near(s.ByCategory["hard"]["recall@5"], 0.5) || s.ByCategory["easy"]["questions"] != 2 {
		t.Errorf("summary %+v", s)
	}
	if s.Metrics["withheld_unanswerable"] != 1 || s.Metrics["auroc_unanswerable"] < 0.5 || s.Metrics["auroc_foreign"] == 0 {
		t.Errorf("of what was never said: %v", s.Metrics)
	}
}

// A sentence in the pinned block is some of its turn, not the whole.
func TestExcerptsAreNotCovered(t *testing.T) {
	t.Parallel()
	d := gathered(t, Options{}, told(t, "pins", []eval.Case{{
		Name:      "one",
		Turns:     []eval.Turn{said("k1", "s", "I went out. Always answer in English. It rained."), said("k2", "s", "The heron came.")},
		Questions: []eval.Question{asked("q", "", "quetzal?", "English", "k1")},
	}}, opener(t)))
	rows, err := d.Ask(t.Context(), builtinWeights(t), Fold{})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if m := rows[0].Metrics; m["covered@2k"] != 0 || m["any_part@2k"] != 1 {
		t.Errorf("covered %v, any part %v", m["covered@2k"], m["any_part@2k"])
	}
}

// Of the long message, only the part that answers is a candidate.
func TestGroups(t *testing.T) {
	t.Parallel()
	b := told(t, "tiny", tiny(), opener(t))
	d := gathered(t, Options{Without: []string{"window"}}, b)
	width := len(recall.FittedNames(false))
	window := slices.Index(recall.FittedNames(false), "window")
	want := []struct {
		name                string
		positive, negatives int
	}{{"one", 1, 1}, {"one", 1, 0}, {"one", 0, 0}, {"one", 0, 1}, {"two", 1, 0}, {"two", 1, 1}}
	if len(d.groups) != len(want) {
		t.Fatalf("%d groups", len(d.groups))
	}
	for i, want := range want {
		g, positive := d.groups[i], 0
		for _, p := range g.Positive {
			if p {
				positive++
			}
		}
		if g.Set != "tiny" || g.Case != want.name || len(g.Features) != width*len(g.Positive) || positive != want.positive || len(g.Positive)-positive != want.negatives {
			t.Errorf("group %d: %s/%s, %d values for %d candidates, %d positive", i, g.Set, g.Case, len(g.Features), len(g.Positive), positive)
		}
		for j := window; j < len(g.Features); j += width {
			if g.Features[j] != 0 {
				t.Error("a feature that is left out has a value")
			}
		}
	}
	if _, err := Gather(t.Context(), []*Bench{b}, Options{Without: []string{"cosine"}}); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "none of window") {
		t.Errorf("an unknown feature: %v", err)
	}
}

// The weights of a fold are fitted without what it tests, and reach the engine.
func TestCrossValidate(t *testing.T) {
	t.Parallel()
	open := opener(t)
	seen := map[string][]string{} // fingerprints that the weights of a case have seen
	recording := func(ctx context.Context, name string, w *recall.Weights, now time.Time) (*engram.Engine, error) {
		if w != nil && w.Verdict.Threshold > 0 {
			seen[name] = w.Provenance.Sets[0].Prints
		}
		return open(ctx, name, w, now)
	}
	b := told(t, "tiny", tiny(), recording)
	d := gathered(t, Options{}, b)
	steps := 0
	rows, fitted, err := d.CrossValidate(t.Context(), LeaveOneCaseOut(b), func() { steps++ })
	if err != nil || steps != 2 || len(fitted) != 2 {
		t.Fatalf("%d folds, %v", steps, err)
	}
	// The first case has a question without an answer, so a fit on it can judge.
	if diff := cmp.Diff(map[string][]string{"tiny/two": {b.Cases[0].Print}}, seen); diff != "" {
		t.Error(diff)
	}
	var ids []string
	for _, r := range rows {
		if r.Category != foreignCategory {
			ids = append(ids, r.Question)
		}
		if r.Fit != eval.HeldOut {
			t.Errorf("%s is %s", r.Question, r.Fit)
		}
	}
	if diff := cmp.Diff([]string{"one/first", "one/half", "one/none", "one/never", "two/long", "two/otter"}, ids); diff != "" {
		t.Error(diff)
	}
	if _, _, err := d.CrossValidate(t.Context(), LeaveOneBenchmarkOut(b), nil); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("with nothing left to fit on: %v", err)
	}
}

// Weights that have seen a case give no result on it.
func TestNumbersInFoldAreNoResult(t *testing.T) {
	t.Parallel()
	b := told(t, "tiny", tiny(), opener(t))
	d := gathered(t, Options{}, b)
	w, err := d.Fit(t.Context(), Fold{Benchmark: "tiny", Case: "two"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := d.Ask(t.Context(), w, Fold{Benchmark: "tiny", Case: "two"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Summarise(rows, ""); err != nil {
		t.Errorf("held out: %v", err)
	}
	more, err := d.Ask(t.Context(), w, Fold{Benchmark: "tiny", Case: "one"}) // planted: the fold that was fitted on
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Summarise(append(rows, more...), ""); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "tiny/one") {
		t.Errorf("in fold: %v, %v", s, err)
	}
}

// The same data give the same files, byte for byte, and say what they were made of.
func TestTune(t *testing.T) {
	t.Parallel()
	files := func() (tuned *Tuned, weights, held []byte) {
		other := tiny()
		for i := range other {
			other[i].Turns = append(other[i].Turns, said("x", "s9", "The other one."))
		}
		d := gathered(t, Options{Commit: "abc", FitOptions: FitOptions{Lambda: 10}}, told(t, "tiny", tiny(), opener(t)), told(t, "other", other, opener(t)))
		steps := 0
		tuned, err := d.Tune(t.Context(), true, func() { steps++ })
		if err != nil || steps != d.Steps(true) {
			t.Fatalf("%d steps of %d, %v", steps, d.Steps(true), err)
		}
		if weights, err = File(tuned.Weights); err != nil {
			t.Fatal(err)
		}
		if held, err = File(tuned.HeldOut); err != nil {
			t.Fatal(err)
		}
		return tuned, weights, held
	}
	tuned, weights, held := files()
	_, weights2, held2 := files()
	if string(weights) != string(weights2) || string(held) != string(held2) {
		t.Errorf("two fits differ:\n%s", cmp.Diff(string(weights), string(weights2)))
	}
	w, err := recall.ParseWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	p := w.Provenance
	if w.ID != tuned.Weights.ID || p.Commit != "abc" || p.Lambda != 10 || len(p.Sets) != 2 || p.Sets[0].Cases != 2 || p.Sets[0].Questions != 6 ||
		p.Sets[1].Data[0].Name != "other.json" || len(p.Sets[1].Prints) != 2 || p.Scores["tiny"].OutOfFold["recall@10"] == 0 || p.Scores["other"].InFold == nil {
		t.Errorf("provenance %+v", p)
	}
	if len(tuned.Results) != 2 || len(tuned.Transfer) != 2 {
		t.Errorf("%d results, %d of a set left out", len(tuned.Results), len(tuned.Transfer))
	}
	h, err := ParseHeld(held)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sets {
		for _, print := range s.Prints {
			if got, fit := h.For(&w)(print); fit != eval.HeldOut || got.ID == w.ID {
				t.Errorf("%s of %s is %s", print, s.Name, fit)
			}
		}
	}
}

// A question is asked by its text alone: with every label changed, the
// candidates and their features are the same.
func TestLabelsDoNotReachRetrieval(t *testing.T) {
	t.Parallel()
	features := func(cases []eval.Case) [][]float64 {
		var out [][]float64
		for _, g := range gathered(t, Options{}, told(t, "tiny", cases, opener(t))).groups {
			out = append(out, g.Features)
		}
		return out
	}
	plain, changed := tiny()[:1], tiny()[:1]
	questions := changed[0].Questions
	for i := range questions {
		q := &questions[i]
		q.ID, q.Category, q.Answer, q.Evidence = fmt.Sprint(i), "changed", "otter river flute "+fmt.Sprint(i), []string{fmt.Sprintf("one/%d", 4-i)}
	}
	if diff := cmp.Diff(features(plain), features(changed)); diff != "" {
		t.Error(diff)
	}
}

// In the code of the fit, a query is made of a question's text, and of nothing
// else that belongs to the question.
func TestQueriesAreMadeOfTextsAlone(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	queries := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || selected(lit.Type) != "Query" {
				return true
			}
			queries++
			for _, e := range lit.Elts {
				field, ok := e.(*ast.KeyValueExpr)
				if !ok || field.Key.(*ast.Ident).Name != "Question" || selected(field.Value) != "Text" {
					t.Errorf("%s makes a query of something else", name)
				}
			}
			return true
		})
	}
	if queries != 1 {
		t.Errorf("%d queries were found, one was expected", queries)
	}
}

// selected gives the name behind the last dot of an expression.
func selected(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

// With a model the second set is fitted, and says of which.
func TestTuneWithVectors(t *testing.T) {
	t.Parallel()
	model := &embeddingtest.Fake{Same: [][]string{{"quetzal", "otter", "river"}}}
	b := told(t, "tiny", tiny(), openerWith(t, model))
	d := gathered(t, Options{Model: model.Name()}, b)
	tuned, err := d.Tune(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := tuned.Weights
	if !w.UsesVectors() || w.Provenance.Model != "fake" || w.Features["cosine"] == 0 || !strings.HasSuffix(w.Note, "with the vectors of fake") {
		t.Errorf("%q by %+v", w.Note, w.Features)
	}
	for print, held := range tuned.HeldOut.Cases {
		if !held.UsesVectors() {
			t.Errorf("without %s: weights for words", print)
		}
	}
	rows, err := d.Ask(t.Context(), w, Fold{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Question == "one/none" && r.Category != foreignCategory && r.Metrics["recall@5"] != 1 {
			t.Errorf("what words do not find: %v", r.Metrics)
		}
	}
	if _, err := d.Ask(t.Context(), builtinWeights(t), Fold{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("weights for words do not rank here: %v", err)
	}
	for name, other := range map[string]*Bench{"": b, "fake": told(t, "tiny", tiny(), opener(t))} {
		if _, err := Gather(t.Context(), []*Bench{other}, Options{Model: name}); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("not searched by %q: %v", name, err)
		}
	}
}
